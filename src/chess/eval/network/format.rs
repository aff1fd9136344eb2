//! The network file: reading, checking, and the tables that evaluation uses.
//!
//! All numbers are little-endian. `N` is the width, `B` = [`BUCKETS`], `M` = [`MIDDLE`], `O` = [`OUTPUTS`].
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`VERSION`], u32 |
//! | 4 | `N`, u32, a multiple of [`LANES`] up to [`MOST_WIDTH`] |
//! | 4 | length of the description, u32, at most [`MOST_DESCRIPTION`] |
//! | | the description, UTF-8: what the network was trained on |
//! | 2 N | first layer's biases, i16, 1.0 = [`ONE`] |
//! | 768 · 2 N | first layer's weights, i16, one row a feature |
//! | B · 2 N · M | second layer's weights, i8, 1.0 = [`SECOND_ONE`]; one row a neuron, the side to move's first |
//! | B · M · 4 | second layer's biases, i32, 1.0 = [`MIDDLE_ONE`] |
//! | B · 2 M · O · 2 | third layer's weights, i16, 1.0 = [`THIRD_ONE`]; rows of the clipped values, then of their squares |
//! | B · O · 4 | third layer's biases, i32, 1.0 = [`MIDDLE_ONE`] · [`THIRD_ONE`] |
//! | 2 · [`KNOTS`] · 8 | corrections of lower and upper width: pairs (predicted, calibrated), i32, centipawns |
//! | 8 | FNV-1a hash (Fowler, Noll, Vo) of all bytes before, u64 |

use super::simd::{ACTIVE_ONE, Backend, Block, LANES, MIDDLE, PAIRS, Pair, Sums};
use std::borrow::Cow;
use std::fmt;

/// The first eight bytes.
pub const MAGIC: [u8; 8] = *b"REGULUSN";
/// The only version there is.
pub const VERSION: u32 = 2;
/// Features a side sees: owner, kind of piece, square.
pub const INPUTS: usize = 768;
/// Sets of second and third layers, chosen by the number of men: (men - 2) / 4.
pub const BUCKETS: usize = 8;
/// Realistic value, lower width, upper width, win, loss.
pub const OUTPUTS: usize = 5;
/// Points of a width's correction curve.
pub const KNOTS: usize = 12;
/// 1.0 in the scale of the second layer's weights.
pub const SECOND_ONE: i64 = 64;
/// 1.0 in the scale of the second layer's sums.
pub const MIDDLE_ONE: i64 = ACTIVE_ONE * SECOND_ONE;
/// 1.0 in the scale of the third layer's weights.
pub const THIRD_ONE: i64 = 1024;
/// The greatest width that is accepted.
pub const MOST_WIDTH: usize = 2048;
/// The longest description that is accepted, in bytes.
pub const MOST_DESCRIPTION: usize = 4096;
/// No first-layer weight or bias may be greater: 33 of them (32 men and the bias) stay within 16 bits.
const FIRST_LIMIT: u16 = i16::MAX as u16 / 33;

/// Why a file is not a network for this engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// It does not begin with the magic bytes.
    NotANetwork,
    /// It has another version.
    Version(u32),
    /// The width is not supported.
    Width(u32),
    /// The description is too long or no UTF-8.
    Description,
    /// It has another size than its header demands.
    Size {
        /// Bytes that the header demands.
        expected: usize,
        /// Bytes that are there.
        found: usize,
    },
    /// The bytes do not match their hash.
    Damaged,
    /// The weights are so large that sums would overflow, or a correction curve does not rise.
    Weights,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotANetwork => write!(f, "not a Regulus network file"),
            Self::Version(found) => {
                write!(f, "network file of version {found}; this engine reads version {VERSION}")
            }
            Self::Width(found) => {
                write!(f, "network {found} wide; this engine reads multiples of {LANES} up to {MOST_WIDTH}")
            }
            Self::Description => write!(f, "network file with an unreadable description"),
            Self::Size { expected, found } => {
                write!(f, "network file of {found} bytes; its header demands {expected}")
            }
            Self::Damaged => write!(f, "network file is damaged: its check sum is wrong"),
            Self::Weights => write!(f, "network file with weights out of range"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// A rising curve through [`KNOTS`] points, in centipawns: the width that the network predicts to the calibrated one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Correction([(i32, i32); KNOTS]);

impl Correction {
    /// The calibrated width for a predicted one, both at least 0. Straight lines between the points, from (0, 0) to the
    /// first; past the last in proportion to it.
    pub(super) fn apply(&self, width: i64) -> i64 {
        let mut from = (0, 0);
        for &(x, y) in &self.0 {
            let (x, y) = (i64::from(x), i64::from(y));
            if width <= x {
                return from.1 + (y - from.1) * (width - from.0) / (x - from.0);
            }
            from = (x, y);
        }
        width * from.1 / from.0
    }

    fn rises(&self) -> bool {
        let start = self.0[0].0 > 0 && self.0[0].1 >= 0;
        start && self.0.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1)
    }
}

