//! The search thread: takes commands in their order, owns the game, the options and the search, and answers
//! each `Go` with exactly one best move, whatever happens in between.

use super::clock::{Budget, Pace, allot};
use super::inbox::{Inbox, Link, Signal};
use super::journal::Journal;
use super::lag::Lag;
use super::options::{Change, Options, Press};
use super::perft;
use super::protocol::{Bound, Command, Event, Limits, MoveView, Setup, Task};
use super::searcher::{Finding, Request, Searcher, Watch};
use super::session::Session;
use super::setup::{View, choose_root_moves, draw, draw_worth, read_setup, write_interval, write_score};
use super::strength::Strength;
use super::words_of;
use crate::bstar::{Interrupted, Monitor};
use crate::chess::eval::network::NetworkLine;
use crate::chess::fen::write_move;
use crate::chess::{Position, Score};
use crossbeam_channel::{Receiver, Sender};
use std::borrow::Cow;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// A clock move without a choice is given this part of its soft budget: enough for a line to ponder on.
const FORCED_MOVE_SHARE: u32 = 16;

/// Where the network goes when no file was named.
const EXPORTED: &str = "regulus.net";

/// Makes a fresh search.
pub type MakeSearcher = Box<dyn Fn() -> Box<dyn Searcher> + Send>;

/// The search thread's state.
pub struct Worker {
    link: Link,
    options: Options,
    position: Position,
    make_searcher: MakeSearcher,
    searcher: Box<dyn Searcher>,
    /// The root moves as the last search left them, and the key of its position.
    latest: Option<(u64, Vec<MoveView>)>,
    lag: Lag,
}

impl Worker {
    /// A worker at the start position. Nothing large is allocated yet.
    pub fn new(
        commands: Receiver<Command>,
        events: Sender<Event>,
        unanswered: Arc<AtomicUsize>,
        journal: Journal,
        make_searcher: MakeSearcher,
    ) -> Self {
        let searcher = make_searcher();
        Self {
            link: Link { inbox: Inbox::new(commands), events, unanswered, answered: true, debug: false },
            options: Options { journal, ..Options::default() },
            position: Position::startpos(),
            make_searcher,
            searcher,
            latest: None,
            lag: Lag::default(),
        }
    }

