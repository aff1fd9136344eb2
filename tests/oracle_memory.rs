//! The graph's budget, measured where memory is handed out: a promise about bytes, not about an estimate of them.

use regulus::bstar::{Estimate, Graph, Interval, Successor, Value};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::Neg;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Points(i32);

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Value for Points {
    const MIN: Self = Self(-i32::MAX);
    const MAX: Self = Self(i32::MAX);
    fn minus(self, other: Self) -> f64 {
        f64::from(self.0) - f64::from(other.0)
    }
}

/// The system's allocator, with a count of the bytes that are out and of the most that ever were.
struct Counting;

// Of this thread only: the test harness has a thread of its own, which takes memory when it likes.
thread_local! {
    static OUT: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

/// Bytes came or went. A thread that ends has no counters any more.
fn count(change: impl Fn(usize) -> usize) {
    let _ = OUT.try_with(|out| {
        out.set(change(out.get()));
        let _ = MOST.try_with(|most| most.set(most.get().max(out.get())));
    });
}

/// Bytes that are out.
fn out() -> usize {
    OUT.get()
}

// SAFETY: every call is passed on to the system's allocator unchanged; the counters touch no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|out| out + layout.size());
        // SAFETY: the caller's promises are the system allocator's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // What another thread allocated may end here.
        count(|out| out.saturating_sub(layout.size()));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// SplitMix64.
fn chance(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Lists that `make_room` holds while it works: the root's moves and one path.
const WORKING_MEMORY: usize = 8 * 1024;

/// Grows the graph at random leaves, searches on from random nodes, and makes room when it is full.
fn stress(budget: usize, steps: usize) {
    let before = out();
    let mut successors: Vec<Successor<u32, Points>> = Vec::with_capacity(300);
    let own = out() - before;
    let mut graph = Graph::<Points, u32>::with_budget(budget);
    let mut root = graph.re_root(0, 0, Estimate::UNKNOWN);
    let (mut state, mut rooms, mut most) = (budget as u64, 0, 0);
    MOST.set(out());
    for step in 0..steps {
        // A random way down from the root.
        let mut path = [root; 64];
        let mut length = 1;
        while graph.is_expanded(path[length - 1]) && length < path.len() {
            let edges = graph.edges(path[length - 1]);
            path[length] = edges[chance(&mut state) as usize % edges.len()].child;
            length += 1;
        }
        let leaf = path[length - 1];
        if length == path.len() || step % 5000 == 4999 {
            // Search on from here: everything else is out of reach.
            let (key, ply) = (graph.key(path[length / 2]), graph.ply(path[length / 2]));
            root = graph.re_root(key, ply, Estimate::UNKNOWN);
            continue;
        }
        successors.clear();
        let wide: u64 = if chance(&mut state) % 20 == 7 { 250 } else { 40 };
        let count = 1 + chance(&mut state) % wide;
        for action in 0..count as u32 {
            // Few keys, so that many nodes are shared.
            let value = Points((chance(&mut state) % 100) as i32);
            let estimate = Estimate::proven(Interval::new(-value, value).unwrap());
            successors.push(Successor { action, key: chance(&mut state) % 100_000, estimate });
        }
        while graph.expand(leaf, &successors).is_err() {
            rooms += 1;
            assert!(graph.make_room(&path[..length]) > 0, "{budget} bytes, step {step}: nothing to free");
        }
        let out = out() - before - own;
        assert!(out <= graph.bytes_in_use(), "{out} bytes are out, {} are counted", graph.bytes_in_use());
        assert!(graph.bytes_in_use() <= graph.budget());
        most = most.max(graph.bytes_in_use());
    }
    let peak = MOST.get() - before - own;
    assert!(peak <= budget + WORKING_MEMORY, "{peak} bytes of {budget}");
    assert!(rooms > 10 && most > budget / 10 * 9, "the budget was not even reached: {most} of {budget}");
    drop(graph);
    drop(successors);
    assert_eq!(out(), before);
    // Printing takes memory too: not before now.
    println!("budget {budget}: peak {peak}, counted {most}, room made {rooms} times");
}

#[test]
fn the_budget_holds_at_every_moment() {
    stress(256 * 1024, 20_000);
    stress(4 << 20, 60_000);
    let before = out();
    let graph = Graph::<Points, u32>::with_budget(64 << 30);
    let out = out() - before;
    assert!(out < 32 << 20 && out <= graph.bytes_in_use());
    println!("an empty graph of 64 GiB: {out} bytes");
}
