//! Draws by history belong to the visit: they decide on their path, and are stored nowhere.

use super::game::{Chance, Game, Player, Points, Position, Shape};
use regulus::bstar::{Estimate, Graph, Interval, Policy, Search, Settings, Termination, Unwatched, validate};

fn span(lower: i32, upper: i32) -> Interval<Points> {
    Interval::new(Points(lower), Points(upper)).unwrap()
}

/// Root -> 0 and 1, each with the one reply to the shared position, from which `value` follows for the root's player.
fn two_ways_to_one_node(value: i32) -> Game {
    let at = |moves: &[u32], truth| Position {
        moves: moves.to_vec(),
        truth: Points(truth),
        interval: span(-99, 99),
    };
    Game {
        plies: vec![
            vec![at(&[0, 1], value)],
            vec![at(&[0], -value), at(&[0], -value)],
            vec![at(&[0], value)],
            vec![at(&[], -value)],
        ],
        facts: true,
        refined: 0,
    }
}

#[test]
fn a_shared_node_repeats_on_one_of_its_two_paths() {
    // By way of the first move the shared position is a draw.
    let repeats = |path: &[u32]| (path == [0, 0, 0]).then_some(Points(0));
    for (value, best) in [(30, 1), (-30, 0)] {
        let game = two_ways_to_one_node(value);
        for policy in Policy::NAMED {
            let mut graph = Graph::with_budget(0);
            let mut player = Player::new(&game, true);
            player.draws = Some(&repeats);
            let estimate = player.estimate();
            let mut search = Search::new(&mut graph, &mut player, 0, estimate, Settings::new(policy));
            let decision = search.run(&mut Unwatched);
            assert_eq!(
                (decision.action, decision.termination),
                (Some(best), Termination::Separated),
                "{policy}"
            );
            if best == 0 {
                assert_eq!(decision.best.unwrap().estimate, Estimate::solved(Points(0)));
            }
            assert_eq!(validate(&graph), Ok(()));
            let shared = graph.find(0, 2).unwrap();
            assert_eq!(graph.parents(shared).count(), 2);
            let drawn = graph.nodes().any(|id| graph.estimate(id) == Estimate::solved(Points(0)));
            assert!(!drawn, "{policy}: a draw by history was stored");
        }
    }
}

#[test]
fn a_root_move_that_repeats_is_a_draw_for_the_whole_search() {
    let game = two_ways_to_one_node(-30);
    let repeats = |path: &[u32]| (path == [0, 1]).then_some(Points(0));
    let mut graph = Graph::with_budget(0);
    let mut player = Player::new(&game, true);
    player.draws = Some(&repeats);
    let estimate = player.estimate();
    let decision =
        Search::new(&mut graph, &mut player, 0, estimate, Settings::new(Policy::AR)).run(&mut Unwatched);
    assert_eq!(decision.action, Some(1));
    assert_eq!(decision.best.unwrap().estimate, Estimate::solved(Points(0)));
    // Without the history the same graph says otherwise.
    let mut player = Player::new(&game, true);
    let search = Search::new(&mut graph, &mut player, 0, estimate, Settings::new(Policy::AR));
    assert!(search.moves().iter().all(|root_move| search.estimate(root_move) != Estimate::solved(Points(0))));
}

/// Whether the end of a path is a draw, by chance: 15 per cent of all but the first positions are.
fn drawn(seed: u64, path: &[u32]) -> Option<Points> {
    let hash = path.iter().fold(seed, |hash, &index| Chance(hash ^ u64::from(index)).next());
    (path.len() > 1 && Chance(hash).below(100) < 15).then_some(Points(0))
}

/// Minimax with the draws. On the way every interval is made wide enough for what the draws do below.
fn minimax_with_draws(game: &mut Game, seed: u64, path: &mut Vec<u32>) -> Points {
    let (ply, index) = (path.len() - 1, *path.last().unwrap() as usize);
    let mut best = None;
    for to in game.plies[ply][index].moves.clone() {
        path.push(to);
        best = best.max(Some(-minimax_with_draws(game, seed, path)));
        path.pop();
    }
    let position = &mut game.plies[ply][index];
    let value = best.unwrap_or(position.truth);
    position.interval = position.interval.hull(Interval::exact(value));
    drawn(seed, path).unwrap_or(value)
}

#[test]
fn a_tree_with_draws_is_judged_as_minimax_with_draws_does() {
    let shape = Shape { plies: 7, size: 300, width: 80, ..Shape::SMALL };
    let mut draws_mattered = 0;
    for seed in 0..1500 {
        let mut game = Game::random(seed, &Shape { facts: seed % 2 == 0, ..shape });
        let value = minimax_with_draws(&mut game, seed, &mut vec![0]);
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        let repeats = |path: &[u32]| drawn(seed, path);
        let mut graph = Graph::with_budget(1 << 20);
        let mut player = Player::new(&game, false);
        player.draws = Some(&repeats);
        let estimate = player.estimate();
        let mut search = Search::new(&mut graph, &mut player, 0, estimate, Settings::new(policy));
        let decision = search.run(&mut Unwatched);
        assert!(search.belief().contains(value), "game {seed}, {policy}");
        let action = decision.action.unwrap();
        if decision.termination == Termination::Separated {
            let chosen = -minimax_with_draws(&mut game.clone(), seed, &mut vec![0, action]);
            assert_eq!(chosen, value, "game {seed}, {policy}");
        }
        draws_mattered += u64::from(value != game.truth());
        assert_eq!(validate(&graph), Ok(()));
    }
    println!("draws changed the value of {draws_mattered} games");
    assert!(draws_mattered > 200);
}

#[test]
fn draws_on_random_paths_are_never_stored_and_never_hold_a_search_up() {
    let shape = Shape { plies: 7, size: 400, width: 150, shared: 30, ..Shape::SMALL };
    for seed in 0..400 {
        let game = Game::random(seed, &Shape { facts: seed % 2 == 0, ..shape });
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        let repeats = |path: &[u32]| drawn(seed, path);
        let mut graph = Graph::with_budget(1 << 20);
        let mut player = Player::new(&game, true);
        player.draws = Some(&repeats);
        let estimate = player.estimate();
        let settings = Settings { steps: 100_000, ..Settings::new(policy) };
        let decision = Search::new(&mut graph, &mut player, 0, estimate, settings).run(&mut Unwatched);
        assert_eq!(decision.termination, Termination::Separated, "game {seed}, {policy}");
        assert_eq!(player.path, [0]);
        assert_eq!(validate(&graph), Ok(()));
        for id in graph.nodes() {
            let truth = game.plies[graph.ply(id) as usize][graph.key(id) as usize].truth;
            assert!(graph.estimate(id).belief.contains(truth), "game {seed}: a draw by history was stored");
        }
    }
}
