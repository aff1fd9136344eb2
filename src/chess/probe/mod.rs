//! The probe: an alpha-beta search that answers a question about one position.
//!
//! B\* asks it about the leaves of its graph, mostly with null windows; the alpha-beta twin asks it about the root.
//! What it is made of, by the field's names: principal variation search on a shared [transposition table](table),
//! iterative deepening, [staged move ordering](ordering) by [history] and [exchanges](see), null move, reverse
//! futility, razoring, ProbCut, late-move reductions and pruning, futility, singular and check extensions, internal
//! iterative reductions, quiescence. The [dials](margins) are in one place.
//!
//! Values here are plain `i32` from the side to move, mates counted in plies from the probe's own root
//! ([`probe_scale`](crate::chess::score::probe_scale)); [`Score::from_probe`](crate::chess::Score::from_probe) anchors
//! them for the graph. One thread, one history: the same calls give the same nodes, every time.

pub mod busy;
pub mod history;
mod learning;
pub mod margins;
mod node;
pub mod ordering;
mod questions;
mod quiescence;
mod relief;
mod search;
pub mod see;
mod selectivity;
pub mod table;

pub use search::TELLS_CHOICES;
pub use table::{Bound, PackedMove, Table};

use super::eval::network::{Forecast, Network};
use super::eval::{Evaluation, Evaluator, endings};
use super::position::{self, Outcome, Position, board_outcome, repeats_in_search, repetition_key};
use super::score::probe_scale::INFINITE;
use super::tablebase::Probing;
use crate::bstar::{Interrupted, Monitor};
use busy::Busy;
use cozy_chess::{Board, Color, Move, Piece};
use history::{Context, Corrections, Histories};
use margins::{MAX_PLY, Reductions};
use ordering::MoveStacks;
use relief::Posed;
use std::sync::Arc;

/// Where a value is wanted: exactly between the ends, and only the side beyond them. From the side to move at the
/// probe's root. `alpha < beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Values of this or less are equally bad.
    pub alpha: i32,
    /// Values of this or more are equally good.
    pub beta: i32,
}

impl Window {
    /// Every value is wanted exactly.
    pub const OPEN: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// Is the value greater than `target`?
    pub fn above(target: i32) -> Self {
        Self { alpha: target, beta: target + 1 }
    }
}

/// Which moves of a probe's root may be searched.
#[derive(Clone, Copy, Debug)]
pub enum RootMoves<'a> {
    /// All.
    All,
    /// Only these.
    Only(&'a [Move]),
}

impl RootMoves<'_> {
    /// `action` may be searched.
    pub fn permits(self, action: Move) -> bool {
        match self {
            Self::All => true,
            Self::Only(moves) => moves.contains(&action),
        }
    }
}

/// A probe's answer, from the side to move at its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The value, or a bound where it lies outside of the window (fail-soft: the bound may be stricter than asked).
    pub value: i32,
    /// What `value` is: at or below alpha an upper bound, at or above beta a lower bound, else exact.
    pub bound: Bound,
    /// The best or refuting move; none when every move failed low without the table knowing one, or no move is
    /// permitted.
    pub best: Option<Move>,
    /// Nodes of this call.
    pub nodes: u64,
    /// The longest line looked at, in plies.
    pub seldepth: usize,
}

/// What one ply of the search keeps.
#[derive(Clone, Copy)]
struct Frame {
    /// The move made here.
    context: Context,
    /// The corrected static value, `None` in check.
    static_value: Option<i32>,
    killers: [PackedMove; 2],
    /// The move that a singular search leaves out.
    excluded: Option<Move>,
    /// Double extensions on the line to here.
    double_extensions: u8,
}

impl Frame {
    const EMPTY: Self = Self {
        context: Context::NONE,
        static_value: None,
        killers: [PackedMove::NONE; 2],
        excluded: None,
        double_extensions: 0,
    };
}

/// The two moves before a probe's root have frames too: the continuation history looks back that far.
const FRAMES_BEFORE_ROOT: usize = 2;

