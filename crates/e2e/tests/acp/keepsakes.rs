//! Old terminals go; what they printed stays in the conversation that shows them.

use flightdeck_contract::ErrorCode;
use flightdeck_contract::chat::{ChatState, EntryContent, ToolContent, Transcript};
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

use super::{Talk, about, call};

/// More than are kept, by enough that old ones go.
const MANY: usize = 220;

fn output(talk: &Talk<'_>, terminal: &str) -> Result<Transcript, flightdeck_contract::Error> {
    let read = talk.try_call("output", json!({ "terminal": terminal }))?;
    Ok(serde_json::from_value(read).unwrap())
}

/// Has so many terminals end that the older ones go.
fn crowd_out(deck: &Deck, terminal: &str) {
    let mut socket = deck.socket();
    for _ in 0..MANY {
        let new = json!({ "command": ["true"] });
        socket.call("flightdeck.terminal.new", new).unwrap();
    }
    let is_there = || socket.call("flightdeck.terminal.read", json!({ "id": terminal })).is_ok();
    let mut is_there = is_there;
    deck.wait_until("the old terminal is gone", SOON * 2, || (!is_there()).then_some(()));
}

#[test]
fn a_tool_call_shows_what_its_terminal_printed_when_that_is_long_gone() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let shown = json!([{ "type": "terminal", "terminalId": "${t.terminalId}" }]);
    let tool = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "seq", "content": shown });
    let told = talk.values(json!([
        call("t", "terminal/create", json!({ "command": "seq 100000; echo \"the $((40+2))\"; exit 3" })),
        { "update": tool },
        about("exit", "wait_for_exit"),
        about("released", "release"),
    ]));
    let terminal = told["t"]["terminalId"].as_str().unwrap().to_owned();
    let there = output(&talk, &terminal).unwrap();
    assert!(there.output.ends_with("100000\nthe 42\n") && there.truncated, "{there:?}");
    crowd_out(&deck, &terminal);
    let kept = output(&talk, &terminal).unwrap();
    assert_eq!(kept, there, "all that can be seen of it before can be seen of it now");
    assert_eq!(kept.exit.as_ref().unwrap().exit_code, Some(3));
    // Its tool call names it still, and another hub knows as much.
    deck.cli(&["restart"]).expect(0);
    let names_it = |content: &EntryContent| match content {
        EntryContent::Tool(tool) => tool.content.iter().find_map(|content| match content {
            ToolContent::Terminal { terminal } => Some(terminal.to_string()),
            _ => None,
        }),
        _ => None,
    };
    assert_eq!(talk.find(names_it).as_ref(), Some(&terminal));
    assert_eq!(output(&talk, &terminal).unwrap(), there);
    // It is this conversation's alone, and goes with it.
    let other = Talk::start(&deck, &[]);
    assert_eq!(output(&other, &terminal).unwrap_err().code, ErrorCode::TerminalNotFound);
    talk.call("stop", json!({}));
    talk.wait_for("it is gone", |chat| chat.state == ChatState::Gone);
    let _: Value = talk.call("remove", json!({}));
    assert_eq!(output(&talk, &terminal).unwrap_err().code, ErrorCode::ChatNotFound);
}
