//! An interrupted step leaves nothing behind, and the search goes on as if nothing had happened.

use super::game::{Game, Player, Points, Shape};
use regulus::bstar::search::Step;
use regulus::bstar::{
    Estimate, Graph, Interrupted, Monitor, Policy, Search, Settings, Termination, Unwatched,
};

/// Says stop once this many calls were made.
struct Fuse(u64);

impl Monitor for Fuse {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

fn picture(graph: &Graph<Points, u32>) -> Vec<(u64, u16, Estimate<Points>, usize)> {
    graph
        .nodes()
        .map(|id| (graph.key(id), graph.ply(id), graph.estimate(id), graph.edges(id).len()))
        .collect()
}

#[test]
fn an_interrupted_step_leaves_nothing_behind() {
    let shape = Shape { plies: 7, size: 400, width: 200, shared: 40, ..Shape::SMALL };
    let mut interruptions = 0;
    for seed in 0..150 {
        let game = Game::random(seed, &Shape { refined: (seed % 3) as u16, facts: false, ..shape });
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        let run = |fuses: bool, interruptions: &mut u64| {
            let mut graph = Graph::with_budget(1 << 20);
            let mut player = Player::new(&game, true);
            let estimate = player.estimate();
            let mut search = Search::new(&mut graph, &mut player, 0, estimate, Settings::new(policy));
            for length in 1.. {
                if fuses {
                    let before = (picture(search.graph()), *search.counters());
                    if search.step(&mut Fuse(1 + length % 5)).is_err() {
                        *interruptions += 1;
                        assert_eq!(before, (picture(search.graph()), *search.counters()), "game {seed}");
                    }
                }
                if search.step(&mut Unwatched) == Ok(Step::Separated) {
                    break;
                }
            }
            let decision = search.decide(Termination::Separated);
            assert_eq!(player.path, [0]);
            (decision, picture(&graph))
        };
        let undisturbed = run(false, &mut 0);
        assert_eq!(run(false, &mut 0), undisturbed, "the same input, the same search");
        assert_eq!(run(true, &mut interruptions), undisturbed, "game {seed}, {policy}");
    }
    println!("{interruptions} interruptions");
    assert!(interruptions > 1000);
}

#[test]
fn stopped_and_out_of_budget_are_told_apart_and_a_move_is_named() {
    let game = Game::random(4, &Shape { plies: 9, size: 3000, width: 300, ends: 2, ..Shape::SMALL });
    let decide = |steps, monitor: &mut dyn Monitor| {
        let mut graph = Graph::with_budget(1 << 20);
        let mut player = Player::new(&game, true);
        let estimate = player.estimate();
        let settings = Settings { steps, ..Settings::new(Policy::AR) };
        Search::new(&mut graph, &mut player, 0, estimate, settings).run(monitor)
    };
    let budget = decide(5, &mut Unwatched);
    assert_eq!((budget.termination, budget.counters.steps()), (Termination::Budget, 5));
    assert!(budget.action.is_some());
    let stopped = decide(u64::MAX, &mut Fuse(20));
    assert_eq!(stopped.termination, Termination::Stopped);
    assert!(stopped.action.is_some());
    // Before the root was expanded no move is known.
    assert_eq!(decide(u64::MAX, &mut Fuse(1)).action, None);
}

#[test]
fn only_the_allowed_root_moves_count() {
    let game = Game::random(7, &Shape { plies: 6, moves: 6, size: 500, width: 100, ..Shape::SMALL });
    let decide = |only: &[u32]| {
        let mut graph = Graph::with_budget(1 << 20);
        let mut player = Player::new(&game, true);
        let estimate = player.estimate();
        let settings = Settings { only: Some(only.to_vec()), ..Settings::new(Policy::AR) };
        Search::new(&mut graph, &mut player, 0, estimate, settings).run(&mut Unwatched)
    };
    let moves = &game.plies[0][0].moves;
    assert!(moves.len() >= 3);
    for &one in moves {
        let decision = decide(&[one, 999]);
        assert_eq!((decision.action, decision.termination), (Some(one), Termination::OnlyMove));
        let others: Vec<u32> = moves.iter().copied().filter(|&other| other != one).collect();
        let best = others.iter().map(|&other| game.worth(other)).max().unwrap();
        assert_eq!(game.worth(decide(&others).action.unwrap()), best);
    }
    assert_eq!(decide(&[999]).action, None);
}
