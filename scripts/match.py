#!/usr/bin/env python3
"""Plays a match between two chess engines and tells the Elo difference with its error bars.

  scripts/match.py --engine1 'cmd=target/release/regulus name=regulus option.Hash=32' \\
                   --engine2 'cmd="/usr/games/gnuchess -u" name=gnuchess option.OwnBook=false' \\
                   --tc 2+0.02 --games 200 --concurrency 2

An engine is described by key=value words (quote values with blanks):
  cmd=COMMAND        program and arguments (required)
  name=NAME          how it is called in tables and PGN (default: the program's name)
  proto=uci|xboard   protocol (default uci)
  dir=FOLDER         where it is started
  option.NAME=VALUE  an option, by the name the engine declares: 'option.Move Overhead=20' with the quotes
  tc= movetime= nodes= depth=    its own limits, in place of the match's

Engines that Debian packages, as they were checked with this script (opening books off):
  stockfish       'cmd=/usr/games/stockfish'
  ethereal-chess  'cmd=/usr/games/ethereal-chess'
  gnuchess        'cmd="/usr/games/gnuchess -u" option.OwnBook=false'
  toga2           'cmd=/usr/games/toga2 option.OwnBook=false'
  glaurung        'cmd=/usr/games/glaurung option.OwnBook=false'
  hoichess        'cmd="/usr/games/hoichess --xboard --norc" proto=xboard'    (increments: whole seconds only)
  phalanx         'cmd="/usr/games/phalanx -b- -l-" proto=xboard'
  fairymax        'cmd=/usr/games/fairymax proto=xboard'
gnuchess 6.2.7 aborts now and then when much of its output is read at once (an assertion on its buffer). hoichess
moves at once with less than about 2 s on its clock. fairymax has no setboard: only openings with `c0 "moves"`.

Games are played in pairs, one opening with both colours. Draws by repetition, fifty moves and bare material
are declared at once. A game that an engine spoils (illegal move, time loss, crash, disconnect, stall) is lost
for it, is listed by name at the end, and the engine is started anew.

Results go to OUT.jsonl and OUT.pgn. The same command again goes on where the match was interrupted; with
other settings it refuses. Number of games, concurrency and the SPRT may change in between.

Needs Python 3.9 and the package `chess` (pip install chess).
"""

import argparse
import sys
from pathlib import Path
from typing import Iterator, Optional

try:
    import chess  # noqa: F401
except ImportError:
    sys.exit("match.py needs the package chess: pip install chess")

from matchplay import fastchess, workers
from matchplay.game import GameRecord, Rules
from matchplay.openings import Opening, digest, read_openings, shuffled
from matchplay.records import PgnFile, Store
from matchplay.report import Progress, Tally, final_report
from matchplay.spec import (
    Adjudication,
    EngineSpec,
    SpecError,
    parse_draw_rule,
    parse_engine,
    parse_limits,
    parse_resign_rule,
    positive_int,
)
from matchplay.stats import Sprt

HERE = Path(__file__).resolve().parent


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--engine1", required=True, metavar="SPEC", help="the engine whose result is told")
    add("--engine2", required=True, metavar="SPEC", help="its opponent")
    add("--tc", help="clock: BASE+INC or MOVES/BASE+INC, seconds; INC is added after each move")
    add("--movetime", help="seconds for each move")
    add(
        "--nodes",
        help="nodes for each move (told to the engine, not enforced: the report shows what it used)",
    )
    add("--depth", help="depth for each move")
    add("--games", type=int, default=200, help="an even number; default 200")
    add("--concurrency", type=int, default=1, help="games at a time; default 1")
    add("--openings", type=Path, default=HERE / "openings.epd", help="EPD, FEN or PGN file")
    add("--seed", type=int, default=1, help="order of the openings; 0: as in the file; default 1")
    add("--chess960", action="store_true", help="play Chess960")
    add("--margin", type=float, default=50.0, help="milliseconds that a clock may be overstepped; default 50")
    add("--stall", type=float, default=300.0, help="seconds after which a move without a clock is a stall")
    add("--draw", metavar="RULE", help="from=MOVE,moves=N,score=CP: draw by both scores; default off")
    add("--resign", metavar="RULE", help="moves=N,score=CP: decided by both scores; default off")
    add("--max-plies", type=int, help="draw at this ply of the game; default off")
    add(
        "--sprt",
        metavar="RULE",
        help="ELO0,ELO1 or elo0=0,elo1=5,alpha=0.05,beta=0.05: stop when it is decided (logistic Elo, from pairs)",
    )
    add("--out", type=Path, help="result files without ending; default matches/NAME1-NAME2")
    add("--runner", metavar="fastchess=PATH", help="let fastchess play the games (UCI only, no resuming)")
    add("--strict", action="store_true", help="exit code 3 if an engine had a fault")
    return parser


