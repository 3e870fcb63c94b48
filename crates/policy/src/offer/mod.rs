//! The rule that "always" would add: as narrow as what was asked about, in words that a person can check.

use std::fmt::Write as _;

use crate::decide::{coverable, covers};
use crate::file::Problem;
use crate::pattern::{Pattern, is_wrapper, program};
use crate::{Assessment, Effect, Examples, Place, builtin, harmless_env};

/// Nobody checks a rule that is longer.
const LONGEST: usize = 400;

/// Commands that run what the project itself says: further words narrow that, and add nothing.
const OPEN_ENDED: &[&[&str]] = &[
    &["cargo", "test"],
    &["cargo", "check"],
    &["cargo", "build"],
    &["cargo", "clippy"],
    &["cargo", "fmt"],
    &["cargo", "doc"],
    &["cargo", "bench"],
    &["cargo", "nextest", "run"],
    &["go", "test"],
    &["go", "build"],
    &["go", "vet"],
    &["npm", "test"],
    &["npm", "run", "test"],
    &["npm", "run", "build"],
    &["npm", "run", "lint"],
    &["pnpm", "test"],
    &["yarn", "test"],
    &["pytest"],
    &["python", "-m", "pytest"],
    &["python3", "-m", "pytest"],
    &["mypy"],
    &["tsc"],
    &["dotnet", "test"],
    &["dotnet", "build"],
    &["mvn", "test"],
    &["gradle", "test"],
    &["./gradlew", "test"],
];

/// A rule that is not in a file yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    /// Its name.
    pub name: String,
    /// What becomes of the commands.
    pub effect: Effect,
    /// Which commands.
    pub patterns: Vec<Pattern>,
    /// Whether it also allows where nobody watches.
    pub headless: bool,
    /// Whether headless runs of it may use the network.
    pub network: bool,
    /// Why it is there.
    pub reason: Option<String>,
    /// What shows whether it says what is meant.
    pub examples: Examples,
    /// Commands that were proven without it when it was offered; they are not written down.
    proven: Vec<Vec<String>>,
}

