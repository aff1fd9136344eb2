//! [`Scanner`]: characters with their places.

use super::ParseError;

/// A place in a text. Both count from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// The characters of a text with their places; the last entry stands for its end.
pub(super) fn positioned(text: &str) -> Vec<(char, Position)> {
    let mut position = Position { line: 1, column: 1 };
    let mut chars = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        chars.push((c, position));
        if c == '\n' {
            position = Position { line: position.line + 1, column: 1 };
        } else {
            position.column += 1;
        }
    }
    chars.push(('\0', position));
    chars
}

/// Reads a slice of positioned characters, whose last entry stands for the end.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    chars: &'a [(char, Position)],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(chars: &'a [(char, Position)]) -> Self {
        Self { chars, at: 0 }
    }

    pub(super) fn position(&self) -> Position {
        self.chars[self.at].1
    }

    pub(super) fn peek(&self) -> Option<char> {
        (self.at + 1 < self.chars.len()).then(|| self.chars[self.at].0)
    }

    pub(super) fn looks_at(&self, text: &str) -> bool {
        let rest = &self.chars[self.at..self.chars.len() - 1];
        text.chars().enumerate().all(|(index, c)| rest.get(index).is_some_and(|entry| entry.0 == c))
    }

    pub(super) fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(super) fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        error_at(self.position(), message)
    }

    /// The error of whatever stands here, where nothing of the kind can.
    pub(super) fn unexpected<T>(&self) -> Result<T, ParseError> {
        match self.peek() {
            Some('}') => self.error("a closing brace without an opening one"),
            Some(c) => self.error(format!("unexpected `{}`", c.escape_default())),
            None => self.error("unexpected end of the text"),
        }
    }

    /// Skips white space and comments; false when there was none.
    pub(super) fn skip_space(&mut self) -> Result<bool, ParseError> {
        self.skip(char::is_whitespace)
    }

    /// The same within a line.
    pub(super) fn skip_blanks(&mut self) -> Result<bool, ParseError> {
        self.skip(|c| c.is_whitespace() && c != '\n')
    }

    fn skip(&mut self, space: impl Fn(char) -> bool) -> Result<bool, ParseError> {
        let start = self.at;
        loop {
            if self.looks_at("/*") {
                self.skip_comment()?;
            } else if self.peek().is_some_and(&space) {
                self.at += 1;
            } else {
                return Ok(self.at > start);
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), ParseError> {
        let start = self.position();
        self.at += 2;
        while !self.looks_at("*/") {
            if self.advance().is_none() {
                return error_at(start, "this comment is never closed");
            }
        }
        self.at += 2;
        Ok(())
    }

    /// The characters from here to the first that does not satisfy `wanted`.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().map(|entry| entry.0).collect()
    }

    /// A scanner of what stands from here up to, not including, the first character that satisfies `end`; this one goes
    /// on behind it. `None` when there is no such character.
    pub(super) fn until(&mut self, end: impl Fn(char) -> bool) -> Option<Scanner<'a>> {
        let rest = &self.chars[self.at..self.chars.len() - 1];
        let length = rest.iter().position(|entry| end(entry.0))?;
        let part = Scanner::new(&self.chars[self.at..=self.at + length]);
        self.at += length;
        Some(part)
    }

    /// The same up to the end of the text if need be.
    pub(super) fn until_or_end(&mut self, end: impl Fn(char) -> bool) -> Scanner<'a> {
        let start = self.at;
        self.until(end).unwrap_or_else(|| {
            self.at = self.chars.len() - 1;
            Scanner::new(&self.chars[start..])
        })
    }

    /// Nothing but space may follow.
    pub(super) fn expect_end(&mut self) -> Result<(), ParseError> {
        self.skip_space()?;
        if self.peek().is_none() { Ok(()) } else { self.unexpected() }
    }
}

pub(super) fn error_at<T>(position: Position, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError { position, message: message.into() })
}
