//! Reads the fields of one object of a request and notes what can't be taken, with the path of each.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::alias::FLAT;
use super::violation::{Kind, Violations};
use super::{LONGEST_ID, LONGEST_TIMEOUT_MS};

/// The sections of a request with their fields.
pub(super) const SECTIONS: &[(&str, &[&str])] = &[
    ("invocation", &["mode", "intent"]),
    ("correlation", &["request_id", "trace_id", "client_request_id"]),
    (
        "runtime",
        &[
            "workspace_id",
            "cwd",
            "timeout_ms",
            "adapter_override",
            "allow_headless_fallback",
            "shared",
            "name",
            "binary_path",
        ],
    ),
    ("execution", &["command", "args", "env"]),
    ("target", &["session_id", "terminal_id"]),
    ("compat", &["legacy_action", "caller_surface"]),
];

/// The longest path or workspace that is taken.
const LONGEST_PATH: usize = 4096;
/// How much of what a caller sent comes back in an error.
const LONGEST_SHOWN: usize = 60;

/// One object of a request. Each field is taken out; what is left over at the end is unknown.
pub(super) struct Section<'a> {
    name: &'static str,
    fields: Map<String, Value>,
    found: &'a mut Violations,
}

impl<'a> Section<'a> {
    /// The section of this name, taken out of the request; empty when it is absent.
    pub(super) fn take(name: &'static str, request: &mut Map<String, Value>, found: &'a mut Violations) -> Self {
        let fields = match request.shift_remove(name) {
            Some(Value::Object(fields)) => fields,
            None | Some(Value::Null) => Map::new(),
            Some(other) => {
                found.payload(name, format!("must be an object, not {}", kind(&other)), "send { … } or leave it out");
                Map::new()
            }
        };
        Section { name, fields, found }
    }

    /// Whether anything is in it.
    pub(super) fn is_present(&self) -> bool {
        self.fields.values().any(|value| !value.is_null())
    }

    /// A name of something: short and printable.
    pub(super) fn id(&mut self, name: &str) -> Option<String> {
        let text = self.string(name)?;
        let problem = if text.is_empty() {
            "is empty".to_owned()
        } else if text.chars().any(char::is_control) {
            "has control characters".to_owned()
        } else if text.chars().count() > LONGEST_ID {
            format!("is longer than {LONGEST_ID} characters")
        } else {
            return Some(text);
        };
        let hint = format!("send printable text of 1 to {LONGEST_ID} characters, or leave it out");
        self.found.payload(self.path(name), problem, hint);
        None
    }

    /// A path, or something like it.
    pub(super) fn place(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        if text.len() > LONGEST_PATH {
            let problem = format!("is longer than {LONGEST_PATH} bytes");
            self.found.payload(self.path(name), problem, "send a shorter one, or leave it out");
            return None;
        }
        Some(text)
    }

