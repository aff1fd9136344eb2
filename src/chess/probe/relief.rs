//! Relief: a worker in company gives up a question that another one has answered meanwhile.
//!
//! The [marks](super::busy) keep workers from beginning the same work; but one that is deep in a line learns only at its end that
//! the node where the line began has long been cut off, or answered, by another worker. So it notes the nodes that it is
//! searching, and every few nodes asks the [table](super::table) about them, from the root on. When one is answered as
//! a table cut-off would answer it, the search goes back there and on with that value.
//!
//! The same goes for what a tree above the probe asks ([`Probe::pose`]): where that is answered, the whole probe is given up. And a
//! search without one move, as singular extensions make it, has an answer of its own in the table while there is company, under a key of
//! its own: both workers come to it at about the same time.
//!
//! Nodes with an open window are relieved, too, by an exact value, and one that has found its own value takes the other's
//! when there is one (*first come*). Otherwise each worker would go on with a value of its own, a few centipawns apart, ask
//! all rivals about another bound, and could use hardly anything of what the other one finds: of the positions that two workers
//! had both searched five plies deep or more, 21 % had been asked about the same bound by both (B\*, 20 positions to
//! depth 12; with relief 63 %).
//!
//! # Why this is sound with several threads
//!
//! Nothing here is shared but the table, and its words are relaxed atomics. That is enough: an entry is whole in itself, it refers to
//! no memory that another order would have to publish, and one whose halves come from two writers is a miss. An answer that is seen
//! late costs work, no more; one that is gone again was true when it was read. So all that is used of an answer comes from one read of its
//! entry ([`Answer`]): a second one might find another. Only the rest of the line is read after it, move by legal move;
//! it is told, and nothing is decided by it.
//!
//! The way back is an [`Interrupted`] like the monitor's, and `answered` tells them apart: it is set where the way back begins, and
//! taken where it ends. The monitor is asked before, so both cannot be under way at once. What the steps on the way leave behind
//! is cleared by themselves (marks, the excluded move, the ban on passes) or by the [`Post`] (moves, passes, lists of moves).

use super::busy::SHARED_DEPTH;
use super::node::{Node, from_table};
use super::search::{Run, Step};
use super::table::Entry;
use super::{Bound, PackedMove, Probe, Window};
use crate::bstar::Interrupted;
use crate::chess::eval::Evaluator;
use crate::chess::position::{clocked_key, repetition_key};
use cozy_chess::{Board, Move};

/// Nodes between two looks at the table for relief. A look costs a read for each node under way, twenty at most; sixty-four
/// nodes take some sixty microseconds.
pub(super) const LOOK_EVERY: u64 = 64;

/// Plies of a line that is taken over from the table at most.
const LONGEST_LINE: usize = 16;

/// A node under way.
struct Question {
    key: u64,
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: usize,
}

impl Question {
    /// What a node asks, under the key of its answer.
    fn of(node: &Node, key: u64) -> Self {
        let Node { depth, alpha, beta, ply, .. } = *node;
        Self { key, depth, alpha, beta, ply }
    }

    /// What the entry says, if it answers.
    fn answered_by(&self, entry: Entry) -> Option<Answer> {
        let value = from_table(entry.value, self.ply);
        let answers = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        };
        (entry.depth >= self.depth && answers).then_some(Answer { value, action: entry.action })
    }
}

/// What the table says of a node under way.
#[derive(Clone, Copy)]
struct Answer {
    /// From its side to move, mates counted from the root.
    value: i32,
    /// The best or refuting move, possibly none or not legal.
    action: PackedMove,
}

/// The nodes under way, and which of them another worker has answered.
#[derive(Default)]
pub(super) struct Relief {
    /// From the root on.
    questions: Vec<Question>,
    /// The search is on its way back to this one, with this answer.
    answered: Option<(usize, Answer)>,
}

/// What the tree above a probe asks, from its root on.
#[derive(Default)]
pub(super) struct Posed {
    questions: Vec<Question>,
    /// Another worker has answered this one: the tree is on its way back to it.
    answered: Option<usize>,
}

/// The tree above tells what it asks, so that its probes know when another worker has answered it.
impl Probe {
    /// In company: the tree asks this about the current position, `depth` plies deep, until it [withdraws](Self::withdraw) it. From now on a
    /// probe may end [`Interrupted`] because another worker has answered it.
    pub fn pose(&mut self, window: Window, depth: i32) {
        if self.is_in_company() {
            let Window { alpha, beta } = window;
            self.posed.questions.push(Question { key: self.key(), depth, alpha, beta, ply: 0 });
        }
    }

