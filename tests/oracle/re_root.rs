//! One graph through a whole game, forwards and backwards.

use super::game::{Game, Player, Points, Shape};
use regulus::bstar::{Decision, Domain, Graph, Policy, Search, Settings, Termination, Unwatched, validate};

fn search(graph: &mut Graph<Points, u32>, player: &mut Player, policy: Policy) -> Decision<u32, Points> {
    let (ply, estimate) = (player.ply(), player.estimate());
    let decision = Search::new(graph, player, ply, estimate, Settings::new(policy)).run(&mut Unwatched);
    assert_eq!(validate(graph), Ok(()));
    decision
}

#[test]
fn the_next_position_keeps_its_subgraph_and_the_last_one_is_still_there() {
    let shape = Shape { plies: 9, moves: 5, size: 1500, width: 200, ends: 3, shared: 150, ..Shape::SMALL };
    let (mut kept, mut fresh) = (0, 0);
    for seed in 0..100 {
        let game = Game::random(seed, &Shape { facts: seed % 2 == 0, ..shape });
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        let mut graph = Graph::with_budget(4 << 20);
        let mut player = Player::new(&game, true);
        // The search plays both sides.
        while !player.is_over() {
            let decision = search(&mut graph, &mut player, policy);
            let action = decision.action.unwrap();
            assert!(decision.termination == Termination::Separated || player.moves() == 1, "game {seed}");
            assert_eq!(player.truth_behind(action), player.truth(), "game {seed}, ply {}", player.ply());
            kept += decision.counters.steps();
            fresh += search(&mut Graph::with_budget(4 << 20), &mut player, policy).counters.steps();
            player.play(action);
        }
        while player.ply() > 0 {
            player.undo();
            let decision = search(&mut graph, &mut player, policy);
            assert_eq!(decision.counters.steps(), 0, "game {seed}: ply {} was known", player.ply());
            assert_eq!(player.truth_behind(decision.action.unwrap()), player.truth());
        }
    }
    println!("{kept} steps in one graph, {fresh} in new ones");
    assert!(kept < fresh);
}
