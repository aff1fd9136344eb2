"""Tactical suites: positions with a best move (`bm`) or one to avoid (`am`), and when a search has found it for good."""

from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence

import chess
from matchplay.spec import SpecError


@dataclass(frozen=True)
class Problem:
    """A position and the moves that solve it."""

    fen: str
    solutions: frozenset[str]

    def solved_at(self, watched: Sequence[tuple[int, str]]) -> Optional[int]:
        """The milliseconds from which on every move that was thought best is a solution; `None` if the last one is not."""
        since = None
        for at, move in watched:
            if move not in self.solutions:
                since = None
            elif since is None:
                since = at
        return since


def read_suite(path: Path) -> list[Problem]:
    """The problems of an EPD file. Raises `SpecError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SpecError(str(error)) from error
    problems = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        board = chess.Board()
        try:
            operations = board.set_epd(line)
        except ValueError as error:
            raise SpecError(f"{path}:{number}: {error}") from error
        solutions = {move.uci() for move in operations.get("bm", [])}
        if avoid := operations.get("am"):
            solutions |= {move.uci() for move in board.legal_moves if move not in avoid}
        if not solutions:
            raise SpecError(f"{path}:{number}: neither bm nor am")
        problems.append(Problem(board.fen(), frozenset(solutions)))
    if not problems:
        raise SpecError(f"{path}: no positions")
    return problems


def solved_by(found: Sequence[Optional[int]]) -> list[tuple[int, int]]:
    """Milliseconds and how many were solved by then, at each time that solved one."""
    times = sorted(at for at in found if at is not None)
    return [(at, index) for index, at in enumerate(times, start=1) if index == len(times) or times[index] != at]
