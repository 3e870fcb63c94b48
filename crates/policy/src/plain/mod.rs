//! Texts of which everything is known: nothing but literal words.
//!
//! Two readings that share no code must agree: the strict reader in [`reader`], which knows a small part of the shell's
//! language and refuses the rest, and the grammar's tree. A mistake in either makes a text unproven, never safe.

mod reader;
mod step;
mod wide;

pub use step::{Joint, Sign, Step, Term};

use crate::NotPlain;
use crate::shell::tree::{self, Reading};

/// What is said of words that are more than the name of a program.
pub(crate) const CHANGES: &str = " changes the shell or what comes after it";

/// The words of each command, when the text is plain.
pub(crate) fn plain(text: &str) -> Result<Vec<Vec<String>>, NotPlain> {
    let (commands, tokens) = reader::read(text)?;
    match tree::literal(text, tokens, Reading::Strict) {
        Ok(other) if other == commands => Ok(commands),
        Ok(_) => Err(NotPlain { reason: "it can be read in two ways".to_owned(), span: 0..text.len() }),
        Err(fault) => Err(NotPlain { reason: fault.reason, span: fault.span }),
    }
}

/// The commands of a text for `/bin/sh -c`, when all that it does can be followed.
pub(crate) fn steps(text: &str) -> Result<Vec<Step>, NotPlain> {
    let (steps, tokens) = wide::read(text)?;
    let words: Vec<Vec<String>> = steps.iter().map(Step::texts).collect();
    match tree::literal(&without_brackets(text, &steps), tokens, Reading::Wide) {
        Ok(other) if other == words.iter().map(|words| stripped(words)).collect::<Vec<_>>() => Ok(steps),
        Ok(_) => Err(NotPlain { reason: "it can be read in two ways".to_owned(), span: 0..text.len() }),
        Err(fault) => Err(NotPlain { reason: fault.reason, span: fault.span }),
    }
}

/// The command `[` is `test` with one more word, but has a grammar of its own. Both brackets are hidden from it.
fn without_brackets(text: &str, steps: &[Step]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for step in steps.iter().filter(|step| step.words.first().is_some_and(|word| word.text == "[")) {
        for at in step.span.clone() {
            let alone = |at: usize| bytes.get(at).is_none_or(|byte| b" \t\n;|&".contains(byte));
            if matches!(bytes[at], b'[' | b']') && alone(at + 1) && (at == 0 || alone(at - 1)) {
                bytes[at] = BRACKET;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// What stands for a bracket.
const BRACKET: u8 = b'B';

fn stripped(words: &[String]) -> Vec<String> {
    if words.first().is_none_or(|first| first != "[") {
        return words.to_vec();
    }
    let hidden =
        |word: &String| if word == "[" || word == "]" { char::from(BRACKET).to_string() } else { word.clone() };
    words.iter().map(hidden).collect()
}

/// The words of a command that no shell reads.
pub(crate) fn argv(words: &[String]) -> Result<Vec<Vec<String>>, NotPlain> {
    let refuse = |reason: &str| Err(NotPlain { reason: reason.to_owned(), span: 0..0 });
    match words.first() {
        None => refuse("it holds no command"),
        Some(first) if first.is_empty() => refuse("the program's name is empty"),
        Some(_) if words.iter().any(|word| word.contains('\0')) => refuse("it holds a zero byte"),
        Some(_) => Ok(vec![words.to_vec()]),
    }
}