/// A network, ready to evaluate with. Two are equal when they were read from the same bytes.
#[derive(Clone)]
pub struct Network {
    /// The file, for export.
    bytes: Cow<'static, [u8]>,
    description: String,
    row: usize,
    backend: Backend,
    first_bias: Vec<Block>,
    first: Vec<Block>,
    /// For each bucket, `2 * row` blocks: the side to move's first.
    second: Vec<[Pair; PAIRS]>,
    second_bias: Vec<Sums>,
    third: Vec<[[i16; OUTPUTS]; 2 * MIDDLE]>,
    third_bias: Vec<[i32; OUTPUTS]>,
    pub(super) corrections: [Correction; 2],
}

impl Network {
    /// Reads a network file's bytes.
    ///
    /// # Errors
    /// [`NetworkError`] when it is not a file that this engine can use.
    pub fn parse(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, NetworkError> {
        let bytes = bytes.into();
        let mut reader = Reader { rest: &bytes, total: bytes.len() };
        if reader.take(8)? != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        let version = reader.u32()?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let width = reader.u32()?;
        let blocks = width as usize / LANES;
        if !(width as usize).is_multiple_of(LANES) || blocks == 0 || width as usize > MOST_WIDTH {
            return Err(NetworkError::Width(width));
        }
        let described = reader.u32()? as usize;
        if described > MOST_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        reader.expect(described + file_body(width as usize))?;
        let description =
            std::str::from_utf8(reader.take(described)?).map_err(|_| NetworkError::Description)?.to_owned();
        let network = Self {
            description,
            row: blocks,
            backend: Backend::detect(),
            first_bias: reader.many(blocks, Reader::block)?,
            first: reader.many(INPUTS * blocks, Reader::block)?,
            second: reader.many(BUCKETS * 2 * blocks, |reader| reader.array_of(Reader::pair))?,
            second_bias: reader.many(BUCKETS, |reader| reader.array_of(Reader::i32).map(Sums))?,
            third: reader.many(BUCKETS, |reader| reader.array_of(|reader| reader.array_of(Reader::i16)))?,
            third_bias: reader.many(BUCKETS, |reader| reader.array_of(Reader::i32))?,
            corrections: reader.array_of(|reader| reader.array_of(Reader::knot).map(Correction))?,
            bytes: Cow::Borrowed(&[]),
        };
        let hashed = bytes.len() - 8;
        if reader.take(8)? != fnv1a(&bytes[..hashed]).to_le_bytes() {
            return Err(NetworkError::Damaged);
        }
        if !network.is_in_range() {
            return Err(NetworkError::Weights);
        }
        Ok(Self { bytes, ..network })
    }

    /// The file that it was read from.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What it was trained on, in its maker's words.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Neurons a side.
    pub fn width(&self) -> usize {
        self.row * LANES
    }

    /// The instruction set in use.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The same network on another instruction set of this processor.
    pub fn with_backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// Blocks a row of the first layer.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    pub(super) fn first_bias(&self) -> &[Block] {
        &self.first_bias
    }

    /// `to = from + added - removed`, the features' rows of the first layer.
    pub(super) fn update(&self, from: &[Block], to: &mut [Block], added: &[u16], removed: &[u16]) {
        self.backend.update(from, to, &self.first, added, removed);
    }

