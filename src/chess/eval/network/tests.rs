use super::format::{MAGIC, VERSION};
use super::simd::{Block, LANES, MIDDLE, PAIRS, Pair, Sums};
use super::*;
use cozy_chess::{Color, File, Rank, Square};

/// A small generator (xorshift, Marsaglia 2003): tests need the same games every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// The start positions of random games: usual, Chess960, and some where castling, promotion and en passant are near.
fn starts() -> Vec<Board> {
    let mut boards = vec![Board::startpos()];
    boards.extend((0..12).map(|number| Board::chess960_startpos(number * 79)));
    let near = [
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
        "8/P1k4P/8/3pP3/3Pp3/8/p1K4p/8 w - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ];
    boards.extend(near.map(|fen| Board::from_fen(fen, false).unwrap()));
    // King and rook change places when castling short: no square changes hands.
    boards.push(Board::from_fen("4kr2/pppppppp/8/8/8/8/PPPPPPPP/5KR1 w Gf - 0 1", true).unwrap());
    boards
}

/// The position with the colours changed: the same for the side to move.
fn flipped(board: &Board) -> Board {
    let text = format!("{board}");
    let fields: Vec<&str> = text.split(' ').collect();
    let swap = |text: &str| -> String {
        let change =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(change).collect()
    };
    let rows: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let mover = if fields[1] == "w" { "b" } else { "w" };
    Board::from_fen(&format!("{} {mover} - - 0 1", rows.join("/")), false).unwrap()
}

/// The board mirrored from left to right, without castling rights: the same features.
fn mirrored(board: &Board) -> Board {
    let rows: Vec<String> = (0..8)
        .rev()
        .map(|rank| {
            let square = |file: usize| Square::new(File::index(7 - file), Rank::index(rank));
            let letter = |square| match (board.piece_on(square), board.color_on(square)) {
                (Some(piece), Some(Color::White)) => char::from(piece).to_ascii_uppercase(),
                (Some(piece), _) => char::from(piece),
                (None, _) => '1',
            };
            (0..8).map(|file| letter(square(file))).collect()
        })
        .collect();
    let mover = if board.side_to_move() == Color::White { "w" } else { "b" };
    Board::from_fen(&format!("{} {mover} - - 0 1", rows.join("/")), false).unwrap()
}

/// Plays random games with passes and steps back, and shows each position with its line.
fn wander(network: &Network, games: usize, mut visit: impl FnMut(&Board, &mut Accumulators)) {
    let mut random = Random(0x5eed);
    let starts = starts();
    for game in 0..games {
        let mut past = vec![starts[game % starts.len()].clone()];
        let mut line = Accumulators::new(network, &past[0]);
        for _ in 0..150 {
            let board = past[past.len() - 1].clone();
            let moves = legal_moves(&board);
            let choice = random.below(10);
            if (choice == 0 || moves.is_empty()) && past.len() > 1 {
                past.pop();
                line.undo();
            } else if choice == 1 && board.null_move().is_some() {
                past.push(board.null_move().unwrap());
                line.pass();
            } else if !moves.is_empty() {
                let mut after = board.clone();
                after.play(moves[random.below(moves.len())]);
                line.play(network, &board, &after);
                past.push(after);
            }
            // Not every position is asked for: some are carried over.
            if random.below(3) > 0 {
                visit(&past[past.len() - 1], &mut line);
            }
        }
    }
}

fn all(network: &Network, line: &mut Accumulators, board: &Board) -> (i32, Forecast, [u16; 3]) {
    (network.evaluate(line, board), network.forecast(line, board), network.win_draw_loss(line, board))
}

#[test]
fn carried_along_equals_built_anew() {
    let network = Network::embedded();
    let mut visited = 0;
    wander(&network, 150, |board, line| {
        let mut fresh = Accumulators::new(&network, board);
        for color in Color::ALL {
            assert_eq!(line.current(&network, color), fresh.current(&network, color), "{board}");
        }
        assert_eq!(all(&network, line, board), all(&network, &mut fresh, board), "{board}");
        visited += 1;
    });
    assert!(visited > 5_000, "{visited}");
}

#[test]
fn every_backend_gives_the_same() {
    let portable = Network::clone(&Network::embedded()).with_backend(Backend::PORTABLE);
    for backend in Backend::available() {
        let other = portable.clone().with_backend(backend);
        wander(&portable, 30, |board, line| {
            let mut fresh = Accumulators::new(&other, board);
            assert_eq!(
                all(&portable, line, board),
                all(&other, &mut fresh, board),
                "{} {board}",
                backend.name()
            );
        });
    }
}

#[test]
fn backends_agree_on_extreme_numbers() {
    let mut random = Random(7);
    let mut block = |bound: i16| {
        let mut block = Block::ZERO;
        block.0.iter_mut().for_each(|number| {
            *number = (random.below(2 * bound as usize + 1) as i32 - i32::from(bound)) as i16
        });
        block
    };
    let table: Vec<Block> = (0..8).map(|_| block(i16::MAX)).collect();
    let values = [Block([i16::MIN; LANES]), block(i16::MAX), Block([i16::MAX; LANES]), block(300)];
    let pairs = |least: i16| {
        let row =
            |pair: usize| Pair(std::array::from_fn(|index| least + ((pair * 7 + index * 13) % 255) as i16));
        std::array::from_fn::<_, PAIRS, _>(row)
    };
    let weights = [pairs(-128), pairs(-127), [Pair([-128; 2 * MIDDLE]); PAIRS], pairs(-128)];
    let mut expected_sums = Sums(std::array::from_fn(|neuron| i32::MAX - 3 * neuron as i32));
    for (block, weights) in values.iter().zip(&weights) {
        for (lane, value) in block.0.iter().enumerate() {
            let active = (i32::from((*value).clamp(0, 255)).pow(2) + 128) / 256;
            for (neuron, sum) in expected_sums.0.iter_mut().enumerate() {
                let weight = weights[lane / 2].0[2 * neuron + lane % 2];
                *sum = sum.wrapping_add(active * i32::from(weight));
            }
        }
    }
    let mut expected = [Block::ZERO; 2];
    for (index, to) in expected.iter_mut().enumerate() {
        for lane in 0..LANES {
            to.0[lane] = values[index].0[lane]
                .wrapping_add(table[2 + index].0[lane])
                .wrapping_sub(table[6 + index].0[lane])
                .wrapping_sub(table[index].0[lane]);
        }
    }
    for backend in Backend::available() {
        let mut sums = Sums(std::array::from_fn(|neuron| i32::MAX - 3 * neuron as i32));
        backend.dense(&values, &weights, &mut sums);
        assert_eq!(sums, expected_sums, "{}", backend.name());
        let mut sums = [Block::ZERO; 2];
        backend.update(&values[..2], &mut sums, &table, &[1], &[3, 0]);
        assert_eq!(sums, expected, "{}", backend.name());
    }
}

#[test]
fn colours_changed_or_mirrored_is_the_same_for_the_mover() {
    let network = Network::embedded();
    wander(&network, 30, |board, line| {
        let value = all(&network, line, board);
        for same in [flipped(board), mirrored(board)] {
            let mut fresh = Accumulators::new(&network, &same);
            assert_eq!(value, all(&network, &mut fresh, &same), "{board} / {same}");
        }
    });
}

#[test]
fn the_interval_holds_the_value_and_chances_add_up() {
    let network = Network::embedded();
    let mut widths = Vec::new();
    wander(&network, 30, |board, line| {
        let forecast = network.forecast(line, board);
        assert!(
            forecast.lower <= forecast.realistic && forecast.realistic <= forecast.upper,
            "{forecast:?} {board}"
        );
        assert_eq!(network.evaluate(line, board), forecast.realistic);
        assert_eq!(network.win_draw_loss(line, board).iter().sum::<u16>(), 1000);
        widths.push(forecast.upper - forecast.lower);
    });
    widths.sort_unstable();
    assert!(widths[widths.len() / 10] < widths[widths.len() * 9 / 10], "every interval is as wide");
}

#[test]
fn a_man_taken_away_is_a_board_without_it() {
    let network = Network::embedded();
    let board = |fen| Board::from_fen(fen, false).unwrap();
    let full = board("4k2r/2q3p1/8/3N4/8/8/1P6/R3K3 w - - 0 1");
    let without = [
        (Square::D5, board("4k2r/2q3p1/8/8/8/8/1P6/R3K3 w - - 0 1")),
        (Square::C7, board("4k2r/6p1/8/3N4/8/8/1P6/R3K3 w - - 0 1")),
    ];
    let values = network.evaluate_without(&full);
    assert_eq!(values.len(), 6);
    for (square, rest) in without {
        let value = network.evaluate(&mut Accumulators::new(&network, &rest), &rest);
        assert!(values.contains(&(square, value)), "{square}: {value} in {values:?}");
    }
}

#[test]
fn unreadable_files_are_told_by_name() {
    let missing = Network::read(Path::new("no/such.net")).unwrap_err();
    assert!(missing.starts_with("no/such.net: "), "{missing}");
    let other = Network::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))).unwrap_err();
    assert!(other.ends_with("not a Regulus network file"), "{other}");
}

