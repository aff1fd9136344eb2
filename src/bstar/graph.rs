//! [`Graph`]: the nodes that the search has seen, who leads to whom, and a promise about memory.
//!
//! Nodes are keyed by (position key, game ply). Every edge raises the ply by one, so the graph has no cycles,
//! whatever moves repeat, and a position reached by two move orders is one node with two parents.
//!
//! ```text
//!  buckets        nodes (slab)                                  links (slab)
//!  +-----+        +-------------------------------------+      +----------------+
//!  |  o--+------> | key, ply, generation                |      | parent    next |<-+
//!  +-----+        | estimate: belief, searched, efforts |      +---o--------o---+  |
//!  |  -  |        | parents o---------------------------+------->  |        |      |
//!  +-----+        | edges   o---+   next in bucket o----+--> node  |        v      |
//!  |  o--+-> ...  +-------------|-----------------------+      a node    the next parent
//!  +-----+                      v                                         of the same child
//!                 +--------------------+--------------------+-- -+
//!                 | action, child o----+--> node            |    |   one block for each expanded node
//!                 +--------------------+--------------------+-- -+
//! ```
//!
//! *Memory.* Slabs and buckets grow in chunks of a fixed size and are never copied; blocks of edges have the
//! exact size. Before anything is allocated it is counted, and what does not fit is refused ([`Full`]): the
//! budget holds at every moment. Nothing is allocated before it is used. Vacant slots are used again; edges
//! go back to the allocator.
//!
//! *Age.* [`Graph::re_root`] frees nothing. What is out of reach keeps its estimates until
//! [`Graph::make_room`] wants the memory, so a game that is stepped back finds its nodes again.

mod buckets;
mod room;
mod slab;

use super::{Estimate, Interval, Successor, Value};
use buckets::{Buckets, hash};
use slab::{Linked, NONE, Slab};
use std::collections::HashSet;

/// A node of a [`Graph`]. Valid until the node is freed; its number is then given to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// A move from an expanded node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge<A> {
    /// The move.
    pub action: A,
    /// The node behind it.
    pub child: NodeId,
}

/// The budget does not allow it, and nothing was changed. [`Graph::make_room`] may help.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

/// One position. Expanded when it has edges, else a leaf.
struct Node<V, A> {
    key: u64,
    estimate: Estimate<V>,
    edges: Box<[Edge<A>]>,
    /// First [`ParentLink`], [`NONE`], or [`VACANT`].
    parents: u32,
    /// Next node in the same bucket, or in the list that the node is in while it is freed.
    next: u32,
    ply: u16,
    age: room::Age,
    /// Of a leaf that had edges before: [`footprint`] of the child that supplied its lower. Zero: it never
    /// had any.
    mainstay: u8,
}

/// One edge, seen from the child.
struct ParentLink {
    parent: u32,
    next: u32,
}

/// In [`Node::parents`]: nobody lives in this slot.
const VACANT: u32 = NONE - 1;

// A node of a chess graph (values of four bytes); with an edge and its parent link, 72 bytes a node.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Node<i32, u32>>() == 56);
const _: () = assert!(size_of::<ParentLink>() == 8);

impl<V, A> Linked for Node<V, A> {
    fn next(&self) -> u32 {
        self.next
    }
    fn set_next(&mut self, slot: u32) {
        self.next = slot;
    }
}

impl Linked for ParentLink {
    fn next(&self) -> u32 {
        self.next
    }
    fn set_next(&mut self, slot: u32) {
        self.next = slot;
    }
}

/// The arena of nodes and edges, with its root. See the [module's](self) picture.
pub struct Graph<V, A> {
    nodes: Slab<Node<V, A>>,
    links: Slab<ParentLink>,
    buckets: Buckets,
    node_count: usize,
    /// Bytes in blocks of edges.
    edge_bytes: usize,
    budget: usize,
    root: Option<NodeId>,
    generation: u8,
}

impl<V: Value, A: Copy> Graph<V, A> {
    /// The least budget, in bytes: room for a root with some hundreds of moves. Smaller ones are raised to it.
    pub const LEAST_BUDGET: usize = 64 * 1024;

    /// An empty graph that never takes more than `bytes` (at least [`LEAST_BUDGET`](Self::LEAST_BUDGET)).
    pub fn with_budget(bytes: usize) -> Self {
        let budget = bytes.max(Self::LEAST_BUDGET);
        // Fine enough that small budgets are not wasted on half-used chunks, coarse enough that the tables of
        // chunks stay below a thousandth of large ones.
        let chunk = (budget / 128).clamp(2 * 1024, 256 * 1024);
        Self {
            nodes: Slab::new(budget, chunk),
            links: Slab::new(budget, chunk),
            buckets: Buckets::new(budget, chunk),
            node_count: 0,
            edge_bytes: 0,
            budget,
            root: None,
            generation: 0,
        }
    }

    /// The most bytes that the graph may take.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Bytes allocated now: nodes, parent links, edges, index, used or not. Never above
    /// [`budget`](Self::budget).
    pub fn bytes_in_use(&self) -> usize {
        self.nodes.bytes() + self.links.bytes() + self.buckets.bytes() + self.edge_bytes
    }