    /// Obeys commands until `Quit` or the end of input.
    pub fn run(mut self) {
        loop {
            let command = self.link.inbox.next();
            log::debug!("command {command:?}");
            match command {
                Command::Quit | Command::EndOfInput => return,
                Command::Go { limits, received } => self.answer(&limits, received),
                other => self.shielded(|worker| worker.obey(other)),
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Ready => {
                // Whoever asked waits for the answer, whatever happens here.
                self.shielded(Self::prepare);
                self.link.send(Event::Ready);
            }
            Command::Position(setup) => self.set_up(&setup),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.searcher.clear(),
            Command::Debug(on) => self.link.debug = on,
            Command::Show => self.tell(draw(&self.position, self.options.rules())),
            Command::Moves => self.show_moves(),
            Command::Evaluate => self.evaluate(),
            Command::ExportNetwork(file) => self.export_network(file.as_deref()),
            Command::Perft(depth) => self.perft(depth),
            Command::Task(task) => self.perform(task),
            // Without a search in progress there is nothing to end; `run` has taken the others.
            Command::Stop | Command::PonderHit | Command::Go { .. } | Command::Quit | Command::EndOfInput => {
            }
        }
    }

    /// Runs `work`. A panic in it is told to the user, the search is replaced by a fresh one, and the next
    /// command is obeyed.
    fn shielded(&mut self, work: impl FnOnce(&mut Self)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(self))) {
            self.link.note(format!("internal error: {}; what was learned is forgotten", words_of(&*panic)));
            self.searcher = (self.make_searcher)();
        }
    }

    fn tell(&mut self, text: String) {
        self.link.send(Event::Text(text));
    }

    fn prepare(&mut self) {
        if let Err(reason) = self.searcher.prepare(&self.options) {
            self.link.note(reason);
        }
    }

    fn set_up(&mut self, setup: &Setup) {
        match read_setup(setup, self.options.rules()) {
            Ok((position, notes)) => {
                self.position = position;
                notes.into_iter().for_each(|note| {
                    self.link.note(note);
                });
            }
            Err(reason) => {
                self.link.note(format!("position refused: {reason}; the one before stays"));
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(Change::Value) => {
                // Those of the endgame tables, when they were set just now.
                std::mem::take(&mut self.options.tablebase_notes).into_iter().for_each(|note| {
                    self.link.note(note);
                });
            }
            Ok(Change::Pressed(Press::ClearHash)) => self.searcher.clear(),
            Err(refusal) => {
                self.link.note(refusal.to_string());
            }
        }
    }

    /// What the last search of the current position found of its moves.
    fn show_moves(&mut self) {
        let key = self.position.key();
        let moves = self.latest.as_ref().filter(|(of, _)| *of == key).map(|(_, moves)| moves.clone());
        self.link.send(Event::Moves(moves.unwrap_or_default()));
    }

    fn evaluate(&mut self) {
        self.prepare();
        let ply = self.position.game_ply();
        let evaluation = self.searcher.evaluate(&self.position, &self.options);
        let network = &self.options.network;
        let mut line = NetworkLine::new(Arc::clone(network), self.position.board());
        self.link.send(Event::Evaluation {
            board: draw_worth(&self.position, network),
            chances: line.win_draw_loss(self.position.board()),
            forecast: line.forecast(self.position.board()),
            statically: write_score(evaluation.statically, ply),
            probed: write_score(evaluation.probed, ply),
            interval: write_interval(evaluation.interval, ply),
        });
    }

    fn export_network(&mut self, file: Option<&str>) {
        let network = &self.options.network;
        let file = file.unwrap_or(EXPORTED);
        let told = match fs::write(file, network.bytes()) {
            Ok(()) => format!("wrote {file}: {}", network.description()),
            Err(error) => format!("cannot write {file}: {error}"),
        };
        self.link.note(told);
    }

    fn perft(&mut self, depth: u32) {
        let (board, rules) = (self.position.board().clone(), self.options.rules());
        let mut lines = String::new();
        let counted = perft::divide(&board, depth, &mut Interruptible::new(&mut self.link));
        match counted {
            Ok(parts) => {
                for (mv, leaves) in &parts {
                    lines += &format!("{}: {leaves}\n", write_move(&board, *mv, rules));
                }
                let total: u64 = if depth == 0 { 1 } else { parts.iter().map(|part| part.1).sum() };
                self.tell(format!("{lines}\nNodes searched: {total}"));
            }
            Err(Interrupted) => {
                self.link.note("perft stopped");
            }
        }
    }

    fn perform(&mut self, Task(work): Task) {
        let events = self.link.events.clone();
        let mut out = |line: String| {
            // A front end that is gone wants no lines.
            let _ = events.send(Event::Text(line));
        };
        work(&mut Interruptible::new(&mut self.link), &mut out);
    }

    /// One answer, come what may.
    fn answer(&mut self, limits: &Limits, received: Instant) {
        self.link.answered = false;
        self.shielded(|worker| worker.go(limits, received));
        if !self.link.answered {
            let first = self.position.legal_moves().first().copied();
            let text = first.map(|mv| write_move(self.position.board(), mv, self.options.rules()));
            self.link.send(Event::BestMove { best: text, ponder: None });
        }
    }

    /// Searches and answers.
    fn go(&mut self, limits: &Limits, received: Instant) {
        self.shielded(Self::prepare);
        let rules = self.options.rules();
        let (root_moves, passed_over) = choose_root_moves(&self.position, &limits.search_moves);
        if !passed_over.is_empty() {
            self.link.note(format!("searchmoves: not legal here: {}", passed_over.join(" ")));
        }
        let hits = self.options.tablebases.tables.hits();
        // Who asks for several lines wants moves that lose as well.
        let one_line = self.options.multi_pv == 1;
        let root = as_played(&self.position);
        let ruling = one_line.then(|| self.options.tablebases.rule(&root, &root_moves)).flatten();
        let root_moves = ruling.as_ref().map_or(root_moves, |ruling| ruling.moves.clone());
        let decided = ruling.as_ref().filter(|ruling| ruling.sign != 0 && ruling.by_distance);
        self.lag.hear(&self.position, limits, self.options.move_overhead);
        // What the tables have decided is played fast.
        let budget = self.budget(limits, if decided.is_some() { 1 } else { root_moves.len() });
        if self.link.debug {
            let lag = self.lag.expected(self.options.move_overhead);
            self.link.note(format!("budget {budget:?}, lag {lag:?}, {} root moves", root_moves.len()));
        }
        let view = View {
            rules,
            chances: self.options.show_wdl,
            lines: self.options.multi_pv,
            moves: self.options.live_stats,
        };
        let mut session = Session::new(&mut self.link, &self.position, view, limits, budget, received);
        session.consult(&self.options.tablebases.tables, hits, ruling.as_ref().map(|ruling| ruling.sign));
        let Some(&first) = root_moves.first() else {
            let in_check = !self.position.board().checkers().is_empty();
            let mated = Score::mated_at(self.position.game_ply());
            session.answer_terminal(if in_check { mated } else { Score::DRAW });
            return;
        };
        let strength = Strength::asked(&self.options, limits);
        if let Some(strength) = strength {
            session.note(strength.to_string());
            session.weaken(strength.nodes);
        }
        // Who chooses among all moves wants the value of each.
        let least = strength.filter(|strength| strength.margin > 0).map_or(1, |_| root_moves.len());
        let request = Request {
            position: &root,
            root_moves: &root_moves,
            depth: limits.depth.map(|plies| u32::try_from(plies.max(1)).unwrap_or(u32::MAX)),
            lines: self.options.multi_pv.max(least).min(root_moves.len()),
            contempt: if self.options.analyse_mode || limits.infinite {
                0
            } else {
                i32::try_from(self.options.contempt).unwrap_or(0)
            },
            strength,
            options: &self.options,
            ask_tablebases: ruling.as_ref().is_none_or(|ruling| ruling.sign > 0 && !ruling.by_distance),
        };
        let searcher = &mut self.searcher;
        let outcome = catch_unwind(AssertUnwindSafe(|| searcher.search(&request, &mut session)));
        if let Err(panic) = &outcome {
            session
                .note(format!("internal error: {}; the answer is what was found before", words_of(&**panic)));
            self.searcher = (self.make_searcher)();
        }
        let usable = |finding: &Finding| {
            finding.bound == Bound::Exact && finding.line.first().is_some_and(|mv| root_moves.contains(mv))
        };
        let earlier = session.take_found();
        let finding = outcome
            .ok()
            .flatten()
            .filter(usable)
            .or_else(|| earlier.filter(usable))
            // A legal move, honestly without a value.
            .unwrap_or_else(|| Finding::of_one_move(Score::DRAW, vec![first]));
        let finding = match strength {
            Some(strength) => strength.choose(finding, &root),
            None => finding,
        };
        session.await_permission();
        self.options.tablebases.tables.take_faults().into_iter().for_each(|fault| session.note(fault));
        let chosen = finding.line.first().copied();
        self.latest = Some((self.position.key(), session.answer(finding)));
        let had = session.clock_time();
        self.lag.answer(&self.position, chosen, limits, had);
    }

    fn budget(&self, limits: &Limits, choices: usize) -> Budget {
        let overhead = self.options.move_overhead;
        let pace = Pace { overhead, lag: self.lag.expected(overhead), ponder: self.options.ponder };
        self.options.dials.install();
        let mut budget = allot(limits, self.position.board().side_to_move().into(), pace);
        if self.options.analyse_mode {
            // The time is used up whole.
            return Budget { soft: None, hard: budget.soft.or(budget.hard) };
        }
        if choices == 1 {
            budget.soft = budget.soft.map(|soft| soft / FORCED_MOVE_SHARE);
        }
        budget
    }
}

