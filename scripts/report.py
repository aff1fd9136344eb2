#!/usr/bin/env python3
"""Plays and measures all that docs/bstar-against-alpha-beta.md tells, and renews its tables and pictures.

  scripts/report.py --engine target/release/regulus --suite FILE.epd

One command for all: the twin matches on several clocks and at fixed nodes, the classical B*, the opponents that Debian
packages, the frontier from root moves only to a deep tree, and tactical suites (positions with bm or am, from files of your
own). It takes days; --list tells the names and the numbers of games, and --only 'twin:*' (several are allowed) plays a part.
Whatever is interrupted goes on with the same command. After each match its result is written to docs/results and the page
is renewed from all results that there are; --render does only that.

A match that was played by hand with scripts/match.py is taken over with --add NAME=FILE.jsonl --label COMMIT, B* (or the mode
that the name tells) as its first engine. --more NAME=FILE.jsonl does the same with a part that was played later, with another --seed, and
adds it to the games that are written down; a part that is counted already is refused.

The frontier needs a laboratory build, which has the dial GrowsFrom as an option:

  cargo build --release --features tuning --target-dir target/tuning
  scripts/report.py --engine target/tuning/release/regulus --only 'frontier:*'

Opponents that are not installed are passed over. Needs Python 3.9 and the package `chess` (pip install chess).
"""

import argparse
import fnmatch
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

try:
    import chess  # noqa: F401
except ImportError:
    sys.exit("report.py needs the package chess: pip install chess")

from laboratory.cache import Cache
from laboratory.page import blocks, filled, pictures
from laboratory.plan import BSTAR, TWIN, Match, plan
from laboratory.results import file_name, joined, read_all, summary, write, write_data
from laboratory.suite import read_suite
from laboratory.uci import Engine, EngineDied, identity
from matchplay.spec import EngineSpec, Limits, SpecError

HERE = Path(__file__).resolve().parent
PAGE = "bstar-against-alpha-beta.md"


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--engine", type=Path, default=Path("target/release/regulus"), help="default target/release/regulus")
    add("--label", help="how the tables call the engine; default the commit that is checked out")
    add("--only", action="append", metavar="PATTERN", help="only the matches of this name; suites have suite:NAME")
    add("--suite", action="append", type=Path, default=[], metavar="EPD", help="a file of problems")
    add("--seconds", type=float, default=3.0, help="for each problem of a suite; default 3")
    add("--concurrency", type=int, default=1, help="games at a time; default 1")
    add("--list", action="store_true", help="only tell what there is to do")
    add("--render", action="store_true", help="only renew page and pictures from the results")
    add("--add", action="append", default=[], metavar="NAME=FILE", help="take a match file of match.py over")
    add("--more", action="append", default=[], metavar="NAME=FILE", help="the same, for a further part of a match")
    add("--docs", type=Path, default=HERE.parent / "docs", help="folder of page and pictures, with results in it")
    add("--matches", type=Path, default=Path("matches/report"), help="folder of all games; default matches/report")
    return parser


