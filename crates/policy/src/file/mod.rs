//! The policy file: TOML that a person writes, read with exact words about what is wrong with it.

mod add;
mod careful;
mod error;
mod remove;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

pub use error::{PolicyError, Problem};

use crate::pattern::Pattern;
use crate::rules::{Defaults, Destructive, Effect, Examples, Rule, Rules};
use crate::{Assessment, Deed, Place, Stance, assess};

/// No policy that people write is longer, and nobody waits for one that is.
const LONGEST: usize = 1 << 20;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    defaults: RawDefaults,
    #[serde(default)]
    rule: Vec<Spanned<RawRule>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDefaults {
    interactive: Option<Stance>,
    terminal: Option<Stance>,
    openspace: Option<Stance>,
    tabs: Option<Stance>,
    acp: Option<Stance>,
    destructive: Option<RawDestructive>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawDestructive {
    Ask,
    Block,
}

type Texts = Spanned<Vec<Spanned<String>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: Spanned<String>,
    allow: Option<Texts>,
    ask: Option<Texts>,
    block: Option<Texts>,
    headless: Option<Spanned<bool>>,
    network: Option<Spanned<bool>>,
    reason: Option<String>,
    #[serde(default, rename = "match")]
    matches: Vec<Spanned<String>>,
    #[serde(default)]
    not_match: Vec<Spanned<String>>,
}

impl Rules {
    /// Reads a policy file, and checks the examples of each rule.
    pub fn parse(text: &str) -> Result<Rules, PolicyError> {
        let whole = |line, problem| PolicyError { line, rule: None, field: None, problem };
        if text.len() > LONGEST {
            return Err(whole(1, Problem::TooLong(LONGEST)));
        }
        let raw: RawFile = toml::from_str(text).map_err(|error| syntax(text, &error))?;
        let mut names = BTreeSet::new();
        let mut rules = Vec::with_capacity(raw.rule.len());
        for rule in raw.rule {
            let reader = Reader { text, name: rule.get_ref().name.get_ref().clone() };
            let line_of_name = rule.get_ref().name.span().start;
            if !names.insert(reader.name.clone()) {
                return Err(reader.wrong(line_of_name, Some("name"), Problem::NameTwice));
            }
            let start = rule.span().start;
            rules.push(reader.rule(start, rule.into_inner())?);
        }
        Ok(Rules { defaults: raw.defaults.into(), rules })
    }
}

