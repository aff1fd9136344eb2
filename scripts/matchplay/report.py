"""What is told of a match: the progress line and the final table. Made from the finished games' records
alone."""

import math
import sys
import time
from collections import Counter
from typing import Iterable, Optional, TextIO

from .game import GameRecord
from .stats import Elo, Sample, Sprt, estimate, pentanomial, trinomial

# Seconds between two progress lines where the output is not a terminal.
LOG_SECONDS = 30.0


class Tally:
    """Results of the first engine, by game and by pair."""

    def __init__(self, first: str) -> None:
        self.first = first
        self.wins = self.draws = self.losses = 0
        self.white_points = self.white_games = 0.0
        self.pairs = [0] * 5
        self._open: dict[int, float] = {}

    def add(self, record: GameRecord) -> None:
        """Counts a game."""
        points = record.points(self.first)
        self.wins += points == 1.0
        self.draws += points == 0.5
        self.losses += points == 0.0
        if record.white == self.first:
            self.white_games += 1
            self.white_points += points
        pair = record.number // 2
        if pair in self._open:
            self.pairs[round(2 * (self._open.pop(pair) + points))] += 1
        else:
            self._open[pair] = points

    @property
    def games(self) -> int:
        """Games counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points of the first engine."""
        return self.wins + self.draws / 2

    def sample(self) -> Sample:
        """The complete pairs; single games while there is no complete pair."""
        return pentanomial(self.pairs) if sum(self.pairs) else trinomial(self.wins, self.draws, self.losses)

    def elo(self) -> Optional[Elo]:
        """The Elo difference that the sample shows."""
        return estimate(self.sample()) if self.games else None


def elo_text(elo: Optional[Elo]) -> str:
    """`+12.3 [-20.1, +44.9]`."""
    if elo is None:
        return "unknown"
    return f"{_signed(elo.elo)} [{_signed(elo.low)}, {_signed(elo.high)}]"


def _signed(value: float) -> str:
    return f"{value:+.0f}" if math.isinf(value) else f"{value:+.1f}"


class Progress:
    """A line that tells how the match stands: rewritten in place on a terminal, else a new one now and
    then."""

    def __init__(self, total: int, stream: TextIO = sys.stderr) -> None:
        self.total = total
        self.stream = stream
        self.in_place = stream.isatty()
        self.last = -math.inf

    def show(self, tally: Tally, faults: int, sprt: Optional[Sprt]) -> None:
        """Tells the state after a game."""
        now = time.monotonic()
        if not self.in_place and now - self.last < LOG_SECONDS and tally.games < self.total:
            return
        self.last = now
        elo = tally.elo()
        text = (
            f"{tally.games}/{self.total}  +{tally.wins} ={tally.draws} -{tally.losses}  Elo {elo_text(elo)}"
        )
        if elo is not None:
            text += f"  LOS {100 * elo.los:.1f} %"
        if sprt:
            text += f"  LLR {sprt.llr(tally.sample()):+.2f} ({sprt.lower:+.2f}, {sprt.upper:+.2f})"
        text += f"  faults {faults}"
        self.stream.write(f"\r\033[K{text}" if self.in_place else text + "\n")
        self.stream.flush()

    def end(self) -> None:
        """Leaves the line."""
        if self.in_place:
            self.stream.write("\n")


def final_report(records: list[GameRecord], names: tuple[str, str], sprt: Optional[Sprt]) -> str:
    """The whole table, faults included, as text."""
    tally = Tally(names[0])
    for record in sorted(records, key=lambda record: record.number):
        tally.add(record)
    lines = _result_lines(tally, names, sprt)
    lines += [
        "",
        *_stat_lines(records, names),
        "",
        *_ending_lines(records),
        "",
        *_fault_lines(records, names),
    ]
    return "\n".join(lines)


def _result_lines(tally: Tally, names: tuple[str, str], sprt: Optional[Sprt]) -> list[str]:
    lines = [f"{names[0]} against {names[1]}: {tally.games} games"]
    if not tally.games:
        return lines
    elo = tally.elo()
    assert elo is not None
    black_games = tally.games - tally.white_games
    black_points = tally.points - tally.white_points
    basis = f"{sum(tally.pairs)} pairs" if sum(tally.pairs) else "single games"
    lines += [
        f"W/D/L       {tally.wins}/{tally.draws}/{tally.losses}",
        f"score       {tally.points:g}/{tally.games} = {100 * tally.points / tally.games:.1f} %"
        f" (White {tally.white_points:g}/{tally.white_games:g}, Black {black_points:g}/{black_games:g})",
        f"Elo         {elo_text(elo)} (logistic, 95 %, from {basis})",
        f"normalised  {_signed(elo.normalized)} (Elo on the scale of 1 / standard deviation of a game)",
        f"LOS         {100 * elo.los:.1f} %",
        f"pairs       {' '.join(str(count) for count in tally.pairs)} (0, 1/2, 1, 3/2, 2 points)",
    ]
    if sprt:
        verdict = {"H1": f"elo1 = {sprt.elo1:g} accepted", "H0": f"elo0 = {sprt.elo0:g} accepted"}
        told = verdict.get(sprt.verdict(tally.sample()) or "", "undecided")
        lines.append(
            f"SPRT        elo0 {sprt.elo0:g}, elo1 {sprt.elo1:g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}:"
            f" LLR {sprt.llr(tally.sample()):+.2f} ({sprt.lower:+.2f}, {sprt.upper:+.2f}), {told}"
        )
    return lines


