//! The learned evaluation: a small network that gives a realistic value and how far a deeper search may stray from it.
//!
//! ```text
//!   768 features as the side to move sees them ──W──> N sums ─┐                realistic value
//!                                                             ├──V──> 16 ──U──> lower width, upper width
//!   768 features as the other side sees them ────W──> N sums ─┘                win, loss
//! ```
//!
//! `W` serves both sides; `V` and `U` are one of eight, by the number of men. The N sums go on as squared clipped ReLU,
//! the 16 as clipped ReLU and its square. A feature is (own or other's man, kind of piece,
//! square), the board turned so that the seeing side plays upwards and its king stands on files e-h. The first layer is
//! kept up to date along a line of play (efficiently updatable neural network, Nasu 2018; two sides and a squared
//! clipped activation as is common in chess engines since). All arithmetic is on integers, so that every processor
//! gives the same values.
//!
//! The two widths are the distances from the realistic value to the 10 % and the 90 % quantile of a deeper search's
//! score (pinball loss, Koenker and Bassett 1978): a nominal 80 % interval.
//!
//! - `format`: the file, and the tables that it fills;
//! - `accumulator`: the first layer along a line of play;
//! - `simd`: the inner loops, in one version for each instruction set.

mod accumulator;
mod format;
mod simd;
#[cfg(test)]
mod tests;

pub use accumulator::Accumulators;
pub use format::{Network, NetworkError};
pub use simd::Backend;

use super::{Evaluator, endings};
use cozy_chess::{Board, Color, Move, Piece, Square};
use format::{BUCKETS, MIDDLE_ONE};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Centipawns of an output of 1.0. Part of the file format: training divides the scores by it.
const UNIT: i64 = 400;
/// 1.0 in the scale of an output.
const OUTPUT_ONE: i64 = MIDDLE_ONE;
/// Values are clamped to plus and minus this many centipawns. Training saturates its scores at 2,000, so that nothing
/// beyond means anything; the rest leaves room for the order of won positions.
const LIMIT: i64 = 10_000;

// The outputs, in the order of the file.
const REALISTIC: usize = 0;
const LOWER: usize = 1;
const UPPER: usize = 2;
const WIN: usize = 3;
const LOSS: usize = 4;

/// What the network says of a position, in centipawns on the scale of the training scores, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// A deeper search's score lies below this once in ten times.
    pub lower: i32,
    /// The value.
    pub realistic: i32,
    /// A deeper search's score lies above this once in ten times.
    pub upper: i32,
}

/// The network that is built into the program.
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let bytes: &'static [u8] = include_bytes!(env!("REGULUS_NETWORK"));
    Arc::new(Network::parse(bytes).expect("the embedded network is tested"))
});

impl Network {
    /// The network that is built into the program.
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// A sentence for the user when it cannot be read or is not for this engine.
    pub fn read(path: &Path) -> Result<Arc<Self>, String> {
        let told = |reason: String| format!("{}: {reason}", path.display());
        let bytes = fs::read(path).map_err(|error| told(error.to_string()))?;
        Self::parse(bytes).map(Arc::new).map_err(|error| told(error.to_string()))
    }

    /// The realistic value of `board`, at which `line` stands: centipawns from the side to move.
    pub fn evaluate(&self, line: &mut Accumulators, board: &Board) -> i32 {
        self.value(line, board.side_to_move(), men(board))
    }

    /// What [`evaluate`](Self::evaluate) says without each man but the kings: by square, from the side to move.
    pub fn evaluate_without(&self, board: &Board) -> Vec<(Square, i32)> {
        let mut line = Accumulators::new(self, board);
        let squares = board.occupied() - board.pieces(Piece::King);
        let without = |square| {
            line.remove(board, square);
            let value = self.value(&mut line, board.side_to_move(), men(board) - 1);
            line.undo();
            (square, value)
        };
        squares.into_iter().map(without).collect()
    }

    fn value(&self, line: &mut Accumulators, mover: Color, men: usize) -> i32 {
        let [realistic] = self.outputs(line, mover, men, [REALISTIC]);
        to_centipawns(realistic).clamp(-LIMIT, LIMIT) as i32
    }

    /// The realistic value of `board`, at which `line` stands, and its quantiles.
    pub fn forecast(&self, line: &mut Accumulators, board: &Board) -> Forecast {
        let [realistic, lower, upper] =
            self.outputs(line, board.side_to_move(), men(board), [REALISTIC, LOWER, UPPER]);
        let realistic = to_centipawns(realistic).clamp(-LIMIT, LIMIT);
        let [below, above] = [lower, upper].map(|output| to_centipawns(squareplus(output)));
        let lower = realistic - self.corrections[0].apply(below);
        let upper = realistic + self.corrections[1].apply(above);
        Forecast {
            lower: lower.max(-2 * LIMIT) as i32,
            realistic: realistic as i32,
            upper: upper.min(2 * LIMIT) as i32,
        }
    }

