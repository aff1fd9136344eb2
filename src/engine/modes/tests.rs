use super::*;
use crate::engine::options::Change;
use crate::engine::protocol::Bound;

/// Stops at a number of nodes.
struct Nodes {
    done: u64,
    limit: u64,
    reports: Vec<Finding>,
    notes: Vec<String>,
}

impl Nodes {
    fn up_to(limit: u64) -> Self {
        Self { done: 0, limit, reports: Vec::new(), notes: Vec::new() }
    }
}

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.done += units;
        if self.done < self.limit { Ok(()) } else { Err(Interrupted) }
    }
}

impl Watch for Nodes {
    fn spent(&self) -> Option<f64> {
        None
    }
    fn nodes(&self) -> u64 {
        self.done
    }
    fn report(&mut self, finding: Finding) {
        self.reports.push(finding);
    }
    fn node_limit(&self) -> Option<u64> {
        Some(self.limit)
    }
    fn note(&mut self, text: String) {
        self.notes.push(text);
    }
}

fn search(modes: &mut Modes, options: &Options, fen: &str, limit: u64) -> (Option<Finding>, Nodes) {
    let position = Position::from_board(fen.parse().unwrap());
    let root_moves = position.legal_moves();
    let request = Request {
        position: &position,
        root_moves: &root_moves,
        depth: None,
        lines: 1,
        contempt: 0,
        strength: None,
        options,
        ask_tablebases: true,
    };
    let mut watch = Nodes::up_to(limit);
    let found = modes.search(&request, &mut watch);
    (found, watch)
}

/// Every mode with every policy and model.
fn settings() -> Vec<Options> {
    let mut all = Vec::new();
    for mode in SearchMode::ALL {
        for policy in crate::chess::ChessPolicy::all() {
            for interval_model in crate::chess::IntervalModel::ALL {
                all.push(Options {
                    search_mode: mode,
                    policy,
                    interval_model,
                    hash_mib: 2,
                    ..Options::default()
                });
            }
        }
    }
    all
}

#[test]
fn every_setting_finds_the_mate_and_says_so() {
    for options in settings() {
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        let (found, watch) = search(&mut modes, &options, "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 20_000);
        let found = found.unwrap();
        assert_eq!(found.line[0].to_string(), "b1b8", "{options:?}");
        assert_eq!(found.score, Score::mate_at(1), "{options:?}");
        assert!(watch.reports.iter().any(|finding| finding.bound == Bound::Exact), "{options:?}");
        let tells_the_root = watch.reports.iter().any(|finding| finding.root.is_some());
        assert_eq!(tells_the_root, options.search_mode == SearchMode::BStar, "{options:?}");
    }
}

#[test]
fn cut_off_at_any_moment_there_is_a_legal_answer_or_none() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let legal = Position::from_board(fen.parse().unwrap()).legal_moves();
    for options in settings() {
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        for limit in [1, 10, 100, 1_000, 3_000] {
            let (found, watch) = search(&mut modes, &options, fen, limit);
            for finding in found.iter().chain(&watch.reports) {
                assert!(legal.contains(&finding.line[0]), "{options:?} {limit}");
            }
        }
    }
}

#[test]
fn the_twin_cut_off_at_once_plays_the_move_that_the_table_has() {
    let options = Options { search_mode: SearchMode::AlphaBeta, hash_mib: 1, ..Options::default() };
    let mut modes = Modes::default();
    modes.prepare(&options).unwrap();
    // The rook hangs, and it is not the first move there is.
    let fen = "4k3/8/8/3r4/8/8/6B1/R3K3 w - - 0 1";
    let (found, _) = search(&mut modes, &options, fen, 1);
    let found = found.unwrap();
    assert_eq!(found.line[0].to_string(), "g2d5", "a good capture comes first");
    let (learned, _) = search(&mut modes, &options, fen, 5_000);
    let (again, _) = search(&mut modes, &options, fen, 1);
    assert_eq!(again.unwrap().line[0], learned.unwrap().line[0]);
}

/// 4 PiB of memory: no machine maps so much.
fn too_much() -> Options {
    Options { hash_mib: u32::MAX, ..Options::default() }
}

#[test]
fn a_refused_size_is_told_once_and_forgets_nothing_later() {
    let mut modes = Modes::default();
    assert!(modes.prepare(&too_much()).unwrap_err().contains("it stays at 16"));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    search(&mut modes, &too_much(), fen, 5_000);
    let known = |modes: &mut Modes| modes.memory().tree.probe().table_move();
    modes.memory().tree.probe().set_position(&Position::from_board(fen.parse().unwrap()));
    assert!(known(&mut modes).is_some());
    assert_eq!(modes.prepare(&too_much()), Ok(()), "told before");
    assert!(known(&mut modes).is_some(), "the memory is the same");
    // A possible size between, and it is told again.
    assert_eq!(modes.prepare(&Options::default()), Ok(()));
    assert!(modes.prepare(&too_much()).is_err());
}

#[test]
fn a_search_ages_the_table_once() {
    for search_mode in SearchMode::ALL {
        let options = Options { search_mode, hash_mib: 1, ..Options::default() };
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        let before = modes.memory().tree.probe().table().age();
        search(&mut modes, &options, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 500);
        assert_eq!(modes.memory().tree.probe().table().age(), before + 1, "{search_mode:?}");
    }
}