# Heading and how it is made of an engine's summed statistics; `None` where there is nothing to tell.
_COLUMNS = (
    ("moves", lambda s: f"{s['moves']}"),
    ("s/move", lambda s: _ratio(s["seconds"], s["moves"], 3)),
    ("longest s", lambda s: f"{s['longest']:.3f}"),
    ("overstep ms", lambda s: f"{1000 * s['overstep']:.0f}"),
    ("starved ms", lambda s: f"{1000 * s['starved']:.0f}"),
    ("depth", lambda s: _ratio(s["depth"], s["depth_moves"], 1)),
    ("nodes/move", lambda s: _ratio(s["nodes"], s["node_moves"], 0)),
    ("most nodes", lambda s: f"{s['most_nodes']}" if s["node_moves"] else None),
    ("graph", lambda s: _ratio(s["graph_nodes"], s["graph_moves"], 1)),
    ("line", lambda s: _ratio(s["line_plies"], s["graph_moves"], 2)),
    ("expansions", lambda s: _ratio(s["expansions"], s["expansion_moves"], 1)),
    ("separated", lambda s: _percent(s["separated"], s["root_moves"])),
    ("tree", lambda s: _ratio(s["tree_nodes"], s["ended_moves"], 1)),
    ("ended separated", lambda s: _percent(s["ended_separated"], s["ended_moves"])),
    ("time used", lambda s: _percent(s["time_used"] / 100, s["timed_moves"])),
    ("saved", lambda s: _percent(s["time_saved"] / 100, s["timed_moves"])),
)


def _ratio(total: float, count: float, digits: int) -> Optional[str]:
    return f"{total / count:.{digits}f}" if count else None


def _percent(part: float, whole: float) -> Optional[str]:
    return f"{100 * part / whole:.1f} %" if whole else None


def summed(records: list[GameRecord], name: str) -> Counter:
    """The statistics of one engine over all games: sums, or the greatest where that is what counts."""
    return totals(record.stats.get(name, {}) for record in records)


def totals(parts: Iterable[dict[str, float]]) -> Counter:
    """Statistics of several games or matches in one."""
    total: Counter = Counter()
    for part in parts:
        for key, value in part.items():
            if key in ("longest", "overstep", "starved", "most_nodes"):
                total[key] = max(total[key], value)
            else:
                total[key] += value
    return total


def _stat_lines(records: list[GameRecord], names: tuple[str, str]) -> list[str]:
    """A table of averages per move. `starved` is the longest that an engine's threads waited for a processor
    during one move: where that is much, the machine was too busy for a match on the clock.

    The last columns are what Regulus tells of its root when it decides: nodes in the graph, plies of the
    stored principal line, nodes expanded, and the share of the moves at which the best root move's interval
    was separated from the best rival's. `tree` are the nodes that the root reaches (the graph also keeps those of earlier
    moves), `ended separated` the share of the searches that a separation ended, `time used` the part of the time meant for a
    move that was used, and `saved` the part that separations left, on average over all moves.
    """
    rows = [["", *(heading for heading, _ in _COLUMNS)]]
    for name in names:
        sums = summed(records, name)
        rows.append([name, *((make(sums) or "-") for _, make in _COLUMNS)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])
        for row in rows
    ]


def _ending_lines(records: list[GameRecord]) -> list[str]:
    endings = Counter(record.reason if not record.fault else "fault" for record in records)
    return ["endings: " + ", ".join(f"{count} {reason}" for reason, count in endings.most_common())]


def _fault_lines(records: list[GameRecord], names: tuple[str, str]) -> list[str]:
    """Each engine's faults, one a line; and what is no fault by the rules but should not be."""
    lines = []
    for name in names:
        faults = [record for record in records if record.fault and record.fault["engine"] == name]
        kinds = Counter(record.fault["kind"] for record in faults if record.fault)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "none"
        lines.append(f"faults of {name}: {summary}")
        for record in faults:
            assert record.fault is not None
            lines.append(f"  game {record.number + 1}: {record.reason} at {record.fault['fen']}")
        if illegal := int(summed(records, name)["illegal_pvs"]):
            lines.append(f"  {illegal} principal variations with an illegal move")
        warnings = [text for record in records for text in record.warnings.get(name, [])]
        if warnings:
            lines.append(f"  {len(warnings)} warnings of python-chess, the first: {warnings[0]}")
    return lines
