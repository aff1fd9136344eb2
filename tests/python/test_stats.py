"""Elo, error bars, LOS and SPRT of scripts/match.py."""

import math
import random
import unittest

import support  # noqa: F401
from matchplay.stats import (
    Sprt,
    constrained_shares,
    elo_of_score,
    estimate,
    expected_score,
    pentanomial,
    trinomial,
)


class EloTest(unittest.TestCase):
    def test_known_points_of_the_logistic_curve(self):
        self.assertAlmostEqual(expected_score(0), 0.5)
        self.assertAlmostEqual(expected_score(400), 10 / 11)
        self.assertAlmostEqual(elo_of_score(0.75), 400 * math.log10(3), places=9)
        self.assertEqual(elo_of_score(0.0), -math.inf)
        self.assertEqual(elo_of_score(1.0), math.inf)

    def test_score_and_elo_are_inverse(self):
        for elo in (-700, -35, -1, 0, 2, 60, 500):
            self.assertAlmostEqual(elo_of_score(expected_score(elo)), elo, places=6)

    def test_error_bar_of_single_games(self):
        # 40 wins, 40 draws, 20 losses: mean 0.6, variance 0.8 * 0.25 - 0.01 = 0.14 by hand:
        # E[x^2] = 0.4 + 0.4 / 4 = 0.5, minus 0.36.
        result = estimate(trinomial(40, 40, 20))
        error = 1.959964 * math.sqrt(0.14 / 100)
        self.assertAlmostEqual(result.elo, elo_of_score(0.6), places=6)
        self.assertAlmostEqual(result.low, elo_of_score(0.6 - error), places=3)
        self.assertAlmostEqual(result.high, elo_of_score(0.6 + error), places=3)
        self.assertAlmostEqual(
            result.los, 0.5 * (1 + math.erf(0.1 / math.sqrt(0.0014) / math.sqrt(2))), places=9
        )

    def test_pairs_of_opposite_results_shrink_the_error(self):
        # Each pair won once and lost once: no doubt about equality, though single games would show much.
        singles = estimate(trinomial(50, 0, 50))
        pairs = estimate(pentanomial([1, 0, 48, 0, 1]))
        self.assertAlmostEqual(pairs.elo, 0.0)
        self.assertLess(pairs.high - pairs.low, (singles.high - singles.low) / 3)

    def test_independent_pairs_agree_with_single_games(self):
        # Pairs of two independent games with P(win) = P(loss) = 1/4, P(draw) = 1/2.
        pairs = estimate(pentanomial([1, 4, 6, 4, 1]))
        singles = estimate(trinomial(8, 16, 8))
        self.assertAlmostEqual(pairs.low, singles.low, places=6)
        self.assertAlmostEqual(pairs.normalized, singles.normalized, places=6)

    def test_normalized_elo_by_hand(self):
        # Mean 0.6, standard deviation sqrt(0.14) a game.
        expected = 0.1 / math.sqrt(0.14) * 800 / math.log(10)
        self.assertAlmostEqual(estimate(trinomial(40, 40, 20)).normalized, expected, places=9)

    def test_without_variance_the_interval_is_open(self):
        result = estimate(pentanomial([0, 0, 0, 0, 3]))
        self.assertEqual((result.elo, result.low, result.high), (math.inf, -math.inf, math.inf))
        self.assertAlmostEqual(result.los, 1 - 1 / 8)
        self.assertAlmostEqual(estimate(pentanomial([2, 0, 0, 0, 0])).los, 1 / 4)
        self.assertEqual(estimate(pentanomial([0, 0, 4, 0, 0])).los, 0.5)

    def test_nothing_played_nothing_told(self):
        self.assertIsNone(estimate(pentanomial([0] * 5)))

    def test_the_interval_covers_the_truth_in_95_of_100_cases(self):
        rng = random.Random(7)
        truth, covered, trials = 0.1 + 0.5 / 2, 0, 400
        for _ in range(trials):
            wins = draws = 0
            for _ in range(300):
                draw = rng.random()
                wins += draw < 0.1
                draws += 0.1 <= draw < 0.6
            result = estimate(trinomial(wins, draws, 300 - wins - draws))
            covered += result.low <= elo_of_score(truth) <= result.high
        self.assertGreater(covered / trials, 0.92)
        self.assertLess(covered / trials, 0.98)


