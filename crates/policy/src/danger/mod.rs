//! The search for danger. It is generous: it follows every wrapper, substitution and variable that it can, and what it can't
//! follow counts as dangerous.

mod args;
mod bomb;
mod code;
mod delete;
mod device;
mod fallback;
mod git;
mod handon;
mod helpers;
mod network;
mod second;
mod shells;
mod system;
mod target;
mod value;
mod windows;
mod world;
mod write;

use std::ops::Range;

use crate::environment::dangerous_setting;
use crate::shell::script::{Assignment, GroupKind, List, Part, Pipeline, Redirect, RedirectKind, Simple, Stage, Word};
use crate::shell::{self, MAX_DEPTH, MAX_LENGTH, MAX_PIECES};
use crate::{Danger, DangerKind, Piece, Place, Severity};
use args::Args;
use value::{Scope, Value, elements, expand, printed, single};

/// How much text may be made by expanding words, in all.
const MAX_WORK: usize = 1024 * 1024;

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    pub pieces: Vec<Piece>,
    pub dangers: Vec<Danger>,
}

/// Searches a text. Where both readings have agreed on a plain text, the second one has nothing to add.
pub(crate) fn line(text: &str, place: &Place, agreed: bool) -> Found {
    let mut search = Search::new(place);
    search.agreed = agreed;
    let mut scope = search.scope();
    let here = Here { piece: None, span: 0..text.len(), depth: 0, fixed: None, input: Input::Open };
    search.environment(&here);
    search.text(text, &mut scope, &here);
    search.finish()
}

/// Searches a command that no shell reads.
pub(crate) fn argv(words: &[String], place: &Place) -> Found {
    let mut search = Search::new(place);
    let mut scope = search.scope();
    let values: Vec<Value> = words.iter().map(|word| Value::literal(word)).collect();
    let here = Here { piece: None, span: 0..0, depth: 0, fixed: Some(0..0), input: Input::Open };
    search.environment(&here);
    if words.iter().map(String::len).sum::<usize>() > MAX_LENGTH {
        search.add(DangerKind::Unreadable, &here, "it is longer than 64 KiB");
    } else {
        let here = search.piece(&values, &here, &words.join(" "));
        search.command(&values, &mut scope, &here);
    }
    search.finish()
}

/// What comes in on standard input.
#[derive(Clone, Debug)]
enum Input {
    /// Nothing that the text decides.
    Open,
    /// Known text.
    Text(String),
    /// The output of another program, by its name.
    Program(String),
}

/// Where the search stands.
#[derive(Clone, Debug)]
struct Here {
    piece: Option<usize>,
    span: Range<usize>,
    depth: usize,
    /// The place of the word that holds a nested text.
    fixed: Option<Range<usize>>,
    input: Input,
}

impl Here {
    fn at(&self, span: &Range<usize>) -> Here {
        Here { span: self.fixed.clone().unwrap_or_else(|| span.clone()), ..self.clone() }
    }

    fn deeper(&self) -> Here {
        Here { depth: self.depth + 1, input: Input::Open, ..self.clone() }
    }
}

struct Search<'p> {
    place: &'p Place,
    pieces: Vec<Piece>,
    dangers: Vec<Danger>,
    work: usize,
    /// How many texts and commands are being followed inside of each other.
    level: usize,
    /// Whether pieces are noted: not when a function's body is followed again.
    noting: bool,
    exhausted: bool,
    /// Whether the grammar has confirmed the text.
    agreed: bool,
}

/// A command that is looked at.
struct Call<'a> {
    /// The program's name without its folder, in lower case.
    name: &'a str,
    /// Its arguments.
    args: Args<'a>,
}

