//! The recursion: principal variation search (Marsland and Campbell, 1982) as negamax, fail-soft.
//!
//! [`Run`] is one search. Its steps at a node, in order: the ends of the game; the table; the static value; what
//! [`selectivity`](super::selectivity) may decide without looking at the moves; the moves; what was learned.

use super::busy::{Busy, SHARED_DEPTH, Share};
use super::history::Context;
use super::learning::Tried;
use super::margins::{self, MAX_PLY};
use super::node::{Node, bound_of};
use super::ordering::{Picker, Sources, is_noisy};
use super::relief::{LOOK_EVERY, Relief};
use super::table::PackedMove;
use super::{Bound, FRAMES_BEFORE_ROOT, Frame, Line, Probe, ProbeResult, RootMoves, Window};
use crate::bstar::{Interrupted, Layer, Monitor};
use crate::chess::Score;
use crate::chess::dials::Dial;
use crate::chess::eval::Evaluator;
use crate::chess::eval::endings::{self, Fate};
use crate::chess::position::{
    Outcome, board_outcome, clocked_key, is_bare, repeats_in_search, repetition_key,
};
use crate::chess::score::probe_scale::{INFINITE, MATE, MATE_FLOOR, TABLEBASE, TABLEBASE_FLOOR};
use cozy_chess::{Board, Move};

/// The monitor hears of progress after this many nodes at most, well under a millisecond.
const REPORT_EVERY: u64 = 256;

/// The monitor hears of the choices at shared nodes, for who records a search. Not in the usual build, where nobody listens: two calls a
/// move would be paid by every search.
pub const TELLS_CHOICES: bool = cfg!(any(feature = "tuning", debug_assertions));

/// Nodes until the monitor is to hear of them: no more than it allows.
fn pause(monitor: &dyn Monitor) -> u64 {
    REPORT_EVERY.min(monitor.allowance()).max(1)
}

/// A value, unless the monitor stopped the search.
pub type Step<T> = Result<T, Interrupted>;

