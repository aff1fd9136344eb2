//! One game of the engine against itself.

use super::{NodeLimit, Settings};
use crate::chess::fen::{Rules, write_fen, write_move};
use crate::chess::probe::{Probe, RootMoves, Table};
use crate::chess::score::probe_scale::{MATE, MATE_FLOOR};
use crate::chess::twin::{TwinLimits, think};
use crate::chess::{Outcome, Position};
use crate::engine::chance::Chance;
use cozy_chess::{Board, Color, Move};
use std::fmt::Write;
use std::sync::Arc;

/// Bytes of a player's table: a search of some thousand nodes needs no more, and clearing it costs little.
const TABLE_BYTES: usize = 1 << 20;
/// Random moves before a game starts: as many, or up to [`MORE_OPENING_MOVES`] more.
const OPENING_MOVES: usize = 6;
const MORE_OPENING_MOVES: u64 = 5;
/// Chess960 has so many start positions.
const CHESS960_STARTS: u64 = 960;
/// Plies after which a game is drawn; the fifty-move rule ends nearly all before.
const LONGEST_GAME: usize = 600;

/// When a game that is clear is ended. The rules are those of the games of the first network.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Adjudication {
    /// Scores in a row of at least [`WON`](Self::WON) for the same side.
    won: u32,
    /// The side, if `won` is not 0.
    for_white: bool,
    /// Scores in a row of at most [`DRAWN`](Self::DRAWN).
    drawn: u32,
}

impl Adjudication {
    /// Centipawns.
    pub const WON: i32 = 1_200;
    /// Scores in a row.
    pub const WON_COUNT: u32 = 6;
    /// Centipawns.
    pub const DRAWN: i32 = 8;
    /// Scores in a row.
    pub const DRAWN_COUNT: u32 = 14;
    /// Plies before which no game is adjudicated a draw.
    pub const DRAWN_FROM: usize = 90;

    /// Takes note of the score at `ply`, from White's side, and returns the result letter when it is clear.
    pub fn judge(&mut self, ply: usize, white_score: i32) -> Option<char> {
        let clear = white_score.abs() >= Self::WON;
        let same = self.won > 0 && self.for_white == (white_score > 0);
        self.won = if !clear { 0 } else { 1 + if same { self.won } else { 0 } };
        self.for_white = white_score > 0;
        let level = white_score.abs() <= Self::DRAWN && ply >= Self::DRAWN_FROM;
        self.drawn = if level { self.drawn + 1 } else { 0 };
        if self.won >= Self::WON_COUNT {
            return Some(letter(self.for_white));
        }
        (self.drawn >= Self::DRAWN_COUNT).then_some('d')
    }
}

fn letter(white_won: bool) -> char {
    if white_won { '1' } else { '0' }
}

/// Plays both sides.
pub(super) struct Player {
    probe: Probe,
    settings: Settings,
}

impl Player {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { probe: Probe::new(Arc::new(Table::new(TABLE_BYTES))), settings: *settings }
    }

    /// The line of game `number`: the same whatever was played before.
    pub(super) fn game(&mut self, number: u64) -> String {
        let mut chance = Chance::of_game(self.settings.seed, number);
        self.probe.new_game();
        self.probe.table().clear(1);
        let mut position = self.opening(&mut chance);
        let start = write_fen(position.board(), Rules::Chess960);
        let mut moves = String::new();
        let mut adjudication = Adjudication::default();
        let result = loop {
            if let Some(outcome) = position.outcome() {
                break result_of(outcome, position.board());
            }
            if position.game_ply() >= LONGEST_GAME {
                break 'd';
            }
            let Some((best, score)) = self.think(&position) else { break 'd' };
            let random = chance.below(1_000) < u64::from(self.settings.random);
            let played = if random { random_move(&position, &mut chance).unwrap_or(best) } else { best };
            let text = write_move(position.board(), played, Rules::Chess960);
            let separator = if moves.is_empty() { "" } else { " " };
            let mark = if random { "*" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(moves, "{separator}{text},{}{mark}", written(score));
            let white_score = if position.board().side_to_move() == Color::White { score } else { -score };
            if let Some(result) = adjudication.judge(position.game_ply(), white_score) {
                break result;
            }
            position.play(played);
        };
        format!("{start}|{result}|{moves}")
    }

    /// The move to play and its value, in the probe's scale.
    fn think(&mut self, position: &Position) -> Option<(Move, i32)> {
        self.probe.table().new_search();
        let limits = TwinLimits { depth: i32::MAX, moves: RootMoves::All, lines: 1 };
        let choice = think(&mut self.probe, position, limits, &mut NodeLimit(self.settings.nodes), |_| true);
        choice.best.map(|best| (best, choice.value))
    }

    /// A start position from which both sides can move.
    fn opening(&self, chance: &mut Chance) -> Position {
        loop {
            let start = match chance.below(100) < u64::from(self.settings.chess960) {
                true => Board::chess960_startpos(chance.below(CHESS960_STARTS) as u32),
                false => Board::startpos(),
            };
            let mut position = Position::from_board(start);
            for _ in 0..OPENING_MOVES + chance.below(MORE_OPENING_MOVES + 1) as usize {
                match random_move(&position, chance) {
                    Some(action) => position.play(action),
                    None => break,
                }
            }
            if position.outcome().is_none() {
                return Position::from_board(position.board().clone());
            }
        }
    }
}

pub(super) fn random_move(position: &Position, chance: &mut Chance) -> Option<Move> {
    let moves = position.legal_moves();
    moves.get(chance.below(moves.len() as u64) as usize).copied()
}

fn result_of(outcome: Outcome, board: &Board) -> char {
    if outcome.is_draw() { 'd' } else { letter(board.side_to_move() == Color::Black) }
}

/// A probe's value as the file has it: mates are counted in moves.
fn written(value: i32) -> i32 {
    let plies = MATE - value.abs();
    if value.abs() < MATE_FLOOR { value } else { value.signum() * (32_000 - (plies + 1) / 2) }
}
