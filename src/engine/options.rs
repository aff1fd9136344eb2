//! The options: one table row an option. The `uci` reply, the README's table and the typed [`Options`] come
//! from it.

mod tables;

use super::journal::Journal;
use super::strength;
use crate::chess::eval::network::Network;
use crate::chess::fen::Rules;
use crate::chess::tablebase::Probing;
use crate::chess::{ChessPolicy, IntervalModel, dials};
pub use dials::Row as Dial;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What the user can set, typed. [`Options::default`] is made of the rows' defaults.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Memory for graph and table together, in MiB.
    pub hash_mib: u32,
    /// Workers of a search.
    pub threads: u32,
    /// The game is played with pondering on.
    pub ponder: bool,
    /// Time lost between the clock and the engine on each move.
    pub move_overhead: Duration,
    /// Castling by Chess960's rules and in its notation.
    pub chess960: bool,
    /// How many lines are shown.
    pub multi_pv: usize,
    /// Values come with the chances of win, draw and loss.
    pub show_wdl: bool,
    /// The user analyses: nothing is forgotten, and no search ends early.
    pub analyse_mode: bool,
    /// Each line comes with how all root moves stand.
    pub live_stats: bool,
    /// Centipawns by which a draw is worse than level for the engine in a game.
    pub contempt: u32,
    /// Play at `elo`, not at full strength.
    pub limit_strength: bool,
    /// The rating to play at, when it is asked for.
    pub elo: u32,
    /// Where chance begins in such play.
    pub strength_seed: u32,
    /// Where every line in and out is written; the front end has the same.
    pub journal: Journal,
    /// Which search.
    pub search_mode: SearchMode,
    /// B\*: where intervals come from.
    pub interval_model: IntervalModel,
    /// B\*: which question is asked next.
    pub policy: ChessPolicy,
    /// What evaluates positions.
    pub network: Arc<Network>,
    /// The search's numbers that a laboratory build turns.
    pub dials: dials::Values,
    /// Endgame tables, and how they are used.
    pub tablebases: Probing,
    /// What is to be told of the endgame tables that were found.
    pub tablebase_notes: Vec<String>,
}

/// Which search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchMode {
    /// B\*.
    #[default]
    BStar,
    /// Its alpha-beta twin: the same evaluation, the same probe, run from the root.
    AlphaBeta,
}

impl SearchMode {
    /// All modes, the default first.
    pub const ALL: [Self; 2] = [Self::BStar, Self::AlphaBeta];

    /// The name by which a user chooses it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BStar => "BStar",
            Self::AlphaBeta => "AlphaBeta",
        }
    }
}

/// One option.
pub struct Row {
    /// Its name, as declared; matched without regard to case.
    pub name: &'static str,
    /// Its type, default, range, and how it is set.
    pub kind: Kind,
    /// A sentence for the user.
    pub doc: &'static str,
}

/// An option's type with its default, its range and its setter.
pub enum Kind {
    /// Yes or no.
    Check {
        /// At the start.
        default: bool,
        /// Puts it into the options.
        set: fn(&mut Options, bool),
    },
    /// A whole number.
    Spin {
        /// At the start.
        default: u32,
        /// The least allowed.
        min: u32,
        /// The greatest allowed.
        max: u32,
        /// Puts it into the options.
        set: fn(&mut Options, u32),
    },
    /// One of several names.
    Combo {
        /// The names; the first is the default.
        choices: fn() -> Vec<&'static str>,
        /// Puts the choice of this index into the options.
        set: fn(&mut Options, usize),
    },
    /// Any text.
    Text {
        /// At the start.
        default: &'static str,
        /// Puts what the text stands for into the options, or says in a sentence why it cannot.
        set: fn(&mut Options, &str) -> Result<(), String>,
    },
    /// Nothing to set: something happens.
    Button(Press),
}

/// What a button does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Press {
    /// Forgets graph and table.
    ClearHash,
}

