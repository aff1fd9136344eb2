//! Freeing: whole subtrees by [`Graph::collapse`], and what matters least by [`Graph::make_room`].
//!
//! The graph has no cycles, so counting parents is enough to know what is out of reach: whoever loses the
//! last parent is freed, and its children after it. Nodes on their way out are listed through their own
//! bucket links, so freeing takes no memory.

use super::{Edge, Graph, NONE, NodeId, VACANT, Value, footprint, hash};

/// Generation of a node's last use, and two marks that only [`Graph::make_room`] sets.
#[derive(Clone, Copy, Default)]
pub(super) struct Age(u8);

impl Age {
    const SEEN: u8 = 1 << 7;
    const PINNED: u8 = 1 << 6;
    /// The latest generation.
    const LAST: u8 = Self::PINNED - 1;

    pub fn of(generation: u8) -> Self {
        Self(generation)
    }

    fn generation(self) -> u8 {
        self.0 & Self::LAST
    }

    fn set_generation(&mut self, generation: u8) {
        self.0 = self.0 & !Self::LAST | generation;
    }

    fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    fn set(&mut self, mark: u8, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }
}

/// Share of the nodes that one call of [`Graph::make_room`] tries to free, as a divisor. Its scans of all
/// slots are thus paid for by a sixteenth of them; a coarser batch would throw away more than is needed.
const BATCH: usize = 16;

/// How many out-of-reach subtrees one scan finds.
const TOPS: usize = 16;

impl<V: Value, A: Copy> Graph<V, A> {
    /// Marks a node as used by the present search: out of reach, it is then freed later than older ones.
    pub fn touch(&mut self, id: NodeId) {
        let generation = self.generation;
        self.nodes[id.0].age.set_generation(generation);
    }

    /// A new search begins. When the generations run out the older half of them becomes one.
    pub(super) fn age_by_one(&mut self) {
        if self.generation == Age::LAST {
            let older = Age::LAST / 2;
            for slot in 0..self.slots() {
                let age = &mut self.nodes[slot].age;
                age.set_generation(age.generation().saturating_sub(older));
            }
            self.generation -= older;
        }
        self.generation += 1;
    }

    /// Makes a leaf of an expanded node; it keeps its estimate. What only it reached is freed, but for the
    /// root.
    pub fn collapse(&mut self, id: NodeId) {
        let supplier = self.edges(id).iter().min_by_key(|edge| self.estimate(edge.child).belief.upper());
        let Some(mainstay) = supplier.map(|edge| footprint(self.key(edge.child))) else { return };
        self.nodes[id.0].mainstay = mainstay;
        let condemned = self.cut_edges(id, NONE, Age::LAST);
        self.free_all(condemned, Age::LAST);
    }

    /// Frees a part of the graph: first what the root does not reach, oldest first; then what is settled or
    /// dominated, so that its own estimate is all that counts of it; then what lies below the root moves that
    /// are furthest from being best, deepest nodes first. Pinned nodes stay, and so do their edges: pin whole
    /// paths.
    ///
    /// Returns the number of nodes freed. Zero: nothing is left to free.
    pub fn make_room(&mut self, pinned: &[NodeId]) -> usize {
        let before = self.node_count;
        let goal = before - (before / BATCH).max(1).min(before);
        self.pin(pinned, true);
        self.free_unreachable(goal);
        if self.node_count > goal && self.root.is_some() {
            self.free_irrelevant(goal);
        }
        self.pin(pinned, false);
        before - self.node_count
    }

    fn pin(&mut self, nodes: &[NodeId], on: bool) {
        for id in nodes {
            self.nodes[id.0].age.set(Age::PINNED, on);
        }
    }

