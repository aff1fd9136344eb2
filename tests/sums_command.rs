//! `regulus sum` with the real binary, and facts about known games: outcomes and thermographs that CGSuite computed
//! for the test files of MCGS (a project of the University of Alberta).

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn sum(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .arg("sum")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// All claims of an MCGS text hold.
fn assert_as_expected(name: &str, mcgs: &str) {
    let output = sum(&["solve"], mcgs);
    let lines = text(&output.stdout);
    let wrong: Vec<&str> = lines.lines().filter(|line| !line.ends_with("| as expected")).collect();
    assert!(wrong.is_empty() && !lines.is_empty(), "{name}: {wrong:#?} {}", text(&output.stderr));
    assert_eq!(status(&output), 0, "{name}");
}

#[test]
fn known_outcomes_are_met() {
    assert_as_expected(
        "excerpts",
        "{version 1.7}
        [amazons] .O.|#.#|O.. {B loss, W win}  .X#|.X.|..O {B win, W loss}  ..O|.OX|..X {B win, W win}
        #..|#..|... {B loss, W loss}  OOX|.#.|X#. {B win, W win}  X#.|.O.|... {B loss, W win}
        [domineering] ....|....|....|.... {B win, W win}  ##..|....|....|..#. {B loss, W win}
        ....|....|###.|###. {B win, W loss}  #...|....|...#|.... {B loss, W loss}
        [toppling_dominoes] XXO##XXO#X {B win, W loss}  #O###OO#XX {B win, W win}  OOXXOXXXOO {B loss, W win}
        [clobber_1xn] XOXOXO {B loss, W loss}  XOOXX.XOO.OOOX.XOOO {B loss, W win}
        OOXXOXOXXXXXX {B win, W win}  XOXXXOOXO {B win, W loss}",
    );
}

#[test]
fn known_thermographs_are_met() {
    assert_as_expected(
        "excerpts",
        "[amazons] ..O|...|..X {thermograph
            L: (1, -1) (1, 0) (1/2, 1/2) (1/2, 9/4) (0, 11/4)
            R: (-1, -1) (-1, 0) (-1/2, 1/2) (-1/2, 9/4) (0, 11/4) }
        ..#|..O|X.. {thermograph L: (1, -1) (1/2, -1/2) (1/2, -1/4) (0, 1/4) R: (0, -1)}
        [domineering] ....|....|##.#|..#. {thermograph L: (-1, -1) R: (-2, -1) (-1, 0)}
        #.#.|....|....|#... {thermograph L: (1, -1) (1, 1/2) (1/2, 1) R: (-1, -1) (0, 0) (0, 1/2) (1/2, 1)}",
    );
}

#[test]
fn sums_of_many_kinds_are_solved() {
    assert_as_expected(
        "sums",
        "[integer_game] 5 [dyadic_rational] (5/4) (-39/2) [integer_game] -1 [nimber] 4 [switch_game] (-45/2, 16/8)
        [up_star] (4 *) [nimber] 3 6 [up_star] (3) (6 *) [switch_game] (-27/8, -44/8) [dyadic_rational] (-48/4)
        [switch_game] (-4/1, -42/32) [dyadic_rational] (-23/16) (10/4) [nimber] 4 12 [up_star] (-9)
        [switch_game] (-28/16, 29/16) {B loss, W win}
        [nimber] 5 3 {N 6} [tree] ({0,*|0}) [up_star] (-1) {N 1} [tree] ({2|0||-1}) {B loss, W win}",
    );
}

/// The whole files, where somebody has them: `REGULUS_SUMS_DATA` names the folder.
#[test]
fn whole_data_files_are_met() {
    let Some(folder) = std::env::var_os("REGULUS_SUMS_DATA") else {
        println!("REGULUS_SUMS_DATA is not set: the whole data files are NOT checked, only excerpts");
        return;
    };
    let mut files = 0;
    for entry in Path::new(&folder).read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "test") {
            assert_as_expected(&path.display().to_string(), &std::fs::read_to_string(&path).unwrap());
            files += 1;
        }
    }
    assert!(files > 0, "no .test file in the folder");
}

#[test]
fn a_missed_claim_makes_the_exit_status_1() {
    let output = sum(&["solve"], "[nimber] 2 {B loss, W win}");
    assert_eq!(status(&output), 1);
    assert!(text(&output.stdout).ends_with("| NOT AS EXPECTED: B loss\n"), "{}", text(&output.stdout));
    let undecided = sum(&["solve", "--nodes", "0"], "[tree] ({3|1}) ({3|-3}) ({4|-5}) {W win}");
    assert_eq!(status(&undecided), 1, "{}", text(&undecided.stdout));
    assert!(text(&undecided.stdout).contains("expected but undecided: W win"));
}

#[test]
fn faults_are_told_with_their_place_and_exit_status_2() {
    let faults = [
        ("{3|1", "line 1, column 1: this brace is never closed"),
        ("1\n{1/3|0}", "line 2, column 2: 1/3 is no dyadic rational"),
        ("[domineering] ..|.", "line 1, column 18: a ragged board"),
        ("[chess] e4", "line 1, column 2: unknown section `chess`"),
        ("[amazons]\n..X|Q..", "line 2, column 5: `Q` is no cell of amazons"),
        ("{9223372036854775807|0}", "line 1, column 2: this number is too large"),
    ];
    for (input, fault) in faults {
        let output = sum(&["solve"], input);
        assert_eq!(status(&output), 2, "{input}");
        let told = text(&output.stderr);
        assert!(told.contains(fault), "{input}: {told}");
    }
    let missing = sum(&["solve", "no-such-file.test"], "");
    assert_eq!(status(&missing), 2);
    assert!(text(&missing.stderr).contains("no-such-file.test: "));
}

