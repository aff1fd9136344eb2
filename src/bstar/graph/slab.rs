//! A [`Slab`]: numbered slots in chunks of a fixed size, so that growth never copies and never doubles.

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// Something with a link to another slot. While a slot is vacant the slab threads its list of vacant slots
/// through it.
pub(super) trait Linked {
    /// The slot linked to.
    fn next(&self) -> u32;
    /// Links to `slot`.
    fn set_next(&mut self, slot: u32);
}

/// Slots of `T`, numbered from 0. A chunk is allocated when its first slot is taken and given back with the
/// slab.
pub(super) struct Slab<T> {
    /// Never grows beyond the capacity it was created with.
    chunks: Vec<Vec<T>>,
    /// Slots in a chunk: `1 << shift`.
    shift: u32,
    vacant: u32,
    vacant_count: usize,
}

impl<T: Linked> Slab<T> {
    /// An empty slab that may grow to about `most` bytes in chunks of at most `chunk_bytes` (of one slot at
    /// least).
    pub fn new(most: usize, chunk_bytes: usize) -> Self {
        let slots = (chunk_bytes / size_of::<T>()).max(1);
        let shift = slots.ilog2();
        let chunks = most / (size_of::<T>() << shift) + 1;
        Self { chunks: Vec::with_capacity(chunks), shift, vacant: NONE, vacant_count: 0 }
    }

    /// Bytes allocated: chunks and the table of chunks, used or not.
    pub fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Vec<T>>() + self.chunks.len() * self.chunk_bytes()
    }

    /// Bytes that would have to be allocated to insert `count` more.
    pub fn bytes_for(&self, count: usize) -> usize {
        if self.slots() + count >= NONE as usize {
            return usize::MAX;
        }
        let unused = (self.chunks.len() << self.shift) - self.slots();
        let missing = count.saturating_sub(self.vacant_count + unused);
        missing.div_ceil(1 << self.shift) * self.chunk_bytes()
    }

    /// Puts an item into a vacant slot, or into a new one.
    pub fn insert(&mut self, item: T) -> u32 {
        if self.vacant != NONE {
            let slot = self.vacant;
            self.vacant = self[slot].next();
            self.vacant_count -= 1;
            self[slot] = item;
            return slot;
        }
        let slot = self.slots() as u32;
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < 1 << self.shift => chunk.push(item),
            _ => {
                let mut chunk = Vec::with_capacity(1 << self.shift);
                chunk.push(item);
                self.chunks.push(chunk);
            }
        }
        slot
    }

    /// Makes a slot vacant. What stands in it stays there, but for its link.
    pub fn vacate(&mut self, slot: u32) {
        let first = self.vacant;
        self[slot].set_next(first);
        self.vacant = slot;
        self.vacant_count += 1;
    }

    /// Slots ever taken, the vacant ones included: every slot is below this.
    pub fn slots(&self) -> usize {
        match self.chunks.last() {
            Some(chunk) => ((self.chunks.len() - 1) << self.shift) + chunk.len(),
            None => 0,
        }
    }

    fn chunk_bytes(&self) -> usize {
        size_of::<T>() << self.shift
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;
    fn index(&self, slot: u32) -> &T {
        let slot = slot as usize;
        &self.chunks[slot >> self.shift][slot & ((1 << self.shift) - 1)]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, slot: u32) -> &mut T {
        let slot = slot as usize;
        &mut self.chunks[slot >> self.shift][slot & ((1 << self.shift) - 1)]
    }
}
