"""python-chess drives the engine, and finds nothing to complain about: no test may make it log a warning."""

import asyncio
import logging
import unittest

import chess.engine
import support
from chess.engine import Limit

import chess

# Nodes for a move where only the protocol matters.
FEW = Limit(nodes=2000)

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 1 6"
CASTLING_960 = "1k3r1r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhf - 0 1"


class _Collector(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


class ClientTest(unittest.TestCase):
    """A fresh engine for each test."""

    def setUp(self):
        self.log = _Collector()
        logger = logging.getLogger("chess.engine")
        logger.addHandler(self.log)
        self.addCleanup(logger.removeHandler, self.log)
        self.engine = chess.engine.SimpleEngine.popen_uci(support.engine_path(), timeout=60)
        self.addCleanup(self.close)

    def close(self):
        if self.engine.protocol.returncode.done():
            return
        self.engine.quit()
        self.assertEqual(self.engine.protocol.returncode.result(), 0)

    def tearDown(self):
        self.assertEqual(self.log.lines, [], "python-chess complained")

    def modes(self):
        """Sets each value of SearchMode in turn; does nothing, once, where there is no such option."""
        option = self.engine.options.get("SearchMode")
        if option is None:
            yield None
            return
        for mode in option.var:
            self.engine.configure({"SearchMode": mode})
            yield mode

    def check_info(self, board, info):
        self.assertIn("score", info)
        self.assertGreaterEqual(info["depth"], 1)
        self.assertGreaterEqual(info["seldepth"], 1)
        for key in ("nodes", "nps", "time", "hashfull"):
            self.assertIn(key, info)
        walk = board.copy()
        self.assertTrue(info["pv"])
        for move in info["pv"]:
            self.assertFalse(walk.is_game_over(), "the line goes on after the end of the game")
            self.assertIn(move, walk.legal_moves)
            walk.push(move)

    def test_declares_what_the_tools_rely_on(self):
        self.assertTrue(self.engine.id["name"])
        self.assertTrue(self.engine.id["author"])
        for name in ("Hash", "Ponder", "Move Overhead", "UCI_Chess960"):
            self.assertIn(name, self.engine.options)

    def test_every_option_takes_its_default_and_its_values(self):
        for option in self.engine.options.values():
            if option.is_managed():
                continue
            with self.subTest(option=option.name):
                if option.type == "button":
                    self.engine.configure({option.name: None})
                    continue
                for value in option.var or [option.default]:
                    self.engine.configure({option.name: value})
                self.engine.configure({option.name: option.default})
                self.engine.ping()

    def test_plays_a_game_in_each_mode(self):
        for mode in self.modes():
            board, game = chess.Board(), object()
            while not board.is_game_over(claim_draw=True) and board.ply() < 30:
                result = self.engine.play(board, FEW, game=game, info=chess.engine.INFO_ALL)
                self.assertIn(result.move, board.legal_moves)
                self.check_info(board, result.info)
                self.assertEqual(result.info["pv"][0], result.move, mode)
                board.push(result.move)

    def test_plays_on_the_clock_in_each_mode(self):
        for _ in self.modes():
            board, game = chess.Board(MIDDLEGAME), object()
            for _ in range(6):
                limit = Limit(white_clock=2.0, black_clock=2.0, white_inc=0.02, black_inc=0.02)
                board.push(self.engine.play(board, limit, game=game).move)

    def test_every_limit_is_answered(self):
        board = chess.Board(MIDDLEGAME)
        limits = [
            Limit(time=0.05),
            Limit(depth=1),
            Limit(depth=3),
            Limit(nodes=1),
            Limit(nodes=3000),
            Limit(mate=1, time=0.2),
            Limit(white_clock=0.5, black_clock=0.5),
            Limit(white_clock=0.5),
            Limit(black_clock=0.5),
            Limit(white_clock=0.001, black_clock=60),
            Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01, remaining_moves=2),
            Limit(white_clock=30, black_clock=30, nodes=500),
        ]
        for _ in self.modes():
            for limit in limits:
                with self.subTest(limit=limit):
                    self.assertIn(self.engine.play(board, limit, game=object()).move, board.legal_moves)

    def test_equal_node_limits_give_equal_moves(self):
        for _ in self.modes():
            found = []
            for _ in range(2):
                info = self.engine.analyse(chess.Board(MIDDLEGAME), Limit(nodes=8000), game=object())
                found.append((info["pv"], info["score"], info["nodes"]))
            self.assertEqual(found[0], found[1])

    def test_root_moves_are_obeyed(self):
        board = chess.Board(MIDDLEGAME)
        wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
        for _ in self.modes():
            self.assertIn(self.engine.play(board, FEW, root_moves=wanted).move, wanted)

    def test_analyses_until_it_is_stopped(self):
        board = chess.Board(MIDDLEGAME)
        for _ in self.modes():
            with self.engine.analysis(board) as analysis:
                seen = 0
                for info in analysis:
                    seen += "pv" in info
                    if seen == 3:
                        break
                analysis.stop()
                best = analysis.wait()
            self.check_info(board, analysis.info)
            self.assertIn(best.move, board.legal_moves)

    def test_analyses_a_whole_game_back_and_forth(self):
        moves = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6".split()
        for count in (10, 8, 9, 0, 5, 10):
            board = chess.Board()
            for move in moves[:count]:
                board.push_uci(move)
            self.check_info(board, self.engine.analyse(board, FEW, game="the same"))

    def test_mates_have_the_right_length_and_sign(self):
        cases = [
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
            ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
            ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
            # Black to move, and every move is answered by mate.
            ("7k/5K2/8/8/8/8/8/6R1 b - - 0 1", -1),
        ]
        for _ in self.modes():
            for fen, moves in cases:
                with self.subTest(fen=fen):
                    info = self.engine.analyse(chess.Board(fen), Limit(nodes=100_000), game=object())
                    self.assertEqual(info["score"].relative, chess.engine.Mate(moves))
                    # A line may be cut short by a table, but never be longer than the mate.
                    self.assertLessEqual(len(info["pv"]), 2 * moves - 1 if moves > 0 else -2 * moves)

    def test_a_finished_game_has_no_move(self):
        mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
        for _ in self.modes():
            for fen in (mated, stalemate):
                self.assertIsNone(self.engine.play(chess.Board(fen), FEW).move)

    def test_ponders(self):
        for _ in self.modes():
            board, game = chess.Board(), object()
            limit = Limit(white_clock=5.0, black_clock=5.0, white_inc=0.05, black_inc=0.05)
            hits = 0
            for turn in range(6):
                result = self.engine.play(board, limit, game=game, ponder=True)
                self.assertIn(result.move, board.legal_moves)
                board.push(result.move)
                # Every other time the expected reply, else the first that is not.
                others = [move for move in board.legal_moves if move != result.ponder]
                expected = result.ponder is not None and turn % 2 == 0
                hits += expected
                board.push(others[0] if others and not expected else result.ponder)
            self.assertGreater(hits, 0)

    def test_multipv_if_it_is_declared(self):
        if "MultiPV" not in self.engine.options:
            self.skipTest("MultiPV is not declared")
        board = chess.Board(MIDDLEGAME)
        for _ in self.modes():
            infos = self.engine.analyse(board, Limit(nodes=20_000), multipv=3)
            self.assertEqual([info["multipv"] for info in infos], [1, 2, 3])
            self.assertEqual(len({info["pv"][0] for info in infos}), 3)
            scores = [info["score"].relative for info in infos]
            self.assertEqual(scores, sorted(scores, reverse=True), "not in order")
            for info in infos:
                self.check_info(board, info)

    def test_chess960(self):
        for _ in self.modes():
            for number in (0, 518, 959):
                board, game = chess.Board.from_chess960_pos(number), object()
                for _ in range(8):
                    result = self.engine.play(board, Limit(nodes=500), game=game)
                    self.assertIn(result.move, board.legal_moves)
                    board.push(result.move)

    def test_chess960_castling_is_king_takes_rook(self):
        board = chess.Board(CASTLING_960, chess960=True)
        castling = chess.Move.from_uci("e1h1")
        self.assertIn(castling, board.legal_moves)
        for _ in self.modes():
            result = self.engine.play(board, FEW, root_moves=[castling], game=object())
            self.assertEqual(result.move, castling)
            after = board.copy()
            after.push(castling)
            self.assertIn(self.engine.play(after, FEW).move, after.legal_moves)

    def test_castling_in_usual_chess_is_a_king_step(self):
        board = chess.Board(MIDDLEGAME)
        castling = chess.Move.from_uci("e1g1")
        for _ in self.modes():
            self.assertEqual(self.engine.play(board, FEW, root_moves=[castling]).move, castling)

    def test_win_draw_loss_if_it_is_declared(self):
        if "UCI_ShowWDL" not in self.engine.options:
            self.skipTest("UCI_ShowWDL is not declared")
        self.engine.configure({"UCI_ShowWDL": True})
        for _ in self.modes():
            info = self.engine.analyse(chess.Board(), FEW)
            self.assertEqual(info["wdl"].relative.total(), 1000)
            # Who is a queen up wins, from either side.
            info = self.engine.analyse(chess.Board("3qk3/8/8/8/8/8/4P3/4K3 w - - 0 1"), FEW)
            self.assertGreater(info["wdl"].black().wins, info["wdl"].white().wins)


    def test_weaker_play_is_fewer_nodes_in_each_mode(self):
        option = self.engine.options["UCI_Elo"]
        board = chess.Board(MIDDLEGAME)
        limit = Limit(white_clock=600, black_clock=600)
        for _ in self.modes():
            used = []
            for elo in (option.min, option.max):
                self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
                result = self.engine.play(board, limit, game=object(), info=chess.engine.INFO_ALL)
                self.assertIn(result.move, board.legal_moves)
                self.check_info(board, result.info)
                self.assertEqual(result.info["pv"][0], result.move)
                used.append(result.info["nodes"])
            self.assertLess(used[0], used[1])
            # python-chess sets UCI_AnalyseMode for an analysis, which is at full strength.
            info = self.engine.analyse(board, Limit(nodes=2 * used[1]), game=object())
            self.assertGreater(info["nodes"], used[1])
            self.engine.configure({"UCI_LimitStrength": False})

    def test_a_weak_game_is_the_same_with_the_same_seed(self):
        self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": self.engine.options["UCI_Elo"].min})
        limit = Limit(white_clock=600, black_clock=600)
        for _ in self.modes():
            games = []
            for seed in (5, 5, 6):
                self.engine.configure({"StrengthSeed": seed})
                board, game = chess.Board(), object()
                while board.ply() < 12:
                    board.push(self.engine.play(board, limit, game=game, ponder=board.ply() == 4).move)
                games.append(board.move_stack)
            self.assertEqual(games[0], games[1])
            self.assertNotEqual(games[0], games[2])

    def test_contempt_is_for_games_and_not_for_analysis(self):
        # White's only move takes the rook and leaves bare kings.
        board = chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
        self.engine.configure({"Contempt": 37})
        for _ in self.modes():
            played = self.engine.play(board, Limit(depth=4), info=chess.engine.INFO_SCORE)
            self.assertEqual(played.info["score"].relative, chess.engine.Cp(-37))
            # UCI_AnalyseMode is python-chess's to set: it is on in an analysis.
            analysed = self.engine.analyse(board, Limit(depth=4))
            self.assertEqual(analysed["score"].relative, chess.engine.Cp(0))

    def test_analyse_mode_leaves_limits_alone(self):
        # python-chess sets it by itself, unless somebody has set it.
        board = chess.Board(MIDDLEGAME)
        for _ in self.modes():
            info = self.engine.analyse(board, Limit(nodes=5000), game=object())
            self.assertGreater(info["nodes"], 4000)
            self.assertIn(self.engine.play(board, Limit(nodes=5000)).move, board.legal_moves)
        for value in (True, False):
            self.engine.configure({"UCI_AnalyseMode": value})
            limit = Limit(white_clock=0.4, black_clock=0.4)
            self.assertIn(self.engine.play(board, limit).move, board.legal_moves)

    def test_a_missing_folder_of_tables_is_told_and_the_engine_plays_on(self):
        for folder in ("/no/such/folder", "/no/such:/folder;at all"):
            self.engine.configure({"SyzygyPath": folder})
            board = chess.Board("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
            with self.engine.analysis(board, Limit(nodes=2000)) as analysis:
                told = [info["string"] for info in analysis if "string" in info]
            self.assertIn(analysis.wait().move, board.legal_moves)
            self.assertEqual(analysis.info["tbhits"], 0)
            self.assertFalse([line for line in told if "internal error" in line])


class EndTest(unittest.TestCase):
    """How the process ends."""

    def test_leaves_when_its_input_ends_in_an_endless_search(self):
        async def script():
            transport, engine = await chess.engine.UciProtocol.popen(support.engine_path())
            await engine.initialize()
            await engine.analysis(chess.Board())
            transport.get_pipe_transport(0).close()
            return await asyncio.wait_for(asyncio.shield(engine.returncode), 30)

        self.assertEqual(asyncio.run(script()), 0)


if __name__ == "__main__":
    unittest.main()
