//! The settled policies against plain depth-limited minimax.

mod collapse;
mod layers;

use super::root::{Overseer, Progress, Verdict};
use super::*;
use crate::bstar::test_value::Points;
use crate::bstar::{Interrupted, Monitor, Termination, Unwatched, Value};
use layers::{Layers, graph_for};

/// Every deepening of several hundred games has plain minimax's value and a move that earns it.
#[test]
fn a_settled_root_has_the_depth_limited_minimax_value() {
    for seed in 0..400 {
        let mut domain = Layers { anew: seed % 3 == 0, ..Layers::new(seed) };
        let (mut graph, root) = graph_for(&domain);
        let mut path = domain.path.clone();
        let plain: Vec<i32> = (0..=6).map(|effort| domain.plain(&mut path, effort)).collect();
        let by_move: Vec<Vec<i32>> = (0..=5)
            .map(|effort| {
                (0..domain.moves)
                    .map(|action| {
                        path.push(domain.child(path[0], action));
                        let value = -domain.plain(&mut path, effort);
                        path.pop();
                        value
                    })
                    .collect()
            })
            .collect();
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=6 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (action, estimate) = search.incumbent.unwrap();
            assert_eq!(
                estimate.searched,
                Interval::exact(Points(plain[usize::from(effort)])),
                "seed {seed} effort {effort}"
            );
            assert_eq!(by_move[usize::from(effort) - 1][action as usize], plain[usize::from(effort)]);
        }
    }
}

/// Whenever and wherever another worker answers a question first, the root's value is the same, and the cursor where it was.
#[test]
fn what_another_worker_answers_changes_no_value() {
    let mut reliefs = 0;
    for seed in 9_000..9_300 {
        let mut domain = Layers { anew: seed % 3 == 0, ..Layers::new(seed) };
        domain.other.every = Some(2 + seed % 7);
        let home = domain.path.clone();
        let (mut graph, root) = graph_for(&domain);
        let plain: Vec<i32> = (0..=6).map(|effort| domain.plain(&mut home.clone(), effort)).collect();
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=6 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (_, estimate) = search.incumbent.unwrap();
            let plain = Points(plain[usize::from(effort)]);
            assert_eq!(estimate.searched, Interval::exact(plain), "seed {seed} effort {effort}");
            assert_eq!(search.path, [root]);
        }
        reliefs += domain.other.reliefs;
        assert_eq!(domain.path, home, "the cursor is back at the root");
    }
    assert!(reliefs > 1_000, "{reliefs}");
}

/// Below the root a first reply that stands alone keeps its parent's effort, and no line gets more than twice the root's.
#[test]
fn a_reply_that_stands_alone_is_looked_at_more_deeply() {
    for seed in 2_000..2_040 {
        let deepest = |singular: bool| {
            let mut domain = Layers { singular, length: 30, grow_from: 2, ..Layers::new(seed) };
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            (1..=4).for_each(|effort| search.deepen(Effort::of(effort), &mut Unwatched).unwrap());
            domain.deepest
        };
        assert_eq!(deepest(false), 4);
        assert!((5..=8).contains(&deepest(true)), "seed {seed}: {}", deepest(true));
    }
}

/// Counts the work.
struct Counter(u64);

impl Monitor for Counter {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 += units;
        Ok(())
    }
}

/// What was settled with the same effort costs nothing a second time, unless the principal line is asked anew: then its leaf is, and
/// what follows from that. A solved leaf is not.
#[test]
fn the_principal_line_is_asked_anew_where_the_domain_wants_it() {
    for seed in 8_000..8_040 {
        let again = |anew: bool, length: u16| {
            let mut domain = Layers { anew, length, grow_from: 2, grow_all: true, ..Layers::new(seed) };
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            (1..=5).for_each(|effort| search.deepen(Effort::of(effort), &mut Unwatched).unwrap());
            let before = search.incumbent;
            let mut counter = Counter(0);
            search.deepen(Effort::of(5), &mut counter).unwrap();
            assert_eq!(search.incumbent, before, "seed {seed}");
            counter.0
        };
        assert_eq!(again(false, 9), 0, "seed {seed}");
        assert_eq!(again(true, 9), 1, "seed {seed}");
        assert_eq!(again(true, 3), 0, "seed {seed}");
    }
}