/// All options, in the order in which they are declared. A laboratory build has the [dials](dials::TURNABLE) besides.
///
/// - *Hash*: 16 MiB is what match runners expect to find; the maximum is 128 GiB, above the largest tournament
///   machine's setting (96 GiB, TCEC).
/// - *Threads*: one, so that every search can be repeated; the maximum is above any tournament machine's setting.
/// - *Move Overhead*: 10 ms is a local runner's pipe and one late wake-up of the operating system; the tools'
///   own margin at fast time controls is of that size. A game over the network wants 100 and more. What a usual move
///   loses the engine learns from the clocks ([`Lag`](super::lag::Lag)).
pub const TABLE: &[Row] = &[
    Row {
        name: "Hash",
        kind: Kind::Spin { default: 16, min: 1, max: 131_072, set: |options, mib| options.hash_mib = mib },
        doc: "Memory in MiB for the search graph and the probes' table together.",
    },
    Row {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 512, set: |options, threads| options.threads = threads },
        doc: "Threads that search together. Node counts and speeds are sums over all.",
    },
    Row { name: "Clear Hash", kind: Kind::Button(Press::ClearHash), doc: "Forgets the graph and the table." },
    Row {
        name: "Ponder",
        kind: Kind::Check { default: false, set: |options, on| options.ponder = on },
        doc: "Tells that the game is played with pondering; a move may then take a quarter more time.",
    },
    Row {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 5_000,
            set: |options, ms| options.move_overhead = Duration::from_millis(u64::from(ms)),
        },
        doc: "Milliseconds that a move may lose between the clock and the engine; 100 or more over a network.",
    },
    Row {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false, set: |options, on| options.chess960 = on },
        doc: "Chess960 and double Chess960: castling from any squares, written as king takes rook.",
    },
    Row {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 256,
            set: |options, lines| options.multi_pv = lines as usize,
        },
        doc: "How many of the best moves are shown, each with its own exact value, line and (B*) interval.",
    },
    Row {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false, set: |options, on| options.show_wdl = on },
        doc: "Shows the chances of win, draw and loss, in thousandths, beside each score.",
    },
    Row {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false, set: |options, on| options.analyse_mode = on },
        doc: "For analysis: no search ends before its time for being sure, and there is no contempt.",
    },
    Row {
        name: "Contempt",
        kind: Kind::Spin { default: 0, min: 0, max: 200, set: |options, value| options.contempt = value },
        doc: "Centipawns that the engine would rather lose than take a draw; off in analysis (UCI_AnalyseMode, go infinite).",
    },
    Row {
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false, set: |options, on| options.limit_strength = on },
        doc: "Weaker play, at UCI_Elo: few nodes a move, and below 1580 a choice by chance among the moves; off in analysis.",
    },
    Row {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: DEFAULT_ELO,
            min: strength::LEAST,
            max: strength::MOST,
            set: |options, elo| options.elo = elo,
        },
        doc: "The rating to play at with UCI_LimitStrength, on Stockfish's scale; docs/elo.md tells how it was measured.",
    },
    Row {
        name: "StrengthSeed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 65_535,
            set: |options, seed| options.strength_seed = seed,
        },
        doc: "With UCI_LimitStrength: another number makes other choices by chance, the same number the same.",
    },
    Row {
        name: "LogLiveStats",
        kind: Kind::Check { default: false, set: |options, on| options.live_stats = on },
        doc: "With each line that is shown, tells how every root move stands; see the command moves.",
    },
    Row {
        name: "SearchMode",
        kind: Kind::Combo {
            choices: || SearchMode::ALL.map(SearchMode::name).to_vec(),
            set: |options, index| options.search_mode = nth(SearchMode::ALL, index),
        },
        doc: "B*, or its alpha-beta twin: the same evaluation and the same probe, run from the root.",
    },
    Row {
        name: "IntervalModel",
        kind: Kind::Combo {
            choices: || IntervalModel::ALL.map(IntervalModel::name).to_vec(),
            set: |options, index| options.interval_model = nth(IntervalModel::ALL, index),
        },
        doc: "B*: intervals from the network's own quantiles, from the measured error of the probes, or from what each \
              side reaches when the other passes.",
    },
    Row {
        name: "Policy",
        kind: Kind::Combo {
            choices: || ChessPolicy::all().map(|policy| policy.name()).collect(),
            set: |options, index| options.policy = nth(ChessPolicy::all(), index),
        },
        doc: "B*: which question is asked next: settled updates, or one leaf at a time by one of the classical rules.",
    },
    Row {
        name: "Debug Log File",
        kind: Kind::Text { default: EMPTY, set: set_journal },
        doc: "A file to which every line in and out is appended, with the time of day (UTC).",
    },
    Row {
        name: "EvalFile",
        kind: Kind::Text { default: EMBEDDED, set: set_network },
        doc: "The network file to evaluate with; the default is the one inside the program.",
    },
    Row {
        name: "SyzygyPath",
        kind: Kind::Text { default: EMPTY, set: tables::set_tablebases },
        doc: "The folders of Syzygy endgame tables, with `;` between them on Windows, else `:`.",
    },
    Row {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: tables::MOST_MEN,
            min: 0,
            max: tables::MOST_MEN,
            set: |options, men| options.tablebases.most_men = men,
        },
        doc: "Positions with more men than this are not looked up; 0 is none.",
    },
    Row {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 100,
            set: |options, plies| options.tablebases.least_depth = i32::try_from(plies).unwrap_or(1),
        },
        doc: "The least depth of a probe at which it looks up positions with as many men as the largest tables have.",
    },
    Row {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true, set: |options, on| options.tablebases.fifty_move_rule = on },
        doc: "Wins by the endgame tables that the fifty-move rule makes draws are draws.",
    },
];