class SprtTest(unittest.TestCase):
    def test_bounds_are_walds(self):
        sprt = Sprt(0, 5)
        self.assertAlmostEqual(sprt.upper, math.log(19))
        self.assertAlmostEqual(sprt.lower, -math.log(19))

    def test_constrained_shares_are_a_distribution_with_the_mean(self):
        shares = constrained_shares([0.1, 0.2, 0.4, 0.2, 0.1], (0, 0.25, 0.5, 0.75, 1), 0.62)
        self.assertAlmostEqual(sum(shares), 1.0)
        self.assertAlmostEqual(sum(s * v for s, v in zip(shares, (0, 0.25, 0.5, 0.75, 1))), 0.62)
        self.assertTrue(all(share > 0 for share in shares))

    def test_constrained_shares_are_the_likeliest(self):
        observed, values, mean = [0.2, 0.5, 0.3], (0.0, 0.5, 1.0), 0.5
        best = constrained_shares(observed, values, mean)

        def likelihood(shares):
            return sum(o * math.log(q) for o, q in zip(observed, shares))

        for shift in (-0.02, -0.001, 0.001, 0.02):
            # Keeps both the sum and the mean.
            other = [best[0] + shift, best[1] - 2 * shift, best[2] + shift]
            self.assertLess(likelihood(other), likelihood(best))

    def test_symmetric_result_between_symmetric_hypotheses_says_nothing(self):
        self.assertAlmostEqual(Sprt(-5, 5).llr(pentanomial([10, 20, 40, 20, 10])), 0.0, places=9)

    def test_agrees_with_the_normal_approximation(self):
        sample = pentanomial([100, 500, 900, 560, 120])
        s0, s1 = expected_score(0), expected_score(5)
        approximation = sample.total * (s1 - s0) * (2 * sample.mean - s0 - s1) / (2 * sample.variance)
        self.assertAlmostEqual(Sprt(0, 5).llr(sample), approximation, delta=0.02 * abs(approximation))

    def test_verdicts(self):
        self.assertEqual(Sprt(0, 10).verdict(pentanomial([50, 200, 400, 350, 120])), "H1")
        self.assertEqual(Sprt(0, 10).verdict(pentanomial([120, 350, 400, 200, 50])), "H0")
        self.assertIsNone(Sprt(0, 10).verdict(pentanomial([1, 2, 4, 3, 1])))
        self.assertIsNone(Sprt(0, 10).verdict(pentanomial([0] * 5)))

    def test_one_sided_results_stay_finite(self):
        self.assertTrue(math.isfinite(Sprt(0, 5).llr(pentanomial([0, 0, 0, 0, 30]))))

    def test_error_rates_hold_in_simulation(self):
        rng = random.Random(11)
        sprt = Sprt(-40, 40, 0.1, 0.1)
        wrong = 0
        for _ in range(120):
            counts = [0] * 5
            verdict = None
            while verdict is None:
                # Under elo0: two independent games, 40 % draws.
                score = expected_score(-40)
                points = sum(
                    2 if (r := rng.random()) < score - 0.2 else 1 if r < score + 0.2 else 0 for _ in range(2)
                )
                counts[points] += 1
                verdict = sprt.verdict(pentanomial(counts))
            wrong += verdict == "H1"
        # Expected at most 12 of 120; three standard deviations above that are 22.
        self.assertLessEqual(wrong, 22)

    def test_nonsense_is_refused(self):
        for bad in ((5, 0, 0.05, 0.05), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.7)):
            with self.assertRaises(ValueError):
                Sprt(*bad)


if __name__ == "__main__":
    unittest.main()
