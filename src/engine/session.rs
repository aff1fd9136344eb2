//! [`Session`]: one search, from its `go` to its `bestmove`. It is the [`Watch`] that the search reports to: it
//! counts nodes, keeps the clock, obeys the commands that come in, and shows what is found.

use super::clock::Budget;
use super::inbox::{Link, Signal};
use super::protocol::{Bound, Event, Limits, MoveView, Report};
use super::searcher::{Finding, Watch};
use super::setup::{View, is_tellable, playable, write_finding, write_line, write_moves, write_score};
use super::wdl;
use crate::bstar::{Interrupted, Monitor};
use crate::chess::tablebase::Tablebases;
use crate::chess::{Position, Score};
use cozy_chess::Move;
use std::time::{Duration, Instant};

/// Nodes that a search without a finding may go on for beyond every limit: a first iteration takes fewer, and
/// it is about a millisecond.
const GRACE: u64 = 1_000;

/// The least time between two reports that differ in neither depth nor move; graphical programs show no more.
const REPORT_PAUSE: Duration = Duration::from_millis(100);

/// More than this over the hard budget is logged: a millisecond's worth of nodes and a late wake-up take less.
const LATE: Duration = Duration::from_millis(10);

/// The least time between two reports that differ in depth alone, after the first [`FREE_LINES`]: fifty lines a
/// second are more than anyone reads, and where a mate is near the depths come by the thousand.
const DEPTH_PAUSE: Duration = Duration::from_millis(20);

/// Lines of a search that a new depth alone is always worth: about the depths of the first tenth of a second.
const FREE_LINES: u32 = 32;

/// One search as the worker sees it.
pub struct Session<'a> {
    link: &'a mut Link,
    position: &'a Position,
    view: View,
    /// When the search was asked for.
    started: Instant,
    /// When our clock began to run; `None` while the opponent's does.
    clock_from: Option<Instant>,
    budget: Budget,
    node_limit: Option<u64>,
    mate_goal: Option<i32>,
    /// The endgame tables, with their hits before this search.
    tablebases: Option<(&'a Tablebases, u64)>,
    /// What they say of the root: 1, 0 or -1 for a win, a draw or a loss of its side to move.
    ruled: Option<i32>,
    depth_bound: bool,
    /// The nodes are for a weaker play: the clock ends the search, but does not steer it.
    weakened: bool,
    /// No answer before a stop.
    infinite: bool,
    nodes: u64,
    /// The front end has ended it.
    stopped: bool,
    /// The search was told to end.
    interrupted: bool,
    /// The last exact finding.
    found: Option<Finding>,
    /// The last exact one that was shown.
    shown: Option<Shown>,
    /// Lines shown.
    lines: u32,
}

/// What the last line said, to tell whether the next says more.
struct Shown {
    finding: Finding,
    nodes: u64,
    at: Instant,
}

impl<'a> Session<'a> {
    /// A search that was asked for at `started`.
    pub fn new(
        link: &'a mut Link,
        position: &'a Position,
        view: View,
        limits: &Limits,
        budget: Budget,
        started: Instant,
    ) -> Self {
        Self {
            link,
            position,
            view,
            started,
            clock_from: (!limits.ponder).then_some(started),
            budget,
            node_limit: limits.nodes.map(|nodes| nodes.max(0).unsigned_abs()),
            mate_goal: limits.mate.map(|moves| i32::try_from(moves.max(1)).unwrap_or(i32::MAX)),
            tablebases: None,
            ruled: None,
            depth_bound: limits.depth.is_some(),
            weakened: false,
            infinite: limits.infinite,
            nodes: 0,
            stopped: false,
            interrupted: false,
            found: None,
            shown: None,
            lines: 0,
        }
    }

    /// Counts the hits of `tables` beyond `before`, and shows the root's value as they have `ruled`.
    pub fn consult(&mut self, tables: &'a Tablebases, before: u64, ruled: Option<i32>) {
        self.tablebases = Some((tables, before));
        self.ruled = ruled;
    }

