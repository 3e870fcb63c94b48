//! What a word becomes: its value as far as it is known.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::Place;
use crate::shell::MAX_LENGTH;
use crate::shell::script::{List, Part, Stage, Variable, Word};

/// Stands in a value for what is not known.
pub(super) const UNKNOWN: char = '\u{fffc}';
/// Stands for the folder that the text starts in, when that is not known.
pub(super) const SOMEWHERE: &str = "\u{fff9}";
/// Divides the elements of a list of values.
const ELEMENT: char = '\u{fffb}';
/// How many words one word may become.
const MOST: usize = 128;
/// How long a value may become.
const LONGEST: usize = MAX_LENGTH;
/// How long all that braces make of one word may become.
const MOST_BRACES: usize = 8 * 1024;
/// How deep substitutions are expanded inside of each other.
const DEEPEST: usize = 16;

/// One word as the program gets it.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    /// With [`UNKNOWN`] for what depends on an expansion.
    pub text: String,
    /// Whether a pattern in it is replaced by names of files.
    pub glob: bool,
    /// As it was written, when that is something else.
    raw: String,
}

impl Value {
    pub(super) fn new(text: String, glob: bool, raw: &str) -> Value {
        Value { text, glob, raw: raw.to_owned() }
    }

    pub(super) fn literal(text: &str) -> Value {
        let raw = if text.contains(UNKNOWN) { text } else { "" };
        Value::new(text.to_owned(), false, raw)
    }

    /// A part of it, or what it becomes.
    pub(super) fn with(&self, text: &str) -> Value {
        Value::new(text.to_owned(), self.glob, self.raw())
    }

    /// As it was written; empty when nobody wrote it.
    pub(super) fn raw(&self) -> &str {
        if self.raw.is_empty() && self.known() { &self.text } else { &self.raw }
    }

    pub(super) fn unknown() -> Value {
        Value { text: UNKNOWN.to_string(), glob: false, raw: String::new() }
    }

    /// Whether this is exactly what the program gets.
    pub(super) fn exact(&self) -> bool {
        !self.glob && !self.text.contains(UNKNOWN)
    }

    pub(super) fn known(&self) -> bool {
        !self.text.contains(UNKNOWN)
    }
}

/// What the shell knows at a point of the text.
#[derive(Clone)]
pub(super) struct Scope {
    /// The folder, absolute or beginning with [`SOMEWHERE`].
    pub cwd: Rc<str>,
    pub home: Rc<str>,
    pub workspace: Rc<str>,
    /// The values that were assigned so far; with branches there can be several. Shared until one side changes: each stage
    /// of a pipeline has a scope of its own.
    pub variables: Rc<HashMap<String, Vec<String>>>,
    pub functions: Rc<HashMap<String, Rc<Stage>>>,
    pub aliases: Rc<HashMap<String, String>>,
    /// Which of several values is looked at.
    pub pick: usize,
    /// How many substitutions are expanded inside of each other.
    deep: Cell<usize>,
}

impl Scope {
    pub(super) fn new(place: &Place) -> Scope {
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let cwd = place.cwd.as_deref().map_or_else(|| SOMEWHERE.to_owned(), path);
        let home = place.home.as_deref().map_or_else(|| format!("/home/{UNKNOWN}"), path);
        let mut variables: HashMap<String, Vec<String>> =
            place.env.iter().map(|(name, value)| (name.clone(), vec![value.clone()])).collect();
        variables.entry("HOME".to_owned()).or_default().push(home.clone());
        variables.insert("IFS".to_owned(), vec![" ".to_owned()]);
        if let Some(temp) = place.temp.first() {
            variables.entry("TMPDIR".to_owned()).or_insert_with(|| vec![path(temp)]);
        }
        Scope {
            cwd: cwd.into(),
            home: home.into(),
            workspace: path(&place.workspace).into(),
            variables: Rc::new(variables),
            functions: Rc::default(),
            aliases: Rc::default(),
            pick: 0,
            deep: Cell::new(0),
        }
    }

