//! The compression of the tables: recursive pairing under a canonical Huffman code (Larsson and Moffat's Re-Pair, 1999, as
//! Ronald de Man applied it, 2013).
//!
//! The values of a table, one a position, are a string of symbols. A symbol is one value or two symbols; the string is cut
//! into blocks of equal size in bytes. A sparse index tells for every so many positions in which block they begin, and
//! a list how many positions each block holds.

use super::file::{Cursor, TableError, TableFile};

/// A symbol whose right half is this stands for a value, its left half.
const VALUE: u16 = 0xfff;
/// Bytes of an entry of the sparse index: a block's number (4) and a place in it (2).
const INDEX_ENTRY: u64 = 6;
/// The flag of a table with one value for all positions.
const CONSTANT: u8 = 0x80;

/// A compressed string of values.
#[derive(Debug)]
pub enum Pairs {
    /// The same value everywhere.
    Constant(u16),
    /// Blocks.
    Blocks(Blocks),
}

/// The blocks, and what decodes them.
#[derive(Debug)]
pub struct Blocks {
    /// Binary logarithm of a block's size in bytes.
    size_bits: u32,
    /// Binary logarithm of the positions between two entries of the sparse index.
    span_bits: u32,
    /// Positions.
    count: u64,
    /// Entries of the list of block lengths.
    lengths: u64,
    /// Blocks of data.
    blocks: u64,
    /// Bits of the shortest code.
    shortest: u32,
    /// The least code of each length, at the upper end of 64 bits.
    bases: Vec<u64>,
    /// The first symbol of each length.
    first_symbols: Vec<u16>,
    /// Left and right half of each symbol.
    symbols: Vec<[u16; 2]>,
    /// Values that each symbol stands for, less one.
    spans: Vec<u8>,
    index_at: u64,
    lengths_at: u64,
    data_at: u64,
}

impl Pairs {
    /// Reads the description of a string of `count` values. Returns the flags with it.
    ///
    /// # Errors
    /// When the file does not hold one.
    pub fn read(from: &mut Cursor, count: u64, is_wdl: bool) -> Result<(u8, Self), TableError> {
        let flags = from.byte()?;
        if flags & CONSTANT != 0 {
            let value = from.byte()?;
            return Ok((flags, Self::Constant(if is_wdl { u16::from(value) } else { 0 })));
        }
        let head = from.bytes(9)?;
        let [size_bits, span_bits, padding] = [head[0], head[1], head[2]].map(u32::from);
        let blocks = u64::from(u32::from_le_bytes([head[3], head[4], head[5], head[6]]));
        let [longest, shortest] = [head[7], head[8]].map(u32::from);
        if size_bits > 20
            || !(1..=40).contains(&span_bits)
            || shortest == 0
            || !(shortest..=32).contains(&longest)
        {
            return Err(TableError::Damaged("an impossible code"));
        }
        let first_symbols = from.words((longest - shortest + 1) as usize)?;
        let symbol_count = usize::from(from.words(1)?[0]);
        if symbol_count > usize::from(VALUE) {
            return Err(TableError::Damaged("too many symbols"));
        }
        let triples = from.bytes(3 * symbol_count)?;
        from.at += symbol_count as u64 % 2;
        let symbols: Vec<[u16; 2]> =
            triples.chunks_exact(3).map(|three| halves([three[0], three[1], three[2]])).collect();
        Ok((
            flags,
            Self::Blocks(Blocks {
                size_bits,
                span_bits,
                count,
                lengths: blocks + u64::from(padding),
                blocks,
                shortest,
                bases: bases(&first_symbols, shortest),
                first_symbols,
                spans: spans(&symbols)?,
                symbols,
                index_at: 0,
                lengths_at: 0,
                data_at: 0,
            }),
        ))
    }

    /// Takes the sparse index's place.
    pub fn place_index(&mut self, from: &mut Cursor) {
        if let Self::Blocks(blocks) = self {
            blocks.index_at = from.at;
            from.at += INDEX_ENTRY * blocks.count.div_ceil(1 << blocks.span_bits);
        }
    }

    /// Takes the place of the list of block lengths.
    pub fn place_lengths(&mut self, from: &mut Cursor) {
        if let Self::Blocks(blocks) = self {
            blocks.lengths_at = from.at;
            from.at += 2 * blocks.lengths;
        }
    }

    /// Takes the blocks' place.
    pub fn place_data(&mut self, from: &mut Cursor) {
        from.align(64);
        if let Self::Blocks(blocks) = self {
            blocks.data_at = from.at;
            from.at += blocks.blocks << blocks.size_bits;
        }
    }

    /// The value at `index`.
    ///
    /// # Errors
    /// When the file does not hold one.
    pub fn get(&self, file: &TableFile, index: u64) -> Result<u16, TableError> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Blocks(blocks) => blocks.get(file, index),
        }
    }
}

impl Blocks {
    fn get(&self, file: &TableFile, index: u64) -> Result<u16, TableError> {
        if index >= self.count {
            return Err(TableError::Damaged("a position without a value"));
        }
        let (block, rest) = self.find(file, index)?;
        self.decode(file, block, rest)
    }

