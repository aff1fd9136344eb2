//! Text to positions and moves, and findings back to text, for the worker.

use super::protocol::{Bound, Ending, MoveView, OtherView, Report, RootView, Setup, Value};
use super::searcher::{self, Finding, MoveFinding, MoveStatus, RootFinding};
use super::wdl;
use crate::bstar::{Interval, Termination, Value as _};
use crate::chess::eval::network::{Accumulators, Network};
use crate::chess::fen::{Rules, read_fen, read_move, write_fen, write_move};
use crate::chess::{Outcome, Position, Score};
use cozy_chess::{Board, Color, File, Move, Rank, Square};
use std::time::Duration;

/// The position that a setup describes, and what was put right in reading it.
///
/// # Errors
/// A sentence for the user when the FEN is none or a move is not legal.
pub fn read_setup(setup: &Setup, rules: Rules) -> Result<(Position, Vec<String>), String> {
    let (board, notes) = match &setup.fen {
        None => (Board::startpos(), Vec::new()),
        Some(text) => {
            let fen = read_fen(text, rules).map_err(|error| error.to_string())?;
            (fen.board, fen.notes)
        }
    };
    let mut position = Position::from_board(board);
    for (index, text) in setup.moves.iter().enumerate() {
        let mv = read_move(position.board(), text)
            .ok_or_else(|| format!("move {} of the list, {text:?}, is not legal", index + 1))?;
        position.play(mv);
    }
    Ok((position, notes))
}

/// The legal moves among `asked`, or all when none is left; and the texts that were passed over.
pub fn choose_root_moves(position: &Position, asked: &[String]) -> (Vec<Move>, Vec<String>) {
    let mut chosen = Vec::new();
    let mut passed_over = Vec::new();
    for text in asked {
        match read_move(position.board(), text) {
            Some(mv) if !chosen.contains(&mv) => chosen.push(mv),
            Some(_) => {}
            None => passed_over.push(text.clone()),
        }
    }
    let moves = if chosen.is_empty() { position.legal_moves() } else { chosen };
    (moves, passed_over)
}

/// The beginning of `line` that can be played: legal moves up to the end of the game.
pub fn playable(position: &Position, line: &[Move]) -> Vec<Move> {
    let mut position = position.clone();
    let mut played = Vec::with_capacity(line.len());
    for &mv in line {
        let ended = !played.is_empty() && position.outcome().is_some();
        if ended || !position.board().is_legal(mv) {
            break;
        }
        position.play(mv);
        played.push(mv);
    }
    played
}

/// `line`, playable from `position`, as far as it can belong to a mate of this score: up to the mate, or, where another
/// move was put in on the way, to the ply before. Tools count the plies of such a line.
fn within_mate(mut line: Vec<Move>, position: &Position, score: Score) -> Vec<Move> {
    let Some(moves) = score.mate_in_moves(position.game_ply()) else { return line };
    let distance = usize::try_from(if moves > 0 { 2 * moves - 1 } else { -2 * moves }).unwrap_or(0);
    if line.len() >= distance {
        let mut end = position.clone();
        line.truncate(distance.max(1));
        line.iter().for_each(|&mv| end.play(mv));
        if end.outcome() != Some(Outcome::Checkmate) {
            line.truncate(distance.saturating_sub(1).max(1));
        }
    }
    line
}

/// A legal line as text.
pub fn write_line(position: &Position, line: &[Move], rules: Rules) -> Vec<String> {
    let mut board = position.board().clone();
    line.iter()
        .map(|&mv| {
            let text = write_move(&board, mv, rules);
            board.play_unchecked(mv);
            text
        })
        .collect()
}

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The notation of castling.
    pub rules: Rules,
    /// With the chances of win, draw and loss.
    pub chances: bool,
    /// How many lines at most; more than one are numbered.
    pub lines: usize,
    /// With how the root moves stand.
    pub moves: bool,
}

