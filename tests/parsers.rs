//! Every reader of text and files takes anything: it reads it or refuses it with a sentence, and never panics. The reader of UCI
//! lines and that of FENs have theirs beside them, with the session's lines in `tests/uci/fuzz`.

use cozy_chess::Board;
use proptest::prelude::*;
use regulus::chess::eval::network::{Accumulators, Network};
use regulus::chess::fen::Rules;
use regulus::engine::datagen::record::Record;
use regulus::engine::options::{Options, TABLE};
use regulus::engine::protocol::Setup;
use regulus::engine::setup::read_setup;
use regulus::sums::parse;

/// The hash at the end of a network file (FNV-1a).
fn hash(bytes: &[u8]) -> [u8; 8] {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()
}

/// Texts of the pieces that a reader knows, in any order.
fn of_words(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(words), 0..24).prop_map(|words| words.concat())
}

const SUM_WORDS: &[&str] = &[
    "{",
    "}",
    "|",
    "||",
    "|||",
    ",",
    "(",
    ")",
    "+",
    "-",
    "*",
    "^",
    "v",
    "±",
    "/",
    " ",
    "\n",
    "0",
    "1",
    "3",
    "1/2",
    "7/3",
    "99999999999999999999",
    "/*",
    "*/",
    "[nimber]",
    "[up_star]",
    "[domineering]",
    "[switch_game]",
    "{version 1.7}",
    "{B win}",
    "..|.#",
    "XO",
];

const GAME_WORDS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "|",
    "1",
    "d",
    "e2e4,",
    "e7e5,",
    "17",
    "-3*",
    " ",
    "x",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums(text in prop_oneof![of_words(SUM_WORDS), any::<String>()]) {
        let _ = parse::parse(&text);
    }

    #[test]
    fn games(text in prop_oneof![of_words(GAME_WORDS), any::<String>()]) {
        let _ = Record::read(&text);
    }

    #[test]
    fn moves(texts in prop::collection::vec("[a-h][1-8][a-h][1-8][qrbnk]?|.{0,6}", 0..40), chess960: bool) {
        let rules = if chess960 { Rules::Chess960 } else { Rules::Standard };
        let _ = read_setup(&Setup { fen: None, moves: texts }, rules);
    }

    /// What is refused changes nothing.
    #[test]
    fn options(row in 0..TABLE.len(), value in prop::option::of("-?[0-9]{0,20}|true|.{0,20}")) {
        let row = &TABLE[row];
        // Whatever a file is called, these tests write none.
        prop_assume!(!row.name.contains("File"));
        let mut options = Options::default();
        let before = options.clone();
        if options.set(row.name, value.as_deref()).is_err() {
            prop_assert_eq!(options, before);
        }
    }
}

proptest! {
    // Each case copies and hashes two megabytes.
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// A network with some other bytes and the right hash: refused, or good for an evaluation that does not overflow.
    #[test]
    fn networks(changes in prop::collection::vec((0usize..2_000_000, any::<u8>()), 0..40), cut in 0usize..4_000_000) {
        let mut bytes = Network::embedded().bytes().to_vec();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(cut);
        if let Some(hashed) = bytes.len().checked_sub(8) {
            let right = hash(&bytes[..hashed]);
            bytes[hashed..].copy_from_slice(&right);
        }
        if let Ok(network) = Network::parse(bytes) {
            let board = Board::startpos();
            network.evaluate(&mut Accumulators::new(&network, &board), &board);
        }
    }

    /// The headers decide how much is read: each of their bytes may be anything.
    #[test]
    fn network_headers(at in 0usize..40, byte: u8) {
        let mut bytes = Network::embedded().bytes().to_vec();
        bytes[at] = byte;
        let _ = Network::parse(bytes);
    }
}
