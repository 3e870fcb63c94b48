//! `flightdeck.policy.show`: the rules in force, and the files that they come from.

use flightdeck_contract::policy::{PolicyFile, PolicyShown, RuleShown, ShowPolicy, SurfaceDefault};

use crate::approvals::policy::{defaults, rule_shown};
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.policy.show",
        Effects::READS,
        "Show the policy",
        "Lists the user's rules in force, how careful each surface is, and the files with what is wrong in them and \
         whether they wait for a person. The built-in rules are always there.",
    )
    .for_front_ends()
    .handle(|hub, _, _: ShowPolicy| async move {
        let rules = hub.policy().rules();
        let file = |state: crate::approvals::policy::FileState| PolicyFile {
            path: state.path.to_string_lossy().into_owned(),
            present: state.present,
            problem: state.problem,
            waiting: state.waiting,
        };
        let default = |(surface, stance): (&'static str, flightdeck_policy::Stance)| SurfaceDefault {
            surface: surface.to_owned(),
            stance: stance.name().to_owned(),
        };
        let [own, workspace] = hub.policy().files().rules_by_file();
        let own: Vec<_> = own.rules().iter().map(|rule| RuleShown { everywhere: true, ..rule_shown(rule) }).collect();
        let workspace: Vec<_> = workspace.rules().iter().map(rule_shown).collect();
        Ok(PolicyShown {
            files: hub.policy().files().states().map(file).into(),
            rules: [own, workspace].concat(),
            defaults: defaults(&rules).into_iter().map(default).collect(),
        })
    })
}