/// A finding for the user. Its line is cut where it stops being legal, the game ends, or the mate should have come.
pub fn write_finding(
    finding: &Finding,
    position: &Position,
    view: View,
    time: Duration,
    nodes: u64,
) -> Report {
    let line = within_mate(playable(position, &finding.line), position, finding.score);
    let ply = position.game_ply();
    let chances = |score: Score| view.chances.then(|| wdl::chances(score, position));
    Report {
        depth: finding.depth.max(1),
        selective_depth: finding.selective_depth.max(finding.depth).max(1),
        time,
        nodes,
        hash_full: finding.hash_full,
        table_hits: 0,
        value: write_score(finding.score, ply),
        bound: finding.bound,
        line: write_line(position, &line, view.rules),
        chances: chances(finding.score),
        numbered: view.lines > 1,
        others: finding
            .others
            .iter()
            .take(view.lines.saturating_sub(1))
            .map(|other| OtherView {
                value: write_score(other.score, ply),
                chances: chances(other.score),
                line: write_line(
                    position,
                    &within_mate(playable(position, &other.line), position, other.score),
                    view.rules,
                ),
                interval: other.interval.map(|interval| write_interval(interval, ply)),
            })
            .collect(),
        root: finding.root.as_ref().map(|root| write_root(root, position, view.rules)),
        moves: if view.moves { write_moves(&finding.moves, position, view.rules) } else { Vec::new() },
    }
}

/// How the root moves stand, for the user.
pub fn write_moves(moves: &[MoveFinding], position: &Position, rules: Rules) -> Vec<MoveView> {
    let ply = position.game_ply();
    let all: u64 = moves.iter().map(|found| found.nodes).sum();
    let view = |found: &MoveFinding| MoveView {
        name: write_move(position.board(), found.action, rules),
        interval: found.interval.map(|interval| write_interval(interval, ply)),
        realistic: found.realistic.map(|(score, bound)| (write_score(score, ply), bound)),
        depth: found.depth,
        expansions: found.expansions,
        nodes: found.nodes,
        share: u32::try_from(u128::from(found.nodes) * 1000 / u128::from(all.max(1))).unwrap_or(1000),
        status: match found.status {
            MoveStatus::Best => "best",
            MoveStatus::Separated => "separated",
            MoveStatus::Open => "open",
            MoveStatus::Out => "out",
        },
    };
    moves.iter().map(view).collect()
}

fn write_root(root: &RootFinding, position: &Position, rules: Rules) -> RootView {
    let ply = position.game_ply();
    RootView {
        best: write_interval(root.best, ply),
        rival: root
            .rival
            .map(|(mv, interval)| (write_move(position.board(), mv, rules), write_interval(interval, ply))),
        strategy: root.strategy,
        separated: root.separated,
        expansions: root.tally.expansions,
        graph_nodes: root.graph_nodes,
        line_plies: root.line_plies,
        ending: root.ending.map(write_ending),
    }
}

fn write_ending(ending: searcher::Ending) -> Ending {
    Ending {
        why: match ending.termination {
            Termination::Separated => "separated",
            Termination::OnlyMove => "only move",
            Termination::Budget => "budget",
            Termination::Stopped => "interrupted",
        },
        tree_nodes: ending.tree_nodes,
        // A conversion to whole numbers saturates.
        percent_of_time: ending.spent.map(|spent| (100.0 * spent).round() as u32),
    }
}

/// An interval for the user, at this game ply.
pub fn write_interval(interval: Interval<Score>, ply: usize) -> (Value, Value) {
    (write_score(interval.lower(), ply), write_score(interval.upper(), ply))
}

/// A score for the user, at this game ply.
pub fn write_score(score: Score, ply: usize) -> Value {
    match score.mate_in_moves(ply) {
        Some(moves) => Value::Mate(moves),
        None if score == Score::MAX => Value::Open { above: true },
        None if score == Score::MIN => Value::Open { above: false },
        None => Value::Centipawns(score.shown_centipawns(ply)),
    }
}