    /// Frees nodes without parents and what only they reach, oldest first, until `goal` nodes are left. A
    /// younger node below an older one (the next position of an old game) survives it and is itself freed in
    /// its turn.
    fn free_unreachable(&mut self, goal: usize) {
        while self.node_count > goal {
            let (tops, count) = self.oldest_tops();
            for &top in &tops[..count] {
                if self.node_count <= goal {
                    return;
                }
                let limit = self.nodes[top].age.generation();
                self.unlist(top);
                self.nodes[top].next = NONE;
                self.free_all(top, limit);
            }
            if count == 0 {
                return;
            }
        }
    }

    /// The oldest nodes without parents that are neither root nor pinned, sorted by age.
    fn oldest_tops(&self) -> ([u32; TOPS], usize) {
        let mut tops = [NONE; TOPS];
        let mut count = 0;
        for slot in 0..self.nodes.slots() as u32 {
            if !self.is_condemnable(slot) {
                continue;
            }
            let generation = self.nodes[slot].age.generation();
            let at = tops[..count].partition_point(|&top| self.nodes[top].age.generation() <= generation);
            if at < TOPS {
                count = (count + 1).min(TOPS);
                tops[at..count].rotate_right(1);
                tops[at] = slot;
            }
        }
        (tops, count)
    }

    /// Nobody leads there, nobody holds it.
    fn is_condemnable(&self, slot: u32) -> bool {
        let node = &self.nodes[slot];
        node.parents == NONE && !node.age.has(Age::PINNED) && self.root != Some(NodeId(slot))
    }

    /// Collapses nodes that the root reaches until `goal` nodes are left: first those whose subtrees no
    /// longer matter, then those below the root moves that are least likely to be best. Shared nodes are
    /// spared until the last round: they may matter to a better move.
    fn free_irrelevant(&mut self, goal: usize) {
        self.collapse_where(goal, |graph, id| graph.estimate(id).belief.is_exact());
        self.collapse_where(goal, Self::is_dominated);
        for spare_shared in [true, false] {
            if self.node_count <= goal {
                return;
            }
            for slot in 0..self.slots() {
                self.nodes[slot].age.set(Age::SEEN, false);
            }
            for child in self.moves_from_worst() {
                self.strip(child, goal, spare_shared);
            }
        }
    }

    /// Collapses the expanded nodes for which `idle` holds, until `goal` nodes are left.
    fn collapse_where(&mut self, goal: usize, idle: impl Fn(&Self, NodeId) -> bool) {
        for slot in 0..self.slots() {
            if self.node_count <= goal {
                return;
            }
            let Some(id) = self.node_in(slot) else { continue };
            let held = self.nodes[slot].age.has(Age::PINNED) || self.root == Some(id);
            if !held && self.is_expanded(id) && idle(self, id) {
                self.collapse(id);
            }
        }
    }

    /// No parent can be better for choosing this node: each is sure of at least as much as this could be worth.
    fn is_dominated(&self, id: NodeId) -> bool {
        let most = -self.estimate(id).belief.lower();
        self.parents(id).all(|parent| self.estimate(parent).belief.lower() >= most)
    }

    /// The nodes behind the root's moves: lowest upper for the mover first, then lowest lower.
    fn moves_from_worst(&self) -> Vec<NodeId> {
        let edges = self.root.map_or(&[][..], |root| self.edges(root));
        let mut moves: Vec<NodeId> = edges.iter().map(|edge| edge.child).collect();
        moves.sort_by_key(|&child| {
            let belief = -self.estimate(child).belief;
            (belief.upper(), belief.lower())
        });
        moves
    }

    /// Collapses the subtree below (and with) `top` from its leaves upwards, at each node the best child's
    /// part last, until `goal` nodes are left.
    fn strip(&mut self, top: NodeId, goal: usize, spare_shared: bool) {
        let mut stack = Vec::new();
        self.enter(top, spare_shared, &mut stack);
        while let Some(frame) = stack.last_mut() {
            if self.node_count <= goal {
                return;
            }
            match frame.next_child(self) {
                Some(child) => self.enter(child, spare_shared, &mut stack),
                None => {
                    let id = frame.id;
                    if !self.nodes[id.0].age.has(Age::PINNED) {
                        self.collapse(id);
                    }
                    stack.pop();
                }
            }
        }
    }

