//! MCGS's `.test` files: section titles, games, and brace blocks that end a sum.
//!
//! ```text
//! {version 1.7}
//! [domineering]                       /* the games that follow are of this kind */
//! ..|.#  .#|..  {B win, W loss}       /* a sum of two, and who wins when Black, or White, begins */
//! [switch_game] (3, -1/2) {}
//! ```
//! Beside MCGS's own sections `[tree]` takes a game in braces, within parentheses: `[tree] ({3|1||0}) {B win}`.

use super::scan::{Scanner, error_at};
use super::text::{nim_value, number, up_count, whole};
use super::{Expected, ParseError, Problem};
use crate::sums::component::{Board, BoardGame, Cell, Component, Tree};
use crate::sums::thermograph::Corner;

/// What the games of a section are.
#[derive(Clone, Copy)]
enum Section {
    Board(BoardGame),
    Integer,
    Number,
    Switch,
    Nimber,
    UpStar,
    Tree,
}

/// The sections that are no boards.
const SECTIONS: [(&str, Section); 6] = [
    ("integer_game", Section::Integer),
    ("dyadic_rational", Section::Number),
    ("switch_game", Section::Switch),
    ("nimber", Section::Nimber),
    ("up_star", Section::UpStar),
    ("tree", Section::Tree),
];

pub(super) fn problems(mut scanner: Scanner) -> Result<Vec<Problem>, ParseError> {
    let mut problems = Vec::new();
    let mut section = None;
    let mut components = Vec::new();
    let mut line = 0;
    loop {
        scanner.skip_space()?;
        let position = scanner.position();
        match scanner.peek() {
            None => break,
            Some('[') => section = Some(title(&mut scanner)?),
            Some('{') => {
                let mut block = enclosed(&mut scanner, '}', "this brace is never closed")?;
                if block.looks_at("version") {
                    continue;
                }
                if components.is_empty() {
                    return error_at(position, "an expectation without a game before it");
                }
                let expected = expectation(&mut block)?;
                problems.push(Problem { line, components: std::mem::take(&mut components), expected });
            }
            Some('}') => return scanner.unexpected(),
            Some(_) => {
                let Some(section) = section else {
                    return error_at(position, "a game before any section title such as [nimber]");
                };
                if components.is_empty() {
                    line = position.line;
                }
                components.push(component(&mut scanner, section)?);
            }
        }
    }
    if !components.is_empty() {
        problems.push(Problem { line, components, expected: Expected::default() });
    }
    Ok(problems)
}

/// What stands between the opening character here and `end`, with both passed over.
fn enclosed<'a>(scanner: &mut Scanner<'a>, end: char, unclosed: &str) -> Result<Scanner<'a>, ParseError> {
    let start = scanner.position();
    scanner.advance();
    let Some(part) = scanner.until(|c| c == end) else { return error_at(start, unclosed) };
    scanner.advance();
    Ok(part)
}

fn title(scanner: &mut Scanner) -> Result<Section, ParseError> {
    let mut part = enclosed(scanner, ']', "this section title is never closed")?;
    let position = part.position();
    let name = part.take_while(|_| true);
    let board = BoardGame::ALL.into_iter().find(|game| game.section() == name).map(Section::Board);
    let plain = || SECTIONS.into_iter().find(|(known, _)| *known == name).map(|(_, section)| section);
    board.or_else(plain).map_or_else(
        || {
            let boards = BoardGame::ALL.into_iter().map(BoardGame::section);
            let known: Vec<&str> = boards.chain(SECTIONS.into_iter().map(|(known, _)| known)).collect();
            error_at(position, format!("unknown section `{name}`; known: {}", known.join(", ")))
        },
        Ok,
    )
}

/// One game: in parentheses, or up to the next space.
fn component(scanner: &mut Scanner, section: Section) -> Result<Component, ParseError> {
    let mut part = if scanner.peek() == Some('(') {
        enclosed(scanner, ')', "this parenthesis is never closed")?
    } else {
        scanner.until_or_end(|c| c.is_whitespace() || matches!(c, '{' | '[' | '('))
    };
    part.skip_space()?;
    if let Section::Board(game) = section {
        return board(&mut part, game).map(|board| Component::Board(game, board));
    }
    let tree = tree(&mut part, section)?;
    part.expect_end()?;
    Ok(Component::Tree(tree))
}

fn tree(part: &mut Scanner, section: Section) -> Result<Tree, ParseError> {
    Ok(match section {
        Section::Integer => {
            let start = part.position();
            let value = number(part)?;
            if !value.is_integer() {
                return error_at(start, format!("{value} is no integer"));
            }
            Tree::Number(value)
        }
        Section::Number => Tree::Number(number(part)?),
        Section::Switch => {
            let left = number(part)?;
            part.skip_space()?;
            if !part.accept(',') {
                return part.error("a comma is expected between the two options of a switch");
            }
            part.skip_space()?;
            Tree::switch(left, number(part)?)
        }
        Section::Nimber => Tree::Nimber(nim_value(part)?),
        Section::UpStar => up_star(part)?,
        Section::Tree | Section::Board(_) => whole(part)?,
    })
}