/// Reads one rule, and knows where it is.
struct Reader<'a> {
    text: &'a str,
    name: String,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, field: Option<&'static str>, problem: Problem) -> PolicyError {
        PolicyError { line: line(self.text, at), rule: Some(self.name.clone()), field, problem }
    }

    fn rule(&self, start: usize, raw: RawRule) -> Result<Rule, PolicyError> {
        if !is_name(&self.name) {
            let (at, name) = (raw.name.span().start, self.name.clone());
            return Err(self.wrong(at, Some("name"), Problem::BadName(name)));
        }
        let (effect, patterns) = self.effect(start, raw.allow, raw.ask, raw.block)?;
        for (field, value) in [("headless", &raw.headless), ("network", &raw.network)] {
            if let Some(value) = value
                && effect != Effect::Allow
            {
                return Err(self.wrong(value.span().start, Some(field), Problem::OnlyAllow));
            }
        }
        let rule = Rule {
            name: self.name.clone(),
            effect,
            patterns,
            headless: effect == Effect::Allow && raw.headless.is_none_or(Spanned::into_inner),
            network: raw.network.is_some_and(Spanned::into_inner),
            reason: raw.reason,
            examples: Examples { hits: texts(&raw.matches), misses: texts(&raw.not_match) },
        };
        for example in raw.matches {
            if !rule.is_about(&example_of(example.get_ref())) {
                let at = example.span().start;
                return Err(self.wrong(at, Some("match"), Problem::ExampleMissed(example.into_inner())));
            }
        }
        for example in raw.not_match {
            if rule.is_about(&example_of(example.get_ref())) {
                let at = example.span().start;
                return Err(self.wrong(at, Some("not_match"), Problem::ExampleHit(example.into_inner())));
            }
        }
        Ok(rule)
    }

    /// Exactly one of the three lists, with its patterns.
    fn effect(
        &self,
        start: usize,
        allow: Option<Texts>,
        ask: Option<Texts>,
        block: Option<Texts>,
    ) -> Result<(Effect, Vec<Pattern>), PolicyError> {
        let lists = [(Effect::Allow, allow), (Effect::Ask, ask), (Effect::Block, block)];
        let mut lists: Vec<_> = lists.into_iter().filter_map(|(effect, list)| Some((effect, list?))).collect();
        let Some((effect, texts)) = lists.pop() else {
            return Err(self.wrong(start, None, Problem::NoEffect));
        };
        if !lists.is_empty() {
            let names: Vec<_> = lists.iter().map(|(other, _)| other.name()).chain([effect.name()]).collect();
            return Err(self.wrong(texts.span().start, None, Problem::ManyEffects(names.join(" and "))));
        }
        if texts.get_ref().is_empty() {
            return Err(self.wrong(texts.span().start, Some(effect.name()), Problem::NoPatterns));
        }
        let patterns = texts.into_inner().into_iter().map(|text| self.pattern(effect, text));
        Ok((effect, patterns.collect::<Result<_, _>>()?))
    }

    fn pattern(&self, effect: Effect, text: Spanned<String>) -> Result<Pattern, PolicyError> {
        let at = text.span().start;
        let text = text.into_inner();
        let wrong = |problem| self.wrong(at, Some(effect.name()), problem);
        let pattern = match Pattern::parse(&text) {
            Ok(pattern) => pattern,
            Err(error) => return Err(wrong(Problem::Pattern { pattern: text, error })),
        };
        match pattern.overbroad().filter(|_| effect == Effect::Allow) {
            Some(why) => Err(wrong(Problem::Overbroad { pattern: text, why })),
            None => Ok(pattern),
        }
    }
}

fn texts(spanned: &[Spanned<String>]) -> Vec<String> {
    spanned.iter().map(|text| text.get_ref().clone()).collect()
}

impl From<RawDefaults> for Defaults {
    fn from(raw: RawDefaults) -> Defaults {
        Defaults {
            interactive: raw.interactive,
            terminal: raw.terminal,
            openspace: raw.openspace,
            tabs: raw.tabs,
            acp: raw.acp,
            destructive: raw.destructive.map(|destructive| match destructive {
                RawDestructive::Ask => Destructive::Ask,
                RawDestructive::Block => Destructive::Block,
            }),
        }
    }
}

/// What the reader of TOML says, with the rule it was in: the last one that starts before the place.
fn syntax(text: &str, error: &toml::de::Error) -> PolicyError {
    let at = error.span().map_or(0, |span| span.start);
    // The head of a rule is part of it: what a rule lacks is told of its head.
    let within = text.lines().take(line(text, at));
    let number = within.filter(|line| line.trim_start().starts_with("[[rule]]")).count();
    let rule = (number > 0).then(|| format!("#{number}"));
    let message = error.message().trim().replace('\n', "; ");
    PolicyError { line: line(text, at), rule, field: None, problem: Problem::Syntax(message) }
}

/// The line of a place in the text, counted from one.
fn line(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// An example, assessed as a command in a workspace.
fn example_of(text: &str) -> Assessment {
    let workspace = PathBuf::from("/workspace");
    let place =
        Place { cwd: Some(workspace.clone()), workspace, home: None, temp: Vec::new(), env: Vec::new(), disk: None };
    assess(&Deed::Line(text.to_owned()), &place)
}

#[cfg(test)]
mod tests;
