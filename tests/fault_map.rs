//! `docs/faults.md` names tests; each of them exists where it says.

use std::fs;
use std::path::{Path, PathBuf};

/// The names of tests in the map: `file::test` for the integration tests, `module::test` for the sources.
fn named() -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2))
        .filter(|quoted| quoted.contains("::"))
        .map(str::to_owned)
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The files in which a test of this module may stand: its own, or one of its tests.
fn places(module: &str) -> Vec<PathBuf> {
    let path = module.replace("::", "/");
    ["tests", "src"]
        .iter()
        .flat_map(|top| {
            ["", "/mod", "/main", "/tests"].map(|end| root().join(top).join(format!("{path}{end}.rs")))
        })
        .collect()
}

fn holds(file: &Path, test: &str) -> bool {
    fs::read_to_string(file).is_ok_and(|text| {
        text.match_indices(&format!("fn {test}(")).any(|(at, _)| text[..at].trim_end().ends_with("#[test]"))
            || text.contains(&format!("\n        fn {test}(")) && text.contains("proptest! {")
    })
}

#[test]
fn every_test_that_the_map_of_faults_names_exists() {
    let named = named();
    assert!(named.len() > 50, "the test reads no names");
    let missing: Vec<&String> = named
        .iter()
        .filter(|name| {
            let (module, test) = name.rsplit_once("::").unwrap();
            !places(module).iter().any(|file| holds(file, test))
        })
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