/// One thread's alpha-beta searcher: a cursor over positions with tables that learn from search to search.
pub struct Probe {
    table: Arc<Table>,
    /// Endgame tables, if they are to be asked.
    tablebases: Option<Probing>,
    evaluation: Evaluation,
    histories: Histories,
    corrections: Corrections,
    reductions: Reductions,
    /// The set position and those that [`play`](Self::play) led to.
    path: Vec<Board>,
    /// Repetition keys of the game, the path and, during a search, the line.
    keys: Vec<u64>,
    /// Where in `keys` the set position stands: repetitions after it count at once.
    root_key: usize,
    /// Nothing before this index of `keys` can repeat: a pass lies between.
    pass_key: usize,
    /// What each ply keeps, counted from the set position, the two before it included: siblings share killers, and a probe's root
    /// knows the static values above it, as in one search.
    frames: Vec<Frame>,
    lines: Box<[Line]>,
    stacks: MoveStacks,
    /// The best move of the search under way, once one has beaten alpha.
    root_best: Option<(Move, i32)>,
    root_effort: Vec<(Move, u64)>,
    nodes: u64,
    seldepth: usize,
    /// The most plies below the set position that were looked at.
    reach: usize,
    /// Null moves are off up to this ply: a pass is being verified.
    no_pass_until: usize,
    /// The marks of the workers that search together with this probe; `None`: it is alone.
    company: Option<Arc<Busy>>,
    /// The moves of the tree above that this probe's worker is at.
    held: busy::Held,
    /// What that tree asks, in company.
    posed: Posed,
}

/// A principal variation from one ply on.
#[derive(Clone)]
struct Line {
    moves: [PackedMove; MAX_PLY + 1],
    length: usize,
}

impl Line {
    const EMPTY: Self = Self { moves: [PackedMove::NONE; MAX_PLY + 1], length: 0 };

    fn set(&mut self, first: Move, rest: &Self) {
        let kept = rest.length.min(MAX_PLY);
        self.moves[0] = first.into();
        self.moves[1..=kept].copy_from_slice(&rest.moves[..kept]);
        self.length = kept + 1;
    }
}

impl Probe {
    /// A probe that stands at the usual start position and shares `table` with others. What the evaluation needs is made before
    /// the first search.
    pub fn new(table: Arc<Table>) -> Self {
        endings::prepare();
        let mut probe = Self {
            table,
            tablebases: None,
            evaluation: Evaluation::default(),
            histories: Histories::default(),
            corrections: Corrections::default(),
            reductions: Reductions::default(),
            path: Vec::new(),
            keys: Vec::new(),
            root_key: 0,
            pass_key: 0,
            frames: vec![Frame::EMPTY; FRAMES_BEFORE_ROOT + MAX_PLY + 4],
            lines: vec![Line::EMPTY; MAX_PLY + 4].into_boxed_slice(),
            stacks: MoveStacks::with_room(MAX_PLY),
            root_best: None,
            root_effort: Vec::new(),
            nodes: 0,
            seldepth: 0,
            reach: 0,
            no_pass_until: 0,
            company: None,
            held: Vec::new(),
            posed: Posed::default(),
        };
        probe.set_position(&Position::startpos());
        probe
    }

    /// Forgets what was learned from the games before. The shared table is the owner's to clear.
    pub fn new_game(&mut self) {
        self.histories = Histories::default();
        self.corrections = Corrections::default();
    }

    /// Searches from now on together with the probes that share these marks beside the table; `None`: alone.
    pub fn join(&mut self, company: Option<Arc<Busy>>) {
        self.held.clear();
        self.posed = Posed::default();
        self.company = company;
    }

    /// Goes on with another network. What was learned is forgotten; the shared table is the owner's to clear.
    pub fn set_network(&mut self, network: Arc<Network>) {
        let board = self.board().clone();
        self.evaluation.set_network(network, &board);
        self.new_game();
    }

    /// Asks these endgame tables from now on.
    pub fn set_tablebases(&mut self, tablebases: Option<Probing>) {
        self.tablebases = tablebases;
    }

    /// The endgame tables that are asked.
    pub fn tablebases(&self) -> Option<&Probing> {
        self.tablebases.as_ref()
    }

    /// What the endgame tables say of the current position: 1, 0 or -1 for a win, a draw or a loss of its side to move.
    pub fn tablebase_sign(&self) -> Option<i32> {
        self.tablebases.as_ref()?.sign(self.board(), MAX_PLY as i32)
    }

    /// What the network says of the current position, without what the search has learned.
    pub fn forecast(&mut self) -> Forecast {
        let board = self.board().clone();
        self.evaluation.forecast(&board)
    }

    /// What a draw is worth to White from now on, in centipawns: not 0 where one side would rather not have it. Values that
    /// were found with another worth are in the shared table, which is the owner's to clear.
    pub fn set_draw_for_white(&mut self, value: i32) {
        self.evaluation.set_draw_for_white(value);
    }

    /// What a draw is worth to `side`, in centipawns.
    pub fn draw_for(&self, side: Color) -> i32 {
        self.evaluation.draw_for(side)
    }

