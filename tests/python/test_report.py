"""scripts/report.py: pictures, suites, results, the page; and a small run with the real engine."""

import contextlib
import io
import json
import math
import shutil
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import support
from laboratory.page import blocks, filled, pictures
from laboratory.plan import BSTAR, TWIN, Match, plan
from laboratory.results import read_all
from laboratory.shares import part_of
from laboratory.suite import Problem, read_suite, solved_by
from laboratory.svg import Axes, Curve, Point, log_ticks, picture, ticks
from matchplay.spec import SpecError, parse_engine, parse_limits

import report

DOCS = support.ROOT / "docs"
SUITE = support.ROOT / "tests" / "data" / "tactics.epd"


class PictureTest(unittest.TestCase):
    def test_ticks_are_round_and_few(self):
        self.assertEqual(ticks(-12, 31), [-10, -5, 0, 5, 10, 15, 20, 25, 30])
        self.assertEqual(ticks(0, 1.05), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0])
        self.assertEqual(log_ticks(10, 120), [10, 20, 50, 100])

    def test_a_picture_is_well_formed_whatever_the_points(self):
        for points in (
            [],
            [Point(5, 3)],
            [Point(10, -50, -math.inf, 20), Point(1000, 20, 0, 40)],
            [Point(10, math.inf), Point(20, 5)],
        ):
            svg = picture(Axes("a < b", "x", "y", log=True), [Curve("c & d", points)])
            tree = xml.etree.ElementTree.fromstring(svg)
            finite = sum(math.isfinite(point.y) for point in points)
            self.assertEqual(len(tree.findall("{*}circle")), finite)
            self.assertNotRegex(svg, "nan|inf")

    def test_steps_go_along_then_up(self):
        svg = picture(Axes("t", "x", "y"), [Curve("c", [Point(0, 0), Point(1, 1)], steps=True)])
        last = [line for line in svg.splitlines() if 'stroke-width="2"' in line][0]
        places = [place.split(",") for place in last.split('"')[1].split()]
        self.assertEqual(len(places), 3)
        self.assertEqual((places[0][1], places[1][0]), (places[1][1], places[2][0]))


class SuiteTest(unittest.TestCase):
    def test_solved_for_good(self):
        problem = Problem("", frozenset({"a", "b"}))
        self.assertEqual(problem.solved_at([(1, "a"), (2, "c"), (3, "b"), (4, "a"), (4, "a")]), 3)
        self.assertIsNone(problem.solved_at([(1, "a"), (2, "c")]))

    def test_solved_by_counts(self):
        self.assertEqual(solved_by([5, None, 3, 5, 9]), [(3, 1), (5, 3), (9, 4)])

    def test_best_moves_and_moves_to_avoid(self):
        problems = read_suite(SUITE)
        self.assertEqual(problems[0].solutions, {"d1d8"})
        self.assertNotIn("g5g6", problems[3].solutions)
        self.assertGreater(len(problems[3].solutions), 5)
        with tempfile.TemporaryDirectory() as folder:
            for bad in ("", "4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/4K2R w - - bm Qa1;"):
                path = Path(folder) / "bad.epd"
                path.write_text(bad)
                with self.assertRaises(SpecError, msg=bad):
                    read_suite(path)


class SharesTest(unittest.TestCase):
    def test_the_innermost_frame_that_says_something_decides(self):
        cargo = "/c/registry/src/index/"
        attacks = ("get_rook_moves", cargo + "cozy-chess-types-0.2.2/src/sliders.rs")
        for frames, part in (
            ([attacks, ("exchange", "/r/src/chess/probe/see.rs")], "ordering"),
            ([attacks, ("check", cargo + "cozy-chess-0.3.4/src/board/movegen/mod.rs")], "move generation"),
            ([("play_unchecked", cargo + "cozy-chess-0.3.4/src/board/mod.rs")], "making moves"),
            ([("get", "/rustc/x/core/src/slice/mod.rs"), ("settle", "/r/src/bstar/settled/visit.rs")], "graph"),
            ([("get", "/r/src/chess/probe/table.rs"), ("node", "/r/src/chess/probe/search.rs")], "table"),
            ([("memset", "??")], "other"),
            ([], "other"),
        ):
            self.assertEqual(part_of(frames), part, frames)


