"""A running engine, UCI or xboard, driven by python-chess, with its thinking time measured apart from our own
work.

What is charged to an engine is the time from the moment its `go` line is written to the moment when the chunk
of output that holds its answer is read, both on the monotonic clock. Setting options, `ucinewgame` and the
first `isready` come before the `go`; info lines are stored unread while the engine thinks, and looked at
after it has answered.
"""

import asyncio
import logging
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import chess
import chess.engine

from .spec import EngineSpec, Limits

# Seconds that an engine may take to start, to set its options, and to answer isready: python-chess and the
# usual match runners allow 10 s to 60 s.
READY_SECONDS = 60.0

# Seconds beyond the deadline for which a late answer is still awaited, so that the overstep can be told in
# figures.
GRACE_SECONDS = 2.0

# Seconds that a leaving engine gets before it is killed.
QUIT_SECONDS = 2.0


class EngineFault(Exception):
    """The engine broke a rule; the game is lost. `kind` is one of `KINDS`, `detail` tells what happened."""

    KINDS = ("illegal move", "time loss", "crash", "disconnect", "stall", "protocol error", "false claim")

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class StartError(Exception):
    """The engine cannot be used at all: not found, no handshake, an option that it does not have."""


@dataclass(frozen=True)
class Patience:
    """How long an engine is waited for, and what it is called when that is not enough: a time loss where it
    had a clock or a move time (margin included in `seconds`), a stall where it had none."""

    seconds: float
    fault: str


@dataclass
class Thought:
    """One answer of an engine."""

    move: Optional[chess.Move]
    elapsed: float
    resigned: bool = False
    # Seconds for which the engine's threads were ready to run but had no processor; `None` where the system
    # does not tell (it is Linux that does).
    starved: Optional[float] = None
    score: Optional[chess.engine.Score] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    pv: list[str] = field(default_factory=list)
    graph_nodes: Optional[int] = None
    line_plies: Optional[int] = None
    expansions: Optional[int] = None
    separated: Optional[bool] = None
    # How the search ended: "separated", "only move", "budget", "interrupted".
    ended: Optional[str] = None
    tree_nodes: Optional[int] = None
    # Percent of the time meant for the move.
    time_used: Optional[int] = None


