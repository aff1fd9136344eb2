//! Oracles for the sums: everything that the fast code says is compared with the definitions, on random games.
//!
//! The oracle knows no canonical form, no stop of an option, no thermograph: games are trees of options, `a <= b` is Conway's
//! definition, a stop is found by asking whether a whole sum equals one of many numbers, and a sum is a tree too.

use regulus::bstar::{Domain, Unwatched};
use regulus::sums::component::Tree;
use regulus::sums::{Counting, Dyadic, Score, Side, Store, Sum, SumDomain, Term};
use std::collections::HashMap;

/// SplitMix64 (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// Games by their trees, each tree once.
#[derive(Default)]
struct Oracle {
    games: Vec<(Vec<usize>, Vec<usize>)>,
    index: HashMap<(Vec<usize>, Vec<usize>), usize>,
    order: HashMap<(usize, usize), bool>,
    sums: HashMap<(usize, usize), usize>,
    numbers: Vec<(Dyadic, usize)>,
}

/// Numbers that a stop may be: multiples of 1/8 up to this size.
const LARGEST: i64 = 14;

fn eighths(n: i64) -> Dyadic {
    Dyadic::fraction(n, 8).unwrap().unwrap()
}

impl Oracle {
    fn new() -> Self {
        let mut oracle = Self::default();
        for n in -8 * LARGEST..=8 * LARGEST {
            let game = oracle.number(eighths(n));
            oracle.numbers.push((eighths(n), game));
        }
        oracle
    }

    fn game(&mut self, mut left: Vec<usize>, mut right: Vec<usize>) -> usize {
        left.sort_unstable();
        right.sort_unstable();
        let form = (left, right);
        if let Some(&known) = self.index.get(&form) {
            return known;
        }
        self.games.push(form.clone());
        self.index.insert(form, self.games.len() - 1);
        self.games.len() - 1
    }

    fn number(&mut self, x: Dyadic) -> usize {
        let (left, right) = x.options().unwrap();
        let left = left.map(|x| self.number(x)).into_iter().collect();
        let right = right.map(|x| self.number(x)).into_iter().collect();
        self.game(left, right)
    }

    fn of(&mut self, tree: &Tree) -> usize {
        match tree {
            Tree::Number(x) => self.number(*x),
            Tree::Options(left, right) => {
                let left = left.iter().map(|option| self.of(option)).collect();
                let right = right.iter().map(|option| self.of(option)).collect();
                self.game(left, right)
            }
            other => panic!("the random games have no {other}"),
        }
    }

