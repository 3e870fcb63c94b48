//! Texts of which everything is known: nothing but literal words.
//!
//! Two readings that share no code must agree: the strict reader in [`reader`], which knows a small part of the shell's
//! language and refuses the rest, and the grammar's tree. A mistake in either makes a text unproven, never safe.

mod reader;

use crate::NotPlain;
use crate::shell::tree;

/// The words of each command, when the text is plain.
pub(crate) fn plain(text: &str) -> Result<Vec<Vec<String>>, NotPlain> {
    let (commands, tokens) = reader::read(text)?;
    match tree::literal(text, tokens) {
        Ok(other) if other == commands => Ok(commands),
        Ok(_) => Err(NotPlain { reason: "it can be read in two ways".to_owned(), span: 0..text.len() }),
        Err(fault) => Err(NotPlain { reason: fault.reason, span: fault.span }),
    }
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
