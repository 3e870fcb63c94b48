//! Words, quotes, expansions and substitutions.

use super::{Dialect, End, Read, Scan, missing};

/// A word.
pub(super) struct Bare {
    /// Its text as it is written.
    pub raw: String,
}

impl Scan<'_> {
    /// Whether a word ends here.
    pub(super) fn ends_word(&self) -> bool {
        matches!(self.peek(), None | Some(' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'))
    }

    /// The word that stands here.
    pub(super) fn word(&mut self) -> Read<Bare> {
        let from = self.at;
        while !self.ends_word() || (self.process() && self.at == from) {
            if self.process() {
                let open = self.at;
                self.at += 2;
                self.deeper(|scan| scan.list(&[")"], open))?;
                continue;
            }
            self.part()?;
        }
        if self.at == from {
            return Err(End::Unsure);
        }
        Ok(Bare { raw: self.text[from..self.at].to_owned() })
    }

    /// Whether a process substitution opens here.
    fn process(&self) -> bool {
        self.dialect != Dialect::Posix && (self.starts("<(") || self.starts(">("))
    }

    /// One part of a word outside of quotes.
    fn part(&mut self) -> Read<()> {
        let open = self.at;
        match self.peek() {
            Some('\\') => self.escape(),
            Some('\'') => {
                self.at += 1;
                self.single(open)
            }
            Some('"') => self.double(),
            Some('$') => self.dollar(false),
            Some('`') => self.backticks(),
            Some(c) => {
                self.at += c.len_utf8();
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(super) fn escape(&mut self) -> Read<()> {
        let open = self.at;
        self.at += 1;
        match self.peek() {
            None => missing("what the backslash stands before", open),
            Some('\n') if self.at + 1 >= self.text.len() => missing("the line that the backslash goes on with", open),
            Some(c) => {
                self.at += c.len_utf8();
                Ok(())
            }
        }
    }

    fn single(&mut self, open: usize) -> Read<()> {
        match self.text[self.at..].find('\'') {
            Some(end) => {
                self.at += end + 1;
                Ok(())
            }
            None => missing("the closing quote '", open),
        }
    }

    fn double(&mut self) -> Read<()> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return missing("the closing quote \"", open),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some('$') => self.dollar(true)?,
                Some('`') => self.backticks()?,
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    /// Whether all expansions in the lines of a here-document are whole.
    pub(super) fn expanded(&mut self) -> bool {
        while let Some(c) = self.peek() {
            let read = match c {
                '$' => self.dollar(true),
                '`' => self.backticks(),
                c => {
                    self.at += c.len_utf8();
                    if c == '\\' {
                        self.at += self.peek().map_or(0, char::len_utf8);
                    }
                    Ok(())
                }
            };
            if read.is_err() {
                return false;
            }
        }
        true
    }

    fn backticks(&mut self) -> Read<()> {
        let open = self.at;
        self.at += 1;
        let from = self.at;
        loop {
            match self.peek() {
                None => return missing("the closing `", open),
                Some('`') => break,
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
        // Where a quote in there is open, the shells don't agree on which sign closes it.
        let inner = &self.text[from..self.at];
        let even = |quote: char| inner.matches(quote).count().is_multiple_of(2);
        self.at += 1;
        if !even('\'') || !even('"') || inner.contains(['#', '<', '\\']) {
            return Err(End::Unsure);
        }
        // Some shells read what is in there at once, and others only when it is run.
        self.apart(inner).whole().map_err(|_| End::Unsure)
    }

    fn dollar(&mut self, quoted: bool) -> Read<()> {
        let open = self.at;
        self.at += 1;
        if self.starts("((") {
            return self.arithmetic(open, "))");
        }
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.deeper(|scan| scan.list(&[")"], open))?;
                Ok(())
            }
            Some('{') => {
                self.at += 1;
                self.deeper(|scan| scan.braces(open, quoted))
            }
            Some('\'') if !quoted && self.dialect != Dialect::Posix => {
                self.at += 1;
                self.ansi(open)
            }
            Some('"') if !quoted => self.double(),
            // `$[…]` and `$name[…]` mean something to some.
            Some('[') => Err(End::Unsure),
            _ => Ok(()),
        }
    }

    /// `$'…'`.
    fn ansi(&mut self, open: usize) -> Read<()> {
        loop {
            match self.peek() {
                None => return missing("the closing quote '", open),
                Some('\'') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    /// The inside of `${…}`.
    fn braces(&mut self, open: usize, quoted: bool) -> Read<()> {
        // Flags of zsh, functions of newer shells, and what is no name at all.
        let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '@' | '*' | '?' | '!' | '-' | '}');
        if self.peek().is_some_and(|c| !named(c)) {
            return Err(End::Unsure);
        }
        loop {
            match self.peek() {
                None => return missing("the closing }", open),
                Some('}') => {
                    self.at += 1;
                    return Ok(());
                }
                // The shells don't agree on what these mean here.
                Some('{' | '\n' | '<' | '>') => return Err(End::Unsure),
                Some('\'' | '"') if quoted => return Err(End::Unsure),
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                Some('$') => self.dollar(quoted)?,
                Some(_) => self.part()?,
            }
        }
    }

    /// `((…))`, from the first parenthesis on.
    pub(super) fn arithmetic(&mut self, open: usize, close: &str) -> Read<()> {
        self.at += 2;
        let mut level = 0_usize;
        loop {
            match self.peek() {
                None if level == 0 => return missing(&format!("the closing {close}"), open),
                None => return missing("a closing )", open),
                Some('(') => level += 1,
                Some(')') if level > 0 => level -= 1,
                Some(')') if self.starts("))") => {
                    self.at += 2;
                    return Ok(());
                }
                // Not arithmetic after all, or with a text in it.
                Some(')' | '\'' | '"' | '\\' | '`' | '#' | '\n' | ';' | '{') => return Err(End::Unsure),
                Some('$') if self.starts("$(") || self.starts("${") => return Err(End::Unsure),
                Some(_) => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
        }
    }
}
