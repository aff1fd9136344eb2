//! The transposition table: lock-free, shared by all probes of a search.
//!
//! An entry is two 64-bit words, `key ^ data` and `data` (Hyatt and Mann, 2002): a reader that catches two writers'
//! halves sees a key that does not match, and takes it for a miss. Four entries share a bucket of one cache line.
//!
//! ```text
//! data:  0..16 move | 16..32 value | 32..48 static value | 48..56 depth | 56..58 bound | 58 on a line | 59..64 age
//! ```
//!
//! A 64-bit key can still belong to another position, so whoever plays a move from here asks the board first.

use cozy_chess::{Move, Piece, Square};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Which side of a stored value the true one lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The true value is at least the stored one.
    Lower,
    /// The true value is at most the stored one.
    Upper,
}

/// A move in 16 bits; zero is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PackedMove(u16);

const PROMOTIONS: [Option<Piece>; 5] =
    [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];

impl PackedMove {
    /// No move.
    pub const NONE: Self = Self(0);

    /// The sixteen bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// The move, or `None`. Nothing is known about its legality.
    pub fn unpack(self) -> Option<Move> {
        let square = |bits: u16| Square::index(usize::from(bits & 63));
        let promotion = *PROMOTIONS.get(usize::from(self.0 >> 12))?;
        (self != Self::NONE).then(|| Move { from: square(self.0), to: square(self.0 >> 6), promotion })
    }
}

