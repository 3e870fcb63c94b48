//! The table of cases: what is decided about real commands, headless and under each stance.
//!
//! `tests/cases/*.txt` hold one case a line; the head of `safe.txt` says how to read them. `NAME.toml` beside a table holds
//! the rules that it is about.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use flightdeck_policy::{Deed, NewRule, Place, Rules, Stance, Verdict, assess, decide, headless, offer};

const WORKSPACE: &str = "/home/dev/project";

/// The fewest cases that there have to be, so that none gets lost unseen.
const FEWEST: usize = 2000;

/// One case.
struct Case {
    at: String,
    expected: String,
    command: String,
    place: Place,
}

#[test]
fn every_case_is_decided_as_the_tables_say() {
    let (mut count, mut wrong) = (0, String::new());
    for table in tables() {
        let rules = rules_of(&table);
        for case in cases_of(&table) {
            count += 1;
            let assessed = assess(&Deed::Line(case.command.clone()), &case.place);
            let mut decisions = vec![headless(&assessed, &rules, &case.place)];
            let stances = [Stance::Ask, Stance::Guard, Stance::Open];
            decisions.extend(stances.map(|stance| decide(&assessed, &rules, &case.place, stance)));
            let got: String = decisions.iter().map(|decision| letter(decision.verdict)).collect();
            if !fits(&case.expected, &got) {
                let (first, guard) = (&decisions[0], &decisions[2]);
                let _ = writeln!(
                    wrong,
                    "{}: expected {}, got {got} ({} | {}): {}\n      {}",
                    case.at,
                    case.expected,
                    first.rules_text(),
                    guard.rules_text(),
                    case.command,
                    first.reason
                );
            }
        }
    }
    assert!(count >= FEWEST, "only {count} cases were found");
    let lines = wrong.lines().count() / 2;
    assert!(wrong.is_empty(), "{lines} of {count} cases are decided otherwise:\n{wrong}");
}

/// What agents do all day may not need a question, or people would learn to say yes unread.
#[test]
fn daily_work_runs_unasked_under_guard() {
    let daily = cases_of(&folder().join("daily.txt"));
    assert!(daily.len() >= 150);
    assert!(daily.iter().all(|case| case.expected.as_bytes()[2] == b'A'), "daily.txt holds what guard asks about");
}

#[test]
fn strict_runs_only_what_ask_runs_unasked() {
    for table in tables() {
        let rules = rules_of(&table);
        for case in cases_of(&table) {
            let assessed = assess(&Deed::Line(case.command.clone()), &case.place);
            let ask = decide(&assessed, &rules, &case.place, Stance::Ask);
            let strict = decide(&assessed, &rules, &case.place, Stance::Strict);
            let runs = |verdict| matches!(verdict, Verdict::Allowed | Verdict::AllowedWithWarning);
            assert_eq!(runs(ask.verdict), runs(strict.verdict), "{}: {}", case.at, case.command);
            assert!(!strict.reason.is_empty() && !strict.rules.is_empty(), "{}", case.at);
        }
    }
}

/// "Always" is worth something: what it adds is narrow, and the same command runs from then on.
#[test]
fn what_is_offered_allows_what_was_asked() {
    let mut offers = 0;
    for case in tables().iter().flat_map(|table| cases_of(table)) {
        let assessed = assess(&Deed::Line(case.command.clone()), &case.place);
        let Some(rule) = offer(&assessed, &case.place) else { continue };
        offers += 1;
        assert!(rule.covers(&assessed), "{}", case.at);
        let rules = Rules::parse(&Rules::add("", &rule).expect("an offer can be added")).expect("it can be read");
        let decision = decide(&assessed, &rules, &case.place, Stance::Ask);
        let expected = if assessed.dangers.is_empty() { Verdict::Allowed } else { Verdict::AllowedWithWarning };
        assert_eq!(decision.verdict, expected, "{}: {} by {}", case.at, case.command, rule.toml());
    }
    assert!(offers > 300, "only {offers} offers");
}

/// Who does what a refusal says gets what was refused.
#[test]
fn the_hints_of_headless_refusals_are_right() {
    let mut hints = 0;
    for case in tables().iter().flat_map(|table| cases_of(table)) {
        let assessed = assess(&Deed::Line(case.command.clone()), &case.place);
        let mut file = String::new();
        for _ in 0..10 {
            let rules = Rules::parse(&file).expect("what was added to can be read");
            let reason = headless(&assessed, &rules, &case.place).reason;
            let Some(hint) = reason.split("flightdeck policy add ").nth(1) else { break };
            hints += 1;
            let pattern = hint.strip_prefix("--network ").unwrap_or(hint);
            let pattern = pattern[1..pattern.len() - 1].replace("'\\''", "'");
            file = Rules::add(&file, &NewRule::allow(&[&pattern]).expect("the pattern is narrow"))
                .expect("it can be added");
        }
        if !file.is_empty() {
            let rules = Rules::parse(&file).expect("what was added to can be read");
            let decision = headless(&assessed, &rules, &case.place);
            let open = decision.reason.contains("no narrow rule could");
            assert!(decision.verdict == Verdict::Allowed || open, "{}: {}\n{file}", case.at, decision.reason);
        }
    }
    assert!(hints > 300, "only {hints} hints");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn tables() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the tables are here");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let mut tables: Vec<_> = entries.filter(|path| path.extension().is_some_and(|ext| ext == "txt")).collect();
    tables.sort();
    assert!(!tables.is_empty());
    tables
}

fn rules_of(table: &Path) -> Rules {
    let file = table.with_extension("toml");
    match std::fs::read_to_string(&file) {
        Ok(text) => Rules::parse(&text).expect("the rules of a table are right"),
        Err(_) => Rules::default(),
    }
}

fn cases_of(table: &Path) -> Vec<Case> {
    let name = table.file_name().expect("a table has a name").to_string_lossy().into_owned();
    let mut place = Place {
        workspace: WORKSPACE.into(),
        cwd: Some(WORKSPACE.into()),
        home: Some("/home/dev".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
        disk: None,
    };
    let mut cases = Vec::new();
    for (number, line) in std::fs::read_to_string(table).expect("a table can be read").lines().enumerate() {
        let at = format!("{name}:{}", number + 1);
        if let Some((expected, command)) = line.split_once('\t') {
            let (expected, command) = (expected.to_owned(), command.replace('⏎', "\n"));
            assert!(expected.len() == 4 && expected.chars().all(|c| "AWNB.".contains(c)), "{at}: {expected}");
            cases.push(Case { at, expected, command, place: place.clone() });
        } else if let Some(cwd) = line.strip_prefix("@cwd=") {
            place.cwd = match cwd {
                "?" => None,
                "." => Some(WORKSPACE.into()),
                cwd => Some(cwd.into()),
            };
        } else if let Some(variable) = line.strip_prefix("@env=") {
            place.env = variable.split_once('=').map(|(name, value)| (name.into(), value.into())).into_iter().collect();
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{at}: neither a case nor a comment");
        }
    }
    cases
}

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Allowed => 'A',
        Verdict::AllowedWithWarning => 'W',
        Verdict::NeedsApproval => 'N',
        Verdict::Blocked => 'B',
    }
}

fn fits(expected: &str, got: &str) -> bool {
    expected.chars().zip(got.chars()).all(|(expected, got)| expected == '.' || expected == got)
}