    fn enter(&mut self, id: NodeId, spare_shared: bool, stack: &mut Vec<Frame>) {
        if !self.is_expanded(id) || self.nodes[id.0].age.has(Age::SEEN) {
            return;
        }
        if spare_shared && self.parents(id).nth(1).is_some() {
            return;
        }
        self.nodes[id.0].age.set(Age::SEEN, true);
        stack.push(Frame { id, best: best_edge(self, id), next: 0 });
    }

    /// Takes the edges of a node away. Children left without a parent, and not younger than `limit`, are put
    /// in front of the list `condemned`; the list is returned.
    fn cut_edges(&mut self, id: NodeId, mut condemned: u32, limit: u8) -> u32 {
        let edges = std::mem::take(&mut self.nodes[id.0].edges);
        if !edges.is_empty() {
            self.edge_bytes -= Self::block_bytes(edges.len());
        }
        for &Edge { child, .. } in &edges {
            self.unlink(child.0, id.0);
            if self.is_condemnable(child.0) && self.nodes[child.0].age.generation() <= limit {
                self.unlist(child.0);
                self.nodes[child.0].next = condemned;
                condemned = child.0;
            }
        }
        condemned
    }

    /// Frees the listed nodes and, in turn, what that leaves without a parent.
    fn free_all(&mut self, mut condemned: u32, limit: u8) {
        while condemned != NONE {
            let slot = condemned;
            condemned = self.nodes[slot].next;
            condemned = self.cut_edges(NodeId(slot), condemned, limit);
            self.nodes[slot].parents = VACANT;
            self.nodes.vacate(slot);
            self.node_count -= 1;
        }
    }

    /// Removes one link to `parent` from a child's list.
    fn unlink(&mut self, child: u32, parent: u32) {
        let mut before = NONE;
        let mut link = self.nodes[child].parents;
        while link != NONE {
            let next = self.links[link].next;
            if self.links[link].parent == parent {
                if before == NONE {
                    self.nodes[child].parents = next;
                } else {
                    self.links[before].next = next;
                }
                self.links.vacate(link);
                return;
            }
            before = link;
            link = next;
        }
    }

    /// Removes a node from the index.
    fn unlist(&mut self, slot: u32) {
        let bucket = self.buckets.bucket(hash(self.nodes[slot].key, self.nodes[slot].ply));
        let next = self.nodes[slot].next;
        let mut at = self.buckets.head(bucket);
        if at == slot {
            self.buckets.set_head(bucket, next);
            return;
        }
        while at != NONE {
            let after = self.nodes[at].next;
            if after == slot {
                self.nodes[at].next = next;
                return;
            }
            at = after;
        }
    }
}

/// A node on the way down in [`Graph::strip`]: its best edge comes last.
struct Frame {
    id: NodeId,
    best: usize,
    next: usize,
}

impl Frame {
    fn next_child<V: Value, A: Copy>(&mut self, graph: &Graph<V, A>) -> Option<NodeId> {
        let edges = graph.edges(self.id);
        let at = self.next;
        self.next += 1;
        // 0, 1, .. without `best`, then `best`.
        let index = match at + 1 {
            turn if turn == edges.len() => self.best,
            turn if turn > edges.len() => return None,
            _ if at >= self.best => at + 1,
            _ => at,
        };
        Some(edges[index].child)
    }
}

/// The edge with the highest upper for the mover; the first of equals.
fn best_edge<V: Value, A: Copy>(graph: &Graph<V, A>, id: NodeId) -> usize {
    let lower = |edge: &Edge<A>| graph.estimate(edge.child).belief.lower();
    let edges = graph.edges(id);
    (0..edges.len()).min_by_key(|&index| lower(&edges[index])).unwrap_or(0)
}
