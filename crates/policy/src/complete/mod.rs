//! Whether a text for a shell is whole: what is opened in it is closed in it, and nothing stands where it can't.
//!
//! A text that is not would go on in whatever the shell reads next, or would not run at all, so it is refused before anybody
//! is asked about it. This reader is sure or silent: at the first sign that it does not know, or that one shell reads
//! otherwise than another, it has nothing to say. It never says of a text that it is faulty when the shell would take it.

mod commands;
mod compound;
mod fish;
mod words;

use std::fmt;

/// Whose language a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Of bash.
    Bash,
    /// Of zsh.
    Zsh,
    /// Of `sh`, dash and their like.
    Posix,
    /// Of fish.
    Fish,
}

/// Why no shell of the dialect takes a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is about: `the closing quote '` where that is missing, `)` where that is misplaced.
    pub what: String,
    /// In which way.
    pub kind: FaultKind,
    /// The place in the text, in bytes: where that was opened which is not closed, or where that stands which can't.
    pub at: usize,
    /// The line of that place, from 1.
    pub line: usize,
    /// The column of that place in its line, in characters from 1.
    pub column: usize,
}

/// The two ways of being no text for a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It ends too early.
    Missing,
    /// Something in it stands where a command has to begin, or closes what was not opened.
    Misplaced,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { what, line, column, .. } = self;
        match self.kind {
            FaultKind::Missing => write!(f, "it ends without {what} for line {line}, column {column}"),
            FaultKind::Misplaced => write!(f, "`{what}` can't stand at line {line}, column {column}"),
        }
    }
}

/// What is known of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wholeness {
    /// All that is opened is closed.
    Whole,
    /// It surely is none.
    Faulty(Fault),
    /// This reader can't tell.
    Unknown,
}

/// Longer texts are not read.
const LONGEST: usize = 1024 * 1024;
/// Deeper ones neither.
const DEEPEST: usize = 48;

/// Whether a text is whole.
#[must_use]
pub fn wholeness(text: &str, dialect: Dialect) -> Wholeness {
    if text.len() > LONGEST || text.contains(['\0', '\r']) {
        return Wholeness::Unknown;
    }
    let mut scan = Scan { text, at: 0, dialect, depth: 0, groups: 0, documents: Vec::new() };
    let read = if dialect == Dialect::Fish { scan.fish() } else { scan.whole() };
    match read {
        Ok(()) => Wholeness::Whole,
        Err(End::Unsure) => Wholeness::Unknown,
        Err(End::Fault { kind, what, at }) => {
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            Wholeness::Faulty(Fault { what, kind, at, line, column })
        }
    }
}

/// Why the reading stopped.
enum End {
    /// The text is over and something is open, or something stands where it can't.
    Fault { kind: FaultKind, what: String, at: usize },
    /// Something that is not known here.
    Unsure,
}

type Read<T> = Result<T, End>;

/// A here-document whose lines are still to come.
struct Document {
    delimiter: String,
    tabs: bool,
    /// Whether nothing in it is expanded.
    literal: bool,
    at: usize,
    /// How deep it stands: in a substitution its end can be that of the substitution.
    depth: usize,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    depth: usize,
    /// How many braces are open around what is read.
    groups: usize,
    documents: Vec<Document>,
}

fn missing<T>(what: &str, at: usize) -> Read<T> {
    Err(End::Fault { kind: FaultKind::Missing, what: what.to_owned(), at })
}

fn misplaced<T>(what: &str, at: usize) -> Read<T> {
    Err(End::Fault { kind: FaultKind::Misplaced, what: what.to_owned(), at })
}

impl Scan<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(End::Unsure);
        }
        let result = read(self)?;
        self.depth -= 1;
        Ok(result)
    }

    /// A reader of a text inside of this one.
    fn apart<'t>(&self, text: &'t str) -> Scan<'t> {
        Scan { text, at: 0, dialect: self.dialect, depth: self.depth + 1, groups: 0, documents: Vec::new() }
    }

    fn whole(&mut self) -> Read<()> {
        self.list(&[], 0)?;
        self.bodies_at_end()
    }

    /// The text is over: here-documents whose lines never came are open.
    fn bodies_at_end(&mut self) -> Read<()> {
        match self.documents.first() {
            None => Ok(()),
            Some(document) if document.depth > 0 => Err(End::Unsure),
            Some(Document { delimiter, at, .. }) => missing(&ending(delimiter), *at),
        }
    }

    /// Reads the lines of the here-documents that wait for them, right behind a line end.
    fn bodies(&mut self) -> Read<()> {
        for document in std::mem::take(&mut self.documents) {
            let from = self.at;
            loop {
                if self.at >= self.text.len() {
                    return match document.depth {
                        0 => missing(&ending(&document.delimiter), document.at),
                        _ => Err(End::Unsure),
                    };
                }
                let rest = &self.text[self.at..];
                let line = rest.split('\n').next().unwrap_or_default();
                self.at += (line.len() + 1).min(rest.len());
                let line = if document.tabs { line.trim_start_matches('\t') } else { line };
                if line == document.delimiter {
                    break;
                }
            }
            // Some shells read what is to be expanded at once.
            let lines = &self.text[from..self.at];
            if !document.literal && !self.apart(lines).expanded() {
                return Err(End::Unsure);
            }
        }
        Ok(())
    }

    /// Blanks, lines that go on, and comments.
    fn blanks(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\\') if self.starts("\\\n") => {
                    self.at += 2;
                    if self.at >= self.text.len() {
                        return missing("the line that the backslash goes on with", self.at - 2);
                    }
                }
                Some('#') => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                _ => return Ok(()),
            }
        }
    }

    /// Blanks and line ends.
    fn line_ends(&mut self) -> Read<()> {
        self.blanks()?;
        while self.peek() == Some('\n') {
            self.at += 1;
            self.bodies()?;
            self.blanks()?;
        }
        Ok(())
    }
}

fn ending(delimiter: &str) -> String {
    format!("the line {delimiter} that ends the here-document")
}

#[cfg(test)]
mod against_shells;
#[cfg(test)]
mod tests;
