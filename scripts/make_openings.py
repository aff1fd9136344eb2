#!/usr/bin/env python3
"""Makes the opening sets that matches are played from: scripts/openings.epd and scripts/openings960.epd.

Origin of the sets: no book and no games were used. From the start position (Chess960: from a start position
drawn by lot) moves are drawn by lot among those that Stockfish, at a low depth, finds nearly as good as the
best; the position after the last ply is kept if Stockfish, at a higher depth, finds it balanced, and if it
was not reached before by another order of moves. All drawing is seeded, and Stockfish with one thread, a
depth limit and an empty hash table always answers the same, so the same version of Stockfish gives the same
file. The committed files come from Stockfish 15.1:

  scripts/make_openings.py --count 250 > scripts/openings.epd
  scripts/make_openings.py --count 50 --chess960 --plies 2 4 > scripts/openings960.epd

Each line is an EPD with these operations: `ce`, the verdict in centipawns for the side to move;
`c0 "moves ..."`, the moves from the usual start position (not in Chess960), by which match.py gives the
engines the history as well; `id`.

Needs Python 3.9, the package `chess`, and Stockfish.
"""

import argparse
import random
from typing import Iterator, Optional

import chess
import chess.engine

# A drawn move may be this many centipawns worse than the best one. At 40 four errors in a row seldom
# unbalance a game.
SLACK = 40

# Plies of the searches that propose moves, and of the one that judges the final position. 16 plies take
# Stockfish 15.1 well below a second and see the usual opening tactics through.
PROPOSAL_DEPTH = 10
VERDICT_DEPTH = 16

# How many best moves are looked at for one draw.
CANDIDATES = 8

# The most centipawns by which a kept position may favour either side.
BALANCE = 40


def candidates(engine: chess.engine.SimpleEngine, board: chess.Board) -> list[chess.Move]:
    """The moves to draw from: within `SLACK` of the best."""
    infos = engine.analyse(board, chess.engine.Limit(depth=PROPOSAL_DEPTH), multipv=CANDIDATES, game=object())
    scored = [(info["score"].relative.score(mate_score=10_000), info["pv"][0]) for info in infos]
    best = max(score for score, _ in scored)
    return [move for score, move in scored if score >= best - SLACK]


def draw_line(
    engine: chess.engine.SimpleEngine, rng: random.Random, plies: int, chess960: bool
) -> chess.Board:
    """A start position followed by `plies` drawn moves."""
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(plies):
        board.push(rng.choice(candidates(engine, board)))
    return board


def verdict(engine: chess.engine.SimpleEngine, board: chess.Board) -> Optional[int]:
    """Centipawns for the side to move if the position is balanced, else `None`."""
    info = engine.analyse(board, chess.engine.Limit(depth=VERDICT_DEPTH), game=object())
    score = info["score"].relative.score()
    return score if score is not None and abs(score) <= BALANCE else None


def make(args: argparse.Namespace) -> Iterator[str]:
    """The lines of the file."""
    rng = random.Random(args.seed)
    seen: set[str] = set()
    with chess.engine.SimpleEngine.popen_uci(args.stockfish) as engine:
        engine.configure({"Threads": 1, "Hash": 16})
        while len(seen) < args.count:
            board = draw_line(engine, rng, rng.choice(args.plies), args.chess960)
            epd = board.epd(shredder=args.chess960)
            if epd in seen or (score := verdict(engine, board)) is None:
                continue
            seen.add(epd)
            moves = " ".join(move.uci() for move in board.move_stack)
            origin = "" if args.chess960 else f' c0 "moves {moves}";'
            yield f'{epd} ce {score};{origin} id "{args.seed}.{len(seen):03}";'


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=250, help="openings to make; default 250")
    parser.add_argument("--seed", type=int, default=2026, help="of all drawing; default 2026")
    parser.add_argument(
        "--plies", type=int, nargs="+", default=[6, 8], help="lengths to draw from; default 6 8"
    )
    parser.add_argument("--chess960", action="store_true", help="start from Chess960 positions")
    parser.add_argument("--stockfish", default="stockfish", help="the program; default stockfish")
    args = parser.parse_args()
    for line in make(args):
        print(line, flush=True)


if __name__ == "__main__":
    main()