    /// Ends the search after so many nodes, whatever else is allowed. Time then only keeps it from losing on the clock, so that it
    /// is the same search on every machine.
    pub fn weaken(&mut self, nodes: u64) {
        self.node_limit = Some(self.node_limit.map_or(nodes, |limit| limit.min(nodes)));
        self.weakened = true;
    }

    fn table_hits(&self) -> u64 {
        self.tablebases.map_or(0, |(tables, before)| tables.hits().saturating_sub(before))
    }

    /// `finding` with the value that the endgame tables know; a mate in the same sense says more.
    fn judged(&self, finding: Finding) -> Finding {
        let ply = self.position.game_ply();
        let score = match self.ruled {
            Some(1) if !(finding.score.is_mate() && finding.score > Score::DRAW) => {
                Score::tablebase_win_at(ply)
            }
            Some(-1) if !(finding.score.is_mate() && finding.score < Score::DRAW) => {
                -Score::tablebase_win_at(ply)
            }
            Some(0) => Score::DRAW,
            _ => finding.score,
        };
        Finding { score, ..finding }
    }

    /// Sleeps until the answer may be given: a search that ended by itself while pondering or in an infinite
    /// analysis waits for the front end.
    pub fn await_permission(&mut self) {
        while self.must_wait() && !self.stopped {
            let signal = self.link.inbox.wait();
            self.obey(signal);
        }
    }

    /// Shows `finding`, unless the last line said all of it, and answers with its first move. The line that
    /// comes before the answer always begins with the same move. Returns how the root moves stand.
    pub fn answer(&mut self, finding: Finding) -> Vec<MoveView> {
        let finding = self.judged(finding);
        let said =
            self.shown.as_ref().is_some_and(|shown| shown.nodes == self.nodes && shown.finding == finding);
        let line = playable(self.position, &finding.line);
        let moves = write_moves(&finding.moves, self.position, self.view.rules);
        if !said {
            self.show(finding);
        }
        self.warn_of_overrun();
        let text = write_line(self.position, &line, self.view.rules);
        let ponder = text.get(1).filter(|_| !self.ends_the_game(&line)).cloned();
        self.send(Event::BestMove { best: text.first().cloned(), ponder });
        moves
    }

    /// Answers for a position without legal moves: mated, or a draw.
    pub fn answer_terminal(&mut self, score: Score) {
        let value = write_score(score, self.position.game_ply());
        self.send(Event::Info(Report {
            depth: 1,
            selective_depth: 1,
            time: self.started.elapsed(),
            nodes: 0,
            hash_full: 0,
            table_hits: 0,
            value,
            bound: Bound::Exact,
            line: Vec::new(),
            chances: self.view.chances.then(|| wdl::chances(score, self.position)),
            numbered: self.view.lines > 1,
            others: Vec::new(),
            root: None,
            moves: Vec::new(),
        }));
        self.await_permission();
        self.send(Event::BestMove { best: None, ponder: None });
    }

    /// How long our clock has been running; `None` while the opponent's does.
    pub fn clock_time(&self) -> Option<Duration> {
        self.clock_from.map(|from| from.elapsed())
    }

    /// The last exact finding of the search.
    pub fn take_found(&mut self) -> Option<Finding> {
        self.found.take()
    }

    /// The line's second move, made, ends the game: there is nothing to ponder on then.
    fn ends_the_game(&self, line: &[Move]) -> bool {
        let mut position = self.position.clone();
        line.iter().take(2).for_each(|&mv| position.play(mv));
        position.outcome().is_some()
    }

    /// A late answer is the search's fault or the machine's; the log helps to tell which.
    fn warn_of_overrun(&self) {
        let Some((hard, from)) = self.budget.hard.zip(self.clock_from) else { return };
        let over = from.elapsed().saturating_sub(hard);
        if over > LATE {
            log::warn!("{over:?} over the hard budget of {hard:?} after {} nodes", self.nodes);
        }
    }

    fn must_wait(&self) -> bool {
        self.infinite || self.clock_from.is_none()
    }

    /// The search ends without the front end's help.
    fn is_bounded(&self) -> bool {
        !self.must_wait() && (self.budget.hard.is_some() || self.node_limit.is_some() || self.depth_bound)
    }

