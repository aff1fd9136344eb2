"""The tables and pictures of the report, from the results."""

import math
import re
from typing import Callable, Iterable, Optional

from matchplay.report import elo_text
from matchplay.spec import SpecError

from .plan import OPPONENTS
from .regret import markdown
from .results import Result
from .suite import solved_by
from .svg import Axes, Curve, Point, picture

# What stands in a cell where nothing was measured.
NOTHING = "–"


def _number(value: Optional[float], digits: int = 0, percent: bool = False) -> str:
    if value is None:
        return NOTHING
    return f"{100 * value:.{digits}f} %" if percent else f"{value:,.{digits}f}"


def _group(results: dict[str, Result], group: str) -> list[Result]:
    """The results of a group, the least nodes a move first."""
    found = [result for result in results.values() if result.name.partition(":")[0] == group]
    return sorted(found, key=lambda result: result.a_move("nodes", "node_moves") or 0.0)


def _score(result: Optional[Result]) -> list[str]:
    if result is None:
        return [NOTHING, NOTHING, NOTHING]
    return [str(result.games), f"{result.wins}-{result.draws}-{result.losses}", elo_text(result.elo())]


def matches_table(found: Iterable[Result]) -> str:
    """How matches ended."""
    head = ["limit", "games", "W-D-L", "Elo [95 %]", "normalised", "nodes a move", "its depth", "the twin's"]
    rows = []
    for one in found:
        elo = one.elo()
        rows.append(
            [
                one.limit,
                *_score(one),
                f"{elo.normalized:+.0f}" if elo else NOTHING,
                _number(one.a_move("nodes", "node_moves")),
                *(_number(one.a_move("depth", "depth_moves", side), 1) for side in (0, 1)),
                one.label,
            ]
        )
    return markdown([*head, "engine"], rows)


def use_table(found: Iterable[Result]) -> str:
    """What B* did in its matches."""
    head = ["limit", "tree", "graph", "line", "expansions", "separated at the decision"]
    head += ["ended by separation", "time used", "time saved"]
    rows = [
        [
            one.limit,
            _number(one.a_move("tree_nodes", "ended_moves")),
            _number(one.a_move("graph_nodes", "graph_moves")),
            _number(one.a_move("line_plies", "graph_moves"), 1),
            _number(one.a_move("expansions", "expansion_moves"), 1),
            _number(one.a_move("separated", "root_moves"), 1, True),
            _number(one.a_move("ended_separated", "ended_moves"), 1, True),
            *(_number(_share(one.a_move(key, "timed_moves")), 1, True) for key in ("time_used", "time_saved")),
        ]
        for one in found
    ]
    return markdown(head, rows)


def _share(percent: Optional[float]) -> Optional[float]:
    return None if percent is None else percent / 100


def opponents_table(results: dict[str, Result]) -> str:
    """Both modes against the same engines."""
    head = ["opponent", "B*: games", "W-D-L", "Elo [95 %]", "alpha-beta: games", "W-D-L", "Elo [95 %]", "faults"]
    rows = []
    for name in OPPONENTS:
        pair = [results.get(f"{mode}-opponent:{name}") for mode in ("bstar", "alphabeta")]
        faults = [sum(one.faults[side] for one in pair if one) for side in (0, 1)]
        told = f"Regulus {faults[0]}, {name} {faults[1]}"
        if any(pair):
            rows.append([name, *_score(pair[0]), *_score(pair[1]), told])
    return markdown(head, rows)


def frontier_table(results: dict[str, Result]) -> str:
    """Elo by size of the tree."""
    head = ["GrowsFrom", "tree", "line", "games", "W-D-L", "Elo [95 %]", "engine"]
    rows = [
        [
            one.first.get("GrowsFrom", NOTHING),
            _number(one.a_move("tree_nodes", "ended_moves"), 1),
            _number(one.a_move("line_plies", "graph_moves"), 1),
            *_score(one),
            one.label,
        ]
        for one in sorted(_group(results, "frontier"), key=_tree)
    ]
    return markdown(head, rows)


