//! Wrong intervals: plain B\* errs on them, widening outgrows them.

use super::game::{Game, Player, Points, Position, Shape};
use regulus::bstar::{
    Decision, Graph, Interrupted, Interval, Monitor, Policy, Search, Settings, Termination, validate,
};

/// Wants this many widenings before an answer is good enough.
struct Demanding(u32);

impl Monitor for Demanding {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        Ok(())
    }

    fn good_enough(&mut self) -> bool {
        let enough = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        enough
    }
}

fn decide(game: &Game, seed: u64, policy: Policy, widenings: u32) -> Decision<u32, Points> {
    let mut graph = Graph::with_budget(1 << 20);
    let mut player = Player::new(game, true);
    let estimate = player.estimate();
    let settings = Settings { seed, ..Settings::new(policy) };
    let decision = Search::new(&mut graph, &mut player, 0, estimate, settings).run(&mut Demanding(widenings));
    assert_eq!(validate(&graph), Ok(()));
    decision
}

#[test]
fn widening_gets_right_what_plain_bstar_gets_wrong() {
    let terminal = |value| Position { moves: vec![], truth: Points(value), interval: Interval::UNKNOWN };
    let inner = |to, truth, (lower, upper)| Position {
        moves: vec![to],
        truth: Points(truth),
        interval: Interval::new(Points(lower), Points(upper)).unwrap(),
    };
    // The first move is thought to be worth 10 to 20, and loses 50; the second is worth 3, and thought so.
    let game = Game {
        plies: vec![
            vec![Position { moves: vec![0, 1], truth: Points(3), interval: Interval::UNKNOWN }],
            vec![inner(0, 50, (-20, -10)), inner(1, -3, (-5, 0))],
            vec![terminal(-50), terminal(3)],
        ],
        facts: false,
        refined: 0,
    };
    for policy in Policy::NAMED {
        let plain = decide(&game, 0, policy, 0);
        assert_eq!((plain.action, plain.termination), (Some(0), Termination::Separated), "{policy}");
        let patient = decide(&game, 0, policy, u32::MAX);
        assert_eq!((patient.action, patient.termination), (Some(1), Termination::Separated), "{policy}");
        assert!(patient.counters.widenings > 0 && patient.counters.violations > 0, "{policy}");
    }
}

#[test]
fn the_more_widenings_the_fewer_errors_and_in_the_end_none() {
    let shape = Shape { facts: false, wrong: 20, size: 200, plies: 6, shared: 20, ..Shape::SMALL };
    let mut errors = [0; 4];
    const GAMES: u64 = 1000;
    for seed in 0..GAMES {
        let game = Game::random(seed, &shape);
        let policy = Policy::NAMED[seed as usize % Policy::NAMED.len()];
        for (count, widenings) in errors.iter_mut().zip([0, 1, 2, u32::MAX]) {
            let decision = decide(&game, seed, policy, widenings);
            assert_eq!(decision.termination, Termination::Separated);
            *count += u64::from(game.worth(decision.action.unwrap()) != game.truth());
        }
    }
    println!("wrong moves in {GAMES} games after 0, 1, 2 and all widenings: {errors:?}");
    assert!(errors[0] > errors[1] && errors[1] > errors[2] && errors[2] > 0, "{errors:?}");
    assert_eq!(errors[3], 0);
}
