//! `flightdeck policy show`: the files with what is wrong in them, the rules in force, the defaults.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::policy::{PolicyShown, RuleAction, RuleShown, ShowPolicy};

use crate::commands::print_json;
use crate::commands::visible::visible;
use crate::style::{self, Style};

pub async fn run(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let shown: PolicyShown = client.call("flightdeck.policy.show", &ShowPolicy {}).await?;
    if json {
        print_json(&shown)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    outln!("{}", style.bold("files"))?;
    for file in &shown.files {
        let state = match (&file.problem, file.present, file.waiting) {
            (Some(_), ..) => style.red("broken"),
            (None, true, true) => style.yellow("changed from outside"),
            (None, false, true) => style.yellow("removed from outside"),
            (None, true, false) => style.green("in force"),
            (None, false, false) => style.dim("not there"),
        };
        outln!("  {} {state}", visible(&file.path))?;
        if let Some(problem) = &file.problem {
            for line in problem.trim_end().lines() {
                outln!("    {}", style.red(&visible(line)))?;
            }
            outln!("    {}", style.yellow("the last good rules stay in force until it is right"))?;
        } else if file.waiting {
            let text = "the last good rules stay in force until a person accepts it: flightdeck policy accept";
            outln!("    {}", style.yellow(text))?;
        }
    }
    outln!("{}", style.bold("rules"))?;
    for rule in &shown.rules {
        outln!("  {}", self::rule(rule, style))?;
    }
    if shown.rules.is_empty() {
        outln!("  {}", style.dim("none of your own; the built-in ones are always there"))?;
    }
    outln!("{}", style.bold("defaults"))?;
    for default in &shown.defaults {
        let what = match default.stance.as_str() {
            "strict" => "only what is proven safe runs",
            "ask" => "what is proven safe runs, a person is asked about the rest",
            "guard" => "a person is asked about what is dangerous, the rest runs",
            "open" => "everything runs but what nobody can allow",
            _ => "",
        };
        outln!("  {:<12} {:<7} {}", default.surface, default.stance, style.dim(what))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A rule in a line.
pub fn rule(rule: &RuleShown, style: Style) -> String {
    let action = match rule.action {
        RuleAction::Allow => style.green("allow"),
        RuleAction::Ask => style.yellow("ask  "),
        RuleAction::Block => style.red("block"),
    };
    let patterns: Vec<_> = rule.patterns.iter().map(|pattern| visible(pattern)).collect();
    format!("{action} {}  {}", style.bold(&visible(&rule.name)), patterns.join(", "))
}
