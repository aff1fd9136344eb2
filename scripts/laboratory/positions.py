"""Positions with the part of their game that matters: each line is what UCI's `position fen` takes, the position after the
last capture or pawn move, and the moves since. A repetition can reach no further back."""

from dataclasses import dataclass
from pathlib import Path

import chess
from matchplay.spec import SpecError

# The phases of a game, by the pieces (no pawns, no kings) that are left on both sides: 14 at the start.
PHASES = (("opening", 12), ("middlegame", 7), ("endgame", 0))


@dataclass(frozen=True)
class Place:
    """A position of the test."""

    text: str
    phase: str


def phase(board: chess.Board) -> str:
    """The phase of a position, by name."""
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    return next(name for name, least in PHASES if pieces >= least)


def board_of(text: str) -> chess.Board:
    """The position that a line tells. Raises `ValueError`."""
    fen, _, moves = text.partition(" moves ")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def text_of(board: chess.Board) -> str:
    """The line of a position with its game."""
    back = board.copy()
    moves: list[str] = []
    while back.move_stack and back.halfmove_clock > 0:
        moves.insert(0, back.pop().uci())
    return back.fen() + (" moves " + " ".join(moves) if moves else "")


def read_places(path: Path) -> list[Place]:
    """All positions of a file; empty lines and those that begin with # are passed over. Raises `SpecError`."""
    places = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SpecError(str(error)) from error
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            board = board_of(text)
        except ValueError as error:
            raise SpecError(f"{path}:{number}: {error}") from error
        if not board.is_valid() or not any(board.legal_moves):
            raise SpecError(f"{path}:{number}: not a position to move in")
        places.append(Place(text, phase(board)))
    if not places:
        raise SpecError(f"{path}: no positions")
    return places
