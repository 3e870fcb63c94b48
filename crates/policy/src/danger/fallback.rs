//! A text that can't be read: each word that could begin a command is looked at as one.

use super::value::{Scope, Value};
use super::{Here, Search};

/// Goes through the words of a text, without any grammar.
pub(super) fn scan(search: &mut Search<'_>, text: &str, scope: &Scope, here: &Here) {
    // The same reading for every shell: operators and brackets divide, quotes and backslashes vanish.
    for line in text.split(['\n', ';', '|', '&', '(', ')', '`', '{', '}']).take(256) {
        let words: Vec<Value> = line
            .split([' ', '\t', '\r'])
            .filter(|word| !word.is_empty())
            .take(64)
            .map(|word| {
                let text: String = word.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
                let text = text.replace("$HOME", &scope.home).replace("${HOME", &scope.home);
                let text =
                    if text == "~" || text.starts_with("~/") { text.replacen('~', &scope.home, 1) } else { text };
                let glob = text.contains(['*', '?']);
                Value::new(text, glob, word)
            })
            .collect();
        let noting = std::mem::replace(&mut search.noting, false);
        search.command(&words, &mut scope.clone(), here);
        search.noting = noting;
    }
}
