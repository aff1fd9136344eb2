//! `{a|b||c}` text: one sum a line.

use super::scan::{Position, Scanner, error_at};
use super::{Expected, ParseError, Problem};
use crate::sums::Dyadic;
use crate::sums::component::{Component, LARGEST_NIMBER, MOST_UPS, Tree};

/// Braces and parentheses may be nested so deeply; games of this depth are simplified recursively.
const DEEPEST: usize = 256;

pub(super) fn problems(mut scanner: Scanner) -> Result<Vec<Problem>, ParseError> {
    let mut problems = Vec::new();
    loop {
        scanner.skip_space()?;
        if scanner.peek().is_none() {
            return Ok(problems);
        }
        let line = scanner.position().line;
        let components =
            sum(&mut scanner, 0, |scanner| scanner.skip_blanks())?.into_iter().map(Component::Tree).collect();
        if !matches!(scanner.peek(), None | Some('\n')) {
            return scanner.unexpected();
        }
        problems.push(Problem { line, components, expected: Expected::default() });
    }
}

/// The game that makes up all of the rest.
pub(super) fn whole(scanner: &mut Scanner) -> Result<Tree, ParseError> {
    let terms = sum(scanner, 0, |scanner| scanner.skip_space())?;
    scanner.expect_end()?;
    Ok(joined(terms))
}

type Skip = fn(&mut Scanner) -> Result<bool, ParseError>;

/// Terms joined by plus and minus, with space between them skipped by `skip`.
fn sum(scanner: &mut Scanner, depth: usize, skip: Skip) -> Result<Vec<Tree>, ParseError> {
    skip(scanner)?;
    let mut terms = vec![term(scanner, depth)?];
    loop {
        skip(scanner)?;
        let negative = match scanner.peek() {
            Some('+') => false,
            Some('-') => true,
            _ => return Ok(terms),
        };
        scanner.advance();
        skip(scanner)?;
        let next = term(scanner, depth)?;
        terms.push(if negative { negated(next) } else { next });
    }
}

fn joined(mut terms: Vec<Tree>) -> Tree {
    if terms.len() == 1 { terms.remove(0) } else { Tree::Sum(terms) }
}

fn negated(tree: Tree) -> Tree {
    match tree {
        Tree::Number(x) => Tree::Number(-x),
        Tree::Ups(n) => Tree::Ups(-n),
        Tree::Negative(tree) => *tree,
        tree => Tree::Negative(Box::new(tree)),
    }
}

fn term(scanner: &mut Scanner, depth: usize) -> Result<Tree, ParseError> {
    if depth >= DEEPEST {
        return scanner.error(format!("braces are nested too deeply (at most {DEEPEST})"));
    }
    match scanner.peek() {
        Some('{') => braces(scanner, depth + 1),
        Some('(') => parentheses(scanner, depth + 1),
        Some('*') => nimber(scanner),
        Some(arrow @ ('^' | 'v')) => ups(scanner, arrow),
        Some('0'..='9') => number(scanner).map(Tree::Number),
        Some('±') => plus_minus(scanner, depth),
        Some('+') if scanner.looks_at("+-") => {
            scanner.advance();
            plus_minus(scanner, depth)
        }
        Some('-') => {
            scanner.advance();
            scanner.skip_blanks()?;
            term(scanner, depth + 1).map(negated)
        }
        None | Some('}' | ')' | ',' | '|' | '\n') => scanner.error("a game is missing here"),
        Some(_) => scanner.unexpected(),
    }
}

fn plus_minus(scanner: &mut Scanner, depth: usize) -> Result<Tree, ParseError> {
    scanner.advance();
    let game = term(scanner, depth + 1)?;
    Ok(Tree::Options(vec![game.clone()], vec![negated(game)]))
}

fn parentheses(scanner: &mut Scanner, depth: usize) -> Result<Tree, ParseError> {
    let start = scanner.position();
    scanner.advance();
    let terms = sum(scanner, depth, |scanner| scanner.skip_space())?;
    if scanner.accept(')') {
        return Ok(joined(terms));
    }
    if scanner.peek().is_none() {
        error_at(start, "this parenthesis is never closed")
    } else {
        scanner.unexpected()
    }
}

/// What may stand between braces.
enum Item {
    Game(Tree),
    Comma(Position),
    Bars(usize, Position),
}

fn braces(scanner: &mut Scanner, depth: usize) -> Result<Tree, ParseError> {
    let start = scanner.position();
    scanner.advance();
    let mut items = Vec::new();
    loop {
        scanner.skip_space()?;
        let position = scanner.position();
        match scanner.peek() {
            None => return error_at(start, "this brace is never closed"),
            Some('}') => {
                scanner.advance();
                return grouped(items, start, depth);
            }
            Some(',') => {
                scanner.advance();
                items.push(Item::Comma(position));
            }
            Some('|') => items.push(Item::Bars(scanner.take_while(|c| c == '|').len(), position)),
            Some(_) if matches!(items.last(), Some(Item::Game(_))) => return scanner.unexpected(),
            Some(_) => items.push(Item::Game(joined(sum(scanner, depth, |scanner| scanner.skip_space())?))),
        }
    }
}

