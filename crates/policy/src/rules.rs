//! The rules of the user: what is allowed, asked about and blocked beside what is built in.

use crate::pattern::Pattern;
use crate::{Assessment, RuleId, Stance};

/// Rules, and how careful each surface is. The default has no rules; what is built in is always there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub(crate) defaults: Defaults,
    pub(crate) rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How decisions name it: `rule:NAME`.
    pub name: String,
    /// What it does.
    pub effect: Effect,
    /// What it is about; one of them has to match.
    pub patterns: Vec<Pattern>,
    /// Whether it also allows where nobody watches. Only of meaning for [`Effect::Allow`].
    pub headless: bool,
    /// Whether headless runs of it may use the network.
    pub network: bool,
    /// Why it is there, in the words of who wrote it.
    pub reason: Option<String>,
    /// Commands that it is about, and commands that it is not: they are checked when the file is read.
    pub examples: Examples,
}

/// What shows whether a rule says what is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// Commands that it is about.
    pub hits: Vec<String>,
    /// Commands that it is not about.
    pub misses: Vec<String>,
}

/// What a rule does. Blocking beats asking, asking beats allowing, in whichever file they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// It may run.
    Allow,
    /// A person is asked.
    Ask,
    /// It may not run.
    Block,
}

impl Effect {
    /// Its name in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Allow => "allow",
            Effect::Ask => "ask",
            Effect::Block => "block",
        }
    }
}

/// Where an agent's command comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceKind {
    /// The canonical terminal tool, interactive.
    Interactive,
    /// `flightdeck.*` terminals.
    Terminal,
    /// `openspace.terminal.*`.
    Openspace,
    /// Tabs.
    Tabs,
    /// Terminals of agents that speak ACP.
    Acp,
}

impl SurfaceKind {
    /// Every kind.
    pub const ALL: [SurfaceKind; 5] =
        [SurfaceKind::Interactive, SurfaceKind::Terminal, SurfaceKind::Openspace, SurfaceKind::Tabs, SurfaceKind::Acp];

    /// Its name in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            SurfaceKind::Interactive => "interactive",
            SurfaceKind::Terminal => "terminal",
            SurfaceKind::Openspace => "openspace",
            SurfaceKind::Tabs => "tabs",
            SurfaceKind::Acp => "acp",
        }
    }

    /// How careful it is when no file says anything.
    fn usual(self) -> Stance {
        match self {
            SurfaceKind::Interactive => Stance::Ask,
            _ => Stance::Guard,
        }
    }
}

/// What becomes of a dangerous command that a person could be asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Destructive {
    /// The person is asked.
    #[default]
    Ask,
    /// It is blocked, with no question.
    Block,
}

/// How careful each surface is: what files say, and what is usual where they say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub(crate) interactive: Option<Stance>,
    pub(crate) terminal: Option<Stance>,
    pub(crate) openspace: Option<Stance>,
    pub(crate) tabs: Option<Stance>,
    pub(crate) acp: Option<Stance>,
    pub(crate) destructive: Option<Destructive>,
}

impl Defaults {
    /// How careful a surface is.
    pub fn stance(&self, surface: SurfaceKind) -> Stance {
        let given = match surface {
            SurfaceKind::Interactive => self.interactive,
            SurfaceKind::Terminal => self.terminal,
            SurfaceKind::Openspace => self.openspace,
            SurfaceKind::Tabs => self.tabs,
            SurfaceKind::Acp => self.acp,
        };
        given.unwrap_or_else(|| surface.usual())
    }

    /// What becomes of dangerous commands.
    pub fn destructive(&self) -> Destructive {
        self.destructive.unwrap_or_default()
    }

    fn merged(&self, over: &Defaults) -> Defaults {
        let blocks = [self.destructive, over.destructive].contains(&Some(Destructive::Block));
        Defaults {
            interactive: over.interactive.or(self.interactive),
            terminal: over.terminal.or(self.terminal),
            openspace: over.openspace.or(self.openspace),
            tabs: over.tabs.or(self.tabs),
            acp: over.acp.or(self.acp),
            destructive: if blocks { Some(Destructive::Block) } else { over.destructive.or(self.destructive) },
        }
    }
}

impl Rules {
    /// These rules with those of a nearer file: the user's own, then the workspace's. A stance that the nearer file
    /// names wins; rules of both count, and blocking beats asking beats allowing whichever file they stand in. A file
    /// that agents could write must not be given here: whoever writes it decides.
    #[must_use]
    pub fn merged(&self, over: &Rules) -> Rules {
        let rules = self.rules.iter().chain(&over.rules).cloned().collect();
        Rules { defaults: self.defaults.merged(&over.defaults), rules }
    }

    /// The same without the rule of this name.
    #[must_use]
    pub fn without(&self, name: &str) -> Rules {
        let rules = self.rules.iter().filter(|rule| rule.name != name).cloned().collect();
        Rules { defaults: self.defaults.clone(), rules }
    }

    /// How careful each surface is.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The rules in the order of the files.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Those that do the same.
    pub(crate) fn with(&self, effect: Effect) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.effect == effect)
    }

    /// The first rule of this effect that matches any piece, with the piece.
    pub(crate) fn touching<'a>(&'a self, effect: Effect, a: &'a Assessment) -> Option<(&'a Rule, &'a str)> {
        self.with(effect).find_map(|rule| {
            let piece = a.pieces.iter().find(|piece| rule.touches(&piece.words))?;
            Some((rule, piece.text.as_str()))
        })
    }
}

impl Rule {
    /// How decisions name it.
    pub fn id(&self) -> RuleId {
        RuleId::User(self.name.clone())
    }

    /// Whether it allows a command of these words.
    pub fn allows(&self, words: &[String]) -> bool {
        self.effect == Effect::Allow && self.patterns.iter().any(|pattern| pattern.allows(words))
    }

    fn touches(&self, words: &[crate::Word]) -> bool {
        self.patterns.iter().any(|pattern| pattern.touches(words))
    }

    /// Whether this rule is about the command: an allow rule has to cover all of it, the others any part.
    pub(crate) fn is_about(&self, a: &Assessment) -> bool {
        match self.effect {
            Effect::Allow => a
                .plain
                .as_ref()
                .is_ok_and(|commands| !commands.is_empty() && commands.iter().all(|words| self.allows(words))),
            Effect::Ask | Effect::Block => a.pieces.iter().any(|piece| self.touches(&piece.words)),
        }
    }
}
