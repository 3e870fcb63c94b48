//! Questions to the policy, and changes of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::approval::ApprovalPiece;

/// Where a command would be run, for a question to the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyMode {
    /// Unseen: only what is proven safe.
    Headless,
    /// In sight of a person, by the canonical contract.
    Interactive,
    /// `flightdeck.terminal.*`.
    #[default]
    Terminal,
    /// `openspace.*`.
    Openspace,
    /// Tabs.
    Tabs,
    /// Terminals of ACP agents.
    Acp,
}

/// Asks what the policy says of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TestPolicy {
    /// The command.
    pub command: String,
    /// Where it would be run; `terminal` when absent.
    #[serde(default)]
    pub mode: PolicyMode,
    /// The folder; the workspace when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// What the policy says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyAnswer {
    /// `allowed`, `allowed_with_warning`, `needs_approval` or `blocked`.
    pub decision: String,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// The simple commands, in order, with what is dangerous about each.
    pub pieces: Vec<ApprovalPiece>,
    /// Why nothing can be proven of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproven: Option<String>,
    /// The rule that `always` would add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<crate::approval::OfferedRule>,
}

/// What a rule says of the commands that it matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleAction {
    /// They run.
    #[default]
    Allow,
    /// A person is asked.
    Ask,
    /// They don't run.
    Block,
}

/// Adds a rule to the workspace's policy file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AddRule {
    /// Patterns of commands: `cargo test *`.
    pub patterns: Vec<String>,
    /// What becomes of them; `allow` when absent.
    pub action: RuleAction,
    /// A name; made from the first pattern when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why, for whoever reads the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For an allowing rule: only where a person can see it, never headless.
    pub interactive_only: bool,
    /// For an allowing rule: headless runs of it may use the network.
    pub network: bool,
    /// In the user's own file, for all workspaces, instead of this workspace's.
    pub everywhere: bool,
    /// The rule of this name goes, and the new one stands in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// Commands that it has to be about, or it is refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Commands that it must not be about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_matches: Vec<String>,
}

/// Removes a rule from a policy file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveRule {
    /// Its name.
    pub name: String,
    /// From the user's own file instead of this workspace's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub everywhere: bool,
}

/// A rule that was removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRemoved {
    /// Its name.
    pub name: String,
    /// The file.
    pub file: String,
}

/// A rule that was added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleAdded {
    /// Its name.
    pub name: String,
    /// As it stands in the file.
    pub toml: String,
    /// The file.
    pub file: String,
    /// It was there already.
    pub known: bool,
}

/// Shows the rules in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPolicy {}

/// The rules in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyShown {
    /// The files, the user's own first.
    pub files: Vec<PolicyFile>,
    /// The user's rules in force.
    pub rules: Vec<RuleShown>,
    /// How careful each surface is.
    pub defaults: Vec<SurfaceDefault>,
}

/// A policy file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyFile {
    /// Where.
    pub path: String,
    /// Whether it is there.
    pub present: bool,
    /// Why what it says now is not in force; the last good rules are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// It was changed from outside, or removed: that counts when a person has accepted it, and the last good rules until then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waiting: bool,
}

/// A policy file that says something else than what is in force, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyNotice {
    /// Which file.
    pub file: String,
    /// Why what it says is not in force.
    pub state: PolicyState,
    /// What happened, and what to do.
    pub text: String,
}

/// Why what a policy file says is not in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyState {
    /// It was changed by something else than the hub, and no person has accepted that yet.
    Changed,
    /// It was removed by something else than the hub, and no person has accepted that yet.
    Removed,
    /// It can't be read, or is no policy.
    Broken,
}

/// Asks what waits to be accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPolicyChanges {}

/// What waits to be accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyChanges {
    /// The user's own file first.
    pub changes: Vec<PolicyChange>,
}

/// The difference between a policy file and what is in force of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyChange {
    /// Which file.
    pub file: String,
    /// Why what it says is not in force.
    pub state: PolicyState,
    /// Names exactly this text of this file, for the one who accepts it.
    pub version: String,
    /// What is wrong with it. Then it can't be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The rules that would come, go or be others.
    pub rules: Vec<RuleChange>,
    /// Whether `[defaults]` would be others.
    pub defaults: bool,
    /// From the text in force to that of the file, as a unified diff.
    pub diff: String,
}

/// What would become of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleChange {
    /// What.
    pub change: RuleDifference,
    /// The rule as it would be; one that goes, as it is.
    pub rule: RuleShown,
}

/// How a rule differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleDifference {
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It says something else under the same name.
    Changed,
}

/// Puts what a policy file says into force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptPolicy {
    /// The `version` of each change that a person has seen. When a file is another one by now, nothing is accepted.
    pub versions: Vec<String>,
}

/// What was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyAccepted {
    /// The files whose rules are in force now.
    pub files: Vec<String>,
}

/// Puts the files back as they were when they were accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectPolicy {}

/// What was put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyRejected {
    /// The files that are again as they were.
    pub files: Vec<RejectedFile>,
}

/// A file that is again as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RejectedFile {
    /// Which.
    pub file: String,
    /// Where what it said is kept. Nothing when it had been removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
}

/// A rule as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleShown {
    /// Its name.
    pub name: String,
    /// What becomes of the commands.
    pub action: RuleAction,
    /// Which commands.
    pub patterns: Vec<String>,
    /// It is in the user's own file, for all workspaces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub everywhere: bool,
    /// It allows only where a person can see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interactive_only: bool,
    /// Headless runs of it may use the network.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// Why it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Commands that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<String>,
    /// Commands that it is not about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_matches: Vec<String>,
}

/// How careful a surface is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceDefault {
    /// Which surface.
    pub surface: String,
    /// `strict`, `ask`, `guard` or `open`.
    pub stance: String,
}

/// Replays a proposed rule over what was run so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Rehearse {
    /// The rule. Without patterns it is none, which makes sense with `insteadOf` only.
    pub rule: AddRule,
    /// A rule in force that would be gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<RemoveRule>,
    /// Calls from this time on, in milliseconds since 1970; everything when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
}

/// What a rule would have changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rehearsed {
    /// How many commands of the log were looked at.
    pub looked_at: usize,
    /// Those that would have been decided otherwise, newest last.
    pub changed: Vec<Changed>,
}

/// A command that a rule would have decided otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// When it was asked for last, in milliseconds since 1970.
    pub at_ms: i64,
    /// Who asked.
    pub actor: String,
    /// The command.
    pub command: String,
    /// How often it was asked for.
    pub times: usize,
    /// What the rules in force say.
    pub before: String,
    /// What they would say with the new one.
    pub after: String,
}