    fn obey(&mut self, signal: Signal) {
        match signal {
            Signal::Stop => self.stopped = true,
            Signal::PonderHit => {
                self.clock_from.get_or_insert_with(Instant::now);
            }
            Signal::EndOfInput => self.stopped |= !self.is_bounded(),
            Signal::Ready => self.send(Event::Ready),
            Signal::Debug(on) => self.link.debug = on,
            Signal::Moves => self.show_moves(),
        }
    }

    /// How the root moves stood when the search last told of them.
    fn show_moves(&mut self) {
        let found = self.found.as_ref().map_or(&[][..], |finding| &finding.moves);
        self.send(Event::Moves(write_moves(found, self.position, self.view.rules)));
    }

    /// A limit of the search's own is reached.
    fn is_used_up(&self) -> bool {
        let nodes = self.node_limit.is_some_and(|limit| self.nodes >= limit);
        let time = self.budget.hard.zip(self.clock_from).is_some_and(|(hard, from)| from.elapsed() >= hard);
        nodes || time
    }

    /// The mate that was asked for is found, for whichever side.
    fn has_goal(&self) -> bool {
        let ply = self.position.game_ply();
        let found = self.found.as_ref().and_then(|finding| finding.score.mate_in_moves(ply));
        self.mate_goal.zip(found).is_some_and(|(goal, moves)| moves.abs() <= goal)
    }

    fn show(&mut self, finding: Finding) {
        let time = self.started.elapsed();
        let report = write_finding(&finding, self.position, self.view, time, self.nodes);
        self.send(Event::Info(Report { table_hits: self.table_hits(), ..report }));
        self.lines += 1;
        if finding.bound == Bound::Exact {
            self.shown = Some(Shown { finding, nodes: self.nodes, at: Instant::now() });
        }
    }

    fn is_news(&self, finding: &Finding) -> bool {
        self.shown.as_ref().is_none_or(|Shown { finding: last, at, .. }| {
            let pause = if last.depth == finding.depth { REPORT_PAUSE } else { DEPTH_PAUSE };
            let first_of_depth = last.depth != finding.depth && self.lines < FREE_LINES;
            first_of_depth || last.line.first() != finding.line.first() || at.elapsed() >= pause
        })
    }

    /// A front end that is gone wants no answer.
    fn send(&mut self, event: Event) {
        self.stopped |= !self.link.send(event);
    }
}

impl Monitor for Session<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes = self.nodes.saturating_add(units);
        while let Some(signal) = (!self.stopped).then(|| self.link.inbox.poll()).flatten() {
            self.obey(signal);
        }
        let grace = self.found.is_none() && self.nodes < GRACE;
        let ends = self.stopped || self.is_used_up() || self.has_goal();
        self.interrupted |= ends && !grace;
        if self.interrupted { Err(Interrupted) } else { Ok(()) }
    }

    fn allowance(&self) -> u64 {
        let limit = self.node_limit.unwrap_or(u64::MAX);
        let least = if self.found.is_none() { GRACE } else { 0 };
        limit.max(least).saturating_sub(self.nodes)
    }
}

impl Watch for Session<'_> {
    fn spent(&self) -> Option<f64> {
        // From the start: thinking on the opponent's time counts as thinking done.
        let soft = self.budget.soft.filter(|_| !self.must_wait() && !self.weakened)?;
        Some(self.started.elapsed().as_secs_f64() / soft.as_secs_f64().max(f64::MIN_POSITIVE))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn node_limit(&self) -> Option<u64> {
        self.node_limit
    }

    fn note(&mut self, text: String) {
        self.send(Event::Note(text));
    }

    fn report(&mut self, finding: Finding) {
        let finding = self.judged(finding);
        let exact = finding.bound == Bound::Exact;
        // Several lines are shown together; a bound is of one.
        if is_tellable(&finding) && (exact || self.view.lines == 1) && self.is_news(&finding) {
            self.show(finding.clone());
        }
        if exact {
            self.found = Some(finding);
        }
    }
}
