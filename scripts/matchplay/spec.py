"""What a match is made of: engines, limits, adjudication rules. Parsed from text, turned back into plain
data."""

import dataclasses
import functools
import hashlib
import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from typing import Optional


class SpecError(ValueError):
    """What was asked for makes no sense; the message says why."""


@dataclass(frozen=True)
class Clock:
    """A chess clock: `base` seconds, and `increment` seconds after each move; `base` again after each `moves`
    moves, unless that is 0."""

    base: float
    increment: float = 0.0
    moves: int = 0

    def __str__(self) -> str:
        prefix = f"{self.moves}/" if self.moves else ""
        return f"{prefix}{self.base:g}+{self.increment:g}"


@dataclass(frozen=True)
class Limits:
    """What one engine may use for a move. At least one is set; all that are set hold."""

    clock: Optional[Clock] = None
    movetime: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None

    def __str__(self) -> str:
        parts = [f"tc {self.clock}"] if self.clock else []
        parts += [f"movetime {self.movetime:g} s"] if self.movetime else []
        parts += [f"nodes {self.nodes}"] if self.nodes else []
        parts += [f"depth {self.depth}"] if self.depth else []
        return ", ".join(parts)


@functools.lru_cache
def _digest(path: str, _changed: int) -> str:
    """Of a file's content, read again only when it has changed since."""
    with open(path, "rb") as program:
        return hashlib.sha256(program.read()).hexdigest()[:16]


@dataclass(frozen=True)
class EngineSpec:
    """One engine: how to start it and what it may use."""

    name: str
    command: tuple[str, ...]
    limits: Limits
    protocol: str = "uci"
    directory: Optional[str] = None
    options: dict[str, str] = field(default_factory=dict)

    def fingerprint(self) -> str:
        """Digest of the program file, so that no match goes on with another build; empty if unknown."""
        path = shutil.which(self.command[0]) or self.command[0]
        try:
            return _digest(path, os.stat(path).st_mtime_ns)
        except OSError:
            return ""

    def identity(self) -> dict:
        """What makes this engine this engine, as plain data."""
        data = dataclasses.asdict(self)
        data["command"] = list(self.command)
        data["program"] = self.fingerprint()
        return data


@dataclass(frozen=True)
class DrawRule:
    """Draw when both engines gave |score| <= `score` centipawns for `moves` moves each, from move `start`
    on."""

    start: int
    moves: int
    score: int


@dataclass(frozen=True)
class ResignRule:
    """Decided when for `moves` moves each both engines agree that one side is ahead by `score` centipawns."""

    moves: int
    score: int


@dataclass(frozen=True)
class Adjudication:
    """Rules that end a game before its natural end. All off unless asked for."""

    draw: Optional[DrawRule] = None
    resign: Optional[ResignRule] = None
    max_plies: Optional[int] = None


_CLOCK = re.compile(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


def parse_clock(text: str) -> Clock:
    """`BASE`, `BASE+INC` or `MOVES/BASE+INC`, in seconds."""
    match = _CLOCK.fullmatch(text)
    if not match:
        raise SpecError(f"time control {text!r}: expected BASE+INC or MOVES/BASE+INC in seconds, e.g. 2+0.02")
    moves, base, increment = match.groups()
    clock = Clock(float(base), float(increment or 0.0), int(moves or 0))
    if clock.base <= 0.0:
        raise SpecError(f"time control {text!r}: the base time must be above zero")
    return clock


def positive_int(text: str, what: str) -> int:
    """A whole number above zero."""
    if not re.fullmatch(r"\d+", text) or int(text) == 0:
        raise SpecError(f"{what}: expected a whole number above zero, not {text!r}")
    return int(text)


def positive_seconds(text: str, what: str) -> float:
    """A number of seconds above zero."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < float("inf"):
        raise SpecError(f"{what}: expected seconds above zero, not {text!r}")
    return seconds


def parse_pairs(text: str, what: str) -> dict[str, str]:
    """`key=value key="value with blanks"` as a dictionary."""
    pairs: dict[str, str] = {}
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SpecError(f"{what}: {error}") from error
    for word in words:
        key, separator, value = word.partition("=")
        if not separator or not key:
            raise SpecError(f"{what}: {word!r} is not of the form key=value")
        if key in pairs:
            raise SpecError(f"{what}: {key} is given twice")
        pairs[key] = value
    return pairs


def parse_limits(pairs: dict[str, str], what: str) -> Limits:
    """Takes `tc`, `movetime`, `nodes` and `depth` out of `pairs`."""
    clock = pairs.pop("tc", None)
    movetime = pairs.pop("movetime", None)
    nodes = pairs.pop("nodes", None)
    depth = pairs.pop("depth", None)
    if clock is not None and movetime is not None:
        raise SpecError(f"{what}: tc and movetime exclude each other")
    return Limits(
        clock=None if clock is None else parse_clock(clock),
        movetime=None if movetime is None else positive_seconds(movetime, f"{what}: movetime"),
        nodes=None if nodes is None else positive_int(nodes, f"{what}: nodes"),
        depth=None if depth is None else positive_int(depth, f"{what}: depth"),
    )


def parse_engine(text: str, default: Limits) -> EngineSpec:
    """One `--engine1` or `--engine2` argument. Own limits replace the match's limits as a whole."""
    pairs = parse_pairs(text, "engine")
    command = tuple(shlex.split(pairs.pop("cmd", "")))
    if not command:
        raise SpecError(f"engine {text!r}: cmd= is missing")
    name = pairs.pop("name", "") or os.path.basename(command[0])
    what = f"engine {name}"
    protocol = pairs.pop("proto", "uci")
    if protocol not in ("uci", "xboard"):
        raise SpecError(f"{what}: proto is uci or xboard, not {protocol!r}")
    directory = pairs.pop("dir", None)
    own = parse_limits(pairs, what)
    limits = own if own != Limits() else default
    if limits == Limits():
        raise SpecError(f"{what}: no limit given (tc, movetime, nodes or depth)")
    if protocol == "xboard" and limits.nodes and (limits.clock or limits.movetime):
        raise SpecError(f"{what}: xboard knows no node limit together with a clock")
    options = {
        key.removeprefix("option."): pairs.pop(key) for key in list(pairs) if key.startswith("option.")
    }
    if pairs:
        raise SpecError(f"{what}: unknown key {next(iter(pairs))!r}")
    return EngineSpec(name, command, limits, protocol, directory, options)


def _numbers(text: str, what: str, names: tuple[str, ...]) -> list[int]:
    pairs = parse_pairs(text.replace(",", " "), what)
    if set(pairs) != set(names):
        raise SpecError(f"{what}: expected {','.join(name + '=N' for name in names)}")
    return [positive_int(pairs[name], f"{what}: {name}") for name in names]


def parse_draw_rule(text: str) -> DrawRule:
    """`from=MOVE,moves=N,score=CP`."""
    return DrawRule(*_numbers(text, "--draw", ("from", "moves", "score")))


def parse_resign_rule(text: str) -> ResignRule:
    """`moves=N,score=CP`."""
    return ResignRule(*_numbers(text, "--resign", ("moves", "score")))
