//! Whatever is in the store, restoring it ends in a valid workbench and says what was dropped.

use flightdeck_contract::workbench::{Color, Range, SplitDirection};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{agent, anna, change, edit, editor, invariants, text};
use crate::stored::{ID_STEP, VERSION_STEP};
use crate::{Expected, Open, SetHighlight, Stored, Workbench};

/// Three panes, a terminal, a document with unsaved changes, and two highlights.
fn prepared() -> Value {
    let mut workbench = Workbench::new(1);
    for path in ["a", "b", "c"] {
        let request = Open { split: Some(SplitDirection::Vertical), ..Open::new(editor(path)) };
        workbench.open(&anna(), request).unwrap();
    }
    workbench.open(&agent(), Open::new(crate::Content::Terminal(flightdeck_contract::TerminalId::new(1)))).unwrap();
    workbench.load("b", "text", "v1").unwrap();
    edit(&mut workbench, &anna(), "b", vec![change(0, 0, "unsaved ")]);
    for path in ["a", "closed"] {
        let ranges = vec![Range::lines(1, 2)];
        workbench.highlight(&agent(), SetHighlight { path: path.into(), ranges, id: None, color: Color::Red }).unwrap();
    }
    serde_json::to_value(workbench.stored()).unwrap()
}

fn restored(value: &Value) -> (Workbench, Vec<String>) {
    let stored: Stored = serde_json::from_value(value.clone()).unwrap();
    let restored = Workbench::restore(stored, 2);
    invariants::check(&restored.workbench);
    (restored.workbench, restored.dropped)
}

#[test]
fn what_is_invalid_is_dropped_or_repaired_and_told() {
    type Damage = fn(&mut Value);
    let cases: [(&str, Damage, usize, &str); 14] = [
        ("nothing", |_| {}, 4, ""),
        ("a pane twice", |v| double(&mut v["panes"]), 4, "p1: it was there twice"),
        ("a document twice", |v| double(&mut v["documents"]), 4, "a: it was there twice"),
        ("a highlight twice", |v| double(&mut v["highlights"]), 4, "highlight h1: it was there twice"),
        ("a pane that is no pane", |v| v["panes"][0] = json!(5), 3, "a pane: invalid type"),
        ("no layout", |v| v["layout"] = json!(null), 4, "the layout: "),
        (
            "a share above the whole",
            |v| v["layout"]["trees"]["main"]["children"][0]["share"] = json!(900),
            4,
            "the layout",
        ),
        (
            "shares that do not sum up",
            |v| v["layout"]["trees"]["main"]["children"][0]["share"] = json!(90),
            4,
            "some of the splits",
        ),
        (
            "a share of nothing",
            |v| v["layout"]["trees"]["main"]["children"][0]["share"] = json!(0),
            4,
            "some of the splits",
        ),
        (
            "a pane in no area",
            |v| v["layout"]["trees"]["main"] = json!({"kind": "pane", "id": "p9"}),
            4,
            "the place of p1",
        ),
        ("an area of no size", |v| v["layout"]["right"] = json!(0), 4, "the size of the right area"),
        ("counters that begin anew", |v| v["counters"] = json!({}), 4, "the counters"),
        ("a pane without tabs", |v| v["panes"][3]["pane"]["tabs"] = json!([]), 3, "p4: it has no tabs"),
        (
            "a highlight from line 0",
            |v| v["highlights"][0]["mark"]["ranges"][0]["startLine"] = json!(0),
            4,
            "highlight h1",
        ),
    ];
    for (what, damage, panes, told) in cases {
        let mut value = prepared();
        damage(&mut value);
        let (mut workbench, dropped) = restored(&value);
        assert_eq!(workbench.panes().len(), panes, "{what}: {dropped:?}");
        let heard = dropped.iter().any(|line| line.starts_with(told)) || (told.is_empty() && dropped.is_empty());
        assert!(heard, "{what}: {dropped:?}");
        assert_eq!(text(&workbench, "b"), "unsaved text", "{what}");
        let new = super::open(&mut workbench, &agent(), "new");
        assert!(new.tab.number() > 3, "{what}: an id is given again");
        invariants::check(&workbench);
    }
}

fn double(list: &mut Value) {
    let first = list[0].clone();
    list.as_array_mut().unwrap().push(first);
}

#[test]
fn unsaved_text_without_an_editor_is_shown_again() {
    let mut value = prepared();
    value["panes"] = json!([]);
    let (workbench, dropped) = restored(&value);
    assert_eq!(text(&workbench, "b"), "unsaved text");
    assert!(workbench.open_paths().contains(&"b".to_owned()), "{dropped:?}");
}

