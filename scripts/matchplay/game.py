"""One game between two players: clocks, rules, faults, adjudication; and the record that is left of it."""

import dataclasses
import time
from dataclasses import dataclass, field
from typing import Optional

import chess
import chess.engine
import chess.pgn

from .openings import Opening
from .players import MATE_SCORE, ClockState, EngineFault, Patience, Player, Thought, engine_limit
from .spec import Adjudication, Limits


@dataclass
class SideStats:
    """Sums over one side's moves in a game; averages are made of them when all games are known."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    overstep: float = 0.0
    starved: float = 0.0
    nodes: int = 0
    node_moves: int = 0
    most_nodes: int = 0
    depth: int = 0
    depth_moves: int = 0
    graph_nodes: int = 0
    line_plies: int = 0
    graph_moves: int = 0
    expansions: int = 0
    expansion_moves: int = 0
    root_moves: int = 0
    separated: int = 0
    # Of the moves that told how they ended: how many, nodes of the tree below the root, ended by separation.
    ended_moves: int = 0
    tree_nodes: int = 0
    ended_separated: int = 0
    # Percent of the time meant for the move: of all that had such a time, and what separations left unused.
    timed_moves: int = 0
    time_used: int = 0
    time_saved: int = 0
    illegal_pvs: int = 0

    def add(self, thought: Thought, board: chess.Board) -> None:
        """Counts one move, thought up on `board`."""
        self.moves += 1
        self.seconds += thought.elapsed
        self.longest = max(self.longest, thought.elapsed)
        self.starved = max(self.starved, thought.starved or 0.0)
        if thought.nodes is not None:
            self.node_moves += 1
            self.nodes += thought.nodes
            self.most_nodes = max(self.most_nodes, thought.nodes)
        if thought.depth is not None:
            self.depth_moves += 1
            self.depth += thought.depth
        if thought.graph_nodes is not None:
            self.graph_moves += 1
            self.graph_nodes += thought.graph_nodes
            self.line_plies += thought.line_plies or 0
        if thought.expansions is not None:
            self.expansion_moves += 1
            self.expansions += thought.expansions
        if thought.separated is not None:
            self.root_moves += 1
            self.separated += thought.separated
        if thought.ended is not None:
            self._add_ending(thought)
        self.illegal_pvs += not _is_legal_line(board, thought.pv)

    def _add_ending(self, thought: Thought) -> None:
        separated = thought.ended == "separated"
        self.ended_moves += 1
        self.tree_nodes += thought.tree_nodes or 0
        self.ended_separated += separated
        if thought.time_used is not None:
            self.timed_moves += 1
            self.time_used += thought.time_used
            self.time_saved += max(0, 100 - thought.time_used) if separated else 0


def _is_legal_line(board: chess.Board, line: list[str]) -> bool:
    walk = board.copy(stack=False)
    for move in line:
        try:
            walk.push_uci(move)
        except ValueError:
            return False
    return True


@dataclass
class GameRecord:
    """A finished game as plain data, from which everything that is reported later can be made again."""

    number: int
    opening: int
    white: str
    black: str
    result: str
    reason: str
    plies: int
    seconds: float
    pgn: str
    # Who broke a rule, how, and what happened; or `None`.
    fault: Optional[dict] = None
    stats: dict[str, dict] = field(default_factory=dict)
    warnings: dict[str, list[str]] = field(default_factory=dict)

    def points(self, name: str) -> float:
        """Points of the engine of that name: 1, 1/2 or 0."""
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.result == "1-0") == (self.white == name))


@dataclass(frozen=True)
class Rules:
    """What holds for every game of a match."""

    margin: float
    stall: float
    adjudication: Adjudication


@dataclass
class _Ending:
    """How a game ended: `winner` is a colour, or `None` for a draw."""

    winner: Optional[chess.Color]
    reason: str
    termination: str = "normal"
    fault: Optional[dict] = None


class Game:
    """A game in progress."""

    def __init__(self, players: dict[chess.Color, Player], opening: Opening, rules: Rules) -> None:
        self.players = players
        self.rules = rules
        self.board = opening.board()
        self.book_plies = len(self.board.move_stack)
        self.clocks = {color: _new_clock(players[color].spec.limits) for color in chess.COLORS}
        self.stats = {color: SideStats() for color in chess.COLORS}
        self.thoughts: list[Thought] = []
        # White's point of view, one a move; `None` where the engine gave no score.
        self.scores: list[Optional[int]] = []

    async def play(self) -> _Ending:
        """Plays to the end."""
        while True:
            if ending := _natural_end(self.board) or self._adjudicated():
                return ending
            mover = self.board.turn
            try:
                thought = await self._move(mover)
            except EngineFault as fault:
                name = self.players[mover].spec.name
                told = {"engine": name, "kind": fault.kind, "detail": fault.detail, "fen": self.board.fen()}
                termination = "time forfeit" if fault.kind == "time loss" else "rules infraction"
                if fault.kind in ("crash", "disconnect", "stall"):
                    termination = "abandoned"
                return _Ending(not mover, f"{name}: {fault}", termination, told)
            if thought.resigned:
                return _Ending(not mover, f"{self.players[mover].spec.name} resigns")

    async def _move(self, mover: chess.Color) -> Thought:
        player, rival = self.players[mover], self.players[not mover]
        limits = player.spec.limits
        limit = engine_limit(
            limits, mover == chess.WHITE, self.clocks[mover], self.clocks[not mover], rival.spec.limits, self
        )
        thought = await player.think(self.board, limit, self, self._patience(limits, self.clocks[mover]))
        if thought.move is None:
            return thought
        stats = self.stats[mover]
        stats.add(thought, self.board)
        stats.overstep = max(stats.overstep, self._charge(limits, self.clocks[mover], thought.elapsed))
        score = thought.score.score(mate_score=MATE_SCORE) if thought.score else None
        self.scores.append(score if score is None or mover == chess.WHITE else -score)
        self.thoughts.append(thought)
        self.board.push(thought.move)
        return thought

    def _patience(self, limits: Limits, clock: ClockState) -> Patience:
        if limits.clock:
            return Patience(clock.left + self.rules.margin, "time loss")
        if limits.movetime:
            return Patience(limits.movetime + self.rules.margin, "time loss")
        return Patience(self.rules.stall, "stall")

    @staticmethod
    def _charge(limits: Limits, clock: ClockState, elapsed: float) -> float:
        """Takes a move's time off the clock; the seconds by which it overstepped (within the margin)."""
        if limits.movetime:
            return max(0.0, elapsed - limits.movetime)
        if not limits.clock:
            return 0.0
        over = max(0.0, elapsed - clock.left)
        clock.left = max(0.0, clock.left - elapsed) + limits.clock.increment
        if limits.clock.moves:
            clock.moves -= 1
            if clock.moves == 0:
                clock.moves = limits.clock.moves
                clock.left += limits.clock.base
        return over

    def _adjudicated(self) -> Optional[_Ending]:
        asked = self.rules.adjudication
        if asked.max_plies and self.board.ply() >= asked.max_plies:
            return _Ending(None, "adjudicated: ply limit", "adjudication")
        if (rule := asked.draw) and self.board.fullmove_number >= rule.start:
            recent = self._last_scores(rule.moves)
            if recent and all(abs(score) <= rule.score for score in recent):
                return _Ending(None, "adjudicated: draw by both scores", "adjudication")
        if resign := asked.resign:
            recent = self._last_scores(resign.moves)
            for winner, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
                if recent and all(sign * score >= resign.score for score in recent):
                    return _Ending(winner, "adjudicated: win by both scores", "adjudication")
        return None

    def _last_scores(self, moves: int) -> list[int]:
        """Both sides' scores of the last `moves` moves each; empty when one is missing."""
        recent = self.scores[-2 * moves :]
        known = [score for score in recent if score is not None]
        return known if len(known) == 2 * moves else []