    /// Stands at `position`, with its game's history. It is the root for the repetition rule.
    pub fn set_position(&mut self, position: &Position) {
        endings::foresee(position.board());
        self.path.clear();
        self.path.push(position.board().clone());
        self.frames.clear();
        self.frames.resize(FRAMES_BEFORE_ROOT + MAX_PLY + 4, Frame::EMPTY);
        self.keys.clear();
        self.keys.extend_from_slice(position.repetition_keys());
        self.root_key = self.keys.len() - 1;
        self.reach = 0;
        self.evaluation.refresh(position.board());
    }

    /// Follows a legal move from the current position.
    pub fn play(&mut self, action: Move) {
        let before = self.board().clone();
        let mut after = before.clone();
        after.play_unchecked(action);
        let piece = before.piece_on(action.from);
        let context = piece.map_or(Context::NONE, |piece| Context::of(before.side_to_move(), piece, action));
        self.evaluation.play(&before, action, &after);
        self.keys.push(repetition_key(&after));
        let ply = self.path_ply();
        self.frames[ply + FRAMES_BEFORE_ROOT].context = context;
        if self.frames.len() < ply + 1 + FRAMES_BEFORE_ROOT + MAX_PLY + 4 {
            self.frames.push(Frame::EMPTY);
        }
        let next = &mut self.frames[ply + 1 + FRAMES_BEFORE_ROOT];
        *next = Frame { killers: next.killers, ..Frame::EMPTY };
        self.path.push(after);
    }

    /// Takes the last [`play`](Self::play) back. At the set position it does nothing.
    pub fn undo(&mut self) {
        if self.path_ply() > 0 {
            self.path.pop();
            self.keys.pop();
            self.evaluation.undo();
        }
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.path[self.path.len() - 1]
    }

    /// Plies since the game's set-up position.
    pub fn game_ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// Plies since the position given to [`set_position`](Self::set_position).
    pub fn path_ply(&self) -> usize {
        self.path.len() - 1
    }

    /// [`Position::key`] of the current position.
    pub fn key(&self) -> u64 {
        position::key(self.board())
    }

    /// The end of the game at the current position that its board alone shows, whatever the path. The fifty-move
    /// rule counts as in the search: when it could be claimed at the set position already, nobody does.
    pub fn board_outcome(&self) -> Option<Outcome> {
        board_outcome(self.board())
            .filter(|&outcome| outcome != Outcome::FiftyMoves || self.fifty_move_rule())
    }

    /// The fifty-move rule still lies ahead of the set position.
    fn fifty_move_rule(&self) -> bool {
        self.path[0].halfmove_clock() < 100
    }

    /// The current position is a draw by repetition, on this path: see [`Position::outcome_in_search`].
    pub fn is_repetition(&self) -> bool {
        repeats_in_search(&self.keys, usize::from(self.board().halfmove_clock()), self.root_key)
    }

    /// [`is_repetition`](Self::is_repetition) of the position behind this legal move.
    pub fn repeats_by(&mut self, action: Move) -> bool {
        let board = self.board();
        if board.piece_on(action.from) == Some(Piece::Pawn) || ordering::is_noisy(board, action) {
            return false;
        }
        let mut after = board.clone();
        after.play_unchecked(action);
        self.keys.push(repetition_key(&after));
        let repeats = repeats_in_search(&self.keys, usize::from(after.halfmove_clock()), self.root_key);
        self.keys.pop();
        repeats
    }

    /// The shared table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The static value of the current position, from its side to move, as the search would use it (with what it has
    /// learned about the evaluation's errors). In check it means little.
    pub fn static_value(&mut self) -> i32 {
        let board = self.board().clone();
        let raw = self.evaluation.evaluate(&board);
        let correction = if endings::bare_side(&board).is_some() { 0 } else { self.corrections.get(&board) };
        search::corrected(raw, correction)
    }

    /// The principal variation of the last search that had an open window, legal move by move from the current position.
    pub fn principal_variation(&self) -> Vec<Move> {
        let mut board = self.board().clone();
        let line = &self.lines[0];
        let legal = line.moves[..line.length].iter().map_while(|packed| {
            let action = packed.unpack().filter(|&action| board.is_legal(action))?;
            board.play_unchecked(action);
            Some(action)
        });
        legal.collect()
    }

    /// The nodes of the last search, also of an interrupted one.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Plies of the longest line looked at below the position given to [`set_position`](Self::set_position), in all searches
    /// since.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The best root move of the last search, also of an interrupted one, with its value: the first that beat
    /// alpha, or a better one after it. The value is a lower bound where it failed high, and where the search was interrupted when it had
    /// been proved to be better, and no more.
    pub fn root_best(&self) -> Option<(Move, i32)> {
        self.root_best
    }

