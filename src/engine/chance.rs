//! A seeded source of chance: the same games and positions for the same seed, on every machine.

/// Numbers that depend on a seed and on nothing else: splitmix64 (Steele, Lea and Flood 2014).
pub struct Chance(u64);

impl Chance {
    /// A source that begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A source for one of many games from the same seed.
    pub fn of_game(seed: u64, number: u64) -> Self {
        // The first draw scatters seeds; games then start far apart.
        let mut seeded = Self(seed);
        Self(seeded.bits() ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, 0 when `bound` is.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }
}
