"""A UCI engine for testing the match runner: plays the first legal move in alphabetical order, and misbehaves
on demand.

  fake_engine.py [--illegal PLY] [--crash PLY] [--leave PLY] [--hang PLY] [--once FILE]

PLY counts the moves of the game before this one. With `--once` it misbehaves only if FILE does not exist, and
makes it.
"""

import argparse
import os
import sys
import time

import chess


def misbehave(args: argparse.Namespace, ply: int) -> str:
    """The fault that is due at this ply, or nothing."""
    for kind in ("illegal", "crash", "leave", "hang"):
        if getattr(args, kind) == ply:
            if args.once:
                if os.path.exists(args.once):
                    return ""
                open(args.once, "w", encoding="utf-8").close()
            return kind
    return ""


def answer(args: argparse.Namespace, board: chess.Board) -> None:
    """Thinks and moves."""
    kind = misbehave(args, len(board.move_stack))
    if kind == "illegal":
        print("bestmove a1a1", flush=True)
        return
    if kind == "crash":
        os.abort()
    if kind == "leave":
        sys.exit(0)
    if kind == "hang":
        time.sleep(3600)
    move = min(move.uci() for move in board.legal_moves)
    print(f"info depth 1 nodes 20 score cp 7 pv {move}")
    print("info string best [+1, +2] rival d2d4 [-9, +1] strategy prove-best expansions 4", end=" ")
    print("graph 12 nodes, line 3 plies")
    print(f"bestmove {move}", flush=True)


def main() -> None:
    """The command loop."""
    parser = argparse.ArgumentParser()
    for kind in ("illegal", "crash", "leave", "hang"):
        parser.add_argument(f"--{kind}", type=int)
    parser.add_argument("--once")
    args = parser.parse_args()
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print("id name Fake\noption name Hash type spin default 1 min 1 max 16\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            text = line.split(" moves ")[0].split()
            board = chess.Board() if text[1] == "startpos" else chess.Board(" ".join(text[2:]))
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                board.push_uci(move)
        elif words[0] == "go":
            answer(args, board)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main()
