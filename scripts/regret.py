#!/usr/bin/env python3
"""Tells which of two settings chooses better moves, at fixed nodes, against a much deeper search: it resolves in minutes what
games cannot. A variant that loses here is out; one that does not must still win games (scripts/match.py).

  scripts/regret.py --a 'cmd=target/release/regulus' \\
                    --b 'cmd=target/release/regulus option.SearchMode=AlphaBeta name=twin' --nodes 10000

A and B are engines as in scripts/match.py (cmd=, name=, option.NAME=VALUE, nodes= of its own): two settings of one
program, or two builds. Each position is searched as in a new game, with the part of its game that repetitions can
reach. Then the reference finds its best move, and values that and both sides' moves, each by a search of that move
alone. The table tells the mean loss in centipawns, the paired difference with its 95 % interval (below 0: A is better), how
many moves differ, and how many lose more than 50 centipawns, also by phase of the game.

--values compares, in place of the moves, what each side says its move is worth with a plain full-window search of that
move to the same depth (by --plain; the default is A's program as alpha-beta).

All answers are kept in the folder --cache: after an interruption, and for each further setting, only what is new is
searched. The reference's answers stay valid when it is built anew; delete reference.jsonl to have them made again.

Needs Python 3.9 and the package `chess` (pip install chess).
"""

import argparse
import queue
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Callable, Optional, TypeVar

try:
    import chess  # noqa: F401
except ImportError:
    sys.exit("regret.py needs the package chess: pip install chess")

from laboratory.cache import Cache
from laboratory.positions import Place, read_places
from laboratory.regret import Loss, Told, losses, table, value_table
from laboratory.uci import Answer, Engine, EngineDied, identity
from matchplay.spec import EngineSpec, Limits, SpecError, parse_engine

HERE = Path(__file__).resolve().parent

# The reference searches each move with this many times the nodes of the sides at least: 20 times are about four plies more.
DEEPER = 20
# The least nodes of the default reference, so that one cache serves all tests up to 20,000 nodes a move.
REFERENCE_NODES = 400_000

T = TypeVar("T")


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--a", required=True, metavar="SPEC", help="a setting")
    add("--b", required=True, metavar="SPEC", help="the one to compare it with")
    add("--nodes", type=int, default=10_000, help="nodes for each move; default 10000")
    add("--reference", metavar="SPEC", help="engine that judges; default A's program with SearchMode=AlphaBeta")
    add("--reference-nodes", type=int, help=f"default {DEEPER} times the sides', at least {REFERENCE_NODES}")
    add("--values", action="store_true", help="compare values, not moves")
    add("--plain", metavar="SPEC", help="with --values: the plain search; default A's program with SearchMode=AlphaBeta")
    add("--positions", type=Path, default=HERE / "regret.positions", help="default scripts/regret.positions")
    add("--count", type=int, help="only the first so many positions")
    add("--concurrency", type=int, default=1, help="positions at a time; default 1")
    add("--cache", type=Path, default=Path("data/regret"), help="folder of all answers; default data/regret")
    return parser


def twin_of(spec: EngineSpec, name: str, limits: Limits) -> EngineSpec:
    """The same program as alpha-beta, with its defaults otherwise."""
    return replace(spec, name=name, options={"SearchMode": "AlphaBeta", "Hash": "64"}, limits=limits)


class Test:
    """What was asked for, checked."""

    def __init__(self, args: argparse.Namespace) -> None:
        default = Limits(nodes=args.nodes)
        self.sides = (parse_engine(args.a, default), parse_engine(args.b, default))
        if self.sides[0].name == self.sides[1].name:
            self.sides = tuple(replace(s, name=f"{s.name} {letter}") for s, letter in zip(self.sides, "AB"))
        nodes = args.reference_nodes or max(REFERENCE_NODES, DEEPER * self.most_nodes(args.nodes))
        if nodes < DEEPER * self.most_nodes(0):
            raise SpecError(f"--reference-nodes: a reference takes {DEEPER} times the nodes of the sides at least")
        limits = Limits(nodes=nodes)
        first = self.sides[0]
        self.reference = (
            parse_engine(args.reference, limits) if args.reference else twin_of(first, "reference", limits)
        )
        self.plain = parse_engine(args.plain, limits) if args.plain else twin_of(first, "plain", limits)
        self.values: bool = args.values
        self.places = read_places(args.positions)[: args.count]
        self.folder: Path = args.cache
        self.concurrency: int = max(1, args.concurrency)

    def most_nodes(self, default: int) -> int:
        """The greater node limit of the two sides."""
        return max(side.limits.nodes or default for side in self.sides)