    fn le(&mut self, a: usize, b: usize) -> bool {
        if let Some(&known) = self.order.get(&(a, b)) {
            return known;
        }
        let answer = !self.games[a].0.clone().into_iter().any(|option| self.le(b, option))
            && !self.games[b].1.clone().into_iter().any(|option| self.le(option, a));
        self.order.insert((a, b), answer);
        answer
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        if let Some(&known) = self.sums.get(&(a, b)) {
            return known;
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (index, side) in sides.iter_mut().enumerate() {
            let of =
                |game: &(Vec<usize>, Vec<usize>)| if index == 0 { game.0.clone() } else { game.1.clone() };
            for option in of(&self.games[a]) {
                side.push(self.add(option, b));
            }
            for option in of(&self.games[b]) {
                side.push(self.add(a, option));
            }
        }
        let [left, right] = sides;
        let sum = self.game(left, right);
        self.sums.insert((a, b), sum);
        sum
    }

    /// The number that a game equals.
    fn as_number(&mut self, game: usize) -> Option<Dyadic> {
        let (mut low, mut high) = (0, self.numbers.len());
        while low < high {
            let middle = low.midpoint(high);
            let (x, number) = self.numbers[middle];
            match (self.le(number, game), self.le(game, number)) {
                (true, true) => return Some(x),
                (true, false) => low = middle + 1,
                (false, true) => high = middle,
                (false, false) => return None,
            }
        }
        None
    }

    fn stop(&mut self, game: usize, side: Side) -> Dyadic {
        if let Some(x) = self.as_number(game) {
            return x;
        }
        let options = &self.games[game];
        let options = if side == Side::Left { options.0.clone() } else { options.1.clone() };
        let stops = options.into_iter().map(|option| self.stop(option, side.other())).collect::<Vec<_>>();
        let best = if side == Side::Left { stops.into_iter().max() } else { stops.into_iter().min() };
        best.expect("a game without moves is a number")
    }

    /// Who moves first wins, for each side.
    fn wins(&mut self, game: usize) -> (bool, bool) {
        let zero = self.number(Dyadic::ZERO);
        (!self.le(game, zero), !self.le(zero, game))
    }
}

/// What kinds of leaves and shapes the random games have.
#[derive(Clone, Copy)]
struct Kind {
    depth: u32,
    /// The denominator of the leaves.
    denominator: i64,
    /// The largest leaf.
    size: i64,
    /// Left's leaves are drawn like Right's, so that zugzwangs and numbers abound; else they lie above them.
    mixed: bool,
}

const KINDS: [Kind; 5] = [
    Kind { depth: 2, denominator: 1, size: 3, mixed: false },
    Kind { depth: 2, denominator: 2, size: 2, mixed: true },
    Kind { depth: 1, denominator: 4, size: 2, mixed: true },
    Kind { depth: 3, denominator: 1, size: 1, mixed: true },
    Kind { depth: 2, denominator: 1, size: 0, mixed: true },
];

fn random_tree(random: &mut Random, kind: Kind, depth: u32, lean: i64) -> Tree {
    if depth == 0 || random.below(5) == 0 {
        let range = 2 * kind.size * kind.denominator + 1;
        let mut n = random.below(range as u64) as i64 - kind.size * kind.denominator;
        if !kind.mixed {
            n = n.abs() * lean;
        }
        return Tree::Number(Dyadic::fraction(n, kind.denominator).unwrap().unwrap());
    }
    let mut side = |lean| {
        let count = 1 + random.below(4) / 3;
        (0..count).map(|_| random_tree(random, kind, depth - 1, lean)).collect()
    };
    let left = side(1);
    Tree::Options(left, side(-1))
}

#[test]
fn canonical_forms_agree_with_the_definitions() {
    let mut random = Random(1);
    let (mut oracle, mut store) = (Oracle::new(), Store::default());
    let mut seen: Vec<(usize, Term)> = Vec::new();
    for round in 0..5000 {
        let kind = KINDS[round % KINDS.len()];
        let tree = random_tree(&mut random, kind, kind.depth, 1);
        let (raw, term) = (oracle.of(&tree), tree.value(&mut store).unwrap());
        let stops = store.stops(term).unwrap();
        assert_eq!(stops.left, oracle.stop(raw, Side::Left), "{tree}");
        assert_eq!(stops.right, oracle.stop(raw, Side::Right), "{tree}");
        assert_eq!(term.is_number(), oracle.as_number(raw).is_some(), "{tree}");
        for &(other, value) in seen.iter().rev().take(20) {
            assert_eq!(store.le(term, value).unwrap(), oracle.le(raw, other), "{tree}");
            assert_eq!(store.le(value, term).unwrap(), oracle.le(other, raw), "{tree}");
            assert_eq!(
                term == value,
                oracle.le(raw, other) && oracle.le(other, raw),
                "equality is identity: {tree}"
            );
        }
        seen.push((raw, term));
    }
}

#[test]
fn negatives_and_sums_agree_with_the_definitions() {
    let mut random = Random(2);
    let (mut oracle, mut store) = (Oracle::new(), Store::default());
    for round in 0..3000 {
        let kind = KINDS[round % KINDS.len()];
        let trees = [0, 1].map(|_| random_tree(&mut random, kind, kind.depth.min(2), 1));
        let terms = trees.each_ref().map(|tree| tree.value(&mut store).unwrap());
        let raws = trees.each_ref().map(|tree| oracle.of(tree));
        let (sum, raw) = (store.add(terms[0], terms[1]).unwrap(), oracle.add(raws[0], raws[1]));
        let stops = store.stops(sum).unwrap();
        assert_eq!(stops.left, oracle.stop(raw, Side::Left), "{trees:?}");
        assert_eq!(stops.right, oracle.stop(raw, Side::Right), "{trees:?}");
        let wins = (!store.le(sum, Term::ZERO).unwrap(), !store.le(Term::ZERO, sum).unwrap());
        assert_eq!(wins, oracle.wins(raw), "{trees:?}");
        let negative = store.negative(terms[0]);
        assert_eq!(store.add(terms[0], negative).unwrap(), Term::ZERO);
    }
}

/// The score of a sum by trying everything, without bounds.
fn exhaustive(domain: &mut SumDomain, counting: Counting, table: &mut HashMap<Sum, Score>) -> Score {
    if let Some(&known) = table.get(&domain.sum()) {
        return known;
    }
    let mut successors = Vec::new();
    domain.successors(&mut successors, &mut Unwatched).unwrap();
    let score = successors
        .iter()
        .map(|successor| {
            domain.play(successor.action);
            let score = -exhaustive(domain, counting, table);
            domain.undo();
            score
        })
        .max()
        .unwrap_or_else(|| match counting {
            Counting::Stops => Score::stop(domain.sum().number()),
            Counting::LastMove => Score::decided(domain.sum().number(), false),
        });
    table.insert(domain.sum(), score);
    score
}

#[test]
fn play_in_the_components_reaches_the_stops_of_the_whole() {
    let mut random = Random(3);
    let (mut oracle, mut store) = (Oracle::new(), Store::default());
    for round in 0..5000 {
        let kind = KINDS[round % KINDS.len()];
        let count = 2 + random.below(2) as usize;
        let depth = kind.depth.min(if count > 2 { 1 } else { 2 });
        let trees: Vec<Tree> = (0..count).map(|_| random_tree(&mut random, kind, depth, 1)).collect();
        let mut raw = oracle.number(Dyadic::ZERO);
        for tree in &trees {
            let tree = oracle.of(tree);
            raw = oracle.add(raw, tree);
        }
        let wins = oracle.wins(raw);
        for (side, wins) in [(Side::Left, wins.0), (Side::Right, wins.1)] {
            let stop = oracle.stop(raw, side);
            let stop = if side == Side::Left { stop } else { -stop };
            let terms: Vec<Term> = trees.iter().map(|tree| tree.value(&mut store).unwrap()).collect();
            let mut sum = Sum::of(&mut store, terms).unwrap();
            if side == Side::Right {
                sum = sum.turned(&store);
            }
            let mut domain = SumDomain::new(&mut store, sum, Counting::LastMove);
            let score = exhaustive(&mut domain, Counting::LastMove, &mut HashMap::new());
            assert_eq!(score.stop, stop, "{trees:?}, {side:?} to move");
            assert_eq!(score.wins(), Some(wins), "{trees:?}, {side:?} to move");
            let known = domain.estimate().unwrap().belief;
            assert!(known.contains(score), "{trees:?}, {side:?} to move: {known:?} and {score}");
        }
    }
}
