//! The principal line for the user: what a search stored of it, prolonged by what the table knows.

use super::eval::endings::{self, Fate};
use super::probe::table::Entry;
use super::probe::{Bound, Table};
use super::score::probe_scale::MATE;
use super::{Outcome, Position, Score};
use cozy_chess::{GameStatus, Move};

/// Plies that the principal line is prolonged by from the table at most.
const LONGEST_TAIL: usize = 40;

/// `stored`, a line of legal moves from `position`, prolonged by the exact entries of the table, and cut where the game ends
/// or repeats.
pub fn principal_line(position: &Position, stored: &[Move], table: &Table) -> Vec<Move> {
    let mut position = position.clone();
    let root_ply = position.game_ply();
    let mut line = Vec::with_capacity(stored.len() + LONGEST_TAIL);
    let mut rest = stored.iter().copied();
    loop {
        let known = rest.next().or_else(|| {
            let entry = table.get(position.key()).filter(|entry| entry.bound == Bound::Exact)?;
            entry.action.unpack().filter(|_| line.len() < stored.len() + LONGEST_TAIL)
        });
        match known.filter(|&action| position.board().is_legal(action)) {
            Some(action) if line.is_empty() || position.outcome_in_search(root_ply).is_none() => {
                position.play(action);
                line.push(action);
            }
            _ => return line,
        }
    }
}

/// `line`, legal moves from `position` and worth `score`, prolonged to the end of the mate where the table, or what is known of the ending, knows the way: at
/// each step the distance must shrink by one ply, so that what is added is a line of the mate that is told. It may end
/// before the mate.
pub fn mate_line(position: &Position, mut line: Vec<Move>, score: Score, table: &Table) -> Vec<Move> {
    if !score.is_mate() {
        return line;
    }
    let mut end = position.clone();
    line.iter().for_each(|&action| end.play(action));
    let target = mate_ply(score);
    while end.game_ply() < target && end.outcome().is_none() {
        let left = target - end.game_ply();
        let Some(action) = mating_move(&end, left, table) else { break };
        end.play(action);
        line.push(action);
    }
    line
}

/// The game ply at which the mated position stands.
fn mate_ply(score: Score) -> usize {
    let size = if score > Score::DRAW { score } else { -score };
    (0..=10_000).find(|&ply| size == Score::mate_at(ply)).unwrap_or(0)
}

/// A move after which the mate is one ply nearer than `left` plies, as the rules or the table know: for the side that mates a
/// move to it, for the other one that puts it off so long.
fn mating_move(position: &Position, left: usize, table: &Table) -> Option<Move> {
    let distance = |value: i32| usize::try_from(MATE - value.abs()).ok();
    let mates = left % 2 == 1;
    let after = |action: Move| {
        let mut next = position.clone();
        next.play(action);
        next
    };
    let holds = |action: &Move| {
        let next = after(*action);
        if left == 1 {
            return next.outcome() == Some(Outcome::Checkmate);
        }
        // The value is from the side to move at the next position.
        let known = |entry: &Entry| {
            let sign = if mates { entry.value < 0 } else { entry.value > 0 };
            sign && distance(entry.value) == Some(left - 1)
                && entry.bound != if mates { Bound::Lower } else { Bound::Upper }
        };
        next.outcome().is_none()
            && (left == 2 && mates_at_once(&next)
                || endings::fate(next.board()) == Some(Fate::Mate(left - 1))
                || table.get(next.key()).as_ref().is_some_and(known))
    };
    let legal = position.legal_moves();
    let stored = table.get(position.key()).and_then(|entry| entry.action.unpack());
    stored.filter(|action| legal.contains(action) && holds(action)).or_else(|| legal.into_iter().find(holds))
}

/// The side to move can mate with its next move.
fn mates_at_once(position: &Position) -> bool {
    position.legal_moves().into_iter().any(|action| {
        let mut after = position.board().clone();
        after.play_unchecked(action);
        after.status() == GameStatus::Won
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|action| action.parse().unwrap()).collect()
    }

    #[test]
    fn the_principal_line_ends_where_it_repeats() {
        let shuffle = moves("g1f3 g8f6 f3g1 f6g8 g1f3");
        let mut repeated = shuffle.clone();
        repeated.extend_from_within(1..);
        let cut = principal_line(&Position::startpos(), &repeated, &Table::new(1 << 20));
        assert_eq!(cut, shuffle, "the second occurrence after the root ends it");
    }

    #[test]
    fn a_mate_is_shown_to_its_end_where_the_table_knows_the_way() {
        // 1.Kf7 Kh7 2.Rh1 is mate in two; the last two plies need no table.
        let position = Position::from_board("7k/8/5K2/8/8/8/8/6R1 w - - 0 1".parse().unwrap());
        let (table, score) = (Table::new(1 << 20), Score::mate_at(3));
        assert_eq!(mate_line(&position, moves("f6f7"), score, &table), moves("f6f7 h8h7 g1h1"));
        let other = Score::centipawns(900);
        assert_eq!(mate_line(&position, moves("f6f7"), other, &table), moves("f6f7"), "no mate is told");
        // Two plies more, a check and its only answer, are known by the table alone.
        let before = Position::from_board("6k1/8/5K2/8/8/8/8/1R6 w - - 0 1".parse().unwrap());
        let score = Score::mate_at(5);
        let entry = |action: &str, value, bound| Entry {
            action: moves(action)[0].into(),
            value,
            static_value: None,
            depth: 3,
            bound,
            on_line: true,
        };
        let mut next = before.clone();
        moves("b1g1 g8h8").into_iter().for_each(|action| next.play(action));
        table.put(next.key(), entry("f6f7", MATE - 3, Bound::Upper));
        assert_eq!(mate_line(&before, moves("b1g1"), score, &table), moves("b1g1"), "no proof of a mate");
        table.clear(1);
        table.put(next.key(), entry("f6f7", MATE - 3, Bound::Lower));
        let mut last = next.clone();
        last.play(moves("f6f7")[0]);
        table.put(last.key(), entry("h8h7", 2 - MATE, Bound::Upper));
        assert_eq!(mate_line(&before, moves("b1g1"), score, &table), moves("b1g1 g8h8 f6f7 h8h7 g1h1"));
    }
}