/// The numbers of the search that can be set as options of the same name: none but in a laboratory build.
pub const DIALS: &[Dial] = dials::TURNABLE;

/// A club player, for who asks for weaker play and does not say how weak.
const DEFAULT_ELO: u32 = 1_500;

/// The network inside the program.
const EMBEDDED: &str = "<embedded>";

/// UCI's way to write no text.
const EMPTY: &str = "<empty>";

fn set_journal(options: &mut Options, file: &str) -> Result<(), String> {
    if file == EMPTY {
        options.journal.close();
        return Ok(());
    }
    options.journal.open(Path::new(file))
}

fn set_network(options: &mut Options, file: &str) -> Result<(), String> {
    options.network = match file {
        EMBEDDED => Network::embedded(),
        _ => Network::read(Path::new(file))?,
    };
    Ok(())
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            hash_mib: 0,
            threads: 0,
            ponder: false,
            move_overhead: Duration::ZERO,
            chess960: false,
            multi_pv: 1,
            show_wdl: false,
            analyse_mode: false,
            live_stats: false,
            contempt: 0,
            limit_strength: false,
            elo: 0,
            strength_seed: 0,
            journal: Journal::default(),
            search_mode: SearchMode::default(),
            interval_model: IntervalModel::default(),
            policy: ChessPolicy::default(),
            network: Network::embedded(),
            dials: dials::Values::default(),
            tablebases: Probing {
                tables: Arc::default(),
                most_men: 0,
                least_depth: 1,
                fifty_move_rule: true,
            },
            tablebase_notes: Vec::new(),
        };
        for row in TABLE {
            match row.kind {
                Kind::Check { default, set } => set(&mut options, default),
                Kind::Spin { default, set, .. } => set(&mut options, default),
                Kind::Combo { set, .. } => set(&mut options, 0),
                // What a text stands for by default is above: making it could fail.
                Kind::Text { .. } | Kind::Button(_) => {}
            }
        }
        options
    }
}

/// What a setting did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A value was set.
    Value,
    /// A button was pressed, and this is to be done.
    Pressed(Press),
}

