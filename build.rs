//! Which network the program carries: the file that the environment variable EVALFILE names, else the one in `networks/`.

use std::fs;
use std::path::{Path, PathBuf};

/// The network that was trained for this version.
const OWN: &str = "networks/regulus-3.net";

/// How a network file begins.
const MAGIC: &[u8] = b"REGULUSN";

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let asked = std::env::var_os("EVALFILE").filter(|file| !file.is_empty());
    let file = root.join(asked.as_deref().map_or(Path::new(OWN), Path::new));
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(bytes.starts_with(MAGIC), "{} is no network for Regulus", file.display());
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=REGULUS_NETWORK={}", file.display());
}
