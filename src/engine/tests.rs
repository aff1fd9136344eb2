//! The worker with searches that do what a test wants. Time-outs are generous: they only turn a hang into a
//! failure.

use super::Engine;
use super::options::Options;
use super::protocol::{Command, Event, Limits, Report, Setup, Task, Value};
use super::searcher::{Evaluation, Finding, Request, Searcher, Watch};
use crate::bstar::Interval;
use crate::chess::{Position, Score};
use crossbeam_channel::Receiver;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// How the search behaves.
#[derive(Clone, Copy)]
enum Manner {
    /// Returns as soon as it has found a move.
    Instant,
    /// Goes on until it is interrupted.
    Endless,
    /// Panics.
    Poisoned,
    /// Finds a move that is not legal.
    Confused,
    /// Finds a mate in so many moves.
    Mating(usize),
    /// Reports so many depths as fast as it can.
    Talkative(u32),
    /// Goes on until it is interrupted, with a note each time that it may.
    Telling,
}

struct Fake(Manner);

impl Searcher for Fake {
    fn prepare(&mut self, _options: &Options) -> Result<(), String> {
        Ok(())
    }

    fn clear(&mut self) {}

    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
        let finding = Finding::of_one_move(Score::centipawns(17), request.root_moves[..1].to_vec());
        match self.0 {
            Manner::Instant => Some(finding),
            Manner::Poisoned => panic!("a test's poison"),
            Manner::Confused => Some(Finding { line: vec!["a1a1".parse().unwrap()], ..finding }),
            Manner::Talkative(depths) => {
                for depth in 1..=depths {
                    watch.report(Finding { depth, selective_depth: depth, ..finding.clone() });
                }
                Some(Finding { depth: depths, selective_depth: depths, ..finding })
            }
            Manner::Telling => {
                watch.report(finding.clone());
                while watch.work(1).is_ok() {
                    watch.note("goes on".to_owned());
                    std::thread::yield_now();
                }
                Some(finding)
            }
            Manner::Mating(moves) => {
                let score = Score::mate_at(request.position.game_ply() + 2 * moves - 1);
                watch.report(Finding { score, ..finding.clone() });
                until_interrupted(watch);
                Some(Finding { score, ..finding })
            }
            Manner::Endless => {
                watch.report(finding.clone());
                until_interrupted(watch);
                Some(finding)
            }
        }
    }

    fn evaluate(&mut self, _position: &Position, _options: &Options) -> Evaluation {
        Evaluation { statically: Score::DRAW, probed: Score::DRAW, interval: Interval::exact(Score::DRAW) }
    }
}

fn until_interrupted(watch: &mut dyn Watch) {
    while watch.work(100).is_ok() && watch.spent().is_none_or(|spent| spent < 1.0) {
        std::thread::yield_now();
    }
}

fn engine(manner: Manner) -> (Engine, Receiver<Event>) {
    Engine::start(move || Box::new(Fake(manner))).unwrap()
}

fn position(fen: &str) -> Command {
    Command::Position(Setup { fen: Some(fen.to_owned()), moves: Vec::new() })
}

