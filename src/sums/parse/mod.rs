//! Reading sums: MCGS's `.test` files and `{a|b||c}` text, with the place of every fault.
//!
//! Text: a sum a line, its components joined by `+` and `-`:
//!
//! | written | means |
//! |---|---|
//! | `3`, `-7/8` | a number |
//! | `{3\|1}`, `{2,1\|\|0\|-4}` | a game by its options; more bars bind more weakly; a side may be empty |
//! | `*`, `*3` | a nimber |
//! | `^`, `^^`, `^4`, `v`, `v2*` | ups and downs, with a nimber after them if wanted |
//! | `±3`, `±{2\|1}` | `{3\|-3}`, `{2\|1}` against its negative |
//! | `( .. )` | a sum that counts as one component |
//!
//! `/* .. */` is a comment in both. A text that begins with `[` or `{version` is taken for an MCGS file.

mod mcgs;
mod scan;
mod text;

use super::component::Component;
use super::thermograph::Corner;
use std::fmt;

pub use scan::Position;

/// A sum to be solved, and what the file says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its components, as given.
    pub components: Vec<Component>,
    /// What is claimed of it.
    pub expected: Expected,
}

/// The claims of a brace block. All are of the whole sum.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expected {
    /// Black (Left) wins when moving first.
    pub black_wins: Option<bool>,
    /// White (Right) wins when moving first.
    pub white_wins: Option<bool>,
    /// The sum is this nimber.
    pub nimber: Option<u32>,
    /// The corners of the left and the right wall, from temperature -1.
    pub thermograph: Option<(Vec<Corner>, Vec<Corner>)>,
}

impl Expected {
    /// Nothing is claimed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where.
    pub position: Position,
    /// What.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.position.line, self.position.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// All sums of a text, whichever of the two forms it has.
pub fn parse(text: &str) -> Result<Vec<Problem>, ParseError> {
    let chars = scan::positioned(text);
    let mut scanner = scan::Scanner::new(&chars);
    scanner.skip_space()?;
    if scanner.peek() == Some('[') || scanner.looks_at("{version") {
        mcgs::problems(scanner)
    } else {
        text::problems(scanner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        parse(text).expect_err("this text is faulty").to_string()
    }

    fn shown(text: &str) -> Vec<String> {
        let problems = parse(text).unwrap();
        problems
            .iter()
            .map(|p| p.components.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ; "))
            .collect()
    }

    #[test]
    fn text_is_read_component_by_component() {
        assert_eq!(shown("{3|1} - 1/2 + *2\n\n ^^* + {4||2|1}"), ["{3|1} ; -1/2 ; *2", "^2 + * ; {4|{2|1}}"]);
        assert_eq!(shown("{1,*||0|||-5}"), ["{{1,*|0}|-5}"]);
        assert_eq!(shown("{|}+{0|}+-{1|}"), ["{|} ; {0|} ; -{1|}"]);
        assert_eq!(shown("±3 + (1 + *) /* no more */"), ["{3|-3} ; 1 + *"]);
        assert_eq!(shown("{3|\n1}\n2"), ["{3|1}", "2"]);
    }

    #[test]
    fn mcgs_files_are_read() {
        let text = "{version 1.7}\n/* hello */ [up_star] (4 *) (-3)\n[switch_game] (-4/1, 3/8) {B win, W loss}\n[domineering] ..|.# {W win}";
        assert_eq!(shown(text), ["^4 + * ; v3 ; {-4|3/8}", "domineering ..|.#"]);
        let problems = parse(text).unwrap();
        assert_eq!(
            (problems[0].expected.black_wins, problems[0].expected.white_wins),
            (Some(true), Some(false))
        );
        assert_eq!((problems[1].expected.black_wins, problems[1].expected.white_wins), (None, Some(true)));
        assert_eq!(problems[1].line, 4);
    }

    #[test]
    fn faults_are_placed() {
        assert_eq!(fault("{3|1"), "line 1, column 1: this brace is never closed");
        assert_eq!(fault("1 + {3|1}}"), "line 1, column 10: a closing brace without an opening one");
        assert_eq!(
            fault("2\n{1/3|0}"),
            "line 2, column 2: 1/3 is no dyadic rational: its denominator is no power of two"
        );
        assert_eq!(fault("{1/0|0}"), "line 1, column 2: the denominator is 0");
        assert_eq!(
            fault("{1|0|2}"),
            "line 1, column 5: a second bar of the same strength: write || where the outer one is meant"
        );
        assert_eq!(
            fault("{1}"),
            "line 1, column 1: a game in braces needs a bar between Left's options and Right's"
        );
        assert_eq!(fault("1 + "), "line 1, column 5: a game is missing here");
        assert_eq!(fault("{1,|0}"), "line 1, column 4: a game is missing here");
        assert_eq!(fault("99999999999999999999"), "line 1, column 1: this number is too large");
        assert_eq!(fault("1 hello"), "line 1, column 3: unexpected `h`");
        assert_eq!(
            fault("[domineering] ..|.\n"),
            "line 1, column 18: a ragged board: this row has 1 cells, the first has 2"
        );
        assert_eq!(
            fault("[domineering]\n .X|.."),
            "line 2, column 3: `X` is no cell of domineering (cells: .#)"
        );
        assert_eq!(fault("[clobber_1xn] XO|XO"), "line 1, column 17: clobber_1xn is played on one row");
        assert!(fault("\n [chess] 1").starts_with("line 2, column 3: unknown section `chess`; known: "));
        assert_eq!(fault("[nimber] 1 /* x"), "line 1, column 12: this comment is never closed");
        assert_eq!(fault("[nimber] {B win}"), "line 1, column 10: an expectation without a game before it");
        assert_eq!(fault("[nimber] 2 {B maybe}"), "line 1, column 15: `win` or `loss` is expected here");
        assert_eq!(
            fault("{version 1.7} 3"),
            "line 1, column 15: a game before any section title such as [nimber]"
        );
        assert_eq!(fault("[up_star] (3 *2)"), "line 1, column 15: unexpected `2`");
        assert_eq!(fault("[nimber] 300"), "line 1, column 10: nimbers are accepted up to *255");
        assert_eq!(fault("[switch_game] (1, 2"), "line 1, column 15: this parenthesis is never closed");
        let deep = "{".repeat(100_000);
        assert_eq!(fault(&deep), "line 1, column 257: braces are nested too deeply (at most 256)");
    }
}
