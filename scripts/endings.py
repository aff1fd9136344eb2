#!/usr/bin/env python3
"""Lets an engine win won endings against a perfect defender, and counts how often it does.

  scripts/endings.py --engine target/release/regulus --tables TABLES --starts 50 --tc 1+0.1

From random positions in which the strong side, to move, wins within the fifty-move rule, the engine plays the
strong side on a clock; the defender answers at once from the Syzygy tables: it takes a draw where there is one, and
else the move that puts the next capture or pawn move, and with it the mate, off for longest. The tables must not be
given to the engine, of course, unless it is them that are to be tried (--option SyzygyPath=...).

On a machine that others use as well the clock measures them too; --nodes N gives each move so many nodes in place of
the clock.

A game is won by mate. It is not won by stalemate, repetition, fifty moves, bare material, a lost piece, an illegal
move or an overstepped clock; each such game is shown with its moves. The same seed gives the same starts.

Needs Python 3.9, the package `chess` (pip install chess), and Syzygy tables of the endings.
"""

import argparse
import collections
import random
import sys
import time
from typing import Optional

try:
    import chess
    import chess.engine
    import chess.syzygy
except ImportError:
    sys.exit("endings.py needs the package chess: pip install chess")

# The strong side's pieces and the weak side's, as the tables are named.
ENDINGS = ["KQvK", "KRvK", "KBBvK", "KBNvK", "KPvK"]


def random_start(ending: str, tables: chess.syzygy.Tablebase, lot: random.Random) -> chess.Board:
    """A position of `ending`, strong side (drawn by lot) to move, that it wins within the fifty-move rule."""
    strong, weak = ending.split("v")
    while True:
        board = chess.Board(None)
        color = lot.choice(chess.COLORS)
        squares = lot.sample(chess.SQUARES, len(strong) + len(weak))
        men = [(symbol, color) for symbol in strong] + [(symbol, not color) for symbol in weak]
        for square, (symbol, side) in zip(squares, men):
            board.set_piece_at(square, chess.Piece(chess.Piece.from_symbol(symbol).piece_type, side))
        board.turn = color
        if board.is_valid() and not board.is_game_over() and tables.get_wdl(board) == 2:
            return board


def best_defence(board: chess.Board, tables: chess.syzygy.Tablebase) -> chess.Move:
    """The move after which the opponent, to move, has least: a draw, else the longest way to the next zeroing move."""

    def merit(move: chess.Move) -> tuple[int, int]:
        board.push(move)
        over = board.is_stalemate() or board.is_insufficient_material()
        wdl = 0 if over else -tables.probe_wdl(board)
        distance = 0 if over else abs(tables.probe_dtz(board))
        board.pop()
        return wdl, distance if wdl < 0 else 0

    return max(board.legal_moves, key=merit)


class Overstepped(Exception):
    """The engine's clock ran out."""


def play(
    engine: chess.engine.SimpleEngine,
    board: chess.Board,
    tables: chess.syzygy.Tablebase,
    tc: str,
    nodes: Optional[int],
) -> str:
    """Plays `board` to its end, and names the end."""
    clock, increment = (float(part) for part in tc.split("+"))
    color = board.turn
    game = object()
    while not board.is_game_over(claim_draw=False) and not board.is_repetition(3) and not board.is_fifty_moves():
        if board.turn != color:
            board.push(best_defence(board, tables))
            continue
        on_clock = chess.engine.Limit(
            white_clock=clock, black_clock=clock, white_inc=increment, black_inc=increment
        )
        limit = chess.engine.Limit(nodes=nodes) if nodes else on_clock
        begun = time.monotonic()
        move = engine.play(board, limit, game=game).move
        clock += increment - (time.monotonic() - begun)
        if clock < increment and not nodes:
            raise Overstepped(f"by {increment - clock:.3f} s")
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    return outcome.termination.name.lower() if outcome else "unfinished"


def report(ending: str, ends: collections.Counter, lengths: list[int], seconds: float) -> None:
    """One line of the table."""
    won = ends["checkmate"]
    rest = ", ".join(f"{count} {end}" for end, count in ends.items() if end != "checkmate")
    mean = sum(lengths) / len(lengths) if lengths else float("nan")
    print(
        f"{ending:8} won {won} of {sum(ends.values())}; moves to mate: mean {mean:.1f}, most {max(lengths, default=0)}"
        f"; {seconds:.0f} s" + (f"; not won: {rest}" if rest else ""),
        flush=True,
    )


def measure(arguments: argparse.Namespace, ending: str, tables: chess.syzygy.Tablebase) -> bool:
    """All games of one ending; whether all were won."""
    lot = random.Random(f"{arguments.seed} {ending}")
    ends: collections.Counter = collections.Counter()
    lengths = []
    begun = time.monotonic()
    with chess.engine.SimpleEngine.popen_uci(arguments.engine.split()) as engine:
        engine.configure(dict(option.split("=", 1) for option in arguments.option))
        for _ in range(arguments.starts):
            board = random_start(ending, tables, lot)
            start = board.fen()
            try:
                end = play(engine, board, tables, arguments.tc, arguments.nodes)
            except Overstepped as late:
                end = f"time forfeit {late}"
            ends[end] += 1
            if end == "checkmate":
                lengths.append((len(board.move_stack) + 1) // 2)
            else:
                print(f"  {start}  {end}: {' '.join(map(str, board.move_stack))}", flush=True)
    report(ending, ends, lengths, time.monotonic() - begun)
    return ends["checkmate"] == arguments.starts


def main(words: Optional[list[str]] = None) -> int:
    """Parses `words` and runs; 0 when all games were won."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", required=True, metavar="COMMAND")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--tables", required=True, metavar="FOLDER", help="Syzygy tables, for the defender")
    parser.add_argument("--endings", nargs="+", default=ENDINGS, metavar="NAME", help="such as KBNvK")
    parser.add_argument("--starts", type=int, default=50, help="games an ending")
    parser.add_argument("--tc", default="1+0.1", help="clock and increment, seconds")
    parser.add_argument("--nodes", type=int, help="nodes a move, in place of the clock")
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args(words)
    with chess.syzygy.open_tablebase(arguments.tables) as tables:
        won = [measure(arguments, ending, tables) for ending in arguments.endings]
    return 0 if all(won) else 1


if __name__ == "__main__":
    sys.exit(main())
