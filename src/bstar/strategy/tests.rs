use super::*;
use crate::bstar::test_value::Points;

fn beliefs(ends: &[(i32, i32)]) -> Vec<Interval<Points>> {
    ends.iter().map(|&(lower, upper)| Interval::new(Points(lower), Points(upper)).unwrap()).collect()
}

fn standing(ends: &[(i32, i32)]) -> Standing<Points> {
    Standing::of(beliefs(ends)).unwrap()
}

fn choose(rule: RootRule, ends: &[(i32, i32)], depths: &[u32], last: Strategy) -> Strategy {
    let facts =
        RootFacts { expansions: &|index| u64::from(depths[index]), depth: &|index| depths[index], last };
    rule.choose(&standing(ends), &facts)
}

#[test]
fn names_are_distinct_and_parse_in_any_case() {
    for (index, policy) in Policy::NAMED.iter().enumerate() {
        assert_eq!(policy.name().to_uppercase().parse(), Ok(*policy));
        assert!(Policy::NAMED[..index].iter().all(|other| other.name() != policy.name()));
    }
    for wrong in ["", "4D", "AR+P", "AR+P101", "AR+Pmany"] {
        assert!(wrong.parse::<Policy>().unwrap_err().to_string().contains("DisproveBest"));
    }
}

#[test]
fn separation_wants_one_lower_against_all_other_uppers() {
    assert_eq!(standing(&[(0, 10), (10, 30), (-5, 9)]).separated(), Some(1));
    assert_eq!(standing(&[(0, 11), (10, 30), (-5, 9)]).separated(), None);
    assert_eq!(standing(&[(7, 7), (7, 7)]).separated(), Some(0));
    // The highest upper with a poor lower, against an exact value at that upper.
    assert_eq!(standing(&[(0, 10), (10, 10)]).separated(), Some(1));
    assert_eq!(standing(&[(-3, 3)]).separated(), Some(0));
}

#[test]
fn disprove_rest_waits_for_the_best_lower() {
    let unsafe_best = [(5, 15), (8, 12)];
    let safe_best = [(9, 15), (8, 12)];
    for policy in Policy::NAMED {
        let strategy = choose(policy.root, &unsafe_best, &[9, 1], Strategy::ProveBest);
        assert_eq!(strategy, Strategy::ProveBest, "{policy}");
        let strategy = choose(policy.root, &safe_best, &[9, 1], Strategy::ProveBest);
        assert_eq!(strategy == Strategy::ProveBest, policy.root == RootRule::BestFirst, "{policy}");
    }
}

#[test]
fn alternation_takes_turns() {
    let ends = [(9, 15), (8, 12)];
    let turn = |last| choose(RootRule::Alternation, &ends, &[1, 1], last);
    assert_eq!(turn(Strategy::ProveBest), Strategy::DisproveRest);
    assert_eq!(turn(Strategy::DisproveRest), Strategy::ProveBest);
}

#[test]
fn criteria_weigh_squared_depths_of_the_moves_in_the_race() {
    // Four rivals, the last of them beaten (its upper is not above the best lower).
    let ends = [(9, 20), (0, 15), (0, 14), (0, 13), (0, 9)];
    let depths = [5, 4, 3, 1, 9];
    let rule = |rule| choose(rule, &ends, &depths, Strategy::ProveBest);
    // 16 < 25; 16 + 9 = 25; 16 + 9 + 1 > 25.
    assert_eq!(rule(RootRule::Depth(Among::Two)), Strategy::DisproveRest);
    assert_eq!(rule(RootRule::Depth(Among::Three)), Strategy::ProveBest);
    assert_eq!(rule(RootRule::Depth(Among::All)), Strategy::ProveBest);
    // 25/11 = 2.27; 16/15 = 1.07; + 9/14 = 1.71; + 1/13 = 1.79.
    assert_eq!(rule(RootRule::Range(Among::Two)), Strategy::DisproveRest);
    assert_eq!(rule(RootRule::Range(Among::Three)), Strategy::DisproveRest);
    assert_eq!(rule(RootRule::Range(Among::All)), Strategy::DisproveRest);
    let narrow = [(9, 20), (0, 15), (0, 14), (9, 10), (0, 9)];
    // 2.71 > 2.27: a narrow rival that was searched deep is hard to move.
    let strategy = choose(RootRule::Range(Among::All), &narrow, &[5, 4, 3, 1, 9], Strategy::ProveBest);
    assert_eq!(strategy, Strategy::ProveBest);
}

#[test]
fn disprove_best_heads_for_the_cheaper_way() {
    // The opponent's node of Anema's worked example: best lower 35 and second best upper 65 at the root.
    let aims = Aims { reach: Points(65), stay: Points(35) }.turned();
    // Root's view [0, 90], [14, 70], [40, 80]: lacks 55, 35 (and 45, more than its width) to reach, 131 to stay.
    let replies = beliefs(&[(-90, 0), (-70, -14), (-80, -40)]);
    // 2/3 * 131 > 35.
    assert_eq!(disprove_best(&replies, aims), Some(1));
    // The root player's node below: only the first can still reach.
    let moves = beliefs(&[(0, 70), (14, 40), (10, 25)]);
    assert_eq!(disprove_best(&moves, aims.turned()), Some(0));
    // Little is lacking to stay: the child that lacks most is next.
    let almost = beliefs(&[(-90, -60), (-90, -64), (-95, -64)]);
    assert_eq!(disprove_best(&almost, aims), Some(0));
    // All stay: disprove-best has nothing to say.
    assert_eq!(disprove_best(&beliefs(&[(-90, -70)]), aims), None);
}

#[test]
fn settled_children_are_never_followed() {
    let children = beliefs(&[(5, 5), (-9, 4), (-3, 3)]);
    assert_eq!(best_upper(&children), Some(1));
    assert_eq!(best_lower(&children), Some(2));
    let exact = beliefs(&[(5, 5), (4, 4)]);
    assert_eq!((best_upper(&exact), best_lower(&exact)), (None, None));
}
