//! The permissive reader: commands, groups and functions. It reads every text to its end, noting the first fault.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::script::{
    Assignment, Fault, Group, GroupKind, List, Part, Pipeline, Redirect, RedirectKind, Script, Simple, Stage, Word,
};
use super::{MAX_DEPTH, MAX_PIECES};

/// Reads a text.
pub(crate) fn read(text: &str) -> Script {
    let mut reader = Reader::new(text, 0, None);
    let list = reader.list(&[]);
    // Shells drop it, cut the text there or refuse it.
    if let Some(at) = text.find('\0') {
        reader.fault.get_or_insert(Fault { reason: "it holds a zero byte", span: at..at + 1 });
    }
    Script { list, fault: reader.fault, tokens: reader.tokens }
}

/// A here-document whose lines are still to come.
pub(super) struct Pending {
    pub delimiter: String,
    pub literal: bool,
    pub tabs: bool,
    /// Where its lines go.
    pub lines: Rc<RefCell<Vec<Part>>>,
}

pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub at: usize,
    pub depth: usize,
    pub pieces: usize,
    /// How many words, quotes and expansions there were: what the grammar's time grows with.
    pub tokens: usize,
    /// The place that stands for all places, in a text that is not part of the whole one as it is.
    pub fixed: Option<Range<usize>>,
    pub fault: Option<Fault>,
    /// Whether a limit was met.
    pub stopped: bool,
    pub pending: Vec<Pending>,
}

