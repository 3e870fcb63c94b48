//! Lists, pipelines, simple commands and redirections.

use super::{Dialect, Document, End, Read, Scan, misplaced, missing};

/// Words that close or go on with something, and mean nothing where a command begins.
const CLOSING: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}", "in", "!"];

/// Those of them that no shell takes for the name of a command.
const RESERVED: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}"];

/// Words that begin a command which has others in it.
const COMPOUND: &[&str] =
    &["if", "while", "until", "for", "foreach", "select", "case", "repeat", "{", "[[", "function", "time"];

/// Signs that no command begins with, the longer ones first.
const SIGNS: &[&str] = &["||", "&&", "|", "&", ";;", ";", ")"];

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
                    if !self.starts(";;") {
                        return Err(End::Unsure);
                    }
                    if !until.contains(&";;") {
                        return misplaced(";;", self.at);
                    }
                }
                Some(';') => self.at += 1,
                Some('&') if !self.starts("&|") && !self.starts("&!") => self.at += 1,
                Some(')') if until.contains(&")") => {}
                Some(')') if self.is_sure_of_groups() => return misplaced(")", self.at),
                Some(_) => return Err(End::Unsure),
            }
        }
    }

    /// zsh has forms of compound commands that are not read here, so what closes one of them is known to be misplaced only
    /// where none is open.
    fn is_sure_of_groups(&self) -> bool {
        self.dialect != Dialect::Zsh || self.depth == 0
    }

    /// The sign or word that stands where a command has to begin, when no shell of the dialect takes it there.
    fn misplaced_here(&self) -> Option<&'static str> {
        if self.starts("&>") || self.starts("&|") || self.starts("&!") || self.starts(";&") || self.starts(";|") {
            return None;
        }
        if let Some(sign) = SIGNS.iter().find(|sign| self.starts(sign)) {
            let taken = match *sign {
                // zsh takes nothing for a command.
                ";" => self.dialect == Dialect::Zsh,
                ")" | ";;" => !self.is_sure_of_groups(),
                _ => false,
            };
            return (!taken).then_some(*sign);
        }
        let word = self.bare();
        let rest = &self.text[self.at + word.len()..];
        // zsh lets a function be called like that, and a word go on with a substitution.
        if rest.trim_start_matches([' ', '\t']).starts_with('(') || rest.starts_with("<(") || rest.starts_with(">(") {
            return None;
        }
        RESERVED.iter().find(|reserved| **reserved == word && self.is_sure_of_groups()).copied()
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
    pub(super) fn bare(&self) -> &str {
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
                // zsh takes nothing for a command at the end of a file. At its prompt it asks for the rest.
                return missing(sign, open);
            }
        }
    }

    fn pipeline(&mut self) -> Read<()> {
        if self.bare() == "!" {
            self.at += 1;
            let pattern = self.starts("(");
            self.blanks()?;
            if pattern || matches!(self.peek(), None | Some('\n' | ';' | '&' | '|')) {
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
        if let Some(what) = self.misplaced_here() {
            return misplaced(what, open);
        }
        if self.starts("((") {
            self.arithmetic(open, "))")?;
            return self.behind();
        }
        if self.starts("(") {
            self.at += 1;
            self.line_ends()?;
            // A function without a name, in zsh.
            if self.starts(")") {
                return if self.dialect == Dialect::Zsh { Err(End::Unsure) } else { misplaced(")", self.at) };
            }
            self.deeper(|scan| scan.list(&[")"], open))?;
            return self.behind();
        }
        let word = self.bare().to_owned();
        let extended = self.dialect != Dialect::Posix;
        self.at += word.len();
        match word.as_str() {
            "{" => {
                self.groups += 1;
                self.deeper(|scan| scan.list(&["}"], open))?;
                self.groups -= 1;
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

    /// What may stand behind a compound command: redirections.
    pub(super) fn behind(&mut self) -> Read<()> {
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
        let mut assigning = true;
        let mut redirected = false;
        loop {
            self.blanks()?;
            if self.redirection()? {
                redirected |= words == 0;
                words += 1;
                continue;
            }
            // zsh takes redirections in front of a compound command.
            if std::mem::take(&mut redirected) && self.dialect == Dialect::Zsh && COMPOUND.contains(&self.bare()) {
                return Err(End::Unsure);
            }
            match self.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('(') => return self.function(words),
                _ => {}
            }
            // zsh closes a group with a brace wherever it stands.
            if self.dialect == Dialect::Zsh && self.groups > 0 && self.bare().contains('}') {
                return Err(End::Unsure);
            }
            // What looks like an element of a list is read up to its bracket, blanks and all.
            if self.dialect == Dialect::Bash && is_element(self.bare()) {
                return Err(End::Unsure);
            }
            let word = self.word()?;
            words += 1;
            if self.starts("(") {
                if assigning && is_assignment(&word.raw) && self.dialect != Dialect::Posix {
                    self.values()?;
                    continue;
                }
                return self.function(words);
            }
            assigning &= word.raw.split_once('=').is_some_and(|(name, _)| is_assignment(&format!("{name}=")));
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
        // In zsh `<1-9>` is a pattern of numbers.
        let numbers = self.text[self.at..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        if self.dialect == Dialect::Zsh && *sign == "<" && numbers.starts_with('>') {
            return Err(End::Unsure);
        }
        let target = self.at;
        self.blanks()?;
        match self.peek() {
            None | Some('\n') => return missing("what it is redirected to", open),
            Some(';') => return misplaced(";", self.at),
            // Right behind the sign they may be a part of it, and before a parenthesis the target.
            Some(sign @ ('|' | '&' | '<' | '>')) if self.at > target && !self.text[self.at + 1..].starts_with('(') => {
                return misplaced(&sign.to_string(), self.at);
            }
            Some(_) if self.ends_word() => return Err(End::Unsure),
            Some(_) => {}
        }
        let document = matches!(*sign, "<<" | "<<-");
        // Nothing is expanded in the word that ends a here-document, and shells read it in their own ways.
        let target = self.word().map_err(|end| if document { End::Unsure } else { end })?.raw;
        if document {
            if target.contains(['$', '`', '(', '\n', '\\']) {
                return Err(End::Unsure);
            }
            let delimiter = target.replace(['\'', '"'], "");
            let literal = delimiter != target;
            self.documents.push(Document { delimiter, literal, tabs: *sign == "<<-", at: open, depth: self.depth });
        }
        Ok(true)
    }
}

/// Whether a word begins as `NAME[`.
fn is_element(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    rest.len() < word.len() && rest.starts_with('[')
}

/// Whether a word is `NAME=` or `NAME+=`.
fn is_assignment(word: &str) -> bool {
    let Some(name) = word.strip_suffix('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
