use super::*;

#[test]
fn names_are_unique_and_defaults_are_settable() {
    for (index, row) in TABLE.iter().enumerate() {
        assert!(TABLE[..index].iter().all(|other| !other.name.eq_ignore_ascii_case(row.name)));
        let mut options = Options::default();
        assert!(options.set(row.name, row.kind.default_text().as_deref()).is_ok(), "{}", row.name);
        let untouched = Options { journal: options.journal.clone(), ..Options::default() };
        assert_eq!(options, untouched, "{}", row.name);
    }
}

#[test]
fn case_does_not_matter() {
    let mut options = Options::default();
    assert_eq!(options.set("hASH", Some("64")), Ok(Change::Value));
    assert_eq!(options.set("uci_chess960", Some("TRUE")), Ok(Change::Value));
    assert_eq!(options.set("clear hash", None), Ok(Change::Pressed(Press::ClearHash)));
    assert_eq!((options.hash_mib, options.chess960), (64, true));
}

#[test]
fn every_choice_can_be_chosen() {
    let mut options = Options::default();
    for (name, choices) in TABLE.iter().filter_map(|row| match row.kind {
        Kind::Combo { choices, .. } => Some((row.name, choices())),
        _ => None,
    }) {
        for choice in choices {
            assert_eq!(options.set(name, Some(&choice.to_uppercase())), Ok(Change::Value));
            let now = [options.search_mode.name(), options.interval_model.name(), options.policy.name()];
            assert!(now.contains(&choice), "{choice}: {now:?}");
        }
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut options = Options::default();
    for (name, value) in [
        ("Hash", Some("0")),
        ("Hash", Some("-1")),
        ("Hash", Some("9223372036854775808")),
        ("Hash", Some("12.5")),
        ("Hash", Some("")),
        ("Hash", None),
        ("Ponder", Some("maybe")),
        ("Move Overhead", Some("5001")),
        ("SearchMode", Some("MonteCarlo")),
        ("Policy", None),
    ] {
        let refusal = options.set(name, value).unwrap_err();
        assert!(matches!(refusal, Refusal::BadValue(..)), "{name} {value:?}");
        assert!(refusal.to_string().contains("stays as it was"));
    }
    assert_eq!(options.set("Hashes", Some("1")), Err(Refusal::Unknown("Hashes".to_owned())));
    assert_eq!(options, Options { journal: options.journal.clone(), ..Options::default() });
}

#[test]
fn a_network_that_cannot_be_read_leaves_the_old_one() {
    let mut options = Options::default();
    let other = std::env::temp_dir().join(format!("regulus-{} other.net", std::process::id()));
    std::fs::write(&other, Network::embedded().bytes()).unwrap();
    assert_eq!(options.set("EvalFile", other.to_str()), Ok(Change::Value));
    assert!(!Arc::ptr_eq(&options.network, &Network::embedded()));
    let before = options.clone();
    let refusal = options.set("evalfile", Some("no/such file.net")).unwrap_err().to_string();
    assert!(refusal.starts_with("option EvalFile: no/such file.net: "), "{refusal}");
    assert!(Arc::ptr_eq(&options.network, &before.network));
    for embedded in [None, Some("<empty>"), Some("<embedded>")] {
        assert_eq!(options.set("EvalFile", embedded), Ok(Change::Value));
        assert!(Arc::ptr_eq(&options.network, &Network::embedded()));
    }
    std::fs::remove_file(&other).unwrap();
}

#[test]
fn the_readme_table_has_a_line_for_each_option() {
    assert_eq!(markdown().lines().count(), TABLE.len() + 2);
}