    /// What was posed last is done with, or given up. True: another worker has answered it, and that is why a probe was interrupted.
    pub fn withdraw(&mut self) -> bool {
        let withdrawn = self.posed.questions.pop().is_some();
        let answered = withdrawn && self.posed.answered == Some(self.posed.questions.len());
        if answered {
            self.posed.answered = None;
        }
        answered
    }
}

/// How everything stood when a node's moves were begun.
pub(super) struct Post {
    index: usize,
    keys: usize,
    pass_key: usize,
    no_pass_until: usize,
    stacks: [usize; 2],
}

impl Run<'_> {
    /// Another worker may answer this node while it is searched: it is shared, and deep enough to look up from the work below.
    pub(super) fn may_be_relieved(&self, node: &Node) -> bool {
        node.depth >= SHARED_DEPTH && self.is_shared(node)
    }

    /// Other workers may have stored this node: it stands in the table for all of its moves.
    fn is_shared(&self, node: &Node) -> bool {
        self.company.is_some() && (node.ply > 0 || self.all_root_moves())
    }

    /// Under which key the answer to a node is stored: without a move it is another one.
    fn answer_key(&self, node: &Node) -> u64 {
        let left_out = self.frame_before(node.ply, 0).excluded;
        // An odd number from SplitMix64 (Steele, Lea & Flood 2014) spreads the sixteen bits of the move over the word.
        let spread = |action| u64::from(PackedMove::from(action).bits()).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        node.key ^ left_out.map_or(0, spread)
    }

    /// What another worker has found of a node that is searched without one move.
    pub(super) fn told_without_a_move(&self, node: &Node) -> Option<i32> {
        if !self.may_be_relieved(node) {
            return None;
        }
        let key = self.answer_key(node);
        Some(Question::of(node, key).answered_by(self.probe.table.get(key)?)?.value)
    }

    /// Tells the others what was found of a node without one move.
    pub(super) fn tell_without_a_move(&self, node: &Node, value: i32) {
        if self.may_be_relieved(node) {
            self.put(node, self.answer_key(node), node.depth, value, None);
        }
    }

    /// Begins with a node that may be relieved.
    pub(super) fn take_post(&mut self, node: &Node) -> Post {
        self.relief.questions.push(Question::of(node, self.answer_key(node)));
        Post {
            index: self.relief.questions.len() - 1,
            keys: self.probe.keys.len(),
            pass_key: self.probe.pass_key,
            no_pass_until: self.probe.no_pass_until,
            stacks: self.probe.stacks.heights(),
        }
    }

    /// Ends with it: by its own outcome, or by what another worker has found, whatever was under way below.
    pub(super) fn leave_post(&mut self, node: &Node, post: &Post, outcome: Step<i32>) -> Step<i32> {
        self.relief.questions.truncate(post.index);
        let Some((_, answer)) = self.relief.answered.filter(|&(index, _)| index == post.index) else {
            return outcome;
        };
        self.relief.answered = None;
        // Each key above belongs to a move or pass that nobody took back.
        (post.keys..self.probe.keys.len()).for_each(|_| self.probe.evaluation.undo());
        self.probe.keys.truncate(post.keys);
        self.probe.stacks.cut_to(post.stacks);
        (self.probe.pass_key, self.probe.no_pass_until) = (post.pass_key, post.no_pass_until);
        self.take_over_line(node, answer);
        Ok(answer.value)
    }

    /// Goes back to the first node under way that another worker has answered, if there is one, in the tree above or here.
    pub(super) fn look_for_relief(&mut self) -> Step<()> {
        let table = &self.probe.table;
        let answer = |question: &Question| question.answered_by(table.get(question.key)?);
        let posed = &mut self.probe.posed;
        posed.answered = posed.questions.iter().position(|question| answer(question).is_some());
        if posed.answered.is_some() {
            return Err(Interrupted);
        }
        let mut answers = self.relief.questions.iter().enumerate();
        self.relief.answered = answers.find_map(|(index, question)| Some((index, answer(question)?)));
        if self.relief.answered.is_some() { Err(Interrupted) } else { Ok(()) }
    }

    /// What another worker has found of a node with an open window while this one searched it: both go on with the same value.
    pub(super) fn told_meanwhile(&mut self, node: &Node) -> Option<i32> {
        if !node.open() || !self.is_shared(node) {
            return None;
        }
        let exact = self.probe.table.get(node.key).filter(|entry| entry.bound == Bound::Exact)?;
        let answer = Question::of(node, node.key).answered_by(exact)?;
        self.take_over_line(node, answer);
        Some(answer.value)
    }

    /// The line of a node with an open window that another worker has answered, as far as the table knows it.
    fn take_over_line(&mut self, node: &Node, Answer { value, action }: Answer) {
        self.probe.lines[node.ply].length = 0;
        if !node.open() || value <= node.alpha {
            return;
        }
        let Some(first) = action.unpack().filter(|&action| node.board.is_legal(action)) else { return };
        let mut after = node.board.clone();
        after.play_unchecked(first);
        let rest = self.line_in_table(after);
        let below = &mut self.probe.lines[node.ply + 1];
        below.length = rest.len();
        rest.iter().zip(&mut below.moves).for_each(|(&action, slot)| *slot = action.into());
        self.new_best(node, first, value);
    }

    /// Legal moves by the exact entries of the table, as long as no position comes again.
    fn line_in_table(&self, mut board: Board) -> Vec<Move> {
        let (mut keys, mut line) = (Vec::new(), Vec::new());
        while line.len() < LONGEST_LINE {
            let repetition = repetition_key(&board);
            let entry = self.probe.table.get(clocked_key(repetition, &board));
            let comes_again = keys.contains(&repetition) || self.probe.keys.contains(&repetition);
            let known = entry.filter(|entry| entry.bound == Bound::Exact && !comes_again);
            let action = known.and_then(|entry| entry.action.unpack());
            let Some(action) = action.filter(|&action| board.is_legal(action)) else { break };
            line.push(action);
            keys.push(repetition);
            board.play_unchecked(action);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use crate::bstar::{Interrupted, Monitor, Unwatched};
    use crate::chess::Position;
    use crate::chess::probe::busy::Busy;
    use crate::chess::probe::table::Entry;
    use crate::chess::probe::{Bound, PackedMove, Probe, RootMoves, Table, Window};
    use std::sync::Arc;
    use std::thread;

    const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn probe_at(position: &Position, table: &Arc<Table>, company: Option<&Arc<Busy>>) -> Probe {
        let mut probe = Probe::new(Arc::clone(table));
        probe.join(company.cloned());
        probe.set_position(position);
        probe
    }

    #[test]
    fn what_another_one_has_found_is_taken_over_with_its_line() {
        let position = Position::from_board(BUSY.parse().unwrap());
        let table = Arc::new(Table::new(4 << 20));
        let theirs = probe_at(&position, &table, None)
            .search(Window::OPEN, 8, RootMoves::All, &mut Unwatched)
            .unwrap();
        let mut probe = probe_at(&position, &table, Some(&Arc::new(Busy::new(2))));
        let before = probe.static_value();
        let mine = probe.search_once(Window::OPEN, 8, RootMoves::All, &mut Unwatched).unwrap();
        assert_eq!((mine.value, mine.best), (theirs.value, theirs.best));
        assert!(mine.nodes <= super::LOOK_EVERY, "{} of {}", mine.nodes, theirs.nodes);
        assert!(theirs.nodes > 20 * super::LOOK_EVERY);
        assert_eq!(probe.principal_variation().first().copied(), theirs.best);
        assert_eq!((probe.static_value(), probe.key()), (before, position.key()));
        // Some of the moves only: that is another question, and the table does not hold its answer.
        let only = [position.legal_moves()[0]];
        let some = probe.search_once(Window::OPEN, 8, RootMoves::Only(&only), &mut Unwatched).unwrap();
        assert_eq!(some.best, Some(only[0]));
        assert_eq!(probe.principal_variation().first(), Some(&only[0]));
    }

    /// Plays the other worker: it answers when the search has come so far.
    struct Other {
        table: Arc<Table>,
        key: u64,
        answer: Entry,
        from: u64,
        nodes: u64,
    }

    impl Monitor for Other {
        fn work(&mut self, units: u64) -> Result<(), Interrupted> {
            self.nodes += units;
            if self.nodes >= self.from {
                self.table.put(self.key, self.answer);
            }
            Ok(())
        }
    }

    #[test]
    fn the_way_back_ends_at_the_node_that_is_answered_and_leaves_nothing_behind() {
        let position = Position::from_board(BUSY.parse().unwrap());
        let action = position.legal_moves()[7];
        for depth in [16, 18, 20] {
            let table = Arc::new(Table::new(4 << 20));
            let answer = Entry {
                action: action.into(),
                value: 123,
                static_value: None,
                depth,
                bound: Bound::Exact,
                on_line: true,
            };
            let from = 1_000 * depth.unsigned_abs() as u64;
            let mut other = Other { table: Arc::clone(&table), key: position.key(), answer, from, nodes: 0 };
            let mut probe = probe_at(&position, &table, Some(&Arc::new(Busy::new(2))));
            let told = probe.search_once(Window::OPEN, depth, RootMoves::All, &mut other).unwrap();
            assert_eq!((told.value, told.best), (123, Some(action)));
            assert!((from..from + 1_000).contains(&told.nodes), "{} of {from}", told.nodes);
            assert_eq!(probe.key(), position.key());
            assert_eq!(probe.forecast(), probe_at(&position, &table, None).forecast());
            assert!(!probe.company.as_ref().unwrap().has_marks());
        }
    }

    #[test]
    fn a_probe_is_given_up_when_the_tree_above_is_answered() {
        let position = Position::from_board(BUSY.parse().unwrap());
        let action = position.legal_moves()[9];
        // What the other worker answers, the root or its successor, and with which lower bound: both windows end at 50.
        for (at_root, bound) in [(true, 60), (false, 60), (true, 40)] {
            let table = Arc::new(Table::new(4 << 20));
            let mut probe = probe_at(&position, &table, Some(&Arc::new(Busy::new(2))));
            let (root, forecast) = (probe.key(), probe.forecast());
            let window = Window { alpha: -50, beta: 50 };
            probe.pose(window, 20);
            probe.play(action);
            probe.pose(window, 19);
            let key = if at_root { root } else { probe.key() };
            let answer = Entry {
                action: PackedMove::NONE,
                value: bound,
                static_value: None,
                depth: 20,
                bound: Bound::Lower,
                on_line: true,
            };
            let mut other = Other { table: Arc::clone(&table), key, answer, from: 200, nodes: 0 };
            let told = probe.answer(Window::OPEN, 8, false, &mut other);
            assert_eq!(told.is_err(), bound >= window.beta);
            assert!(told.is_ok() || other.nodes < 1_000, "{}", other.nodes);
            let below = probe.withdraw();
            probe.undo();
            assert_eq!((probe.withdraw(), below), (told.is_err() && at_root, told.is_err() && !at_root));
            assert_eq!((probe.key(), probe.forecast()), (root, forecast));
            assert!(!probe.company.as_ref().unwrap().has_marks());
        }
    }

    #[test]
    fn a_search_without_a_move_is_answered_once_for_all() {
        let position = Position::from_board(BUSY.parse().unwrap());
        let (table, marks) = (Arc::new(Table::new(4 << 20)), Arc::new(Busy::new(2)));
        let [best, other] = [position.legal_moves()[2], position.legal_moves()[3]];
        let asked = |company: Option<&Arc<Busy>>, action| {
            let mut probe = probe_at(&position, &table, company);
            let target = probe.static_value() + 10;
            let alone = probe.stands_alone(action, target, 8, &mut Unwatched).unwrap();
            (alone, probe.nodes)
        };
        let (alone, nodes) = asked(Some(&marks), best);
        assert!(nodes > 50, "{nodes}");
        assert_eq!(asked(Some(&marks), best), (alone, 1));
        assert!(asked(Some(&marks), other).1 > 1, "without another move it is another question");
        assert!(asked(None, best).1 > 1, "who is alone knows nothing of it");
    }

    #[test]
    fn after_many_reliefs_a_probe_stands_where_it_stood() {
        let position = Position::from_board(BUSY.parse().unwrap());
        for workers in [2, 4] {
            let (table, marks) = (Arc::new(Table::new(4 << 20)), Arc::new(Busy::new(workers)));
            thread::scope(|scope| {
                for _ in 0..workers {
                    scope.spawn(|| {
                        let mut probe = probe_at(&position, &table, Some(&marks));
                        for depth in 1..=8 {
                            probe.search_once(Window::OPEN, depth, RootMoves::All, &mut Unwatched).unwrap();
                            assert_eq!(probe.key(), position.key());
                            let line = probe.principal_variation();
                            assert!(line.is_empty() || position.legal_moves().contains(&line[0]));
                        }
                        // What the network's stack holds is what a fresh one would.
                        let mut fresh = probe_at(&position, &table, None);
                        assert_eq!(probe.forecast(), fresh.forecast());
                    });
                }
            });
            assert!(!marks.has_marks());
        }
    }
}
