"""Where an engine's time goes, by sampling with Linux's `perf`: each sample's source lines, inlined ones included, tell the part."""

import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Iterable, Sequence

from matchplay.spec import SpecError

# Samples a second of processor time: a prime, so as not to beat with anything periodic.
FREQUENCY = 997

# A frame's source file and function, by regular expressions, and the part of the engine that it is; the first that fits
# counts, and the innermost frame that fits any. Look-ups of attacks serve several parts: their callers decide.
RULES = (
    ("attacks", r"cozy[-_]chess[-_]types", r""),
    ("evaluation", r"/src/chess/eval/", r""),
    ("move generation", r"cozy-chess-\d[^/]*/src/board/movegen", r""),
    ("move generation", r"cozy-chess-\d[^/]*/", r"generate|is_legal|king_safe|target_squares|add_all_legals"),
    ("making moves", r"cozy-chess-\d[^/]*/", r""),
    ("making moves", r"/src/chess/position\.rs", r""),
    ("ordering", r"/src/chess/probe/(ordering|history|see|learning)\.rs", r""),
    ("table", r"/src/chess/probe/table\.rs", r""),
    ("alpha-beta", r"/src/chess/(probe/|twin\.rs|score\.rs)", r""),
    ("graph", r"/src/(bstar/|chess/(domain|tree_search|error_model|interval_model))", r""),
    ("service", r"/src/(engine|uci)/", r""),
)
PARTS = ("evaluation", "move generation", "making moves", "ordering", "table", "alpha-beta", "graph", "service", "other")


def part_of(frames: Iterable[tuple[str, str]]) -> str:
    """The part that a sample belongs to, by its frames (function, file), the innermost first."""
    for function, file in frames:
        for part, in_file, in_function in RULES:
            if re.search(in_file, file) and re.search(in_function, function):
                if part == "attacks":
                    break
                return part
    return "other"


def record_words(data: Path) -> list[str]:
    """The words before a program's command that have it sampled."""
    return ["perf", "record", "--quiet", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", str(data), "--"]


def _run(words: Sequence[str], given: str = "") -> str:
    try:
        return subprocess.run(words, input=given, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SpecError(f"{words[0]}: {error}") from error


def _segments(program: Path) -> list[tuple[int, int, int]]:
    """The loaded segments of an ELF file: offset in the file, address, length."""
    lines = re.findall(r"^\s*LOAD\s+(0x\w+)\s+(0x\w+)\s+0x\w+\s+(0x\w+)", _run(["readelf", "-lW", str(program)]), re.M)
    return [(int(offset, 16), int(address, 16), int(length, 16)) for offset, address, length in lines]


def _addresses(data: Path, program: Path) -> tuple[Counter, int]:
    """How often each address of the program was sampled, and how many samples lie outside of it."""
    told = _run(["perf", "script", "-i", str(data), "--show-mmap-events", "-F", "comm,ip,sym,dso,event"])
    where = re.compile(r"\[(0x\w+)\((0x\w+)\) @ (0x\w+|0) \S+ \S+ \S+\]: r-xp (.*)$", re.M)
    name = str(program.resolve())
    maps = [
        (int(start, 16), int(length, 16), int(offset, 16))
        for start, length, offset, file in where.findall(told)
        if file == name
    ]
    if not maps:
        raise SpecError(f"{program} was not sampled")
    samples: Counter = Counter()
    outside = 0
    for sample in re.findall(r"^.*cpu-clock:\S*\s+([0-9a-f]+) ", told, re.M):
        ip = int(sample, 16)
        offset = next((ip - start + at for start, length, at in maps if start <= ip < start + length), None)
        if offset is None:
            outside += 1
        else:
            samples[offset] += 1
    segments = _segments(program)
    virtual: Counter = Counter()
    for offset, count in samples.items():
        for at, address, length in segments:
            if at <= offset < at + length:
                virtual[offset - at + address] += count
    return virtual, outside


def _frames(program: Path, addresses: Sequence[int]) -> list[list[tuple[str, str]]]:
    """The frames at each address, inlined functions included, the innermost first."""
    given = "".join(f"{address:#x}\n" for address in addresses)
    lines = _run(["addr2line", "-a", "-i", "-f", "-C", "-e", str(program)], given).splitlines()
    frames: list[list[tuple[str, str]]] = []
    at = 0
    while at < len(lines):
        if re.fullmatch(r"0x[0-9a-f]+", lines[at]):
            frames.append([])
            at += 1
        else:
            frames[-1].append((lines[at], lines[at + 1].rpartition(":")[0]))
            at += 2
    return frames


def shares(data: Path, program: Path) -> Counter:
    """Samples of each part of the engine."""
    samples, outside = _addresses(data, program)
    addresses = sorted(samples)
    found: Counter = Counter(other=outside)
    for address, frames in zip(addresses, _frames(program, addresses)):
        found[part_of(frames)] += samples[address]
    return found