def processor_wait(pid: Optional[int]) -> Optional[float]:
    """Seconds that the threads of a process have waited for a processor so far, by Linux's schedstat."""
    total = 0
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            total += int((thread / "schedstat").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return total / 1e9


class _Stopwatch(chess.engine.Protocol):
    """Mixed into both protocols: stamps the lines that start and end an engine's thinking."""

    answer_word = "bestmove"

    def __init__(self) -> None:
        super().__init__()
        self.started: Optional[float] = None
        self.went = asyncio.Event()
        self.gone = asyncio.Event()
        self.finished: Optional[float] = None
        self.answer_line: Optional[str] = None
        self.info_lines: list[str] = []
        self.last_error_line = ""
        self._chunk_time = 0.0

    def arm(self) -> None:
        """Forget the last move."""
        self.started = self.finished = self.answer_line = None
        self.went.clear()
        self.info_lines.clear()

    def send_line(self, line: str) -> None:
        thinking = line == "go" or line.startswith("go ")
        if thinking:
            self.started = time.monotonic()
        super().send_line(line)
        if thinking:
            self.went.set()

    def pipe_data_received(self, fd: int, data: Any) -> None:
        self._chunk_time = time.monotonic()
        super().pipe_data_received(fd, data)

    def pipe_connection_lost(self, fd: int, exc: Optional[Exception]) -> None:
        super().pipe_connection_lost(fd, exc)
        if fd == 1:
            self.gone.set()

    def line_received(self, line: str) -> None:
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word == self.answer_word and self.started is not None and self.finished is None:
            self.finished = self._chunk_time
            self.answer_line = line
        elif self.finished is None and word == "info":
            self.info_lines.append(line)

    def error_line_received(self, line: str) -> None:
        self.last_error_line = line

    @property
    def elapsed(self) -> float:
        """Seconds from go to the answer, or until now while there is none."""
        if self.started is None:
            return 0.0
        return (self.finished if self.finished is not None else time.monotonic()) - self.started


class TimedUci(_Stopwatch, chess.engine.UciProtocol):
    """UCI with a stopwatch."""


class _Features(dict):
    """python-chess refuses an xboard engine without `setboard`. One such (fairymax) can still play every game
    that begins at the usual start position, so the question is answered with yes here; `Player.needs_start`
    knows better."""

    def get(self, key: Any, default: Any = None) -> Any:
        return 1 if key == "setboard" else super().get(key, default)


class TimedXboard(_Stopwatch, chess.engine.XBoardProtocol):
    """The xboard protocol with a stopwatch."""

    answer_word = "move"

    def __init__(self) -> None:
        super().__init__()
        self.features = _Features()


_INTEGER_FIELDS = {name: re.compile(rf"\b{name} (\d+)") for name in ("depth", "nodes", "multipv")}
_SCORE = re.compile(r"\bscore (cp|mate) (-?\d+)(?: (lowerbound|upperbound))?")
_PV = re.compile(r"\bpv ((?:[a-h][1-8][a-h][1-8][nbrq]?\s*)+)")
_GRAPH = re.compile(r"\bgraph (\d+) nodes?, line (\d+) pl(?:y|ies)\b")
_ROOT = re.compile(
    r"\bbest \[(?P<lower>[^,\]]+), [^\]]+\] "
    r"(?:no rival|rival \S+ \[[^,\]]+, (?P<upper>[^\]]+)\])"
)
_ENDED = re.compile(
    r", ended (?P<why>[a-z ]+) with a tree of (?P<nodes>\d+) nodes?(?: after (?P<percent>\d+) % of the time)?"
)
_EXPANSIONS = re.compile(r"\bexpansions (\d+)\b")

# A mate score counts as this many centipawns, less one for each move to the mate.
MATE_SCORE = 100_000


def read_infos(lines: list[str], thought: Thought) -> None:
    """Fills a thought from the UCI info lines sent before the answer. The last word on each thing counts; a
    score that is a bound only if there is no other, further lines of a multi-PV never."""
    exact_seen = False
    for line in lines:
        head, string, tail = line.partition(" string ")
        if string:
            _read_string(tail, thought)
        fields = {name: int(m[1]) for name, pattern in _INTEGER_FIELDS.items() if (m := pattern.search(head))}
        if fields.get("multipv", 1) != 1:
            continue
        thought.nodes = fields.get("nodes", thought.nodes)
        if not (score := _SCORE.search(head)):
            continue
        if score[3] and exact_seen:
            continue
        exact_seen = exact_seen or not score[3]
        value = int(score[2])
        thought.score = chess.engine.Cp(value) if score[1] == "cp" else chess.engine.Mate(value)
        thought.depth = fields.get("depth", thought.depth)
        if pv := _PV.search(head):
            thought.pv = pv[1].split()


def _read_string(text: str, thought: Thought) -> None:
    """What Regulus tells of its root: `best [-12, +30] rival d2d4 [-90, -20] ... expansions 41 graph 9 nodes,
    line 4 plies`, and at the end `, ended separated with a tree of 51 nodes after 43 % of the time`. Separated: the best move's lower end is not below the best rival's upper end."""
    if graph := _GRAPH.search(text):
        thought.graph_nodes, thought.line_plies = int(graph[1]), int(graph[2])
    if expansions := _EXPANSIONS.search(text):
        thought.expansions = int(expansions[1])
    if ended := _ENDED.search(text):
        thought.ended, thought.tree_nodes = ended["why"], int(ended["nodes"])
        thought.time_used = None if ended["percent"] is None else int(ended["percent"])
    if root := _ROOT.search(text):
        upper = root["upper"]
        thought.separated = upper is None or _centipawns(root["lower"]) >= _centipawns(upper)


def _centipawns(end: str) -> float:
    """An interval's end: `+30`, `mate -3`, `-inf`."""
    word, _, moves = end.partition(" ")
    if word == "mate":
        return float(chess.engine.Mate(int(moves)).score(mate_score=MATE_SCORE))
    return float(word)


class _WarningCollector(logging.Handler):
    """Keeps what python-chess complains about, by engine process."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


class Player:
    """One engine process, started on demand and again after a fault."""

    def __init__(self, spec: EngineSpec) -> None:
        self.spec = spec
        self.warnings = _WarningCollector()
        self._protocol: Optional[_Stopwatch] = None
        self._transport: Optional[asyncio.SubprocessTransport] = None

    @property
    def pid(self) -> Optional[int]:
        """The engine's process, while there is one."""
        return (
            self._transport.get_pid()
            if self._transport and self._transport.get_returncode() is None
            else None
        )

    @property
    def needs_start(self) -> bool:
        """The engine can only play from the usual start position."""
        features = getattr(self._protocol, "features", None)
        return features is not None and not dict(features).get("setboard", 0)

    async def ensure_running(self) -> None:
        """Starts the engine unless it runs. Raises `StartError`."""
        if self._protocol is not None and self.pid is not None and not self._protocol.gone.is_set():
            return
        kind = TimedUci if self.spec.protocol == "uci" else TimedXboard
        try:
            self._transport, self._protocol = await kind.popen(
                list(self.spec.command), setpgrp=True, cwd=self.spec.directory
            )
            self._collect_warnings_of(self._protocol)
            await asyncio.wait_for(self._protocol.initialize(), READY_SECONDS)
            await asyncio.wait_for(self._protocol.configure(dict(self.spec.options)), READY_SECONDS)
            await asyncio.wait_for(self._protocol.ping(), READY_SECONDS)
        except asyncio.TimeoutError as error:
            await self.stop()
            raise StartError(f"{self.spec.name}: no handshake within {READY_SECONDS:g} s") from error
        except (OSError, chess.engine.EngineError) as error:
            await self.stop()
            raise StartError(f"{self.spec.name}: {error}") from error

    async def stop(self, politely: bool = True) -> None:
        """Ends the process: after `quit` and a moment if politely, else at once."""
        protocol, transport, self._protocol, self._transport = self._protocol, self._transport, None, None
        if protocol is None or transport is None:
            return
        if politely and transport.get_returncode() is None:
            try:
                await asyncio.wait_for(protocol.quit(), QUIT_SECONDS)
            except (asyncio.TimeoutError, chess.engine.EngineError, OSError):
                pass
        if transport.get_returncode() is None:
            transport.kill()
        await asyncio.wait({protocol.returncode}, timeout=QUIT_SECONDS)
        transport.close()

    async def think(
        self, board: chess.Board, limit: chess.engine.Limit, game: object, patience: Patience
    ) -> Thought:
        """The engine's answer to a position. Raises `EngineFault`; the process is then ended."""
        protocol = self._protocol
        assert protocol is not None, "ensure_running comes first"
        protocol.arm()
        waited = processor_wait(self.pid)
        # An xboard engine sends its thinking lines only if some info is asked for.
        wanted = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
        wanted = chess.engine.INFO_NONE if self.spec.protocol == "uci" else wanted
        play = asyncio.ensure_future(protocol.play(board, limit, game=game, info=wanted))
        try:
            await self._wait_for_answer(protocol, play, patience)
            result = self._result_of(protocol, play)
            if protocol.elapsed > patience.seconds:
                late = (protocol.elapsed - patience.seconds) * 1000
                raise EngineFault(patience.fault, f"{late:.0f} ms beyond what was allowed")
        except EngineFault as fault:
            if fault.kind == "time loss" and (starved := self._starved_since(waited)):
                fault.detail += f"; its threads waited {1000 * starved:.0f} ms for a processor"
            play.cancel()
            await self.stop(politely=False)
            raise
        thought = Thought(result.move, protocol.elapsed, result.resigned, self._starved_since(waited))
        if self.spec.protocol == "uci":
            read_infos(protocol.info_lines, thought)
        else:
            info = result.info
            thought.depth, thought.nodes = info.get("depth"), info.get("nodes")
            thought.score = info["score"].relative if "score" in info else None
        return thought

    def _starved_since(self, waited: Optional[float]) -> Optional[float]:
        now = processor_wait(self.pid)
        # A thread that ended in between takes its share with it.
        return None if waited is None or now is None else max(0.0, now - waited)

    async def _wait_for_answer(self, protocol: _Stopwatch, play: asyncio.Future, patience: Patience) -> None:
        """Until the engine has answered or died. Raises `EngineFault` when neither happens in time."""
        going = asyncio.ensure_future(protocol.went.wait())
        await asyncio.wait({going, play}, timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        going.cancel()
        if not play.done() and protocol.started is None:
            raise EngineFault("stall", f"not ready for the move within {READY_SECONDS:g} s")
        gone = asyncio.ensure_future(protocol.gone.wait())
        left = max(0.0, patience.seconds + GRACE_SECONDS - protocol.elapsed)
        await asyncio.wait({play, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if gone.done() and not play.done():
            # The exit code comes a moment after the end of the output.
            await asyncio.wait({play}, timeout=GRACE_SECONDS)
            if not play.done():
                raise EngineFault("disconnect", "closed its output but runs on")
        gone.cancel()
        if not play.done():
            raise EngineFault(
                patience.fault, f"no move after {protocol.elapsed:.1f} s ({patience.seconds:.2f} s allowed)"
            )

    def _result_of(self, protocol: _Stopwatch, play: asyncio.Future) -> chess.engine.PlayResult:
        """The result of a finished `play`, or the fault that it stands for."""
        try:
            result = play.result()
        except chess.engine.EngineTerminatedError as error:
            raise self._death(protocol) from error
        except chess.engine.EngineError as error:
            if protocol.answer_line is not None:
                raise EngineFault("illegal move", f"{protocol.answer_line!r} ({error})") from error
            raise EngineFault("protocol error", str(error)) from error
        if result.move is None and not result.resigned:
            line = protocol.answer_line
            raise EngineFault(
                "illegal move" if line else "false claim", f"no move: {line or 'a result was claimed'}"
            )
        return result

    def _death(self, protocol: _Stopwatch) -> EngineFault:
        code = protocol.returncode.result() if protocol.returncode.done() else None
        if code is None and self._transport is not None:
            code = self._transport.get_returncode()
        told = f", last words: {protocol.last_error_line}" if protocol.last_error_line else ""
        if code == 0:
            return EngineFault("disconnect", f"left by itself{told}")
        return EngineFault("crash", f"exit code {code}{told}")

    def _collect_warnings_of(self, protocol: _Stopwatch) -> None:
        """From now on: python-chess names the process in what it logs."""
        logger = logging.getLogger("chess.engine")
        logger.propagate = False
        mark, chatty = repr(protocol), self.spec.protocol == "xboard"

        def concerns(record: logging.LogRecord) -> bool:
            text = record.getMessage()
            # xboard allows an engine to print what it likes; in UCI it is a fault.
            return mark in text and not (chatty and "Unexpected engine output" in text)

        self.warnings.filters = [concerns]
        logger.addHandler(self.warnings)


@dataclass
class ClockState:
    """One side's clock during a game: seconds left, and moves until the next time control (0: none)."""

    left: float
    moves: int = 0


def engine_limit(
    limits: Limits, white: bool, own: ClockState, other: ClockState, rival: Limits, game: object
) -> chess.engine.Limit:
    """What python-chess is asked to send: an engine's limits, and both clocks where it has one itself.

    A rival without a clock is shown with a copy of the engine's own.
    """
    limit = chess.engine.Limit(time=limits.movetime, nodes=limits.nodes, depth=limits.depth, clock_id=game)
    if limits.clock is None:
        return limit
    rival_clock, rival_left = (rival.clock, other.left) if rival.clock else (limits.clock, own.left)
    mine = (own.left, limits.clock.increment or None)
    theirs = (rival_left, rival_clock.increment or None)
    (limit.white_clock, limit.white_inc), (limit.black_clock, limit.black_inc) = (
        (mine, theirs) if white else (theirs, mine)
    )
    limit.remaining_moves = own.moves or None
    return limit