impl<'p> Search<'p> {
    fn new(place: &'p Place) -> Search<'p> {
        Search {
            place,
            pieces: Vec::new(),
            dangers: Vec::new(),
            work: 0,
            level: 0,
            noting: true,
            exhausted: false,
            agreed: false,
        }
    }

    fn scope(&self) -> Scope {
        let mut scope = Scope::new(self.place);
        scope.set("\u{fff9}workspace", self.place.workspace.to_string_lossy().into_owned());
        scope
    }

    fn finish(mut self) -> Found {
        // The worst first; among equals the order of the text.
        self.dangers.sort_by(|a, b| {
            b.severity.cmp(&a.severity).then(a.span.start.cmp(&b.span.start)).then(a.kind.cmp(&b.kind))
        });
        Found { pieces: self.pieces, dangers: self.dangers }
    }

    /// Notes a danger that a person can allow.
    fn add(&mut self, kind: DangerKind, here: &Here, reason: impl Into<String>) {
        self.note(kind, Severity::Ask, here, &reason.into());
    }

    /// Notes a danger that nobody can allow.
    fn never(&mut self, kind: DangerKind, here: &Here, reason: impl Into<String>) {
        self.note(kind, Severity::Never, here, &reason.into());
    }

    fn note(&mut self, kind: DangerKind, severity: Severity, here: &Here, reason: &str) {
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(300).collect();
        let reason = reason.replace(value::UNKNOWN, "…").replace(value::SOMEWHERE, ".");
        let known = |danger: &Danger| danger.kind == kind && danger.severity == severity && danger.reason == reason;
        if self.dangers.len() < 200 && !self.dangers.iter().any(known) {
            self.dangers.push(Danger { kind, severity, piece: here.piece, span: here.span.clone(), reason });
        } else if severity == Severity::Never && self.dangers.len() >= 200 {
            self.dangers.insert(0, Danger { kind, severity, piece: here.piece, span: here.span.clone(), reason });
            self.dangers.truncate(200);
        }
    }

    /// Counts work; beyond the limit nothing more is followed, and that is a danger.
    fn spend(&mut self, amount: usize, here: &Here) -> bool {
        self.work += amount;
        if self.work > MAX_WORK && !self.exhausted {
            self.exhausted = true;
            self.add(DangerKind::Unreadable, here, "it is too tangled to be followed");
        }
        !self.exhausted
    }

    /// The variables that the caller sets.
    fn environment(&mut self, here: &Here) {
        let place = self.place;
        for (name, value) in &place.env {
            if dangerous_setting(name, value) {
                self.add(
                    DangerKind::Environment,
                    here,
                    format!("the variable {name} changes what programs are found or started"),
                );
            }
        }
    }

    /// Follows a text.
    fn text(&mut self, text: &str, scope: &mut Scope, here: &Here) {
        if text.len() > MAX_LENGTH {
            let start = text.floor_char_boundary(MAX_LENGTH);
            self.add(DangerKind::Unreadable, here, "it is longer than 64 KiB");
            // What stands in the part that is read still counts.
            return self.text(&text[..start], scope, here);
        }
        if self.level >= MAX_DEPTH {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        if !self.spend(text.len(), here) {
            return;
        }
        self.level += 1;
        let script = shell::read(text);
        if let Some(fault) = &script.fault {
            let here = here.at(&fault.span);
            self.add(DangerKind::Unreadable, &here, format!("it can't be read as shell text: {}", fault.reason));
            fallback::scan(self, text, scope, &here);
        }
        let before = self.pieces.len();
        self.list(&script.list, scope, here);
        if script.fault.is_none() && !self.agreed {
            self.second_reading((text, script.tokens), scope, here, before);
        }
        self.level -= 1;
    }

    fn list(&mut self, list: &List, scope: &mut Scope, here: &Here) {
        for pipeline in &list.pipelines {
            if self.exhausted {
                return;
            }
            self.pipeline(pipeline, scope, here);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, scope: &mut Scope, here: &Here) {
        bomb::pipeline(self, pipeline, here);
        if let [stage] = pipeline.stages.as_slice() {
            return self.stage(stage, scope, here);
        }
        let mut here = here.clone();
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let last = index + 1 == pipeline.stages.len();
            // Each stage is a process of its own.
            let mut inner = scope.clone();
            if !self.spend(scope.variables.len() * 8 + 16, &here) {
                return;
            }
            self.stage(stage, &mut inner, &here);
            // In some shells the last stage is the shell itself, and what it sets stays.
            if last {
                scope.variables = inner.variables;
            }
            here.input = output(stage, scope);
        }
    }

    fn stage(&mut self, stage: &Stage, scope: &mut Scope, here: &Here) {
        if self.level >= MAX_DEPTH || self.exhausted {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        self.level += 1;
        match stage {
            Stage::Simple(simple) => self.simple(simple, scope, here),
            Stage::Function(function) => {
                let here = here.at(&function.span);
                bomb::function(self, function, &here);
                self.stage(&function.body, &mut scope.clone(), &here);
                scope.functions.insert(function.name.clone(), function.body.clone());
            }
            Stage::Group(group) => {
                let here = &here.at(&group.span);
                self.inner(&group.words, scope, here);
                let mut here = here.clone();
                for redirect in &group.redirects {
                    self.redirect(redirect, scope, &mut here);
                }
                let mut own;
                let scope = if group.kind == GroupKind::Subshell {
                    own = scope.clone();
                    &mut own
                } else {
                    scope
                };
                if let Some((name, words)) = &group.binding {
                    self.inner(words, scope, &here);
                    scope.variables.remove(name);
                    let values: Vec<Value> = words.iter().flat_map(|word| expand(word, scope)).collect();
                    for value in values.iter().rev().take(4) {
                        let text = if value.glob { value::UNKNOWN.to_string() } else { value.text.clone() };
                        scope.assign(name, text);
                    }
                }
                bomb::group(self, group, &here);
                self.list(&group.body, scope, &here);
            }
        }
        self.level -= 1;
    }

    /// Follows what stands inside of words.
    fn inner(&mut self, words: &[Word], scope: &Scope, here: &Here) {
        for word in words {
            self.parts(&word.parts, scope, &here.at(&word.span));
        }
    }

    fn parts(&mut self, parts: &[Part], scope: &Scope, here: &Here) {
        for part in parts {
            match part {
                Part::Substitution { list, .. } | Part::Process { list } => {
                    if self.spend(scope.variables.len() + 16, here) {
                        // The lists of a text have places in it, unlike nested texts.
                        self.list(list, &mut scope.clone(), &here.deeper());
                    }
                }
                Part::Variable(variable) => self.parts(&variable.otherwise, scope, here),
                Part::Opaque { inner } => self.parts(inner, scope, here),
                Part::Document(lines) => self.parts(&lines.borrow(), scope, here),
                Part::Bare(_) | Part::Quoted(_) => {}
            }
        }
    }

    fn simple(&mut self, simple: &Simple, scope: &mut Scope, here: &Here) {
        let here = here.at(&simple.span);
        let mut here = here.clone();
        let mut all: Vec<Value> = Vec::new();
        for word in &simple.words {
            all.extend(expand(word, scope));
            if !self.spend(word.raw.len() + 8, &here) {
                return;
            }
        }
        if !self.spend(all.iter().map(|value| value.text.len()).sum(), &here) {
            return;
        }
        if !simple.words.is_empty() || !simple.redirects.is_empty() {
            here = self.piece(&all, &here, &simple.raw);
        }
        for assignment in &simple.assignments {
            self.assignment(assignment, scope, &here);
        }
        self.inner(&simple.words, scope, &here);
        for redirect in &simple.redirects {
            self.redirect(redirect, scope, &mut here);
        }
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                let text = elements(&assignment.values, scope);
                scope.assign(&assignment.name, text);
            }
            return;
        }
        self.choices(simple, scope, &here);
    }

    /// Looks at a command once for each value that its variables can have.
    fn choices(&mut self, simple: &Simple, scope: &mut Scope, here: &Here) {
        let choices = scope.choices(&simple.words).min(4);
        for pick in 0..choices {
            scope.pick = pick;
            let values: Vec<Value> = simple.words.iter().flat_map(|word| expand(word, scope)).collect();
            if simple.assignments.is_empty() {
                self.command(&values, scope, here);
            } else {
                let mut own = scope.clone();
                for assignment in &simple.assignments {
                    let text = elements(&assignment.values, scope);
                    own.assign(&assignment.name, text);
                }
                self.command(&values, &mut own, here);
            }
        }
        scope.pick = 0;
    }

    fn assignment(&mut self, assignment: &Assignment, scope: &Scope, here: &Here) {
        self.inner(&assignment.values, scope, here);
        let value = elements(&assignment.values, scope);
        if dangerous_setting(&assignment.name, &value) && !extends_path(assignment) {
            let reason = format!("setting {} changes what programs are found or started", assignment.name);
            self.add(DangerKind::Environment, here, reason);
        }
    }

    fn redirect(&mut self, redirect: &Redirect, scope: &Scope, here: &mut Here) {
        self.inner(std::slice::from_ref(&redirect.target), scope, here);
        if ["/dev/tcp/", "/dev/udp/"].iter().any(|start| redirect.target.raw.starts_with(start)) {
            self.add(DangerKind::Exposes, here, "it opens a connection to another machine");
        }
        match redirect.kind {
            RedirectKind::Write => write::redirection(self, &single(&redirect.target, scope), scope, here),
            RedirectKind::Text => here.input = Input::Text(single_text(&redirect.target, scope)),
            RedirectKind::Read => {
                let process = redirect.target.parts.iter().any(|part| matches!(part, Part::Process { .. }));
                here.input = if process { Input::Program("a substitution".to_owned()) } else { Input::Open };
            }
            RedirectKind::Descriptor => {}
        }
    }

    /// Notes a simple command.
    fn piece(&mut self, values: &[Value], here: &Here, text: &str) -> Here {
        let mut here = here.clone();
        if !self.noting {
            return here;
        }
        if self.pieces.len() >= MAX_PIECES {
            self.exhausted = true;
            self.add(DangerKind::Unreadable, &here, "it holds too many commands");
            return here;
        }
        let words: Vec<crate::Word> = values.iter().map(word).collect();
        here.piece = Some(self.pieces.len());
        self.pieces.push(Piece { text: text.to_owned(), span: here.span.clone(), depth: here.depth, words });
        here
    }

    /// Looks at a command, and at what it hands on to.
    fn command(&mut self, values: &[Value], scope: &mut Scope, here: &Here) {
        let Some((program, rest)) = values.split_first() else { return };
        if self.level >= MAX_DEPTH {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        if !self.spend(values.len() * 16 + 64, here) {
            return;
        }
        self.level += 1;
        let base = program.text.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = base.to_ascii_lowercase();
        let name = [".exe", ".cmd", ".bat", ".com"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let call = Call { name, args: Args(rest) };
        if !program.exact()
            && !matches!(program.text.as_str(), "[" | "[[")
            && (name.contains(value::UNKNOWN) || name.is_empty() || program.glob)
        {
            shells::unknown_program(self, program, &call, scope, here);
        } else {
            handon::follow(self, &call, scope, here);
            shells::check(self, &call, scope, here);
            code::check(self, &call, scope, here);
            delete::check(self, &call, scope, here);
            device::check(self, &call, scope, here);
            write::check(self, &call, scope, here);
            git::check(self, &call, scope, here);
            helpers::check(self, &call, scope, here);
            system::check(self, &call, here);
            network::check(self, &call, here);
            world::check(self, &call, here);
            windows::check(self, &call, scope, here);
        }
        self.level -= 1;
    }
}

/// What a stage hands to the next one.
fn output(stage: &Stage, scope: &Scope) -> Input {
    let Stage::Simple(simple) = stage else { return Input::Program("a group of commands".to_owned()) };
    let words: Vec<Value> = simple.words.iter().flat_map(|word| expand(word, scope)).collect();
    let name = words.first().map_or("a command", |value| value.text.as_str()).to_owned();
    let lines = simple.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Text);
    match (name.as_str(), lines) {
        ("cat" | "tee", Some(redirect)) => Input::Text(single_text(&redirect.target, scope)),
        _ => printed(&words, scope).map_or(Input::Program(name), Input::Text),
    }
}

/// A text from a word, its lines kept apart.
fn single_text(word: &Word, scope: &Scope) -> String {
    let quoted: Vec<Part> = match word.parts.as_slice() {
        [Part::Document(lines)] => lines.borrow().clone(),
        parts => parts.to_vec(),
    };
    single(&Word { parts: quoted, span: word.span.clone(), raw: String::new() }, scope).text
}

/// `PATH=$PATH:…` keeps what was found before, and is part of daily work.
fn extends_path(assignment: &Assignment) -> bool {
    let first = assignment
        .values
        .first()
        .and_then(|word| word.parts.iter().find(|part| !matches!(part, Part::Quoted(text) if text.is_empty())));
    assignment.name == "PATH" && matches!(first, Some(Part::Variable(variable)) if variable.name == "PATH")
}

fn word(value: &Value) -> crate::Word {
    if value.exact() { crate::Word::Literal(value.text.clone()) } else { crate::Word::Unknown(value.raw.clone()) }
}

#[cfg(test)]
mod tests;
