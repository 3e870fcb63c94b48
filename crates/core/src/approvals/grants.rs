//! A yes that reaches further than once, but not as far as a rule: for a terminal, or for an agent while it is here.

use std::path::PathBuf;

use flightdeck_contract::TerminalId;
use flightdeck_policy::{Assessment, NewRule, harmless_env};
use parking_lot::Mutex;

use crate::actor::Actor;

/// All that were given.
#[derive(Debug, Default)]
pub(crate) struct Grants(Mutex<Vec<Grant>>);

#[derive(Debug)]
struct Grant {
    to: To,
    what: What,
    by: String,
}

/// For whom.
#[derive(Clone, Debug, PartialEq, Eq)]
enum To {
    Terminal(TerminalId),
    Agent(Actor),
}

/// Which commands.
#[derive(Debug)]
enum What {
    /// Those that a rule would cover.
    Rule(NewRule),
    /// This text in this folder with these variables, because no rule describes it.
    Text(String, Option<PathBuf>, Vec<(String, String)>),
}

/// A command that was granted before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    /// `grant:t3` or `grant:session`.
    pub rule: String,
    /// Who said yes.
    pub by: String,
}

/// A command, for the question whether it was granted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub actor: &'a Actor,
    pub terminal: Option<TerminalId>,
    pub text: &'a str,
    pub cwd: &'a Option<PathBuf>,
    pub env: &'a [(String, String)],
    pub assessment: &'a Assessment,
}

/// The most grants that are kept; the oldest is asked about again.
const MOST: usize = 1000;

impl Grants {
    /// The command may run in this terminal from now on.
    pub(crate) fn for_terminal(&self, terminal: TerminalId, offer: Option<NewRule>, asked: &Asked<'_>, by: &str) {
        self.add(To::Terminal(terminal), offer, asked, by);
    }

    /// The agent may run the command while it is here.
    pub(crate) fn for_agent(&self, offer: Option<NewRule>, asked: &Asked<'_>, by: &str) {
        self.add(To::Agent(asked.actor.clone()), offer, asked, by);
    }

    fn add(&self, to: To, offer: Option<NewRule>, asked: &Asked<'_>, by: &str) {
        let text = || What::Text(asked.text.to_owned(), asked.cwd.clone(), asked.env.to_vec());
        let what = offer.map_or_else(text, What::Rule);
        let mut grants = self.lock();
        if grants.len() == MOST {
            grants.remove(0);
        }
        grants.push(Grant { to, what, by: by.to_owned() });
    }

    /// Whether this was granted.
    pub(crate) fn find(&self, asked: &Asked<'_>) -> Option<Granted> {
        let grants = self.lock();
        let grant = grants.iter().find(|grant| {
            let whom = match &grant.to {
                To::Terminal(terminal) => asked.terminal == Some(*terminal),
                To::Agent(actor) => asked.actor == actor,
            };
            whom && match &grant.what {
                What::Rule(rule) => {
                    rule.covers(asked.assessment) && asked.env.iter().all(|(name, _)| harmless_env(name))
                }
                What::Text(text, cwd, env) => text == asked.text && cwd == asked.cwd && env == asked.env,
            }
        })?;
        let rule = match &grant.to {
            To::Terminal(terminal) => format!("grant:{terminal}"),
            To::Agent(_) => "grant:session".to_owned(),
        };
        Some(Granted { rule, by: grant.by.clone() })
    }

    /// Forgets what was granted to agents that are gone, and for terminals that are.
    pub(crate) fn retain(&self, here: impl Fn(u32) -> bool, known: impl Fn(TerminalId) -> bool) {
        self.lock().retain(|grant| match &grant.to {
            To::Terminal(terminal) => known(*terminal),
            To::Agent(Actor::Agent { number, .. }) => here(*number),
            To::Agent(Actor::Human(_)) => false,
        });
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Vec<Grant>> {
        self.0.lock()
    }
}
