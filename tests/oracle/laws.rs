//! The laws of the terms: intervals, efforts, estimates, questions.

use super::game::Points;
use proptest::prelude::*;
use regulus::bstar::{Effort, Estimate, Interval, Question};

fn points() -> impl Strategy<Value = Points> {
    prop_oneof![8 => -20..=20i32, 1 => Just(-1000), 1 => Just(1000)].prop_map(Points)
}

fn interval() -> impl Strategy<Value = Interval<Points>> {
    (points(), points()).prop_map(|(a, b)| Interval::new(a.min(b), a.max(b)).unwrap())
}

fn effort() -> impl Strategy<Value = Effort> {
    prop_oneof![4 => (0..9u16).prop_map(Effort::of), 1 => Just(Effort::MOST), 2 => Just(Effort::PROVEN)]
}

/// Any estimate that holds nothing impossible: what is believed lies within what is proven.
fn estimate() -> impl Strategy<Value = Estimate<Points>> {
    (interval(), interval(), effort(), effort()).prop_map(|(belief, searched, lower_effort, upper_effort)| {
        let facts = Estimate { belief, searched, lower_effort, upper_effort };
        facts.keeping_facts_of(&facts)
    })
}

fn question() -> impl Strategy<Value = Question<Points>> {
    prop_oneof![
        points().prop_map(Question::Exceeds),
        points().prop_map(Question::Reaches),
        (points(), points()).prop_map(|(a, b)| Question::Within { floor: a.min(b), ceiling: a.max(b) }),
        Just(Question::VALUE),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_are_never_crossed(a in points(), b in points()) {
        prop_assert_eq!(Interval::new(a, b).is_some(), a <= b);
    }

    #[test]
    fn the_other_side_sees_the_mirror_image(a in interval(), b in interval(), v in points()) {
        prop_assert_eq!(-(-a), a);
        prop_assert_eq!((-a).contains(-v), a.contains(v));
        prop_assert_eq!((-a).encloses(-b), a.encloses(b));
        prop_assert_eq!((-b).separated_from(-a), a.separated_from(b));
        prop_assert_eq!(-(a.hull(b)), (-a).hull(-b));
        prop_assert_eq!(a.intersection(b).map(|both| -both), (-a).intersection(-b));
        prop_assert_eq!((-a).width(), a.width());
    }

    #[test]
    fn choosing_is_a_maximum(a in interval(), b in interval(), c in interval(), v in points(), w in points()) {
        prop_assert_eq!(a.or(a), a);
        prop_assert_eq!(a.or(b), b.or(a));
        prop_assert_eq!(a.or(b).or(c), a.or(b.or(c)));
        // Sound: whatever the two are worth, the better of them is inside. And tight: the ends are reached.
        prop_assert!(a.or(b).contains(a.clamp(v).max(b.clamp(w))));
        prop_assert_eq!(a.or(b).lower(), a.lower().max(b.lower()));
        prop_assert_eq!(a.or(b).upper(), a.upper().max(b.upper()));
        prop_assert_eq!(a.separated_from(b), a.lower() >= b.upper());
        if a.separated_from(b) {
            prop_assert_eq!(a.or(b), a);
        }
    }

    #[test]
    fn hull_and_intersection_are_what_they_say(a in interval(), b in interval(), v in points()) {
        prop_assert!(a.hull(b).encloses(a) && a.hull(b).encloses(b));
        let both = a.contains(v) && b.contains(v);
        prop_assert_eq!(a.intersection(b).is_some_and(|common| common.contains(v)), both);
        prop_assert!(a.contains(a.clamp(v)));
        prop_assert_eq!(a.clamp(v) == v, a.contains(v));
        prop_assert!(a.encloses(a.clamp_ends(b)));
        prop_assert!(a.width() >= 0.0 && (a.width() == 0.0) == a.is_exact());
    }

    #[test]
    fn efforts_count_up_to_facts(e in effort(), units in 0..9u16) {
        prop_assert!(e <= Effort::PROVEN && (e == Effort::PROVEN) == e.is_proven());
        prop_assert!(e.above() >= e && e.less(units) <= e);
        prop_assert_eq!(e.above().is_proven(), e.is_proven());
        prop_assert_eq!(e.less(units).is_proven(), e.is_proven());
        if !e.is_proven() && e < Effort::MOST {
            prop_assert_eq!(e.above().less(1), e);
        }
    }

    #[test]
    fn a_question_and_its_answer_turn_together(e in estimate(), q in question(), effort in effort()) {
        prop_assert_eq!(-(-q), q);
        prop_assert_eq!(-(-e), e);
        prop_assert_eq!((-e).answers(-q, effort), e.answers(q, effort));
        prop_assert_eq!((-e).effort(), e.effort());
        prop_assert_eq!((-e).is_solved(), e.is_solved());
    }

    #[test]
    fn what_answers_at_an_effort_answers_at_less(e in estimate(), q in question(), effort in effort()) {
        prop_assert!(!e.answers(q, effort.above()) || e.answers(q, effort));
        prop_assert!(!e.is_solved() || e.answers(q, effort));
    }

    #[test]
    fn an_exact_value_answers_what_it_says(v in points(), q in question()) {
        let known = Estimate::realistic(v, Interval::exact(v), Effort::of(3));
        prop_assert!(known.answers(q, Effort::of(3)) && !known.answers(q, Effort::of(4)));
        prop_assert_eq!(known.expected(), v);
    }

    #[test]
    fn facts_are_kept_and_keeping_them_twice_changes_nothing(e in estimate(), other in estimate()) {
        let kept = e.keeping_facts_of(&other);
        prop_assert_eq!(kept.keeping_facts_of(&other), kept);
        prop_assert_eq!(e.keeping_facts_of(&Estimate::UNKNOWN), e);
        prop_assert_eq!(-kept, (-e).keeping_facts_of(&-other));
        prop_assert!(other.facts().encloses(kept.belief) && other.facts().encloses(kept.searched));
        if other.is_solved() {
            prop_assert!(kept.is_solved() && kept.belief.is_exact());
        }
    }
}
