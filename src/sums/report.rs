//! What `regulus sum solve` says of a sum: one line of text, or one JSON object, and whether a file's claims hold.
//!
//! Numbers are told as Left's (Black's), whoever is to move.

use super::json::{Object, array, string};
use super::parse::{Expected, Problem};
use super::problem::Position;
use super::session::{Session, rough_stops};
use super::solve::Verdict;
use super::thermograph::Extended;
use super::{Dyadic, Failure, Side, Store, Term};
use crate::bstar::Policy;
use std::fmt::Write;

/// What became of a file's claims about a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// There are none.
    None,
    /// All hold.
    Met,
    /// These do not, in words.
    Missed(Vec<String>),
    /// None was refuted, but the limits left these open.
    Open(Vec<String>),
}

impl Check {
    fn of(claims: Vec<(String, Option<bool>)>) -> Self {
        if claims.is_empty() {
            return Self::None;
        }
        let with = |wanted: Option<bool>| {
            let those = claims.iter().filter(|(_, holds)| *holds == wanted);
            those.map(|(claim, _)| claim.clone()).collect::<Vec<_>>()
        };
        let (missed, open) = (with(Some(false)), with(None));
        if !missed.is_empty() {
            Self::Missed(missed)
        } else if open.is_empty() {
            Self::Met
        } else {
            Self::Open(open)
        }
    }

    /// Nothing was claimed in vain.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::None | Self::Met)
    }

    fn words(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Met => "as expected".to_owned(),
            Self::Missed(claims) => format!("NOT AS EXPECTED: {}", claims.join(", ")),
            Self::Open(claims) => format!("expected but undecided: {}", claims.join(", ")),
        }
    }
}

/// A solved sum.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The line on which the sum begins.
    pub line: usize,
    /// Left to move, then Right.
    pub verdicts: [Verdict; 2],
    /// The file's claims.
    pub check: Check,
}

/// Solves a sum for both sides to move and checks what is claimed of it.
pub fn solve_problem(session: &mut Session, problem: &Problem, policy: Policy, exact: bool) -> Solved {
    let position = session.begin().and_then(|()| session.position(&problem.components));
    let verdicts = [Side::Left, Side::Right].map(|side| match &position {
        Ok(position) => session.solve(position, side, policy, exact),
        Err(failure) => Verdict::without_move(side, rough_stops(&problem.components), *failure),
    });
    let claims = claims(session.store(), &problem.expected, position.as_ref().ok(), &verdicts);
    session.end();
    Solved { line: problem.line, verdicts, check: Check::of(claims) }
}

/// Every claim in words, and whether it holds; `None` when that is not known.
fn claims(
    store: &mut Store,
    expected: &Expected,
    position: Option<&Position>,
    verdicts: &[Verdict; 2],
) -> Vec<(String, Option<bool>)> {
    let mut claims = Vec::new();
    for (name, claim, verdict) in
        [("B", expected.black_wins, &verdicts[0]), ("W", expected.white_wins, &verdicts[1])]
    {
        if let Some(claim) = claim {
            let holds = verdict.wins().map(|wins| wins == claim);
            claims.push((format!("{name} {}", won(Some(claim))), holds));
        }
    }
    if let Some(n) = expected.nimber {
        let holds = position.and_then(|position| is_nimber(store, position, n).ok());
        claims.push((format!("N {n}"), holds));
    }
    if let Some((left, right)) = &expected.thermograph {
        let value = position.and_then(|position| position.value(store).ok());
        let walls = value.and_then(|value| Extended::default().of(store, value).ok());
        let holds = walls.map(|walls| walls.left.corners() == left && walls.right.corners() == right);
        claims.push(("the thermograph".to_owned(), holds));
    }
    claims
}

fn is_nimber(store: &mut Store, position: &Position, n: u32) -> Result<bool, Failure> {
    let value: Term = position.value(store)?;
    Ok(value == super::component::Tree::Nimber(n).value(store)?)
}

const fn won(wins: Option<bool>) -> &'static str {
    match wins {
        Some(true) => "win",
        Some(false) => "loss",
        None => "?",
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "B",
        Side::Right => "W",
    }
}

/// Bounds on the stop, Left's.
fn stop_of(verdict: &Verdict) -> (Dyadic, Dyadic) {
    let bounds = if verdict.side == Side::Left { verdict.bounds } else { -verdict.bounds };
    (bounds.lower().stop, bounds.upper().stop)
}

impl Solved {
    /// One line.
    pub fn text(&self) -> String {
        let [black, white] = &self.verdicts;
        let mut text = format!("{}: B {}, W {}", self.line, won(black.wins()), won(white.wins()));
        for verdict in &self.verdicts {
            let _ = write!(text, " | {}", told(verdict));
        }
        let check = self.check.words();
        if !check.is_empty() {
            let _ = write!(text, " | {check}");
        }
        text
    }

    /// One JSON object.
    pub fn json(&self) -> String {
        let object = Object::default().count("line", self.line as u64);
        let object = object.raw("moves", &array(self.verdicts.iter().map(json_of)));
        let holds = match self.check {
            Check::None | Check::Open(_) => None,
            Check::Met => Some(true),
            Check::Missed(_) => Some(false),
        };
        object.truth("as_expected", holds).text("expectations", &self.check.words()).done()
    }
}

fn told(verdict: &Verdict) -> String {
    let (low, high) = stop_of(verdict);
    let mut text = format!("{} to move: ", name(verdict.side));
    match (&verdict.best, verdict.line.first()) {
        (Some(best), Some(first)) => {
            let doubt = if verdict.proved { "" } else { " (best so far)" };
            let _ = write!(text, "in {}, {first}{doubt}", best.component + 1);
        }
        _ if verdict.cut.is_some() => text.push_str("no move found"),
        _ => text.push_str("nothing but numbers"),
    }
    if low == high {
        let _ = write!(text, ", stop {low}");
    } else {
        let _ = write!(text, ", stop {low}..{high}");
    }
    let _ = write!(text, ", {} expansions", verdict.expansions);
    if verdict.line.len() > 1 {
        let _ = write!(text, ", then {}", verdict.line[1..].join("; "));
    }
    if let Some(cut) = verdict.cut {
        let _ = write!(text, ", {cut}");
    }
    text
}

fn json_of(verdict: &Verdict) -> String {
    let (low, high) = stop_of(verdict);
    let mut object = Object::default().text("to_move", name(verdict.side)).truth("wins", verdict.wins());
    if let (Some(best), Some(first)) = (&verdict.best, verdict.line.first()) {
        object = object.count("component", best.component as u64 + 1).text("move", first);
        object = object.truth("proved", Some(verdict.proved));
    }
    object = object.raw("stop", &array([low, high].map(|end| string(&end.to_string()))));
    object = object.raw("line", &array(verdict.line.iter().map(|step| string(step))));
    object = object.count("expansions", verdict.expansions);
    if let Some(cut) = verdict.cut {
        object = object.text("cut", &cut.to_string());
    }
    object.done()
}