def _new_clock(limits: Limits) -> ClockState:
    if limits.clock is None:
        return ClockState(0.0)
    return ClockState(limits.clock.base, limits.clock.moves)


def _natural_end(board: chess.Board) -> Optional[_Ending]:
    """By the rules; draws that a player may claim are claimed at once. Mate comes before the fifty moves."""
    if board.is_checkmate():
        return _Ending(not board.turn, f"{chess.COLOR_NAMES[not board.turn].capitalize()} mates")
    if board.is_stalemate():
        return _Ending(None, "stalemate")
    if board.is_insufficient_material():
        return _Ending(None, "insufficient material")
    if board.is_repetition(3):
        return _Ending(None, "threefold repetition")
    if board.halfmove_clock >= 100:
        return _Ending(None, "fifty moves")
    return None


async def play_game(
    number: int,
    opening_number: int,
    opening: Opening,
    players: dict[chess.Color, Player],
    rules: Rules,
    event: str,
) -> GameRecord:
    """Plays game `number` (from 0) and tells all about it. Raises `players.StartError`."""
    for player in players.values():
        await player.ensure_running()
        player.warnings.messages.clear()
        if player.needs_start and opening.board().root().fen() != chess.STARTING_FEN:
            raise ValueError(
                f"{player.spec.name} has no setboard: it needs openings that begin at the start position"
            )
    begun = time.monotonic()
    game = Game(players, opening, rules)
    ending = await game.play()
    names = {color: players[color].spec.name for color in chess.COLORS}
    result = {True: "1-0", False: "0-1", None: "1/2-1/2"}[ending.winner]
    return GameRecord(
        number=number,
        opening=opening_number,
        white=names[chess.WHITE],
        black=names[chess.BLACK],
        result=result,
        reason=ending.reason,
        plies=len(game.thoughts),
        seconds=round(time.monotonic() - begun, 3),
        pgn=_to_pgn(game, ending, result, number, event),
        fault=ending.fault,
        stats={names[color]: dataclasses.asdict(game.stats[color]) for color in chess.COLORS},
        warnings={
            names[c]: players[c].warnings.messages[:20] for c in chess.COLORS if players[c].warnings.messages
        },
    )