    /// Text that the system can take: something, and no NUL.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let text = self.string(name)?;
        if text.trim().is_empty() {
            self.found.payload(self.path(name), "is empty", "send some text, or leave it out");
            return None;
        }
        self.without_nul(&self.path(name), &text).then_some(text)
    }

    /// One word of a closed set.
    pub(super) fn word<T>(
        &mut self,
        kind: Kind,
        name: &str,
        parse: fn(&str) -> Option<T>,
        allowed: &[&str],
    ) -> Option<T> {
        let value = self.value(name)?;
        let word = value.as_str().filter(|word| allowed.contains(word)).and_then(parse);
        if word.is_none() {
            self.found.word(kind, &self.path(name), format!("{} is not supported", shown(&value)), allowed);
        }
        word
    }

    pub(super) fn flag(&mut self, name: &str) -> bool {
        match self.value(name) {
            None => false,
            Some(Value::Bool(flag)) => flag,
            Some(other) => {
                self.wrong_type(&self.path(name), "true or false", &other);
                false
            }
        }
    }

    /// Milliseconds; more than the cap is for the caller to cut.
    pub(super) fn milliseconds(&mut self, name: &str) -> Option<u64> {
        let value = self.value(name)?;
        if let Some(number @ 1..) = value.as_u64() {
            return Some(number);
        }
        let wanted = format!("a whole number of milliseconds from 1 to {LONGEST_TIMEOUT_MS}");
        match &value {
            Value::Number(number) => {
                self.found.payload(self.path(name), format!("{number} is out of range"), format!("send {wanted}"));
            }
            other => self.wrong_type(&self.path(name), &wanted, other),
        }
        None
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let path = self.path(name);
        match self.value(name) {
            None => Vec::new(),
            Some(Value::Array(items)) => {
                let texts = items.into_iter().enumerate().filter_map(|(n, item)| {
                    let path = format!("{path}[{n}]");
                    match item {
                        Value::String(text) => self.without_nul(&path, &text).then_some(text),
                        other => {
                            self.wrong_type(&path, "a text", &other);
                            None
                        }
                    }
                });
                texts.collect()
            }
            Some(other) => {
                self.wrong_type(&path, "a list of texts", &other);
                Vec::new()
            }
        }
    }

    /// Environment variables.
    pub(super) fn variables(&mut self, name: &str) -> BTreeMap<String, String> {
        let path = self.path(name);
        let variables = match self.value(name) {
            None => Map::new(),
            Some(Value::Object(variables)) => variables,
            Some(other) => {
                self.wrong_type(&path, "an object of texts", &other);
                Map::new()
            }
        };
        let mut taken = BTreeMap::new();
        for (key, value) in variables {
            let path = format!("{path}.{}", cut(&key));
            match value {
                _ if key.is_empty() || key.contains(['=', '\0']) => {
                    self.found.payload(path, "is no name of a variable", "send a name without = and NUL");
                }
                Value::String(text) => {
                    if self.without_nul(&path, &text) {
                        taken.insert(key, text);
                    }
                }
                Value::Null => {}
                other => self.wrong_type(&path, "a text", &other),
            }
        }
        taken
    }

    /// Notes what nobody has taken.
    pub(super) fn done(self) {
        for (field, value) in &self.fields {
            if !value.is_null() && !self.found.is_full() {
                let hint = match near_field(self.name, field) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("leave it out; {} has {}", self.name, known(self.name).join(", ")),
                };
                self.found.payload(self.path(&cut(field)), "there is no such field", hint);
            }
        }
    }

    fn value(&mut self, name: &str) -> Option<Value> {
        self.fields.shift_remove(name).filter(|value| !value.is_null())
    }

    fn string(&mut self, name: &str) -> Option<String> {
        match self.value(name)? {
            Value::String(text) => Some(text),
            other => {
                self.wrong_type(&self.path(name), "a text", &other);
                None
            }
        }
    }

    fn without_nul(&mut self, path: &str, text: &str) -> bool {
        let clean = !text.contains('\0');
        if !clean {
            self.found.payload(path, "has a NUL character, which no program can be given", "leave it out");
        }
        clean
    }

    fn wrong_type(&mut self, path: &str, wanted: &str, given: &Value) {
        self.found.payload(path, format!("must be {wanted}, not {}", kind(given)), format!("send {wanted}"));
    }

    fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }
}

/// Notes what is at the top of a request after all known things were taken.
pub(super) fn top_is_done(request: &Map<String, Value>, found: &mut Violations) {
    for (field, value) in request {
        if !value.is_null() && !found.is_full() {
            let hint = match near_field("", field) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("leave it out; a request has action, {}", known("").join(", ")),
            };
            found.payload(cut(field), "there is no such field", hint);
        }
    }
}

/// What kind of JSON it is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value as an error shows it: bounded, whatever was sent.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", cut(text)),
        other => kind(other).to_owned(),
    }
}

/// The word that was probably meant.
pub(super) fn near<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = cut(word).to_ascii_lowercase().replace('-', "_");
    let close = words.into_iter().map(|known| (distance(&word, known), known));
    // A third of the letters may be wrong, but never all of a short word.
    close.min_by_key(|(distance, _)| *distance).filter(|(far, known)| *far <= known.len() / 3).map(|(_, known)| known)
}

fn known(section: &str) -> Vec<&'static str> {
    match SECTIONS.iter().find(|(name, _)| *name == section) {
        Some((_, fields)) => fields.to_vec(),
        None => SECTIONS.iter().map(|(name, _)| *name).collect(),
    }
}

/// A field of the same name elsewhere, or one of nearly this name here.
fn near_field(section: &str, field: &str) -> Option<String> {
    let elsewhere = SECTIONS.iter().find(|(_, fields)| fields.contains(&field));
    if let Some((place, _)) = elsewhere {
        return Some(format!("{place}.{field}"));
    }
    let prefix = if section.is_empty() { String::new() } else { format!("{section}.") };
    if let Some(near) = near(field, known(section)) {
        return Some(format!("{prefix}{near}"));
    }
    // An older field at the top that is misspelt is best sent to its own place at once.
    let flat = FLAT.iter().map(|(flat, ..)| *flat).filter(|_| section.is_empty());
    let flat = near(field, flat.chain(section.is_empty().then_some("action")))?;
    let moved = FLAT.iter().find(|(name, ..)| *name == flat);
    Some(moved.map_or_else(|| flat.to_owned(), |(_, section, leaf)| format!("{section}.{leaf}")))
}

/// How many letters have to be added, removed or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}

fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST_SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