    /// The block that holds the value, and its number in there.
    fn find(&self, file: &TableFile, index: u64) -> Result<(u64, u32), TableError> {
        let mut entry = [0; INDEX_ENTRY as usize];
        file.read(self.index_at + INDEX_ENTRY * (index >> self.span_bits), &mut entry)?;
        let mut block = u64::from(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
        // The entry tells of the position in the middle of its span.
        let from_middle = (index & ((1 << self.span_bits) - 1)) as i64 - (1 << (self.span_bits - 1));
        let mut rest = from_middle + i64::from(u16::from_le_bytes([entry[4], entry[5]]));
        let held = |block: u64| -> Result<i64, TableError> {
            if block >= self.lengths {
                return Err(TableError::Damaged("a block that is not there"));
            }
            Ok(i64::from(file.u16_at(self.lengths_at + 2 * block)?) + 1)
        };
        while rest < 0 {
            block = block.checked_sub(1).ok_or(TableError::Damaged("a block that is not there"))?;
            rest += held(block)?;
        }
        loop {
            let held = held(block)?;
            if rest < held {
                return Ok((block, rest as u32));
            }
            rest -= held;
            block += 1;
        }
    }

    /// The value of this number in a block.
    fn decode(&self, file: &TableFile, block: u64, mut rest: u32) -> Result<u16, TableError> {
        let mut data = vec![0; (1 << self.size_bits) + size_of::<u128>()];
        file.read_padded(self.data_at + (block << self.size_bits), &mut data)?;
        let mut bit = 0;
        let symbol = loop {
            let window =
                data.get(bit / 8..bit / 8 + size_of::<u128>()).and_then(|bytes| bytes.try_into().ok());
            let window =
                window.map(u128::from_be_bytes).ok_or(TableError::Damaged("a block without an end"))?;
            let code = ((window << (bit % 8)) >> 64) as u64;
            // The last base is 0, so that there is always one.
            let longer = self.bases.iter().position(|&base| code >= base).unwrap_or(0);
            let length = self.shortest + longer as u32;
            let number =
                u64::from(self.first_symbols[longer]) + ((code - self.bases[longer]) >> (64 - length));
            let span = self.spans.get(number as usize).ok_or(TableError::Damaged("an unknown symbol"))?;
            if rest <= u32::from(*span) {
                break number as usize;
            }
            rest -= u32::from(*span) + 1;
            bit += length as usize;
        };
        Ok(self.value_in(symbol, rest))
    }

    /// The value of this number among those that a symbol stands for.
    fn value_in(&self, mut symbol: usize, mut rest: u32) -> u16 {
        // Each half stands for less than the whole, as `spans` has made sure.
        while self.spans[symbol] > 0 {
            let [left, right] = self.symbols[symbol].map(usize::from);
            let span = u32::from(self.spans[left]);
            symbol = if rest <= span {
                left
            } else {
                rest -= span + 1;
                right
            };
        }
        self.symbols[symbol][0]
    }
}

/// Three bytes as two numbers of 12 bits.
fn halves([low, middle, high]: [u8; 3]) -> [u16; 2] {
    let [low, middle, high] = [low, middle, high].map(u16::from);
    [low | (middle & 0xf) << 8, middle >> 4 | high << 4]
}

/// The least code of each length, from the first symbol of each: codes of one length are consecutive, and the longest
/// begin at 0.
fn bases(first_symbols: &[u16], shortest: u32) -> Vec<u64> {
    let mut bases = vec![0u64; first_symbols.len()];
    for length in (0..bases.len() - 1).rev() {
        let next = bases[length + 1].wrapping_add(u64::from(first_symbols[length]));
        bases[length] = next.wrapping_sub(u64::from(first_symbols[length + 1])) / 2;
    }
    for (longer, base) in bases.iter_mut().enumerate() {
        *base <<= 64 - (shortest + longer as u32);
    }
    bases
}

/// How many values each symbol stands for, less one.
fn spans(symbols: &[[u16; 2]]) -> Result<Vec<u8>, TableError> {
    const DAMAGED: TableError = TableError::Damaged("a symbol that holds itself");
    let mut spans: Vec<Option<u8>> = vec![None; symbols.len()];
    let mut pending: Vec<usize> = Vec::new();
    for symbol in 0..symbols.len() {
        pending.push(symbol);
        while let Some(&top) = pending.last() {
            let [left, right] = symbols[top].map(usize::from);
            let span = match (right == usize::from(VALUE)).then_some(0) {
                Some(span) => span,
                None => {
                    let known = |half: usize| spans.get(half).copied().ok_or(DAMAGED);
                    match (known(left)?, known(right)?) {
                        (Some(one), Some(other)) => {
                            let both = one.checked_add(other).and_then(|both| both.checked_add(1));
                            both.ok_or(DAMAGED)?
                        }
                        // A chain of pending symbols longer than all there are goes in a circle.
                        (_, _) if pending.len() > symbols.len() => return Err(DAMAGED),
                        (None, _) => {
                            pending.push(left);
                            continue;
                        }
                        (_, None) => {
                            pending.push(right);
                            continue;
                        }
                    }
                }
            };
            spans[top] = Some(span);
            pending.pop();
        }
    }
    Ok(spans.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_twelve_bits_each() {
        assert_eq!(halves([0x21, 0x43, 0x65]), [0x321, 0x654]);
        assert_eq!(halves([0x05, 0xf0, 0xff]), [5, VALUE]);
    }

    #[test]
    fn spans_add_up_and_circles_are_found() {
        let value = |value| [value, VALUE];
        assert_eq!(spans(&[value(1), [0, 0], [1, 3], value(2)]).unwrap(), [0, 1, 2, 0]);
        assert!(spans(&[[1, 1], [0, 0]]).is_err());
        assert!(spans(&[[0, 0]]).is_err());
        assert!(spans(&[[7, 0]]).is_err(), "a half that is not there");
        let doubled: Vec<[u16; 2]> =
            (0..12).map(|n: u16| if n == 0 { value(1) } else { [n - 1, n - 1] }).collect();
        assert!(spans(&doubled).is_err(), "more values than a symbol can hold");
    }
}