/// Signs of redirections, the longer ones first.
const OPERATORS: &[(&str, RedirectKind)] = &[
    ("&>>", RedirectKind::Write),
    ("&>", RedirectKind::Write),
    ("<<<", RedirectKind::Text),
    ("<<-", RedirectKind::Text),
    ("<<", RedirectKind::Text),
    (">>", RedirectKind::Write),
    (">|", RedirectKind::Write),
    ("<>", RedirectKind::Write),
    (">&", RedirectKind::Descriptor),
    ("<&", RedirectKind::Descriptor),
    (">", RedirectKind::Write),
    ("<", RedirectKind::Read),
];

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, depth: usize, fixed: Option<Range<usize>>) -> Reader<'a> {
        Reader { text, at: 0, depth, pieces: 0, tokens: 0, fixed, fault: None, stopped: false, pending: Vec::new() }
    }

    pub(super) fn span(&self, from: usize) -> Range<usize> {
        self.fixed.clone().unwrap_or(from..self.at.max(from))
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    pub(super) fn fail(&mut self, reason: &'static str, from: usize) {
        if self.fault.is_none() {
            self.fault = Some(Fault { reason, span: self.span(from) });
        }
    }

    /// Gives up on the rest.
    pub(super) fn stop(&mut self, reason: &'static str) {
        let from = self.at;
        self.at = self.text.len();
        self.stopped = true;
        // Limits outrank other faults: they say that commands were not looked at.
        self.fault = Some(Fault { reason, span: self.span(from) });
    }

    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.starts("\\\n") => self.at += 2,
                Some('\\') if self.starts("\\\r\n") => self.at += 3,
                Some('#')
                    if self.at == 0 || self.text[..self.at].ends_with([' ', '\t', '\n', ';', '&', '|', '(', ')']) =>
                {
                    self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
                }
                _ => return,
            }
        }
    }

    /// The bare word that starts here, when it ends where a shell's keyword could end.
    pub(super) fn keyword(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find([' ', '\t', '\r', '\n', ';', '&', '|', '<', '>', '(', ')']).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Reads until one of the closing words or signs, which is consumed, or to the end.
    pub(super) fn list(&mut self, until: &[&str]) -> List {
        let mut list = List::default();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.stop("it is nested too deep");
        }
        let open = self.at;
        loop {
            self.separators(until);
            if self.at >= self.text.len() {
                if !until.is_empty() {
                    self.fail("something is opened and not closed", open);
                }
                break;
            }
            if let Some(close) = until.iter().find(|close| self.closes(close)) {
                self.at += close.len();
                break;
            }
            let before = self.at;
            let pipeline = self.pipeline();
            if !pipeline.stages.is_empty() {
                list.pipelines.push(pipeline);
            } else if self.at == before {
                // A sign that nothing opened: note it, and look at what comes after it.
                self.fail("something is closed that was not opened", before);
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
        self.depth -= 1;
        list
    }

    fn closes(&self, close: &str) -> bool {
        match close {
            ")" | ";;" => self.starts(close),
            _ => self.keyword() == close,
        }
    }

    pub(super) fn separators(&mut self, until: &[&str]) {
        loop {
            self.blanks();
            match self.peek() {
                Some('\n') => {
                    self.at += 1;
                    self.bodies();
                }
                Some(';') if until.contains(&";;") && self.starts(";;") => return,
                Some(';') => self.at += 1,
                Some('&') if !self.starts("&>") => {
                    self.fail("a command is missing before &", self.at);
                    self.at += 1;
                }
                Some('|') => {
                    self.fail("a command is missing before |", self.at);
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline { stages: Vec::with_capacity(1), background: false };
        loop {
            self.blanks();
            while self.peek() == Some('\n') && !pipeline.stages.is_empty() {
                self.at += 1;
                self.bodies();
                self.blanks();
            }
            let before = self.at;
            if let Some(stage) = self.stage() {
                pipeline.stages.push(stage);
            } else if !pipeline.stages.is_empty() {
                self.fail("a command is missing after |", before);
            }
            self.blanks();
            if self.starts("||") || self.starts("&&") {
                self.at += 2;
                self.expect_command();
                return pipeline;
            }
            if self.starts("|&") {
                self.at += 2;
            } else if self.starts("|") {
                self.at += 1;
            } else {
                if self.starts("&") && !self.starts("&>") {
                    self.at += 1;
                    pipeline.background = true;
                }
                return pipeline;
            }
            if self.at == before {
                return pipeline;
            }
        }
    }

    /// What joins two commands needs a second one.
    fn expect_command(&mut self) {
        let from = self.at;
        self.blanks();
        while self.peek() == Some('\n') {
            self.at += 1;
            self.bodies();
            self.blanks();
        }
        if matches!(self.peek(), None | Some(';' | '|' | '&' | ')')) && !self.starts("&>") {
            self.fail("a command is missing after && or ||", from);
        }
    }

    fn stage(&mut self) -> Option<Stage> {
        let from = self.at;
        if self.pieces > MAX_PIECES {
            self.stop("it holds too many commands");
            return None;
        }
        if self.starts("((") && self.arithmetic_end(self.at + 2).is_some() {
            return Some(self.arithmetic());
        }
        if self.starts("(") {
            self.at += 1;
            let body = self.list(&[")"]);
            return Some(self.group(GroupKind::Subshell, body, from));
        }
        let keyword = self.keyword();
        match keyword {
            "{" => {
                self.at += 1;
                let body = self.list(&["}"]);
                Some(self.group(GroupKind::Inline, body, from))
            }
            "then" | "else" | "elif" | "do" | "!" | "time" => {
                self.at += keyword.len();
                self.blanks();
                if keyword == "time" && self.keyword() == "-p" {
                    self.at += 2;
                }
                self.separators(&[]);
                (self.at < self.text.len()).then(|| self.nested_stage()).flatten()
            }
            "fi" | "done" | "esac" | "}" => None,
            "if" | "while" | "until" | "for" | "select" | "case" | "function" | "coproc" | "[[" => {
                self.compound(keyword)
            }
            _ => self.simple(),
        }
    }

    /// A stage that a keyword hands on to, counted like a nesting: `! ! ! ls` must not exhaust the stack.
    pub(super) fn nested_stage(&mut self) -> Option<Stage> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.stop("it is nested too deep");
            return None;
        }
        let stage = self.stage();
        self.depth -= 1;
        stage
    }

    pub(super) fn group(&mut self, kind: GroupKind, body: List, from: usize) -> Stage {
        let span = self.span(from);
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            let Some(redirect) = self.redirect() else { break };
            redirects.push(redirect);
        }
        Stage::Group(Group { kind, binding: None, words: Vec::new(), body, redirects, span })
    }

    fn simple(&mut self) -> Option<Stage> {
        let from = self.at;
        let mut simple = Simple {
            span: 0..0,
            raw: String::new(),
            assignments: Vec::new(),
            words: Vec::new(),
            redirects: Vec::new(),
        };
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect() {
                simple.redirects.push(redirect);
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('(') => {
                    if let Some(name) = self.function_name(&simple) {
                        return Some(self.function(name, from));
                    }
                    if !simple.words.is_empty() {
                        self.fail("a parenthesis stands in a command", self.at);
                    }
                    break;
                }
                _ if simple.words.is_empty() && self.assignment(&mut simple) => {}
                _ if declares(&simple) && self.declared(&mut simple) => {}
                _ => {
                    let word = self.word();
                    simple.words.push(word);
                }
            }
        }
        if self.at == from {
            return None;
        }
        self.text[from..self.at].trim_end().clone_into(&mut simple.raw);
        simple.span = self.fixed.clone().unwrap_or(from..from + self.text[from..self.at].trim_end().len());
        self.pieces += 1;
        Some(Stage::Simple(simple))
    }

    /// Reads `NAME=(…)` behind a word that declares variables. What else is declared there is a word like any other.
    fn declared(&mut self, simple: &mut Simple) -> bool {
        let from = self.at;
        let rest = &self.text[from..];
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !(name.starts_with("=(") || name.starts_with("+=(")) || !self.assignment(simple) {
            return false;
        }
        let raw = self.text[from..self.at].to_owned();
        let name = raw.split(['=', '+']).next().unwrap_or_default().to_owned();
        let values = simple.assignments.last().map(|assignment| assignment.values.clone()).unwrap_or_default();
        let mut parts = vec![Part::Bare(name), Part::Quoted("=".to_owned())];
        parts.push(Part::Opaque { inner: values.into_iter().flat_map(|word| word.parts).collect() });
        simple.words.push(Word { parts, span: self.span(from), raw });
        true
    }

    /// The name of the function that is defined here: one word, then `()`.
    fn function_name(&mut self, simple: &Simple) -> Option<String> {
        let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t']);
        let [word] = simple.words.as_slice() else { return None };
        if !rest.starts_with(')') || !simple.assignments.is_empty() {
            return None;
        }
        self.at = self.text.len() - rest.len() + 1;
        Some(word.raw.clone())
    }

    /// Reads `NAME=value`, `NAME+=value`, `NAME[i]=value` or `NAME=(…)`, when it stands here.
    fn assignment(&mut self, simple: &mut Simple) -> bool {
        let rest = &self.text[self.at..];
        let name = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        if name == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let mut value = name;
        if rest[value..].starts_with('[') {
            let Some(end) = rest[value..].find(']').filter(|end| !rest[value..value + end].contains([' ', '\n']))
            else {
                return false;
            };
            value += end + 1;
        }
        value += usize::from(rest[value..].starts_with('+'));
        if !rest[value..].starts_with('=') {
            return false;
        }
        let name = rest[..name].to_owned();
        self.at += value + 1;
        let values = if self.starts("(") { self.elements() } else { vec![self.word()] };
        simple.assignments.push(Assignment { name, values });
        true
    }

    fn elements(&mut self) -> Vec<Word> {
        let open = self.at;
        self.at += 1;
        let mut words = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None => {
                    self.fail("something is opened and not closed", open);
                    return words;
                }
                Some(')') => {
                    self.at += 1;
                    return words;
                }
                Some('\n') => self.at += 1,
                Some(c @ (';' | '&' | '|' | '<' | '>' | '(')) => {
                    if matches!(c, '<' | '>') && self.text[self.at + 1..].starts_with('(') {
                        words.push(self.word());
                        continue;
                    }
                    self.fail("an operator stands in a list of values", self.at);
                    return words;
                }
                _ => words.push(self.word()),
            }
        }
    }

    fn redirect(&mut self) -> Option<Redirect> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '<' | '>' | '&' | '{')) {
            return None;
        }
        let mut skip = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if rest.starts_with('{') {
            let end = rest.find('}')?;
            let name = &rest[1..end];
            skip =
                (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(end + 1)?;
        }
        let operator = &rest[skip..];
        if operator.starts_with("<(") || operator.starts_with(">(") {
            return None;
        }
        let (sign, mut kind) = OPERATORS.iter().find(|(sign, _)| operator.starts_with(sign)).copied()?;
        self.at += skip + sign.len();
        self.blanks();
        let mut target = if matches!(self.peek(), None | Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>'))
            && !self.starts("<(")
            && !self.starts(">(")
        {
            self.fail("a redirection leads nowhere", self.at);
            Word::default()
        } else {
            self.word()
        };
        if kind == RedirectKind::Descriptor && !target.raw.chars().all(|c| c.is_ascii_digit() || c == '-') {
            kind = if sign == ">&" { RedirectKind::Write } else { RedirectKind::Read };
        }
        if matches!(sign, "<<" | "<<-") {
            target = self.document(&target, sign == "<<-");
        }
        Some(Redirect { kind, target })
    }
}

/// Whether a command declares variables, so that lists may stand among its words.
pub(crate) fn declares(simple: &Simple) -> bool {
    let first = simple.words.first().map(|word| word.raw.as_str());
    matches!(first, Some("declare" | "typeset" | "local" | "readonly" | "export" | "integer"))
}
