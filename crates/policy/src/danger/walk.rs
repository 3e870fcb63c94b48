//! The way through a text: lists, pipelines, groups and simple commands, with what their words become.

use std::rc::Rc;

use super::value::{Scope, UNKNOWN, Value, elements, expand_all, expand_into, printed, single};
use super::{Here, Input, Search, bomb, fallback, too_long, write};
use crate::DangerKind;
use crate::environment::dangerous_setting;
use crate::shell::script::{
    Assignment, Group, GroupKind, List, Part, Pipeline, Redirect, RedirectKind, Simple, Stage, Word,
};
use crate::shell::{self, MAX_DEPTH, MAX_LENGTH};

impl Search<'_> {
    /// Follows a text.
    pub(super) fn text(&mut self, text: &str, scope: &mut Scope, here: &Here) {
        if text.len() > MAX_LENGTH {
            let start = text.floor_char_boundary(MAX_LENGTH);
            self.add(DangerKind::Unreadable, here, too_long(text.len()));
            // What stands in the part that is read still counts.
            return self.text(&text[..start], scope, here);
        }
        if self.level >= MAX_DEPTH {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        if (here.nested > 0 && !self.enters()) || !self.spend(text.len(), here) {
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

    pub(super) fn list(&mut self, list: &List, scope: &mut Scope, here: &Here) {
        for pipeline in &list.pipelines {
            if !self.goes_on(here) {
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

    pub(super) fn stage(&mut self, stage: &Stage, scope: &mut Scope, here: &Here) {
        if self.exhausted {
            return;
        }
        if self.level >= MAX_DEPTH {
            return self.add(DangerKind::Unreadable, here, "it is nested too deep");
        }
        self.level += 1;
        match stage {
            Stage::Simple(simple) => self.simple(simple, scope, here),
            Stage::Function(function) => {
                let here = here.at(&function.span);
                bomb::function(self, function, &here);
                self.stage(&function.body, &mut scope.clone(), &here);
                Rc::make_mut(&mut scope.functions).insert(function.name.clone(), function.body.clone());
            }
            Stage::Group(group) => self.group(group, scope, here),
        }
        self.level -= 1;
    }

    fn group(&mut self, group: &Group, scope: &mut Scope, here: &Here) {
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
            Rc::make_mut(&mut scope.variables).remove(name);
            let values = expand_all(words, scope);
            for value in values.iter().rev().take(4) {
                let text = if value.glob { UNKNOWN.to_string() } else { value.text.clone() };
                scope.assign(name, text);
            }
        }
        bomb::group(self, group, &here);
        self.list(&group.body, scope, &here);
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
        let mut here = here.at(&simple.span);
        let mut all: Vec<Value> = Vec::new();
        for word in &simple.words {
            expand_into(word, scope, &mut all);
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
        let mut assigned = Vec::new();
        for assignment in &simple.assignments {
            let value = self.assignment(assignment, scope, &here);
            if !self.spend(value.len() + 16, &here) {
                // From here on it is not known, and short again.
                return scope.assign(&assignment.name, UNKNOWN.to_string());
            }
            assigned.push((assignment.name.as_str(), value));
        }
        self.inner(&simple.words, scope, &here);
        for redirect in &simple.redirects {
            self.redirect(redirect, scope, &mut here);
        }
        if simple.words.is_empty() {
            for (name, value) in assigned {
                scope.assign(name, value);
            }
            return;
        }
        self.choices(simple, all, scope, &here);
        // What was declared stays, unlike what is set for one command.
        if shell::declares(simple) {
            for (name, value) in assigned {
                scope.assign(name, value);
            }
        }
    }

    /// Looks at a command once for each value that its variables can have.
    fn choices(&mut self, simple: &Simple, first: Vec<Value>, scope: &mut Scope, here: &Here) {
        let choices = scope.choices(&simple.words).min(4);
        let mut first = Some(first);
        for pick in 0..choices {
            scope.pick = pick;
            let values = first.take().unwrap_or_else(|| expand_all(&simple.words, scope));
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

    /// Looks at an assignment and says what is assigned.
    fn assignment(&mut self, assignment: &Assignment, scope: &Scope, here: &Here) -> String {
        self.inner(&assignment.values, scope, here);
        let value = elements(&assignment.values, scope);
        if dangerous_setting(&assignment.name, &value) && !extends_path(assignment) {
            let reason = format!("setting {} changes what programs are found or started", assignment.name);
            self.add(DangerKind::Environment, here, reason);
        }
        value
    }

    fn redirect(&mut self, redirect: &Redirect, scope: &Scope, here: &mut Here) {
        self.inner(std::slice::from_ref(&redirect.target), scope, here);
        if ["/dev/tcp/", "/dev/udp/"].iter().any(|start| redirect.target.raw.starts_with(start)) {
            self.add(DangerKind::Exposes, here, "it opens a connection to another machine");
        }
        match redirect.kind {
            RedirectKind::Write => write::redirection(self, &single(&redirect.target, scope), scope, here),
            RedirectKind::Text => here.input = Input::Text(single_text(&redirect.target, scope).into()),
            RedirectKind::Read => {
                let process = redirect.target.parts.iter().any(|part| matches!(part, Part::Process { .. }));
                here.input = if process { Input::Program("a substitution".into()) } else { Input::Open };
            }
            RedirectKind::Descriptor => {}
        }
    }
}

/// What a stage hands to the next one.
fn output(stage: &Stage, scope: &Scope) -> Input {
    let Stage::Simple(simple) = stage else { return Input::Program("a group of commands".into()) };
    let words = expand_all(&simple.words, scope);
    let name = words.first().map_or("a command", |value| value.text.as_str());
    let lines = simple.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Text);
    match (name, lines) {
        ("cat" | "tee", Some(redirect)) => Input::Text(single_text(&redirect.target, scope).into()),
        _ => printed(&words, scope).map_or_else(|| Input::Program(name.into()), |text| Input::Text(text.into())),
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
