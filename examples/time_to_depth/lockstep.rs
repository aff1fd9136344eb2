//! Many workers in virtual time: real searches, real threads, but only one runs at a time, and the turn goes round after
//! some nodes. The nodes of the first worker are the time that the search takes on a machine with so many equal
//! processors, whatever machine this is. What it leaves out: the memory's own limits.

use regulus::bstar::settled::root::{Overseer, Progress, Verdict};
use regulus::bstar::{Interrupted, Monitor};
use regulus::chess::probe::busy::Busy;
use regulus::chess::probe::{RootMoves, Table};
use regulus::chess::tree_search::Settings;
use regulus::chess::twin::{self, TwinLimits};
use regulus::chess::{Position, Score, TreeSearch};
use regulus::engine::options::{Options, SearchMode};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use cozy_chess::Move;

/// Bytes of a worker's stack, as in the engine.
const STACK: usize = 64 << 20;

/// Whose turn it is, and who takes part.
struct Round {
    turn: usize,
    present: Vec<bool>,
    over: bool,
}

struct Turns {
    /// Nodes of a turn: the monitors ask for no more at a time.
    length: u64,
    round: Mutex<Round>,
    come: Vec<Condvar>,
}

impl Turns {
    fn new(workers: usize, length: u64) -> Self {
        let round = Round { turn: 0, present: vec![true; workers], over: false };
        Self { length, round: Mutex::new(round), come: (0..workers).map(|_| Condvar::new()).collect() }
    }

    fn round(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn await_turn(&self, me: usize) {
        let mut round = self.round();
        while round.turn != me {
            round = self.come[me].wait(round).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The turn goes to the next worker that is there.
    fn pass(&self, me: usize, stays: bool) {
        let mut round = self.round();
        round.present[me] = stays;
        let workers = round.present.len();
        let next = (1..=workers).map(|step| (me + step) % workers).find(|&worker| round.present[worker]);
        if let Some(next) = next {
            round.turn = next;
            self.come[next].notify_one();
        }
    }
}

/// A worker's monitor.
struct Stepper<'a> {
    turns: &'a Turns,
    me: usize,
    /// Nodes of this turn.
    turn: u64,
    /// Nodes in all.
    nodes: u64,
}

impl<'a> Stepper<'a> {
    fn join(turns: &'a Turns, me: usize) -> Self {
        turns.await_turn(me);
        Self { turns, me, turn: 0, nodes: 0 }
    }
}

impl Drop for Stepper<'_> {
    fn drop(&mut self) {
        if self.me == 0 {
            self.turns.round().over = true;
        }
        self.turns.pass(self.me, false);
    }
}

impl Monitor for Stepper<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes += units;
        self.turn += units;
        if self.turn >= self.turns.length {
            self.turn = 0;
            self.turns.pass(self.me, true);
            self.turns.await_turn(self.me);
        }
        if self.me > 0 && self.turns.round().over { Err(Interrupted) } else { Ok(()) }
    }

    fn allowance(&self) -> u64 {
        self.turns.length - self.turn
    }
}

impl Overseer<Move, Score> for Stepper<'_> {
    fn progress(&mut self, _progress: &Progress<Move, Score>) -> Verdict {
        Verdict::Continue
    }
    fn wants_separation(&self) -> bool {
        false
    }
}

/// Workers with their memory.
pub struct Workers {
    trees: Vec<TreeSearch>,
    table: Arc<Table>,
    /// Nodes of a turn.
    turn: u64,
}

impl Workers {
    /// So many workers with a table of so many MiB, in turns of so many nodes.
    pub fn new(count: usize, mib: usize, turn: u64) -> Self {
        let table = Arc::new(Table::new(mib << 20));
        let marks = (count > 1).then(|| Arc::new(Busy::new(count)));
        let trees = (0..count).map(|_| {
            let mut tree = TreeSearch::new(Arc::clone(&table), 1 << 20);
            tree.probe().join(marks.clone());
            tree
        });
        Self { trees: trees.collect(), table, turn }
    }

    /// Searches `position` from empty memory to this depth. Returns the nodes of the first worker and of all.
    pub fn search(&mut self, position: &Position, depth: u32, options: &Options) -> (u64, u64) {
        self.table.clear(1);
        self.trees.iter_mut().for_each(TreeSearch::clear);
        let turns = Turns::new(self.trees.len(), self.turn);
        let nodes: Vec<u64> = thread::scope(|scope| {
            let hands: Vec<_> = self
                .trees
                .iter_mut()
                .enumerate()
                .map(|(me, tree)| {
                    let turns = &turns;
                    let run = move || {
                        options.dials.install();
                        let mut stepper = Stepper::join(turns, me);
                        search_one(tree, position, depth, options, &mut stepper);
                        stepper.nodes
                    };
                    thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).expect("a thread")
                })
                .collect();
            hands.into_iter().map(|hand| hand.join().unwrap_or(0)).collect()
        });
        (nodes[0], nodes.iter().sum())
    }
}

/// One worker's search.
pub fn search_one(
    tree: &mut TreeSearch,
    position: &Position,
    depth: u32,
    options: &Options,
    stepper: &mut impl Overseer<Move, Score>,
) {
    match options.search_mode {
        SearchMode::BStar => {
            let settings = Settings { policy: options.policy, model: options.interval_model, lines: 1 };
            tree.search(position, &[], settings, depth as u16, stepper);
        }
        SearchMode::AlphaBeta => {
            let limits = TwinLimits { depth: depth as i32, moves: RootMoves::All, lines: 1 };
            twin::think(tree.probe(), position, limits, stepper, |_| true);
        }
    }
}
