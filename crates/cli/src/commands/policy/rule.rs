//! `flightdeck policy add`, `remove` and `rehearse`: a new rule, one less, and what one would have changed.

use std::process::ExitCode;
use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::Error;
use flightdeck_contract::policy::{AddRule, Rehearse, Rehearsed, RemoveRule, RuleAction, RuleAdded, RuleRemoved};
use flightdeck_core::Workspace;
use flightdeck_policy::{Effect, NewRule};

use super::{check, coloured};
use crate::args;
use crate::commands::approve::now_ms;
use crate::commands::print_json;
use crate::commands::visible::visible;
use crate::style;

pub async fn add(workspace: &Workspace, client: &Client, args: args::Add) -> anyhow::Result<ExitCode> {
    let rule = AddRule { name: args.name, reason: args.reason, everywhere: args.everywhere, ..proposed(args.rule) };
    if args.dry_run {
        return dry_run(workspace, client, rule, args.json).await;
    }
    let added: RuleAdded = client.call("flightdeck.policy.add", &rule).await?;
    if args.json {
        print_json(&added)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let what = if added.known { "was there already, in" } else { "added to" };
    outln!("{} {what} {}", style.green(&visible(&added.name)), visible(&added.file))?;
    print_toml(&added.toml)?;
    Ok(ExitCode::SUCCESS)
}

pub async fn remove(client: &Client, args: args::RemoveRule) -> anyhow::Result<ExitCode> {
    let request = RemoveRule { name: args.name, everywhere: args.everywhere };
    let removed: RuleRemoved = client.call("flightdeck.policy.remove", &request).await?;
    if args.json {
        print_json(&removed)?;
    } else {
        outln!("{} removed from {}", style::stdout().green(&visible(&removed.name)), visible(&removed.file))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn rehearse(client: &Client, args: args::Rehearse) -> anyhow::Result<ExitCode> {
    let rehearsed = replay(client, proposed(args.rule), args.since).await?;
    if args.json {
        print_json(&rehearsed)?;
    } else {
        print_changes(&rehearsed)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn dry_run(workspace: &Workspace, client: &Client, rule: AddRule, json: bool) -> anyhow::Result<ExitCode> {
    let toml = toml(&rule)?;
    let file = check::file(workspace, rule.everywhere);
    let rehearsed = replay(client, rule, None).await?;
    if json {
        print_json(&serde_json::json!({ "toml": toml, "file": file, "rehearsed": rehearsed }))?;
        return Ok(ExitCode::SUCCESS);
    }
    outln!("would be added to {}", visible(&file.to_string_lossy()))?;
    print_toml(&toml)?;
    print_changes(&rehearsed)?;
    Ok(ExitCode::SUCCESS)
}

async fn replay(client: &Client, rule: AddRule, since: Option<Duration>) -> anyhow::Result<Rehearsed> {
    let since_ms = since.map(|since| now_ms().saturating_sub(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)));
    Ok(client.call("flightdeck.policy.rehearse", &Rehearse { rule, since_ms, ..Rehearse::default() }).await?)
}

fn proposed(rule: args::Proposal) -> AddRule {
    AddRule {
        action: rule.action(),
        interactive_only: rule.interactive_only,
        network: rule.network,
        patterns: rule.patterns,
        ..AddRule::default()
    }
}

/// The rule as it would stand in the file.
fn toml(rule: &AddRule) -> anyhow::Result<String> {
    let effect = match rule.action {
        RuleAction::Allow => Effect::Allow,
        RuleAction::Ask => Effect::Ask,
        RuleAction::Block => Effect::Block,
    };
    let patterns: Vec<_> = rule.patterns.iter().map(String::as_str).collect();
    let mut made = NewRule::of(effect, &patterns).map_err(|problem| Error::invalid("patterns", problem))?;
    made.name = rule.name.clone().unwrap_or(made.name);
    made.headless = !rule.interactive_only;
    made.network = rule.network;
    made.reason.clone_from(&rule.reason);
    Ok(made.toml())
}

fn print_toml(toml: &str) -> std::io::Result<()> {
    let style = style::stdout();
    for line in toml.trim().lines() {
        outln!("  {}", style.dim(&visible(line)))?;
    }
    Ok(())
}

fn print_changes(rehearsed: &Rehearsed) -> std::io::Result<()> {
    let style = style::stdout();
    let Rehearsed { looked_at, changed } = rehearsed;
    if changed.is_empty() {
        return outln!("nothing would have been decided otherwise, of {looked_at} commands that were asked for so far");
    }
    outln!("{} of {looked_at} commands would have been decided otherwise:", changed.len())?;
    outln!("{}", style.dim(&format!("{:<20}    {:<20}  {:>5}  {:<16} COMMAND", "NOW", "THEN", "TIMES", "BY")))?;
    for change in changed {
        let (before, after) = (format!("{:<20}", change.before), format!("{:<20}", change.after));
        let coloured = |padded: &str, decision: &str| padded.replacen(decision, &coloured(decision, style), 1);
        outln!(
            "{} -> {}  {:>5}  {:<16} {}",
            coloured(&before, &change.before),
            coloured(&after, &change.after),
            change.times,
            visible(&change.actor),
            visible(&change.command),
        )?;
    }
    Ok(())
}