class PlanTest(unittest.TestCase):
    def test_every_match_can_be_told_to_match_py(self):
        names = [match.name for match in plan()]
        self.assertEqual(len(names), len(set(names)))
        for match in plan():
            words = dict(zip(*[iter(match.words("/a b/regulus"))] * 2))
            limits = parse_limits({match.limit[0]: match.limit[1]}, "match")
            first = parse_engine(words["--engine1"], limits)
            second = parse_engine(words["--engine2"], limits)
            self.assertEqual((first.command, first.options), (("/a b/regulus",), match.first))
            self.assertNotEqual(first.name, second.name)
            self.assertEqual(int(words["--games"]) % 2, 0)


class PageTest(unittest.TestCase):
    def test_the_committed_page_is_made_of_the_committed_results(self):
        results, suites = read_all(DOCS / "results")
        page = (DOCS / report.PAGE).read_text(encoding="utf-8")
        self.assertEqual(filled(page, blocks(results, suites)), page, "scripts/report.py --render")
        for name, told in pictures(results, suites).items():
            self.assertEqual((DOCS / name).read_text(encoding="utf-8"), told, "scripts/report.py --render")
            self.assertIn(f"({name})", page)

    def test_a_missing_marker_is_told(self):
        with self.assertRaises(SpecError):
            filled("nothing here", {"twin": "x"})
        self.assertEqual(filled("<!-- a -->\nold\n<!-- /a -->", {"a": r"\1 new"}), "<!-- a -->\n\\1 new\n<!-- /a -->")


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs, self.games = Path(folder.name) / "docs", Path(folder.name) / "games"
        self.docs.mkdir()
        shutil.copy(DOCS / report.PAGE, self.docs)
        self.words = ["--engine", support.engine_path(), "--docs", str(self.docs), "--matches", str(self.games)]
        self.words += ["--label", "here"]

    def run_with(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = report.main([*self.words, *words])
        return code, out.getvalue()

    def test_a_suite_and_a_match(self):
        code, told = self.run_with("--suite", str(SUITE), "--seconds", "0.05", "--only", "suite:*")
        self.assertEqual(code, 0, told)
        data = json.loads((self.docs / "results" / "suite-tactics.json").read_text())
        self.assertEqual(sorted(data["modes"]), ["B*", "alpha-beta"])
        self.assertEqual(data["modes"]["B*"][0] is None, False, "a mate in one")
        work = report.Report(report.arguments().parse_args(self.words))
        match = Match("twin:tiny", BSTAR | {"Hash": "1"}, TWIN | {"Hash": "1"}, ("nodes", "30"), 2)
        self.assertFalse(work.is_done(match))
        self.assertEqual(work.play(match), 0)
        self.assertTrue(work.is_done(match))
        page = (self.docs / report.PAGE).read_text()
        self.assertIn("| 30 nodes | 2 |", page)
        self.assertIn("| tactics | 4 | B* |", page)
        tree = xml.etree.ElementTree.fromstring((self.docs / "bstar-suite-tactics.svg").read_text())
        self.assertTrue(tree.findall("{*}polyline"))
        result = self.docs / "results" / "twin-tiny.json"
        stats = json.loads(result.read_text())["stats"]
        self.assertGreaterEqual(stats[0]["tree_nodes"], stats[0]["ended_moves"])
        self.assertGreater(stats[0]["ended_moves"], 0)
        self.assertNotIn("ended_moves", {key for key, value in stats[1].items() if value})
        first = next(self.games.rglob("twin-tiny.jsonl"))
        code, told = self.run_with("--more", f"twin:tiny={first}")
        self.assertEqual((code, "already" in told), (2, True), told)
        self.assertEqual(json.loads(result.read_text())["games"], 2)
        later = first.with_name("later.jsonl")
        later.write_text(first.read_text().replace('"seed":1', '"seed":2'))
        part = f"twin:tiny={later}"
        self.assertEqual(self.run_with("--more", part)[0], 0)
        both = json.loads(result.read_text())
        self.assertEqual((both["games"], sum(both["pairs"])), (4, 2))
        self.assertEqual(both["stats"][0]["moves"], 2 * stats[0]["moves"])
        self.assertEqual(both["stats"][0]["longest"], stats[0]["longest"])
        code, told = self.run_with("--more", part, "--label", "there")
        self.assertEqual((code, "label" in told), (2, True), told)
        self.assertEqual(self.run_with("--add", part)[0], 0)
        self.assertEqual(json.loads(result.read_text())["games"], 2)

    def test_lists_refusals_and_bad_words(self):
        code, told = self.run_with("--list")
        self.assertEqual(code, 0)
        self.assertIn("frontier:8", told)
        self.assertEqual(self.run_with("--add", "nonsense")[0], 2)
        self.assertEqual(self.run_with("--add", "twin:x=/no/such/file")[0], 2)


if __name__ == "__main__":
    unittest.main()
