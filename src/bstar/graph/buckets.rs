//! The hash index's buckets. Linear hashing (Litwin 1980): the table grows by one bucket at a time, in step
//! with the number of nodes, so it is never copied and costs nothing before it is used.

use super::slab::NONE;

/// Heads of the chains of nodes, by hash.
pub(super) struct Buckets {
    chunks: Vec<Box<[u32]>>,
    /// Buckets in a chunk: `1 << shift`.
    shift: u32,
    count: usize,
}

impl Buckets {
    /// No bucket yet; may grow to about `most` bytes in chunks of at most `chunk_bytes`.
    pub fn new(most: usize, chunk_bytes: usize) -> Self {
        let shift = (chunk_bytes / size_of::<u32>()).max(1).ilog2();
        let chunks = most / (size_of::<u32>() << shift) + 1;
        Self { chunks: Vec::with_capacity(chunks), shift, count: 0 }
    }

    /// Bytes allocated.
    pub fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<Box<[u32]>>()
            + (self.chunks.len() << self.shift) * size_of::<u32>()
    }

    /// Bytes that one more bucket would take.
    pub fn bytes_for_one(&self) -> usize {
        if self.count < self.chunks.len() << self.shift { 0 } else { size_of::<u32>() << self.shift }
    }

    /// Buckets in use.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bucket that a hash belongs to: its low bits, one bit fewer where that bucket is not there yet.
    /// There must be one.
    pub fn bucket(&self, hash: u64) -> usize {
        let size = self.count.next_power_of_two();
        let bucket = hash as usize & (size - 1);
        if bucket < self.count { bucket } else { bucket & (size / 2 - 1) }
    }

    /// Adds an empty bucket. Returns the older one whose chain must now be dealt out between the two.
    pub fn add(&mut self) -> Option<usize> {
        if self.count == self.chunks.len() << self.shift {
            self.chunks.push(vec![NONE; 1 << self.shift].into_boxed_slice());
        }
        let added = self.count;
        self.count += 1;
        (added > 0).then(|| added & (self.count.next_power_of_two() / 2 - 1))
    }

    /// The first node of a bucket's chain.
    pub fn head(&self, bucket: usize) -> u32 {
        self.chunks[bucket >> self.shift][bucket & ((1 << self.shift) - 1)]
    }

    /// Lets a bucket's chain begin with `node`.
    pub fn set_head(&mut self, bucket: usize, node: u32) {
        self.chunks[bucket >> self.shift][bucket & ((1 << self.shift) - 1)] = node;
    }
}

/// Spreads key and ply over all 64 bits, whatever the domain's keys look like (the finaliser of SplitMix64,
/// Steele, Lea and Flood 2014).
pub(super) fn hash(key: u64, ply: u16) -> u64 {
    let mut x = key ^ u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