    /// The chances in games like those of the training, in thousandths that add up to 1,000: win, draw, loss for the side
    /// to move.
    pub fn win_draw_loss(&self, line: &mut Accumulators, board: &Board) -> [u16; 3] {
        let [win, loss] = self
            .outputs(line, board.side_to_move(), men(board), [WIN, LOSS])
            .map(|output| output as f64 / OUTPUT_ONE as f64);
        // Softmax with the draw's exponent 0; the greatest is taken out so that nothing overflows.
        let greatest = win.max(loss).max(0.0);
        let [win, draw, loss] = [win, 0.0, loss].map(|exponent| (exponent - greatest).exp());
        let share = |part: f64| (1000.0 * part / (win + draw + loss)).round() as u16;
        let (win, loss) = (share(win), share(loss).min(1000 - share(win)));
        [win, 1000 - win - loss, loss]
    }

    /// The named outputs, 1.0 = [`OUTPUT_ONE`].
    fn outputs<const COUNT: usize>(
        &self,
        line: &mut Accumulators,
        mover: Color,
        men: usize,
        names: [usize; COUNT],
    ) -> [i64; COUNT] {
        let bucket = (men.saturating_sub(2) / 4).min(BUCKETS - 1);
        let mut sums = self.second_bias(bucket);
        for (half, color) in [mover, !mover].into_iter().enumerate() {
            let values = line.current(self, color);
            self.add_half(values, bucket, half, &mut sums);
        }
        self.third(bucket, &sums, names)
    }
}

fn men(board: &Board) -> usize {
    board.occupied().len() as usize
}

fn to_centipawns(output: i64) -> i64 {
    output * UNIT / OUTPUT_ONE
}

/// (x + sqrt(x² + 1)) / 2: positive and smooth (Barron 2021), and exact in integers, unlike softplus.
fn squareplus(output: i64) -> i64 {
    (output + (output * output + OUTPUT_ONE * OUTPUT_ONE).isqrt()) / 2
}

/// Forecasts that a line remembers: a power of two, some times the number of positions of which a tree asks again and again.
const REMEMBERED: usize = 1_024;

/// A network together with the line of play at which it stands.
#[derive(Clone, Debug)]
pub struct NetworkLine {
    network: Arc<Network>,
    line: Accumulators,
    /// The last forecasts, each in the place that its position's hash gives it: they depend on nothing but the position and
    /// what a draw is worth.
    forecasts: Box<[Option<(u64, Forecast)>]>,
    /// What a draw is worth to White, in centipawns: of a [known ending](endings), too.
    draw_for_white: i32,
}

impl NetworkLine {
    /// Standing at `board`.
    pub fn new(network: Arc<Network>, board: &Board) -> Self {
        let line = Accumulators::new(&network, board);
        Self { network, line, forecasts: vec![None; REMEMBERED].into_boxed_slice(), draw_for_white: 0 }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Goes on with another network, standing at `board`.
    pub fn set_network(&mut self, network: Arc<Network>, board: &Board) {
        *self = Self { draw_for_white: self.draw_for_white, ..Self::new(network, board) };
    }

    /// What a draw is worth to White from now on, in centipawns.
    pub fn set_draw_for_white(&mut self, value: i32) {
        if self.draw_for_white != value {
            self.draw_for_white = value;
            self.forecasts.fill(None);
        }
    }

    /// What a draw is worth to `side`, in centipawns.
    pub fn draw_for(&self, side: Color) -> i32 {
        if side == Color::White { self.draw_for_white } else { -self.draw_for_white }
    }

    /// See [`Network::forecast`]; of a [known ending](endings) what is known.
    pub fn forecast(&mut self, board: &Board) -> Forecast {
        let hash = board.hash();
        let place = hash as usize % REMEMBERED;
        match self.forecasts[place] {
            Some((of, forecast)) if of == hash => forecast,
            _ => {
                let known = endings::forecast(board, self.draw_for(board.side_to_move()));
                let forecast = known.unwrap_or_else(|| self.network.forecast(&mut self.line, board));
                self.forecasts[place] = Some((hash, forecast));
                forecast
            }
        }
    }

    /// See [`Network::win_draw_loss`].
    pub fn win_draw_loss(&mut self, board: &Board) -> [u16; 3] {
        self.network.win_draw_loss(&mut self.line, board)
    }
}

impl Default for NetworkLine {
    /// The embedded network at the start position.
    fn default() -> Self {
        Self::new(Network::embedded(), &Board::startpos())
    }
}

impl Evaluator for NetworkLine {
    fn refresh(&mut self, board: &Board) {
        self.line.refresh(&self.network, board);
    }

    fn play(&mut self, before: &Board, _action: Move, after: &Board) {
        self.line.play(&self.network, before, after);
    }

    fn pass(&mut self) {
        self.line.pass();
    }

    fn undo(&mut self) {
        self.line.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        let known = endings::value(board, self.draw_for(board.side_to_move()));
        known.unwrap_or_else(|| self.network.evaluate(&mut self.line, board))
    }
}