impl From<Move> for PackedMove {
    fn from(action: Move) -> Self {
        let promotion = action.promotion.map_or(0, |piece| piece as u16);
        Self(action.from as u16 | (action.to as u16) << 6 | promotion << 12)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best or refuting move, possibly not legal here (see the module's text).
    pub action: PackedMove,
    /// From the side to move, mates counted from this position.
    pub value: i32,
    /// The evaluation before any correction, or `None` when it was not taken (in check).
    pub static_value: Option<i32>,
    /// Plies searched below the position.
    pub depth: i32,
    /// The kind of `value`.
    pub bound: Bound,
    /// The position was on a principal line (searched with an open window) when it was stored or before.
    pub on_line: bool,
}

/// Ages are counted modulo this.
const AGES: u8 = 32;
const BUCKET: usize = 4;
const NO_STATIC_VALUE: i16 = i16::MIN;

/// A stored depth is the real one plus this, so that quiescence entries (depth 0 and below) fit.
const DEPTH_OFFSET: i32 = 4;

impl Entry {
    fn to_bits(self, age: u8) -> u64 {
        let word = |value: i32| u64::from(value as i16 as u16);
        let static_value = self.static_value.map_or(NO_STATIC_VALUE, |value| value as i16);
        let depth = (self.depth + DEPTH_OFFSET).clamp(1, 255) as u64;
        let bound = match self.bound {
            Bound::Exact => 1u64,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.action.0)
            | word(self.value) << 16
            | word(i32::from(static_value)) << 32
            | depth << 48
            | bound << 56
            | u64::from(self.on_line) << 58
            | u64::from(age) << 59
    }

    /// `None` for a slot that was never written.
    fn from_bits(bits: u64) -> Option<Self> {
        let word = |shift: u32| (bits >> shift) as u16 as i16;
        let bound = match bits >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Self {
            action: PackedMove(bits as u16),
            value: i32::from(word(16)),
            static_value: Some(word(32)).filter(|&value| value != NO_STATIC_VALUE).map(i32::from),
            depth: (bits >> 48 & 255) as i32 - DEPTH_OFFSET,
            bound,
            on_line: bits >> 58 & 1 == 1,
        })
    }
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is one cache line");

/// Buckets of a segment, a power of two: 128 MiB. A table is made and cleared by segments, each by one thread: on the thirty
/// milliseconds that a segment takes, the start of a thread is lost.
const SEGMENT: usize = 1 << 21;

/// The table. All methods take `&self`; share it in an `Arc`.
pub struct Table {
    /// All of [`SEGMENT`] buckets, the last one of what is left.
    segments: Box<[Box<[Bucket]>]>,
    /// Buckets of all segments.
    length: usize,
    age: AtomicU8,
}

impl Table {
    /// A table of at most `bytes` bytes, and never less than one bucket.
    ///
    /// # Panics
    /// When the system does not give so much: for sizes that every machine has.
    pub fn new(bytes: usize) -> Self {
        Self::try_new(bytes, 1).expect("so small a table fits everywhere")
    }

    /// The same, made by so many threads, or `None` when the system does not give so much.
    pub fn try_new(bytes: usize, threads: usize) -> Option<Self> {
        let length = (bytes / size_of::<Bucket>()).max(1);
        // In one piece, and let go at once: systems that lend more than they have refuse what is far too much only so.
        let mut whole = Vec::<Bucket>::new();
        whole.try_reserve_exact(length).ok()?;
        drop(std::hint::black_box(whole));
        let mut segments = Vec::new();
        segments.try_reserve_exact(length.div_ceil(SEGMENT)).ok()?;
        segments.resize_with(length.div_ceil(SEGMENT), || None);
        in_parallel(&mut segments, threads, |index, segment: &mut Option<_>| {
            *segment = empty_segment((length - index * SEGMENT).min(SEGMENT));
        });
        let segments: Option<_> = segments.into_iter().collect();
        Some(Self { segments: segments?, length, age: AtomicU8::new(0) })
    }

    /// The memory that the entries take.
    pub fn bytes(&self) -> usize {
        self.length * size_of::<Bucket>()
    }

    /// Forgets everything, by so many threads. What another thread puts meanwhile may stay or go.
    pub fn clear(&self, threads: usize) {
        let mut segments: Vec<_> = self.segments.iter().collect();
        in_parallel(&mut segments, threads, |_, segment| {
            for slot in segment.iter().flat_map(|bucket| &bucket.0) {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        });
        self.age.store(0, Relaxed);
    }

    /// A new move is thought about: what older searches left goes first when room is needed.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How many searches there have been, modulo [`AGES`].
    #[cfg(test)]
    pub fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    /// Permille of a sample of slots that the current search has filled.
    pub fn permille_full(&self) -> u32 {
        let age = u64::from(self.age.load(Relaxed));
        let sample = &self.segments[0][..self.segments[0].len().min(256)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used =
            slots.map(|slot| slot.data.load(Relaxed)).filter(|data| data >> 56 & 3 != 0 && data >> 59 == age);
        (used.count() * 1000 / (sample.len() * BUCKET)) as u32
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of key * length: the key's upper bits, spread over any number of buckets (Lemire, 2016).
        let index = ((u128::from(key) * self.length as u128) >> 64) as usize;
        &self.segments[index / SEGMENT][index % SEGMENT]
    }

    /// Brings the entries of this key nearer: a load whose result nobody waits for, so that by the time of
    /// [`get`](Self::get) the memory has answered.
    pub fn touch(&self, key: u64) {
        std::hint::black_box(self.bucket(key).0[0].data.load(Relaxed));
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key).then(|| Entry::from_bits(data))?
        })
    }

    /// Stores `entry`. It replaces the same position's entry unless that one is of this search, clearly deeper and
    /// not less exact; else the bucket's entry that is shallowest, each search of age counting like four plies. An
    /// entry without a move keeps the move already known for the position.
    pub fn put(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let slots = &self.bucket(key).0;
        let mut target = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            let data = slot.data.load(Relaxed);
            let Some(old) = Entry::from_bits(data) else {
                if least > i32::MIN {
                    (target, least) = (slot, i32::MIN);
                }
                continue;
            };
            let passed = i32::from((AGES + age - (data >> 59) as u8) % AGES);
            if slot.check.load(Relaxed) ^ data == key {
                let keeps = passed == 0 && entry.bound != Bound::Exact && entry.depth + 4 <= old.depth;
                if keeps {
                    return;
                }
                if entry.action == PackedMove::NONE {
                    entry.action = old.action;
                }
                target = slot;
                break;
            }
            let worth = old.depth - 4 * passed + i32::from(old.on_line);
            if worth < least {
                (target, least) = (slot, worth);
            }
        }
        let data = entry.to_bits(age);
        target.check.store(key ^ data, Relaxed);
        target.data.store(data, Relaxed);
    }
}

