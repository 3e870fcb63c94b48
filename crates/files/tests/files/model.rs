//! Random texts and random histories against a simple model.

use std::collections::BTreeMap;

use flightdeck_files::{EntryId, Expected, UndoRequest, Which};
use proptest::prelude::*;

use super::desk::Desk;

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("😀".to_owned()),
        "[a-zäß\t ]{0,12}",
        any::<char>().prop_filter("no NUL in text", |char| *char != '\0').prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn encode(text: &str, form: u8) -> Vec<u8> {
    let marked = format!("\u{feff}{text}");
    match form {
        0 => text.as_bytes().to_vec(),
        1 => marked.into_bytes(),
        2 => marked.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// What is on disk is read as it is, in any encoding; what is written is read back, but for what is kept on purpose.
    #[test]
    fn round_trip(old in text(), new in text(), form in 0_u8..4) {
        let desk = Desk::new();
        // A mark of its own at the start would be read as the mark of the file.
        let old = old.trim_start_matches('\u{feff}');
        desk.put("f", encode(old, form));
        let read = desk.read("f").unwrap();
        prop_assert_eq!(&read.content, old);
        let written = desk.write("f", &new, Expected::Is(read.version)).unwrap();
        let uniform = old.contains("\r\n") && !old.replace("\r\n", "").contains('\n');
        let lone = new.replace("\r\n", "").contains('\n');
        prop_assert_eq!(written.kept_crlf, uniform && lone);
        let content = if written.kept_crlf { new.replace("\r\n", "\n").replace('\n', "\r\n") } else { new.clone() };
        let again = desk.read("f").unwrap();
        prop_assert_eq!(&again.content, content.strip_prefix('\u{feff}').unwrap_or(&content));
        prop_assert_eq!(again.version, written.version);
        if form > 0 {
            prop_assert_eq!(again.encoding, written.encoding);
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(usize, String),
    Undo(usize),
    UndoLast,
    Hand(usize, String),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..3_usize, "[a-c]{0,2}").prop_map(|(file, text)| Step::Write(file, text)),
        3 => (0..12_usize).prop_map(Step::Undo),
        2 => Just(Step::UndoLast),
        1 => (0..3_usize, "[a-c]{0,2}").prop_map(|(file, text)| Step::Hand(file, text)),
    ]
}

/// What a write did, as the model remembers it.
struct Made {
    id: EntryId,
    file: String,
    before: Option<String>,
    after: Option<String>,
    undoes: Option<usize>,
}

#[derive(Default)]
struct Model {
    files: BTreeMap<String, String>,
    made: Vec<Made>,
}

impl Model {
    fn undone(&self, at: usize) -> bool {
        (at + 1..self.made.len()).any(|later| self.made[later].undoes == Some(at) && !self.undone(later))
    }

    fn undo(&mut self, desk: &Desk, at: Option<usize>, which: Which) -> Result<(), TestCaseError> {
        let result = desk.files.undo(&UndoRequest { which, actor: "u".to_owned() });
        let Some(at) = at else {
            prop_assert_eq!(super::desk::code(&result), "nothing_to_undo");
            return Ok(());
        };
        let (file, before, after) =
            (self.made[at].file.clone(), self.made[at].before.clone(), self.made[at].after.clone());
        if self.files.get(&file) != after.as_ref() {
            prop_assert_eq!(super::desk::code(&result), "stale");
            return Ok(());
        }
        let result = result.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(result.undone, self.made[at].id);
        match &before {
            Some(text) => drop(self.files.insert(file.clone(), text.clone())),
            None => drop(self.files.remove(&file)),
        }
        self.made.push(Made { id: result.entry, file, before: after, after: before, undoes: Some(at) });
        Ok(())
    }

    fn apply(&mut self, desk: &Desk, step: &Step) -> Result<(), TestCaseError> {
        match step {
            Step::Write(file, text) => {
                let file = format!("f{file}");
                let written = desk.write(&file, text, Expected::Any).unwrap();
                let before = self.files.insert(file.clone(), text.clone());
                prop_assert_eq!(written.changed, before.as_ref() != Some(text));
                if let Some(id) = written.entry {
                    self.made.push(Made { id, file, before, after: Some(text.clone()), undoes: None });
                }
            }
            Step::Hand(file, text) => {
                desk.put(&format!("f{file}"), text);
                self.files.insert(format!("f{file}"), text.clone());
            }
            Step::Undo(at) if *at < self.made.len() => self.undo(desk, Some(*at), Which::Entry(self.made[*at].id))?,
            Step::Undo(_) => {}
            Step::UndoLast => {
                let last = (0..self.made.len()).rev().find(|at| self.made[*at].undoes.is_none() && !self.undone(*at));
                self.undo(desk, last, Which::Last)?;
            }
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn histories(steps in proptest::collection::vec(step(), 1..30)) {
        let desk = Desk::new();
        let mut model = Model::default();
        for step in &steps {
            model.apply(&desk, step)?;
            let names: Vec<String> = model.files.keys().cloned().collect();
            prop_assert_eq!(desk.names(""), names);
            for (name, text) in &model.files {
                prop_assert_eq!(&desk.get(name), text.as_bytes());
            }
        }
    }
}
