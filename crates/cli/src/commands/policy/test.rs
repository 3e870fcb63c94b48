//! `flightdeck policy test`: a decision in a line or two, and in the exit code.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use flightdeck_client::Client;
use flightdeck_contract::policy::{PolicyAnswer, PolicyMode, TestPolicy};
use serde_json::json;

use super::{coloured, explain};
use crate::args;
use crate::commands::print_json;
use crate::commands::visible::visible;
use crate::style;

/// The exit code when a person would be asked.
const NEEDS_APPROVAL: u8 = 10;
/// The exit code when it would not run.
const BLOCKED: u8 = 11;

pub async fn run(client: &Client, args: &args::Test) -> anyhow::Result<ExitCode> {
    let answer = ask(client, &args.command, args.mode.into(), args.cwd.as_deref()).await?;
    if args.json {
        if args.verbose {
            print_json(&answer)?;
        } else {
            let PolicyAnswer { decision, rule, reason, .. } = &answer;
            print_json(&json!({ "decision": decision, "rule": rule, "reason": reason }))?;
        }
        return Ok(exit_code(&answer));
    }
    let style = style::stdout();
    let rule = style.dim(&format!("({})", visible(&answer.rule)));
    outln!("{} {rule}", coloured(&answer.decision, style))?;
    outln!("  {}", visible(&answer.reason))?;
    if args.verbose {
        for line in explain::details(&args.command, &answer, style) {
            outln!("{line}")?;
        }
    }
    Ok(exit_code(&answer))
}

/// Asks the policy.
pub async fn ask(client: &Client, command: &str, mode: PolicyMode, cwd: Option<&Path>) -> anyhow::Result<PolicyAnswer> {
    // The hub's own folder is another one, so that a relative path would mean something else there.
    let cwd = cwd.map(|dir| std::path::absolute(dir).context("the current folder is gone")).transpose()?;
    let cwd = cwd.map(|dir| dir.to_string_lossy().into_owned());
    let request = TestPolicy { command: command.to_owned(), mode, cwd };
    Ok(client.call("flightdeck.policy.test", &request).await?)
}

/// The decision as an exit code. What is not known is no yes.
pub fn exit_code(answer: &PolicyAnswer) -> ExitCode {
    match answer.decision.as_str() {
        "allowed" | "allowed_with_warning" => ExitCode::SUCCESS,
        "needs_approval" => ExitCode::from(NEEDS_APPROVAL),
        _ => ExitCode::from(BLOCKED),
    }
}
