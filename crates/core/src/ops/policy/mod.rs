//! `flightdeck.policy.*`: what the rules say, and changes of them.

mod accept;
mod add;
mod rehearse;
mod remove;
mod show;
mod test;

use flightdeck_contract::Error;
use flightdeck_contract::policy::{AddRule, PolicyMode, RuleAction};
use flightdeck_policy::{Effect, Examples, NewRule, SurfaceKind};

use crate::approvals::intent::Sight;
use crate::approvals::policy::Whose;
use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![
        accept::accept(),
        accept::changes(),
        accept::reject(),
        add::command(),
        rehearse::command(),
        remove::command(),
        show::command(),
        test::command(),
    ]
}

/// The engine's view of where a command would be run.
fn sight(mode: PolicyMode) -> Sight {
    match mode {
        PolicyMode::Headless => Sight::Headless,
        PolicyMode::Interactive => Sight::Shared(SurfaceKind::Interactive),
        PolicyMode::Terminal => Sight::Shared(SurfaceKind::Terminal),
        PolicyMode::Openspace => Sight::Shared(SurfaceKind::Openspace),
        PolicyMode::Tabs => Sight::Shared(SurfaceKind::Tabs),
        PolicyMode::Acp => Sight::Shared(SurfaceKind::Acp),
    }
}

/// Which of the two files.
fn whose(everywhere: bool) -> Whose {
    if everywhere { Whose::User } else { Whose::Workspace }
}

/// The engine's view of a rule to add.
fn new_rule(rule: &AddRule) -> Result<NewRule, Error> {
    if rule.patterns.is_empty() {
        return Err(Error::invalid("patterns", "give at least one, such as `cargo test *`"));
    }
    let effect = match rule.action {
        RuleAction::Allow => Effect::Allow,
        RuleAction::Ask => Effect::Ask,
        RuleAction::Block => Effect::Block,
    };
    if effect != Effect::Allow && (rule.network || rule.interactive_only) {
        return Err(Error::invalid("action", "only a rule that allows has a say in the network and in headless runs"));
    }
    let patterns: Vec<_> = rule.patterns.iter().map(String::as_str).collect();
    let mut made = NewRule::of(effect, &patterns).map_err(|problem| Error::invalid("patterns", problem))?;
    if let Some(name) = &rule.name {
        made.name.clone_from(name);
    }
    made.headless = !rule.interactive_only;
    made.network = rule.network;
    made.reason.clone_from(&rule.reason);
    made.examples = Examples { hits: rule.matches.clone(), misses: rule.not_matches.clone() };
    Ok(made)
}
