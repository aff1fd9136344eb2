//! The network's inner loops on 16-bit integers, in one version for each instruction set, chosen once at run time.
//!
//! There is one source for all versions. It is written so that the compiler turns it into vector code, and compiled
//! again with wider registers allowed; integer arithmetic makes the results the same to the bit. This is the only file
//! of the project with `unsafe` in it: calling a function that is compiled for certain processors is unsafe, since it is
//! sound only where [`Backend::detect`] has found one.

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

/// Value of 1.0 in the first layer's scale; its activation is clamped to 0 ..= this.
pub const ONE: i16 = 255;

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

    /// The sum of `clamp(value, 0, ONE)^2 * weight`, wrapping. Weights must lie within ±127.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn activate(self, values: &[Block], weights: &[Block]) -> i32 {
        match self.0 {
            Kind::Portable => activate(values, weights),
            // SAFETY: the value exists, so `available` has found AVX2 on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { activate_avx2(values, weights) },
            // SAFETY: the value exists, so `available` has found AVX-512 F and BW on this processor.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { activate_avx512(values, weights) },
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

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn activate_avx2(values: &[Block], weights: &[Block]) -> i32 {
    activate(values, weights)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn activate_avx512(values: &[Block], weights: &[Block]) -> i32 {
    activate(values, weights)
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

/// Inlined into each version above, and compiled for its registers. `value * weight` fits 16 bits (255 * 127), so that
/// the product with the second `value` is one multiply-add of pairs.
#[inline(always)]
fn activate(values: &[Block], weights: &[Block]) -> i32 {
    assert_eq!(values.len(), weights.len());
    let mut sum = 0_i32;
    for (values, weights) in values.iter().zip(weights) {
        let mut part = 0_i32;
        for (&value, &weight) in values.0.iter().zip(&weights.0) {
            let value = value.clamp(0, ONE);
            part = part.wrapping_add(i32::from(value.wrapping_mul(weight)) * i32::from(value));
        }
        sum = sum.wrapping_add(part);
    }
    sum
}
