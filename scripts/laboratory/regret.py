"""What two settings lose against a much deeper reference, position by position.

The *regret* of a move is the reference's value of the best move that it knows of, less its value of this one. Each value is
found by a search of that one move with the whole of the reference's budget, so that all are equally deep."""

import math
from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from matchplay.stats import Z95

from .positions import PHASES

# Centipawns. Values beyond count as this: how much a won game is won does not matter.
DECIDED = 1_000
# Centipawns: a greater loss is a blunder.
BLUNDER = 50


def clamped(score: int) -> int:
    """A score that tells no more than that a game is decided."""
    return max(-DECIDED, min(DECIDED, score))


@dataclass(frozen=True)
class Loss:
    """What both settings lose in one position: centipawns, 0 or more."""

    phase: str
    moves: tuple[str, str]
    loss: tuple[int, int]


@dataclass(frozen=True)
class Mean:
    """A mean with half the width of its 95 % interval; infinite where one value says nothing of the spread."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:+.2f} +- {self.error:.2f}"


def mean(values: Sequence[float]) -> Mean:
    """The mean of independent values, and the normal interval around it."""
    count = len(values)
    value = sum(values) / count
    if count < 2:
        return Mean(value, math.inf)
    variance = sum((one - value) ** 2 for one in values) / (count - 1)
    return Mean(value, Z95 * math.sqrt(variance / count))


def losses(moves: tuple[str, str], values: dict[str, int]) -> tuple[int, int]:
    """Both moves' losses against the best of all valued moves."""
    best = max(clamped(value) for value in values.values())
    return best - clamped(values[moves[0]]), best - clamped(values[moves[1]])


def _share(found: Sequence[Loss], test: Callable[[Loss], bool]) -> str:
    return f"{100 * sum(map(test, found)) / len(found):.1f} %"


def _row(name: str, found: Sequence[Loss]) -> list[str]:
    return [
        name,
        str(len(found)),
        _share(found, lambda one: one.moves[0] != one.moves[1]),
        *(f"{mean([one.loss[side] for one in found]).value:.2f}" for side in (0, 1)),
        str(mean([one.loss[0] - one.loss[1] for one in found])),
        *(_share(found, lambda one: one.loss[side] > BLUNDER) for side in (0, 1)),
    ]


def _phases(found: "Sequence[Loss] | Sequence[Told]") -> list[str]:
    """The phases that occur, in the order of a game."""
    occurring = {one.phase for one in found}
    return [name for name, _ in PHASES if name in occurring]


def table(found: Sequence[Loss], names: tuple[str, str]) -> str:
    """Mean losses of both settings and their paired difference, for all positions and by phase, in Markdown."""
    a, b = names
    head = ["", "positions", "moves differ", f"loss of {a}", f"loss of {b}", f"{a} - {b}"]
    head += [f"{a} > {BLUNDER} cp", f"{b} > {BLUNDER} cp"]
    rows = [_row("all", found)]
    for phase in _phases(found):
        rows.append(_row(phase, [one for one in found if one.phase == phase]))
    return markdown(head, rows)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines)


@dataclass(frozen=True)
class Told:
    """What a setting said its move was worth, and what a plain search of that move to the same depth says."""

    phase: str
    said: int
    plain: int

    @property
    def error(self) -> int:
        """Centipawns."""
        return abs(clamped(self.said) - clamped(self.plain))


def value_table(pairs: Sequence[tuple[Optional[Told], Optional[Told]]], names: tuple[str, str]) -> str:
    """How far both settings' values lie from the plain search's, and the paired difference of the errors."""
    known = [(a, b) for a, b in pairs if a and b]
    head = ["", "positions", f"error of {names[0]}", f"error of {names[1]}", f"{names[0]} - {names[1]}"]
    head += [f"{name} off by > {BLUNDER} cp" for name in names] + [f"bias of {name}" for name in names]
    rows = []
    for phase in ["all", *_phases([a for a, _ in known])]:
        some = [pair for pair in known if phase in ("all", pair[0].phase)]
        sides = [[pair[side] for pair in some] for side in (0, 1)]
        rows.append(
            [
                phase,
                str(len(some)),
                *(f"{mean([one.error for one in side]).value:.2f}" for side in sides),
                str(mean([a.error - b.error for a, b in some])),
                *(f"{100 * sum(one.error > BLUNDER for one in side) / len(side):.1f} %" for side in sides),
                *(str(mean([clamped(one.said) - clamped(one.plain) for one in side])) for side in sides),
            ]
        )
    return markdown(head, rows)