#[test]
fn a_queen_is_worth_much_and_the_start_little() {
    let network = Network::embedded();
    let value = |fen: &str| {
        let board = Board::from_fen(fen, false).unwrap();
        network.evaluate(&mut Accumulators::new(&network, &board), &board)
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(value(start).abs() < 100);
    assert!(value(&start.replace("bqk", "b1k")) > 400);
    assert!(value(&start.replace("BQK", "B1K")) < -400);
}

/// A file with a wrong part is refused, for that reason.
#[test]
fn bad_files_are_told_apart() {
    let good = Network::embedded().bytes().to_vec();
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Network::parse(file).map(|_| ()).unwrap_err()
    };
    assert_eq!(Network::parse(good.clone()).unwrap().bytes(), good);
    assert_eq!(Network::parse(&b""[..]).map(|_| ()).unwrap_err(), NetworkError::NotANetwork);
    assert_eq!(Network::parse(&MAGIC[..]).map(|_| ()).unwrap_err(), NetworkError::NotANetwork);
    assert_eq!(changed(0, b"X"), NetworkError::NotANetwork);
    assert_eq!(changed(8, &[9]), NetworkError::Version(9));
    assert_eq!(changed(12, &100_u32.to_le_bytes()), NetworkError::Width(100));
    assert_eq!(changed(12, &0_u32.to_le_bytes()), NetworkError::Width(0));
    assert_eq!(changed(12, &u32::MAX.to_le_bytes()), NetworkError::Width(u32::MAX));
    assert_eq!(changed(16, &u32::MAX.to_le_bytes()), NetworkError::Description);
    assert_eq!(changed(5_000, &[good[5_000] ^ 1]), NetworkError::Damaged);
    let expected = good.len();
    let short = Network::parse(good[..expected - 1].to_vec()).map(|_| ()).unwrap_err();
    assert_eq!(short, NetworkError::Size { expected, found: expected - 1 });
    let wider = changed(12, &2048_u32.to_le_bytes());
    assert!(matches!(wider, NetworkError::Size { found, .. } if found == expected), "{wider}");
}

/// A well-formed file whose first layer would overflow, or whose correction curve does not rise.
#[test]
fn weights_out_of_range_are_refused() {
    let file = |first: i16, knot: i32| {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, 128, 0].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend((0..128 * 769).flat_map(|_| first.to_le_bytes()));
        bytes.extend([0; 8 * (16 * (256 + 4) + 5 * (32 * 2 + 4))]);
        bytes
            .extend((1..=24).flat_map(|n: i32| [(n - 1) % 12 + 1, knot * n].map(i32::to_le_bytes)).flatten());
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        bytes.extend(hash.to_le_bytes());
        Network::parse(bytes).map(|network| network.width())
    };
    assert_eq!(file(992, 1), Ok(128));
    assert_eq!(file(993, 1), Err(NetworkError::Weights));
    assert_eq!(file(-993, 1), Err(NetworkError::Weights));
    assert_eq!(file(0, -1), Err(NetworkError::Weights));
}