def suites_table(suites: list[dict]) -> str:
    """How many problems each mode has solved by when."""
    times = (10, 30, 100, 300, 1_000, 3_000, 10_000)
    rows = []
    for suite in suites:
        for mode, found in suite["modes"].items():
            counts = [sum(at is not None and at <= time for at in found) for time in times]
            cells = [str(n) if time <= suite["milliseconds"] else NOTHING for n, time in zip(counts, times)]
            final = str(sum(at is not None for at in found))
            rows.append([suite["suite"], str(len(found)), mode, *cells, final, suite["label"]])
    heads = [f"{time / 1000:g} s" for time in times]
    return markdown(["suite", "problems", "mode", *heads, "at the end", "engine"], rows)


def blocks(results: dict[str, Result], suites: list[dict]) -> dict[str, str]:
    """The generated parts of the page, by the names of their markers."""
    made = {
        "twin": matches_table(_group(results, "twin")),
        "nodes": matches_table(_group(results, "twin-nodes")),
        "use": use_table(_group(results, "twin") + _group(results, "twin-nodes")),
        "classic": matches_table(_group(results, "classic")),
        "opponents": opponents_table(results),
        "frontier": frontier_table(results),
        "suites": suites_table(suites),
    }
    # A table of two lines has no rows.
    return {name: text if text.count("\n") > 1 else "Not measured yet." for name, text in made.items()}


def filled(page: str, made: dict[str, str]) -> str:
    """The page with its generated parts renewed. Raises `SpecError` when a marker is missing."""
    for name, text in made.items():
        marker = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        page, count = marker.subn(lambda found: f"{found[1]}{text}\n{found[2]}", page)
        if count != 1:
            raise SpecError(f"the page needs one pair of markers <!-- {name} --> and <!-- /{name} -->, it has {count}")
    return page


def _tree(result: Result) -> float:
    return result.a_move("tree_nodes", "ended_moves") or 0.0


def _nodes(result: Result) -> float:
    return result.a_move("nodes", "node_moves") or 0.0


def _elo_curve(name: str, found: Iterable[Result], x: Callable[[Result], float]) -> Curve:
    points = []
    for one in found:
        elo = one.elo()
        if elo and math.isfinite(elo.elo) and x(one) > 0:
            points.append(Point(x(one), elo.elo, elo.low, elo.high))
    return Curve(name, sorted(points, key=lambda point: point.x))


def _share_curve(name: str, found: Iterable[Result], key: str, per: str, scale: float) -> Curve:
    points = [Point(_nodes(one), scale * value) for one in found if (value := one.a_move(key, per)) is not None]
    return Curve(name, [point for point in points if point.x > 0])


def pictures(results: dict[str, Result], suites: list[dict]) -> dict[str, str]:
    """The pictures by file name."""
    clock, nodes = _group(results, "twin"), _group(results, "twin-nodes")
    frontier = _group(results, "frontier")
    made = {
        "bstar-scaling.svg": picture(
            Axes("B* against its twin", "nodes a move", "Elo", log=True),
            [_elo_curve("on the clock", clock, _nodes), _elo_curve("at equal nodes", nodes, _nodes)],
        ),
        "bstar-separation.svg": picture(
            Axes("Separation, on the clock", "nodes a move", "% of the moves, of the time", log=True),
            [
                _share_curve("separated at the decision", clock, "separated", "root_moves", 100.0),
                _share_curve("ended by separation", clock, "ended_separated", "ended_moves", 100.0),
                _share_curve("time saved", clock, "time_saved", "timed_moves", 1.0),
            ],
        ),
        "bstar-frontier.svg": picture(
            Axes("From root moves only to a deep tree", "nodes of the tree at the decision", "Elo", log=True),
            [_elo_curve("10,000 nodes a move", frontier, _tree)],
        ),
    }
    for suite in suites:
        curves = [
            Curve(mode, [Point(max(at, 1), count) for at, count in solved_by(found)], steps=True)
            for mode, found in suite["modes"].items()
        ]
        axes = Axes(f"{suite['suite']}: problems solved", "milliseconds", "solved", log=True)
        made[f"bstar-suite-{suite['suite']}.svg"] = picture(axes, curves)
    return made
