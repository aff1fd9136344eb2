//! A small budget slows a search down; it neither ends it nor makes it wrong.

use super::game::{Game, Player, Points, Position, Shape};
use regulus::bstar::search::Step;
use regulus::bstar::{Graph, Interval, Policy, Search, Settings, Termination, Unwatched, validate};

#[test]
fn a_full_graph_neither_ends_a_search_nor_spoils_it() {
    let budget = Graph::<Points, u32>::LEAST_BUDGET;
    let shape = Shape { plies: 11, moves: 6, size: 20_000, width: 300, ends: 2, ..Shape::SMALL };
    let mut freed = 0;
    for seed in 0..40 {
        let shared = if seed % 2 == 0 { 0 } else { 1200 };
        let game = Game::random(seed, &Shape { shared, facts: seed % 4 < 2, ..shape });
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        let mut graph = Graph::with_budget(budget);
        let mut player = Player::new(&game, true);
        let estimate = player.estimate();
        let mut search = Search::new(&mut graph, &mut player, 0, estimate, Settings::new(policy));
        let decision = loop {
            match search.step(&mut Unwatched).unwrap() {
                Step::Separated => break search.decide(Termination::Separated),
                _ => assert!(search.graph().bytes_in_use() <= budget),
            }
            assert!(search.belief().contains(game.truth()));
            let steps = search.counters().steps();
            assert!(steps < 200_000, "game {seed}, {policy}: no end");
            if steps % 64 == 0 {
                assert_eq!(validate(search.graph()), Ok(()), "game {seed}, step {steps}");
            }
        };
        assert_eq!(game.worth(decision.action.unwrap()), game.truth(), "game {seed}, {policy}");
        freed += u64::from(decision.counters.freed > 0);
    }
    assert!(freed >= 20, "only {freed} games were too large for the budget");
}

#[test]
fn a_position_with_more_moves_than_fit_is_refined_instead() {
    // 3000 replies to the first move: far more than fit into the least budget.
    let shape = Shape { plies: 1, moves: 2, ..Shape::SMALL };
    let mut game = Game::random(1, &shape);
    let reply =
        |value| Position { moves: vec![], truth: Points(value), interval: Interval::exact(Points(value)) };
    game.facts = false;
    game.plies[0][0].moves = vec![0, 1];
    game.plies[0][0].truth = Points(20);
    game.plies[1] = vec![reply(-20), reply(-10)];
    game.plies[1][0].moves = (0..3000).collect();
    game.plies[1][0].interval = Interval::new(Points(-60), Points(0)).unwrap();
    game.plies.push((0..3000).map(|_| reply(20)).collect());
    let mut graph = Graph::with_budget(0);
    let mut player = Player::new(&game, true);
    let estimate = player.estimate();
    let settings = Settings::new(Policy::AR);
    let decision = Search::new(&mut graph, &mut player, 0, estimate, settings).run(&mut Unwatched);
    assert_eq!((decision.action, decision.termination), (Some(0), Termination::Separated));
    assert!(decision.counters.refinements > 0);
    assert_eq!(validate(&graph), Ok(()));
}
