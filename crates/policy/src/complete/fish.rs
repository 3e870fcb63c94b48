//! The same for fish, whose language is another one: blocks close with `end`, and there are neither here-documents nor `${…}`.

use super::{End, FaultKind, Read, Scan, misplaced, missing};

/// Words that begin a block, which `end` closes.
const BLOCKS: &[&str] = &["if", "while", "for", "switch", "begin", "function"];
/// Words that close a block or go on with it.
const CLOSING: &[&str] = &["end", "else", "case"];
/// Words in front of a command that are not the command themselves.
const BEFORE: &[&str] = &["and", "or", "not", "!", "time"];
/// What stands between two commands, or opens something, and begins none. The longer ones first.
const SIGNS: &[&str] = &["&&", "||", "|", "&", "}"];
/// What some shells have after a dollar sign, and fish has not.
const NO_VARIABLES: &[&str] = &["{", "?", "@", "*", "#"];

/// What closes a list of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Close {
    /// The end of the text.
    Text,
    /// A parenthesis.
    Parenthesis,
    /// `end`.
    Block,
    /// `end` or `else`.
    If,
    /// `end` or `case`.
    Switch,
}

impl Scan<'_> {
    pub(super) fn fish(&mut self) -> Read<()> {
        self.fish_list(Close::Text, 0).map(drop)
    }

    /// Reads commands up to what closes them, which is consumed and given. `open` is where that was opened.
    fn fish_list(&mut self, close: Close, open: usize) -> Read<&'static str> {
        loop {
            self.fish_ends()?;
            if self.at >= self.text.len() {
                return match close {
                    Close::Text => Ok(""),
                    Close::Parenthesis => missing("the closing )", open),
                    Close::Block | Close::If | Close::Switch => missing("end", open),
                };
            }
            if self.starts(")") {
                return match close {
                    Close::Parenthesis => {
                        self.at += 1;
                        Ok(")")
                    }
                    Close::Text => misplaced(")", self.at),
                    // Something in there is not closed, and this may be outside of it.
                    _ => Err(End::Unsure),
                };
            }
            let (at, word) = (self.at, self.bare().to_owned());
            let closes = match (word.as_str(), close) {
                ("end", Close::Block | Close::If | Close::Switch) => Some("end"),
                ("else", Close::If) => Some("else"),
                ("case", Close::Switch) => Some("case"),
                ("end", _) => return self.sure_of(&word, "end"),
                ("else", _) => return self.sure_of(&word, "else"),
                ("case", _) => return self.sure_of(&word, "case"),
                _ => None,
            };
            if let Some(closes) = closes {
                self.at = at + word.len();
                return Ok(closes);
            }
            // Between `switch` and its first `case` nothing stands.
            if close == Close::Switch && !self.text[open..at].contains("case") {
                return Err(End::Unsure);
            }
            self.fish_joined()?;
        }
    }

    /// A word that closes what was not opened, unless it is asked for its manual.
    fn sure_of<T>(&self, word: &str, what: &'static str) -> Read<T> {
        let rest = self.text[self.at + word.len()..].trim_start_matches([' ', '\t']);
        if rest.starts_with('-') { Err(End::Unsure) } else { misplaced(what, self.at) }
    }

    /// Blanks, line ends, semicolons and comments.
    fn fish_ends(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            match self.peek() {
                Some('\n' | ';') => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Pipelines joined by `&&` and `||`, up to what ends them, which is not consumed.
    fn fish_joined(&mut self) -> Read<()> {
        loop {
            self.fish_command()?;
            self.blanks()?;
            let open = self.at;
            let sign = ["&&", "||", "&|", "|"].into_iter().find(|sign| self.starts(sign));
            let Some(sign) = sign else {
                return match self.peek() {
                    None | Some('\n' | ';' | ')') => Ok(()),
                    Some('&') => {
                        self.at += 1;
                        Ok(())
                    }
                    Some(_) => Err(End::Unsure),
                };
            };
            self.at += sign.len();
            self.blanks()?;
            while self.peek() == Some('\n') {
                self.at += 1;
                self.blanks()?;
            }
            if self.at >= self.text.len() {
                return missing(&format!("a command after {sign}"), open);
            }
            if self.starts(";") {
                return misplaced(";", self.at);
            }
        }
    }

    /// One command, which may be a block.
    fn fish_command(&mut self) -> Read<()> {
        let mut first = true;
        loop {
            let open = self.at;
            if let Some(sign) = SIGNS.iter().find(|sign| self.starts(sign)).filter(|_| !self.starts("&>")) {
                return misplaced(sign, open);
            }
            let word = self.bare().to_owned();
            let rest = self.text[open + word.len()..].trim_start_matches([' ', '\t']);
            // Alone, or with an option, these are commands like others.
            let alone = rest.is_empty() || rest.starts_with(['\n', ';', '|', '&', ')', '#', '-', '<', '>', '\\']);
            if BEFORE.contains(&word.as_str()) {
                let joins = matches!(word.as_str(), "and" | "or");
                if alone || joins && !first {
                    return Err(End::Unsure);
                }
                first = false;
                self.at += word.len();
                self.blanks()?;
                continue;
            }
            // Words that mean something may be written with quotes, too.
            let closes = CLOSING.contains(&word.as_str()) || is_quoted(&word);
            if closes || self.starts("{") {
                return Err(End::Unsure);
            }
            // What is put in the place of a command is none, but it has to be whole.
            if self.starts("(") {
                self.fish_target()?;
                return Err(End::Unsure);
            }
            if !BLOCKS.contains(&word.as_str()) {
                return self.fish_simple();
            }
            if alone && word != "begin" || rest.starts_with('-') {
                return Err(End::Unsure);
            }
            self.at += word.len();
            self.deeper(|scan| scan.fish_block(&word, open))?;
            return self.fish_behind();
        }
    }

    /// The rest of a block, with its `end`.
    fn fish_block(&mut self, word: &str, open: usize) -> Read<()> {
        self.blanks()?;
        let mut close = Close::Block;
        match word {
            "if" | "while" => {
                self.fish_joined()?;
                close = if word == "if" { Close::If } else { Close::Block };
            }
            "for" => {
                self.fish_word()?;
                self.blanks()?;
                if self.at >= self.text.len() {
                    return missing("in", open);
                }
                if self.bare() != "in" {
                    return Err(End::Unsure);
                }
                self.fish_words()?;
            }
            "switch" => {
                self.fish_words()?;
                close = Close::Switch;
            }
            "function" => self.fish_words()?,
            _ => {}
        }
        loop {
            match self.fish_list(close, open)? {
                "else" => {
                    self.blanks()?;
                    if self.bare() == "if" {
                        self.at += 2;
                        self.blanks()?;
                        if matches!(self.peek(), Some('\n' | ';')) {
                            return Err(End::Unsure);
                        }
                        if self.at >= self.text.len() {
                            return missing("end", open);
                        }
                        self.fish_joined()?;
                    } else {
                        close = Close::Block;
                    }
                }
                "case" => self.fish_words()?,
                _ => return Ok(()),
            }
        }
    }

    /// Words up to the end of the line or a semicolon.
    fn fish_words(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            match self.peek() {
                None | Some('\n' | ';') => return Ok(()),
                Some('|' | '&' | '<' | '>' | ')') => return Err(End::Unsure),
                Some(_) => self.fish_target()?,
            }
        }
    }

    /// A word whose variables fish looks at only when it runs.
    fn fish_target(&mut self) -> Read<()> {
        self.fish_word().map_err(|end| match end {
            End::Fault { kind: FaultKind::Misplaced, .. } => End::Unsure,
            end => end,
        })
    }

    /// What may stand behind a block: redirections.
    fn fish_behind(&mut self) -> Read<()> {
        loop {
            self.blanks()?;
            if !self.fish_redirection()? {
                return Ok(());
            }
        }
    }

    fn fish_simple(&mut self) -> Read<()> {
        // Only what is set, and no command.
        let mut set = None;
        let mut words = 0;
        loop {
            self.blanks()?;
            if self.fish_redirection()? {
                words += 1;
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '|' | ')' | '&') => break,
                Some(_) => {}
            }
            // What stands behind variables may be a block as well.
            let next = self.bare();
            if set.is_some() && (is_keyword(next) || is_quoted(next)) {
                return Err(End::Unsure);
            }
            let from = self.at;
            if words == 0 {
                self.fish_target()?;
            } else {
                self.fish_word()?;
            }
            let name = self.text[from..self.at].split_once('=').map_or("", |(name, _)| name);
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            set = if words == 0 || set.is_some() { is_name.then_some(from) } else { None };
            words += 1;
        }
        match set {
            // What is set by this may be a list, or more.
            Some(at) if words == 1 && !self.text[at..self.at].contains(['$', '(', '"', '\'', '\\']) => {
                misplaced(self.text[at..self.at].trim_end(), at)
            }
            Some(_) => Err(End::Unsure),
            None if words == 0 => Err(End::Unsure),
            None => Ok(()),
        }
    }

    /// Reads a redirection, when one stands here.
    fn fish_redirection(&mut self) -> Read<bool> {
        let open = self.at;
        let rest = &self.text[self.at..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let known = ["&>>", "&>", ">>", ">&", "<&", ">?", "<?", ">", "<"];
        let Some(sign) = known.iter().find(|known| rest[digits..].starts_with(**known)) else { return Ok(false) };
        if sign.starts_with('&') && digits > 0 {
            return Ok(false);
        }
        self.at += digits + sign.len();
        // A pipe of another stream.
        if *sign == ">" && self.starts("|") || sign.starts_with('&') && self.starts("?") {
            return Err(End::Unsure);
        }
        self.blanks()?;
        match self.peek() {
            None => missing("what it is redirected to", open),
            Some('<') if *sign == "<" && self.at == open + digits + 1 => misplaced("<<", open),
            Some('\n' | ';' | '|' | '&' | '<' | '>' | ')' | '(' | '#') => Err(End::Unsure),
            Some(_) => self.fish_target().map(|()| true),
        }
    }

    fn fish_word(&mut self) -> Read<()> {
        let from = self.at;
        loop {
            let open = self.at;
            match self.peek() {
                None | Some(' ' | '\t' | '\n' | ';' | '|' | '<' | '>' | ')') => break,
                Some('&') if self.at == from => break,
                // Newer ones take it for a part of the word when one goes on behind it.
                Some('&') => {
                    let next = self.text[self.at + 1..].chars().next();
                    if next.is_none_or(|next| " \t\n;&|<>".contains(next)) {
                        break;
                    }
                    return Err(End::Unsure);
                }
                Some('\\') => self.escape()?,
                Some('\'') => self.fish_quoted('\'')?,
                Some('"') => self.fish_quoted('"')?,
                Some('(') => {
                    self.at += 1;
                    let read = self.deeper(|scan| scan.fish_list(Close::Parenthesis, open));
                    let end = if read.is_ok() { self.at } else { self.text.len() };
                    // Older ones know no comments in there.
                    if self.text[open..end].contains('#') {
                        return Err(End::Unsure);
                    }
                    read?;
                }
                Some('$') => {
                    self.at += 1;
                    if let Some(sign) = NO_VARIABLES.iter().find(|sign| self.starts(sign)) {
                        return misplaced(&format!("${sign}"), open);
                    }
                }
                Some('{') => self.fish_braces()?,
                // Newer ones take it in more places.
                Some('}') => return Err(End::Unsure),
                Some('[') if self.at > from => self.fish_index()?,
                Some(c) => self.at += c.len_utf8(),
            }
        }
        if self.at == from { Err(End::Unsure) } else { Ok(()) }
    }

    fn fish_quoted(&mut self, quote: char) -> Read<()> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return missing(&format!("the closing quote {quote}"), open),
                Some(c) if c == quote => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                // Newer ones run what is in there.
                Some('$') if quote == '"' && self.starts("$(") => return Err(End::Unsure),
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    /// `{a,b}`, in which blanks and signs are text.
    fn fish_braces(&mut self) -> Read<()> {
        let open = self.at;
        let mut level = 0_usize;
        loop {
            match self.peek() {
                None => return missing("the closing }", open),
                Some('{') => level += 1,
                Some('}') => level -= 1,
                Some('\\' | '\'' | '"' | '(' | ')' | '$' | '#' | '\n') => return Err(End::Unsure),
                Some(_) => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
            if level == 0 {
                return Ok(());
            }
        }
    }

    /// `[1..3]` behind a name.
    fn fish_index(&mut self) -> Read<()> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "$._-".contains(c);
        let rest = &self.text[self.at + 1..];
        let length = rest.find(|c| !plain(c)).unwrap_or(rest.len());
        if !rest[length..].starts_with(']') {
            return Err(End::Unsure);
        }
        self.at += length + 2;
        Ok(())
    }
}

fn is_keyword(word: &str) -> bool {
    [BLOCKS, CLOSING, BEFORE].iter().any(|words| words.contains(&word))
}

fn is_quoted(word: &str) -> bool {
    word.contains(['\\', '\'', '"'])
}
