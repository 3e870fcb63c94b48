//! Patterns over the words of a command, as people write them in the policy file.
//!
//! ```text
//!   cargo test *        the words `cargo` and `test`, then any further words, also none
//!   git push * main     `*` elsewhere: exactly one word
//!   cat docs/*.md       `*` inside of a word: any characters
//!   git commit 'a b'    quotes hold a word together, and make `*` an ordinary character
//! ```
//!
//! There is no regular expression and no escape: what a pattern takes can be told by reading it.
//!
//! A pattern is read in two ways. To **allow**, it is read narrowly: a `*` that is not the last word never stands for an
//! option (a word with a dash in front) or a word that is not known, nor inside of a word for a `..` of a path. To **ask** or **block**, it is read widely:
//! `*` stands for every word, and `git` is also `/usr/bin/git`.

mod broad;

pub(crate) use broad::is_wrapper;

use std::fmt;

use crate::Word;

/// A pattern, with its text as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    parts: Vec<Part>,
}

/// What stands for words.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Exactly this word.
    Word(String),
    /// A word with gaps: what stands before, between and after them. There are at least two.
    Gaps(Vec<String>),
    /// Exactly one word.
    One,
    /// All further words. Only ever the last part.
    Rest,
}

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("it is empty; write the words of a command, such as \"cargo test *\"")]
    Empty,
    /// A quote that nothing ends.
    #[error("the quote {0} is not closed; close it, or put it in quotes of the other kind")]
    OpenQuote(char),
    /// A character that nobody can see.
    #[error("it holds the control character {0:?}; a pattern is one line of visible text")]
    Control(char),
}

