//! `flightdeck.policy.remove`: one rule less in a policy file.

use flightdeck_contract::policy::{RemoveRule, RuleRemoved};

use crate::approvals::policy::Whose;
use crate::aside::aside;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.remove",
        Effects::WRITES,
        "Remove a rule",
        "Removes a rule from the workspace's policy file, or from the user's own. That counts at once.",
    )
    .for_people()
    .handle(|hub, _, request: RemoveRule| async move {
        let whose = if request.everywhere { Whose::User } else { Whose::Workspace };
        let RemoveRule { name, .. } = request;
        let removed = name.clone();
        let path = aside(move || hub.policy().files().change_rule(whose, &name, None)).await??;
        Ok(RuleRemoved { name: removed, file: path.to_string_lossy().into_owned() })
    })
}