#[test]
fn memory_is_made_as_asked_and_a_refusal_keeps_the_old() {
    let mut modes = Modes::default();
    let mut options = Options { hash_mib: 3, ..Options::default() };
    assert!(modes.memory.is_none(), "nothing is allocated before it is needed");
    modes.prepare(&options).unwrap();
    let bytes = |modes: &mut Modes| {
        modes.memory().tree.probe().table().bytes() + modes.memory().tree.graph().budget()
    };
    assert!((2 * MIB..=3 * MIB).contains(&bytes(&mut modes)));
    assert_eq!(options.set("Hash", Some("1")), Ok(Change::Value));
    modes.prepare(&options).unwrap();
    assert!(bytes(&mut modes) <= MIB);
    let refused = modes.prepare(&too_much());
    assert!(refused.unwrap_err().contains("it stays at 1"));
    assert!(search(&mut modes, &options, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 500).0.is_some());
}

const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn options_of(search_mode: SearchMode, threads: u32) -> Options {
    Options { search_mode, threads, hash_mib: 4, ..Options::default() }
}

#[test]
fn several_threads_find_the_mate_in_every_setting() {
    for options in settings() {
        let options = Options { threads: 3, ..options };
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        let (found, _) = search(&mut modes, &options, "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 20_000);
        let found = found.unwrap();
        assert_eq!(
            (found.line[0].to_string(), found.score),
            ("b1b8".to_owned(), Score::mate_at(1)),
            "{options:?}"
        );
    }
}

#[test]
fn all_workers_count_and_keep_to_the_limit() {
    for (search_mode, threads) in SearchMode::ALL.into_iter().flat_map(|mode| [(mode, 2), (mode, 4)]) {
        // What a worker may do between two counts: while it does so, the others see a count that is too low.
        let slack = 256 * u64::from(threads);
        let options = options_of(search_mode, threads);
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        for limit in [1, 3_000, 60_000] {
            modes.clear();
            let (found, watch) = search(&mut modes, &options, BUSY, limit);
            assert!(found.is_some());
            assert!((limit..limit + slack).contains(&watch.done), "{search_mode:?} {limit}: {}", watch.done);
        }
    }
}

#[test]
fn one_thread_after_several_is_what_it_was_before() {
    for search_mode in SearchMode::ALL {
        let mut fresh = Modes::default();
        fresh.prepare(&options_of(search_mode, 1)).unwrap();
        let (lone, watch) = search(&mut fresh, &options_of(search_mode, 1), BUSY, 30_000);
        let mut modes = Modes::default();
        for threads in [1, 3, 1] {
            let options = options_of(search_mode, threads);
            modes.prepare(&options).unwrap();
            modes.clear();
            let (found, seen) = search(&mut modes, &options, BUSY, 30_000);
            if threads == 1 {
                assert_eq!((&found, seen.done, &seen.reports), (&lone, watch.done, &watch.reports));
            }
        }
    }
}

#[test]
fn a_helper_that_panics_costs_a_sentence_and_nothing_else() {
    for search_mode in SearchMode::ALL {
        let options = options_of(search_mode, 3);
        let mut modes = Modes::default();
        modes.prepare(&options).unwrap();
        let position = Position::from_board(BUSY.parse().unwrap());
        let root_moves = position.legal_moves();
        let request = Request {
            position: &position,
            root_moves: &root_moves,
            depth: None,
            lines: 1,
            contempt: 0,
            strength: None,
            options: &options,
            ask_tablebases: true,
        };
        let mut watch = Nodes::up_to(40_000);
        let Memory { tree, crew, .. } = modes.memory();
        let poison = Box::new(|_: &mut TreeSearch, mut shift: crate::engine::crew::OnShift| {
            let _ = shift.work(500);
            panic!("a test's poison");
        });
        let found = search_by(tree, &request, &mut Company::new(&mut watch, crew, poison));
        assert!(root_moves.contains(&found.unwrap().line[0]));
        // The other helper's may come later than the search's end.
        crew.each(|_| ());
        let told = watch.notes.into_iter().chain(crew.mishaps()).collect::<Vec<_>>();
        assert_eq!(told.iter().filter(|note| note.contains("a test's poison")).count(), 2, "{told:?}");
        // They serve on.
        let (found, watch) = search(&mut modes, &options, BUSY, 40_000);
        assert!(found.is_some() && watch.notes.is_empty() && watch.done >= 40_000, "{:?}", watch.notes);
    }
}

#[test]
fn another_network_reaches_the_helpers() {
    let mut options = options_of(SearchMode::BStar, 2);
    let mut modes = Modes::default();
    modes.prepare(&options).unwrap();
    let other = std::env::temp_dir().join(format!("regulus-{} helpers.net", std::process::id()));
    std::fs::write(&other, Network::embedded().bytes()).unwrap();
    assert_eq!(options.set("EvalFile", other.to_str()), Ok(Change::Value));
    std::fs::remove_file(&other).unwrap();
    modes.prepare(&options).unwrap();
    let crew = &modes.memory().crew;
    // They make their states at their own pace.
    crew.each(|_| ());
    let users = Arc::strong_count(&options.network);
    crew.each(|tree| tree.set_network(Network::embedded()));
    assert!(Arc::strong_count(&options.network) < users, "the helper had it");
}