class Laboratory:
    """One thread's engines, started when first asked."""

    def __init__(self, answers: Cache, references: Cache) -> None:
        self.answers, self.references = answers, references
        self.engines: dict[str, Engine] = {}

    def engine(self, spec: EngineSpec) -> Engine:
        """The running engine of this description."""
        key = spec.name + identity(spec)
        if key not in self.engines:
            self.engines[key] = Engine(spec)
        return self.engines[key]

    def answer(self, spec: EngineSpec, place: Place) -> Answer:
        """A side's choice."""
        told = self.answers.get(
            (identity(spec), place.text), lambda: asdict(self.engine(spec).search(place.text))
        )
        return Answer(**told)

    def value(self, spec: EngineSpec, place: Place, move: Optional[str]) -> Answer:
        """The reference's answer: of one move, or its own choice."""
        key = (identity(spec, with_program=False), place.text, move or "")
        only = [move] if move else None
        return Answer(
            **self.references.get(key, lambda: asdict(self.engine(spec).search(place.text, only)))
        )

    def plain(self, spec: EngineSpec, place: Place, said: Answer) -> Optional[Answer]:
        """A plain search of the move to the depth that the side has reached."""
        if said.score is None or said.depth is None:
            return None
        key = ("plain", identity(spec), place.text, said.move, str(said.depth))
        limits = Limits(depth=said.depth)
        return Answer(
            **self.answers.get(key, lambda: asdict(self.engine(spec).search(place.text, [said.move], limits)))
        )

    def close(self) -> None:
        """Ends the engines."""
        for engine in self.engines.values():
            engine.close()


def loss_at(test: Test, lab: Laboratory, place: Place) -> Loss:
    """What both sides lose in a position."""
    first, second = (lab.answer(side, place).move for side in test.sides)
    best = lab.value(test.reference, place, None).move
    valued = {move: lab.value(test.reference, place, move).score for move in {best, first, second}}
    if None in valued.values():
        raise SpecError(f"{test.reference.name} tells no score")
    return Loss(place.phase, (first, second), losses((first, second), valued))


def told_at(test: Test, lab: Laboratory, place: Place) -> tuple[Optional[Told], Optional[Told]]:
    """What both sides say of their moves."""

    def told(side: EngineSpec) -> Optional[Told]:
        said = lab.answer(side, place)
        plain = lab.plain(test.plain, place, said)
        if plain is None or plain.score is None or said.score is None:
            return None
        return Told(place.phase, said.score, plain.score)

    return told(test.sides[0]), told(test.sides[1])


def at_all(test: Test, work: Callable[[Test, Laboratory, Place], T]) -> list[T]:
    """`work` done at all places, `concurrency` at a time. Raises what the work raises."""
    answers, references = Cache(test.folder / "answers.jsonl"), Cache(test.folder / "reference.jsonl")
    waiting: "queue.SimpleQueue[tuple[int, Place]]" = queue.SimpleQueue()
    for item in enumerate(test.places):
        waiting.put(item)
    results: dict[int, T] = {}
    failures: list[BaseException] = []

    def serve() -> None:
        lab = Laboratory(answers, references)
        try:
            while not failures:
                index, place = waiting.get_nowait()
                results[index] = work(test, lab, place)
                if sys.stderr.isatty():
                    print(f"\r{len(results)}/{len(test.places)}", end="", file=sys.stderr, flush=True)
        except queue.Empty:
            pass
        except BaseException as failure:  # handed to the main thread
            failures.append(failure)
        finally:
            lab.close()

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(test.concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    answers.close()
    references.close()
    if failures:
        raise failures[0]
    return [results[index] for index in sorted(results)]


def main(words: Optional[list[str]] = None) -> int:
    """Returns the exit code: 0, 1 an engine died, 2 bad arguments, 130 Ctrl-C."""
    args = arguments().parse_args(words)
    try:
        test = Test(args)
        names = (test.sides[0].name, test.sides[1].name)
        for side in test.sides:
            print(f"{side.name}: {' '.join(side.command)} {side.options or ''} {side.limits}")
        if test.values:
            print(value_table(at_all(test, told_at), names))
        else:
            print(f"reference: {' '.join(test.reference.command)} {test.reference.options} {test.reference.limits}")
            print(table(at_all(test, loss_at), names))
    except SpecError as error:
        print(f"regret.py: {error}", file=sys.stderr)
        return 2
    except EngineDied as error:
        print(f"regret.py: {error}; the same command goes on from here", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
