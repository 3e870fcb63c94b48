//! The commands of a text as the shell of headless runs reads it: beside literal words there are patterns of names, files as
//! input, harmless variables in front, and changes of folder.

use std::ops::Range;

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Variables that are set for it alone.
    pub env: Vec<(String, String)>,
    /// Its words.
    pub words: Vec<Term>,
    /// Files that it gets as its input.
    pub inputs: Vec<String>,
    /// What stands between it and the next one.
    pub joint: Joint,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its text, quotes taken off.
    pub text: String,
    /// The same, sign by sign, when it is a pattern that the shell puts names in place of.
    pub pattern: Option<Vec<Sign>>,
    /// Where its text ends in the line.
    pub end: usize,
}

/// A sign of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// This character.
    Just(char),
    /// `?`
    One,
    /// `*`
    Any,
}

/// How a command is joined to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;`, a line end, or the end.
    End,
}

impl Step {
    /// A command of literal words.
    pub(crate) fn literal(words: &[String]) -> Step {
        let term = |word: &String| Term { text: word.clone(), pattern: None, end: 0 };
        let words = words.iter().map(term).collect();
        Step { env: Vec::new(), words, inputs: Vec::new(), joint: Joint::End, span: 0..0 }
    }

    /// Its words as they are compared with the other reading.
    pub(crate) fn texts(&self) -> Vec<String> {
        let set = self.env.iter().map(|(name, value)| format!("{name}={value}"));
        set.chain(self.words.iter().map(|word| word.text.clone())).collect()
    }
}