/// `4`, `-4`, `4 *` or `*`.
fn up_star(part: &mut Scanner) -> Result<Tree, ParseError> {
    if part.accept('*') {
        return Ok(Tree::Nimber(1));
    }
    let sign = if part.accept('-') { -1 } else { 1 };
    let ups = Tree::Ups(up_count(part)? * sign);
    part.skip_space()?;
    Ok(if part.accept('*') { Tree::Sum(vec![ups, Tree::Nimber(1)]) } else { ups })
}

fn board(part: &mut Scanner, game: BoardGame) -> Result<Board, ParseError> {
    let mut rows: Vec<Vec<Cell>> = vec![Vec::new()];
    let mut starts = vec![part.position()];
    loop {
        let position = part.position();
        match part.advance() {
            None => break,
            Some('|') if game.is_strip() => {
                return error_at(position, format!("{} is played on one row", game.section()));
            }
            Some('|') => {
                rows.push(Vec::new());
                starts.push(part.position());
            }
            Some(c) if c.is_whitespace() => {}
            Some(c) => match Cell::from_char(c).filter(|_| game.cells().contains(c)) {
                Some(cell) => rows.last_mut().into_iter().for_each(|row| row.push(cell)),
                None => {
                    let (name, cells) = (game.section(), game.cells());
                    return error_at(position, format!("`{c}` is no cell of {name} (cells: {cells})"));
                }
            },
        }
    }
    if rows[0].is_empty() {
        return error_at(starts[0], "a board needs at least one cell");
    }
    if rows[0].len() > Board::LONGEST || rows.len() > Board::LONGEST {
        return error_at(starts[0], format!("boards are accepted up to {0} by {0} cells", Board::LONGEST));
    }
    Board::from_rows(&rows).or_else(|fault| {
        let (this, first) = (rows[fault.row].len(), rows[0].len());
        error_at(
            starts[fault.row],
            format!("a ragged board: this row has {this} cells, the first has {first}"),
        )
    })
}

fn expectation(block: &mut Scanner) -> Result<Expected, ParseError> {
    let mut expected = Expected::default();
    loop {
        block.skip_space()?;
        let position = block.position();
        let word = block.take_while(|c| c.is_alphabetic());
        block.skip_space()?;
        match word.as_str() {
            "" if block.peek().is_none() => return Ok(expected),
            "B" => expected.black_wins = outcome(block)?,
            "W" => expected.white_wins = outcome(block)?,
            "N" => expected.nimber = Some(nim_value(block)?),
            "thermograph" => expected.thermograph = Some(walls(block)?),
            _ => {
                let what = "`B win`, `B loss`, `W win`, `W loss`, `N` with a nim value, or `thermograph` is expected here";
                return error_at(position, what);
            }
        }
        block.skip_space()?;
        if !block.accept(',') && block.peek().is_some() {
            return block.unexpected();
        }
    }
}

/// `win`, `loss`, or nothing: then the side is named without a claim.
fn outcome(block: &mut Scanner) -> Result<Option<bool>, ParseError> {
    let position = block.position();
    match block.take_while(|c| c.is_alphabetic()).as_str() {
        "win" => Ok(Some(true)),
        "loss" => Ok(Some(false)),
        "" => Ok(None),
        _ => error_at(position, "`win` or `loss` is expected here"),
    }
}

fn walls(block: &mut Scanner) -> Result<(Vec<Corner>, Vec<Corner>), ParseError> {
    Ok((wall(block, 'L')?, wall(block, 'R')?))
}

fn wall(block: &mut Scanner, name: char) -> Result<Vec<Corner>, ParseError> {
    block.skip_space()?;
    if !block.accept(name) || !block.accept(':') {
        return block.error(format!("`{name}:` and a wall's corners are expected here"));
    }
    let mut corners = Vec::new();
    loop {
        block.skip_space()?;
        if block.peek() != Some('(') {
            return Ok(corners);
        }
        let mut pair = enclosed(block, ')', "this parenthesis is never closed")?;
        corners.push(corner(&mut pair)?);
    }
}

fn corner(pair: &mut Scanner) -> Result<Corner, ParseError> {
    pair.skip_space()?;
    let value = number(pair)?;
    pair.skip_space()?;
    if !pair.accept(',') {
        return pair.error("a corner is written (value, temperature)");
    }
    pair.skip_space()?;
    let temperature = number(pair)?;
    pair.expect_end()?;
    Ok(Corner { value, temperature })
}
