//! Lists, pipelines, compound and simple commands.

use super::{Dialect, Document, End, Read, Scan, missing};

/// Words that close or go on with something, and mean nothing where a command begins.
const CLOSING: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}", "in"];

impl Scan<'_> {
    /// Reads commands up to one of the closing words or signs, which is consumed, or to the end of the text when there are
    /// none. `open` is where it was opened.
    pub(super) fn list(&mut self, until: &[&'static str], open: usize) -> Read<&'static str> {
        let mut first = true;
        loop {
            self.line_ends()?;
            if self.at >= self.text.len() {
                return self.over(until, open);
            }
            if let Some(close) = until.iter().find(|close| self.closes(close)) {
                // An empty list is an error to some.
                if first && !matches!(*close, ")" | ";;") {
                    return Err(End::Unsure);
                }
                self.at += close.len();
                return Ok(close);
            }
            self.joined()?;
            first = false;
            self.blanks()?;
            match self.peek() {
                None | Some('\n') => {}
                Some(';') if self.starts(";;") || self.starts(";&") || self.starts(";|") => {
                    if !(until.contains(&";;") && self.starts(";;")) {
                        return Err(End::Unsure);
                    }
                }
                Some(';') => self.at += 1,
                Some('&') if !self.starts("&|") && !self.starts("&!") => self.at += 1,
                Some(')') if until.contains(&")") => {}
                Some(_) => return Err(End::Unsure),
            }
        }
    }

    /// The text is over inside of a list.
    fn over(&self, until: &[&'static str], open: usize) -> Read<&'static str> {
        let Some(last) = until.last() else { return Ok("") };
        // zsh has short forms without these.
        if self.dialect == Dialect::Zsh && matches!(*last, "then" | "do") {
            return Err(End::Unsure);
        }
        match *last {
            ")" | "}" => missing(&format!("the closing {last}"), open),
            ";;" => missing("esac", open),
            word => missing(word, open),
        }
    }

    fn closes(&self, close: &str) -> bool {
        match close {
            ")" => self.starts(")"),
            ";;" => self.starts(";;"),
            _ => self.bare() == close,
        }
    }

    /// The word that stands here, when it holds nothing but letters and the like.
    fn bare(&self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Pipelines joined by `&&` and `||`.
    fn joined(&mut self) -> Read<()> {
        loop {
            self.pipeline()?;
            let open = self.at;
            if !(self.starts("&&") || self.starts("||")) {
                return Ok(());
            }
            let sign = if self.starts("&&") { "a command after &&" } else { "a command after ||" };
            self.at += 2;
            self.line_ends()?;
            if self.at >= self.text.len() {
                return missing(sign, open);
            }
        }
    }

    fn pipeline(&mut self) -> Read<()> {
        if self.bare() == "!" {
            self.at += 1;
            self.blanks()?;
            if matches!(self.peek(), None | Some('\n' | ';' | '&' | '|')) {
                return Err(End::Unsure);
            }
        }
        loop {
            self.command()?;
            self.blanks()?;
            if !self.starts("|") || self.starts("||") {
                return Ok(());
            }
            let open = self.at;
            self.at += 1;
            if self.starts("&") {
                if self.dialect == Dialect::Posix {
                    return Err(End::Unsure);
                }
                self.at += 1;
            }
            self.line_ends()?;
            if self.at >= self.text.len() {
                return missing("a command after |", open);
            }
        }
    }

    fn command(&mut self) -> Read<()> {
        let open = self.at;
        if self.starts("((") {
            self.arithmetic(open, "))")?;
            return self.behind();
        }
        if self.starts("(") {
            self.at += 1;
            self.line_ends()?;
            // A function without a name.
            if self.starts(")") {
                return Err(End::Unsure);
            }
            self.deeper(|scan| scan.list(&[")"], open))?;
            return self.behind();
        }
        let word = self.bare().to_owned();
        let extended = self.dialect != Dialect::Posix;
        self.at += word.len();
        match word.as_str() {
            "{" => {
                self.deeper(|scan| scan.list(&["}"], open))?;
                self.behind()
            }
            "if" => self.deeper(|scan| scan.branches(open)),
            "while" | "until" => {
                self.deeper(|scan| scan.list(&["do"], open))?;
                self.deeper(|scan| scan.list(&["done"], open))?;
                self.behind()
            }
            "for" => self.deeper(|scan| scan.each(open)),
            "select" if extended => self.deeper(|scan| scan.each(open)),
            "case" => self.deeper(|scan| scan.case(open)),
            "[[" if extended => self.condition(open),
            "function" if extended => Err(End::Unsure),
            "time" | "coproc" | "repeat" | "foreach" | "nocorrect" | "always" | "end" => Err(End::Unsure),
            word if CLOSING.contains(&word) => Err(End::Unsure),
            _ => {
                self.at = open;
                self.simple()
            }
        }
    }

    /// `if …; then …; elif …; else …; fi`
    fn branches(&mut self, open: usize) -> Read<()> {
        loop {
            self.list(&["then"], open)?;
            match self.list(&["elif", "else", "fi"], open)? {
                "elif" => {}
                "else" => {
                    self.list(&["fi"], open)?;
                    return self.behind();
                }
                _ => return self.behind(),
            }
        }
    }

    /// `for NAME in …; do …; done`
    fn each(&mut self, open: usize) -> Read<()> {
        self.blanks()?;
        let name = self.bare().to_owned();
        if name.is_empty() && self.at >= self.text.len() {
            return missing("a name", open);
        }
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        if !is_name {
            return Err(End::Unsure);
        }
        self.at += name.len();
        self.blanks()?;
        if self.bare() == "in" {
            self.at += 2;
            loop {
                self.blanks()?;
                if matches!(self.peek(), None | Some('\n' | ';')) {
                    break;
                }
                if self.ends_word() {
                    return Err(End::Unsure);
                }
                self.word()?;
                if self.starts("(") {
                    return Err(End::Unsure);
                }
            }
        }
        self.blanks()?;
        if self.starts(";") && !self.starts(";;") {
            self.at += 1;
        }
        self.line_ends()?;
        if self.at >= self.text.len() {
            return missing("do", open);
        }
        if self.bare() != "do" {
            return Err(End::Unsure);
        }
        self.at += 2;
        self.list(&["done"], open)?;
        self.behind()
    }

    /// `case … in …) …;; esac`
    fn case(&mut self, open: usize) -> Read<()> {
        self.blanks()?;
        if self.at >= self.text.len() {
            return missing("in", open);
        }
        self.word()?;
        self.line_ends()?;
        if self.at >= self.text.len() {
            return missing("in", open);
        }
        if self.bare() != "in" {
            return Err(End::Unsure);
        }
        self.at += 2;
        loop {
            self.line_ends()?;
            if self.at >= self.text.len() {
                return missing("esac", open);
            }
            if self.bare() == "esac" {
                self.at += 4;
                return self.behind();
            }
            self.at += usize::from(self.starts("("));
            self.patterns(open)?;
            if self.list(&["esac", ";;"], open)? == "esac" {
                return self.behind();
            }
        }
    }

    /// Patterns up to their parenthesis.
    fn patterns(&mut self, open: usize) -> Read<()> {
        loop {
            self.blanks()?;
            if self.at >= self.text.len() {
                return missing("esac", open);
            }
            self.word()?;
            self.blanks()?;
            match self.peek() {
                None => return missing("esac", open),
                Some(')') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('|') if !self.starts("||") => self.at += 1,
                Some(_) => return Err(End::Unsure),
            }
        }
    }

    /// `[[ … ]]`, in which operators are words.
    fn condition(&mut self, open: usize) -> Read<()> {
        loop {
            while matches!(self.peek(), Some(' ' | '\t' | '\n')) {
                self.at += 1;
            }
            match self.peek() {
                None => return missing("the closing ]]", open),
                Some('<' | '>' | '&' | '|' | '!') => self.at += 1,
                // A pattern or a group: shells disagree on what may stand in them.
                Some('(' | ')' | ';' | '#' | '\\') => return Err(End::Unsure),
                Some(_) if self.bare() == "]]" => {
                    self.at += 2;
                    return self.behind();
                }
                Some(_) => {
                    self.word()?;
                    if self.starts("(") {
                        return Err(End::Unsure);
                    }
                }
            }
        }
    }

    /// What may stand behind a compound command: redirections.
    fn behind(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            if !self.redirection()? {
                break;
            }
        }
        match self.peek() {
            None | Some('\n' | ';' | '&' | '|' | ')') => Ok(()),
            Some(_) => Err(End::Unsure),
        }
    }

    fn simple(&mut self) -> Read<()> {
        let mut words = 0;
        loop {
            self.blanks()?;
            if self.redirection()? {
                words += 1;
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('(') => return self.function(words),
                _ => {}
            }
            // zsh closes a group with a brace wherever it stands.
            if self.dialect == Dialect::Zsh && self.bare().contains('}') {
                return Err(End::Unsure);
            }
            // What looks like an element of a list is read up to its bracket, blanks and all.
            if self.dialect == Dialect::Bash && is_element(self.bare()) {
                return Err(End::Unsure);
            }
            let word = self.word()?;
            words += 1;
            if self.starts("(") {
                if word.raw.ends_with('=') && self.dialect != Dialect::Posix {
                    self.values()?;
                } else {
                    return self.function(words);
                }
            }
        }
        if words == 0 { Err(End::Unsure) } else { Ok(()) }
    }

    /// `NAME=(…)`, from the parenthesis on.
    fn values(&mut self) -> Read<()> {
        let open = self.at;
        self.at += 1;
        loop {
            self.line_ends()?;
            match self.peek() {
                None => return missing("the closing )", open),
                Some(')') => {
                    self.at += 1;
                    return if self.ends_word() && !self.starts("(") { Ok(()) } else { Err(End::Unsure) };
                }
                Some('[') => return Err(End::Unsure),
                Some(_) if self.ends_word() => return Err(End::Unsure),
                Some(_) => {
                    self.word()?;
                }
            }
        }
    }

    /// `NAME() …`, from the parenthesis on.
    fn function(&mut self, words: usize) -> Read<()> {
        let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t']);
        if words != 1 || !rest.starts_with(')') {
            return Err(End::Unsure);
        }
        let open = self.at;
        self.at = self.text.len() - rest.len() + 1;
        self.line_ends()?;
        if self.at >= self.text.len() {
            return missing("the function's body", open);
        }
        if !matches!(self.bare(), "{" | "if" | "for" | "while" | "case") && !self.starts("(") {
            return Err(End::Unsure);
        }
        self.deeper(Scan::command)
    }

    /// Reads a redirection, when one stands here.
    fn redirection(&mut self) -> Read<bool> {
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let sign = &rest[digits..];
        let extended = self.dialect != Dialect::Posix;
        if extended && (sign.starts_with("<(") || sign.starts_with(">(")) {
            return Ok(false);
        }
        let known: &[&str] = if extended {
            &["&>>", "&>", "<<<", "<<-", "<<", ">>", ">|", "<>", ">&", "<&", ">", "<"]
        } else {
            &["<<-", "<<", ">>", ">|", "<>", ">&", "<&", ">", "<"]
        };
        let Some(sign) = known.iter().find(|known| sign.starts_with(**known)) else { return Ok(false) };
        if sign.starts_with('&') && digits > 0 {
            return Ok(false);
        }
        let open = self.at;
        self.at += digits + sign.len();
        self.blanks()?;
        if self.at >= self.text.len() {
            return missing("what it is redirected to", open);
        }
        if self.ends_word() {
            return Err(End::Unsure);
        }
        let target = self.word()?.raw;
        if matches!(*sign, "<<" | "<<-") {
            if target.contains(['$', '`', '(', '\n', '\\']) {
                return Err(End::Unsure);
            }
            let delimiter = target.replace(['\'', '"'], "");
            self.documents.push(Document { delimiter, tabs: *sign == "<<-", at: open, depth: self.depth });
        }
        Ok(true)
    }
}

/// Whether a word begins as `NAME[`.
fn is_element(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    rest.len() < word.len() && rest.starts_with('[')
}
