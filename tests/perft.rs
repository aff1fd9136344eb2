//! Move generation counted to the leaves: public reference counts, standard and Chess960.

use cozy_chess::Board;
use regulus::engine::perft::count;
use regulus::engine::searcher::Unwatched;

/// Position, depth, leaves.
const COUNTS: [(&str, u32, u64); 20] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 3, 9_467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 4, 314_346),
    ("r3k2r/8/8/8/8/8/8/2R1K2R b Kkq - 0 1", 4, 317_324),
    ("r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 0 1", 4, 320_792),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", 5, 532_933),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273_318),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", 4, 382_958),
    ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", 3, 31_058),
    ("q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9", 3, 24_566),
    // X-FEN rights "KQkq" whose rooks stand inside, written by their files.
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1", 4, 285_754),
    ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w FAfa - 0 1", 4, 541_480),
    ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w C - 0 1", 4, 118_388),
    ("2r5/8/8/8/8/8/6PP/k2KR3 w E - 0 1", 3, 3_931),
];

#[test]
fn leaf_counts_are_exact() {
    for (fen, depth, expected) in COUNTS {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(count(&board, depth, &mut Unwatched), Ok(expected), "{fen}");
    }
}
