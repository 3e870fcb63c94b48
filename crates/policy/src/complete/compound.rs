//! Branches, loops, cases and conditions.

use super::{Dialect, End, Read, Scan, missing};

impl Scan<'_> {
    /// `if …; then …; elif …; else …; fi`
    pub(super) fn branches(&mut self, open: usize) -> Read<()> {
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
    pub(super) fn each(&mut self, open: usize) -> Read<()> {
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
            // zsh takes nothing for a body, if the head has an end.
            let ended = self.text[open..].contains(['\n', ';', '#']);
            return if self.dialect == Dialect::Zsh && ended { Err(End::Unsure) } else { missing("do", open) };
        }
        if self.bare() != "do" {
            return Err(End::Unsure);
        }
        self.at += 2;
        self.list(&["done"], open)?;
        self.behind()
    }

    /// `case … in …) …;; esac`
    pub(super) fn case(&mut self, open: usize) -> Read<()> {
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
            if self.dialect == Dialect::Zsh && self.bare().contains('}') {
                return Err(End::Unsure);
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
    pub(super) fn condition(&mut self, open: usize) -> Read<()> {
        // Behind an operator the closing word is a word like any other.
        let mut after_operator = true;
        loop {
            while matches!(self.peek(), Some(' ' | '\t' | '\n')) {
                self.at += 1;
            }
            match self.peek() {
                None => return missing("the closing ]]", open),
                Some('<' | '>' | '&' | '|' | '!') => {
                    self.at += 1;
                    after_operator = true;
                }
                // A pattern or a group: shells disagree on what may stand in them.
                Some('(' | ')' | ';' | '#' | '\\') => return Err(End::Unsure),
                Some(_) if self.bare() == "]]" => {
                    if after_operator {
                        return Err(End::Unsure);
                    }
                    self.at += 2;
                    return self.behind();
                }
                Some(_) => {
                    let word = self.word()?.raw;
                    after_operator = word.starts_with('-') || word.contains('=');
                    if self.starts("(") {
                        return Err(End::Unsure);
                    }
                }
            }
        }
    }
}