/// The root as the search is to see it. At a fifty-move clock that has run out nobody has claimed the draw, so
/// the game goes on as if by other rules: to the search, for which all moves would be equal draws, the clock
/// starts anew.
fn as_played(position: &Position) -> Cow<'_, Position> {
    if position.board().halfmove_clock() < 100 {
        Cow::Borrowed(position)
    } else {
        Cow::Owned(position.with_clock_restarted())
    }
}

/// Ends long work that is no search when the front end wants something else.
struct Interruptible<'a> {
    link: &'a mut Link,
    stopped: bool,
}

impl<'a> Interruptible<'a> {
    fn new(link: &'a mut Link) -> Self {
        Self { link, stopped: false }
    }
}

impl Monitor for Interruptible<'_> {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        while !self.stopped {
            match self.link.inbox.poll() {
                None => break,
                Some(Signal::Stop) => self.stopped = true,
                Some(Signal::Ready) => self.link.inbox.postpone(Command::Ready),
                Some(Signal::Moves) => self.link.inbox.postpone(Command::Moves),
                Some(Signal::Debug(on)) => self.link.debug = on,
                // It ends by itself.
                Some(Signal::EndOfInput | Signal::PonderHit) => {}
            }
        }
        if self.stopped { Err(Interrupted) } else { Ok(()) }
    }
}
