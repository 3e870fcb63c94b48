//! A rule added to a policy file, with all that stands there left as it is.

use std::fmt::Write as _;

use super::{PolicyError, Problem};
use crate::offer::NewRule;
use crate::rules::{Effect, Rules};

impl Rules {
    /// The file's text with the rule at its end. Comments and order of what is there stay. A rule that is there already
    /// gives the text unchanged. What comes back has been read again.
    pub fn add(text: &str, rule: &NewRule) -> Result<String, PolicyError> {
        let there = Rules::parse(text)?;
        if there.have(rule) {
            return Ok(text.to_owned());
        }
        let mut added = text.to_owned();
        if !added.is_empty() && !added.ends_with('\n') {
            added.push('\n');
        }
        if !added.trim().is_empty() {
            added.push('\n');
        }
        let taken = |name: &str| there.rules().iter().any(|rule| rule.name == name);
        added.push_str(&rule.named(&free_name(&rule.name, taken)).toml());
        let read = Rules::parse(&added)?;
        if read.have(rule) {
            return Ok(added);
        }
        let problem = "the rule can't be added at the end of this file; write it in by hand".to_owned();
        Err(PolicyError { line: 1, rule: None, field: None, problem: Problem::Syntax(problem) })
    }

    /// Whether one of the rules says all that the new one would, as the new one would.
    fn have(&self, new: &NewRule) -> bool {
        self.with(new.effect).any(|rule| {
            // Only a rule that allows has a say in these.
            let allows = new.effect == Effect::Allow;
            let same = !allows || (rule.headless == new.headless && rule.network == new.network);
            same && new.patterns.iter().all(|pattern| rule.patterns.contains(pattern))
        })
    }
}

/// The name, or the name with the first number that makes it free.
fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let mut free = String::new();
    for number in 2.. {
        free.clear();
        let _ = write!(free, "{name}-{number}");
        if !taken(&free) {
            break;
        }
    }
    free
}
