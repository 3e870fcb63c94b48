//! What a command may ask for with the shell's own line editor: `read -e`, and without showing it `read -s`.
//!
//! A shell that reads with its own line editor looks from outside as it does at its prompt, whether it shows what is typed or
//! not. Then the command's text is all there is to go by. It is read roughly, and in doubt towards secrecy.

/// Commands that ask.
const QUESTIONS: [&str; 2] = ["read", "vared"];
/// Commands that ask for nothing, beside `read` itself. What else there is may be a function.
const SILENT: &[&str] = &["echo", "printf", "set", "sleep", "string", "test", "true"];
/// The mark of a shell has so much of a command's text.
const LONGEST: usize = 4096;

/// A word of a command.
#[derive(Debug, Default, PartialEq, Eq)]
struct Word {
    text: String,
    /// Something is put in its place, so that it may become anything.
    varies: bool,
}

/// What a text may ask for with the shell's own line editor, the more secret the greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asking {
    /// Nothing.
    #[default]
    Nothing,
    /// A line that is shown.
    Shown,
    /// A line that is not.
    Hidden,
}

impl Asking {
    /// What a text names.
    pub(crate) fn of(text: &str) -> Self {
        // Most name nothing, and are not looked at any further.
        if !QUESTIONS.iter().any(|name| text.contains(name)) {
            return Asking::Nothing;
        }
        commands(text).iter().map(|words| Asking::of_words(words)).max().unwrap_or_default()
    }

    fn of_words(words: &[Word]) -> Self {
        let mut options = words.iter().skip_while(|word| word.text != "read").skip(1);
        let named = if options.any(|word| word.varies || word.text.starts_with('-') && word.text.contains('s')) {
            Asking::Hidden
        } else if words.iter().any(|word| QUESTIONS.contains(&word.text.as_str())) {
            Asking::Shown
        } else {
            Asking::Nothing
        };
        // A text in quotes may be given to `eval` or to another shell.
        let quoted = words.iter().filter(|word| word.text.contains(char::is_whitespace));
        quoted.map(|word| Asking::of(&word.text)).fold(named, Asking::max)
    }
}

/// Whether all that this text for fish runs is known, and hides nothing that is typed.
pub(crate) fn asks_openly(text: &str) -> bool {
    let is_known = |words: &Vec<Word>| {
        let is_named = |word: &Word| !word.varies && (word.text == "read" || SILENT.contains(&word.text.as_str()));
        words.first().is_none_or(is_named) && Asking::of_words(words) < Asking::Hidden
    };
    text.len() < LONGEST && !text.contains(['(', '\\']) && commands(text).iter().all(is_known)
}

/// The commands of a text, in the signs that shells have in common.
fn commands(text: &str) -> Vec<Vec<Word>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<Word> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let ends_command = matches!(c, ';' | '|' | '&' | '\n' | '\r' | '(' | ')' | '{' | '}');
        if ends_command || c.is_whitespace() {
            commands.last_mut().into_iter().for_each(|words: &mut Vec<Word>| words.extend(word.take()));
            if ends_command {
                commands.push(Vec::new());
            }
            continue;
        }
        let word = word.get_or_insert_default();
        match c {
            '\'' => word.text.extend(chars.by_ref().take_while(|c| *c != '\'')),
            '"' => {
                let quoted: String = chars.by_ref().take_while(|c| *c != '"').collect();
                word.varies |= quoted.contains(['$', '`', '\\']);
                word.text.push_str(&quoted);
            }
            c => {
                word.varies |= matches!(c, '$' | '`' | '\\' | '*' | '?' | '[' | '~');
                word.text.push(c);
            }
        }
    }
    commands.last_mut().into_iter().for_each(|words| words.extend(word.take()));
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_question_is_found_wherever_it_is_named() {
        for (text, hides) in [
            ("read -s x", true),
            ("read --silent x", true),
            ("read -ers x", true),
            ("read -P 'secret? ' -s x; echo", true),
            ("set -l a; and read -s x", true),
            ("builtin read --sil x", true),
            ("echo (read -s)", true),
            ("eval 'read -s x'", true),
            ("fish -c \"read -s x\"", true),
            ("function ask; read -s y; end", true),
            ("read $options x", true),
            ("read x", false),
            ("read -P 'name? ' x; echo -s $x", false),
            ("cat readme -s", false),
            ("ls -s", false),
            ("", false),
        ] {
            assert_eq!(Asking::of(text) == Asking::Hidden, hides, "{text}");
        }
    }

    #[test]
    fn a_question_of_the_line_editor_is_found() {
        for (text, asks) in [
            ("read -e x", true),
            ("echo name; read x", true),
            ("vared x", true),
            ("eval 'read -e x'", true),
            ("cat readme", false),
            ("ls", false),
        ] {
            assert_eq!(Asking::of(text) > Asking::Nothing, asks, "{text}");
        }
    }

    #[test]
    fn only_what_is_known_to_show_what_is_typed_asks_openly() {
        for (text, openly) in [
            ("read x", true),
            ("read -P 'name? ' x; echo \"hello $x\"", true),
            ("printf 'name? '\nread x && echo $x", true),
            ("read --local x | string upper", true),
            ("read -s x", false),
            ("read --silent x", false),
            ("read $how x", false),
            ("echo (ask)", false),
            ("ask", false),
            ("read x; ask", false),
            ("$ask", false),
            ("read x; and ask", false),
            ("eval read -s x", false),
            ("if read -s x; end", false),
            ("read \\-s x", false),
        ] {
            assert_eq!(asks_openly(text), openly, "{text}");
        }
    }
}
