//! The command line of Regulus.

fn main() {}
