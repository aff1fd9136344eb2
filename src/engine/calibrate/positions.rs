//! Positions to measure on, drawn from a file of games or of positions.

use crate::chess::Position;
use crate::chess::fen::{Rules, read_fen};
use crate::chess::probe::ordering::is_noisy;
use crate::engine::chance::Chance;
use crate::engine::datagen::record::Record;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// A position, and the score that the file has for it.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The position.
    pub position: Position,
    /// Centipawns for the side to move.
    pub score: Option<i32>,
}

/// Draws `count` positions, each with the same chance, from a file whose lines are games as `regulus datagen` writes
/// them, `FEN|score`, or FENs. Only quiet positions count: not in check, and of games those whose searched move was
/// played and is no capture and no promotion.
///
/// # Errors
/// When the file cannot be read, or a line is none of these.
pub fn read(file: &Path, count: usize, seed: u64) -> io::Result<Vec<Scored>> {
    let mut draw = Draw { chance: Chance::new(seed), kept: Vec::new(), seen: 0, count };
    for (number, line) in (1..).zip(BufReader::new(File::open(file)?).lines()) {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        read_line(&line, &mut draw).map_err(|reason| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}:{number}: {reason}", file.display()))
        })?;
    }
    Ok(draw.kept)
}

fn read_line(line: &str, draw: &mut Draw) -> Result<(), String> {
    if line.matches('|').count() == 2 {
        return Record::read(line).map(|record| draw_game(record, draw));
    }
    let (fen, score) = match line.split_once('|') {
        Some((fen, score)) => {
            (fen, Some(score.trim().parse().map_err(|_| format!("{score:?} is no score"))?))
        }
        None => (line, None),
    };
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    let board = read_fen(&fields.join(" "), Rules::Chess960).map_err(|error| error.to_string())?.board;
    if board.checkers().is_empty() {
        draw.offer(|| Scored { position: Position::from_board(board), score });
    }
    Ok(())
}

fn draw_game(record: Record, draw: &mut Draw) {
    let mut position = record.start;
    for played in record.moves {
        let board = position.board();
        if !played.random && board.checkers().is_empty() && !is_noisy(board, played.action) {
            draw.offer(|| Scored { position: position.clone(), score: Some(played.score) });
        }
        position.play(played.action);
    }
}

/// A draw of known size from a number that is not known (reservoir sampling, Vitter 1985).
struct Draw {
    chance: Chance,
    kept: Vec<Scored>,
    seen: u64,
    count: usize,
}

impl Draw {
    fn offer(&mut self, make: impl FnOnce() -> Scored) {
        self.seen += 1;
        if self.kept.len() < self.count {
            self.kept.push(make());
        } else if let Some(place) = self.kept.get_mut(self.chance.below(self.seen) as usize) {
            *place = make();
        }
    }
}
