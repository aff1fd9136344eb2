#!/usr/bin/env python3
"""Makes the positions of the regret test, scripts/regret.positions, from the games of a match.

Origin of the set: the two matches of Regulus against its alpha-beta twin in docs/strength.md that were played on 2026-11-30 (200
games at 2+0.02, 200 at 1+0.01, from scripts/openings.epd):

  scripts/make_positions.py long.pgn short.pgn --count 300 > scripts/regret.positions

From each game one position is drawn by lot (the draw is seeded) among those after the book that have more than one legal move
and that the mover valued within --balance centipawns: one a game, so that they are independent. Each line is what UCI's `position
fen` takes: the position after the last capture or pawn move, and the moves since.

Needs Python 3.9 and the package `chess`.
"""

import argparse
import itertools
import random
import re
import sys
from pathlib import Path
from typing import Iterator

import chess
import chess.pgn
from laboratory.positions import text_of

# The mover's score in pawns at the head of match.py's comments.
_SCORE = re.compile(r"([+-]\d+\.\d+)/")


def candidates(game: chess.pgn.Game, balance: int) -> list[int]:
    """The plies (from 0) of a game before which the positions will do."""
    board = game.board()
    found = []
    for ply, node in enumerate(game.mainline()):
        score = _SCORE.match(node.comment)
        if score and abs(100 * float(score[1])) <= balance and board.legal_moves.count() > 1:
            found.append(ply)
        board.push(node.move)
    return found


def before(game: chess.pgn.Game, ply: int) -> chess.Board:
    """The position before that ply, with its game."""
    board = game.board()
    for move in itertools.islice(game.mainline_moves(), ply):
        board.push(move)
    return board


def games(paths: list[Path]) -> Iterator[chess.pgn.Game]:
    """The games of all files, one of each file at a time."""
    files = [path.open(encoding="utf-8") for path in paths]
    while files:
        for file in list(files):
            game = chess.pgn.read_game(file)
            if game is None:
                files.remove(file)
                file.close()
            else:
                yield game


def drawn(paths: list[Path], balance: int, seed: int) -> Iterator[str]:
    """A position of each game that has one, each only once."""
    rng = random.Random(seed)
    seen: set[str] = set()
    for game in games(paths):
        plies = candidates(game, balance)
        if not plies:
            continue
        board = before(game, rng.choice(plies))
        if board.epd() not in seen:
            seen.add(board.epd())
            yield text_of(board)


def main() -> int:
    """Returns the exit code: 0, or 1 when the games gave too few."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="+", help="PGN files of match.py")
    parser.add_argument("--count", type=int, default=300, help="default 300")
    parser.add_argument("--balance", type=int, default=400, help="centipawns; default 400")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = list(itertools.islice(drawn(args.games, args.balance, args.seed), args.count))
    print("# Made by scripts/make_positions.py, which tells how.")
    print("\n".join(lines))
    if len(lines) < args.count:
        print(f"make_positions.py: the games gave only {len(lines)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