#[test]
fn solve_tells_move_stop_and_winner() {
    let output = sum(&["solve", "--exact", "-e", "{3|1} + {4||2|-5} + ±2"], "");
    let line = text(&output.stdout);
    assert!(line.starts_with("1: B win, W loss | B to move: in 3, {2|-2} -> 2, stop 5, "), "{line}");
    assert!(line.contains("| W to move: in 2, {4|{2|-5}} -> {2|-5}, stop 3, "), "{line}");
    let json = text(&sum(&["solve", "--json", "-e", "{3|1}"], "").stdout);
    assert!(
        json.contains(r#""to_move":"B","wins":true,"component":1,"move":"{3|1} -> 3","proved":true"#),
        "{json}"
    );
    assert!(json.contains(r#""stop":["3","3"]"#), "{json}");
    assert_eq!(sum(&["solve", "--exact", "-e", "{3|1} + {4||2|-5} + ±2"], "").stdout, output.stdout);
}

#[test]
fn limits_give_the_interval_so_far() {
    let input = "{9|1} + {8||3|-5} + ±7 + {6||2|-7} + {5|4||1|-9}";
    let output = sum(&["solve", "--nodes", "1"], input);
    assert_eq!(status(&output), 0);
    let told = text(&output.stdout);
    assert!(told.contains("out of nodes (--nodes)") && told.contains(".."), "{told}");
    // Too little memory for the canonical form: the moves are counted at least.
    let output = sum(&["solve", "--memory", "2"], "[amazons] X...|....|....|...O");
    let told = text(&output.stdout);
    assert!(
        told.contains("no move found, stop -14..14") && told.contains("out of memory (--memory)"),
        "{told}"
    );
    let output = sum(&["solve", "--time", "0"], input);
    assert_eq!(status(&output), 0);
    assert!(text(&output.stdout).contains("interrupted"), "{}", text(&output.stdout));
}

#[test]
fn thermographs_and_bounds_are_told() {
    let told = text(&sum(&["thermograph", "-e", "{3|1}"], "").stdout);
    assert_eq!(told, "1: {3|1} = {3|1}\n  L: (4, -1) (2, 1)\n  R: (0, -1) (2, 1)\n  mean 2, temperature 1\n");
    let told = text(&sum(&["bounds"], "{3|1} + {4||2|-5}").stdout);
    assert_eq!(told, "1: mean 4, highest temperature 2, left stop 5..6, right stop 3..4\n");
    let json = text(&sum(&["bounds", "--json"], "{3|1} + {4||2|-5}").stdout);
    assert_eq!(
        json.trim(),
        r#"{"line":1,"mean":"4","temperature":"2","left_stop":["5","6"],"right_stop":["3","4"]}"#
    );
    let picture = std::env::temp_dir().join(format!("regulus-thermograph-{}.svg", std::process::id()));
    let output = sum(&["thermograph", "--whole", "--svg", picture.to_str().unwrap(), "-e", "{3|1} + *"], "");
    assert_eq!(status(&output), 0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    std::fs::remove_file(&picture).unwrap();
    // Three panels, each with two walls of this width, the grid line at 0 included.
    assert_eq!(svg.matches("stroke-width=\"2\"").count(), 9, "{svg}");
}

#[test]
fn compare_prints_a_row_a_player() {
    let output = sum(&["compare", "--random", "3", "--components", "2", "4", "2", "--policies", "AR,2D"], "");
    let table = text(&output.stdout);
    assert_eq!(table.lines().count(), 2 + 2 * (2 + 1 + 3), "{table}");
    let proved: Vec<&str> = table.lines().skip(2).map(|row| row.split('|').nth(4).unwrap().trim()).collect();
    assert!(proved.iter().all(|&count| count == "3" || count == "-"), "{table}");
    let given =
        text(&sum(&["compare", "--policies", "AR", "--no-rules", "-e", "{3|1} + {4||2|-5}"], "").stdout);
    assert_eq!(given.lines().count(), 4, "{given}");
    assert_eq!(status(&sum(&["compare", "--policies", "nonsense", "-e", "1"], "")), 2);
}

/// Ctrl-C asks for what is known so far. The first, easy sum tells that the command has begun; the second one, of forty hot
/// components, would take it longer than anyone waits. A signal that comes between the two is tried again, later.
#[cfg(unix)]
#[test]
fn ctrl_c_gives_the_interval_so_far() {
    let told = (0..8).find_map(|patience| interrupted(std::time::Duration::from_millis(20 << patience)));
    let told = told.expect("in some try the second sum is begun before the signal");
    assert!(told.starts_with("2: ") && told.contains("interrupted") && told.contains(".."), "{told}");
}

/// What the command says of the second sum when it gets the signal some time after the first one.
#[cfg(unix)]
fn interrupted(after: std::time::Duration) -> Option<String> {
    use std::io::{BufRead, BufReader};
    let hot = |n: i32| format!("{{{n}|{}||{}|-{}}}", n / 2, -(n * 7 % 5), n * n % 41);
    let many = (1..=40).map(hot).collect::<Vec<_>>().join("+");
    let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
        .args(["sum", "solve", "--exact"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("1\n{many}\n3\n").as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("1: B win, W loss"));
    std::thread::sleep(after);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let told = lines.next().map(Result::unwrap);
    assert!(lines.next().is_none(), "nothing is begun after that");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    told
}