    /// Notes a value; what was assigned before stays possible, because branches are not followed.
    pub(super) fn assign(&mut self, name: &str, value: String) {
        let value = if value.len() > 4_096 { UNKNOWN.to_string() } else { value };
        let values = Rc::make_mut(&mut self.variables).entry(name.to_owned()).or_default();
        if !values.contains(&value) {
            values.insert(0, value);
            values.truncate(4);
        }
    }

    pub(super) fn set(&mut self, name: &str, value: String) {
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), vec![value]);
    }

    fn value(&self, name: &str) -> Option<String> {
        if name == "PWD" && !self.variables.contains_key("PWD") {
            return Some(self.cwd.to_string());
        }
        let values = self.variables.get(name)?;
        values.get(self.pick).or(values.last()).cloned()
    }

    /// How many values a variable of this word can have at most.
    pub(super) fn choices(&self, words: &[Word]) -> usize {
        let parts = words.iter().flat_map(|word| &word.parts);
        let names =
            parts.filter_map(|part| if let Part::Variable(variable) = part { Some(&variable.name) } else { None });
        names.filter_map(|name| self.variables.get(name)).map(Vec::len).max().unwrap_or(1).max(1)
    }
}

/// A character of a word that is not divided yet.
#[derive(Clone, Copy)]
enum Atom {
    /// From the text, without quotes.
    Bare(char),
    /// From a variable without quotes: patterns in it count, braces do not.
    Free(char),
    Quoted(char),
    Break,
    /// Quotes with nothing between them make a word.
    Empty,
}

/// The words that a word becomes.
pub(super) fn expand(word: &Word, scope: &Scope) -> Vec<Value> {
    let mut values = Vec::new();
    expand_into(word, scope, &mut values);
    values
}

/// The words that several words become.
pub(super) fn expand_all(words: &[Word], scope: &Scope) -> Vec<Value> {
    let mut values = Vec::with_capacity(words.len());
    for word in words {
        expand_into(word, scope, &mut values);
    }
    values
}

pub(super) fn expand_into(word: &Word, scope: &Scope, values: &mut Vec<Value>) {
    if let Some(value) = fixed(word) {
        return values.push(value);
    }
    let mut atoms = Vec::new();
    collect(&word.parts, scope, &mut atoms);
    let most = values.len() + MOST;
    let fields = |atoms: &[Atom], values: &mut Vec<Value>| {
        for field in atoms.split(|atom| matches!(atom, Atom::Break)) {
            if values.len() < most && !field.is_empty() {
                values.push(value(field, scope, &word.raw));
            }
        }
    };
    if !atoms.iter().any(|atom| matches!(atom, Atom::Bare('{'))) {
        return fields(&atoms, values);
    }
    for atoms in braces(&atoms, 0) {
        fields(&atoms, values);
    }
}

/// A word that nothing changes, as nearly all are: no expansion, no brace, no home folder.
fn fixed(word: &Word) -> Option<Value> {
    let mut length = 0;
    for (index, part) in word.parts.iter().enumerate() {
        length += match part {
            Part::Bare(text) if text.contains('{') || (index == 0 && text.starts_with('~')) => return None,
            Part::Bare(text) | Part::Quoted(text) => text.len(),
            _ => return None,
        };
    }
    if word.parts.is_empty() {
        return None;
    }
    let mut value = Value { text: String::with_capacity(length), glob: false, raw: String::new() };
    for part in &word.parts {
        let (Part::Bare(text) | Part::Quoted(text)) = part else { continue };
        value.text.push_str(text);
        value.glob |= matches!(part, Part::Bare(text) if text.contains(['*', '?', '[']));
    }
    if !value.exact() {
        value.raw.clone_from(&word.raw);
    }
    Some(value)
}

/// A word as one value, as in an assignment or a redirection.
pub(super) fn single(word: &Word, scope: &Scope) -> Value {
    let mut values = expand(word, scope);
    if values.len() == 1 {
        return values.remove(0);
    }
    let text = values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(" ");
    Value { text, glob: values.iter().any(|value| value.glob), raw: word.raw.clone() }
}

