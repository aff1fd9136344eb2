"""scripts/match.py end to end with a fake engine, and its parsing."""

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import chess.engine
import chess.pgn
import support
from match import parse_sprt
from matchplay.game import SideStats
from matchplay.openings import read_openings, shuffled
from matchplay.players import Thought, read_infos
from matchplay.spec import (
    Clock,
    Limits,
    SpecError,
    parse_clock,
    parse_draw_rule,
    parse_engine,
    parse_limits,
)

from matchplay.stats import Sprt

import chess

OPENINGS = (
    'rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - c0 "moves d2d4 g8f6";\n'
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
)


class ParsingTest(unittest.TestCase):
    def test_clocks(self):
        self.assertEqual(parse_clock("2+0.02"), Clock(2.0, 0.02))
        self.assertEqual(parse_clock("40/60+1"), Clock(60.0, 1.0, 40))
        self.assertEqual(parse_clock("10"), Clock(10.0))
        for bad in ("", "x", "-1+1", "0+1", "2+", "1:00"):
            with self.assertRaises(SpecError, msg=bad):
                parse_clock(bad)

    def test_engine(self):
        text = "cmd='a/b -x \"y z\"' option.Hash=16 'option.Move Overhead=20' nodes=100"
        engine = parse_engine(text, Limits(movetime=1.0))
        self.assertEqual(engine.command, ("a/b", "-x", "y z"))
        self.assertEqual(engine.name, "b")
        self.assertEqual(engine.options, {"Hash": "16", "Move Overhead": "20"})
        self.assertEqual(engine.limits, Limits(nodes=100))

    def test_engine_inherits_the_limits(self):
        self.assertEqual(parse_engine("cmd=x", Limits(depth=3)).limits, Limits(depth=3))

    def test_bad_engines(self):
        default = Limits(depth=3)
        for bad in (
            "name=x",
            "cmd=x typo=1",
            "cmd=x proto=uce",
            "cmd=x nodes=0",
            "cmd=x cmd=y",
            "cmd=x 'open",
            "cmd=x y",
        ):
            with self.assertRaises(SpecError, msg=bad):
                parse_engine(bad, default)
        with self.assertRaises(SpecError):
            parse_engine("cmd=x", Limits())
        with self.assertRaises(SpecError):
            parse_limits({"tc": "1+1", "movetime": "1"}, "match")

    def test_sprt(self):
        self.assertEqual(parse_sprt("0,5"), Sprt(0, 5))
        self.assertEqual(parse_sprt("elo0=-3,elo1=1,alpha=0.1"), Sprt(-3, 1, alpha=0.1))
        self.assertIsNone(parse_sprt(None))
        for bad in ("5", "5,0", "0,5,6", "elo0=0", "elo0=0,elo2=5", "a,b"):
            with self.assertRaises(SpecError, msg=bad):
                parse_sprt(bad)

    def test_adjudication_rules(self):
        rule = parse_draw_rule("from=40,moves=8,score=10")
        self.assertEqual((rule.start, rule.moves, rule.score), (40, 8, 10))
        with self.assertRaises(SpecError):
            parse_draw_rule("from=40")


