//! The proof that a text is nothing but allowed commands.

use std::fmt;

use super::cited;
use crate::rules::{Effect, Rules};
use crate::{Assessment, Place, RuleId, builtin, harmless_setting};

/// Whether a person can see what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watched {
    /// On an interactive surface.
    Yes,
    /// Headless.
    No,
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unproven {
    /// The text is more than simple commands.
    NotPlain(String),
    /// It is simple commands, but with a folder, a file or a way of saying it that nothing can be proven of. The words say
    /// what to do instead.
    Unfit(String),
    /// There is no command in it.
    Empty,
    /// A variable is set that could change what it does.
    Variable(String),
    /// A command that nothing allows.
    Command(Vec<String>),
    /// The same, with names put in place of its patterns, files as its input or variables of its own: no rule could.
    Expanded(Vec<String>),
    /// A command that a rule allows, but only where a person can see it.
    OnlyWatched(RuleId),
}

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproven::NotPlain(reason) => write!(f, "nothing can be proven of it, because {reason}"),
            Unproven::Unfit(reason) => f.write_str(reason),
            Unproven::Empty => f.write_str("there is no command in it"),
            Unproven::Variable(name) => write!(f, "the variable {name} is set for it and could change what it does"),
            Unproven::Command(words) | Unproven::Expanded(words) => {
                write!(f, "nothing allows {}", cited(&words.join(" ")))
            }
            Unproven::OnlyWatched(rule) => write!(f, "{rule} allows it only where a person can see it"),
        }
    }
}

impl Unproven {
    /// What to do about it.
    pub(crate) fn remedy(&self) -> &'static str {
        match self {
            Unproven::NotPlain(_) => "write it as plain commands with literal words",
            Unproven::Unfit(_) => "leave that out",
            Unproven::Empty => "give a command",
            Unproven::Variable(_) => "leave the variable out",
            Unproven::Command(_) | Unproven::Expanded(_) | Unproven::OnlyWatched(_) => {
                "ask a person to allow it in the policy"
            }
        }
    }
}

/// What allows each command, each rule once, in the order of the text.
pub(crate) fn proof(a: &Assessment, rules: &Rules, place: &Place) -> Result<Vec<RuleId>, Unproven> {
    let commands = a.plain.as_ref().map_err(|why| Unproven::NotPlain(why.reason.clone()))?;
    if commands.is_empty() {
        return Err(Unproven::Empty);
    }
    variables(place)?;
    let mut ids: Vec<RuleId> = Vec::new();
    for words in commands {
        let id = allowed(words, rules, place, Watched::Yes)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Whether the variables that are set for it change nothing but how it speaks.
pub(crate) fn variables(place: &Place) -> Result<(), Unproven> {
    match place.env.iter().find(|(name, value)| !harmless_setting(name, value)) {
        Some((name, _)) => Err(Unproven::Variable(name.clone())),
        None => Ok(()),
    }
}

/// What allows a command.
pub(crate) fn allowed(words: &[String], rules: &Rules, place: &Place, watched: Watched) -> Result<RuleId, Unproven> {
    if let Some(id) = builtin(words, place) {
        return Ok(RuleId::Builtin(id));
    }
    let mut allowing = rules.with(Effect::Allow).filter(|rule| rule.allows(words)).peekable();
    let first = allowing.peek().map(|rule| rule.id());
    match allowing.find(|rule| rule.headless || watched == Watched::Yes) {
        Some(rule) => Ok(rule.id()),
        None => Err(first.map_or_else(|| Unproven::Command(words.to_vec()), Unproven::OnlyWatched)),
    }
}