fn moves(line: &str) -> Command {
    Command::Position(Setup { fen: None, moves: line.split_whitespace().map(str::to_owned).collect() })
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn next(events: &Receiver<Event>) -> Event {
    events.recv_timeout(PATIENCE).expect("an event")
}

/// The next best move, and the last report before it.
fn best(events: &Receiver<Event>) -> (Option<String>, Option<Report>) {
    let mut last = None;
    loop {
        match next(events) {
            Event::BestMove { best, .. } => return (best, last),
            Event::Info(report) => last = Some(report),
            _ => {}
        }
    }
}

/// Nothing but infos has come, and by asking for readiness through the whole engine nothing will.
fn assert_silent(engine: &Engine, events: &Receiver<Event>) {
    assert!(engine.send(Command::Ready));
    loop {
        match next(events) {
            Event::Ready => return,
            Event::BestMove { .. } => panic!("an answer before it was allowed"),
            _ => {}
        }
    }
}

/// Ends the engine and returns how many answers came after `events` was last read.
fn answers_until_end(engine: Engine, events: &Receiver<Event>, end: Command) -> usize {
    engine.send(end);
    engine.join();
    events.try_iter().filter(|event| matches!(event, Event::BestMove { .. })).count()
}

#[test]
fn the_line_before_the_answer_begins_with_it() {
    let (engine, events) = engine(Manner::Instant);
    engine.go(Limits::default());
    let (best, report) = best(&events);
    let report = report.unwrap();
    assert_eq!(report.line.first(), best.as_ref());
    assert_eq!(report.value, Value::Centipawns(17));
    assert_eq!(answers_until_end(engine, &events, Command::Quit), 0);
}

#[test]
fn a_finished_search_keeps_silent_until_it_may_speak() {
    for (limits, release) in [
        (infinite(), Command::Stop),
        (Limits { ponder: true, ..Limits::default() }, Command::Stop),
        (Limits { ponder: true, white_time: Some(51_942), ..Limits::default() }, Command::PonderHit),
        (Limits { infinite: true, depth: Some(3), ..Limits::default() }, Command::Stop),
    ] {
        let (engine, events) = engine(Manner::Instant);
        engine.go(limits);
        assert_silent(&engine, &events);
        engine.send(release);
        assert!(best(&events).0.is_some());
        assert_eq!(answers_until_end(engine, &events, Command::EndOfInput), 0);
    }
}

#[test]
fn a_ponder_hit_does_not_end_an_infinite_search() {
    let (engine, events) = engine(Manner::Endless);
    engine.go(infinite());
    engine.send(Command::PonderHit);
    assert_silent(&engine, &events);
    engine.send(Command::Stop);
    best(&events);
}

#[test]
fn a_ponder_hit_puts_the_search_on_the_clock() {
    let (engine, events) = engine(Manner::Endless);
    engine.go(Limits { ponder: true, move_time: Some(30), ..Limits::default() });
    assert_silent(&engine, &events);
    engine.send(Command::PonderHit);
    best(&events);
    assert_eq!(answers_until_end(engine, &events, Command::EndOfInput), 0);
}

#[test]
fn a_stop_without_a_search_is_not_kept_for_the_next() {
    let (engine, events) = engine(Manner::Endless);
    engine.send(Command::Stop);
    engine.go(infinite());
    assert_silent(&engine, &events);
    engine.send(Command::Stop);
    engine.send(Command::Stop);
    best(&events);
    engine.go(infinite());
    assert_silent(&engine, &events);
    assert_eq!(answers_until_end(engine, &events, Command::Quit), 1);
}

#[test]
fn a_go_ends_the_search_before_it_and_takes_the_position_sent_meanwhile() {
    let (engine, events) = engine(Manner::Endless);
    engine.go(infinite());
    engine.send(moves("d2d4"));
    engine.go(infinite());
    assert!(best(&events).0.is_some());
    engine.send(Command::Stop);
    let (best, report) = best(&events);
    // A move of Black's: the new position was searched.
    assert!(best.as_ref().is_some_and(|text| text.contains(['7', '8'])), "{best:?}");
    assert_eq!(report.unwrap().line.first(), best.as_ref());
}

#[test]
fn a_stop_is_for_the_search_that_it_was_sent_after() {
    let (engine, events) = engine(Manner::Endless);
    for _ in 0..50 {
        engine.go(Limits { ponder: true, ..infinite() });
        engine.send(Command::Stop);
        engine.send(moves("e2e4"));
        engine.go(infinite());
        engine.send(Command::Stop);
    }
    for _ in 0..100 {
        best(&events);
    }
    assert_eq!(answers_until_end(engine, &events, Command::EndOfInput), 0);
}

/// Work between two searches, here a task, does not take what is meant for the second.
#[test]
fn what_stands_between_two_searches_takes_nothing_from_the_second() {
    for end in [Command::Stop, Command::EndOfInput, Command::Quit] {
        let (engine, events) = engine(Manner::Endless);
        engine.go(infinite());
        engine.send(Command::Task(Task(Box::new(|monitor, _| {
            (0..1_000).any(|_| {
                std::thread::yield_now();
                monitor.work(1).is_err()
            });
        }))));
        engine.go(infinite());
        engine.send(end);
        best(&events);
        best(&events);
        assert_eq!(answers_until_end(engine, &events, Command::Quit), 0);
    }
}

#[test]
fn the_front_end_says_ready_at_once_while_a_search_runs() {
    let (engine, events) = engine(Manner::Endless);
    engine.go(infinite());
    assert!(engine.is_searching());
    engine.ask_ready();
    while next(&events) != Event::Ready {}
    engine.send(Command::Stop);
    best(&events);
}

#[test]
fn the_end_of_input_finishes_what_ends_by_itself_and_nothing_else() {
    for limits in [infinite(), Limits { ponder: true, ..Limits::default() }, Limits::default()] {
        let (engine, events) = engine(Manner::Endless);
        engine.go(limits);
        assert_eq!(answers_until_end(engine, &events, Command::EndOfInput), 1);
    }
    let (engine, events) = engine(Manner::Endless);
    engine.go(Limits { nodes: Some(123_456), ..Limits::default() });
    engine.send(Command::EndOfInput);
    let (_, report) = best(&events);
    assert!(report.unwrap().nodes >= 123_456, "all that was asked for is searched");
    engine.join();
}

#[test]
fn a_panic_costs_the_search_and_nothing_more() {
    let (engine, events) = engine(Manner::Poisoned);
    for _ in 0..2 {
        engine.go(Limits { depth: Some(1), ..Limits::default() });
        let mut told = false;
        let answer = loop {
            match next(&events) {
                Event::Note(text) => told |= text.contains("internal error"),
                Event::BestMove { best, .. } => break best,
                _ => {}
            }
        };
        assert!(told && answer.is_some());
    }
    engine.send(Command::Task(Task(Box::new(|_, _| panic!("a test's poison")))));
    engine.send(Command::Ready);
    while next(&events) != Event::Ready {}
}

/// A line may wait in the pipe while the thread sleeps; that time is the engine's all the same.
#[test]
fn the_clock_runs_from_when_the_line_was_read() {
    let (engine, events) = engine(Manner::Endless);
    let limits = Limits { move_time: Some(60_000), ..Limits::default() };
    let received = Instant::now().checked_sub(Duration::from_secs(120)).expect("a time before now");
    engine.send(Command::Go { limits, received });
    assert!(best(&events).1.unwrap().time >= Duration::from_secs(120));
}

/// What the note of a move's budget says that moves lose, up to the number's unit.
fn lag_told(events: &Receiver<Event>) -> String {
    loop {
        if let Event::Note(text) = next(events)
            && let Some((_, told)) = text.split_once("lag ")
        {
            return told.split(',').next().unwrap_or_default().to_owned();
        }
    }
}

#[test]
fn what_the_clock_loses_between_two_moves_of_a_game_is_planned_for() {
    let (engine, events) = engine(Manner::Instant);
    let clock = |time| Limits { white_time: Some(time), white_increment: Some(20), ..Limits::default() };
    engine.send(Command::Debug(true));
    engine.go(clock(60_000));
    assert_eq!(lag_told(&events), "10ms", "the overhead, for nothing is known");
    let first = best(&events).0.unwrap();
    engine.send(moves(&format!("{first} e7e5")));
    engine.go(clock(59_720));
    let told = lag_told(&events);
    // A sixth of the way from 10 to 300, less what the answer took.
    let milliseconds: f64 = told.trim_end_matches("ms").parse().unwrap();
    assert!((15.0..58.5).contains(&milliseconds), "{told}");
    best(&events);
}

#[test]
fn an_illegal_finding_is_never_played() {
    let (engine, events) = engine(Manner::Confused);
    engine.go(Limits::default());
    let (best, _) = best(&events);
    assert_ne!(best.as_deref(), Some("a1a1"));
    assert!(best.is_some());
}

#[test]
fn terminal_roots_have_a_value_and_no_move() {
    let mated = moves("f2f3 e7e5 g2g4 d8h4");
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    for (setup, value) in [(mated, Value::Mate(0)), (stalemate, Value::Centipawns(0))] {
        let (engine, events) = engine(Manner::Poisoned);
        engine.send(setup);
        engine.go(Limits { depth: Some(5), ..Limits::default() });
        let (answer, report) = best(&events);
        assert_eq!((answer, report.map(|report| report.value)), (None, Some(value)));
        for limits in [infinite(), Limits { ponder: true, ..Limits::default() }] {
            engine.go(limits);
            assert_silent(&engine, &events);
            engine.send(Command::Stop);
            assert_eq!(best(&events).0, None);
        }
    }
}

#[test]
fn a_refused_position_leaves_the_one_before() {
    let (engine, events) = engine(Manner::Instant);
    engine.send(position("4k3/8/8/8/8/8/4K3/8 w - - 0 1"));
    engine.send(position("4k3/8/8/8/8/8/8/8 w - - 0 1"));
    engine.send(moves("e2e4 e2e4"));
    engine.go(Limits::default());
    for reason in ["kings", "not legal"] {
        assert!(matches!(next(&events), Event::Note(text) if text.contains(reason)));
    }
    assert!(best(&events).0.unwrap().starts_with("e2"));
}

#[test]
fn search_moves_that_are_none_are_told_and_passed_over() {
    let (engine, events) = engine(Manner::Instant);
    let only = |moves: &[&str]| Limits {
        search_moves: moves.iter().map(|text| (*text).to_owned()).collect(),
        ..Limits::default()
    };
    engine.go(only(&["g1f3"]));
    assert_eq!(best(&events).0.as_deref(), Some("g1f3"));
    engine.go(only(&["e2e5", "d2d4", "d2d4"]));
    assert!(matches!(next(&events), Event::Note(text) if text.contains("e2e5")));
    assert_eq!(best(&events).0.as_deref(), Some("d2d4"));
    engine.go(only(&["0000"]));
    assert!(best(&events).0.is_some());
}

#[test]
fn the_mate_that_was_asked_for_ends_the_search() {
    let (engine, events) = engine(Manner::Mating(3));
    engine.go(Limits { mate: Some(3), ..Limits::default() });
    assert_eq!(best(&events).1.unwrap().value, Value::Mate(3));
    engine.go(Limits { mate: Some(2), ..Limits::default() });
    assert_silent(&engine, &events);
    engine.send(Command::Stop);
    best(&events);
}

#[test]
fn a_task_sees_commands_and_ends_on_stop() {
    let (engine, events) = engine(Manner::Instant);
    engine.send(Command::Task(Task(Box::new(|monitor, out| {
        out("begun".to_owned());
        while monitor.work(1).is_ok() {
            std::thread::yield_now();
        }
        out("ended".to_owned());
    }))));
    assert_eq!(next(&events), Event::Text("begun".to_owned()));
    engine.send(Command::Ready);
    engine.send(Command::Stop);
    assert_eq!(next(&events), Event::Text("ended".to_owned()));
    assert_eq!(next(&events), Event::Ready, "ready means: all that was asked is done");
}

#[test]
fn a_search_does_not_talk_without_end() {
    let (engine, events) = engine(Manner::Talkative(20_000));
    let began = Instant::now();
    engine.go(infinite());
    engine.send(Command::Stop);
    let mut reports = Vec::new();
    loop {
        match next(&events) {
            Event::BestMove { .. } => break,
            Event::Info(report) => reports.push(report),
            _ => {}
        }
    }
    // However slow the machine is: at most 32 lines, one each 20 ms, and the last.
    let allowed = 32 + began.elapsed().as_millis() / 20 + 2;
    assert!((reports.len() as u128) <= allowed, "{} lines, {allowed} allowed", reports.len());
    assert_eq!(reports.first().map(|report| report.depth), Some(1));
    assert_eq!(reports.last().map(|report| report.depth), Some(20_000), "the last depth is always told");
}

#[test]
fn a_time_for_the_move_begins_with_the_ponder_hit() {
    let (engine, events) = engine(Manner::Telling);
    let limits = Limits { ponder: true, move_time: Some(60_000), ..Limits::default() };
    // It has pondered for ten minutes.
    let received = Instant::now().checked_sub(Duration::from_secs(600)).expect("a time before now");
    engine.send(Command::Go { limits, received });
    engine.send(Command::PonderHit);
    // It is obeyed before the next command, and that one is answered while the search tells of work.
    assert_silent(&engine, &events);
    // The minute is not over: the search is not interrupted when it has seen the hit.
    assert_eq!(next(&events), Event::Note("goes on".to_owned()));
    engine.send(Command::Stop);
    best(&events);
}