class InfoTest(unittest.TestCase):
    def read(self, *lines):
        thought = Thought(None, 0.0)
        read_infos(list(lines), thought)
        return thought

    def test_last_exact_score_of_the_first_line_counts(self):
        thought = self.read(
            "info depth 8 multipv 1 score cp 31 nodes 500 pv e2e4 e7e5",
            "info depth 8 multipv 2 score cp 11 nodes 510 pv d2d4",
            "info depth 9 score cp 90 lowerbound nodes 600 pv d2d4",
        )
        self.assertEqual((thought.score, thought.depth, thought.nodes), (chess.engine.Cp(31), 8, 600))
        self.assertEqual(thought.pv, ["e2e4", "e7e5"])

    def test_mate(self):
        self.assertEqual(self.read("info depth 3 score mate -2 pv a2a1q").score, chess.engine.Mate(-2))

    def test_words_in_a_string_are_no_fields(self):
        self.assertIsNone(self.read("info string depth 4 score cp 3 nodes 7").score)

    def test_graph_statistics(self):
        told = "info string best [{}] rival d2d4 [{}] strategy x expansions 41 graph 99 nodes, line 4 plies"
        thought = self.read(
            "info string best [-12, +30] no rival strategy x expansions 1 graph 2 nodes, line 1 ply",
            told.format("-12, +30", "-inf, +20"),
        )
        self.assertEqual((thought.graph_nodes, thought.line_plies, thought.expansions), (99, 4, 41))
        self.assertIs(thought.separated, False)
        for best, rival in (
            ("+20, +30", "-inf, +20"),
            ("mate 3, mate 3", "-5, +500"),
            ("-5, +1", "mate -9, mate -2"),
        ):
            self.assertIs(self.read(told.format(best, rival)).separated, True, best)
        self.assertIs(self.read(told.format("-inf, +inf", "-inf, +inf")).separated, False)
        self.assertIs(self.read("info string best [-1, +1] no rival strategy x").separated, True)
        self.assertIsNone(self.read("info depth 1 score cp 1").separated)

    def test_how_a_search_ended(self):
        told = "info string best [-1, +1] no rival strategy x expansions 1 graph 900 nodes, line 2 plies, ended {}"
        thought = self.read(told.format("only move with a tree of 51 nodes after 43 % of the time"))
        self.assertEqual((thought.ended, thought.tree_nodes, thought.time_used), ("only move", 51, 43))
        self.assertEqual((thought.graph_nodes, thought.line_plies), (900, 2))
        thought = self.read(told.format("interrupted with a tree of 1 nodes"))
        self.assertEqual((thought.ended, thought.tree_nodes, thought.time_used), ("interrupted", 1, None))

    def test_endings_are_summed(self):
        board, stats = chess.Board(), SideStats()
        for ended, used in (("separated", 40), ("budget", 110), ("separated", 130), ("interrupted", None)):
            stats.add(Thought(None, 0.1, ended=ended, tree_nodes=10, time_used=used), board)
        self.assertEqual((stats.ended_moves, stats.tree_nodes, stats.ended_separated), (4, 40, 2))
        self.assertEqual((stats.timed_moves, stats.time_used, stats.time_saved), (3, 280, 60))


class OpeningsTest(unittest.TestCase):
    def write(self, text, suffix=".epd"):
        file = tempfile.NamedTemporaryFile("w", suffix=suffix, delete=False)
        self.addCleanup(Path(file.name).unlink)
        with file:
            file.write(text)
        return Path(file.name)

    def test_epd_and_fen(self):
        first, second = read_openings(self.write(OPENINGS), False)
        self.assertEqual((first.fen, first.moves), (chess.STARTING_FEN, ("d2d4", "g8f6")))
        self.assertEqual(second.board().fullmove_number, 2)

    def test_pgn(self):
        (opening,) = read_openings(self.write("1. e4 e5 *\n", ".pgn"), False)
        self.assertEqual(opening.moves, ("e2e4", "e7e5"))

    def test_bad_files(self):
        wrong_moves = OPENINGS.splitlines()[0].replace("g8f6", "g8h6")
        mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        for text in ("", "nonsense\n", wrong_moves, mate):
            with self.assertRaises(SpecError, msg=text):
                read_openings(self.write(text), False)
        with self.assertRaises(SpecError):
            read_openings(Path("/no/such/file.epd"), False)

    def test_our_own_sets(self):
        for name, chess960, least in (("openings.epd", False, 250), ("openings960.epd", True, 50)):
            openings = read_openings(support.SCRIPTS / name, chess960)
            self.assertGreaterEqual(len(openings), least)
            # No position twice, by whatever order of moves.
            self.assertEqual(len({opening.board().epd() for opening in openings}), len(openings))
            if not chess960:
                self.assertTrue(all(opening.moves for opening in openings), "the history is known")

    def test_order_depends_on_the_seed_only(self):
        openings = list(range(50))
        self.assertEqual(shuffled(openings, 3), shuffled(openings, 3))
        self.assertNotEqual(shuffled(openings, 3), shuffled(openings, 4))
        self.assertEqual(shuffled(openings, 0), openings)


