"""The regret test: positions with their games, the cache, the statistics, and the whole with the real engine."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import support
from laboratory.cache import Cache
from laboratory.positions import board_of, read_places, text_of
from laboratory.regret import Loss, Told, losses, mean, table, value_table
from laboratory.uci import Engine, go_words, identity
from matchplay.spec import Limits, SpecError, parse_engine

import chess
import regret

POSITIONS = (
    "# two positions\n"
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 moves g1f3 g8f6\n\n"
    "8/8/8/8/8/4k3/8/4K2R w K - 0 1\n"
)


class PositionsTest(unittest.TestCase):
    def test_the_game_since_the_last_capture_or_pawn_move_is_kept(self):
        board = chess.Board()
        for move in ("e2e4", "g8f6", "g1f3", "f6g8", "f3g1"):
            board.push_uci(move)
        text = text_of(board)
        self.assertTrue(text.endswith(" moves g8f6 g1f3 f6g8 f3g1"), text)
        self.assertEqual(board_of(text).fen(), board.fen())
        self.assertTrue(board_of(text).is_repetition(2))

    def test_a_file_of_positions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "p"
            path.write_text(POSITIONS)
            self.assertEqual([place.phase for place in read_places(path)], ["opening", "endgame"])
            for bad in ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/4k3/8/4K2R w K - 0 1 moves e1e8", "# nothing"):
                path.write_text(bad)
                with self.assertRaises(SpecError, msg=bad):
                    read_places(path)

    def test_the_committed_positions_are_sound(self):
        places = read_places(support.SCRIPTS / "regret.positions")
        self.assertGreaterEqual(len(places), 300)
        self.assertEqual(len({place.text for place in places}), len(places))


class CacheTest(unittest.TestCase):
    def test_what_is_known_is_not_made_again_and_a_torn_line_is(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "deep" / "cache.jsonl"
            cache = Cache(path)
            self.assertEqual(cache.get(("a", "b"), lambda: 1), 1)
            self.assertEqual(cache.get(("a", "b"), lambda: 2), 1)
            self.assertEqual(cache.get(("c",), lambda: {"x": 3}), {"x": 3})
            cache.close()
            path.write_bytes(path.read_bytes()[:-3])
            cache = Cache(path)
            self.assertEqual(cache.get(("a", "b"), lambda: 2), 1)
            self.assertEqual(cache.get(("c",), lambda: 4), 4)
            cache.close()
            self.assertEqual(len(path.read_text().splitlines()), 3)
            again = Cache(path)
            self.assertEqual(dict(again.items()), {("a", "b"): 1, ("c",): 4})
            again.close()


class StatisticsTest(unittest.TestCase):
    def test_mean_by_hand(self):
        found = mean([1, 2, 3, 4])
        self.assertEqual(found.value, 2.5)
        self.assertAlmostEqual(found.error, 1.959964 * (5 / 3 / 4) ** 0.5, places=5)

    def test_losses_are_against_the_best_known_and_decided_is_decided(self):
        self.assertEqual(losses(("a", "b"), {"a": 10, "b": 40, "c": 30}), (30, 0))
        self.assertEqual(losses(("a", "b"), {"a": 29_990, "b": 1_500}), (0, 0))
        self.assertEqual(losses(("a", "b"), {"a": -29_990, "b": 100}), (1_100, 0))

    def test_table(self):
        found = [
            Loss("opening", ("a", "b"), (60, 0)),
            Loss("endgame", ("a", "a"), (5, 5)),
            Loss("endgame", ("a", "b"), (0, 1)),
        ]
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(found, ("A", "B")).splitlines()]
        self.assertEqual(rows[2][:5] + rows[2][6:], ["all", "3", "66.7 %", "21.67", "2.00", "33.3 %", "0.0 %"])
        self.assertTrue(rows[2][5].startswith("+19.67 +- "))
        self.assertEqual([row[:2] for row in rows[3:]], [["opening", "1"], ["endgame", "2"]])

    def test_value_table_leaves_out_what_has_no_value(self):
        pair = (Told("opening", 30, 80), Told("opening", -20, -20))
        line = value_table([pair, (None, pair[1])], ("A", "B")).splitlines()[2]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        self.assertEqual(cells[:4], ["all", "1", "50.00", "0.00"])


class EngineTest(unittest.TestCase):
    def spec(self, text="", nodes=500):
        return parse_engine(f'cmd="{support.engine_path()}" option.Hash=1 {text}', Limits(nodes=nodes))

    def test_the_same_question_has_the_same_answer(self):
        with Engine(self.spec()) as engine:
            position = chess.STARTING_FEN + " moves e2e4"
            first = engine.search(position)
            engine.search(chess.STARTING_FEN)
            self.assertEqual(engine.search(position), first)
            self.assertEqual(engine.search(position, ["a7a6"]).move, "a7a6")
            self.assertEqual(engine.search(position, limits=Limits(depth=2)).depth, 2)

    def test_what_cannot_be_is_refused(self):
        with self.assertRaises(SpecError):
            Engine(self.spec("option.Nonsense=1"))
        with self.assertRaises(SpecError):
            Engine(parse_engine("cmd=/no/such/program", Limits(nodes=1)))
        with self.assertRaises(SpecError):
            go_words(parse_engine("cmd=x tc=1+1", Limits()).limits)

    def test_identity(self):
        self.assertEqual(identity(self.spec("name=x")), identity(self.spec("name=y")))
        self.assertNotEqual(identity(self.spec()), identity(self.spec(nodes=501)))
        self.assertNotEqual(identity(self.spec()), identity(self.spec("option.SearchMode=AlphaBeta")))
        one, other = (parse_engine(f"cmd={program} name=r", Limits(nodes=9)) for program in ("x", "y"))
        self.assertEqual(identity(one, with_program=False), identity(other, with_program=False))
        self.assertNotEqual(
            identity(one, with_program=False),
            identity(parse_engine("cmd=x name=q", Limits(nodes=9)), with_program=False),
        )

    def test_the_whole_is_resumable(self):
        with tempfile.TemporaryDirectory() as folder:
            positions = Path(folder) / "positions"
            positions.write_text(POSITIONS)
            engine = f'cmd="{support.engine_path()}" option.Hash=1'
            words = ["--a", engine, "--b", engine + " option.SearchMode=AlphaBeta name=twin", "--nodes", "300"]
            words += ["--reference", engine + " option.SearchMode=AlphaBeta", "--reference-nodes", "6000"]
            words += ["--positions", str(positions), "--cache", str(Path(folder) / "cache"), "--concurrency", "2"]
            for mode, known in (([], 2), (["--values"], 6)):
                told = [self.run_with(words + mode) for _ in range(2)]
                self.assertEqual(told[0], told[1])
                self.assertIn("| all | 2 |", told[0])
                answers = (Path(folder) / "cache" / "answers.jsonl").read_text().splitlines()
                self.assertGreaterEqual(len(answers), known)
            self.assertEqual(self.code(words + ["--reference-nodes", "599"]), 2)

    def run_with(self, words):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(self.code(words), 0)
        return out.getvalue()

    def code(self, words):
        with contextlib.redirect_stderr(io.StringIO()):
            return regret.main(words)


if __name__ == "__main__":
    unittest.main()
