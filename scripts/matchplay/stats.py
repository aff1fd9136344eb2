"""Elo differences with error bars, likelihood of superiority, and the sequential probability ratio test.

Scores are from the first engine's point of view. Games are played in pairs: one opening, both colours. The
two games of a pair share the opening's bias, so the pair, not the game, is the independent observation: its
score is one of 0, 1/2, 1, 3/2, 2 points, counted in five classes ("pentanomial").

Sources: logistic Elo (A. Elo 1978); the generalised SPRT and its pentanomial form after M. Van den Bergh, "A
practical introduction to the GSPRT" and "Comments on normalized Elo" (both used by the Fishtest project).
"""

import math
from dataclasses import dataclass
from typing import Optional, Sequence

# Two-sided 95 % quantile of the normal distribution, in standard deviations.
Z95 = 1.959963984540054

# Pseudo-count of an empty class in the SPRT, in pairs: keeps the likelihood finite without moving it
# (Fishtest uses the same size).
EMPTY_CLASS = 1e-3

# Nearest scores to certain win or loss that are turned into an Elo figure; beyond, the figure is infinite.
_CERTAIN = 1e-9


def expected_score(elo: float) -> float:
    """Expected score per game (0..1) of a player who is `elo` points better."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def elo_of_score(score: float) -> float:
    """Elo difference that explains `score` points per game (0..1); infinite at the ends."""
    if score <= _CERTAIN:
        return -math.inf
    if score >= 1.0 - _CERTAIN:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def normal_cdf(z: float) -> float:
    """Probability that a standard normal variable is at most `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


@dataclass(frozen=True)
class Sample:
    """Counted observations: `counts[i]` of them scored `values[i]` points per game (0..1)."""

    counts: Sequence[float]
    values: Sequence[float]
    games_each: int

    @property
    def total(self) -> float:
        """How many observations."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Mean score per game."""
        return sum(c * v for c, v in zip(self.counts, self.values)) / self.total

    @property
    def variance(self) -> float:
        """Variance of one observation (the maximum-likelihood form, divided by the count)."""
        mean = self.mean
        return sum(c * (v - mean) ** 2 for c, v in zip(self.counts, self.values)) / self.total


def trinomial(wins: int, draws: int, losses: int) -> Sample:
    """Single games."""
    return Sample((losses, draws, wins), (0.0, 0.5, 1.0), 1)


def pentanomial(pairs: Sequence[int]) -> Sample:
    """Pairs of games; `pairs[i]` of them scored `i / 2` points out of two."""
    if len(pairs) != 5:
        raise ValueError("a pentanomial has five classes")
    return Sample(tuple(pairs), (0.0, 0.25, 0.5, 0.75, 1.0), 2)


@dataclass(frozen=True)
class Elo:
    """An Elo difference with its 95 % interval; `los` is the probability that the first engine is the
    stronger."""

    elo: float
    low: float
    high: float
    los: float
    normalized: float


def estimate(sample: Sample) -> Optional[Elo]:
    """The Elo difference that a sample shows, or `None` without observations.

    The interval is the normal one on the mean score, carried over to Elo. With no variance at all (every game
    won, say) the sample says nothing of the error, and the interval is open on both sides.
    """
    if sample.total == 0:
        return None
    mean, variance = sample.mean, sample.variance
    if variance == 0.0:
        return _estimate_without_variance(mean, sample.total)
    error = math.sqrt(variance / sample.total)
    per_game = math.sqrt(variance * sample.games_each)
    return Elo(
        elo=elo_of_score(mean),
        low=elo_of_score(max(0.0, mean - Z95 * error)),
        high=elo_of_score(min(1.0, mean + Z95 * error)),
        los=normal_cdf((mean - 0.5) / error),
        normalized=(mean - 0.5) / per_game * 800.0 / math.log(10.0),
    )


def _estimate_without_variance(mean: float, count: float) -> Elo:
    """All observations are equal. LOS is then a sign test's: chance alone does this once in 2^count."""
    if mean == 0.5:
        return Elo(0.0, -math.inf, math.inf, 0.5, 0.0)
    sign = 1.0 if mean > 0.5 else -1.0
    los = 0.5 + sign * (0.5 - 0.5**count)
    return Elo(elo_of_score(mean), -math.inf, math.inf, los, sign * math.inf)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of "the first engine is `elo1` better" against "it is `elo0` better" (logistic Elo).

    `alpha`: probability of accepting elo1 when elo0 is true; `beta`: of accepting elo0 when elo1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("sprt: elo0 must be below elo1")
        if not (0.0 < self.alpha < 0.5 and 0.0 < self.beta < 0.5):
            raise ValueError("sprt: alpha and beta must lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio elo0 is accepted (Wald 1945)."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio elo1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, sample: Sample) -> float:
        """Generalised log-likelihood ratio of the sample: above zero speaks for elo1."""
        if sample.total == 0:
            return 0.0
        counts = [count or EMPTY_CLASS for count in sample.counts]
        total = sum(counts)
        shares = [count / total for count in counts]
        null = constrained_shares(shares, sample.values, expected_score(self.elo0))
        other = constrained_shares(shares, sample.values, expected_score(self.elo1))
        return sum(c * (math.log(b) - math.log(a)) for c, a, b in zip(counts, null, other))

    def verdict(self, sample: Sample) -> Optional[str]:
        """`"H1"` (elo1 accepted), `"H0"` (elo0 accepted), or `None`: play on."""
        llr = self.llr(sample)
        if llr >= self.upper:
            return "H1"
        if llr <= self.lower:
            return "H0"
        return None


def constrained_shares(shares: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The likeliest class probabilities whose expectation is `mean`, given observed positive `shares`.

    With a Lagrange multiplier x the solution is share / (1 + x (value - mean)), where x is the root of
    sum(share (value - mean) / (1 + x (value - mean))), a decreasing function: bisection.
    """
    offsets = [value - mean for value in values]
    if not min(offsets) < 0.0 < max(offsets):
        raise ValueError("the mean lies outside the values")
    low, high = -1.0 / max(offsets), -1.0 / min(offsets)
    # A double has 53 bits; 100 halvings leave nothing to gain.
    for _ in range(100):
        middle = 0.5 * (low + high)
        slope = sum(s * o / (1.0 + middle * o) for s, o in zip(shares, offsets))
        low, high = (middle, high) if slope > 0.0 else (low, middle)
    root = 0.5 * (low + high)
    return [s / (1.0 + root * o) for s, o in zip(shares, offsets)]
