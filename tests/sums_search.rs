//! B\* and alpha-beta on random sums against trying everything; sums that are the same in other words; the rules of thumb
//! against what theory promises of them.

use regulus::bstar::{Domain, Graph, Policy, Search, Settings, Unwatched, validate};
use regulus::sums::alphabeta::AlphaBeta;
use regulus::sums::bounds::{stop_bounds, stop_bounds_by_definition};
use regulus::sums::component::{Component, Tree};
use regulus::sums::random::{Chance, Shape};
use regulus::sums::report::solve_problem;
use regulus::sums::session::{Limits, Session};
use regulus::sums::strategies::{Guarantee, Rule};
use regulus::sums::{Action, Counting, Dyadic, Scope, Score, Store, Sum, SumDomain, Term};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Everything is tried.
const ALL: Scope = Scope { all_moves: true, apart: false };

/// The score of a sum by trying everything, without bounds; the domain should be within [`ALL`].
fn exhaustive(domain: &mut SumDomain, counting: Counting, table: &mut HashMap<Sum, Score>) -> Score {
    if let Some(&known) = table.get(&domain.sum()) {
        return known;
    }
    let mut successors = Vec::new();
    domain.successors(&mut successors, &mut Unwatched).unwrap();
    let worth = |action| {
        domain.play(action);
        let score = -exhaustive(domain, counting, table);
        domain.undo();
        score
    };
    let best = successors.iter().map(|successor| successor.action).map(worth).max();
    let score = best.unwrap_or_else(|| match counting {
        Counting::Stops => Score::stop(domain.sum().number()),
        Counting::LastMove => Score::decided(domain.sum().number(), false),
    });
    table.insert(domain.sum(), score);
    score
}

/// A component of one of many kinds: hot, cold, a zugzwang, an infinitesimal, a number, with dyadic leaves.
fn any_tree(store: &mut Store, chance: &mut Chance) -> Tree {
    match chance.below(8) {
        0..=2 => Shape { depth: 2, largest: 6 }.component(store, chance).unwrap(),
        3 => Tree::switch(dyadic(chance, 4), dyadic(chance, 4)),
        4 => Tree::Nimber(chance.below(4) as u32),
        5 => Tree::Ups(chance.below(5) as i32 - 2),
        6 => Tree::Number(dyadic(chance, 8)),
        _ => {
            let leaf = |chance: &mut Chance| Tree::Number(dyadic(chance, 2));
            let deep = Tree::Options(vec![leaf(chance)], vec![leaf(chance)]);
            let options = vec![deep, leaf(chance)];
            let other = vec![leaf(chance)];
            if chance.below(2) == 0 { Tree::Options(options, other) } else { Tree::Options(other, options) }
        }
    }
}

/// A multiple of `1 / denominator` up to 2 in size.
fn dyadic(chance: &mut Chance, denominator: i64) -> Dyadic {
    let n = chance.below(4 * denominator as u64 + 1) as i64 - 2 * denominator;
    Dyadic::fraction(n, denominator).unwrap().unwrap()
}

fn any_trees(store: &mut Store, chance: &mut Chance, most: u64) -> Vec<Tree> {
    let count = 2 + chance.below(most - 1);
    (0..count).map(|_| any_tree(store, chance)).collect()
}

fn sum_of(store: &mut Store, trees: &[Tree]) -> Sum {
    let terms: Vec<Term> = trees.iter().map(|tree| tree.value(store).unwrap()).collect();
    Sum::of(store, terms).unwrap()
}

const COUNTINGS: [Counting; 2] = [Counting::Stops, Counting::LastMove];