/// The rule that would allow this from now on. `None` when no narrow rule could: the text is more than plain commands, a
/// danger does not show in its words, or the rule would allow more than was asked.
pub fn offer(a: &Assessment, place: &Place) -> Option<NewRule> {
    let commands = a.plain.as_ref().ok()?;
    if place.env.iter().any(|(name, _)| !harmless_env(name)) {
        return None;
    }
    if a.dangers.iter().any(|danger| coverable(a, danger).is_none()) {
        return None;
    }
    let (proven, asked): (Vec<_>, Vec<_>) = commands.iter().partition(|words| builtin(words, place).is_some());
    let mut patterns = Vec::new();
    for words in asked {
        // What is dangerous is allowed word by word only.
        let pattern = if a.dangers.is_empty() { pattern_for(words)? } else { exact_for(words)? };
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    let name = name_for(patterns.first()?);
    let headless = a.dangers.is_empty();
    let proven = proven.into_iter().cloned().collect();
    let rule = NewRule {
        name,
        effect: Effect::Allow,
        patterns,
        headless,
        network: false,
        reason: None,
        examples: Examples::default(),
        proven,
    };
    rule.covers(a).then_some(rule)
}

impl NewRule {
    /// A rule of a person: this becomes of these patterns.
    pub fn of(effect: Effect, patterns: &[&str]) -> Result<NewRule, Problem> {
        let pattern = |text: &&str| match effect {
            Effect::Allow => allowable(text),
            Effect::Ask | Effect::Block => parsed(text),
        };
        let patterns = patterns.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
        let name = name_for(patterns.first().ok_or(Problem::NoPatterns)?);
        Ok(NewRule {
            name,
            effect,
            patterns,
            headless: true,
            network: false,
            reason: None,
            examples: Examples::default(),
            proven: Vec::new(),
        })
    }

    /// A rule of a person: these patterns are allowed.
    pub fn allow(patterns: &[&str]) -> Result<NewRule, Problem> {
        NewRule::of(Effect::Allow, patterns)
    }

    /// The rule as it would stand in the file.
    pub fn toml(&self) -> String {
        let patterns = toml_list(self.patterns.iter().map(Pattern::text));
        let (name, effect) = (toml_string(&self.name), self.effect.name());
        let mut text = format!("[[rule]]\nname = {name}\n{effect} = {patterns}\n");
        if !self.headless {
            text.push_str("headless = false\n");
        }
        if self.network {
            text.push_str("network = true\n");
        }
        if let Some(reason) = &self.reason {
            let _ = writeln!(text, "reason = {}", toml_string(reason));
        }
        for (field, examples) in [("match", &self.examples.hits), ("not_match", &self.examples.misses)] {
            if !examples.is_empty() {
                let _ = writeln!(text, "{field} = {}", toml_list(examples.iter().map(String::as_str)));
            }
        }
        text
    }

    /// What it allows, in words for a person: `allow cargo test with any further words`.
    pub fn words(&self) -> String {
        let patterns = self.patterns.iter().map(|pattern| match pattern.text().strip_suffix(" *") {
            Some(start) => format!("`{start}` with any further words"),
            None if pattern.is_exact() => format!("exactly `{pattern}`"),
            None => format!("`{pattern}`"),
        });
        let place = if self.headless { "" } else { ", only where a person can see it" };
        format!("{} {}{place}", self.effect.name(), patterns.collect::<Vec<_>>().join(" and "))
    }

    /// Whether it covers all of a command: for grants that are kept in memory and never written down.
    pub fn covers(&self, a: &Assessment) -> bool {
        let Ok(commands) = &a.plain else { return false };
        let allowed = |words: &Vec<String>| {
            self.patterns.iter().any(|pattern| pattern.allows(words)) || self.proven.contains(words)
        };
        !commands.is_empty()
            && commands.iter().all(allowed)
            && a.dangers.iter().all(|danger| covers(&self.patterns, a, danger))
    }

    pub(crate) fn named(&self, name: &str) -> NewRule {
        NewRule { name: name.to_owned(), ..self.clone() }
    }
}

/// The narrow pattern for a command that is not dangerous.
pub(crate) fn pattern_for(words: &[String]) -> Option<Pattern> {
    let opens = |start: &&&[&str]| words.len() >= start.len() && start.iter().zip(words).all(|(a, b)| a == b);
    match OPEN_ENDED.iter().filter(opens).max_by_key(|start| start.len()) {
        Some(start) => Some(exact_for(&words[..start.len()])?.with_rest()),
        None => exact_for(words),
    }
}

/// The pattern of exactly these words, unless nobody could check it or it would be too open whatever it says.
fn exact_for(words: &[String]) -> Option<Pattern> {
    let first = words.first()?;
    let code =
        |word: &String| matches!(program(first), "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish") && is_code(word);
    if is_wrapper(first) || words[1..].iter().any(code) {
        return None;
    }
    let pattern = Pattern::exact(words)?;
    (pattern.text().len() <= LONGEST && pattern.overbroad().is_none()).then_some(pattern)
}

/// `-c` and its like: `-lc`, `-ec`.
fn is_code(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains('c')
}

fn parsed(text: &str) -> Result<Pattern, Problem> {
    Pattern::parse(text).map_err(|error| Problem::Pattern { pattern: text.to_owned(), error })
}

fn allowable(text: &str) -> Result<Pattern, Problem> {
    let pattern = parsed(text)?;
    match pattern.overbroad() {
        Some(why) => Err(Problem::Overbroad { pattern: text.to_owned(), why }),
        None => Ok(pattern),
    }
}

/// A name from the first words of a pattern: `cargo-test`.
fn name_for(pattern: &Pattern) -> String {
    let words = pattern.text().split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.take(3).collect::<Vec<_>>().join("-").to_lowercase();
    let name: String = name.chars().take(40).collect();
    if name.is_empty() { "rule".to_owned() } else { name.trim_end_matches('-').to_owned() }
}

fn toml_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.map(toml_string).collect::<Vec<_>>().join(", "))
}

/// A string of TOML, with the fewest escapes.
fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