    /// Frees every node, and the memory.
    pub fn clear(&mut self) {
        // The old slabs must go before the new ones come.
        self.nodes = Slab::new(0, 0);
        self.links = Slab::new(0, 0);
        self.buckets = Buckets::new(0, 0);
        *self = Self::with_budget(self.budget);
    }

    /// The number of nodes, those out of reach included.
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// The position being searched; none before the first [`re_root`](Self::re_root).
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The number of nodes that the root reaches, itself included, counted up to `most`: it takes a walk over them.
    pub fn tree_size(&self, most: usize) -> usize {
        let mut waiting: Vec<NodeId> = self.root.into_iter().collect();
        let mut seen: HashSet<NodeId> = waiting.iter().copied().collect();
        while let Some(node) = waiting.pop().filter(|_| seen.len() < most) {
            waiting
                .extend(self.edges(node).iter().map(|edge| edge.child).filter(|&child| seen.insert(child)));
        }
        seen.len().min(most)
    }

    /// Every node there is, in the order of the slots.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.slots()).filter_map(|slot| self.node_in(slot))
    }

    /// Slots ever taken. To walk over all nodes while changing them: `(0..graph.slots())`,
    /// [`node_in`](Self::node_in).
    pub fn slots(&self) -> u32 {
        self.nodes.slots() as u32
    }

    /// The node in a slot below [`slots`](Self::slots), if somebody lives there.
    pub fn node_in(&self, slot: u32) -> Option<NodeId> {
        (self.nodes[slot].parents != VACANT).then_some(NodeId(slot))
    }

    /// The node of a position.
    pub fn find(&self, key: u64, ply: u16) -> Option<NodeId> {
        if self.buckets.count() == 0 {
            return None;
        }
        let mut slot = self.buckets.head(self.buckets.bucket(hash(key, ply)));
        while slot != NONE {
            let node = &self.nodes[slot];
            if node.key == key && node.ply == ply {
                return Some(NodeId(slot));
            }
            slot = node.next;
        }
        None
    }

    /// What is known of a node, from its side to move.
    pub fn estimate(&self, id: NodeId) -> Estimate<V> {
        self.nodes[id.0].estimate
    }

    /// The game ply of a node.
    pub fn ply(&self, id: NodeId) -> u16 {
        self.nodes[id.0].ply
    }

    /// The position key of a node.
    pub fn key(&self, id: NodeId) -> u64 {
        self.nodes[id.0].key
    }

    /// Has the node edges? Else it is a leaf.
    pub fn is_expanded(&self, id: NodeId) -> bool {
        !self.nodes[id.0].edges.is_empty()
    }

    /// The moves of an expanded node, in the domain's order; of a leaf, none.
    pub fn edges(&self, id: NodeId) -> &[Edge<A>] {
        &self.nodes[id.0].edges
    }

    /// The nodes that have an edge to this one, each once for every such edge.
    pub fn parents(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut link = self.nodes[id.0].parents;
        std::iter::from_fn(move || {
            (link != NONE).then(|| {
                let ParentLink { parent, next } = self.links[link];
                link = next;
                NodeId(parent)
            })
        })
    }

    /// Makes the position the root, with the node that it already has, or else a new leaf with this estimate
    /// (a leaf that is already there takes the estimate where it knows more). Nothing is freed, unless the
    /// new node needs the room.
    pub fn re_root(&mut self, key: u64, ply: u16, estimate: Estimate<V>) -> NodeId {
        self.root = None;
        self.age_by_one();
        let id = self.find(key, ply).unwrap_or_else(|| {
            while !self.fits(self.nodes.bytes_for(1)) {
                if self.make_room(&[]) == 0 {
                    self.clear();
                }
            }
            let id = self.insert(key, ply, estimate);
            self.grow_index();
            id
        });
        self.learn(id, estimate);
        self.root = Some(id);
        self.touch(id);
        id
    }

    /// Gives a leaf its successors. One whose position is already in the graph is shared: it keeps its
    /// estimate, but takes the new one where that knows more. An expanded node and an empty list are left as
    /// they are.
    ///
    /// A leaf that was [collapsed](Self::collapse) knows more than fresh successors do. What it believes goes
    /// down to them, so that nothing learned is learned twice: none can be better for the mover than the
    /// leaf's upper, and the one that supplied its lower still does.
    ///
    /// The node's own estimate does not change: that is [`backup::expand`](super::backup::expand)'s work,
    /// which also tells the other parents of shared children.
    pub fn expand(&mut self, id: NodeId, successors: &[Successor<A, V>]) -> Result<(), Full> {
        if self.is_expanded(id) || successors.is_empty() {
            return Ok(());
        }
        let ply = self.ply(id).checked_add(1).ok_or(Full)?;
        let new = successors.iter().filter(|s| self.find(s.key, ply).is_none()).count();
        let block = Self::block_bytes(successors.len());
        let needed = block
            .saturating_add(self.nodes.bytes_for(new))
            .saturating_add(self.links.bytes_for(successors.len()));
        if !self.fits(needed) {
            return Err(Full);
        }
        let mut edges = Vec::with_capacity(successors.len());
        for (index, successor) in successors.iter().enumerate() {
            let child = match self.find(successor.key, ply) {
                Some(child) => {
                    self.learn(child, successor.estimate);
                    child
                }
                None => self.insert(successor.key, ply, self.inherited(id, successors, index)),
            };
            let first = self.nodes[child.0].parents;
            self.nodes[child.0].parents = self.links.insert(ParentLink { parent: id.0, next: first });
            edges.push(Edge { action: successor.action, child });
        }
        self.edge_bytes += block;
        self.nodes[id.0].edges = edges.into_boxed_slice();
        self.grow_index();
        Ok(())
    }

    /// The estimate of a successor, with what a collapsed leaf still knows about it. Where the two contradict
    /// each other the successor's own belief counts.
    fn inherited(&self, id: NodeId, successors: &[Successor<A, V>], index: usize) -> Estimate<V> {
        let Node { mainstay, estimate: known, .. } = &self.nodes[id.0];
        let fresh = successors[index].estimate;
        if *mainstay == 0 {
            return fresh;
        }
        let supplies = |successor: &&Successor<A, V>| footprint(successor.key) == *mainstay;
        let alone = successors.iter().filter(supplies).count() == 1;
        let limits = match footprint(successors[index].key) == *mainstay && alone {
            true => known.belief,
            false => Interval::at_most(known.belief.upper()),
        };
        let belief = (-limits).intersection(fresh.belief).unwrap_or(fresh.belief);
        Estimate { belief, ..fresh }
    }

    /// Replaces a node's estimate. Its parents are not told: see [`propagate`](super::backup::propagate).
    pub fn store(&mut self, id: NodeId, estimate: Estimate<V>) {
        self.nodes[id.0].estimate = estimate;
    }

    /// Moves the edge to `child` to the front of a node's edges and keeps the order of the others: edges
    /// stand in order of promise. Their order does not change any estimate.
    pub fn promote(&mut self, id: NodeId, child: NodeId) {
        let edges = &mut self.nodes[id.0].edges;
        if let Some(at) = edges.iter().position(|edge| edge.child == child) {
            edges[..=at].rotate_right(1);
        }
    }

    /// Merges an estimate that comes from outside the graph. For an expanded node only its facts are news.
    fn learn(&mut self, id: NodeId, news: Estimate<V>) {
        let node = &mut self.nodes[id.0];
        node.estimate = if node.edges.is_empty() && knowledge(&news) > knowledge(&node.estimate) {
            news.keeping_facts_of(&node.estimate)
        } else {
            node.estimate.keeping_facts_of(&news)
        };
    }

    /// Puts a new leaf into slab and index. There must be room.
    fn insert(&mut self, key: u64, ply: u16, estimate: Estimate<V>) -> NodeId {
        if self.buckets.count() == 0 {
            self.buckets.add();
        }
        let bucket = self.buckets.bucket(hash(key, ply));
        let slot = self.nodes.insert(Node {
            key,
            estimate,
            edges: Box::default(),
            parents: NONE,
            next: self.buckets.head(bucket),
            ply,
            age: room::Age::of(self.generation),
            mainstay: 0,
        });
        self.buckets.set_head(bucket, slot);
        self.node_count += 1;
        NodeId(slot)
    }

    /// As many buckets as nodes, as far as the budget goes: without room the chains get longer.
    fn grow_index(&mut self) {
        while self.buckets.count() < self.node_count && self.fits(self.buckets.bytes_for_one()) {
            let Some(old) = self.buckets.add() else { continue };
            let mut slot = self.buckets.head(old);
            self.buckets.set_head(old, NONE);
            while slot != NONE {
                let node = &mut self.nodes[slot];
                let bucket = self.buckets.bucket(hash(node.key, node.ply));
                let next = std::mem::replace(&mut node.next, self.buckets.head(bucket));
                self.buckets.set_head(bucket, slot);
                slot = next;
            }
        }
    }

    fn fits(&self, bytes: usize) -> bool {
        bytes <= self.budget.saturating_sub(self.bytes_in_use())
    }

    /// What a block of `count` edges takes: its size, rounded up to 16 bytes, and 16 for the allocator's own
    /// header.
    fn block_bytes(count: usize) -> usize {
        (count * size_of::<Edge<A>>()).next_multiple_of(16) + 16
    }
}

/// Eight bits that tell a child from its siblings, mostly; never zero.
fn footprint(key: u64) -> u8 {
    ((hash(key, 0) >> 56) as u8).max(1)
}

/// Which of two estimates of one position knows more: by the effort of the whole value, then by the better
/// end's.
fn knowledge<V: Value>(estimate: &Estimate<V>) -> (super::Effort, super::Effort) {
    (estimate.effort(), estimate.lower_effort.max(estimate.upper_effort))
}

#[cfg(test)]
mod tests;
