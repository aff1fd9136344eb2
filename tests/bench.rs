//! The node signature: `bench` visits exactly as many nodes as `tests/bench.signature` says. A commit that
//! changes the search or the evaluation renews it with `REGULUS_RENEW=1 cargo test --test bench` and ends its
//! message with `Bench: N`.

use regulus::bench;
use regulus::engine::searcher::{Interrupted, Monitor, Unwatched};
use std::fs;
use std::path::Path;

struct Hasty;

impl Monitor for Hasty {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        Err(Interrupted)
    }
}

#[test]
fn the_signature_is_the_written_one() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench.signature");
    let mut lines = Vec::new();
    let total = bench::run(&mut Unwatched, &mut |line| lines.push(line)).unwrap();
    let last = lines.last().unwrap();
    assert_eq!(*last, format!("{} nodes {} nps", total.nodes, total.nodes_per_second()));
    if std::env::var_os("REGULUS_RENEW").is_some() {
        fs::write(&file, format!("{}\n", total.nodes)).unwrap();
    }
    let written: u64 = fs::read_to_string(&file).unwrap().trim().parse().unwrap();
    assert_eq!(total.nodes, written, "see the top of tests/bench.rs\n{}", lines.join("\n"));
}

#[test]
fn an_interrupted_bench_has_no_total() {
    let mut lines = Vec::new();
    assert_eq!(bench::run(&mut Hasty, &mut |line| lines.push(line)), Err(Interrupted));
    assert!(lines.is_empty(), "{lines:?}");
}