#[test]
fn every_policy_finds_a_best_move() {
    let (mut store, mut chance) = (Store::default(), Chance::new(11));
    for round in 0..600 {
        let trees = any_trees(&mut store, &mut chance, 4);
        let counting = COUNTINGS[round % 2];
        let sum = sum_of(&mut store, &trees);
        let mut table = HashMap::new();
        let mut full = SumDomain::new(&mut store, sum.clone(), counting).within(ALL);
        let value = exhaustive(&mut full, counting, &mut table);
        drop(full);
        let scope = Scope { all_moves: round % 3 == 0, apart: round % 5 == 0 };
        let mut domain = SumDomain::new(&mut store, sum.clone(), counting).within(scope);
        let policy = Policy::NAMED[round % Policy::NAMED.len()];
        let known = domain.estimate().unwrap();
        let mut graph: Graph<Score, Action> = Graph::with_budget(1 << 20);
        let decision =
            Search::new(&mut graph, &mut domain, 0, known, Settings::new(policy)).run(&mut Unwatched);
        assert_eq!(decision.counters.violations, 0, "sound bounds nest: {trees:?}");
        assert!(decision.belief.contains(value), "{trees:?} by {policy}: {:?} and {value}", decision.belief);
        validate(&graph).unwrap();
        drop(domain);
        let mut full = SumDomain::new(&mut store, sum.clone(), counting).within(ALL);
        if let Some(action) = decision.action {
            full.play(action);
            assert_eq!(-exhaustive(&mut full, counting, &mut table), value, "{trees:?} by {policy}");
        } else {
            assert!(sum.is_over());
        }
    }
}

#[test]
fn alpha_beta_finds_the_value_and_a_best_move() {
    let (mut store, mut chance) = (Store::default(), Chance::new(12));
    for round in 0..600 {
        let trees = any_trees(&mut store, &mut chance, 4);
        let counting = COUNTINGS[round % 2];
        let sum = sum_of(&mut store, &trees);
        let mut table = HashMap::new();
        let mut full = SumDomain::new(&mut store, sum.clone(), counting).within(ALL);
        let value = exhaustive(&mut full, counting, &mut table);
        drop(full);
        let mut domain = SumDomain::new(&mut store, sum.clone(), counting);
        let known = domain.estimate().unwrap().belief;
        let found = AlphaBeta::new(&mut domain, 1 << 20).value(known, &mut Unwatched).unwrap();
        assert!(found.is_exact() && found.contains(value), "{trees:?}: {found:?} and {value}");
        // A table that holds nothing must not matter either.
        let moves = AlphaBeta::new(&mut domain, if round % 3 == 0 { 0 } else { 1 << 20 });
        let moves = { moves }.best_move(&mut Unwatched).unwrap();
        if let Some(&(action, bounds)) = moves.first() {
            assert!(bounds.contains(value), "{trees:?}");
            drop(domain);
            let mut full = SumDomain::new(&mut store, sum, counting).within(ALL);
            full.play(action);
            assert_eq!(-exhaustive(&mut full, counting, &mut table), value, "{trees:?}");
        }
    }
}

fn session() -> Session {
    let limits = Limits { time: None, nodes: u64::MAX, bytes: 64 << 20 };
    Session::new(limits, Arc::new(AtomicBool::new(false))).unwrap()
}

/// Bounds and winners of both sides, `exact` asked for.
fn solved(session: &mut Session, trees: &[Tree]) -> [(Score, Option<bool>); 2] {
    let components = trees.iter().cloned().map(Component::Tree).collect();
    let problem = regulus::sums::parse::Problem { line: 1, components, expected: Default::default() };
    let solved = solve_problem(session, &problem, Policy::AR, true);
    solved.verdicts.map(|verdict| {
        assert!(verdict.bounds.is_exact() && verdict.cut.is_none(), "{trees:?}: {verdict:?}");
        (verdict.bounds.lower(), verdict.wins())
    })
}

#[test]
fn solving_agrees_with_the_canonical_form_of_the_whole() {
    let mut session = session();
    let mut chance = Chance::new(13);
    for _ in 0..500 {
        let trees = any_trees(session.store(), &mut chance, 4);
        let [black, white] = solved(&mut session, &trees);
        let store = session.store();
        let whole = Tree::Sum(trees.clone()).value(store).unwrap();
        let stops = store.stops(whole).unwrap();
        let (low, high) = Tree::Sum(trees.clone()).rough_stops().unwrap();
        assert!(low <= stops.right && stops.left <= high, "{trees:?}: {low}..{high}");
        assert_eq!((black.0.stop, -white.0.stop), (stops.left, stops.right), "{trees:?}");
        let wins = (!store.le(whole, Term::ZERO).unwrap(), !store.le(Term::ZERO, whole).unwrap());
        assert_eq!((black.1, white.1), (Some(wins.0), Some(wins.1)), "{trees:?}");
    }
}