    /// The nodes under each root move since [`clear_root_effort`](Self::clear_root_effort), where the root was no inner node of a tree
    /// above.
    pub fn root_effort(&self) -> &[(Move, u64)] {
        &self.root_effort
    }

    /// Starts counting the nodes under each root move anew.
    pub fn clear_root_effort(&mut self) {
        self.root_effort.clear();
    }

    /// Answers `window` about the current position, `depth` plies deep (at least one), deepening from what the table
    /// already knows. The current position itself is never judged a draw by repetition or by the fifty-move rule. The
    /// monitor is asked first of all, so that a search after an interruption does nothing.
    ///
    /// # Errors
    /// [`Interrupted`] when the monitor says so. The probe then stands where it stood, and its tables are sound.
    pub fn search(
        &mut self,
        window: Window,
        depth: i32,
        moves: RootMoves,
        monitor: &mut dyn Monitor,
    ) -> Result<ProbeResult, Interrupted> {
        let board = self.board().clone();
        let depth = depth.clamp(1, MAX_PLY as i32 - 1);
        let known = self.table.get(self.key()).map_or(0, |entry| entry.depth);
        let first = if matches!(moves, RootMoves::All) { known.clamp(0, depth - 1) + 1 } else { depth };
        self.guarded(monitor, moves, |run| {
            let mut result = run.root(&board, window, first)?;
            for depth in first + 1..=depth {
                result = run.root(&board, window, depth)?;
            }
            Ok(result)
        })
    }

    /// As [`search`](Self::search), once at this depth, without deepening towards it.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn search_once(
        &mut self,
        window: Window,
        depth: i32,
        moves: RootMoves,
        monitor: &mut dyn Monitor,
    ) -> Result<ProbeResult, Interrupted> {
        let board = self.board().clone();
        let depth = depth.clamp(1, MAX_PLY as i32 - 1);
        self.guarded(monitor, moves, |run| run.root(&board, window, depth))
    }

    /// As [`search`](Self::search), after the side to move has passed: the value is from its opponent's side. `None` in
    /// check, where nobody may pass. (Palay's optimism of the side that does not pass, 1985.)
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn search_after_pass(
        &mut self,
        window: Window,
        depth: i32,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<ProbeResult>, Interrupted> {
        let Some(passed) = self.board().null_move() else { return Ok(None) };
        let depth = depth.clamp(1, MAX_PLY as i32 - 1);
        let result = self.guarded(monitor, RootMoves::All, |run| {
            let pass_key = run.pass(&passed);
            let mut result = run.root(&passed, window, 1)?;
            for depth in 2..=depth {
                result = run.root(&passed, window, depth)?;
            }
            run.take_pass_back(pass_key);
            Ok(result)
        })?;
        Ok(Some(result))
    }

    /// Quiescence of the current position: captures until it is quiet.
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn quiescence(
        &mut self,
        window: Window,
        monitor: &mut dyn Monitor,
    ) -> Result<ProbeResult, Interrupted> {
        let board = self.board().clone();
        self.guarded(monitor, RootMoves::All, |run| run.quiet_root(&board, window))
    }

    /// Runs a search and leaves the probe as it was, however the search ends.
    fn guarded(
        &mut self,
        monitor: &mut dyn Monitor,
        moves: RootMoves,
        work: impl FnOnce(&mut search::Run) -> Result<ProbeResult, Interrupted>,
    ) -> Result<ProbeResult, Interrupted> {
        let standing = self.keys.len();
        self.prepare();
        monitor.work(0)?;
        let company = self.company.clone();
        let mut run = search::Run::new(self, monitor, moves, company.as_deref());
        let outcome = work(&mut run);
        run.report_rest();
        self.reach = self.reach.max(self.path_ply() + self.seldepth);
        if outcome.is_err() {
            // Each key above the standing one belongs to a move or pass that nobody took back.
            (standing..self.keys.len()).for_each(|_| self.evaluation.undo());
            self.keys.truncate(standing);
            self.stacks.clear();
        }
        outcome.map(|result| ProbeResult { nodes: self.nodes, seldepth: self.seldepth, ..result })
    }

    fn prepare(&mut self) {
        self.nodes = 0;
        self.seldepth = 0;
        self.root_best = None;
        self.pass_key = 0;
        self.no_pass_until = 0;
        self.lines[0].length = 0;
        if self.path_ply() == 0 {
            self.frames[..FRAMES_BEFORE_ROOT + 3].fill(Frame::EMPTY);
        }
    }
}