    /// Adds one side's part of the second layer: the side to move's (`half` 0) or the other's (1).
    pub(super) fn add_half(&self, sums: &[Block], bucket: usize, half: usize, into: &mut Sums) {
        let start = (2 * bucket + half) * self.row;
        self.backend.dense(sums, &self.second[start..start + self.row], into);
    }

    /// What the second layer's sums start from, 1.0 = [`MIDDLE_ONE`].
    pub(super) fn second_bias(&self, bucket: usize) -> Sums {
        self.second_bias[bucket]
    }

    /// The third layer: the named outputs from the second layer's sums, 1.0 = [`MIDDLE_ONE`].
    pub(super) fn third<const COUNT: usize>(
        &self,
        bucket: usize,
        sums: &Sums,
        names: [usize; COUNT],
    ) -> [i64; COUNT] {
        let mut outputs = names.map(|name| i64::from(self.third_bias[bucket][name]));
        let (clipped, squared) = self.third[bucket].split_at(MIDDLE);
        for ((sum, clipped), squared) in sums.0.iter().zip(clipped).zip(squared) {
            let value = i64::from(*sum).clamp(0, MIDDLE_ONE);
            let square = value * value / MIDDLE_ONE;
            for (output, name) in outputs.iter_mut().zip(names) {
                *output += value * i64::from(clipped[name]) + square * i64::from(squared[name]);
            }
        }
        outputs.map(|output| output / THIRD_ONE)
    }

    /// No first-layer sum can leave its 16 bits, and the correction curves rise. The other sums always have room.
    fn is_in_range(&self) -> bool {
        let first = |block: &Block| block.0.iter().all(|weight| weight.unsigned_abs() <= FIRST_LIMIT);
        let curves = self.corrections.iter().all(Correction::rises);
        self.first_bias.iter().chain(&self.first).all(first) && curves
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Network {}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Network({:?})", self.description)
    }
}

/// Bytes behind the description.
fn file_body(width: usize) -> usize {
    let first = 2 * width * (1 + INPUTS);
    let second = BUCKETS * MIDDLE * (2 * width + 4);
    let third = BUCKETS * OUTPUTS * (2 * MIDDLE * 2 + 4);
    first + second + third + 2 * KNOTS * 8 + 8
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

struct Reader<'a> {
    rest: &'a [u8],
    total: usize,
}

impl<'a> Reader<'a> {
    fn expect(&self, length: usize) -> Result<(), NetworkError> {
        let expected = self.total - self.rest.len() + length;
        match self.total == expected {
            true => Ok(()),
            false => Err(NetworkError::Size { expected, found: self.total }),
        }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], NetworkError> {
        // Too short for a header: there is no magic to be found either.
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(NetworkError::NotANetwork)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], NetworkError> {
        self.take(LENGTH)?.try_into().map_err(|_| NetworkError::NotANetwork)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn i32(&mut self) -> Result<i32, NetworkError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    fn i16(&mut self) -> Result<i16, NetworkError> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    fn many<T>(
        &mut self,
        count: usize,
        mut one: impl FnMut(&mut Self) -> Result<T, NetworkError>,
    ) -> Result<Vec<T>, NetworkError> {
        (0..count).map(|_| one(self)).collect()
    }

    fn array_of<T: Copy + Default, const LENGTH: usize>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, NetworkError>,
    ) -> Result<[T; LENGTH], NetworkError> {
        let mut all = [T::default(); LENGTH];
        for place in &mut all {
            *place = one(self)?;
        }
        Ok(all)
    }

    fn block(&mut self) -> Result<Block, NetworkError> {
        self.array_of(Self::i16).map(Block)
    }

    /// Two rows of the second layer, woven into pairs.
    fn pair(&mut self) -> Result<Pair, NetworkError> {
        let rows = self.take(2 * MIDDLE)?;
        let mut pair = Pair::default();
        for (index, weight) in pair.0.iter_mut().enumerate() {
            *weight = i16::from(rows[index % 2 * MIDDLE + index / 2] as i8);
        }
        Ok(pair)
    }

    fn knot(&mut self) -> Result<(i32, i32), NetworkError> {
        Ok((self.i32()?, self.i32()?))
    }
}
