//! Which moves other probes are searching at this moment, so that no two do the same work.
//!
//! Probes that search the same position share their results through the [table](super::table), but only when a
//! result is there. Until then each would search the same moves in the same order. So a probe in company marks the
//! move that it is searching, and puts a move that another one has marked off until it has searched the others; by then the
//! table mostly has the answer. (ABDADA, Weill 1996, in the simplified form of Kerrigan 2017: a small table of marks beside
//! the transposition table, rather than counters in its entries.)
//!
//! Marks are hints. A probe that sees a mark too late, or one that is gone, does work twice, or later; its answer is the same.
//! Lock-free: a free slot is claimed by compare-and-swap and given back by its owner alone, so no mark outlives its search and
//! none is lost. All orders are relaxed: nothing else is published through a mark. That a slot is never given to two workers, nor freed
//! under its owner, needs one word's own order of changes only: the swap succeeds on a free slot, and from then on none but the owner's
//! store of *free* changes it.

use super::Probe;
use super::table::PackedMove;
use cozy_chess::Move;
use std::borrow::Borrow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots of a row: a cache line of eight words.
const ROW: usize = 8;

/// Rows for each worker. A worker marks one move at each ply of its line that is deep enough, some twenty at most. So many rows are nearly
/// empty, and two workers hardly ever write to the same one unless they are at the same position: a line that another processor
/// has written costs as much as one in memory.
const ROWS_A_WORKER: usize = 512;

/// Rows in which the marks of one position may lie: more than eight workers may be at it.
const SPAN: usize = 4;

/// Free slots hold this.
const FREE: u64 = 0;

#[derive(Default)]
#[repr(align(64))]
struct Row([AtomicU64; ROW]);

const _: () = assert!(size_of::<Row>() == 64, "a row is one cache line");

/// The marks of all workers of one search. All methods take `&self`; share it in an `Arc`.
pub struct Busy {
    rows: Box<[Row]>,
}

/// A move of a position, as it is marked.
#[derive(Clone, Copy)]
struct MoveId {
    /// The position's key, which says where the mark lies: all moves of a position share their rows, so a worker that goes through them
    /// comes back to lines that it has.
    key: u64,
    /// The mark. Never the value of a free slot.
    word: u64,
}

impl MoveId {
    /// `action` in the position of this key.
    fn new(key: u64, action: Move) -> Self {
        // The golden ratio's bits (Knuth) spread the sixteen of the move over the word.
        let spread = u64::from(PackedMove::from(action).bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self { key, word: (key ^ spread) | 1 }
    }
}

/// A slot that holds a mark.
#[derive(Clone, Copy)]
struct Slot {
    row: usize,
    at: usize,
}

/// A mark that lasts until it is dropped.
#[must_use]
pub(super) struct Mark<B: Borrow<Busy>> {
    busy: B,
    slot: Slot,
}

impl Busy {
    /// Marks for so many workers.
    pub fn new(workers: usize) -> Self {
        let rows = workers.max(1) * ROWS_A_WORKER;
        Self { rows: (0..rows).map(|_| Row::default()).collect() }
    }

    /// The rows in which a mark may lie, the first one first: the next one counts only while one is full.
    fn rows(&self, id: MoveId) -> impl Iterator<Item = usize> {
        let count = self.rows.len();
        let first = ((u128::from(id.key) * count as u128) >> 64) as usize;
        (first..first + SPAN.min(count)).map(move |row| row % count)
    }

    /// Another worker, or this one, has marked the move.
    fn is_marked(&self, id: MoveId) -> bool {
        for row in self.rows(id) {
            let mut full = true;
            for slot in &self.rows[row].0 {
                let word = slot.load(Relaxed);
                if word == id.word {
                    return true;
                }
                full &= word != FREE;
            }
            if !full {
                return false;
            }
        }
        false
    }

    /// Marks the move; `None` when its rows are full.
    fn mark(&self, id: MoveId) -> Option<Mark<&Self>> {
        Some(Mark { busy: self, slot: self.claim(id)? })
    }

    /// Some move is marked.
    #[cfg(test)]
    pub(super) fn has_marks(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.0).any(|slot| slot.load(Relaxed) != FREE)
    }

    fn claim(&self, id: MoveId) -> Option<Slot> {
        let claimed = |slot: &AtomicU64| {
            slot.load(Relaxed) == FREE && slot.compare_exchange(FREE, id.word, Relaxed, Relaxed).is_ok()
        };
        self.rows(id).find_map(|row| {
            let at = self.rows[row].0.iter().position(claimed)?;
            Some(Slot { row, at })
        })
    }
}

impl<B: Borrow<Busy>> Drop for Mark<B> {
    fn drop(&mut self) {
        let Slot { row, at } = self.slot;
        self.busy.borrow().rows[row].0[at].store(FREE, Relaxed);
    }
}

/// The marks that a probe holds for a tree above it, the latest last; `None` where the rows were full.
pub(super) type Held = Vec<Option<Mark<Arc<Busy>>>>;

/// The tree above the probe marks what it is at, as the probe does.
impl Probe {
    /// There are others that share table and marks.
    pub fn is_in_company(&self) -> bool {
        self.company.is_some()
    }

    /// Another worker is at this move of the current position.
    pub fn is_taken(&self, action: Move) -> bool {
        self.company.as_ref().is_some_and(|company| company.is_marked(MoveId::new(self.key(), action)))
    }

    /// Tells the others that this worker is at this move of the current position, until [`lay_down`](Self::lay_down).
    pub fn take_up(&mut self, action: Move) {
        if let Some(company) = &self.company {
            let slot = company.claim(MoveId::new(self.key(), action));
            self.held.push(slot.map(|slot| Mark { busy: Arc::clone(company), slot }));
        }
    }