/// The side to move is mated, `ply` plies from the root.
pub fn mated(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// A static value with the correction that the search has learned, inside the heuristic band.
pub fn corrected(raw: i32, correction: i32) -> i32 {
    (raw + correction).clamp(-Score::HEURISTIC_LIMIT, Score::HEURISTIC_LIMIT)
}

/// One search by one probe.
pub struct Run<'a> {
    pub(super) probe: &'a mut Probe,
    monitor: &'a mut dyn Monitor,
    root_moves: RootMoves<'a>,
    /// The probe's root is an inner node of a tree above it: all that decides an inner node early may decide it.
    is_inner: bool,
    reported: u64,
    /// Plies from the set position to the probe's root.
    pub(super) base: usize,
    /// The count of nodes at which the monitor hears of them next.
    report_at: u64,
    /// The count of nodes at which the search looks up next: the monitor is to hear, or another worker may have an answer.
    look_up_at: u64,
    /// The marks of those that search together with this probe.
    pub(super) company: Option<&'a Busy>,
    /// What another worker may answer first.
    pub(super) relief: Relief,
    /// Plies from the set position to where the search goes now.
    pub(super) root_depth: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        probe: &'a mut Probe,
        monitor: &'a mut dyn Monitor,
        root_moves: RootMoves<'a>,
        company: Option<&'a Busy>,
    ) -> Self {
        let (base, report_at) = (probe.path_ply(), pause(monitor));
        let look_up_at = if company.is_some() { report_at.min(LOOK_EVERY) } else { report_at };
        Self {
            probe,
            monitor,
            root_moves,
            is_inner: false,
            reported: 0,
            base,
            report_at,
            look_up_at,
            company,
            relief: Relief::default(),
            root_depth: 0,
        }
    }

    /// From now on the root is an inner node of a tree above it.
    pub(super) fn stand_inside(&mut self) {
        self.is_inner = true;
    }

    /// The move that is left out at the root.
    pub(super) fn leave_out(&mut self, excluded: Option<Move>) {
        self.frame(0).excluded = excluded;
    }

    /// This node must bring a best move, and is not to be pruned as a whole.
    pub(super) fn is_root(&self, ply: usize) -> bool {
        ply == 0 && !self.is_inner
    }

    /// Tells the monitor of the nodes that it has not heard of. The search is over, so its answer does not matter: it
    /// will repeat it.
    pub(super) fn report_rest(&mut self) {
        let rest = self.probe.nodes - self.reported;
        if rest > 0 {
            let _ = self.monitor.work(rest);
        }
    }

    /// Counts a node, and asks whether to go on.
    pub(super) fn count_node(&mut self, ply: usize) -> Step<()> {
        self.probe.nodes += 1;
        self.probe.seldepth = self.probe.seldepth.max(ply);
        if self.probe.nodes >= self.look_up_at { self.look_up_from_work() } else { Ok(()) }
    }

    /// Tells the monitor when it is time, and asks whether another worker has answered what this one is at.
    fn look_up_from_work(&mut self) -> Step<()> {
        if self.probe.nodes >= self.report_at {
            let news = self.probe.nodes - self.reported;
            self.reported = self.probe.nodes;
            self.monitor.work(news)?;
            self.report_at = self.reported + pause(self.monitor);
        }
        self.look_up_at = self.report_at;
        if self.company.is_some() {
            self.look_up_at = self.report_at.min(self.probe.nodes + LOOK_EVERY);
            self.look_for_relief()?;
        }
        Ok(())
    }

    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.probe.frames[self.base + ply + FRAMES_BEFORE_ROOT]
    }

    /// The frame one or two plies before the node at `ply`.
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.probe.frames[self.base + ply + FRAMES_BEFORE_ROOT - back]
    }

    /// The moves one and two plies before the node at `ply`.
    pub(super) fn contexts(&self, ply: usize) -> [Context; 2] {
        [self.frame_before(ply, 1).context, self.frame_before(ply, 2).context]
    }

    /// Makes a move on the stacks.
    pub(super) fn make(&mut self, board: &Board, action: Move, ply: usize) -> Board {
        let mut after = board.clone();
        after.play_unchecked(action);
        let piece = board.piece_on(action.from);
        self.frame(ply).context =
            piece.map_or(Context::NONE, |piece| Context::of(board.side_to_move(), piece, action));
        let key = repetition_key(&after);
        self.probe.table.touch(clocked_key(key, &after));
        self.probe.keys.push(key);
        self.probe.evaluation.play(board, action, &after);
        after
    }

    pub(super) fn take_back(&mut self) {
        self.probe.keys.pop();
        self.probe.evaluation.undo();
    }

    /// Stands at `passed`, the board after a pass. Returns what [`take_pass_back`](Self::take_pass_back) needs.
    pub(super) fn pass(&mut self, passed: &Board) -> usize {
        self.probe.evaluation.pass();
        self.probe.keys.push(repetition_key(passed));
        std::mem::replace(&mut self.probe.pass_key, self.probe.keys.len() - 1)
    }

    pub(super) fn take_pass_back(&mut self, pass_key: usize) {
        self.take_back();
        self.probe.pass_key = pass_key;
    }

    /// Searches the root once at a depth.
    pub(super) fn root(&mut self, board: &Board, window: Window, depth: i32) -> Step<ProbeResult> {
        self.root_as(board, window, depth, false)
    }

    /// [`root`](Self::root), as a cut node or not.
    pub(super) fn root_as(
        &mut self,
        board: &Board,
        window: Window,
        depth: i32,
        cut: bool,
    ) -> Step<ProbeResult> {
        let Window { alpha, beta } = window;
        self.root_depth = self.base + depth.unsigned_abs() as usize;
        let value = self.node(board, depth, alpha, beta, 0, cut)?;
        Ok(self.result(board, window, value))
    }

    /// Quiescence of the root.
    pub(super) fn quiet_root(&mut self, board: &Board, window: Window) -> Step<ProbeResult> {
        let value = self.quiescence(board, window.alpha, window.beta, 0)?;
        Ok(self.result(board, window, value))
    }

    fn result(&self, board: &Board, window: Window, value: i32) -> ProbeResult {
        let bound = bound_of(value, window.alpha, window.beta);
        let known = || self.probe.table.get(self.key(board)).and_then(|entry| entry.action.unpack());
        let best = match self.probe.root_best {
            Some((action, _)) => Some(action),
            None => known().filter(|&action| board.is_legal(action) && self.root_moves.permits(action)),
        };
        let best = best.filter(|_| bound != Bound::Upper);
        ProbeResult { value, bound, best, nodes: self.probe.nodes, seldepth: self.probe.seldepth }
    }

    fn key(&self, board: &Board) -> u64 {
        let repetition_key = self.probe.keys[self.probe.keys.len() - 1];
        clocked_key(repetition_key, board)
    }

    /// The value of a position at which the game ends, or may be taken to end: the fifty-move rule, repetition, bare
    /// material, an ending of which all is known. Mate and stalemate show when the moves are made.
    pub(super) fn ending(&self, board: &Board, ply: usize) -> Option<i32> {
        let clock = board.halfmove_clock();
        if clock >= 100 && self.probe.fifty_move_rule() {
            return match board_outcome(board) {
                Some(Outcome::Checkmate) => Some(mated(ply)),
                _ => Some(self.probe.draw_for(board.side_to_move())),
            };
        }
        let since_pass = self.probe.keys.len() - 1 - self.probe.pass_key;
        let reversible = usize::from(clock).min(since_pass);
        let drawn = reversible >= 4 && repeats_in_search(&self.probe.keys, reversible, self.probe.root_key)
            || board.occupied().len() <= 4 && is_bare(board);
        let fate = if drawn { Fate::Draw } else { endings::fate(board)? };
        Some(match fate {
            // Nothing on the way restarts the clock; the mate may come with its hundredth ply.
            Fate::Mate(plies) if usize::from(clock) + plies <= 100 || !self.probe.fifty_move_rule() => {
                if plies % 2 == 0 {
                    mated(ply + plies)
                } else {
                    -mated(ply + plies)
                }
            }
            Fate::Draw | Fate::Mate(_) => self.probe.draw_for(board.side_to_move()),
        })
    }

    /// The value of `board` within `alpha..beta`, `depth` plies deep.
    pub(super) fn node(
        &mut self,
        board: &Board,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        cut: bool,
    ) -> Step<i32> {
        if depth <= 0 {
            return self.quiescence(board, alpha, beta, ply);
        }
        self.count_node(ply)?;
        self.probe.lines[ply].length = 0;
        if ply > 0 {
            if let Some(value) = self.ending(board, ply) {
                return Ok(value);
            }
            if ply >= MAX_PLY {
                return Ok(self.probe.evaluation.evaluate(board));
            }
            // Mate-distance pruning: no line from here is better than mating at once, or worse than being mated now.
            alpha = alpha.max(mated(ply));
            beta = beta.min(-mated(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let mut node = self.look_up(board, depth, alpha, beta, ply, cut);
        let excluded = self.frame(ply).excluded;
        let scout = !node.open() && excluded.is_none();
        if scout
            && (ply > 0 || self.all_root_moves())
            && let Some(value) = node.settled_by_table(depth)
        {
            return Ok(value);
        }
        if excluded.is_some()
            && let Some(value) = self.told_without_a_move(&node)
        {
            return Ok(value);
        }
        if ply > 0
            && excluded.is_none()
            && let Some(value) = self.tablebase_value(board, depth, ply)
        {
            return Ok(value);
        }
        self.judge(&mut node);
        if scout
            && !self.is_root(ply)
            && !node.in_check()
            && let Some(value) = self.decided_early(&node)?
        {
            return Ok(value);
        }
        // Internal iterative reduction: without a move to begin with, a full search is not worth it yet.
        if node.depth >= margins::IIR_DEPTH && node.table_move.is_none() && (node.open() || node.cut) {
            node.depth -= 1;
        }
        self.moves(&node)
    }

    /// What the endgame tables say of a position: a win is worth more than every estimate and less than every mate.
    fn tablebase_value(&self, board: &Board, depth: i32, ply: usize) -> Option<i32> {
        let sign = self.probe.tablebases.as_ref()?.sign(board, depth)?;
        Some(match sign {
            0 => self.probe.draw_for(board.side_to_move()),
            sign => sign * (TABLEBASE - ply as i32),
        })
    }

    pub(super) fn all_root_moves(&self) -> bool {
        matches!(self.root_moves, RootMoves::All)
    }

    pub(super) fn look_up<'b>(
        &mut self,
        board: &'b Board,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        cut: bool,
    ) -> Node<'b> {
        let key = self.key(board);
        let entry = self.probe.table.get(key);
        let known = entry.and_then(|entry| entry.action.unpack());
        Node {
            board,
            ply,
            depth,
            alpha,
            beta,
            cut,
            key,
            entry,
            table_move: known.filter(|&action| board.is_legal(action)),
            raw: None,
            estimate: None,
            bare_king: endings::bare_side(board).is_some(),
            improving: false,
            on_line: beta - alpha > 1 || entry.is_some_and(|entry| entry.on_line),
        }
    }

    /// The static value, and what follows from it.
    pub(super) fn judge(&mut self, node: &mut Node) {
        let ply = node.ply;
        self.frame(ply + 2).killers = [PackedMove::NONE; 2];
        let double_extensions = self.frame_before(ply, 1).double_extensions;
        self.frame(ply).double_extensions = double_extensions;
        if node.in_check() {
            self.frame(ply).static_value = None;
            return;
        }
        let stored = node.entry.and_then(|entry| entry.static_value);
        let raw = stored.unwrap_or_else(|| self.probe.evaluation.evaluate(node.board));
        let correction = if node.bare_king { 0 } else { self.probe.corrections.get(node.board) };
        let value = corrected(raw, correction);
        node.raw = Some(raw);
        self.frame(ply).static_value = Some(value);
        node.improving = self.improves(ply);
        let sharpened = node.entry_value().and_then(|(entry, found)| {
            let better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => found > value,
                Bound::Upper => found < value,
            };
            (better && found.abs() < TABLEBASE_FLOOR).then_some(found)
        });
        node.estimate = Some(sharpened.unwrap_or(value));
    }

    /// The side to move at `ply` stands better than at its turn before, as far as the static values tell.
    pub(super) fn improves(&self, ply: usize) -> bool {
        let at = self.base + ply + FRAMES_BEFORE_ROOT;
        let value = |back: usize| at.checked_sub(back).and_then(|at| self.probe.frames[at].static_value);
        value(0).zip(value(2).or(value(4))).is_some_and(|(now, earlier)| now > earlier)
    }

    /// The value of a node by its moves, or by what another worker finds meanwhile.
    fn moves(&mut self, node: &Node) -> Step<i32> {
        if !self.may_be_relieved(node) {
            return self.search_moves(node);
        }
        let post = self.take_post(node);
        let outcome = self.search_moves(node);
        self.leave_post(node, &post, outcome)
    }

    fn search_moves(&mut self, node: &Node) -> Step<i32> {
        let Node { board, ply, .. } = *node;
        let contexts = self.contexts(ply);
        let killers = self.frame(ply).killers;
        let refutations = [killers[0], killers[1], self.probe.histories.countermove(contexts[0])];
        let excluded = self.frame(ply).excluded;
        let mut picker = Picker::new(&self.probe.stacks, node.table_move, refutations, contexts);
        let mut tried = Tried::default();
        let (mut alpha, mut best, mut best_move) = (node.alpha, -INFINITE, None);
        let mut count = 0;
        let shareable = excluded.is_none() && node.depth >= SHARED_DEPTH;
        let mut share = Share::new(self.company.filter(|_| shareable), node.key, node.depth);
        while let Some((action, number)) =
            self.next_move(node, &mut picker, &mut count).or_else(|| share.resume())
        {
            let noisy = is_noisy(board, action);
            let skips = !share.has_resumed()
                && !self.is_root(ply)
                && best > -MATE_FLOOR
                && self.skips(node, alpha, action, noisy, number, &mut picker);
            if skips || share.puts_off(action, number) {
                continue;
            }
            let mark = share.mark(action, number);
            let extension = match self.extension(node, action)? {
                Ok(extension) => extension,
                Err(multicut) => {
                    picker.finish(&mut self.probe.stacks);
                    return Ok(multicut);
                }
            };
            let nodes_before = self.probe.nodes;
            if shareable && TELLS_CHOICES {
                self.monitor.begins(number, Layer::Domain);
            }
            let value = self.move_value(node, alpha, action, noisy, number, extension)?;
            if shareable && TELLS_CHOICES {
                self.monitor.ends(value >= node.beta, Layer::Domain);
            }
            drop(mark);
            if self.is_root(ply) {
                self.credit_root_effort(action, nodes_before);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(action);
                    self.new_best(node, action, value);
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if noisy { tried.noisy.push(action) } else { tried.quiet.push(action) }
        }
        picker.finish(&mut self.probe.stacks);
        if count == 0 {
            return Ok(match (excluded.is_some(), node.in_check()) {
                (true, _) => node.alpha,
                // Not even a forbidden move: mate or stalemate.
                (_, true) if !board.generate_moves(|_| true) => mated(ply),
                (_, false) if !board.generate_moves(|_| true) => self.probe.draw_for(board.side_to_move()),
                _ => -INFINITE,
            });
        }
        if let Some(value) = self.told_meanwhile(node) {
            return Ok(value);
        }
        if let Some(action) = best_move.filter(|_| best >= node.beta) {
            self.learn_refutation(node, action, &tried);
        }
        if excluded.is_some() {
            self.tell_without_a_move(node, best);
        } else if ply > 0 || self.all_root_moves() {
            self.store(node, best, best_move);
        }
        Ok(best)
    }

    /// The picker's next permitted move, with its number from 1.
    fn next_move(&mut self, node: &Node, picker: &mut Picker, count: &mut usize) -> Option<(Move, usize)> {
        loop {
            let action = picker.next(node.board, self.sources())?;
            let excluded = Some(action) == self.frame(node.ply).excluded;
            if !excluded && (node.ply > 0 || self.root_moves.permits(action)) {
                *count += 1;
                return Some((action, *count));
            }
        }
    }

    pub(super) fn sources(&mut self) -> Sources<'_> {
        Sources { stacks: &mut self.probe.stacks, histories: &self.probe.histories }
    }

    /// A move beat alpha: it heads the principal line.
    pub(super) fn new_best(&mut self, node: &Node, action: Move, value: i32) {
        if node.open() {
            let (here, below) = self.probe.lines.split_at_mut(node.ply + 1);
            here[node.ply].set(action, &below[0]);
        }
        if node.ply == 0 {
            self.probe.root_best = Some((action, value));
        }
    }

    /// A root move is better than the best so far by `value` at least. Returns what was the best, and its line.
    fn put_forward(&mut self, node: &Node, action: Move, value: i32) -> (Option<(Move, i32)>, Line) {
        let before = (self.probe.root_best, self.probe.lines[node.ply].clone());
        self.probe.lines[node.ply + 1].length = 0;
        self.new_best(node, action, value);
        before
    }

    fn credit_root_effort(&mut self, action: Move, nodes_before: u64) {
        let spent = self.probe.nodes - nodes_before;
        match self.probe.root_effort.iter_mut().find(|(known, _)| *known == action) {
            Some((_, nodes)) => *nodes += spent,
            None => self.probe.root_effort.push((action, spent)),
        }
    }

    /// The value of one move: reduced and with a null window first, for all but the first one.
    fn move_value(
        &mut self,
        node: &Node,
        alpha: i32,
        action: Move,
        noisy: bool,
        number: usize,
        extension: i32,
    ) -> Step<i32> {
        let Node { board, ply, beta, .. } = *node;
        let after = self.make(board, action, ply);
        let extension =
            if extension == 0 && self.extends_check(node, action, &after) { 1 } else { extension };
        let depth = node.depth - 1 + extension;
        let mut value = -INFINITE;
        let reduces = node.depth >= 2 && number > 1 + usize::from(node.open());
        let relief = if node.on_line { Dial::LineRelief.get() } else { 0 };
        let reduced =
            if reduces { depth - self.reduction(node, &after, action, noisy, number, relief) } else { depth };
        let reduced = reduced.clamp(1.min(depth), depth);
        let mut full = number > 1 || !node.open();
        if reduced < depth {
            value = -self.node(&after, reduced, -alpha - 1, -alpha, ply + 1, true)?;
            full = value > alpha;
        }
        if full {
            value = -self.node(&after, depth, -alpha - 1, -alpha, ply + 1, !node.cut)?;
        }
        if node.open() && (number == 1 || value > alpha) {
            // A root move that was proved to be better is the choice, even if its value never comes.
            let before = (number > 1 && self.is_root(ply)).then(|| self.put_forward(node, action, value));
            value = -self.node(&after, depth, -beta, -alpha, ply + 1, false)?;
            if let Some((best, line)) = before {
                self.probe.root_best = best;
                self.probe.lines[ply] = line;
            }
        }
        self.take_back();
        Ok(value)
    }
}
