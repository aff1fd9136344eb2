"""The same match by the program fastchess (github.com/Disservin/fastchess), for those who have it: it plays
the games, keeps the PGN file and tells the result itself. UCI engines only, and no resuming by this
script."""

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from .spec import EngineSpec, SpecError

if TYPE_CHECKING:
    from match import Match


def _engine_words(engine: EngineSpec) -> list[str]:
    if engine.protocol != "uci":
        raise SpecError(f"{engine.name}: fastchess knows UCI engines only")
    words = ["-engine", f"cmd={engine.command[0]}", f"name={engine.name}"]
    if len(engine.command) > 1:
        words.append(f"args={' '.join(engine.command[1:])}")
    if engine.directory:
        words.append(f"dir={engine.directory}")
    limits = engine.limits
    words += [f"tc={limits.clock}"] if limits.clock else []
    words += [f"st={limits.movetime:g}"] if limits.movetime else []
    words += [f"nodes={limits.nodes}"] if limits.nodes else []
    words += [f"depth={limits.depth}"] if limits.depth else []
    return words + [f"option.{name}={value}" for name, value in engine.options.items()]


def command_line(match: "Match", program: str) -> list[str]:
    """fastchess's arguments for this match."""
    words = [program, *_engine_words(match.engines[0]), *_engine_words(match.engines[1])]
    margin = round(1000 * match.rules.margin)
    words += ["-each", f"timemargin={margin}"]
    kind = "pgn" if match.opening_file.suffix == ".pgn" else "epd"
    order = "random" if match.seed else "sequential"
    words += [
        "-openings",
        f"file={match.opening_file}",
        f"format={kind}",
        f"order={order}",
        "-srand",
        str(match.seed),
    ]
    words += ["-games", "2", "-rounds", str(match.games // 2), "-repeat", "-recover"]
    words += ["-concurrency", str(match.concurrency), "-pgnout", f"file={match.out}.pgn"]
    words += ["-variant", "fischerandom"] if match.chess960 else []
    asked = match.rules.adjudication
    if draw := asked.draw:
        words += ["-draw", f"movenumber={draw.start}", f"movecount={draw.moves}", f"score={draw.score}"]
    if resign := asked.resign:
        words += ["-resign", f"movecount={resign.moves}", f"score={resign.score}", "twosided=true"]
    words += ["-maxmoves", str((asked.max_plies + 1) // 2)] if asked.max_plies else []
    if sprt := match.sprt:
        words += [
            "-sprt",
            f"elo0={sprt.elo0:g}",
            f"elo1={sprt.elo1:g}",
            f"alpha={sprt.alpha:g}",
            f"beta={sprt.beta:g}",
        ]
        words += ["model=logistic"]
    return words


def run(match: "Match", runner: str) -> int:
    """Runs fastchess in the foreground; returns its exit code. `runner`: `fastchess` or `fastchess=PATH`."""
    name, _, path = runner.partition("=")
    if name != "fastchess":
        raise SpecError(f"--runner {runner!r}: expected fastchess or fastchess=PATH")
    Path(match.out).parent.mkdir(parents=True, exist_ok=True)
    try:
        return subprocess.run(command_line(match, path or "fastchess"), check=False).returncode
    except OSError as error:
        raise SpecError(f"--runner {runner!r}: {error}") from error