/// The elements of a list of values, in one text.
pub(super) fn elements(words: &[Word], scope: &Scope) -> String {
    let values: Vec<String> = expand_all(words, scope).into_iter().map(|value| value.text).collect();
    values.join(&ELEMENT.to_string())
}

fn value(field: &[Atom], scope: &Scope, raw: &str) -> Value {
    let mut value = Value { text: String::new(), glob: false, raw: raw.to_owned() };
    let mut rest = field;
    if let Some(Atom::Bare('~')) = field.first() {
        let user: String = field[1..]
            .iter()
            .map_while(|atom| if let Atom::Bare(c) = atom { (*c != '/').then_some(*c) } else { None })
            .collect();
        let ends = matches!(field.get(1 + user.chars().count()), None | Some(Atom::Bare('/')));
        if ends {
            match user.as_str() {
                "" => value.text.push_str(&scope.home),
                "+" => value.text.push_str(&scope.cwd),
                "root" => value.text.push_str("/root"),
                user => value.text.extend(["/home/", user]),
            }
            rest = &field[1 + user.chars().count()..];
        }
    }
    for atom in rest {
        match atom {
            Atom::Bare(c) | Atom::Free(c) => {
                value.glob |= matches!(c, '*' | '?' | '[');
                value.text.push(*c);
            }
            Atom::Quoted(c) => value.text.push(*c),
            Atom::Break | Atom::Empty => {}
        }
    }
    value
}

fn collect(parts: &[Part], scope: &Scope, atoms: &mut Vec<Atom>) {
    for part in parts {
        if atoms.len() > LONGEST {
            return;
        }
        match part {
            Part::Bare(text) => atoms.extend(text.chars().map(Atom::Bare)),
            Part::Quoted(text) if text.is_empty() => atoms.push(Atom::Empty),
            Part::Quoted(text) => atoms.extend(text.chars().map(Atom::Quoted)),
            Part::Variable(variable) => variable_atoms(variable, scope, atoms),
            Part::Substitution { list, quoted } => match output(list, scope) {
                Some(text) => spread(text.trim_end_matches('\n'), *quoted, atoms),
                None => unknown(atoms),
            },
            Part::Document(lines) => collect(&lines.borrow(), scope, atoms),
            Part::Process { .. } => atoms.extend("/dev/fd/".chars().chain([UNKNOWN]).map(Atom::Quoted)),
            Part::Opaque { .. } => unknown(atoms),
        }
    }
}

fn variable_atoms(variable: &Variable, scope: &Scope, atoms: &mut Vec<Atom>) {
    let known = if variable.changed { None } else { scope.value(&variable.name) };
    match known {
        Some(text) if variable.all => {
            for (index, element) in text.split(ELEMENT).enumerate() {
                if index > 0 {
                    atoms.push(Atom::Break);
                }
                spread(element, variable.quoted, atoms);
            }
        }
        Some(text) => spread(text.split(ELEMENT).next().unwrap_or_default(), variable.quoted, atoms),
        None if variable.changed || variable.otherwise.is_empty() => unknown(atoms),
        None => collect(&variable.otherwise, scope, atoms),
    }
}

fn spread(text: &str, quoted: bool, atoms: &mut Vec<Atom>) {
    if text.is_empty() && quoted {
        atoms.push(Atom::Empty);
    }
    for c in text.chars() {
        match c {
            UNKNOWN => unknown(atoms),
            c if quoted => atoms.push(Atom::Quoted(c)),
            ' ' | '\t' | '\n' => atoms.push(Atom::Break),
            c => atoms.push(Atom::Free(c)),
        }
    }
}

/// Adds what is not known. Two of them side by side say no more than one, and must not double with each assignment.
fn unknown(atoms: &mut Vec<Atom>) {
    if !matches!(atoms.last(), Some(Atom::Quoted(UNKNOWN))) {
        atoms.push(Atom::Quoted(UNKNOWN));
    }
}

