//! `flightdeck policy explain`: how a decision comes about, for every mode.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::policy::{PolicyAnswer, PolicyMode};

use super::{coloured, test};
use crate::args;
use crate::commands::approve::{Length, marked};
use crate::commands::visible::visible;
use crate::style::{self, Style};

/// Every mode, with its name on the command line.
const MODES: [(PolicyMode, &str); 6] = [
    (PolicyMode::Headless, "headless"),
    (PolicyMode::Interactive, "interactive"),
    (PolicyMode::Terminal, "terminal"),
    (PolicyMode::Openspace, "openspace"),
    (PolicyMode::Tabs, "tabs"),
    (PolicyMode::Acp, "acp"),
];

pub async fn run(client: &Client, args: &args::Explain) -> anyhow::Result<ExitCode> {
    let style = style::stdout();
    let mut answers = Vec::new();
    for (mode, name) in MODES {
        answers.push((mode, name, test::ask(client, &args.command, mode, args.cwd.as_deref()).await?));
    }
    let Some((_, _, usual)) = answers.iter().find(|(mode, ..)| *mode == PolicyMode::default()) else {
        unreachable!("the default mode is one of all modes")
    };
    for line in marked(&args.command, &usual.pieces, Length::Whole, style) {
        outln!("  {line}")?;
    }
    for line in details(&args.command, usual, style) {
        outln!("{line}")?;
    }
    outln!("{}", style.bold("decisions"))?;
    for (_, name, answer) in &answers {
        let decision = coloured(&format!("{:<20}", answer.decision), style);
        outln!("  {name:<12} {decision} {}", style.dim(&visible(&answer.rule)))?;
        outln!("  {:<12} {}", "", visible(&answer.reason))?;
    }
    Ok(test::exit_code(usual))
}

/// What a decision is made from.
pub fn details(command: &str, answer: &PolicyAnswer, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    if answer.pieces.len() > 1 || answer.pieces.iter().any(|piece| piece.danger.is_some()) {
        lines.push(style.bold("pieces"));
    }
    for piece in &answer.pieces {
        let indent = "  ".repeat(piece.depth + 1);
        match &piece.danger {
            Some(danger) => {
                lines.push(format!("{indent}{} {}", style.red("!"), style.red(&visible(&piece.text))));
                lines.push(format!("{indent}    {}", visible(danger)));
            }
            None if piece.text != command => lines.push(format!("{indent}  {}", visible(&piece.text))),
            None => {}
        }
    }
    lines.push(style.bold("proof"));
    lines.push(match &answer.unproven {
        Some(why) => format!("  nothing can be proven of it: {}", visible(why)),
        None => "  it is a list of plain commands, each of which can be looked up".to_owned(),
    });
    lines.push(style.bold("a rule for it"));
    match &answer.offer {
        Some(offer) => {
            lines.push(format!("  {}", visible(&offer.words)));
            lines.extend(offer.toml.trim().lines().map(|line| format!("    {}", style.dim(&visible(line)))));
        }
        None => lines.push("  none is offered: it would reach too far, or can't say what it means".to_owned()),
    }
    lines
}