/// How much a pattern takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// To allow: in doubt it does not match.
    Narrow,
    /// To ask or block: in doubt it matches.
    Wide,
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let mut words = split(text)?;
        let last = words.pop().ok_or(PatternError::Empty)?;
        let mut parts: Vec<_> = words.into_iter().map(|word| Part::of(word, Part::One)).collect();
        // A first word that is `*` alone is a program, not "any further words".
        let alone = if parts.is_empty() { Part::One } else { Part::Rest };
        parts.push(Part::of(last, alone));
        Ok(Pattern { text: text.trim().to_owned(), parts })
    }

    /// The pattern that matches these words alone; `None` when there are none or they hold what nobody can see.
    pub(crate) fn exact(words: &[String]) -> Option<Pattern> {
        let text = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        Pattern::parse(&text).ok()
    }

    /// The same pattern with any further words behind it.
    pub(crate) fn with_rest(&self) -> Pattern {
        let mut parts = self.parts.clone();
        parts.push(Part::Rest);
        Pattern { text: format!("{} *", self.text), parts }
    }

    /// Its text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it allows a command of these words.
    pub fn allows(&self, words: &[String]) -> bool {
        self.takes(words.len(), |at| Some(words[at].as_str()), Reading::Narrow)
    }

    /// Whether it allows a piece, some of whose words may not be known.
    pub fn allows_piece(&self, words: &[Word]) -> bool {
        self.takes(words.len(), |at| known(&words[at]), Reading::Narrow)
    }

    /// Whether it asks about or blocks a piece.
    pub fn touches(&self, words: &[Word]) -> bool {
        self.takes(words.len(), |at| known(&words[at]), Reading::Wide)
    }

    /// Whether it has no `*` at all, so that who wrote it saw every word.
    pub(crate) fn is_exact(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Word(_)))
    }

    fn takes<'a>(&self, len: usize, word: impl Fn(usize) -> Option<&'a str>, reading: Reading) -> bool {
        let fixed = match self.parts.split_last() {
            Some((Part::Rest, fixed)) if len >= fixed.len() => fixed,
            _ if len == self.parts.len() => self.parts.as_slice(),
            _ => return false,
        };
        fixed.iter().enumerate().all(|(at, part)| match (at, reading) {
            (0, Reading::Wide) => part.takes(word(0), reading) || part.takes(word(0).map(program), reading),
            _ => part.takes(word(at), reading),
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Part {
    /// The part that a word of a pattern makes; `alone` is what a bare `*` means at its place.
    fn of(word: Vec<String>, alone: Part) -> Part {
        match word.len() {
            0 | 1 => Part::Word(word.into_iter().next().unwrap_or_default()),
            _ if word.iter().all(String::is_empty) => alone,
            _ => Part::Gaps(word),
        }
    }

    /// Whether it stands for this word; `None` is a word that is not known.
    fn takes(&self, word: Option<&str>, reading: Reading) -> bool {
        let Some(word) = word else {
            return matches!(self, Part::One) && reading == Reading::Wide;
        };
        let option_fits =
            |literal: &str| reading == Reading::Wide || !word.starts_with('-') || literal.starts_with('-');
        match self {
            Part::Word(literal) => literal == word,
            Part::Gaps(pieces) => {
                let stays = reading == Reading::Wide || !climbs(word) || pieces.iter().any(|piece| climbs(piece));
                stays && option_fits(&pieces[0]) && gaps_take(pieces, word)
            }
            Part::One => option_fits(""),
            Part::Rest => true,
        }
    }
}

/// Whether a word is these pieces in order, with anything in between. Linear: the earliest place of a piece is as good
/// as any later one.
fn gaps_take(pieces: &[String], word: &str) -> bool {
    let [first, between @ .., last] = pieces else { return false };
    let Some(inner) = word.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str())) else {
        return false;
    };
    let mut rest = inner;
    between.iter().all(|piece| match rest.find(piece.as_str()) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// Whether a path leads up: `target/*` must not allow `target/../..`.
fn climbs(word: &str) -> bool {
    word.split(['/', '\\']).any(|name| name == "..")
}

/// The name of a program without the folder it is in.
pub(crate) fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn known(word: &Word) -> Option<&str> {
    match word {
        Word::Literal(text) => Some(text),
        Word::Unknown(_) => None,
    }
}

/// Splits a pattern into words, and each word at its `*`: a word with no `*` has one piece.
fn split(text: &str) -> Result<Vec<Vec<String>>, PatternError> {
    let mut words: Vec<Vec<String>> = Vec::new();
    let mut word: Option<Vec<String>> = None;
    let mut quote = None;
    for c in text.trim().chars() {
        if unseen(c) {
            return Err(PatternError::Control(c));
        }
        match (quote, c) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_with(|| vec![String::new()]);
            }
            (Some(open), _) if open == c => quote = None,
            (None, '*') => {
                let pieces = word.get_or_insert_with(|| vec![String::new()]);
                // Several in a row are one: an empty piece between two of them says nothing.
                if pieces.len() == 1 || pieces.last().is_some_and(|piece| !piece.is_empty()) {
                    pieces.push(String::new());
                }
            }
            _ => {
                let pieces = word.get_or_insert_with(|| vec![String::new()]);
                pieces.last_mut().expect("a word starts with one piece").push(c);
            }
        }
    }
    if let Some(open) = quote {
        return Err(PatternError::OpenQuote(open));
    }
    words.extend(word);
    Ok(words)
}

/// Whether a person who reads a pattern would not see this character: controls, and what turns or hides text.
pub(crate) fn unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (c.is_whitespace() && c != ' ')
}

/// A word as a pattern writes it.
fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains([' ', '\'', '"', '*']) {
        return word.to_owned();
    }
    if !word.contains('\'') {
        return format!("'{word}'");
    }
    // Each run of quotes of one kind stands in quotes of the other.
    word.split_inclusive('\'')
        .map(|part| match part.strip_suffix('\'') {
            Some("") => "\"'\"".to_owned(),
            Some(before) => format!("'{before}'\"'\""),
            None => format!("'{part}'"),
        })
        .collect()
}

#[cfg(test)]
mod tests;
