//! Who an agent is: a name from what its client says of itself, and what it says of each call.

use flightdeck_core::{AgentKey, Arrival, Caller, Surface};
use rmcp::model::{Implementation, RequestMetaObject};
use serde_json::Value;

use super::Relay;

/// Names are shown to people, in lists and in the audit log.
const NAME_CHARS: usize = 64;
/// Turns and traces are ids of the client's own; they are kept with each call.
const ID_CHARS: usize = 128;
/// The name of a client that has none.
const NAMELESS: &str = "agent";

/// An agent at the door.
pub(super) fn arrival(client: Option<&Implementation>, surface: Surface, relay: Relay) -> Arrival {
    let name = client.map(|client| tidy(&client.name, NAME_CHARS)).filter(|name| !name.is_empty());
    let version = client.map(|client| tidy(&client.version, NAME_CHARS)).unwrap_or_default();
    let name = name.unwrap_or_else(|| NAMELESS.to_owned());
    Arrival { name, version, surface, key: relay.id.map(AgentKey::Relay), pid: relay.pid }
}

/// The caller with what the request says of its turn and its trace.
pub(super) fn with_context(mut caller: Caller, meta: &RequestMetaObject) -> Caller {
    caller.turn = text(meta, "turnId");
    caller.trace = text(meta, "traceparent");
    caller
}

fn text(meta: &RequestMetaObject, key: &str) -> Option<String> {
    let id = match meta.get(key)? {
        Value::String(text) => tidy(text, ID_CHARS),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(id).filter(|id| !id.is_empty())
}

/// One line of printable text: names come from strangers and go to terminals.
fn tidy(text: &str, limit: usize) -> String {
    let mut tidy = String::new();
    for char in text.trim().chars().take(limit) {
        let plain = if char.is_whitespace() { ' ' } else { char };
        if !plain.is_control() && !is_invisible(plain) {
            tidy.push(plain);
        }
    }
    tidy.trim_end().to_owned()
}

/// Characters that turn the reading direction or join what they stand between.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_tidy_line() {
        for (given, expected) in [
            ("Claude Code", "Claude Code"),
            ("  my\nagent\t1 ", "my agent 1"),
            ("\u{1b}[31mred\u{7}", "[31mred"),
            ("evil\u{202e}txt", "eviltxt"),
            ("", "agent"),
            ("\u{1b}\u{7}", "agent"),
        ] {
            let client = Implementation::new(given, "1");
            assert_eq!(arrival(Some(&client), Surface::McpStdio, Relay::default()).name, expected, "{given:?}");
        }
        let long = Implementation::new("x".repeat(1000), "1");
        assert_eq!(arrival(Some(&long), Surface::McpStdio, Relay::default()).name.len(), NAME_CHARS);
        assert_eq!(arrival(None, Surface::McpHttp, Relay::default()).name, "agent");
    }
}
