//! What patterns take, what they refuse, and that they can be written down and read back.

use proptest::prelude::*;

use super::{Pattern, PatternError};
use crate::Word;

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Words of a piece; those with a `$` are not known.
fn piece(text: &str) -> Vec<Word> {
    let word = |word: String| if word.contains('$') { Word::Unknown(word) } else { Word::Literal(word) };
    words(text).into_iter().map(word).collect()
}

#[test]
fn patterns_allow_what_they_say() {
    let cases = [
        ("cargo test *", "cargo test", true),
        ("cargo test *", "cargo test --workspace -- --nocapture", true),
        ("cargo test *", "cargo", false),
        ("cargo test *", "cargo testing", false),
        ("cargo test", "cargo test", true),
        ("cargo test", "cargo test x", false),
        ("git push * main", "git push origin main", true),
        ("git push * main", "git push main", false),
        ("git push * main", "git push a b main", false),
        // A star that is not the last word is never an option.
        ("git push * main", "git push --force main", false),
        ("git push --* main", "git push --force main", true),
        ("cat *.md", "cat a.md", true),
        ("cat *.md", "cat .md", true),
        ("cat *.md", "cat -x.md", false),
        ("cat -*.md", "cat -x.md", true),
        ("cat docs/*.md", "cat docs/a/b.md", true),
        ("cat docs/*.md", "cat docs/../../x.md", false),
        ("cat ../*.md", "cat ../../x.md", true),
        ("x a*b*c", "x abc", true),
        ("x a*b*c", "x a1b2b3c", true),
        ("x a*b*c", "x acb", false),
        ("x a*a", "x a", false),
        ("x a*a", "x aa", true),
        ("x a**", "x ab", true),
        ("x '*'", "x *", true),
        ("x '*'", "x y", false),
        ("x \"a\"'b'c", "x abc", true),
        ("  x   y  ", "x y", true),
        ("x ''", "x", false),
        ("/usr/bin/x", "/usr/bin/x", true),
        ("x", "/usr/bin/x", false),
        ("x", "./x", false),
        ("X", "x", false),
    ];
    for (pattern, command, expected) in cases {
        let read = Pattern::parse(pattern).unwrap();
        assert_eq!(read.allows(&words(command)), expected, "{pattern} and {command}");
        assert_eq!(read.allows_piece(&piece(command)), expected, "{pattern} and {command}");
    }
}

#[test]
fn words_that_are_not_known_are_allowed_only_by_a_star_at_the_end() {
    let cases = [
        ("cargo test *", "cargo test $X", true),
        ("cargo * x", "cargo $X x", false),
        ("cargo test", "cargo $X", false),
        ("cargo a*", "cargo $X", false),
        ("cargo test *", "$X test", false),
    ];
    for (pattern, command, expected) in cases {
        assert_eq!(Pattern::parse(pattern).unwrap().allows_piece(&piece(command)), expected, "{pattern} and {command}");
    }
}

#[test]
fn patterns_touch_more_than_they_allow() {
    let cases = [
        ("git push *", "git push", true),
        ("git push *", "/usr/bin/git push", true),
        ("git push *", "git push $X", true),
        ("git push * main", "git push --force main", true),
        ("git push * main", "git push $X main", true),
        ("git push origin", "git push $X", false),
        ("/bin/git push", "git push", false),
        ("* --force", "anything --force", true),
        ("cat ../*", "cat ../../x", true),
    ];
    for (pattern, command, expected) in cases {
        assert_eq!(Pattern::parse(pattern).unwrap().touches(&piece(command)), expected, "{pattern} and {command}");
    }
}

#[test]
fn what_is_no_pattern_is_refused() {
    let cases = [
        ("", PatternError::Empty),
        ("   ", PatternError::Empty),
        ("x 'y", PatternError::OpenQuote('\'')),
        ("x \"y'", PatternError::OpenQuote('"')),
        ("x\ny", PatternError::Control('\n')),
        ("x '\t'", PatternError::Control('\t')),
        ("x\0", PatternError::Control('\0')),
        ("x \u{202e}y", PatternError::Control('\u{202e}')),
        ("x\u{a0}y", PatternError::Control('\u{a0}')),
    ];
    for (pattern, expected) in cases {
        assert_eq!(Pattern::parse(pattern), Err(expected), "{pattern:?}");
    }
}

