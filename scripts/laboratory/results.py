"""What a match came to, as a small file: docs/results/NAME.json. All tables and pictures of the report are made from these."""

import datetime
import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Optional

from matchplay.game import GameRecord
from matchplay.report import Tally, summed, totals
from matchplay.spec import SpecError
from matchplay.stats import Elo, estimate, pentanomial, trinomial


@dataclass(frozen=True)
class Result:
    """A match, from the first engine's side."""

    name: str
    # Which engine it was: a commit, or what else names a build.
    label: str
    date: str
    limit: str
    # Options of the first engine; of the second, or its program.
    first: dict[str, str]
    second: "dict[str, str] | str"
    games: int
    wins: int
    draws: int
    losses: int
    # Pairs of games with 0, 1/2, 1, 3/2, 2 points.
    pairs: list[int]
    # Sums over all moves of the engines: the fields of `matchplay.game.SideStats`.
    stats: list[dict[str, float]]
    faults: list[int]
    # The match files that it was made of, each by its settings and first game.
    parts: list[str] = field(default_factory=list)

    def elo(self) -> Optional[Elo]:
        """The difference, from pairs where there are some."""
        sample = pentanomial(self.pairs) if sum(self.pairs) else trinomial(self.wins, self.draws, self.losses)
        return estimate(sample)

    def a_move(self, key: str, per: str = "moves", side: int = 0) -> Optional[float]:
        """A statistic of an engine, by the count `per`; `None` where it was not counted."""
        stats = self.stats[side]
        return stats[key] / stats[per] if key in stats and stats.get(per) else None


def file_name(name: str) -> str:
    """A result's name without what file systems do not like."""
    return name.replace(":", "-").replace("/", "-")


def summary(name: str, label: str, path: Path) -> Result:
    """The result of a match file of match.py. Raises `SpecError`."""
    try:
        written = path.read_text(encoding="utf-8").splitlines()
        lines = [json.loads(line) for line in written]
        engines = lines[0]["match"]["engines"]
        records = [GameRecord(**line) for line in lines[1:]]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise SpecError(f"{path}: not a match file ({error})") from error
    names = [engine["name"] for engine in engines]
    tally = Tally(names[0])
    for record in sorted(records, key=lambda record: record.number):
        tally.add(record)
    same = engines[0]["program"] == engines[1]["program"]
    return Result(
        name=name,
        label=label,
        date=datetime.date.fromtimestamp(path.stat().st_mtime).isoformat(),
        limit=_limit(engines[0]["limits"]),
        first=engines[0]["options"],
        second=engines[1]["options"] if same else Path(engines[1]["command"][0]).name,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        pairs=tally.pairs,
        stats=[dict(summed(records, one)) for one in names],
        faults=[sum(bool(r.fault) and r.fault["engine"] == one for r in records) for one in names],
        parts=[hashlib.sha256("\n".join(written[:2]).encode()).hexdigest()[:16]],
    )


def joined(one: Result, other: Result) -> Result:
    """Two parts of one match as one result, by name, engine and limit the same. Options that the parts had differently, the size of
    the table for instance, are both told. Raises `SpecError`."""
    for key in ("name", "label", "limit"):
        if getattr(one, key) != getattr(other, key):
            raise SpecError(f"{one.name}: {key} is {getattr(one, key)} in one part, {getattr(other, key)} in the other")
    if not set(one.parts).isdisjoint(other.parts):
        raise SpecError(f"{one.name}: this part is counted already")
    return Result(
        name=one.name,
        label=one.label,
        date=max(one.date, other.date),
        limit=one.limit,
        first=_both(one, one.first, other.first),
        second=_both(one, one.second, other.second),
        games=one.games + other.games,
        wins=one.wins + other.wins,
        draws=one.draws + other.draws,
        losses=one.losses + other.losses,
        pairs=[sum(counts) for counts in zip(one.pairs, other.pairs)],
        stats=[dict(totals(parts)) for parts in zip(one.stats, other.stats)],
        faults=[sum(counts) for counts in zip(one.faults, other.faults)],
        parts=one.parts + other.parts,
    )


def _both(match: Result, one: "dict[str, str] | str", other: "dict[str, str] | str") -> "dict[str, str] | str":
    """What the same engine was in both parts of a match."""
    if one == other:
        return one
    if isinstance(one, str) or isinstance(other, str) or one.get("SearchMode") != other.get("SearchMode"):
        raise SpecError(f"{match.name}: the parts were played by other engines or other modes")
    values = {key: {part.get(key, "default") for part in (one, other)} for key in {**one, **other}}
    return {key: " and ".join(sorted(told)) for key, told in values.items()}


def _limit(limits: dict[str, Any]) -> str:
    if clock := limits["clock"]:
        prefix = f"{clock['moves']}/" if clock["moves"] else ""
        return f"{prefix}{clock['base']:g}+{clock['increment']:g}"
    words = [f"{limits[key]} {key}" for key in ("nodes", "depth", "movetime") if limits[key]]
    return ", ".join(words)


def write(folder: Path, result: Result) -> None:
    """Writes a result."""
    write_data(folder, result.name, asdict(result))


def write_data(folder: Path, name: str, data: dict) -> None:
    """Writes plain data under a name, statistics a line each."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_name(name)}.json"
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def read_all(folder: Path) -> tuple[dict[str, Result], list[dict]]:
    """The results of all matches by name, and those of the suites. Raises `SpecError`."""
    results, suites = {}, []
    for path in sorted(folder.glob("*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if "suite" in data:
                suites.append(data)
            else:
                results[data["name"]] = Result(**data)
        except (ValueError, KeyError, TypeError) as error:
            raise SpecError(f"{path}: not a result ({error})") from error
    return results, suites