/// The game of the items between braces, split at the longest run of bars.
fn grouped(mut items: Vec<Item>, start: Position, depth: usize) -> Result<Tree, ParseError> {
    if depth > DEEPEST {
        return error_at(start, format!("braces are nested too deeply (at most {DEEPEST})"));
    }
    let bars = |item: &Item| if let Item::Bars(count, _) = item { *count } else { 0 };
    let strongest = items.iter().map(bars).max().unwrap_or(0);
    if strongest == 0 {
        return error_at(start, "a game in braces needs a bar between Left's options and Right's");
    }
    let mut places = items.iter().enumerate().filter(|(_, item)| bars(item) == strongest);
    let middle = places.next().map_or(0, |(index, _)| index);
    if let Some((_, Item::Bars(_, position))) = places.next() {
        return error_at(
            *position,
            "a second bar of the same strength: write || where the outer one is meant",
        );
    }
    let right = items.split_off(middle + 1);
    items.pop();
    Ok(Tree::Options(options(items, start, depth)?, options(right, start, depth)?))
}

/// One side: a list of games, or a single game of lesser bars.
fn options(items: Vec<Item>, start: Position, depth: usize) -> Result<Vec<Tree>, ParseError> {
    if items.iter().any(|item| matches!(item, Item::Bars(..))) {
        return Ok(vec![grouped(items, start, depth + 1)?]);
    }
    let mut games = Vec::new();
    let mut comma = None;
    for item in items {
        match item {
            Item::Game(tree) => {
                games.push(tree);
                comma = None;
            }
            Item::Comma(position) if games.is_empty() || comma.is_some() => {
                return error_at(position, "a game is missing here");
            }
            Item::Comma(position) => comma = Some(position),
            Item::Bars(..) => {}
        }
    }
    match comma {
        Some(position) => {
            error_at(Position { column: position.column + 1, ..position }, "a game is missing here")
        }
        None => Ok(games),
    }
}

/// A dyadic rational, with a sign if there is one.
pub(super) fn number(scanner: &mut Scanner) -> Result<Dyadic, ParseError> {
    let start = scanner.position();
    let sign = if scanner.accept('-') { -1 } else { 1 };
    let numerator = digits(scanner)? * sign;
    if !scanner.accept('/') {
        return Dyadic::integer(numerator).or_else(|_| error_at(start, "this number is too large"));
    }
    let denominator = digits(scanner)?;
    if denominator == 0 {
        return error_at(start, "the denominator is 0");
    }
    match Dyadic::fraction(numerator, denominator) {
        Some(number) => number.or_else(|_| error_at(start, "this number is too large or too fine")),
        None => error_at(
            start,
            format!("{numerator}/{denominator} is no dyadic rational: its denominator is no power of two"),
        ),
    }
}

fn digits(scanner: &mut Scanner) -> Result<i64, ParseError> {
    let start = scanner.position();
    let digits = scanner.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return scanner.error("a number is expected here");
    }
    digits.parse().or_else(|_| error_at(start, "this number is too large"))
}

/// A number of things, at most `most` of them.
pub(super) fn count(scanner: &mut Scanner, most: u32, too_many: &str) -> Result<u32, ParseError> {
    let start = scanner.position();
    match u32::try_from(digits(scanner)?) {
        Ok(count) if count <= most => Ok(count),
        _ => error_at(start, too_many),
    }
}

/// The size of a nimber.
pub(super) fn nim_value(scanner: &mut Scanner) -> Result<u32, ParseError> {
    count(scanner, LARGEST_NIMBER, &format!("nimbers are accepted up to *{LARGEST_NIMBER}"))
}

/// How many ups.
pub(super) fn up_count(scanner: &mut Scanner) -> Result<i32, ParseError> {
    Ok(count(scanner, MOST_UPS, &format!("at most {MOST_UPS} ups are accepted"))? as i32)
}

fn nimber(scanner: &mut Scanner) -> Result<Tree, ParseError> {
    scanner.advance();
    if scanner.peek().is_some_and(|c| c.is_ascii_digit()) {
        return nim_value(scanner).map(Tree::Nimber);
    }
    Ok(Tree::Nimber(1))
}

fn ups(scanner: &mut Scanner, arrow: char) -> Result<Tree, ParseError> {
    let start = scanner.position();
    let run = scanner.take_while(|c| c == arrow).len();
    let count = match scanner.peek() {
        Some('0'..='9') if run == 1 => up_count(scanner)?,
        _ if run <= MOST_UPS as usize => run as i32,
        _ => return error_at(start, format!("at most {MOST_UPS} ups are accepted")),
    };
    let ups = Tree::Ups(if arrow == '^' { count } else { -count });
    if scanner.peek() == Some('*') {
        return Ok(Tree::Sum(vec![ups, nimber(scanner)?]));
    }
    Ok(ups)
}