/// What "settled" means, looked at from outside after every deepening: no rival's stored bound is above the incumbent's
/// exact value, at the effort that the rival owes, and the incumbent itself has the whole effort.
#[test]
fn no_root_acts_on_unsettled_rivals() {
    for seed in 1_000..1_300 {
        let mut domain = Layers::new(seed);
        domain.reduced = true;
        let (mut graph, root) = graph_for(&domain);
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=7 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (best, estimate) = search.incumbent.unwrap();
            assert!(estimate.searched.is_exact() && estimate.effort() >= Effort::of(effort - 1));
            for edge in search.graph.edges(root).to_vec() {
                let rival = -search.graph.estimate(edge.child);
                let owed = Effort::of(effort - 1).less((search.domain.moves / 2) as u16);
                assert!(rival.upper_effort >= owed || rival.is_solved(), "seed {seed}");
                assert!(
                    rival.searched.upper() <= estimate.searched.lower(),
                    "seed {seed} {:?} {best}",
                    edge.action
                );
            }
        }
    }
}

/// The first repetition can come at ply 2; to there the root's value is that of minimax over paths. Deeper, a stored answer is
/// reused whatever path led to it, so only the second half holds: no stored answer is a draw by history. Nor do such draws keep much
/// from being stored (with any below a node they did: 72 answers here, in place of 207), and few of the answers would be others
/// without the draws beside them (34; with everything stored 197 of 339).
#[test]
fn draws_by_history_stay_on_their_path() {
    let (mut answers, mut strays) = (0, 0);
    for seed in 2_000..2_300 {
        let mut domain = Layers::new(seed);
        (domain.repetitions, domain.states, domain.grow_from, domain.grow_all) = (true, 7, 1, true);
        domain.path[0] %= domain.states;
        let (mut graph, root) = graph_for(&domain);
        let mut path = domain.path.clone();
        let plain: Vec<i32> = (0..=2).map(|effort| domain.plain(&mut path, effort)).collect();
        let free = Layers { repetitions: false, path: path.clone(), ..Layers::new(seed) };
        let free = Layers { states: 7, ..free };
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=5 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            if let Some(&plain) = plain.get(usize::from(effort)) {
                let (_, estimate) = search.incumbent.unwrap();
                assert_eq!(estimate.searched, Interval::exact(Points(plain)), "seed {seed} effort {effort}");
            }
        }
        // A draw that only some paths have is no answer that the root's children have stored.
        for edge in search.graph.edges(root).to_vec() {
            let stored = search.graph.estimate(edge.child);
            if stored.searched.is_exact() && stored.effort() == Effort::of(4) && !stored.is_solved() {
                let mut path = vec![path[0], free.child(path[0], edge.action)];
                let plain = free.plain(&mut path, 4);
                let value = stored.searched.lower().0;
                assert!(value != 0 || plain == 0, "seed {seed}: {plain}");
                (answers, strays) = (answers + 1, strays + u32::from(value != plain));
            }
        }
    }
    assert!(answers > 150 && 5 * strays < answers, "{strays} of {answers}");
}

/// Stops when so much work is done.
struct Stopper(u64);

impl Monitor for Stopper {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(units);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

#[test]
fn an_interruption_leaves_the_last_settled_incumbent() {
    for seed in 3_000..3_040 {
        for budget in [1, 2, 5, 11, 30, 80, 200] {
            let mut domain = Layers::new(seed);
            let home = domain.path.clone();
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let mut stopper = Stopper(budget);
            let mut settled = 0;
            while search.deepen(Effort::of(settled + 1), &mut stopper).is_ok() && settled < 6 {
                settled += 1;
            }
            if settled > 0 {
                let (_, estimate) = search.incumbent.unwrap();
                // Exact, or proved to be above the last exact one when the window was left upwards.
                assert!(estimate.searched.lower() > Points::MIN, "seed {seed} budget {budget}");
                assert!(estimate.lower_effort >= Effort::of(settled - 1));
            }
            assert_eq!(search.path, [root]);
            assert_eq!(domain.path, home, "the cursor is back at the root");
        }
    }
}

/// A deepening that is cut off while a rival is asked for its value ends with that rival: it has proved to be better than the move that
/// was the best so far, which is as deep by then.
#[test]
fn a_rival_that_is_proved_better_is_the_choice_before_its_value_is_known() {
    let mut put_forward = 0;
    for seed in 7_000..7_100 {
        for budget in 1..150 {
            let mut domain = Layers::new(seed);
            let (mut graph, root) = graph_for(&domain);
            let mut path = domain.path.clone();
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let (mut stopper, mut effort, mut last) = (Stopper(budget), 1, None);
            while effort < 7 && search.deepen(Effort::of(effort), &mut stopper).is_ok() {
                (effort, last) = (effort + 1, search.incumbent);
            }
            let (Some((before, then)), Some((action, estimate))) = (last, search.incumbent) else { continue };
            let mut plain = |action| {
                path.push(search.domain.child(path[0], action));
                let value = -search.domain.plain(&mut path, effort - 1);
                path.pop();
                value
            };
            let above_window = estimate.searched.lower() >= Points(then.expected().0 + 10);
            if effort == 7 || estimate.searched.is_exact() || above_window || action == before {
                continue;
            }
            assert!(plain(action) >= estimate.searched.lower().0, "seed {seed} budget {budget}");
            assert!(plain(action) > plain(before), "seed {seed} budget {budget}");
            put_forward += 1;
        }
    }
    assert!(put_forward > 50, "{put_forward}");
}

/// Accepts every separation, and ends the search at the one with this number.
struct Patience {
    spent: u64,
    separations: u32,
    told: Vec<(Effort, bool)>,
}

impl Monitor for Patience {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.spent += units;
        Ok(())
    }
}

