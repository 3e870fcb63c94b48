//! Names as a forgiving file system compares them, so that a rule can't be dodged by another spelling.

use std::borrow::Cow;

/// Lower case, with what HFS+, ext4 with case folding, or Windows shares ignore taken out.
#[must_use]
pub fn fold(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        let trimmed = name.trim_end_matches(['.', ' ']);
        if trimmed.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Cow::Owned(trimmed.to_ascii_lowercase());
        }
        return Cow::Borrowed(trimmed);
    }
    // Upper and then lower case folds what only one of them does, such as the long s and the Kelvin sign.
    let folded: String = name
        .chars()
        .filter(|char| !ignorable(*char))
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect();
    Cow::Owned(folded.trim_end_matches(['.', ' ']).to_owned())
}

/// The default-ignorable code points of Unicode.
fn ignorable(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn spellings_of_one_name() {
        let table = [
            (
                ".git",
                &[".GIT", ".Git", ".git.", ".git ", ".git . ", ".g\u{200c}it", "\u{feff}.git", ".gıt\u{200d}"][..],
            ),
            ("secrets.toml", &["ſecrets.toml", "SECRETS.TOML", "secrets.toml..", "sec\u{ad}rets.toml"]),
            ("id_rsa.key", &["id_rsa.\u{212a}ey", "ID_RSA.KEY"]),
        ];
        for (name, spellings) in table {
            for spelling in spellings {
                // The dotless i has no upper case of its own: folding through it is stricter than any file system.
                assert_eq!(fold(spelling), name, "{spelling:?}");
            }
        }
        assert_ne!(fold(".gitignore"), ".git");
        assert_ne!(fold("git"), ".git");
    }
}