def parse_sprt(text: Optional[str]) -> Optional[Sprt]:
    """`elo0=..,elo1=..[,alpha=..][,beta=..]`, or `ELO0,ELO1`."""
    if text is None:
        return None
    try:
        words = text.split(",")
        if len(words) == 2 and "=" not in text:
            words = [f"elo{index}={word}" for index, word in enumerate(words)]
        pairs = dict(word.split("=") for word in words)
        return Sprt(**{key: float(value) for key, value in pairs.items()})
    except (ValueError, TypeError) as error:
        raise SpecError(f"--sprt {text!r}: {error}") from error


class Match:
    """Everything that was asked for, checked."""

    def __init__(self, args: argparse.Namespace) -> None:
        given = {
            key: getattr(args, key) for key in ("tc", "movetime", "nodes", "depth") if getattr(args, key)
        }
        default = parse_limits(given, "match")
        first, second = parse_engine(args.engine1, default), parse_engine(args.engine2, default)
        if first.name == second.name:
            raise SpecError(f"both engines are called {first.name}: give one a name=")
        self.engines: tuple[EngineSpec, EngineSpec] = (first, second)
        self.names = (first.name, second.name)
        self.sprt = parse_sprt(args.sprt)
        if args.games <= 0 or args.games % 2 or args.concurrency <= 0:
            raise SpecError("--games must be even and above zero, --concurrency above zero")
        self.games: int = args.games
        self.concurrency: int = args.concurrency
        adjudication = Adjudication(
            draw=parse_draw_rule(args.draw) if args.draw else None,
            resign=parse_resign_rule(args.resign) if args.resign else None,
            max_plies=positive_int(str(args.max_plies), "--max-plies")
            if args.max_plies is not None
            else None,
        )
        if args.margin < 0 or args.stall <= 0:
            raise SpecError("--margin must not be negative, --stall must be above zero")
        self.rules = Rules(args.margin / 1000.0, args.stall, adjudication)
        self.opening_file: Path = args.openings
        self.openings = shuffled(read_openings(args.openings, args.chess960), args.seed)
        self.chess960: bool = args.chess960
        self.seed: int = args.seed
        self.out: Path = args.out or Path("matches") / f"{first.name}-{second.name}"

    def settings(self) -> dict:
        """What must be the same when a match goes on, as plain data."""
        return {
            "engines": [engine.identity() for engine in self.engines],
            "openings": digest(self.opening_file),
            "seed": self.seed,
            "chess960": self.chess960,
            "margin": self.rules.margin,
            "stall": self.rules.stall,
            "adjudication": repr(self.rules.adjudication),
        }

    def opening(self, game: int) -> tuple[int, Opening]:
        """Number and opening of a game: the same for both of a pair; after the last, the first again."""
        index = (game // 2) % len(self.openings)
        return index, self.openings[index]

    def tasks(self, finished: set[int]) -> Iterator[workers.Task]:
        """The games that are still to be played."""
        for number in range(self.games):
            if number not in finished:
                index, opening = self.opening(number)
                yield workers.Task(number, index, opening, number % 2)


def with_suffix(path: Path, suffix: str) -> Path:
    """`path` plus an ending; a dot in the name is left alone."""
    return path.with_name(path.name + suffix)


def play(match: Match) -> tuple[list[GameRecord], int]:
    """Plays what is missing. Returns all records and the exit code."""
    store = Store(with_suffix(match.out, ".jsonl"), match.settings())
    pgn = PgnFile(with_suffix(match.out, ".pgn"), store.records)
    progress = Progress(match.games)
    tally = Tally(match.names[0])
    for record in store.records:
        tally.add(record)

    def undecided() -> bool:
        return match.sprt is None or match.sprt.verdict(tally.sample()) is None

    def done(record: GameRecord) -> bool:
        store.add(record)
        pgn.add(record)
        tally.add(record)
        progress.show(tally, sum(bool(known.fault) for known in store.records), match.sprt)
        return undecided()

    if store.records:
        print(f"going on after {len(store.records)} games of {store.path}", file=sys.stderr)
    code = 0
    try:
        if undecided():
            setup = workers.MatchSetup(match.engines, match.rules, f"{match.names[0]} - {match.names[1]}")
            failure = workers.run(setup, match.tasks(store.finished()), match.concurrency, done)
            if failure is not None:
                print(f"match.py: {failure.message}", file=sys.stderr)
                code = 1
    except KeyboardInterrupt:
        progress.end()
        print("interrupted; the same command goes on from here", file=sys.stderr)
        code = 130
    finally:
        progress.end()
        store.close()
        pgn.close()
    return store.records, code


def main() -> int:
    """Returns the exit code: 0, 1 cannot go on, 2 bad arguments, 3 faults with --strict, 130 Ctrl-C."""
    args = arguments().parse_args()
    try:
        match = Match(args)
        if args.runner:
            return fastchess.run(match, args.runner)
        records, code = play(match)
    except SpecError as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    print(final_report(records, match.names, match.sprt))
    print(f"\ngames: {with_suffix(match.out, '.pgn')}")
    if code == 0 and args.strict and any(record.fault for record in records):
        return 3
    return code


if __name__ == "__main__":
    sys.exit(main())
