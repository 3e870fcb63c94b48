//! Differences without the programs that a repository names for showing them.
//!
//! `git diff` runs `diff.external` and the drivers that attributes name, and all that shows differences runs their conversions
//! to text. No setting takes that back: git takes an empty `diff.external` for a program of that name, and fails. So what is
//! proven is run with flags that forbid both. The empty setting stays beside them: a difference that is shown without the flags
//! fails, instead of running what the repository names.

use crate::plain::{Step, Term, steps};
use crate::{Deed, NotPlain};

/// What keeps git from running helpers.
const FLAGS: [&str; 2] = ["--no-ext-diff", "--no-textconv"];

/// A deed that is proven, with the flags at each command of git that shows differences.
///
/// # Errors
///
/// A line of which nothing is proven.
pub fn without_diff_helpers(deed: &Deed) -> Result<Deed, NotPlain> {
    match deed {
        Deed::Line(text) | Deed::Part(text) => {
            let mut text = text.clone();
            // From the end, so that the places in front stay true.
            for end in steps(&text)?.iter().rev().filter_map(|step| Some(step.words[shown(&step.words)?].end)) {
                text.insert_str(end, &FLAGS.map(|flag| format!(" {flag}")).concat());
            }
            Ok(Deed::Line(text))
        }
        Deed::Argv(words) => {
            let mut words = words.clone();
            if let Some(at) = shown(&Step::literal(&words).words) {
                words.splice(at + 1..=at, FLAGS.map(str::to_owned));
            }
            Ok(Deed::Argv(words))
        }
    }
}

/// Whether it can't be said which of git's commands runs, because a pattern stands for its name.
pub(crate) fn hidden(words: &[Term]) -> bool {
    words.first().is_some_and(|word| word.text == "git")
        && words.iter().take(named(words)).any(|word| word.pattern.is_some())
}

/// How many words say which of git's commands it is, at most.
fn named(words: &[Term]) -> usize {
    match subcommand(words) {
        Some(at) if matches!(words[at].text.as_str(), "stash" | "reflog") => at + 2,
        Some(at) => at + 1,
        None => words.len(),
    }
}

/// Behind which word the flags belong.
fn shown(words: &[Term]) -> Option<usize> {
    let at = subcommand(words).filter(|_| words[0].text == "git")?;
    let next = words.get(at + 1).map(|word| word.text.as_str());
    match (words[at].text.as_str(), next) {
        ("stash", Some("show" | "list")) | ("reflog", Some("show")) => Some(at + 1),
        ("log" | "show" | "diff" | "diff-tree" | "whatchanged" | "reflog" | "blame" | "annotate", _) => Some(at),
        _ => None,
    }
}

/// Where the name of git's command is, behind the flags of git itself that are proven.
fn subcommand(words: &[Term]) -> Option<usize> {
    let mut at = 1;
    loop {
        match words.get(at)?.text.as_str() {
            "-C" => at += 2,
            flag if flag.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        match without_diff_helpers(&Deed::Line(text.to_owned())) {
            Ok(Deed::Line(text)) => text,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn flags_stand_behind_the_command() {
        for (text, guarded) in [
            ("git diff", "git diff FLAGS"),
            ("git diff HEAD^ -- src", "git diff FLAGS HEAD^ -- src"),
            (
                "git -C 'a b' --no-pager log -p|head -3; git  show",
                "git -C 'a b' --no-pager log FLAGS -p|head -3; git  show FLAGS",
            ),
            ("cd sub && 'git' \"di\"ff *.rs 2>&1", "cd sub && 'git' \"di\"ff FLAGS *.rs 2>&1"),
            ("git stash show -p", "git stash show FLAGS -p"),
            ("git stash list || git reflog -3", "git stash list FLAGS || git reflog FLAGS -3"),
            ("git reflog show", "git reflog show FLAGS"),
            ("LANG=C git blame ä.rs", "LANG=C git blame FLAGS ä.rs"),
            ("< a git diff", "< a git diff FLAGS"),
            // Others know no such flags, or show no differences.
            ("git status; git stash; echo git diff", "git status; git stash; echo git diff"),
            ("git grep diff", "git grep diff"),
            ("ls 'git diff'", "ls 'git diff'"),
        ] {
            assert_eq!(line(text), guarded.replace("FLAGS", &FLAGS.join(" ")));
        }
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let argv = without_diff_helpers(&Deed::Argv(words("git -C a diff x")));
        assert_eq!(argv, Ok(Deed::Argv(words("git -C a diff --no-ext-diff --no-textconv x"))));
        assert!(without_diff_helpers(&Deed::Line("git diff $(x)".to_owned())).is_err());
    }

    #[test]
    fn names_are_no_patterns() {
        let words = |text: &str| steps(text).expect("it can be followed").remove(0).words;
        for text in ["git di*", "git -C * diff", "git stash sh?w", "git reflog sho*", "git -C *"] {
            assert!(hidden(&words(text)), "{text}");
        }
        for text in ["git diff *.rs", "git stash show", "git log -- *", "git --version", "git", "ls *"] {
            assert!(!hidden(&words(text)), "{text}");
        }
    }
}
