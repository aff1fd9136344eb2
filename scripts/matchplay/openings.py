"""Start positions of a match, from an EPD or FEN file (one position a line) or a PGN file (one opening a
game)."""

import hashlib
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import chess
import chess.pgn

from .spec import SpecError


@dataclass(frozen=True)
class Opening:
    """A root position and the moves (UCI notation) that lead from it to the start of the game."""

    fen: str
    moves: tuple[str, ...]
    chess960: bool

    def board(self) -> chess.Board:
        """The position where the engines take over, with the moves before it."""
        board = chess.Board(self.fen, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


def _from_epd(line: str, chess960: bool) -> Opening:
    """A FEN, or an EPD. An operation `c0 "moves e2e4 e7e5 ..."` that leads from the start position to this
    one is used as the game's beginning: then the engines know the history, and those without setboard can
    play it."""
    fields = line.split()
    if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit():
        return Opening(chess.Board(" ".join(fields[:6]), chess960=chess960).fen(), (), chess960)
    board = chess.Board(chess960=chess960)
    operations = board.set_epd(line)
    comment = operations.get("c0")
    if not chess960 and isinstance(comment, str) and comment.startswith("moves "):
        moves = tuple(comment.split()[1:])
        opening = Opening(chess.STARTING_FEN, moves, False)
        if opening.board().epd() != board.epd():
            raise ValueError("the moves of c0 do not lead to the position")
        return opening
    return Opening(board.fen(), (), chess960)


def _read_lines(path: Path, chess960: bool) -> Iterator[Opening]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield _from_epd(line, chess960)
        except ValueError as error:
            raise SpecError(f"{path}:{number}: {error}") from error


def _read_pgn(path: Path, chess960: bool) -> Iterator[Opening]:
    with path.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            if game.errors:
                raise SpecError(f"{path}: {game.errors[0]}")
            root = game.board()
            moves = tuple(move.uci() for move in game.mainline_moves())
            yield Opening(root.fen(), moves, chess960 or root.chess960)


def read_openings(path: Path, chess960: bool) -> list[Opening]:
    """All openings of a file, each checked: legal, and the game not over yet."""
    try:
        openings = list((_read_pgn if path.suffix == ".pgn" else _read_lines)(path, chess960))
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{path}: {error}") from error
    for number, opening in enumerate(openings, start=1):
        board = opening.board()
        if not board.is_valid() or board.is_game_over():
            raise SpecError(f"{path}: opening {number} is not a playable position: {board.fen()}")
    if not openings:
        raise SpecError(f"{path}: no openings")
    return openings


def shuffled(openings: list[Opening], seed: int) -> list[Opening]:
    """The openings in an order that depends on `seed` only; 0 leaves the file's order."""
    order = list(openings)
    if seed:
        random.Random(seed).shuffle(order)
    return order


def digest(path: Path) -> str:
    """Identifies the file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
