//! `flightdeck.hub.instructions`: how an agent uses what is here, and what is here now.

use std::fmt::Write;
use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::hub::Empty;
use flightdeck_contract::openspace::{PaneState, PaneSummary, Panes};
use flightdeck_contract::terminal::{List, Listed};
use flightdeck_contract::workbench::Area;
use schemars::JsonSchema;
use serde::Serialize;

use crate::actor::{Actor, Surface};
use crate::agents::visible::panes_for;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::info::list;

/// What goes beyond is counted, not listed: the text goes into every agent's context.
const LISTED: usize = 20;
/// How much of a title or path is shown.
const SHOWN: usize = 80;

/// A text for an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Instructions {
    /// Markdown.
    text: String,
}

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.instructions",
        Effects::READS,
        "Instructions",
        "How to use the terminals, panes and files of this workspace, with what is open and runs now.",
    )
    .for_front_ends()
    .text_in("text")
    .aside(|hub, call, _: Empty| {
        // Who asks by HTTP gives the text to an agent, and which one is not known: it is told what all may know.
        let anybody = Actor::Agent { number: 0, name: String::new() };
        let reader = if call.caller.surface == Surface::Http { &anybody } else { &call.caller.actor };
        Ok(Instructions { text: text(hub, reader)? })
    })
}

const GUIDE: &str = "\
# Flightdeck

You work in a workspace that you share with a person: terminals, files, editors and panes. Whoever has it open sees it
live and can take over at any time; `shown` in a result says whether anybody has. Call tools/list for all tools and their schemas.

- A command whose end you want: `flightdeck.terminal.run`. Its exit code is in `data.exitCode`; a time-out does not stop
  it, and `data.id` is where it goes on.
- A server, watcher or REPL: `flightdeck.terminal.new`, then `flightdeck.terminal.wait` for a line, a port or a prompt.
- A program that asks or draws: `flightdeck.terminal.screen` to look, `flightdeck.terminal.keys` to answer.
- Output is cut in the middle when it is long; read the rest with `flightdeck.terminal.read` from the cursor that is
  given, or find what matters with `flightdeck.terminal.search`.
- Files: `openspace.file.read`, `openspace.file.write`, `openspace.file.list`, `openspace.file.search`. Give the
  `version` that you have read as `expectedVersion` when you write; `openspace.file.undo` takes a write back.
- Show what you talk about: `openspace.editor.open`, `openspace.editor.highlight`, `openspace.pane.open`.
- What is dangerous asks a person first: the call waits, and a refusal says why. `flightdeck.policy.test` tells before
  you run it. Take a no for a no.
- `lease_held` means that somebody else has the controls: wait with `flightdeck.terminal.lease`.

## Examples

Show line 42 of a file, marked: `openspace.editor.open {\"path\": \"src/index.ts\", \"line\": 42, \"highlight\": true}`

Run the tests: `flightdeck.terminal.run {\"command\": \"make test\", \"timeoutMs\": 120000}`

Start a server and wait until it answers:
`flightdeck.terminal.new {\"title\": \"web\"}` gives `t7`, then
`flightdeck.terminal.keys {\"id\": \"t7\", \"text\": \"npm run dev\\n\"}` and
`flightdeck.terminal.wait {\"id\": \"t7\", \"port\": 3000}`
";

// Writing into a string can't fail, so the results of `write!` are not looked at here.
fn text(hub: &Arc<Hub>, actor: &Actor) -> Result<String, Error> {
    let mut text = GUIDE.to_owned();
    let _ = write!(text, "\n## Current state\n\nWorkspace: {}\n", plain(&hub.workspace().root().to_string_lossy()));
    match hub.bridge().shown() {
        Some(PaneState { panes: told, active_pane, timestamp, ide }) => {
            let _ = writeln!(text, "Panes and editors are those of {}.", plain(&ide.unwrap_or_default()));
            match timestamp {
                Some(_) => panes(&mut text, &Panes { panes: told, active_pane }),
                None => text.push_str("It has not told yet what is open.\n"),
            }
        }
        None => panes(&mut text, &panes_for(hub, actor)),
    }
    terminals(&mut text, hub, actor)?;
    failures(&mut text, hub);
    Ok(text)
}

fn panes(text: &mut String, state: &Panes) {
    if state.panes.is_empty() {
        text.push_str("No pane is open.\n");
        return;
    }
    for (area, name) in [(Area::Main, "Main area"), (Area::Right, "Right"), (Area::Bottom, "Bottom")] {
        let in_area: Vec<_> = state.panes.iter().filter(|pane| pane.area == area).collect();
        if in_area.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{name}:");
        for pane in in_area.iter().take(LISTED) {
            let active = if state.active_pane.as_ref() == Some(&pane.id) { ", active" } else { "" };
            let _ = writeln!(text, "- {}{active}: {}", plain(&pane.id), tabs(pane));
        }
        if in_area.len() > LISTED {
            let _ = writeln!(text, "- and {} more: openspace.pane.list", in_area.len() - LISTED);
        }
    }
}

fn tabs(pane: &PaneSummary) -> String {
    let shown = pane.tabs.iter().take(LISTED).map(|tab| {
        let front = if tab.is_active && pane.tabs.len() > 1 { " (in front)" } else { "" };
        let dirty = if tab.is_dirty { " (not saved)" } else { "" };
        format!("{} {}{front}{dirty}", plain(&tab.kind), plain(&tab.content_id))
    });
    let mut line = shown.collect::<Vec<_>>().join(", ");
    if pane.tabs.len() > LISTED {
        let _ = write!(line, " and {} more", pane.tabs.len() - LISTED);
    }
    line
}

fn terminals(text: &mut String, hub: &Arc<Hub>, actor: &Actor) -> Result<(), Error> {
    let wanted = List { all: false, limit: Some(LISTED), after: None };
    let Listed { terminals, more, .. } = list(hub, actor, &wanted)?;
    text.push_str(if terminals.is_empty() { "No terminal runs.\n" } else { "Terminals:\n" });
    for info in &terminals {
        let foreground = info.foreground.as_deref().map_or_else(String::new, |name| format!(", runs {}", plain(name)));
        let lease = info.lease.as_ref().map_or_else(String::new, |holder| format!(", held by {}", holder.actor));
        let _ = writeln!(text, "- {} \"{}\" in {}{foreground}{lease}", info.id, plain(&info.title), plain(&info.cwd));
    }
    if more > 0 {
        let _ = writeln!(text, "- and {more} more: flightdeck.terminal.list");
    }
    Ok(())
}

/// What failed again and again: an agent that has lost its context would try it once more.
fn failures(text: &mut String, hub: &Arc<Hub>) {
    let persistent = hub.results().persistent();
    if persistent.is_empty() {
        return;
    }
    text.push_str("\n## Failed again and again\n\n");
    for (failure, times) in persistent.iter().take(LISTED) {
        let error = failure.error.as_deref().unwrap_or_default();
        let _ = writeln!(text, "- `{}` failed {times} times: {}", failure.command, plain(error));
    }
}

/// A name that others have chosen, in one line.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}
