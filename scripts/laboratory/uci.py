"""A UCI engine that is asked one position at a time, from a fresh state: the same question has the same answer. No
event loop and no clock: made for thousands of short searches at fixed nodes."""

import hashlib
import json
import re
import subprocess
from dataclasses import dataclass
from typing import Optional

import chess.engine
from matchplay.players import Thought, read_infos
from matchplay.spec import EngineSpec, Limits, SpecError

_TIME = re.compile(r"^info .*\btime (\d+)")
_PV = re.compile(r" pv (\S+)")

# A mate counts as this many centipawns, less one for each move to it.
MATE = 30_000

# Seconds that a leaving engine gets, generous for busy machines.
QUIT_SECONDS = 60.0


class EngineDied(RuntimeError):
    """The engine ended without an answer."""


@dataclass(frozen=True)
class Answer:
    """What an engine said of a position: `score` in centipawns from the side to move, mates as `MATE`."""

    move: str
    score: Optional[int]
    depth: Optional[int]
    nodes: Optional[int]


def go_words(limits: Limits) -> str:
    """The limits of a search without a clock, as UCI's `go` takes them."""
    if limits.clock:
        raise SpecError("here an engine searches by nodes, depth or movetime, not by a clock")
    words = [f"nodes {limits.nodes}"] if limits.nodes else []
    words += [f"depth {limits.depth}"] if limits.depth else []
    words += [f"movetime {1000 * limits.movetime:.0f}"] if limits.movetime else []
    return " ".join(words)


def identity(spec: EngineSpec, with_program: bool = True) -> str:
    """A digest of all that bears on an engine's answers: program file, arguments, options, limits; not its name.

    With the name in place of the program it stays the same when the engine is built anew: for a reference, which need not
    be the newest."""
    data = spec.identity()
    for key in ("name",) if with_program else ("program", "command"):
        del data[key]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


class Engine:
    """A running engine. Use it as a context manager."""

    def __init__(self, spec: EngineSpec) -> None:
        if spec.protocol != "uci":
            raise SpecError(f"{spec.name}: a UCI engine is wanted")
        self.spec = spec
        self._go = go_words(spec.limits)
        try:
            self._process = subprocess.Popen(
                spec.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=spec.directory
            )
        except OSError as error:
            raise SpecError(f"{spec.name}: {error}") from error
        self._send("uci")
        names = {line.split(" type ")[0].removeprefix("option name ") for line in self._until("uciok")}
        for name, value in spec.options.items():
            if name not in names:
                self.close()
                raise SpecError(f"{spec.name} has no option {name}")
            self._send(f"setoption name {name} value {value}")
        self._ready()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def search(self, position: str, moves: Optional[list[str]] = None, limits: Optional[Limits] = None) -> Answer:
        """Searches a position (`FEN`, or `FEN moves ...`) as in a new game; from `moves` only, if given; by `limits` instead
        of the engine's own, if given."""
        lines = self._answered(position, moves, limits)
        thought = Thought(None, 0.0)
        read_infos(lines[:-1], thought)
        score = thought.score.score(mate_score=MATE) if isinstance(thought.score, chess.engine.Score) else None
        return Answer(lines[-1].split()[1], score, thought.depth, thought.nodes)

    def watch(self, position: str) -> list[tuple[int, str]]:
        """What the engine would have played when: milliseconds and moves, from the heads of its lines, and its answer last."""
        lines = self._answered(position, None, None)
        told = [(int(at[1]), line[1]) for text in lines if (at := _TIME.search(text)) and (line := _PV.search(text))]
        last = max((at for at, _ in told), default=0)
        return [*told, (last, lines[-1].split()[1])]

    def _answered(self, position: str, moves: Optional[list[str]], limits: Optional[Limits]) -> list[str]:
        self._send("ucinewgame")
        self._ready()
        self._send(f"position fen {position}")
        only = f" searchmoves {' '.join(moves)}" if moves else ""
        self._send(f"go {self._go if limits is None else go_words(limits)}{only}")
        return self._until("bestmove")

    def close(self) -> None:
        """Ends the process."""
        try:
            self._send("quit")
            self._process.wait(timeout=QUIT_SECONDS)
        except (EngineDied, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass

    def _ready(self) -> None:
        self._send("isready")
        self._until("readyok")

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineDied(f"{self.spec.name} died: {error}") from error

    def _until(self, word: str) -> list[str]:
        """The lines up to the one that begins with `word`, that one included."""
        assert self._process.stdout is not None
        lines = []
        for line in self._process.stdout:
            lines.append(line.rstrip())
            if line.split(maxsplit=1)[:1] == [word]:
                return lines
        raise EngineDied(f"{self.spec.name} died before {word}")