#[test]
fn patterns_that_allow_nearly_everything_are_found() {
    let broad = [
        "*",
        "* test",
        "c* test",
        "*cargo test",
        "sudo *",
        "sudo",
        "su",
        "sudo -n *",
        "sudo -u root *",
        "sudo * *",
        "sudo -i",
        "bash *",
        "bash",
        "bash -c *",
        "bash -l",
        "sh *",
        "sh -c *",
        "/bin/sh *",
        "/bin/bash -c *",
        "zsh *",
        "fish -c *",
        "env *",
        "env A=1 *",
        "env -i *",
        "env -u X *",
        "env",
        "xargs *",
        "xargs -n 1 *",
        "xargs rm* *",
        "python *",
        "python3 *",
        "python3.12 *",
        "python3",
        "python -c *",
        "python3 -",
        "python3 - *",
        "node *",
        "node -e *",
        "node --x *",
        "eval *",
        "exec *",
        "command *",
        "source *",
        ". *",
        "perl -e *",
        "ruby *",
        "sudo bash *",
        "sudo env *",
        "sudo sudo *",
        "timeout 5 *",
        "timeout 5 bash *",
        "timeout *",
        "nice -n 10 *",
        "nohup *",
        "time *",
        "busybox *",
        "ssh *",
        "npx *",
        "npm exec *",
        "docker run *",
        "docker exec *",
        "docker run --rm *",
        "uv run *",
        "cmd *",
        "pwsh *",
        "PowerShell.exe *",
        "awk *",
        "bash *.sh",
        "bash * x",
        "env bash",
        "xargs sh -c *",
        "flock *",
        "parallel *",
        "watch *",
    ];
    for text in broad {
        assert!(Pattern::parse(text).unwrap().overbroad().is_some(), "{text}");
    }
    let narrow = [
        "cargo test *",
        "cargo *",
        "git push *",
        "npm test",
        "sudo apt update",
        "sudo systemctl restart web",
        "sudo apt install *",
        "bash scripts/test.sh",
        "bash scripts/test.sh *",
        "bash scripts/*",
        "bash -c 'echo hi'",
        "python script.py *",
        "python3 -m pytest *",
        "python -m pytest",
        "node server.js *",
        "env A=1 cargo test *",
        "timeout 60 cargo test *",
        "xargs grep *",
        "npx tsc *",
        "npm exec tsc *",
        "docker run alpine ls",
        "bashful *",
        "sh.txt",
        "uv run pytest *",
        "docker compose up *",
        "nodemon *",
        "rm -rf target",
        "ls *",
        "time cargo build *",
        "sudo -u postgres psql db",
    ];
    for text in narrow {
        assert_eq!(Pattern::parse(text).unwrap().overbroad(), None, "{text}");
    }
}

/// Words as programs get them, with what a pattern has to quote.
fn any_word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z./-]{1,8}", "[a-z '\"*\\\\$-]{0,6}", "[ '\"*]{0,4}", Just("é ü".to_owned())]
}

proptest! {
    #[test]
    fn exact_patterns_take_exactly_their_words(list in prop::collection::vec(any_word(), 1..6), other in any_word(), at in 0..6usize) {
        let pattern = Pattern::exact(&list).unwrap();
        prop_assert!(pattern.is_exact());
        prop_assert!(pattern.allows(&list));
        prop_assert_eq!(&Pattern::parse(pattern.text()).unwrap(), &pattern);
        let mut longer = list.clone();
        longer.insert(at.min(list.len()), other.clone());
        prop_assert!(!pattern.allows(&longer));
        let mut changed = list.clone();
        let at = at % list.len();
        changed[at] = other.clone();
        prop_assert_eq!(pattern.allows(&changed), list[at] == other);
        prop_assert!(pattern.with_rest().allows(&longer) || at < list.len());
        prop_assert_eq!(Pattern::parse(pattern.with_rest().text()).unwrap(), pattern.with_rest());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}", list in prop::collection::vec(any_word(), 0..5)) {
        if let Ok(pattern) = Pattern::parse(&text) {
            let _ = pattern.overbroad();
            let piece: Vec<_> = list.iter().cloned().map(Word::Literal).collect();
            // To ask and to block, a pattern takes at least what it takes to allow.
            prop_assert!(!pattern.allows(&list) || pattern.touches(&piece));
            prop_assert_eq!(pattern.allows(&list), pattern.allows_piece(&piece));
            prop_assert_eq!(Pattern::parse(pattern.text()).unwrap(), pattern);
        }
    }

    /// The quick search for gaps agrees with trying everything.
    #[test]
    fn gaps_agree_with_trying_everything(pattern in "[ab*]{1,8}", word in "[ab]{0,8}") {
        prop_assume!(pattern.contains('*'));
        let read = Pattern::parse(&format!("x {pattern}")).unwrap();
        let expected = slow(pattern.as_bytes(), word.as_bytes());
        prop_assert_eq!(read.allows(&["x".to_owned(), word]), expected);
    }
}

fn slow(pattern: &[u8], word: &[u8]) -> bool {
    match (pattern.split_first(), word.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((b'*', pattern_rest)), rest) => {
            slow(pattern_rest, word) || rest.is_some_and(|(_, word_rest)| slow(pattern, word_rest))
        }
        (Some((c, pattern_rest)), Some((d, word_rest))) => c == d && slow(pattern_rest, word_rest),
        (Some(_), None) => false,
    }
}