    /// The move that was taken up last is done, or given up.
    pub fn lay_down(&mut self) {
        self.held.pop();
    }
}

/// Plies. Nodes that are to be searched so deep share their moves: below, a search is over before another worker can make use
/// of knowing about it.
pub(super) const SHARED_DEPTH: i32 = 3;

/// The moves of one node, as a worker in company goes through them: those that another worker is at come last.
pub(super) struct Share<'a> {
    /// `None`: nothing is shared here.
    company: Option<&'a Busy>,
    key: u64,
    later: VecDeque<(Move, usize)>,
    /// All other moves are through.
    resumed: bool,
}

impl<'a> Share<'a> {
    /// For the node of this key, to be searched so deep.
    pub fn new(company: Option<&'a Busy>, key: u64, depth: i32) -> Self {
        let company = company.filter(|_| depth >= SHARED_DEPTH);
        Self { company, key, later: VecDeque::new(), resumed: false }
    }

    /// The next move that was put off, with its number, when there is no other left.
    pub fn resume(&mut self) -> Option<(Move, usize)> {
        self.resumed = true;
        self.later.pop_front()
    }

    /// What is handed out now was put off before.
    pub fn has_resumed(&self) -> bool {
        self.resumed
    }

    /// Another worker is at this move, the `number`th from 1: it is put off. The first one is searched by all: its value
    /// is what the others are asked about.
    pub fn puts_off(&mut self, action: Move, number: usize) -> bool {
        let id = MoveId::new(self.key, action);
        let off = !self.resumed && number > 1 && self.company.is_some_and(|company| company.is_marked(id));
        if off {
            self.later.push_back((action, number));
        }
        off
    }

    /// Tells the others that this worker is at the move, until the mark is dropped.
    pub fn mark(&self, action: Move, number: usize) -> Option<Mark<&'a Busy>> {
        self.company.filter(|_| number > 1)?.mark(MoveId::new(self.key, action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::Square;
    use std::thread;

    fn moves() -> [Move; 3] {
        ["e2e4", "d2d4", "a7a8q"].map(|text| text.parse().unwrap())
    }

    #[test]
    fn a_mark_lasts_until_it_is_dropped() {
        let busy = Busy::new(1);
        let [one, other, _] = moves().map(|action| MoveId::new(1, action));
        let mark = busy.mark(one);
        assert!(busy.is_marked(one) && !busy.is_marked(other));
        let again = busy.mark(one);
        drop(mark);
        assert!(busy.is_marked(one), "the second worker is still at it");
        drop(again);
        assert!(!busy.is_marked(one));
    }

    #[test]
    fn a_full_row_marks_no_more() {
        let busy = Busy { rows: [Row::default()].into() };
        let marks: Vec<_> = (0..20).map(|key| busy.mark(MoveId::new(key << 8, moves()[0]))).collect();
        assert_eq!(marks.iter().flatten().count(), ROW);
        drop(marks);
        assert!(!busy.has_marks());
    }

    #[test]
    fn many_workers_may_be_at_one_position() {
        let busy = Busy::new(2);
        let moves = Square::ALL.iter().skip(1).map(|&to| Move { from: Square::A1, to, promotion: None });
        let ids: Vec<_> = moves.take(ROW * SPAN + 1).map(|action| MoveId::new(u64::MAX, action)).collect();
        let marks: Vec<_> = ids.iter().map(|&id| busy.mark(id)).collect();
        assert_eq!(marks.iter().flatten().count(), ROW * SPAN);
        assert!(ids[..ROW * SPAN].iter().all(|&id| busy.is_marked(id)) && !busy.is_marked(ids[ROW * SPAN]));
        drop(marks);
        assert!(!busy.has_marks());
    }

    #[test]
    fn moves_that_others_are_at_come_last_and_once() {
        let busy = Busy::new(2);
        let [first, second, third] = moves();
        let theirs = Share::new(Some(&busy), 9, SHARED_DEPTH);
        let _marks = (theirs.mark(first, 2), theirs.mark(second, 3));
        let mut mine = Share::new(Some(&busy), 9, SHARED_DEPTH);
        assert!(!mine.puts_off(first, 1), "the first one is searched by all");
        assert!(mine.puts_off(second, 2) && !mine.puts_off(third, 3) && !mine.has_resumed());
        assert_eq!(mine.resume(), Some((second, 2)));
        assert!(mine.has_resumed() && !mine.puts_off(second, 2), "once only");
        assert_eq!(mine.resume(), None);
        let mut elsewhere = Share::new(Some(&busy), 10, SHARED_DEPTH);
        let mut shallow = Share::new(Some(&busy), 9, SHARED_DEPTH - 1);
        let mut alone = Share::new(None, 9, SHARED_DEPTH);
        for share in [&mut elsewhere, &mut shallow, &mut alone] {
            assert!(!share.puts_off(second, 2));
        }
    }

    #[test]
    fn no_mark_outlives_its_worker() {
        let busy = Busy { rows: [Row::default(), Row::default()].into() };
        thread::scope(|scope| {
            for worker in 0..3u64 {
                let busy = &busy;
                scope.spawn(move || {
                    for round in 0..2_000 {
                        let share = Share::new(Some(busy), (round * 7 + worker) << 32, SHARED_DEPTH);
                        drop(moves().map(|action| share.mark(action, 2)));
                    }
                });
            }
        });
        assert!(!busy.has_marks());
    }
}
