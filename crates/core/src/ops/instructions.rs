//! `flightdeck.hub.instructions`: how an agent uses what is here, and what is here now.

use std::fmt::Write;
use std::sync::Arc;

use flightdeck_contract::hub::Empty;
use flightdeck_contract::terminal::List;
use schemars::JsonSchema;
use serde::Serialize;

use super::list;
use crate::actor::Actor;
use crate::hub::Hub;
use crate::registry::{Command, Effects, define};

/// Terminals beyond these are counted, not listed: the text goes into every agent's context.
const LISTED: usize = 20;

/// A text for an agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Instructions {
    /// Markdown.
    text: String,
}

pub(crate) fn command() -> Command {
    define(
        "flightdeck.hub.instructions",
        Effects::READS,
        "Instructions",
        "How to use the terminals of this workspace, with what runs in them now.",
    )
    .for_front_ends()
    .text_in("text")
    .aside(|hub, call, _: Empty| Ok(Instructions { text: text(hub, &call.caller.actor) }))
}

const GUIDE: &str = "\
# Flightdeck

You share real terminals with a person, who sees everything live and can take over at any time.
Call tools/list for all tools and their schemas.

- A command whose end you want: `flightdeck.terminal.run`. Its exit code is in `data.exitCode`; a time-out does not stop
  it, and `data.id` is where it goes on.
- A server, watcher or REPL: `flightdeck.terminal.new`, then `flightdeck.terminal.wait` for a line, a port or a prompt.
- A program that asks or draws: `flightdeck.terminal.screen` to look, `flightdeck.terminal.keys` to answer.
- Output is cut in the middle when it is long; read the rest with `flightdeck.terminal.read` from the cursor that is
  given, or find what matters with `flightdeck.terminal.search`.
- What is dangerous asks a person first: the call waits, and a refusal says why. `flightdeck.policy.test` tells before
  you run it. Take a no for a no.
- `lease_held` means that somebody else has the controls: wait with `flightdeck.terminal.lease`.

## Examples

Run the tests: `flightdeck.terminal.run {\"command\": \"make test\", \"timeoutMs\": 120000}`

Start a server and wait until it answers:
`flightdeck.terminal.new {\"title\": \"web\"}` gives `t7`, then
`flightdeck.terminal.keys {\"id\": \"t7\", \"text\": \"npm run dev\\n\"}` and
`flightdeck.terminal.wait {\"id\": \"t7\", \"port\": 3000}`
";

fn text(hub: &Arc<Hub>, actor: &Actor) -> String {
    let terminals = list::call(hub, actor, &List { all: false }).terminals;
    let mut text = GUIDE.to_owned();
    // Writing into a string can't fail.
    let _ = write!(text, "\n## Now\n\nWorkspace: {}\n", hub.workspace().root().display());
    if terminals.is_empty() {
        text.push_str("No terminal runs.\n");
    }
    for info in terminals.iter().take(LISTED) {
        let title: String = info.title.chars().filter(|c| !c.is_control()).take(60).collect();
        let foreground = info.foreground.as_deref().map_or_else(String::new, |name| format!(", runs {name}"));
        let lease = info.lease.as_ref().map_or_else(String::new, |holder| format!(", held by {}", holder.actor));
        let _ = writeln!(text, "- {} \"{title}\" in {}{foreground}{lease}", info.id, info.cwd);
    }
    if terminals.len() > LISTED {
        let _ = writeln!(text, "- and {} more: flightdeck.terminal.list", terminals.len() - LISTED);
    }
    text
}
