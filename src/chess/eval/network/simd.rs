//! The network's inner loops on 16-bit integers, in one version for each instruction set, chosen once at run time.
//!
//! Where the compiler makes vector code by itself there is one source for all versions, compiled again with wider
//! registers allowed; where it does not (multiply and add in pairs) there are intrinsics. Integer arithmetic makes the
//! results the same to the bit. This is the only file of the project with `unsafe` in it: calling a function that is
//! compiled for certain processors is unsafe, since it is sound only where [`Backend::available`] has found one.

/// As many 16-bit numbers as are handled at once: 128, two cache lines times two, 8 AVX2 or 4 AVX-512 registers.
pub const LANES: usize = 128;

/// [`LANES`] numbers, aligned to a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// All zero.
    pub const ZERO: Self = Self([0; LANES]);
}

impl Block {
    #[inline(always)]
    fn map(&self, change: impl Fn(i16) -> i16) -> Self {
        let mut changed = *self;
        changed.0.iter_mut().for_each(|number| *number = change(*number));
        changed
    }
}

/// Value of 1.0 in the first layer's scale; its activation is clamped to 0 ..= this.
pub const ONE: i16 = 255;

/// Value of 1.0 after the activation: 255² / 256, rounded.
pub const ACTIVE_ONE: i64 = 254;

/// Neurons of the second layer.
pub const MIDDLE: usize = 16;

/// Pairs of values in a block.
pub const PAIRS: usize = LANES / 2;

/// The second layer's weights of two values: for each neuron that of the first and that of the second.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(C, align(64))]
pub struct Pair(pub [i16; 2 * MIDDLE]);

/// The second layer's sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; MIDDLE]);

/// The instruction set to use. A value other than [`PORTABLE`](Self::PORTABLE) exists only where the processor has it:
/// the fields are private to this module, and [`available`](Self::available) is the only maker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backend(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Backend {
    /// What every processor can do.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// All that this processor can do, the fastest last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut found = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                found.push(Self(Kind::Avx2));
            }
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
            {
                found.push(Self(Kind::Avx512));
            }
        }
        found
    }

    /// The fastest that this processor can do.
    pub fn detect() -> Self {
        Self::available().pop().unwrap_or(Self::PORTABLE)
    }

    /// `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    /// `to = from + the added rows - the removed rows` of `table`, wrapping. A row is `from.len()` blocks.
    ///
    /// # Panics
    /// When the lengths differ or a row lies outside of the table.
    pub fn update(self, from: &[Block], to: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
        match self.0 {
            Kind::Portable => update(from, to, table, added, removed),
            // SAFETY: the value exists, so `available` has found AVX2 on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { update_avx2(from, to, table, added, removed) },
            // SAFETY: the value exists, so `available` has found AVX-512 F and BW on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { update_avx512(from, to, table, added, removed) },
        }
    }

    /// Adds the products of one side's activated values and the second layer's weights to `sums`, wrapping. A value is
    /// activated by `clamp(value, 0, ONE)`, squared, and rounded to `ACTIVE_ONE`.
    ///
    /// # Panics
    /// When there are not as many weights as values.
    pub fn dense(self, values: &[Block], weights: &[[Pair; PAIRS]], sums: &mut Sums) {
        assert_eq!(values.len(), weights.len());
        match self.0 {
            Kind::Portable => dense(values, weights, sums),
            // SAFETY: the value exists, so `available` has found AVX2 on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { dense_avx2(values, weights, sums) },
            // SAFETY: the value exists, so `available` has found AVX-512 F and BW on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { dense_avx512(values, weights, sums) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2(from: &[Block], to: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
    update(from, to, table, added, removed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn update_avx512(from: &[Block], to: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
    update(from, to, table, added, removed);
}

/// Inlined into each version above, and compiled for its registers.
#[inline(always)]
fn update(from: &[Block], to: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
    assert_eq!(from.len(), to.len());
    let row = from.len();
    for (index, (from, to)) in from.iter().zip(to).enumerate() {
        let mut sums = *from;
        for &feature in added {
            let weights = &table[feature as usize * row + index];
            for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for &feature in removed {
            let weights = &table[feature as usize * row + index];
            for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        *to = sums;
    }
}

/// A block's values activated. 255 * 255 + 128 fits 16 bits without a sign.
#[inline(always)]
fn activate(values: &Block) -> Block {
    values.map(|value| {
        let value = value.clamp(0, ONE) as u16;
        ((value * value + 128) >> 8) as i16
    })
}

fn dense(values: &[Block], weights: &[[Pair; PAIRS]], sums: &mut Sums) {
    for (values, weights) in values.iter().zip(weights) {
        let active = activate(values);
        for (pair, weights) in active.0.chunks_exact(2).zip(weights) {
            let (first, second) = (i32::from(pair[0]), i32::from(pair[1]));
            for (sum, weights) in sums.0.iter_mut().zip(weights.0.chunks_exact(2)) {
                let product = first * i32::from(weights[0]) + second * i32::from(weights[1]);
                *sum = sum.wrapping_add(product);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dense_avx2(values: &[Block], weights: &[[Pair; PAIRS]], sums: &mut Sums) {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16};
    use std::arch::x86_64::{_mm256_set1_epi32, _mm256_store_si256};
    let ends: *mut __m256i = sums.0.as_mut_ptr().cast();
    // SAFETY: `sums` is two registers long, and aligned to 64 bytes.
    let (mut low, mut high) = unsafe { (_mm256_load_si256(ends), _mm256_load_si256(ends.add(1))) };
    for (values, weights) in values.iter().zip(weights) {
        let active = activate(values);
        for (pair, weights) in active.0.chunks_exact(2).zip(weights) {
            let pair = _mm256_set1_epi32(both(pair[0], pair[1]));
            let weights: *const __m256i = weights.0.as_ptr().cast();
            // SAFETY: a `Pair` is two registers long, and aligned to 64 bytes.
            let (first, second) = unsafe { (_mm256_load_si256(weights), _mm256_load_si256(weights.add(1))) };
            low = _mm256_add_epi32(low, _mm256_madd_epi16(pair, first));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(pair, second));
        }
    }
    // SAFETY: as for the loads from there.
    unsafe {
        _mm256_store_si256(ends, low);
        _mm256_store_si256(ends.add(1), high);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn dense_avx512(values: &[Block], weights: &[[Pair; PAIRS]], sums: &mut Sums) {
    use std::arch::x86_64::{__m512i, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16};
    use std::arch::x86_64::{_mm512_set1_epi32, _mm512_store_si512};
    let end: *mut __m512i = sums.0.as_mut_ptr().cast();
    // SAFETY: `sums` is one register long, and aligned to 64 bytes.
    let mut sum = unsafe { _mm512_load_si512(end) };
    for (values, weights) in values.iter().zip(weights) {
        let active = activate(values);
        for (pair, weights) in active.0.chunks_exact(2).zip(weights) {
            let pair = _mm512_set1_epi32(both(pair[0], pair[1]));
            // SAFETY: a `Pair` is one register long, and aligned to 64 bytes.
            let weights = unsafe { _mm512_load_si512(weights.0.as_ptr().cast()) };
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(pair, weights));
        }
    }
    // SAFETY: as for the load from there.
    unsafe { _mm512_store_si512(end, sum) };
}

/// Two 16-bit numbers in one of 32, the first one low.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn both(first: i16, second: i16) -> i32 {
    i32::from(first as u16) | i32::from(second) << 16
}
