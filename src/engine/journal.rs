//! The debug log: every line that comes in and goes out, with the time of day (UTC) at which it did.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A file to which lines are appended while it is open. Clones write to the same file.
#[derive(Clone, Default)]
pub struct Journal(Arc<Mutex<Option<File>>>);

/// Where a line goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    In,
    /// From the engine.
    Out,
}

impl Journal {
    /// Appends to this file from now on.
    ///
    /// # Errors
    /// A sentence for the user when it cannot be written; the journal is then as it was.
    pub fn open(&self, path: &Path) -> Result<(), String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        *self.file() = Some(file.map_err(|error| format!("cannot write {}: {error}", path.display()))?);
        Ok(())
    }

    /// Writes no more.
    pub fn close(&self) {
        *self.file() = None;
    }

    /// Writes a line, if a file is open. One that takes no more (a full disk) is closed.
    pub fn note(&self, direction: Direction, line: &str) {
        let mut slot = self.file();
        let Some(file) = slot.as_mut() else { return };
        let arrow = match direction {
            Direction::In => "<<",
            Direction::Out => ">>",
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        if file.write_all(format!("{} {arrow} {line}\n", time_of_day(now.as_millis())).as_bytes()).is_err() {
            *slot = None;
        }
    }

    /// Also after a panic elsewhere: a file is never half changed.
    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `milliseconds` since some midnight as hours, minutes, seconds and thousandths.
fn time_of_day(milliseconds: u128) -> String {
    let seconds = milliseconds / 1000 % 86_400;
    format!("{:02}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000)
}

impl PartialEq for Journal {
    /// The same file.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Journal {}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Journal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day() {
        assert_eq!(time_of_day(0), "00:00:00.000");
        assert_eq!(time_of_day(86_400_000 * 20_000 + 3_723_004), "01:02:03.004");
    }
}