#[test]
fn nothing_is_given_out_twice_after_a_crash() {
    let mut workbench = super::with_text("a", "text");
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "x")]);
    let stored = workbench.stored();
    // All of this is lost.
    let mut lost = Vec::new();
    for _ in 0..50 {
        lost.push(edit(&mut workbench, &anna(), "a", vec![change(0, 0, "y")]).value);
    }
    let lost_tab = super::open(&mut workbench, &agent(), "b").tab;
    lost.push(workbench.document("b").unwrap().version);

    let mut restored = Workbench::restore(stored, 2).workbench;
    for version in &lost {
        assert!(restored.may_write("a", &Expected::Buffer(*version)).is_err(), "{version}");
    }
    let typed = edit(&mut restored, &anna(), "a", vec![change(0, 0, "z")]).value;
    let tab = super::open(&mut restored, &agent(), "c").tab;
    let opened = restored.document("c").unwrap().version;
    assert!(!lost.contains(&typed) && !lost.contains(&opened) && tab > lost_tab, "{typed} {opened} {tab}");

    let twice = Workbench::restore(Workbench::restore(restored.stored(), 3).workbench.stored(), 4).workbench;
    assert_eq!(twice.document("a").unwrap().version.0, typed.0 + 2 * VERSION_STEP);
    assert_eq!(text(&twice, "a"), "zxtext");
}

#[test]
fn the_text_of_a_deleted_file_is_kept() {
    let mut workbench = super::with_text("a", "the last copy");
    workbench.disk_gone("a").unwrap();
    let (mut workbench, dropped) = restored(&serde_json::to_value(workbench.stored()).unwrap());
    let document = workbench.document("a").unwrap();
    assert_eq!((text(&workbench, "a").as_str(), document.deleted, document.dirty), ("the last copy", true, false));
    assert_eq!(dropped, Vec::<String>::new());
    workbench.disk_changed("a", "another", "v2").unwrap();
    assert_eq!(text(&workbench, "a"), "another", "it had no unsaved changes");
}

#[test]
fn what_is_to_be_kept_can_go_to_another_thread() {
    let mut workbench = super::with_text("a", "text");
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "unsaved ")]);
    workbench.disk_changed("a", "theirs", "v2").unwrap();
    let expected = workbench.stored();
    let keepable = workbench.keepable();
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "later ")]);
    let stored = std::thread::spawn(move || keepable.stored()).join().unwrap();
    assert_eq!(stored, expected, "what came later is not in it");
    let workbench = Workbench::restore(stored, 2).workbench;
    assert_eq!((text(&workbench, "a").as_str(), workbench.conflict("a")), ("unsaved text", Some(("theirs", "v2"))));
}

/// A restored workbench that was stored again, with its numbers as they were before.
pub(super) fn moved_back(stored: &Stored) -> Value {
    fn back(number: &mut Value, step: u64) {
        let restored = number.as_u64().unwrap();
        *number = json!(if restored == 0 { 0 } else { restored - step });
    }
    let mut value = serde_json::to_value(stored).unwrap();
    for (name, counter) in value["counters"].as_object_mut().unwrap() {
        back(counter, if name == "version" { VERSION_STEP } else { ID_STEP.into() });
    }
    for document in value["documents"].as_array_mut().unwrap() {
        back(&mut document["version"], VERSION_STEP);
        back(&mut document["saved"], VERSION_STEP);
        for client in document["clients"].as_array_mut().unwrap() {
            back(&mut client["version"], VERSION_STEP);
        }
    }
    value
}

#[test]
fn another_format_is_not_read() {
    let (workbench, dropped) = restored(&json!({ "format": 2, "panes": [1] }));
    assert_eq!((workbench.panes().len(), dropped.len()), (0, 1));
}

/// Every place in a value, as a pointer.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| places(value, &format!("{at}/{index}"), all));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, value)| places(value, &format!("{at}/{name}"), all)),
        _ => {}
    }
}

fn damage(value: &mut Value, place: usize, source: usize, kind: u8) {
    let mut all = Vec::new();
    places(value, "", &mut all);
    // Neither the whole nor the lists themselves: the type of those is checked by serde before.
    let all: Vec<String> = all.into_iter().filter(|at| at.matches('/').count() > 1).collect();
    let Some(at) = all.get(place % all.len().max(1)) else { return };
    let other = all.get(source % all.len()).and_then(|at| value.pointer(at)).cloned();
    let Some(target) = value.pointer_mut(at) else { return };
    *target = match kind {
        0 => Value::Null,
        1 => json!(0),
        2 => json!(4_294_967_295_u64),
        3 => json!("p1073741824"),
        4 => json!([]),
        5 => json!(-1),
        6 => json!(u64::MAX),
        _ => other.unwrap_or(Value::Null),
    };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_in_the_store_breaks_the_workbench(
        damages in prop::collection::vec((any::<usize>(), any::<usize>(), 0..12u8), 1..8),
    ) {
        let mut value = prepared();
        for (place, source, kind) in damages {
            damage(&mut value, place, source, kind);
        }
        let (mut workbench, _) = restored(&value);
        let again = restored(&serde_json::to_value(workbench.stored()).unwrap());
        prop_assert_eq!(again.1, Vec::<String>::new(), "what was repaired is fine");
        super::open(&mut workbench, &anna(), "new");
        workbench.leave(&agent()).unwrap();
        invariants::check(&workbench);
    }
}
