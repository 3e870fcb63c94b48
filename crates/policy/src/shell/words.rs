//! The permissive reader: words, quotes, expansions, substitutions and here-documents.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::reader::{Pending, Reader};
use super::script::{Part, Variable, Word};

/// Adds text to the parts, joining neighbours.
fn push(parts: &mut Vec<Part>, c: char, quoted: bool) {
    push_str(parts, c.encode_utf8(&mut [0; 4]), quoted);
}

fn push_str(parts: &mut Vec<Part>, more: &str, quoted: bool) {
    match (parts.last_mut(), quoted) {
        (Some(Part::Quoted(text)), true) | (Some(Part::Bare(text)), false) => text.push_str(more),
        (_, true) => parts.push(Part::Quoted(more.to_owned())),
        (_, false) => parts.push(Part::Bare(more.to_owned())),
    }
}

/// Whether a byte means nothing to a shell wherever it stands, so that a run of them can be taken at once.
fn ordinary(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'=' | b',' | b':' | b'@' | b'%' | b'+')
}

impl Reader<'_> {
    /// Reads the word that starts here, at least one character.
    pub(super) fn word(&mut self) -> Word {
        let from = self.at;
        let mut parts = Vec::with_capacity(1);
        self.tokens += 1;
        while let Some(c) = self.peek() {
            match c {
                '<' | '>' if self.text[self.at + 1..].starts_with('(') => {
                    self.at += 2;
                    let list = Rc::new(self.list(&[")"]));
                    parts.push(Part::Process { list });
                }
                ' ' | '\t' | '\n' | ';' | '&' | '|' | ')' | '<' | '>' => break,
                '\r' if matches!(self.text.as_bytes().get(self.at + 1), None | Some(b'\n')) => break,
                '(' => {
                    // An extended pattern: `@(a|b)`.
                    if !self.text[from..self.at].ends_with(['?', '*', '+', '@', '!']) {
                        break;
                    }
                    self.at += 1;
                    let inner = self.parts_until(")");
                    push(&mut parts, '*', false);
                    parts.push(Part::Opaque { inner });
                }
                _ => self.part(&mut parts, c, false),
            }
        }
        if self.at == from {
            // Whoever asked for a word gets past this character.
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        Word { parts, span: self.span(from), raw: self.text[from..self.at].to_owned() }
    }

    /// Reads one part; `quoted` inside of double quotes.
    fn part(&mut self, parts: &mut Vec<Part>, c: char, quoted: bool) {
        self.tokens += usize::from(matches!(c, '$' | '`' | '\'' | '"' | '{' | '}'));
        match c {
            '\\' => self.backslash(parts, quoted),
            '$' => self.dollar(parts, quoted),
            '`' => self.backticks(parts, quoted),
            '\'' if !quoted => {
                let open = self.at;
                let rest = &self.text[open + 1..];
                let end = rest.find('\'');
                if end.is_none() {
                    self.fail("a quote is not closed", open);
                }
                let inner = &rest[..end.unwrap_or(rest.len())];
                parts.push(Part::Quoted(inner.to_owned()));
                self.at = (open + inner.len() + 2).min(self.text.len());
            }
            '"' if !quoted => self.double_quoted(parts),
            c => {
                let from = self.at;
                self.at += c.len_utf8();
                let rest = &self.text.as_bytes()[self.at..];
                self.at += rest.iter().position(|byte| !ordinary(*byte)).unwrap_or(rest.len());
                push_str(parts, &self.text[from..self.at], quoted);
            }
        }
    }

    fn backslash(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        self.at += 1;
        match self.peek() {
            None => push(parts, '\\', true),
            Some('\n') => self.at += 1,
            Some(c) => {
                if quoted && !matches!(c, '$' | '`' | '"' | '\\') {
                    push(parts, '\\', true);
                }
                push(parts, c, true);
                self.at += c.len_utf8();
            }
        }
    }

    fn double_quoted(&mut self, parts: &mut Vec<Part>) {
        let open = self.at;
        self.at += 1;
        parts.push(Part::Quoted(String::new()));
        while let Some(c) = self.peek() {
            if c == '"' {
                self.at += 1;
                return;
            }
            self.part(parts, c, true);
        }
        self.fail("a quote is not closed", open);
    }

    fn dollar(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let open = self.at;
        let rest = &self.text[open + 1..];
        match rest.chars().next() {
            Some('\'') if !quoted => {
                self.at += 2;
                let text = self.ansi_c(open);
                parts.push(Part::Quoted(text));
            }
            Some('"') if !quoted => {
                self.at += 1;
                self.double_quoted(parts);
            }
            Some('(') if rest.starts_with("((") && self.arithmetic_end(open + 3).is_some() => {
                let end = self.arithmetic_end(open + 3).unwrap_or(self.text.len());
                let inner = self.slice(open + 3..end);
                self.at = (end + 2).min(self.text.len());
                parts.push(Part::Opaque { inner });
            }
            Some('(') => {
                self.at += 2;
                let list = Rc::new(self.list(&[")"]));
                parts.push(Part::Substitution { list, quoted });
            }
            Some('{') => self.braced(parts, quoted),
            Some('[') => {
                self.at += 2;
                let inner = self.parts_until("]");
                parts.push(Part::Opaque { inner });
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                self.at += 1 + name.len();
                parts.push(variable(name, quoted));
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                self.at += 2;
                parts.push(variable(c.to_string(), quoted));
            }
            _ => {
                self.at += 1;
                push(parts, '$', true);
            }
        }
    }

    /// `${…}`.
    fn braced(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let open = self.at;
        self.at += 2;
        if matches!(self.peek(), Some(' ' | '\n' | '\t' | '|')) {
            self.at += 1;
            let list = Rc::new(self.list(&["}"]));
            parts.push(Part::Substitution { list, quoted });
            return;
        }
        let rest = &self.text[self.at..];
        let indirect = rest.starts_with(['!', '#']) && !rest[1..].starts_with('}');
        let rest = &rest[usize::from(indirect)..];
        let mut length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        if length == 0 {
            length = rest
                .chars()
                .next()
                .filter(|c| matches!(c, '@' | '*' | '#' | '?' | '-' | '$' | '!'))
                .map_or(0, char::len_utf8);
        }
        let name = rest[..length].to_owned();
        let rest = &rest[length..];
        let all = rest.starts_with("[@]") || rest.starts_with("[*]");
        let rest = &rest[if all { 3 } else { 0 }..];
        let operator = [":-", ":=", ":+", "-", "=", "+"].iter().find(|sign| rest.starts_with(**sign));
        let plain = rest.starts_with('}');
        self.at = self.text.len() - rest.len() + operator.map_or(0, |sign| sign.len());
        let inner = self.parts_until("}");
        if self.at >= self.text.len() && !self.text.ends_with('}') {
            self.fail("something is opened and not closed", open);
        }
        let changed = indirect || (!plain && operator.is_none());
        let otherwise = if operator.is_some() { inner } else { vec![Part::Opaque { inner }] };
        let otherwise = if plain { Vec::new() } else { otherwise };
        parts.push(Part::Variable(Variable { name, quoted, all, otherwise, changed }));
    }

    fn backticks(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let open = self.at;
        self.at += 1;
        let mut inner = String::new();
        let mut closed = false;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '`' => {
                    closed = true;
                    break;
                }
                '\\' => match self.peek() {
                    Some(c @ ('`' | '\\' | '$')) => {
                        inner.push(c);
                        self.at += 1;
                    }
                    Some('"') if quoted => {
                        inner.push('"');
                        self.at += 1;
                    }
                    _ => inner.push('\\'),
                },
                c => inner.push(c),
            }
        }
        if !closed {
            self.fail("a substitution is not closed", open);
        }
        let list = Rc::new(self.apart(&inner, open, |reader| reader.list(&[])));
        parts.push(Part::Substitution { list, quoted });
    }

    /// Reads a text that does not stand in this one as it is.
    fn apart<T>(&mut self, text: &str, from: usize, read: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        let mut reader = Reader::new(text, self.depth + 1, Some(self.span(from)));
        (reader.pieces, reader.tokens) = (self.pieces, self.tokens);
        let result = read(&mut reader);
        (self.pieces, self.tokens) = (reader.pieces, reader.tokens);
        if let Some(fault) = reader.fault {
            self.fault.get_or_insert(fault);
        }
        self.stopped |= reader.stopped;
        result
    }

    /// The parts of a range in which operators are text.
    pub(super) fn slice(&mut self, range: Range<usize>) -> Vec<Part> {
        let text = self.text[range.clone()].to_owned();
        // Each level of `((((…))))` is read by all levels around it, so what holds nothing is not read at all.
        if self.depth < super::MAX_DEPTH && !text.is_empty() && !text.contains(['$', '`', '\\', '\'', '"']) {
            return vec![Part::Bare(text)];
        }
        self.apart(&text, range.start, |reader| {
            let mut parts = Vec::new();
            if reader.depth > super::MAX_DEPTH {
                reader.stop("it is nested too deep");
            }
            while let Some(c) = reader.peek() {
                reader.part(&mut parts, c, false);
            }
            parts
        })
    }

    /// The parts up to a closing sign, which is consumed; operators are text, and brackets of the same kind count.
    pub(super) fn parts_until(&mut self, close: &str) -> Vec<Part> {
        let open = self.at;
        let opener = match close {
            ")" => '(',
            "}" => '{',
            "]" => '[',
            _ => '\0',
        };
        let mut level = 0_usize;
        let mut parts = Vec::new();
        self.depth += 1;
        if self.depth > super::MAX_DEPTH {
            self.stop("it is nested too deep");
        }
        while let Some(c) = self.peek() {
            if self.starts(close) {
                if level == 0 {
                    self.at += close.len();
                    self.depth -= 1;
                    return parts;
                }
                level -= 1;
            } else if c == opener {
                level += 1;
            }
            if matches!(c, '<' | '>') && self.text[self.at + 1..].starts_with('(') {
                self.at += 2;
                let list = Rc::new(self.list(&[")"]));
                parts.push(Part::Process { list });
                continue;
            }
            self.part(&mut parts, c, false);
        }
        self.depth -= 1;
        self.fail("something is opened and not closed", open);
        parts
    }

    /// Where the `))` stands that closes an arithmetic expression, when it is one.
    pub(super) fn arithmetic_end(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut level = 0_usize;
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'(' => level += 1,
                b')' if level > 0 => level -= 1,
                b')' => return (bytes.get(at + 1) == Some(&b')')).then_some(at),
                b'\'' | b'"' | b'\\' => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Announces a here-document; its lines come after the next line end.
    pub(super) fn document(&mut self, target: &Word, tabs: bool) -> Word {
        let literal = target.raw.contains(['\'', '"', '\\']);
        let delimiter = target.raw.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
        let lines = Rc::new(RefCell::new(Vec::new()));
        self.pending.push(Pending { delimiter, literal, tabs, lines: Rc::clone(&lines) });
        Word { parts: vec![Part::Document(lines)], span: target.span.clone(), raw: target.raw.clone() }
    }

    /// Reads the lines of the here-documents that wait for them. Called right after a line end.
    pub(super) fn bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let from = self.at;
            let mut body = String::new();
            let mut closed = false;
            while self.at < self.text.len() {
                let rest = &self.text[self.at..];
                let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
                let line = if pending.tabs { rest[..end].trim_start_matches('\t') } else { &rest[..end] };
                self.at += end;
                // A substitution can end in the same line: `$(cat <<E … E)`.
                if line.trim_end_matches(['\n', '\r']) == pending.delimiter {
                    self.at -= usize::from(rest[..end].ends_with('\n'));
                    closed = true;
                    break;
                }
                body.push_str(line);
            }
            if !closed {
                self.fail("a here-document is not closed", from);
            }
            let parts = if pending.literal { vec![Part::Quoted(body)] } else { self.expanded(&body, from) };
            *pending.lines.borrow_mut() = parts;
        }
    }

    fn expanded(&mut self, body: &str, from: usize) -> Vec<Part> {
        self.apart(body, from, |reader| {
            let mut parts = Vec::new();
            if reader.depth > super::MAX_DEPTH {
                reader.stop("it is nested too deep");
            }
            while let Some(c) = reader.peek() {
                reader.part(&mut parts, c, true);
            }
            parts
        })
    }

    /// The inside of `$'…'`.
    fn ansi_c(&mut self, open: usize) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '\'' => return text,
                '\\' => self.escape(&mut text),
                c => text.push(c),
            }
        }
        self.fail("a quote is not closed", open);
        text
    }

    fn escape(&mut self, text: &mut String) {
        let Some(c) = self.peek() else { return };
        self.at += c.len_utf8();
        let mut number = |reader: &mut Self, radix: u32, most: usize| {
            let rest = &reader.text[reader.at..];
            let digits: String = rest.chars().take(most).take_while(|c| c.is_digit(radix)).collect();
            reader.at += digits.len();
            text.extend(u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32));
        };
        match c {
            'x' => number(self, 16, 2),
            'u' => number(self, 16, 4),
            'U' => number(self, 16, 8),
            '0'..='7' => {
                self.at -= 1;
                number(self, 8, 3);
            }
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'a' | 'b' | 'e' | 'E' | 'f' | 'v' => text.push('\u{1b}'),
            'c' => {
                self.at += self.peek().map_or(0, char::len_utf8);
                text.push('\u{1b}');
            }
            c => text.push(c),
        }
    }
}

fn variable(name: String, quoted: bool) -> Part {
    let all = name == "@" || name == "*";
    Part::Variable(Variable { name, quoted, all, otherwise: Vec::new(), changed: false })
}
