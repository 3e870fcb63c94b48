//! The permissive reader: branches, loops, functions, tests and arithmetic.

use std::rc::Rc;

use super::reader::Reader;
use super::script::{Function, GroupKind, List, Stage, Word};

impl Reader<'_> {
    pub(super) fn compound(&mut self, keyword: &str) -> Option<Stage> {
        let from = self.at;
        self.at += keyword.len();
        match keyword {
            "if" => {
                let body = self.list(&["fi"]);
                Some(self.group(GroupKind::Inline, body, from))
            }
            "while" | "until" => {
                let body = self.list(&["done"]);
                Some(self.group(GroupKind::Loop, body, from))
            }
            "for" | "select" => Some(self.for_loop(from)),
            "case" => Some(self.case(from)),
            "function" => {
                self.blanks();
                let name = self.keyword().to_owned();
                self.at += name.len();
                self.blanks();
                if self.starts("(") {
                    self.at += 1;
                    self.blanks();
                    self.at += usize::from(self.starts(")"));
                }
                Some(self.function(name, from))
            }
            "coproc" => {
                self.blanks();
                let name = self.keyword();
                let after = self.text[self.at + name.len()..].trim_start();
                let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if named && after.starts_with(['{', '(']) {
                    self.at += name.len();
                    self.blanks();
                }
                self.nested_stage()
            }
            _ => Some(self.test(from)),
        }
    }

    pub(super) fn function(&mut self, name: String, from: usize) -> Stage {
        while matches!(self.peek(), Some('\n')) {
            self.at += 1;
            self.blanks();
        }
        self.blanks();
        let empty = List::default();
        let body = self.nested_stage().unwrap_or_else(|| self.group(GroupKind::Inline, empty, from));
        Stage::Function(Function { name, body: Rc::new(body), span: self.span(from) })
    }

    pub(super) fn for_loop(&mut self, from: usize) -> Stage {
        self.blanks();
        let mut words = Vec::new();
        let mut name = String::new();
        if self.starts("((") {
            let Stage::Group(head) = self.arithmetic() else { return self.arithmetic() };
            words = head.words;
        } else {
            self.keyword().clone_into(&mut name);
            self.at += name.len();
            self.separators(&[]);
            if self.keyword() == "in" {
                self.at += 2;
                loop {
                    self.blanks();
                    match self.peek() {
                        None | Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>') => break,
                        _ => words.push(self.word()),
                    }
                }
            }
        }
        let body = self.list(&["done", "}"]);
        let Stage::Group(mut group) = self.group(GroupKind::Loop, body, from) else {
            unreachable!("group makes a group")
        };
        if name.is_empty() {
            group.words = words;
        } else {
            group.binding = Some((name, words));
        }
        Stage::Group(group)
    }

    pub(super) fn case(&mut self, from: usize) -> Stage {
        self.blanks();
        let mut words = vec![self.word()];
        self.separators(&[]);
        self.at += if self.keyword() == "in" { 2 } else { 0 };
        let mut body = List::default();
        loop {
            self.separators(&[]);
            if self.at >= self.text.len() {
                self.fail("something is opened and not closed", from);
                break;
            }
            if self.keyword() == "esac" {
                self.at += 4;
                break;
            }
            let before = self.at;
            self.at += usize::from(self.starts("("));
            loop {
                self.blanks();
                match self.peek() {
                    Some(')') => {
                        self.at += 1;
                        break;
                    }
                    Some('|') => self.at += 1,
                    None | Some('\n' | ';' | '&' | '<' | '>' | '(') => break,
                    _ => words.push(self.word()),
                }
            }
            let mut arm = self.list(&[";;", "esac"]);
            body.pipelines.append(&mut arm.pipelines);
            if self.text[..self.at].ends_with("esac") {
                break;
            }
            self.at += usize::from(self.starts("&"));
            if self.at == before {
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
        let Stage::Group(mut group) = self.group(GroupKind::Inline, body, from) else {
            unreachable!("group makes a group")
        };
        group.words = words;
        Stage::Group(group)
    }

    /// `[[ … ]]`, in which operators are words.
    pub(super) fn test(&mut self, from: usize) -> Stage {
        let inner = self.parts_until("]]");
        let word = Word { parts: inner, span: self.span(from), raw: String::new() };
        let Stage::Group(mut group) = self.group(GroupKind::Inline, List::default(), from) else {
            unreachable!("group makes a group")
        };
        group.words = vec![word];
        Stage::Group(group)
    }

    pub(super) fn arithmetic(&mut self) -> Stage {
        let from = self.at;
        self.at += 2;
        let end = self.arithmetic_end(self.at).unwrap_or(self.text.len());
        let inner = self.slice(self.at..end);
        let body = self.doubled(&self.text[self.at..end], from);
        self.at = (end + 2).min(self.text.len());
        let word = Word { parts: inner, span: self.span(from), raw: String::new() };
        let Stage::Group(mut group) = self.group(GroupKind::Inline, body, from) else {
            unreachable!("group makes a group")
        };
        group.words = vec![word];
        Stage::Group(group)
    }

    /// Shells without arithmetic commands read `((rm x))` as a subshell in a subshell, so it is read in that way too.
    pub(super) fn doubled(&mut self, inner: &str, from: usize) -> List {
        if !inner
            .trim_start()
            .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '"' | '\'' | '\\' | '(' | '{' | '_'))
        {
            return List::default();
        }
        let mut reader = Reader::new(inner, self.depth + 1, Some(self.span(from)));
        (reader.pieces, reader.tokens) = (self.pieces, self.tokens);
        let body = reader.list(&[]);
        (self.pieces, self.tokens) = (reader.pieces, reader.tokens);
        // As arithmetic it may be no valid text; only limits count.
        if reader.stopped {
            self.fault = reader.fault;
            self.stopped = true;
        }
        body
    }
}
