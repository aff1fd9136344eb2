//! Holds the arrows between the modules: `main -> uci, bench -> engine -> chess -> bstar`, `main -> sums ->
//! bstar`, never back; and the core needs nothing but the standard library.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module with those that it may import. `main` may import all.
const ARROWS: &[(&str, &[&str])] = &[
    ("bstar", &[]),
    ("sums", &["bstar"]),
    ("chess", &["bstar"]),
    ("engine", &["chess", "bstar"]),
    ("uci", &["engine"]),
    ("bench", &["engine"]),
];

/// The modules that may use no package.
const STANDARD_LIBRARY_ONLY: &[&str] = &["bstar"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// The top-level module that a file belongs to.
fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix(source()).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// Lines of code, comments and documentation left out, with their numbers.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.starts_with("//"))
}

/// The names that follow `root::` in a line, a brace's list included as far as the line goes.
fn named_after(line: &str, root: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices(root) {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let rest = line[at + root.len()..].trim_start_matches('{');
        let is_list = line[at + root.len()..].starts_with('{');
        let parts: Vec<&str> = if is_list { rest.split(',').collect() } else { vec![rest] };
        for part in parts {
            let name: String =
                part.trim().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            names.push(name);
        }
    }
    names
}

/// Every module of the crate that a line names.
fn imports(line: &str) -> Vec<String> {
    ["crate::", "regulus::"].iter().flat_map(|root| named_after(line, root)).collect()
}

#[test]
fn imports_point_one_way() {
    let mut files = Vec::new();
    files_below(&source(), &mut files);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in files {
        let module = module_of(&file);
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else { continue };
        for (number, line) in code_lines(&fs::read_to_string(&file).unwrap()) {
            for import in imports(line) {
                seen += 1;
                let known = ARROWS.iter().any(|(name, _)| *name == import);
                if known && import != module && !allowed.contains(&import.as_str()) {
                    wrong.push(format!("{}:{number}: {module} -> {import}", file.display()));
                }
            }
        }
    }
    assert!(seen > 20, "the test reads no imports");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The packages of the manifest, as they are named in code.
fn packages() -> Vec<String> {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let tables = manifest.split("\n[").filter(|table| table.contains("dependencies]"));
    tables
        .flat_map(|table| table.lines().skip(1))
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect()
}

#[test]
fn every_module_has_its_arrows() {
    for entry in fs::read_dir(source()).unwrap() {
        let name = module_of(&entry.unwrap().path());
        let known =
            ["lib", "main"].contains(&name.as_str()) || ARROWS.iter().any(|(module, _)| *module == name);
        assert!(known, "the module {name} has no row in ARROWS");
    }
}

#[test]
fn the_core_needs_the_standard_library_only() {
    let packages = packages();
    assert!(packages.contains(&"cozy_chess".to_owned()), "the test reads no packages");
    for module in STANDARD_LIBRARY_ONLY {
        let mut files = Vec::new();
        files_below(&source().join(module), &mut files);
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            // Tests may use what they like; they stand last in a file.
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            for (number, line) in code_lines(text) {
                for package in &packages {
                    let named = !named_after(line, &format!("{package}::")).is_empty();
                    assert!(!named, "{}:{number}: {line}", file.display());
                }
            }
        }
    }
}

#[test]
fn the_reader_of_imports_sees_what_it_should() {
    assert_eq!(imports("use crate::chess::fen::Rules;"), ["chess"]);
    assert_eq!(imports("use crate::{bstar, chess::Position};"), ["bstar", "chess"]);
    assert_eq!(imports("let x = crate::uci::run(regulus::engine::start());"), ["uci", "engine"]);
    assert!(imports("use supercrate::chess;").is_empty());
}
