"""Reads self-play games and makes arrays of positions of them.

The text format (also written by `regulus datagen`), one game a line:

    START_FEN|RESULT|move,score move,score ...

RESULT is `1` (White won), `0` (Black won) or `d`. A move is UCI, castling written as king takes rook. A score is in
centipawns for the side to move, from the search that chose the move; +-(32000 - n) is a mate in n. A trailing `*` says
that a random move was played instead of the searched one.

And files of scored positions without games (also written by `regulus label`), a position a line: `FEN|score`, the score
in centipawns for the side to move.
"""

import hashlib
import lzma
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

EMPTY = 0
# Piece codes on a board: 1-6 white pawn..king, 7-12 black pawn..king.
CODES = {letter: code for code, letter in enumerate("PNBRQKpnbrqk", start=1)}
WHITE_KING, BLACK_KING = 6, 12

QUIET, TACTICAL, RANDOM = 0, 1, 2  # kinds of a played move


@dataclass
class Positions:
    """Parallel arrays, one row a position, in the order of the games."""

    board: np.ndarray  # (n, 64) uint8 piece codes, square 0 = a1, 63 = h8
    black: np.ndarray  # (n,) bool: Black is to move
    score: np.ndarray  # (n,) int16 centipawns, side to move
    result: np.ndarray  # (n,) float32: 1 won, 0.5 drawn, 0 lost by the side to move
    kind: np.ndarray  # (n,) uint8: QUIET, TACTICAL (capture or promotion) or RANDOM move was played
    game: np.ndarray  # (n,) int32 number of the game

    def __len__(self):
        return len(self.score)

    def select(self, rows):
        """The positions of these rows (indices or a mask)."""
        return Positions(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def _start(fen):
    fields = fen.split()
    board = bytearray(64)
    for row, text in enumerate(fields[0].split("/")):
        square = (7 - row) * 8
        for letter in text:
            if letter.isdigit():
                square += int(letter)
            else:
                board[square] = CODES[letter]
                square += 1
    return board, fields[1] == "b"


SQUARES = {file + rank: (ord(rank) - 49) * 8 + ord(file) - 97 for file in "abcdefgh" for rank in "12345678"}


def _play(board, black, move):
    """Makes the move on the board; True for a capture or a promotion."""
    start, end = SQUARES[move[:2]], SQUARES[move[2:4]]
    piece, taken = board[start], board[end]
    if piece == EMPTY or (piece > 6) != black:
        raise ValueError(f"{move}: no piece of the side to move there")
    board[start] = EMPTY
    if piece == 6 + 6 * black and taken == 4 + 6 * black:  # castling, king takes rook
        rank = start & 56
        board[end] = EMPTY
        king, rook = (6, 5) if end > start else (2, 3)
        board[rank + king], board[rank + rook] = piece, taken
        return False
    board[end] = piece
    if piece == 1 or piece == 7:
        if len(move) == 5:
            board[end] = CODES[move[4].lower() if black else move[4].upper()]
            return True
        if (end - start) % 8 and taken == EMPTY:  # en passant
            board[(start & 56) | (end & 7)] = EMPTY
            return True
    return taken != EMPTY


def _open(path):
    path = Path(path)
    return lzma.open(path, "rt") if path.suffix == ".xz" else open(path)


def _digest(paths):
    text = "\n".join(f"{Path(p).resolve()} {Path(p).stat().st_size} {Path(p).stat().st_mtime_ns}" for p in paths)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_games(paths, limit=None):
    """All positions of the first `limit` games of the files (all games when None)."""
    boards, blacks, scores, results, kinds, games = bytearray(), bytearray(), [], [], bytearray(), []
    game = 0
    for path in paths:
        with _open(path) as lines:
            for number, line in enumerate(lines, start=1):
                if limit is not None and game >= limit:
                    break
                try:
                    fen, result, moves = line.rstrip("\n").split("|")
                    board, black = _start(fen)
                    white_points = {"1": 1.0, "0": 0.0, "d": 0.5}[result]
                    for item in moves.split():
                        move, score = item.split(",")
                        boards += board
                        blacks.append(black)
                        games.append(game)
                        results.append(1 - white_points if black else white_points)
                        random = score.endswith("*")
                        scores.append(int(score[:-1] if random else score))
                        tactical = _play(board, black, move)
                        kinds.append(RANDOM if random else TACTICAL if tactical else QUIET)
                        black = not black
                except (ValueError, KeyError, IndexError) as error:
                    raise SystemExit(f"{path}:{number}: not a game: {error}") from error
                game += 1
                if game % 5000 == 0:
                    print(f"  {game} games, {len(scores)} positions", file=sys.stderr)
    if not scores:
        raise SystemExit("no games in " + ", ".join(map(str, paths)))
    return Positions(
        np.frombuffer(bytes(boards), np.uint8).reshape(-1, 64),
        np.frombuffer(bytes(blacks), np.uint8).astype(bool),
        np.array(scores, np.int16),
        np.array(results, np.float32),
        np.frombuffer(bytes(kinds), np.uint8),
        np.array(games, np.int32),
    )


def read_positions(path):
    """All positions of a file without games. They count as drawn and quiet, each as a game of its own."""
    boards, blacks, scores = bytearray(), bytearray(), []
    with _open(path) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                fen, score = line.rsplit("|", 1)
                board, black = _start(fen)
                boards += board
                blacks.append(black)
                scores.append(max(-32000, min(32000, int(score))))
            except (ValueError, KeyError, IndexError) as error:
                raise SystemExit(f"{path}:{number}: not a scored position: {error}") from error
            if number % 1_000_000 == 0:
                print(f"  {number} positions", file=sys.stderr)
    if not scores:
        raise SystemExit(f"no positions in {path}")
    return Positions(
        np.frombuffer(bytes(boards), np.uint8).reshape(-1, 64),
        np.frombuffer(bytes(blacks), np.uint8).astype(bool),
        np.array(scores, np.int16),
        np.full(len(scores), 0.5, np.float32),
        np.full(len(scores), QUIET, np.uint8),
        np.arange(len(scores), dtype=np.int32),
    )


def load_positions(path, cache):
    """`read_positions`, kept in the folder `cache` between runs."""
    return _kept(Path(cache) / f"positions-{_digest([path])}.npz", lambda: read_positions(path))


def load(paths, cache, limit=None):
    """`read_games`, kept in the folder `cache` between runs."""
    return _kept(Path(cache) / f"games-{_digest(paths)}-{limit or 'all'}.npz", lambda: read_games(paths, limit))


def _kept(file, make):
    if file.exists():
        with np.load(file) as stored:
            return Positions(**stored)
    positions = make()
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez(file, **vars(positions))
    return positions


def _steps():
    """For each square: the squares of its 8 rays (8, 7), its knight moves (8) and its pawn diagonals up, down (2, 2).
    64 stands for off the board."""
    rays, knights, pawns = np.full((64, 8, 7), 64), np.full((64, 8), 64), np.full((64, 2, 2), 64)
    directions = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
    jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    for square in range(64):
        rank, file = divmod(square, 8)

        def to(rank_step, file_step):
            inside = 0 <= rank + rank_step < 8 and 0 <= file + file_step < 8
            return square + 8 * rank_step + file_step if inside else 64

        for d, (dr, df) in enumerate(directions):
            rays[square, d] = [to(dr * i, df * i) for i in range(1, 8)]
        knights[square] = [to(dr, df) for dr, df in jumps]
        pawns[square] = [[to(1, -1), to(1, 1)], [to(-1, -1), to(-1, 1)]]
    return rays, knights, pawns


def in_check(board, black):
    """(n,) bool: the side to move is in check."""
    rays, knights, pawns = _steps()
    checked = np.zeros(len(board), bool)
    for start in range(0, len(board), 65536):
        part = slice(start, start + 65536)
        flipped = black[part]
        rows = np.arange(len(flipped))[:, None]
        squares = np.concatenate([board[part], np.zeros((len(flipped), 1), np.uint8)], axis=1)
        king = np.argmax(squares == np.where(flipped, BLACK_KING, WHITE_KING)[:, None], axis=1)
        # 1-6: an enemy pawn..king.
        squares = np.where(flipped[:, None], squares, np.where(squares > 6, squares - 6, 20 * (squares > 0)))
        squares[:, 64] = 0
        found = (squares[rows, knights[king]] == 2).any(axis=1)
        found |= (squares[rows, pawns[king, flipped.astype(int)]] == 1).any(axis=1)
        for direction in range(8):
            line = squares[rows, rays[king, direction]]
            first = line[rows[:, 0], np.argmax(line > 0, axis=1)]
            found |= (first == 5) | (first == (4 if direction < 4 else 3))
        checked[part] = found
    return checked