/// What a list prints, when it is so simple that it can be said.
fn output(list: &List, scope: &Scope) -> Option<String> {
    let [pipeline] = list.pipelines.as_slice() else { return None };
    let [Stage::Simple(simple)] = pipeline.stages.as_slice() else { return None };
    // Each level is expanded by all levels around it.
    if scope.deep.get() >= DEEPEST {
        return None;
    }
    scope.deep.set(scope.deep.get() + 1);
    let words = expand_all(&simple.words, scope);
    scope.deep.set(scope.deep.get() - 1);
    printed(&words, scope)
}

/// What a command prints, when that is certain.
pub(super) fn printed(words: &[Value], scope: &Scope) -> Option<String> {
    let words: Vec<&str> = words.iter().map(|value| value.text.as_str()).collect();
    match words.as_slice() {
        ["echo", "-e" | "-n" | "-ne" | "-en", rest @ ..] | ["echo", rest @ ..] => {
            Some(rest.join(" ").replace("\\n", "\n"))
        }
        ["printf", "%s" | "%s\\n", rest @ ..] => Some(rest.join(" ")),
        ["printf", format, rest @ ..] => Some(printf(format, rest)),
        ["dirname", path] if !path.contains(UNKNOWN) => path
            .trim_end_matches('/')
            .rsplit_once('/')
            .map(|(parent, _)| if parent.is_empty() { "/".to_owned() } else { parent.to_owned() }),
        ["pwd"] => Some(scope.cwd.to_string()),
        ["which", name] | ["command", "-v", name] => Some((*name).to_owned()),
        ["git", "rev-parse", "--show-toplevel"] => Some(scope.workspace.to_string()),
        _ => None,
    }
}

fn printf(format: &str, words: &[&str]) -> String {
    let mut words = words.iter();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('%', Some('s' | 'b' | 'q')) => {
                chars.next();
                text.push_str(words.next().unwrap_or(&""));
            }
            ('\\', Some('x')) => {
                chars.next();
                let digits: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_hexdigit)).take(2).collect();
                text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            ('\\', Some('0'..='7')) => {
                let digits: String = std::iter::from_fn(|| chars.next_if(|c| c.is_digit(8))).take(3).collect();
                text.extend(u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32));
            }
            ('\\', Some('n')) => {
                chars.next();
                text.push('\n');
            }
            _ => text.push(c),
        }
    }
    text
}

/// Replaces `a{b,c}d` by `abd acd`.
fn braces(atoms: &[Atom], depth: usize) -> Vec<Vec<Atom>> {
    let whole = || vec![atoms.to_vec()];
    if depth > 8 {
        return whole();
    }
    let mut from = 0;
    // Each open brace is looked up to the end, so only some are.
    let mut looks = 0;
    while let Some(found) = atoms[from..].iter().position(|atom| matches!(atom, Atom::Bare('{'))) {
        let open = from + found;
        looks += 1;
        if looks > 32 {
            break;
        }
        if let Some((commas, close)) = alternatives(atoms, open) {
            let mut results = Vec::new();
            let mut start = open + 1;
            let mut room = MOST_BRACES.max(atoms.len());
            let tails = braces(&atoms[close + 1..], depth + 1);
            for end in commas.into_iter().chain([close]) {
                for middle in braces(&atoms[start..end], depth + 1) {
                    for tail in &tails {
                        let length = open + middle.len() + tail.len();
                        if length > room {
                            // What is left out can be anything.
                            results.push(vec![Atom::Quoted(UNKNOWN)]);
                            return results;
                        }
                        if results.len() < MOST {
                            room -= length;
                            results.push([&atoms[..open], &middle, tail].concat());
                        }
                    }
                }
                start = end + 1;
            }
            return results;
        }
        from = open + 1;
    }
    whole()
}

fn alternatives(atoms: &[Atom], open: usize) -> Option<(Vec<usize>, usize)> {
    let mut level = 0_usize;
    let mut commas = Vec::new();
    for (index, atom) in atoms.iter().enumerate().skip(open + 1) {
        match atom {
            Atom::Bare('{') => level += 1,
            Atom::Bare('}') if level == 0 => return (!commas.is_empty()).then_some((commas, index)),
            Atom::Bare('}') => level -= 1,
            Atom::Bare(',') if level == 0 => commas.push(index),
            _ => {}
        }
    }
    None
}
