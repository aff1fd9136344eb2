"""The JSON-lines file of a match: its settings on the first line, then one finished game a line, in order of
finishing.

It is the one truth about the match: the table and the PGN file are made from it. A line that was cut off by
an interruption is dropped, and that game is played again.
"""

import dataclasses
import json
import os
from pathlib import Path
from typing import IO, Optional

from .game import GameRecord
from .spec import SpecError


class Store:
    """The open file of a match."""

    def __init__(self, path: Path, settings: dict) -> None:
        """Opens or creates it. Raises `SpecError` if it belongs to a match with other settings."""
        self.path = path
        self.records: list[GameRecord] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        # JSON turns tuples into lists and such: compare what the file would say.
        settings = json.loads(json.dumps(settings))
        if path.exists():
            self._load(settings)
        if self.records:
            self._file: IO[str] = path.open("a", encoding="utf-8")
        else:
            # Nothing was played yet under whatever settings.
            self._file = path.open("w", encoding="utf-8")
            self._write({"match": settings})

    def _load(self, settings: dict) -> None:
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(self.path, len(whole))
        if not whole:
            return
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
            known = lines[0]["match"]
            self.records = [GameRecord(**line) for line in lines[1:]]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SpecError(f"{self.path}: not a match file ({error}); choose another --out") from error
        if self.records and (differences := list(_differences(known, settings))):
            told = "\n  ".join(differences)
            raise SpecError(f"{self.path} holds a match with other settings; choose another --out:\n  {told}")

    def add(self, record: GameRecord) -> None:
        """Appends a finished game; it is on the disk when this returns."""
        self.records.append(record)
        self._write(dataclasses.asdict(record))

    def _write(self, data: dict) -> None:
        self._file.write(json.dumps(data, separators=(",", ":")) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def finished(self) -> set[int]:
        """The numbers of the games that need not be played again."""
        return {record.number for record in self.records}

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _differences(known: object, asked: object, path: str = ""):
    """`path: known -> asked` for each leaf that differs."""
    if isinstance(known, dict) and isinstance(asked, dict):
        for key in sorted(set(known) | set(asked)):
            yield from _differences(known.get(key), asked.get(key), f"{path}.{key}" if path else key)
    elif known != asked:
        yield f"{path}: {known} there, {asked} here"


class PgnFile:
    """The PGN file beside a store: rewritten from the records at the start, then appended to."""

    def __init__(self, path: Path, records: list[GameRecord]) -> None:
        self._file: Optional[IO[str]] = path.open("w", encoding="utf-8")
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Appends one game."""
        assert self._file is not None
        self._file.write(record.pgn)
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
