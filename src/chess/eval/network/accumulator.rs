//! The first layer's sums for both sides along a line of play, brought up to date when they are asked for.
//!
//! ```text
//! frame    0 (set-up)     1            2            3 (top)
//!          sums, sums     changes      changes      changes      one change list for a move, shared by both sides
//! ready    W  B           W  B         -  B         -  -
//! ```
//!
//! A move only notes which men came and went. Asked for White's sums at 3, the nearest ready frame (1) is carried forward
//! over 2, which is ready from then on, since its other successors will want it. When a king crosses between the
//! files a-d and e-h, the whole board is seen mirrored from its side: that side's sums are built anew at once, so that
//! no change list ever leads across.

use super::format::Network;
use super::simd::Block;
use cozy_chess::{Board, Color, File, Piece, Square};

/// Men that one move can put down or take away: two in castling, one man and a captured one.
const MOST_CHANGES: usize = 2;

/// A list of at most [`MOST_CHANGES`] men.
#[derive(Clone, Copy, Default, Debug)]
struct Men {
    count: u8,
    features: [u16; MOST_CHANGES],
}

impl Men {
    fn push(&mut self, feature: u16) {
        self.features[self.count as usize] = feature;
        self.count += 1;
    }

    /// The features as `color` sees them.
    fn seen_by(&self, color: Color, mirrored: bool) -> Men {
        let mut seen = *self;
        seen.features.iter_mut().for_each(|feature| *feature = seen_from(*feature, color, mirrored));
        seen
    }

    fn as_slice(&self) -> &[u16] {
        &self.features[..self.count as usize]
    }
}

/// What is known after one move.
#[derive(Clone, Copy, Default, Debug)]
struct Frame {
    added: Men,
    removed: Men,
    /// By colour: its sums at this frame are right.
    ready: [bool; 2],
    /// By colour: its king stands on files a-d, so it sees the board mirrored.
    mirrored: [bool; 2],
}

/// A man's feature as White sees it unmirrored: 384 for Black + 64 for each kind of piece + the square.
fn feature(color: Color, piece: Piece, square: usize) -> u16 {
    (384 * color as usize + 64 * piece as usize + square) as u16
}

/// The same man as `color` sees it: own men first, own side at the bottom, mirrored or not.
fn seen_from(feature: u16, color: Color, mirrored: bool) -> u16 {
    let flipped = match color {
        Color::White => feature,
        // 384 is three times 128: swapping the halves and turning the ranks.
        Color::Black => (if feature < 384 { feature + 384 } else { feature - 384 }) ^ 56,
    };
    if mirrored { flipped ^ 7 } else { flipped }
}

fn is_mirrored(board: &Board, color: Color) -> bool {
    board.king(color).file() < File::E
}

/// The accumulators of one line of play, for one network.
#[derive(Clone, Debug)]
pub struct Accumulators {
    frames: Vec<Frame>,
    /// Two rows (White, Black) a frame; grows, never shrinks.
    sums: Vec<Block>,
    /// Blocks a row.
    row: usize,
    top: usize,
}

impl Accumulators {
    /// Standing at `board`.
    pub fn new(network: &Network, board: &Board) -> Self {
        let row = network.row();
        let mut new = Self { frames: vec![Frame::default()], sums: vec![Block::ZERO; 2 * row], row, top: 0 };
        new.refresh(network, board);
        new
    }

    /// Forgets the line and stands at `board`.
    pub fn refresh(&mut self, network: &Network, board: &Board) {
        self.top = 0;
        self.frames[0] = Frame::default();
        for color in Color::ALL {
            self.build(network, board, color);
        }
    }

    /// A move led from `before` to `after`.
    pub fn play(&mut self, network: &Network, before: &Board, after: &Board) {
        let mut frame = Frame { mirrored: self.frames[self.top].mirrored, ..Frame::default() };
        for color in Color::ALL {
            for piece in Piece::ALL {
                let (old, new) = (before.colored_pieces(color, piece), after.colored_pieces(color, piece));
                (old - new)
                    .into_iter()
                    .for_each(|square| frame.removed.push(feature(color, piece, square as usize)));
                (new - old)
                    .into_iter()
                    .for_each(|square| frame.added.push(feature(color, piece, square as usize)));
            }
        }
        self.push(frame);
        let mover = before.side_to_move();
        if is_mirrored(after, mover) != frame.mirrored[mover as usize] {
            self.build(network, after, mover);
        }
    }

    /// The man on `square` of `board`, the current position, vanishes. Not for kings.
    pub fn remove(&mut self, board: &Board, square: Square) {
        let mut frame = Frame { mirrored: self.frames[self.top].mirrored, ..Frame::default() };
        if let (Some(piece), Some(owner)) = (board.piece_on(square), board.color_on(square)) {
            frame.removed.push(feature(owner, piece, square as usize));
        }
        self.push(frame);
    }

    /// The side to move passed.
    pub fn pass(&mut self) {
        self.push(Frame { mirrored: self.frames[self.top].mirrored, ..Frame::default() });
    }

    /// Takes the last move or pass back. Nothing happens at the set-up position.
    pub fn undo(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// The sums of the current position as `color` sees it.
    pub fn current(&mut self, network: &Network, color: Color) -> &[Block] {
        let mut ready = self.top;
        while !self.frames[ready].ready[color as usize] {
            ready -= 1; // frame 0 is always ready
        }
        for frame in ready + 1..=self.top {
            self.carry(network, frame, color);
        }
        let start = self.start(self.top, color);
        &self.sums[start..start + self.row]
    }

    fn start(&self, frame: usize, color: Color) -> usize {
        (2 * frame + color as usize) * self.row
    }

    fn push(&mut self, frame: Frame) {
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.push(frame);
            self.sums.resize(2 * self.row * self.frames.len(), Block::ZERO);
        } else {
            self.frames[self.top] = frame;
        }
    }

    /// Makes a frame's sums from those of the one before.
    fn carry(&mut self, network: &Network, frame: usize, color: Color) {
        let Frame { added, removed, mirrored, .. } = self.frames[frame];
        let mirrored = mirrored[color as usize];
        let (from, start) = (self.start(frame - 1, color), self.start(frame, color));
        let (before, after) = self.sums.split_at_mut(start);
        network.update(
            &before[from..from + self.row],
            &mut after[..self.row],
            added.seen_by(color, mirrored).as_slice(),
            removed.seen_by(color, mirrored).as_slice(),
        );
        self.frames[frame].ready[color as usize] = true;
    }

    /// Makes the top frame's sums from the board.
    fn build(&mut self, network: &Network, board: &Board, color: Color) {
        let mirrored = is_mirrored(board, color);
        let mut features = [0; 64];
        let mut count = 0;
        for square in board.occupied() {
            if let (Some(piece), Some(owner)) = (board.piece_on(square), board.color_on(square)) {
                features[count] = seen_from(feature(owner, piece, square as usize), color, mirrored);
                count += 1;
            }
        }
        let start = self.start(self.top, color);
        let sums = &mut self.sums[start..start + self.row];
        network.update(network.first_bias(), sums, &features[..count], &[]);
        let frame = &mut self.frames[self.top];
        frame.mirrored[color as usize] = mirrored;
        frame.ready[color as usize] = true;
    }
}