class MatchTest(unittest.TestCase):
    """Real matches, of few and short games."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "openings.epd").write_text(OPENINGS)

    def command(self, first, second, *more, games=2):
        words = [sys.executable, str(support.SCRIPTS / "match.py"), "--engine1", first, "--engine2", second]
        words += ["--openings", str(self.folder / "openings.epd"), "--out", str(self.folder / "out")]
        return words + ["--games", str(games), "--max-plies", "12", *more]

    def match(self, first, second, *more, games=2):
        words = self.command(first, second, *more, games=games)
        return subprocess.run(words, capture_output=True, text=True, timeout=120)

    def lines(self):
        return [json.loads(line) for line in (self.folder / "out.jsonl").read_text().splitlines()]

    def test_a_clean_match(self):
        a, b = support.fake_engine_spec("a"), support.fake_engine_spec("b")
        done = self.match(a, b, "--tc", "10+0.1", "--strict", "--concurrency", "2", games=4)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("W/D/L       0/4/0", done.stdout)
        self.assertIn("faults of a: none", done.stdout)
        self.assertRegex(done.stdout, r"a +\d+ .* 20 +20 +12\.0 +3\.00 +4\.0 +100\.0 %")
        with open(self.folder / "out.pgn") as file:
            games = [chess.pgn.read_game(file) for _ in range(4)]
        self.assertEqual(sorted(game.headers["Round"] for game in games), ["1.1", "1.2", "2.1", "2.2"])
        self.assertEqual(sum(game.headers["White"] == "a" for game in games), 2)
        self.assertRegex(str(games[0]), r"\{ \+0\.07/1 \d\.\d+s n=20 \}")

    def fault(self, behaviour, *more):
        a, b = support.fake_engine_spec("good"), support.fake_engine_spec("bad", *behaviour)
        done = self.match(a, b, *(more or ("--nodes", "5")), "--strict")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("faults of good: none", done.stdout)
        # Ply 2 is White's, so the engine misbehaves in the game in which it has White, and is there again for
        # the other.
        self.assertIn("W/D/L       1/1/0", done.stdout)
        return done.stdout

    def test_illegal_move(self):
        self.assertIn("faults of bad: 1 illegal move", self.fault(("--illegal", "2")))

    def test_crash(self):
        self.assertIn("faults of bad: 1 crash", self.fault(("--crash", "2")))

    def test_disconnect(self):
        self.assertIn("faults of bad: 1 disconnect", self.fault(("--leave", "2")))

    def test_time_loss(self):
        told = self.fault(("--hang", "2"), "--movetime", "0.5", "--margin", "500")
        self.assertIn("faults of bad: 1 time loss", told)

    def test_stall_without_a_clock(self):
        self.assertIn("faults of bad: 1 stall", self.fault(("--hang", "2"), "--nodes", "5", "--stall", "1"))

    def test_goes_on_where_it_was_interrupted(self):
        a, b = support.fake_engine_spec("a"), support.fake_engine_spec("b")
        self.assertEqual(self.match(a, b, "--nodes", "5").returncode, 0)
        # As if the power had failed in the middle of the second game's line.
        content = (self.folder / "out.jsonl").read_bytes().splitlines(keepends=True)
        (self.folder / "out.jsonl").write_bytes(b"".join(content[:2]) + content[2][:40])
        done = self.match(a, b, "--nodes", "5", games=4)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("going on after 1 games", done.stderr)
        self.assertEqual(sorted(line["number"] for line in self.lines()[1:]), [0, 1, 2, 3])
        self.assertEqual((self.folder / "out.pgn").read_text().count("[Event "), 4)

    @unittest.skipIf(os.name == "nt", "sends SIGINT as a terminal does")
    def test_ctrl_c_ends_the_match_and_keeps_the_games(self):
        words = self.command(
            support.fake_engine_spec("a"), support.fake_engine_spec("b"), "--nodes", "5", games=5000
        )
        # A shell's background jobs are born deaf to SIGINT, and so are their children: this one is to hear it.
        hear = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(words, **pipes, text=True, preexec_fn=hear) as process:
            results = self.folder / "out.jsonl"
            while process.poll() is None and (not results.exists() or results.read_bytes().count(b"\n") < 3):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            try:
                told, errors = process.communicate(timeout=60)
            finally:
                process.kill()
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        self.assertIn("W/D/L", told)
        self.assertGreaterEqual(len(self.lines()), 3)

    def test_refuses_other_settings(self):
        a, b = support.fake_engine_spec("a"), support.fake_engine_spec("b")
        self.assertEqual(self.match(a, b, "--nodes", "5").returncode, 0)
        done = self.match(a, b, "--nodes", "6")
        self.assertEqual(done.returncode, 2)
        self.assertIn("engines", done.stderr)
        self.assertIn("nodes", done.stderr)

    def test_tells_what_is_wrong_with_an_engine(self):
        done = self.match("cmd=/no/such/engine name=x", support.fake_engine_spec("b"), "--nodes", "5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/engine", done.stderr)
        done = self.match(
            support.fake_engine_spec("a"),
            support.fake_engine_spec("b", limits="option.Hush=1"),
            "--nodes",
            "5",
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("Hush", done.stderr)


if __name__ == "__main__":
    unittest.main()
