//! With valid intervals the move at separation has the minimax value, and the root's belief always holds it:
//! for every policy, on trees and on graphs with shared nodes, with and without transpositions.

use super::game::{Game, Player, Shape};
use regulus::bstar::search::Step;
use regulus::bstar::{Graph, Policy, Search, Settings, Unwatched, validate};

/// Every named policy, and two that follow the pessimistic child at times.
fn policies() -> impl Iterator<Item = Policy> {
    let pessimists = ["AR+P30", "DisproveBest+P50"].into_iter().map(|name| name.parse().unwrap());
    Policy::NAMED.into_iter().chain(pessimists)
}

/// Plays one search to separation. Validates after every `every`-th step.
fn check(game: &Game, seed: u64, policy: Policy, transpositions: bool, every: u64) -> u64 {
    let mut graph = Graph::with_budget(4 << 20);
    let mut player = Player::new(game, transpositions);
    let estimate = player.estimate();
    let settings = Settings { seed, ..Settings::new(policy) };
    let mut search = Search::new(&mut graph, &mut player, 0, estimate, settings);
    let mut steps = 0;
    loop {
        let step = search.step(&mut Unwatched).unwrap();
        let belief = search.belief();
        let context = || format!("game {seed}, {policy}, transpositions {transpositions}, step {steps}");
        assert!(belief.contains(game.truth()), "{}: {belief:?} misses {:?}", context(), game.truth());
        let over = matches!(step, Step::Separated | Step::OnlyMove | Step::NoMove);
        if over || steps % every == 0 {
            validate(search.graph()).unwrap_or_else(|error| panic!("{}: {error}", context()));
        }
        if over {
            break;
        }
        steps += 1;
    }
    let decision = search.decide(regulus::bstar::Termination::Separated);
    assert_eq!(game.worth(decision.action.unwrap()), game.truth(), "game {seed}, {policy}");
    assert_eq!(search.counters().steps() - search.counters().in_vain, steps);
    assert_eq!(player.path, [0], "the cursor is back at the root");
    steps
}

/// Every policy on games `from..to`; each graph is also searched as the tree that it unfolds to. One policy a
/// game is validated after every step, in turn; the others at the end. Returns games and steps.
fn check_all(from: u64, to: u64, shape: &Shape, every: u64) -> (u64, u64) {
    let mut steps = 0;
    for seed in from..to {
        let shape = Shape { facts: seed % 2 == 0, refined: if seed % 4 == 1 { 2 } else { 0 }, ..*shape };
        let game = Game::random(seed, &shape);
        for (index, policy) in policies().enumerate() {
            let every = if (seed + index as u64) % 13 < 4 { every } else { u64::MAX };
            steps += check(&game, seed, policy, true, every);
            if shape.shared > 0 {
                steps += check(&game, seed, policy, false, every);
            }
        }
    }
    println!("{} games, {steps} steps", to - from);
    (to - from, steps)
}

#[test]
fn small_trees() {
    check_all(0, 5000, &Shape::SMALL, 1);
}

#[test]
fn small_graphs_with_shared_nodes() {
    check_all(10_000, 15_000, &Shape { plies: 6, moves: 4, shared: 8, ..Shape::SMALL }, 1);
}

#[test]
fn middling_games() {
    let shape = Shape { plies: 8, moves: 6, size: 1000, width: 200, ends: 5, ..Shape::SMALL };
    check_all(20_000, 20_100, &shape, 8);
    check_all(21_000, 21_100, &Shape { shared: 60, plies: 8, ..shape }, 8);
}

#[test]
fn games_of_thousands_of_nodes() {
    let shape = Shape { plies: 12, moves: 7, size: 8000, width: 300, ends: 2, ..Shape::SMALL };
    check_all(30_000, 30_010, &shape, 256);
    check_all(31_000, 31_010, &Shape { shared: 1000, plies: 9, ..shape }, 256);
}