/// Buckets that were never written, if the system has them.
fn empty_segment(length: usize) -> Option<Box<[Bucket]>> {
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(length).ok()?;
    buckets.resize_with(length, Bucket::default);
    Some(buckets.into_boxed_slice())
}

/// Does `work` with each item and its index, by at most so many threads; fewer where the system has no more.
fn in_parallel<T: Send>(items: &mut [T], threads: usize, work: impl Fn(usize, &mut T) + Sync) {
    let helpers = threads.min(items.len()).saturating_sub(1);
    let queue = Mutex::new(items.iter_mut().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_off = || {
        while let Some((index, item)) = next() {
            work(index, item);
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            // Without this one the others do its part.
            let _ = thread::Builder::new().spawn_scoped(scope, work_off);
        }
        work_off();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, value: i32) -> Entry {
        Entry {
            action: PackedMove::from("e2e4".parse::<Move>().unwrap()),
            value,
            static_value: Some(-31),
            depth,
            bound: Bound::Lower,
            on_line: false,
        }
    }

    #[test]
    fn moves_survive_packing() {
        for text in ["e2e4", "a1h8", "h7h8q", "a2b1n", "e1h1", "b7b8r", "c2c1b"] {
            let action: Move = text.parse().unwrap();
            assert_eq!(PackedMove::from(action).unpack(), Some(action));
        }
        assert_eq!(PackedMove::NONE.unpack(), None);
        assert_eq!(PackedMove(7 << 12).unpack(), None, "no such promotion");
    }

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(1 << 16);
        let stored = [
            entry(7, 42),
            Entry { bound: Bound::Exact, value: -31_990, on_line: true, ..entry(0, 0) },
            Entry { bound: Bound::Upper, static_value: None, action: PackedMove::NONE, ..entry(-1, 31_999) },
        ];
        for (key, stored) in (1u64..).map(|n| n << 60 | n).zip(stored) {
            assert_eq!(table.get(key), None);
            table.put(key, stored);
            assert_eq!(table.get(key), Some(stored));
        }
        table.clear(1);
        assert_eq!(table.get(1 << 60 | 1), None);
    }

    #[test]
    fn another_key_in_the_same_bucket_is_a_miss() {
        let table = Table::new(64);
        table.put(5, entry(3, 1));
        assert_eq!(table.get(6), None);
        assert_eq!(table.bytes(), 64);
    }

    #[test]
    fn a_torn_entry_is_a_miss() {
        let table = Table::new(64);
        table.put(5, entry(3, 1));
        table.segments[0][0].0[0].data.store(entry(4, 2).to_bits(0), Relaxed);
        assert_eq!(table.get(5), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let table = Table::new(64);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.put(key, entry(depth, 0));
        }
        table.put(5, entry(1, 0));
        assert_eq!(table.get(2), None, "the shallowest");
        assert!(table.get(5).is_some() && table.get(1).is_some());
        (0..4).for_each(|_| table.new_search());
        table.put(5, entry(1, 0));
        table.put(6, entry(1, 0));
        assert!(table.get(5).is_some(), "shallow but new");
        assert_eq!(table.get(4), None, "deeper but old");
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_one_of_the_same_search() {
        let table = Table::new(64);
        table.put(1, entry(12, 50));
        table.put(1, entry(5, -50));
        assert_eq!(table.get(1).unwrap().depth, 12);
        table.put(1, Entry { bound: Bound::Exact, ..entry(5, -50) });
        assert_eq!(table.get(1).unwrap().depth, 5);
        table.put(1, Entry { action: PackedMove::NONE, ..entry(6, 0) });
        assert_eq!(table.get(1).unwrap().action, entry(0, 0).action, "the move is kept");
    }

    #[test]
    fn fullness_counts_the_current_search() {
        let table = Table::new(64);
        table.put(1, entry(1, 0));
        table.put(2, entry(1, 0));
        assert_eq!(table.permille_full(), 500);
        table.new_search();
        assert_eq!(table.permille_full(), 0);
    }
}
