//! What the README says that can be computed: the table of options, and the worked tree.
//!
//! With `REGULUS_UPDATE_README` set in the environment, the table is written instead of compared.

use regulus::bstar::Interval;
use regulus::chess::score::Score;
use regulus::engine::options;
use regulus::uci::command::{Line, parse};
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- options -->\n";
const END: &str = "<!-- /options -->";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(path()).expect("the README is there").replace("\r\n", "\n")
}

#[test]
fn the_table_of_options_is_the_engines() {
    let text = readme();
    let (before, rest) = text.split_once(BEGIN).expect("the table's beginning is marked");
    let (table, after) = rest.split_once(END).expect("the table's end is marked");
    if std::env::var_os("REGULUS_UPDATE_README").is_some() {
        // By way of a second file, since the other test reads the README at the same time.
        let new = path().with_extension("md.new");
        fs::write(&new, format!("{before}{BEGIN}{}{END}{after}", options::markdown()))
            .and_then(|()| fs::rename(&new, path()))
            .expect("the README can be written");
        return;
    }
    assert_eq!(
        table,
        options::markdown(),
        "README.md is behind the options: REGULUS_UPDATE_README=1 cargo test --test readme"
    );
}

/// What the table beside other engines says that Regulus has, it has.
#[test]
fn the_table_of_features_names_options_and_commands_that_exist() {
    let text = readme();
    let (_, rest) = text.split_once("<!-- features -->\n").expect("the table's beginning is marked");
    let (table, _) = rest.split_once("<!-- /features -->").expect("the table's end is marked");
    let mut seen = 0;
    for row in table.lines().skip(2) {
        let ours = row.split('|').nth(2).expect("a column for Regulus");
        for name in ours.split('`').skip(1).step_by(2) {
            let option = options::TABLE.iter().any(|option| option.name == name);
            let command = !matches!(parse(&format!("{name} 1")).line, Line::Refused(_));
            assert!(option || command, "{name} is no option and no command");
            seen += 1;
        }
    }
    assert!(seen > 10, "the test reads no names");
}

/// The interval that the README prints behind a name: `A1 [25, 45]`.
fn printed(text: &str, name: &str) -> Interval<Score> {
    let (_, rest) = text.split_once(&format!("{name} [")).expect(name);
    let (ends, _) = rest.split_once(']').expect(name);
    let (lower, upper) = ends.split_once(", ").expect(name);
    let end = |text: &str| Score::centipawns(text.parse().expect(name));
    Interval::new(end(lower), end(upper)).expect(name)
}

/// The back-up of two replies, all values for the side that does not choose between them.
fn chosen_by_the_other(one: Interval<Score>, two: Interval<Score>) -> Interval<Score> {
    -(-one).or(-two)
}

#[test]
fn the_worked_tree_is_worked_right() {
    let text = readme();
    let (_, story) = text.split_once("### A worked tree").expect("the worked tree is there");
    let (before, after) = story.split_once("2. *Disprove-rest*").expect("two steps");
    let (a, b, c) = (printed(before, "A"), printed(before, "B"), printed(before, "C"));
    for (one, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        assert!(!others.iter().all(|other| one.separated_from(*other)), "separated before the search");
    }
    assert!(a.upper() > b.upper() && a.upper() > c.upper(), "prove-best begins with A");

    let proved = chosen_by_the_other(printed(before, "A1"), printed(before, "A2"));
    assert_eq!(proved, printed(before, "A becomes"));
    assert_eq!(proved, printed(after, "A"));
    assert!(proved.separated_from(c), "C is out");
    assert!(!proved.separated_from(b), "the second step is needed");

    let disproved = chosen_by_the_other(printed(after, "B1"), printed(after, "B2"));
    assert_eq!(disproved, printed(after, "B becomes"));
    assert!(proved.separated_from(disproved));
}