/// Why a setting was refused; nothing was changed. Its [`Display`](fmt::Display) is a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no option of this name.
    Unknown(String),
    /// The value does not fit: the option's name, what was given, what is wanted.
    BadValue(&'static str, Option<String>, String),
    /// What the value stands for cannot be had: the option's name, and why.
    Failed(&'static str, String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "there is no option {name:?}"),
            Self::BadValue(name, Some(given), wanted) => {
                write!(f, "option {name} is {wanted}, not {given:?}; it stays as it was")
            }
            Self::BadValue(name, None, wanted) => {
                write!(f, "option {name} needs a value: {wanted}; it stays as it was")
            }
            Self::Failed(name, reason) => write!(f, "option {name}: {reason}; it stays as it was"),
        }
    }
}

impl Options {
    /// The rules of castling that are asked for.
    pub fn rules(&self) -> Rules {
        if self.chess960 { Rules::Chess960 } else { Rules::Standard }
    }

    /// Sets the option of this name from text; names and named values are matched without regard to case.
    ///
    /// # Errors
    /// A [`Refusal`] when there is no such option or the value does not fit it; nothing is changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, Refusal> {
        let Some(row) = TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)) else {
            return self.turn(name, value);
        };
        let bad = || Refusal::BadValue(row.name, value.map(str::to_owned), row.kind.wanted());
        match row.kind {
            Kind::Check { set, .. } => set(self, value.and_then(read_check).ok_or_else(bad)?),
            Kind::Spin { min, max, set, .. } => {
                let number = value.and_then(|text| text.parse().ok());
                set(self, number.filter(|number| (min..=max).contains(number)).ok_or_else(bad)?);
            }
            Kind::Combo { choices, set, .. } => {
                let named =
                    |text: &str| choices().iter().position(|choice| choice.eq_ignore_ascii_case(text));
                set(self, value.and_then(named).ok_or_else(bad)?);
            }
            Kind::Text { default, set } => {
                let given = value.filter(|text| !text.is_empty() && *text != EMPTY);
                set(self, given.unwrap_or(default)).map_err(|reason| Refusal::Failed(row.name, reason))?;
            }
            Kind::Button(press) => return Ok(Change::Pressed(press)),
        }
        Ok(Change::Value)
    }

    /// Sets the dial of this name, in a laboratory build.
    fn turn(&mut self, name: &str, value: Option<&str>) -> Result<Change, Refusal> {
        match self.dials.set(name, value) {
            None => Err(Refusal::Unknown(name.to_owned())),
            Some(Ok(())) => Ok(Change::Value),
            Some(Err(row)) => {
                let wanted = format!("a whole number from {} to {}", row.least, row.most);
                Err(Refusal::BadValue(row.name, value.map(str::to_owned), wanted))
            }
        }
    }
}

/// The choice of this index; the default where there is none.
fn nth<T: Default>(all: impl IntoIterator<Item = T>, index: usize) -> T {
    all.into_iter().nth(index).unwrap_or_default()
}

fn read_check(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

impl Kind {
    /// The type's name in UCI.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } => "spin",
            Self::Combo { .. } => "combo",
            Self::Text { .. } => "string",
            Self::Button(_) => "button",
        }
    }

    /// The default as text; `None` for a button.
    pub fn default_text(&self) -> Option<String> {
        match self {
            Self::Check { default, .. } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::Combo { choices, .. } => choices().first().map(|choice| (*choice).to_owned()),
            Self::Text { default, .. } => Some((*default).to_owned()),
            Self::Button(_) => None,
        }
    }

    /// What values there are, in words.
    pub fn wanted(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".to_owned(),
            Self::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Combo { choices, .. } => format!("one of {}", choices().join(", ")),
            Self::Text { .. } => "a text".to_owned(),
            Self::Button(_) => "a button".to_owned(),
        }
    }
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut text = String::from("| Option | Values | Default | What it does |\n|---|---|---|---|\n");
    for row in TABLE {
        // An angle bracket would begin a tag.
        let default = row.kind.default_text().unwrap_or_default().replace('<', "\\<");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {} | {} | {default} | {} |", row.name, row.kind.wanted(), row.doc);
    }
    text
}

#[cfg(test)]
mod tests;
