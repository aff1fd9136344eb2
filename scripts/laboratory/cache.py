"""Answers kept on the disk: one JSON line each, written as soon as it is known, so that whatever is interrupted goes on
where it was."""

import json
import threading
from pathlib import Path
from typing import Any, Callable


class Cache:
    """A table from keys (lists of strings) to plain data. Threads may share it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[tuple[str, ...], Any] = {}
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes() if path.exists() else b""
        for line in content.splitlines():
            try:
                key, value = json.loads(line)
            except ValueError:
                continue  # cut off by an interruption: it is made again
            self._known[tuple(key)] = value
        # Each line is one write at the end of the file, so that several tests at once do no harm either.
        self._file = path.open("ab", buffering=0)
        if content and not content.endswith(b"\n"):
            self._file.write(b"\n")

    def get(self, key: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """What is known under `key`, made by `make` if nothing is yet."""
        with self._lock:
            if key in self._known:
                return self._known[key]
        value = make()
        with self._lock:
            self._known[key] = value
            self._file.write((json.dumps([list(key), value], separators=(",", ":")) + "\n").encode())
        return value

    def items(self) -> list[tuple[tuple[str, ...], Any]]:
        """All that is known."""
        with self._lock:
            return list(self._known.items())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