impl<A, V: Value> Overseer<A, V> for Patience {
    fn progress(&mut self, progress: &Progress<A, V>) -> Verdict {
        self.told.push((progress.effort, progress.separated));
        if progress.separated && progress.widenings >= self.separations {
            Verdict::Finish
        } else {
            Verdict::Continue
        }
    }
    fn wants_separation(&self) -> bool {
        true
    }
}

#[test]
fn separation_ends_a_search_and_widening_goes_on() {
    let mut later = 0;
    for seed in 4_000..4_100 {
        let ends = [0, 3].map(|separations| {
            let mut domain = Layers::new(seed);
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let mut overseer = Patience { spent: 0, separations, told: vec![] };
            let outcome = search.run(Effort::of(9), &mut overseer);
            assert!(outcome.action.is_some());
            if outcome.termination == Termination::Separated {
                assert!(overseer.told.last().unwrap().1);
            }
            overseer.spent
        });
        assert!(ends[0] <= ends[1], "seed {seed}: impatience costs no work");
        later += u32::from(ends[0] < ends[1]);
    }
    assert!(later > 10, "widening prolonged only {later} searches");
}

#[test]
fn only_allowed_root_moves_are_chosen() {
    for seed in 5_000..5_050 {
        let mut domain = Layers::new(seed);
        let (mut graph, root) = graph_for(&domain);
        let allowed = vec![domain.moves - 1];
        let mut search = Settled::new(&mut domain, &mut graph, root, allowed.clone());
        let mut overseer = Patience { spent: 0, separations: 0, told: vec![] };
        let outcome = search.run(Effort::of(3), &mut overseer);
        assert_eq!(outcome.action, Some(allowed[0]));
        assert_eq!(outcome.termination, Termination::OnlyMove);
    }
}

/// Deepens with several lines, cut off by a limit of work.
fn lines_of(game: &mut Layers, effort: u16, lines: usize) -> (Vec<(u64, Points)>, bool) {
    let mut graph = Graph::with_budget(1 << 20);
    let root = graph.re_root(game.key(), 0, Estimate::UNKNOWN);
    let mut search = Settled::new(game, &mut graph, root, Vec::new());
    search.want_lines(lines);
    for effort in 1..=effort {
        search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
    }
    let progress = search.progress(super::root::Phase::ProveBest).unwrap();
    let first = (progress.action, progress.estimate);
    let others = progress.others.iter().map(|other| (other.action, other.estimate));
    let all: Vec<_> = std::iter::once(first).chain(others).collect();
    let exact = all.iter().all(|(_, estimate)| estimate.searched.is_exact());
    (all.into_iter().map(|(action, estimate)| (action, estimate.expected())).collect(), exact)
}

#[test]
fn several_lines_are_the_best_moves_with_their_minimax_values() {
    for seed in 0..60 {
        let mut game = Layers::new(seed);
        let (effort, lines) = (5, 3);
        let mut truth: Vec<(i32, u64)> = (0..game.moves)
            .map(|action| {
                let mut path = game.path.clone();
                path.push(game.child(game.key(), action));
                (-game.plain(&mut path, effort - 1), action)
            })
            .collect();
        truth.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        let (found, exact) = lines_of(&mut game, effort, lines);
        assert!(exact, "seed {seed}");
        assert_eq!(found.len(), lines.min(truth.len()), "seed {seed}");
        let values = |line: &[(u64, Points)]| line.iter().map(|(_, value)| value.0).collect::<Vec<_>>();
        let best: Vec<i32> = truth.iter().take(found.len()).map(|(value, _)| *value).collect();
        assert_eq!(values(&found), best, "seed {seed}");
        for (action, value) in &found {
            assert!(truth.contains(&(value.0, *action)), "seed {seed}: {action} is not worth {value:?}");
        }
        let mut actions: Vec<_> = found.iter().map(|(action, _)| *action).collect();
        actions.sort_unstable();
        actions.dedup();
        assert_eq!(actions.len(), found.len(), "seed {seed}: a move has two lines");
    }
}
