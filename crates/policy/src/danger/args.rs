//! Arguments of a program, read generously: a flag counts wherever it stands.

use super::value::Value;

/// The arguments of a program, its name left out.
#[derive(Clone, Copy)]
pub(super) struct Args<'a>(pub &'a [Value]);

impl<'a> Args<'a> {
    fn flags(self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|value| value.text.as_str()).take_while(|text| *text != "--")
    }

    /// Whether a short flag is given, alone or with others: `-r`, `-fr`.
    pub(super) fn short(self, flag: char) -> bool {
        self.flags()
            .any(|text| text.strip_prefix('-').is_some_and(|flags| !flags.starts_with('-') && flags.contains(flag)))
    }

    /// Whether a long flag is given, in full, shortened, or with a value: `--force`, `--for`, `--force=x`.
    pub(super) fn long(self, name: &str) -> bool {
        self.flags().any(|text| {
            let Some(flag) = text.strip_prefix("--") else { return false };
            let flag = flag.split('=').next().unwrap_or_default();
            flag == name || (flag.len() >= 2 && name.starts_with(flag))
        })
    }

    /// Whether a word is given exactly.
    pub(super) fn has(self, word: &str) -> bool {
        self.0.iter().any(|value| value.text == word)
    }

    /// Whether any of the words is given, whatever its case.
    pub(super) fn any(self, words: &[&str]) -> bool {
        self.0.iter().any(|value| words.iter().any(|word| value.text.eq_ignore_ascii_case(word)))
    }

    /// What is no flag; everything after `--` is none.
    pub(super) fn operands(self) -> impl Iterator<Item = &'a Value> {
        let mut open = true;
        self.0.iter().filter(move |value| {
            if !open {
                return true;
            }
            if value.text == "--" {
                open = false;
                return false;
            }
            !value.text.starts_with('-') || value.text == "-"
        })
    }

    /// The value of a flag: the next word, or what is joined to it.
    pub(super) fn value(self, short: &str, long: &str) -> Option<Value> {
        for (index, arg) in self.0.iter().enumerate() {
            let text = arg.text.as_str();
            if !long.is_empty() && text.starts_with("--") {
                if let Some(value) = text.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
                    return Some(arg.with(value));
                }
                if text == long {
                    return self.0.get(index + 1).cloned();
                }
            } else if !short.is_empty() && text.starts_with(short) && !text.starts_with("--") {
                let joined = &text[short.len()..];
                if joined.is_empty() {
                    return self.0.get(index + 1).cloned();
                }
                return Some(arg.with(joined));
            } else if cluster(text, short) {
                return self.0.get(index + 1).cloned();
            }
        }
        None
    }

    /// The texts, for matching on their shape.
    pub(super) fn texts(self) -> Vec<&'a str> {
        self.0.iter().map(|value| value.text.as_str()).collect()
    }

    /// The first words that are no flags, for programs with subcommands.
    pub(super) fn subcommands(self) -> Vec<&'a str> {
        self.operands().map(|value| value.text.as_str()).take(4).collect()
    }
}

/// Whether a flag stands last among others: `-qc`.
fn cluster(text: &str, short: &str) -> bool {
    let letters = text.strip_prefix('-').unwrap_or_default();
    short.len() == 2 && letters.ends_with(&short[1..]) && letters.chars().all(|c| c.is_ascii_alphanumeric())
}
