#!/usr/bin/env python3
"""Tells how many nodes a second of processor time both modes search, and where the time goes: evaluation, move generation,
making moves, ordering (histories and exchanges included), table, alpha-beta itself, B*'s graph, service.

  scripts/time_shares.py --engine target/release/regulus

Each mode searches the first positions of scripts/regret.positions while Linux's `perf` samples it; nothing is built into the
engine for it. Processor time is counted, so that a busy machine does no harm beyond its colder caches.

Needs Linux, perf, readelf and addr2line, Python 3.9 and the package `chess`.
"""

import argparse
import sys
import tempfile
from pathlib import Path

try:
    import chess  # noqa: F401
except ImportError:
    sys.exit("time_shares.py needs the package chess: pip install chess")

from laboratory.positions import read_places
from laboratory.regret import markdown
from laboratory.shares import FREQUENCY, PARTS, record_words, shares
from laboratory.uci import Engine, EngineDied
from matchplay.spec import EngineSpec, Limits, SpecError

HERE = Path(__file__).resolve().parent


def row(mode: str, args: argparse.Namespace) -> list[str]:
    """A mode's line of the table."""
    places = read_places(HERE / "regret.positions")[: args.count]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        command = (*record_words(data), str(args.engine))
        options = {"SearchMode": mode, "Hash": "32"}
        with Engine(EngineSpec(mode, command, Limits(nodes=args.nodes), options=options)) as engine:
            nodes = sum(engine.search(place.text).nodes or 0 for place in places)
        found = shares(data, args.engine)
    total = sum(found.values())
    speed = f"{nodes * FREQUENCY / total / 1000:,.0f}"
    return [mode, str(total), speed, *(f"{100 * found[part] / total:.1f} %" for part in PARTS)]


def main() -> int:
    """Returns the exit code: 0, 1 the engine died, 2 something is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=Path("target/release/regulus"))
    parser.add_argument("--count", type=int, default=60, help="positions; default 60")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes for each; default 100000")
    args = parser.parse_args()
    try:
        rows = [row(mode, args) for mode in ("BStar", "AlphaBeta")]
    except SpecError as error:
        print(f"time_shares.py: {error}", file=sys.stderr)
        return 2
    except EngineDied as error:
        print(f"time_shares.py: {error}", file=sys.stderr)
        return 1
    print(markdown(["mode", "samples", "thousand nodes / s", *PARTS], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