def _to_pgn(game: Game, ending: _Ending, result: str, number: int, event: str) -> str:
    tree = chess.pgn.Game.from_board(game.board)
    tree.headers["Event"] = event
    tree.headers["Site"] = "scripts/match.py"
    tree.headers["Date"] = time.strftime("%Y.%m.%d")
    tree.headers["Round"] = f"{number // 2 + 1}.{number % 2 + 1}"
    tree.headers["White"] = game.players[chess.WHITE].spec.name
    tree.headers["Black"] = game.players[chess.BLACK].spec.name
    tree.headers["Result"] = result
    tree.headers["WhiteLimits"] = str(game.players[chess.WHITE].spec.limits)
    tree.headers["BlackLimits"] = str(game.players[chess.BLACK].spec.limits)
    tree.headers["Termination"] = ending.termination
    tree.headers["PlyCount"] = str(len(game.board.move_stack))
    nodes = list(tree.mainline())
    for node in nodes[: game.book_plies]:
        node.comment = "book"
    for node, thought in zip(nodes[game.book_plies :], game.thoughts):
        node.comment = _comment(thought)
    last = nodes[-1] if nodes else tree
    last.comment = f"{last.comment} {ending.reason}".strip()
    return tree.accept(chess.pgn.StringExporter(columns=80)) + "\n\n"


def _comment(thought: Thought) -> str:
    """`+0.31/12 0.452s n=12345`: score for the mover / depth, time, nodes."""
    parts = []
    if thought.score is not None:
        mate = thought.score.mate()
        pawns = thought.score.score(mate_score=MATE_SCORE) / 100
        text = f"{pawns:+.2f}" if mate is None else f"{'-' if pawns < 0 else '+'}M{abs(mate)}"
        parts.append(text + ("" if thought.depth is None else f"/{thought.depth}"))
    parts.append(f"{thought.elapsed:.3f}s")
    if thought.nodes is not None:
        parts.append(f"n={thought.nodes}")
    return " ".join(parts)