/// A proven mate may be told as it is, a mate that is only a bound may not: tools take it at its word.
pub fn is_tellable(finding: &Finding) -> bool {
    finding.bound == Bound::Exact || finding.score.is_heuristic()
}

/// A picture of the board for people: each man with what `network` says that it is worth, in pawns from White's side:
/// the value now less the value were it not there.
pub fn draw_worth(position: &Position, network: &Network) -> String {
    let board = position.board();
    let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
    let value = network.evaluate(&mut Accumulators::new(network, board), board);
    let without = network.evaluate_without(board);
    let mut text = String::new();
    for &rank in Rank::ALL.iter().rev() {
        let (mut men, mut worth) = (String::new(), String::new());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let man = board.piece_on(square).map_or('.', char::from);
            let white = board.color_on(square) == Some(Color::White);
            men += &format!("{:^7}", if white { man.to_ascii_uppercase() } else { man });
            let found = without.iter().find(|(at, _)| *at == square);
            worth += &found.map_or(" ".repeat(7), |(_, rest)| {
                format!("{:^7}", format!("{:+.2}", f64::from(sign * (value - rest)) / 100.0))
            });
        }
        text += &format!("{men} {}\n{}\n", char::from(rank), worth.trim_end());
    }
    text + "   a      b      c      d      e      f      g      h"
}

/// A picture of the board for people, with the FEN and the key.
pub fn draw(position: &Position, rules: Rules) -> String {
    let board = position.board();
    let mut text = String::new();
    for &rank in Rank::ALL.iter().rev() {
        for file in File::ALL {
            let square = Square::new(file, rank);
            let man = board.piece_on(square).map_or('.', char::from);
            let white = board.color_on(square) == Some(Color::White);
            text.push(if white { man.to_ascii_uppercase() } else { man });
            text.push(' ');
        }
        text += &format!(" {}\n", char::from(rank));
    }
    text += "a b c d e f g h\n";
    let checkers: Vec<String> = board.checkers().into_iter().map(|square| square.to_string()).collect();
    text += &format!("Fen: {}\nKey: {:016x}\n", write_fen(board, rules), position.key());
    text += &format!("Checkers: {}", checkers.join(" "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn a_line_ends_with_the_game() {
        let start = Position::startpos();
        // A third occurrence, and a move that is not legal.
        let shuffle = line("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3");
        assert_eq!(playable(&start, &shuffle).len(), 8);
        assert_eq!(playable(&start, &line("e2e4 e7e5 e4e5 d7d5")).len(), 2);
        let late = Position::from_board("4k3/8/8/8/8/8/8/4K2R w - - 98 90".parse().unwrap());
        assert_eq!(playable(&late, &line("h1h2 e8d8 h2h1 d8e8")).len(), 2, "the fifty-move rule");
        // At a root that is drawn by rule a move is wanted all the same.
        let drawn = Position::from_board("4k3/8/8/8/8/8/8/4K2R w - - 100 90".parse().unwrap());
        assert_eq!(playable(&drawn, &line("h1h2 e8d8")).len(), 1);
    }

    #[test]
    fn a_line_is_no_longer_than_its_mate() {
        let position = Position::from_board("k7/8/1K6/1R6/8/8/8/8 w - - 0 1".parse().unwrap());
        let cut = |text: &str, plies: usize| within_mate(line(text), &position, Score::mate_at(plies)).len();
        assert_eq!(cut("b5f5 a8b8 f5f8", 3), 3, "a mate in two");
        assert_eq!(cut("b5f5 a8b8 f5e5 b8a8 e5e8", 3), 2, "a detour on the way");
        assert_eq!(cut("b5f5", 3), 1, "a line may be shorter");
        let drawn = within_mate(line("b5f5 a8b8 f5e5"), &position, Score::centipawns(500));
        assert_eq!(drawn.len(), 3);
    }
}