#[test]
fn order_and_zero_sums_change_nothing() {
    let mut session = session();
    let mut chance = Chance::new(14);
    for _ in 0..300 {
        let mut trees = any_trees(session.store(), &mut chance, 4);
        let before = solved(&mut session, &trees);
        let sum = sum_of(session.store(), &trees);
        let zero = any_tree(session.store(), &mut chance);
        for extra in [zero.clone(), Tree::Negative(Box::new(zero))] {
            let place = chance.below(trees.len() as u64 + 1) as usize;
            trees.insert(place, extra);
        }
        trees.rotate_left(1);
        assert_eq!(
            sum_of(session.store(), &trees),
            sum,
            "the normal form does not see the difference: {trees:?}"
        );
        assert_eq!(sum_of(session.store(), &trees).key(), sum.key());
        assert_eq!(solved(&mut session, &trees), before, "{trees:?}");
        // The sides exchanged.
        let turned: Vec<Tree> = trees.iter().map(|tree| Tree::Negative(Box::new(tree.clone()))).collect();
        let [black, white] = solved(&mut session, &turned);
        assert_eq!([white, black], before, "{trees:?}");
    }
}

#[test]
fn rules_of_thumb_keep_their_promises() {
    let (mut store, mut chance) = (Store::default(), Chance::new(15));
    for _ in 0..300 {
        let trees = any_trees(&mut store, &mut chance, 4);
        let sum = sum_of(&mut store, &trees);
        let (lower, upper) = stop_bounds(&store, &sum).unwrap();
        assert_eq!((lower, upper), stop_bounds_by_definition(&store, &sum).unwrap(), "{trees:?}");
        for rule in Rule::ALL {
            let sure = Guarantee::new(rule, u64::MAX).of(&mut store, &sum).unwrap().unwrap();
            assert!(sure <= upper, "{rule} on {trees:?}");
            if rule == Rule::Thermostrat {
                assert!(sure >= lower, "thermostrat is sure of its bound on {trees:?}: {sure} and {lower}");
            }
        }
    }
}

#[test]
fn limits_leave_a_sound_interval() {
    let mut chance = Chance::new(16);
    for round in 0..40 {
        let mut full = session();
        let trees: Vec<Tree> = (0..5)
            .map(|_| Shape { depth: 2, largest: 9 }.component(full.store(), &mut chance).unwrap())
            .collect();
        let exact = solved(&mut full, &trees);
        let limits = Limits { time: None, nodes: round % 5, bytes: 64 << 20 };
        let mut cut = Session::new(limits, Arc::new(AtomicBool::new(false))).unwrap();
        let components = trees.iter().cloned().map(Component::Tree).collect();
        let problem = regulus::sums::parse::Problem { line: 1, components, expected: Default::default() };
        let found = solve_problem(&mut cut, &problem, Policy::AR, true);
        for (verdict, (value, _)) in found.verdicts.iter().zip(exact) {
            assert!(verdict.bounds.contains(value), "{trees:?}: {verdict:?} and {value}");
            assert!(verdict.expansions <= round % 5);
        }
    }
}

#[test]
fn numbers_that_do_not_fit_are_an_error() {
    let large = Tree::Number(Dyadic::integer((1 << 62) - 1).unwrap());
    let mut store = Store::default();
    let sum = Tree::Sum(vec![large.clone(), large.clone()]);
    assert!(sum.value(&mut store).is_err());
    let hot = Tree::Options(vec![large.clone()], vec![Tree::Negative(Box::new(large.clone()))]);
    let components = vec![Component::Tree(hot), Component::Tree(large)];
    let problem = regulus::sums::parse::Problem { line: 1, components, expected: Default::default() };
    let found = solve_problem(&mut session(), &problem, Policy::AR, true);
    for verdict in &found.verdicts {
        assert!(verdict.cut.is_some() || verdict.wins().is_some());
        assert!(!verdict.bounds.is_exact(), "{verdict:?}");
    }
}
