//! Which commands may be typed as they are, so that people see `$ cargo test`.

/// A longer line may wrap and is closer to the terminal's limit of a line.
const LONGEST_TYPED: usize = 500;

/// First words that make a line incomplete or special in some shell.
const SPECIAL: &[&str] = &[
    "and",
    "begin",
    "break",
    "builtin",
    "case",
    "catch",
    "continue",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "fc",
    "fi",
    "for",
    "foreach",
    "function",
    "if",
    "in",
    "nocorrect",
    "noglob",
    "not",
    "or",
    "r",
    "repeat",
    "return",
    "select",
    "switch",
    "then",
    "time",
    "try",
    "until",
    "while",
];

/// True when a line editor takes the text as it is and the shell takes it as one complete command line.
pub(super) fn is_plain(text: &str) -> bool {
    let is_harmless = |byte: u8| byte.is_ascii_alphanumeric() || b" _./:=,@%+-".contains(&byte);
    let Some(first) = text.split(' ').next() else { return false };
    // A leading space would keep the command out of the history; an assignment may stand before a special word.
    text.len() <= LONGEST_TYPED
        && text.bytes().all(is_harmless)
        && !first.is_empty()
        && !first.starts_with(['=', '-', '%', '+', ','])
        && !first.contains('=')
        && !SPECIAL.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_commands_are_plain() {
        for text in [
            "true",
            "cargo test",
            "ls -la /tmp",
            "git checkout -b a/b",
            "make CC=gcc -j8",
            "/bin/ls",
            "a@b 50%",
            "./configure",
            "exec false",
        ] {
            assert!(is_plain(text), "{text}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        let long = "a ".repeat(251);
        let texts = [
            "",
            " ls",
            "if true",
            "echo 'a'",
            "echo a | cat",
            "echo a\n",
            "echo a\tb",
            "echo !x",
            "ls *",
            "echo ~",
            "# x",
            "X=1 if",
            "=ls",
            "-x",
            "%1",
            "echo é",
            "a\\",
            "time",
            "echo $x",
            "(ls)",
            "{",
            "ls &",
            "a;b",
            "^a^b",
            &long,
        ];
        for text in texts {
            assert!(!is_plain(text), "{text:?}");
        }
    }
}
