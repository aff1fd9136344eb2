//! Reading of table files: by position, every offset checked, so that a file that is damaged or grows shorter is an error
//! and nothing worse. (A file mapped into memory would end the program instead.)

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes at a file's beginning that are kept in memory: all of the small tables, and of most others what every probe needs.
const HELD: u64 = 1 << 16;

/// Why a table gives no answer.
#[derive(Debug)]
pub enum TableError {
    /// The operating system said so.
    Io(io::Error),
    /// The file does not hold what a table of its name must hold.
    Damaged(&'static str),
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(out, "{error}"),
            Self::Damaged(what) => write!(out, "damaged: {what}"),
        }
    }
}

/// An open file.
#[derive(Debug)]
pub struct TableFile {
    file: File,
    length: u64,
    head: Box<[u8]>,
}

impl TableFile {
    /// Opens a file whose first four bytes are `magic`.
    ///
    /// # Errors
    /// When it cannot be read, begins otherwise, or has a length that no table has.
    pub fn open(path: &Path, magic: [u8; 4]) -> Result<Self, TableError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        // Blocks of 64 bytes, and a check sum of 16.
        if length % 64 != 16 {
            return Err(TableError::Damaged("incomplete"));
        }
        let mut head = vec![0; length.min(HELD) as usize].into_boxed_slice();
        read_at(&file, 0, &mut head)?;
        if !head.starts_with(&magic) {
            return Err(TableError::Damaged("it is no table of its kind"));
        }
        Ok(Self { file, length, head })
    }

    /// Fills `into` with what stands at `offset`.
    ///
    /// # Errors
    /// When that is not all inside of the file.
    pub fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let end = offset.checked_add(into.len() as u64).filter(|&end| end <= self.length);
        let end = end.ok_or(TableError::Damaged("an offset points out of it"))?;
        if let Some(held) = self.head.get(offset as usize..end as usize).filter(|_| end <= HELD) {
            into.copy_from_slice(held);
            return Ok(());
        }
        Ok(read_at(&self.file, offset, into)?)
    }

    /// As many bytes from `offset` on as there are, at most `length`, and zeros after them.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_padded(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let there = self.length.saturating_sub(offset).min(into.len() as u64) as usize;
        self.read(offset, &mut into[..there])
    }

    /// The 16-bit number at `offset`, lower byte first.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn u16_at(&self, offset: u64) -> Result<u16, TableError> {
        let mut bytes = [0; 2];
        self.read(offset, &mut bytes)?;
        Ok(u16::from_le_bytes(bytes))
    }

    /// The length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(unix)]
fn read_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(into, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !into.is_empty() {
        match file.seek_read(into, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                into = &mut into[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// A place in a file that moves on as it is read.
pub struct Cursor<'a> {
    file: &'a TableFile,
    /// Where the next byte is read.
    pub at: u64,
}

impl<'a> Cursor<'a> {
    /// At `at`.
    pub fn new(file: &'a TableFile, at: u64) -> Self {
        Self { file, at }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// As for [`TableFile::read`].
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; count];
        self.file.read(self.at, &mut bytes)?;
        self.at += count as u64;
        Ok(bytes)
    }

    /// The next byte.
    ///
    /// # Errors
    /// As for [`TableFile::read`].
    pub fn byte(&mut self) -> Result<u8, TableError> {
        Ok(self.bytes(1)?[0])
    }

    /// The next 16-bit numbers.
    ///
    /// # Errors
    /// As for [`TableFile::read`].
    pub fn words(&mut self, count: usize) -> Result<Vec<u16>, TableError> {
        let bytes = self.bytes(2 * count)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }

    /// Moves on to a multiple of `unit`, a power of two.
    pub fn align(&mut self, unit: u64) {
        self.at = self.at.next_multiple_of(unit);
    }
}
