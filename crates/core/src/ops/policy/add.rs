//! `flightdeck.policy.add`: one more rule in a policy file, or another in the place of one.

use flightdeck_contract::policy::{AddRule, RuleAdded};

use super::{new_rule, whose};
use crate::aside::aside;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.add",
        Effects::WRITES,
        "Add a rule",
        "Adds a rule to the workspace's policy file, or to the user's own, or puts it in the place of another one. It counts \
         at once.",
    )
    .for_people()
    .handle(|hub, _, request: AddRule| async move {
        let rule = new_rule(&request)?;
        let whose = whose(request.everywhere);
        let toml = rule.toml();
        let name = rule.name.clone();
        let (path, known) = aside(move || match &request.replaces {
            Some(old) => hub.policy().files().change_rule(whose, old, Some(&rule)).map(|path| (path, false)),
            None => hub.policy().files().add(whose, &rule),
        })
        .await??;
        Ok(RuleAdded { name, toml, file: path.to_string_lossy().into_owned(), known })
    })
}
