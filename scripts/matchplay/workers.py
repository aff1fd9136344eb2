"""Games in parallel: one process a slot, so that reading one engine's answer never waits for another game's
work."""

import asyncio
import itertools
import multiprocessing
import multiprocessing.connection
import os
import signal
from dataclasses import dataclass
from typing import Callable, Iterator, Optional, Union

import chess

from .game import GameRecord, Rules, play_game
from .openings import Opening
from .players import Player, StartError
from .spec import EngineSpec


@dataclass(frozen=True)
class Task:
    """One game to play. `white` is 0 or 1: which of the two engines has White."""

    number: int
    opening_number: int
    opening: Opening
    white: int


@dataclass(frozen=True)
class MatchSetup:
    """What every worker knows."""

    engines: tuple[EngineSpec, EngineSpec]
    rules: Rules
    event: str


@dataclass(frozen=True)
class Failure:
    """A game could not be played at all: the match cannot go on."""

    message: str


Outcome = Union[GameRecord, Failure]


def _serve(setup: MatchSetup, pipe: multiprocessing.connection.Connection) -> None:
    """A worker's life: tasks in, outcomes out, until the pipe closes."""
    players = [Player(spec) for spec in setup.engines]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _leave_at_once(players))
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        while True:
            task = pipe.recv()
            pipe.send(loop.run_until_complete(_one_game(setup, players, task)))
    except (EOFError, OSError):
        # The parent is gone or has no more work.
        loop.run_until_complete(_stop_all(players))


async def _one_game(setup: MatchSetup, players: list[Player], task: Task) -> Outcome:
    seats = {chess.WHITE: players[task.white], chess.BLACK: players[1 - task.white]}
    try:
        return await play_game(
            task.number, task.opening_number, task.opening, seats, setup.rules, setup.event
        )
    except (StartError, ValueError) as error:
        return Failure(str(error))


async def _stop_all(players: list[Player]) -> None:
    await asyncio.gather(*(player.stop() for player in players))


def _leave_at_once(players: list[Player]) -> None:
    for player in players:
        if player.pid is not None:
            try:
                os.kill(player.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            except OSError:
                pass
    os._exit(1)


class _Worker:
    """The parent's end of a worker."""

    def __init__(self, setup: MatchSetup) -> None:
        # A fresh interpreter: a fork would carry the other workers' pipes along and keep them open.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(setup, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def receive(self) -> Outcome:
        """The outcome of its task."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return Failure("a worker process died")

    def close(self, at_once: bool) -> None:
        """Ends the worker and its engines: after they have quit, or at once."""
        self.pipe.close()
        if at_once:
            self.process.terminate()
        # Engines get a moment to quit; then the worker is ended, and they with it.
        self.process.join(10.0)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join()


def run(
    setup: MatchSetup, tasks: Iterator[Task], slots: int, done: Callable[[GameRecord], bool]
) -> Optional[Failure]:
    """Plays the tasks, `slots` at a time, and hands each record to `done`, which returns whether to go on: if
    not, the running games are finished and no more are started. Returns the failure that ended the match, if
    one did.

    An exception in here (Ctrl-C above all) ends the running games at once, unrecorded.
    """
    workers: list[_Worker] = []
    at_once = True
    try:
        for task in itertools.islice(tasks, slots):
            worker = _Worker(setup)
            workers.append(worker)
            worker.pipe.send(task)
        busy = list(workers)
        going = True
        while busy:
            ready = multiprocessing.connection.wait([worker.pipe for worker in busy])
            for worker in [worker for worker in busy if worker.pipe in ready]:
                outcome = worker.receive()
                if isinstance(outcome, Failure):
                    return outcome
                going = done(outcome) and going
                next_task = next(tasks, None) if going else None
                if next_task is None:
                    busy.remove(worker)
                else:
                    worker.pipe.send(next_task)
        at_once = False
        return None
    finally:
        for worker in workers:
            worker.close(at_once)
