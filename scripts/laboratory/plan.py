"""What the report on B* and alpha-beta is made of: the matches, by name. Each is played by scripts/match.py, B* or the twin first."""

from dataclasses import dataclass
from typing import Iterator

# Engines that Debian packages, as scripts/match.py --help has them.
OPPONENTS = {
    "hoichess": 'cmd="/usr/games/hoichess --xboard --norc" proto=xboard',
    "phalanx": 'cmd="/usr/games/phalanx -b- -l-" proto=xboard',
    "gnuchess": 'cmd="/usr/games/gnuchess -u" option.OwnBook=false',
    "glaurung": "cmd=/usr/games/glaurung option.OwnBook=false",
    "toga2": "cmd=/usr/games/toga2 option.OwnBook=false",
    "ethereal-chess": "cmd=/usr/games/ethereal-chess",
    "stockfish": "cmd=/usr/games/stockfish",
}

# Between the two modes a game ends when both agree on how.
AGREED = ["--draw", "from=35,moves=5,score=10", "--resign", "moves=4,score=700"]

# The options of the engine in its two modes, and as Palay played it (1985): null-move intervals and classical rules.
BSTAR = {"Hash": "16"}
TWIN = {"Hash": "16", "SearchMode": "AlphaBeta"}
CLASSIC = {"Hash": "16", "IntervalModel": "NullMove", "Policy": "AR"}


@dataclass(frozen=True)
class Match:
    """A match of the plan. `second` is a dictionary of options of the same program, or an engine of match.py."""

    name: str
    first: dict[str, str]
    second: "dict[str, str] | str"
    limit: tuple[str, str]
    games: int

    @property
    def group(self) -> str:
        """The word before the first colon of the name."""
        return self.name.partition(":")[0]

    def words(self, program: str) -> list[str]:
        """match.py's arguments, but for the output and how many games at a time."""
        engines = [_engine(program, self.first)]
        if isinstance(self.second, str):
            engines.append(f"{self.second} name=opponent")
        else:
            engines.append(_engine(program, self.second))
        words = ["--engine1", engines[0], "--engine2", engines[1], "--games", str(self.games)]
        words += [f"--{self.limit[0]}", self.limit[1]]
        return words if isinstance(self.second, str) else words + AGREED


def _engine(program: str, options: dict[str, str]) -> str:
    name = "alphabeta" if options.get("SearchMode") == "AlphaBeta" else "bstar"
    told = " ".join(f"'option.{key}={value}'" for key, value in options.items())
    return f"cmd='\"{program}\"' name={name} {told}"


def plan() -> Iterator[Match]:
    """All matches, the most telling first."""
    for clock, games in (("2+0.02", 2_000), ("5+0.05", 400), ("1+0.01", 400), ("20+0.2", 100)):
        yield Match(f"twin:{clock}", BSTAR, TWIN, ("tc", clock), games)
    for nodes, games in ((2_000, 400), (10_000, 400), (40_000, 400), (160_000, 100)):
        yield Match(f"twin-nodes:{nodes}", BSTAR, TWIN, ("nodes", str(nodes)), games)
    yield Match("classic:2+0.02", CLASSIC, TWIN, ("tc", "2+0.02"), 100)
    for opponent, spec in OPPONENTS.items():
        yield Match(f"bstar-opponent:{opponent}", BSTAR, spec, ("tc", "2+0.02"), 200)
        yield Match(f"alphabeta-opponent:{opponent}", TWIN, spec, ("tc", "2+0.02"), 200)
    yield from frontier()


def frontier() -> Iterator[Match]:
    """From root moves only to a deep tree, at equal nodes: the dial GrowsFrom of a laboratory build (cargo's feature `tuning`)
    says from how many plies of effort a node of the tree is expanded."""
    for plies in (127, 12, 10, 8, 6, 4):
        options = BSTAR | {"GrowsFrom": str(plies)}
        yield Match(f"frontier:{plies}", options, TWIN, ("nodes", "10000"), 200)