def commit() -> str:
    """The commit that is checked out, with a mark when it was changed."""
    try:
        words = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--exclude", "*"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class Report:
    """What was asked for."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.docs: Path = args.docs
        self.results: Path = args.docs / "results"
        self.engine: Path = args.engine
        self.label: str = args.label or commit()
        self.patterns: list[str] = args.only or ["*"]
        self.suites: list[Path] = args.suite
        self.limits = Limits(movetime=args.seconds)
        self.concurrency: int = args.concurrency
        self.matches: Path = args.matches / EngineSpec("", (str(args.engine),), Limits(nodes=1)).fingerprint()

    def wanted(self, name: str) -> bool:
        """The command line asks for it."""
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.patterns)

    def render(self) -> None:
        """Renews page and pictures."""
        results, suites = read_all(self.results)
        page = self.docs / PAGE
        page.write_text(filled(page.read_text(encoding="utf-8"), blocks(results, suites)), encoding="utf-8")
        for name, picture in pictures(results, suites).items():
            (self.docs / name).write_text(picture, encoding="utf-8")

    def add(self, name: str, path: Path) -> None:
        """Takes a match file over."""
        write(self.results, summary(name, self.label, path))

    def more(self, name: str, path: Path) -> None:
        """Takes a further part of a match over."""
        part = summary(name, self.label, path)
        known = read_all(self.results)[0].get(name)
        write(self.results, joined(known, part) if known else part)

    def is_done(self, match: Match) -> bool:
        """Its result is there, of this engine and with all games."""
        known = read_all(self.results)[0].get(match.name)
        return known is not None and known.label == self.label and known.games >= match.games

    def obstacle(self, match: Match) -> Optional[str]:
        """Why a match cannot be played here."""
        if isinstance(match.second, str):
            command = shlex.split(match.second)[0].removeprefix("cmd=").split()[0]
            if not shutil.which(command):
                return f"{command} is not installed"
        if match.group == "frontier" and not self.has_dials():
            return "the engine is no laboratory build"
        return None

    def has_dials(self) -> bool:
        """The engine is a laboratory build."""
        try:
            with Engine(EngineSpec("", (str(self.engine),), Limits(nodes=1), options={"GrowsFrom": "8"})):
                return True
        except SpecError:
            return False

    def play(self, match: Match) -> int:
        """Plays what is missing of a match and writes its result. Returns match.py's exit code."""
        out = self.matches / file_name(match.name)
        words = [sys.executable, str(HERE / "match.py"), *match.words(str(self.engine)), "--out", str(out)]
        print(f"== {match.name}: {match.games} games", flush=True)
        try:
            code = subprocess.run([*words, "--concurrency", str(self.concurrency)]).returncode
        finally:
            played = out.with_name(out.name + ".jsonl")
            if played.exists() and len(played.read_bytes().splitlines()) > 1:
                self.add(match.name, played)
                self.render()
        return code

    def solve(self, path: Path) -> None:
        """Lets both modes search a suite and writes when they solved what."""
        problems = read_suite(path)
        cache = Cache(self.matches / "suites.jsonl")
        modes: dict[str, list[Optional[int]]] = {}
        for mode, options in (("B*", BSTAR), ("alpha-beta", TWIN)):
            print(f"== suite:{path.stem}, {mode}: {len(problems)} problems", flush=True)
            spec = EngineSpec(mode, (str(self.engine),), self.limits, options=dict(options))
            with Engine(spec) as engine:
                watched = [
                    cache.get((identity(spec), problem.fen), lambda fen=problem.fen: engine.watch(fen))
                    for problem in problems
                ]
            modes[mode] = [problem.solved_at(told) for problem, told in zip(problems, watched)]
        cache.close()
        data = {"suite": path.stem, "label": self.label, "milliseconds": 1000 * self.limits.movetime, "modes": modes}
        write_data(self.results, f"suite:{path.stem}", data)
        self.render()

    def run(self) -> int:
        """All that is wanted and missing. Returns the exit code."""
        for path in self.suites:
            if self.wanted(f"suite:{path.stem}"):
                self.solve(path)
        for match in plan():
            if not self.wanted(match.name) or self.is_done(match):
                continue
            if reason := self.obstacle(match):
                print(f"== {match.name}: passed over, {reason}")
                continue
            if code := self.play(match):
                return code
        self.render()
        return 0


def main(words: Optional[list[str]] = None) -> int:
    """Returns the exit code: 0, 1 a match or an engine failed, 2 bad arguments, 130 Ctrl-C."""
    args = arguments().parse_args(words)
    try:
        report = Report(args)
        for pairs, take in ((args.add, report.add), (args.more, report.more)):
            for pair in pairs:
                name, separator, path = pair.partition("=")
                if not separator:
                    raise SpecError(f"{pair}: NAME=FILE is wanted")
                take(name, Path(path))
        if args.list:
            for match in plan():
                done = "done" if report.is_done(match) else report.obstacle(match) or "to be played"
                print(f"{match.name:34} {match.games:5} games  {done}")
        elif args.render or args.add or args.more:
            report.render()
        else:
            return report.run()
    except SpecError as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    except EngineDied as error:
        print(f"report.py: {error}; the same command goes on from here", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
