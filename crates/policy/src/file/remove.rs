//! A rule taken out of a policy file or put in another's place, with all that stands beside it left as it is.

use std::ops::Range;

use super::{PolicyError, Problem};
use crate::offer::NewRule;
use crate::rules::{Rule, Rules};

impl Rules {
    /// The file's text without the rule of this name, and without the comment right above it. `None` when there is no such
    /// rule. What comes back has been read again.
    pub fn remove(text: &str, name: &str) -> Result<Option<String>, PolicyError> {
        edit(text, name, "", |rules, at| {
            rules.remove(at);
        })
    }

    /// The file's text with another rule in the place of the one with this name.
    pub fn replace(text: &str, name: &str, rule: &NewRule) -> Result<Option<String>, PolicyError> {
        edit(text, name, &rule.toml(), |rules, at| {
            rules[at] = Rule {
                name: rule.name.clone(),
                effect: rule.effect,
                patterns: rule.patterns.clone(),
                headless: rule.effect == crate::Effect::Allow && rule.headless,
                network: rule.network,
                reason: rule.reason.clone(),
                examples: rule.examples.clone(),
            };
        })
    }
}

/// Puts `instead` where the rule is, and checks that the rules are then what `expected` makes of them.
fn edit(
    text: &str,
    name: &str,
    instead: &str,
    expected: impl FnOnce(&mut Vec<Rule>, usize),
) -> Result<Option<String>, PolicyError> {
    let mut there = Rules::parse(text)?;
    let Some(at) = there.rules.iter().position(|rule| rule.name == name) else { return Ok(None) };
    expected(&mut there.rules, at);
    let edited = place(text, at).map(|place| {
        let (before, after) = (&text[..place.start], &text[place.end..]);
        let gap = if instead.is_empty() || after.is_empty() || after.starts_with('\n') { "" } else { "\n" };
        let before = if instead.is_empty() && after.is_empty() { before.trim_end_matches('\n') } else { before };
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        format!("{before}{end}{instead}{gap}{after}")
    });
    match edited {
        Some(edited) if Rules::parse(&edited)? == there => Ok(Some(edited)),
        _ => {
            let problem = "the rule can't be told from the rest of this file; change it by hand".to_owned();
            Err(PolicyError { line: 1, rule: Some(name.to_owned()), field: None, problem: Problem::Syntax(problem) })
        }
    }
}

/// The lines of a rule: its head with the comment right above it, up to the next table or the comment above that.
fn place(text: &str, number: usize) -> Option<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push((start, line.trim()));
        start += line.len();
    }
    let head = |line: &str| line.starts_with("[[rule]]");
    let first = lines.iter().enumerate().filter(|(_, (_, line))| head(line)).nth(number)?.0;
    let next = lines.iter().skip(first + 1).position(|(_, line)| line.starts_with('[')).map(|at| first + 1 + at);
    let with_comment = |at: usize| {
        let above = lines[..at].iter().rev().take_while(|(_, line)| line.starts_with('#')).count();
        at - above
    };
    let end = next.map_or(text.len(), |next| lines[with_comment(next).max(first + 1)].0);
    Some(lines[with_comment(first)].0..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effect;

    const FILE: &str = r#"# My rules.

[defaults]
terminal = "ask"

# They only read.
[[rule]]
name = "tests"
allow = ["cargo test *"]
match = ["cargo test --all"]

# Never.
[[rule]]
name = "push"
block = ["git push *"]
reason = "by hand"

[[rule]]
name = "last"
ask = ["make *"]
"#;

    fn names(text: &str) -> Vec<String> {
        Rules::parse(text).unwrap().rules().iter().map(|rule| rule.name.clone()).collect()
    }

    #[test]
    fn a_rule_goes_with_its_comment_and_nothing_else() {
        let first = Rules::remove(FILE, "tests").unwrap().unwrap();
        assert_eq!(names(&first), ["push", "last"]);
        assert!(
            first.contains("# My rules.") && first.contains("# Never.") && !first.contains("They only read"),
            "{first}"
        );
        let last = Rules::remove(FILE, "last").unwrap().unwrap();
        assert!(last.ends_with("reason = \"by hand\"\n"), "{last:?}");
        assert_eq!(names(&last), ["tests", "push"]);
        let mut all = FILE.to_owned();
        for name in ["push", "last", "tests"] {
            all = Rules::remove(&all, name).unwrap().unwrap();
        }
        assert_eq!(all, "# My rules.\n\n[defaults]\nterminal = \"ask\"\n");
    }

    #[test]
    fn one_that_is_not_there_is_nothing() {
        assert_eq!(Rules::remove(FILE, "other").unwrap(), None);
        assert_eq!(Rules::remove("", "other").unwrap(), None);
    }

    #[test]
    fn another_rule_stands_in_its_place() {
        let mut rule = NewRule::of(Effect::Allow, &["git push origin *"]).unwrap();
        rule.name = "push".to_owned();
        rule.headless = false;
        let text = Rules::replace(FILE, "push", &rule).unwrap().unwrap();
        assert_eq!(names(&text), ["tests", "push", "last"]);
        let read = Rules::parse(&text).unwrap();
        assert_eq!((read.rules()[1].effect, read.rules()[1].headless), (Effect::Allow, false));
        // A name that another rule has is refused, and nothing is changed.
        rule.name = "last".to_owned();
        assert!(Rules::replace(FILE, "push", &rule).is_err());
    }

    #[test]
    fn what_can_not_be_told_apart_is_left_alone() {
        let inline = "rule = [{ name = \"a\", allow = [\"ls *\"] }]\n";
        assert!(Rules::remove(inline, "a").is_err());
        let deceiving = "[[rule]]\nname = \"a\"\nallow = [\"x *\"]\nreason = '''\n[[rule]]\n'''\n[[rule]]\nname = \"b\"\nallow = [\"y *\"]\n";
        assert!(
            Rules::remove(deceiving, "b").is_err() || names(&Rules::remove(deceiving, "b").unwrap().unwrap()) == ["a"]
        );
    }
}
