//! `flightdeck.policy.add`: one more rule in a policy file.

use flightdeck_contract::policy::{AddRule, RuleAdded};

use super::new_rule;
use crate::approvals::policy::Whose;
use crate::aside::aside;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.add",
        Effects::WRITES,
        "Add a rule",
        "Adds a rule to the workspace's policy file, or to the user's own. It counts at once.",
    )
    .for_people()
    .handle(|hub, _, request: AddRule| async move {
        let rule = new_rule(&request)?;
        let whose = if request.everywhere { Whose::User } else { Whose::Workspace };
        let toml = rule.toml();
        let name = rule.name.clone();
        let (path, known) = aside(move || hub.policy().files().add(whose, &rule)).await??;
        Ok(RuleAdded { name, toml, file: path.to_string_lossy().into_owned(), known })
    })
}
