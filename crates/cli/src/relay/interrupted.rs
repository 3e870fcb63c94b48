//! What becomes of a request whose hub went away: said again to the next hub when that changes nothing, answered otherwise.

use std::sync::{Arc, OnceLock};

use flightdeck_contract::ErrorCode;
use flightdeck_contract::control::ToolNames;
use flightdeck_core::{Command, Registry};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A server's own error, as JSON-RPC leaves room for.
const RESTARTED: i64 = -32000;
/// It waits for what comes from now on, and what came while there was no hub would be missed.
const WAITS: &str = "flightdeck.terminal.wait";
/// Requests of the protocol itself that only look.
const LOOKS: [&str; 9] = [
    "ping",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "server/discover",
];

/// Tells requests that can be made twice, and words the answer to the others.
pub struct Interrupted {
    names: ToolNames,
    /// Made when it is needed first: a client waits for the relay's start.
    registry: OnceLock<Registry>,
}

/// Which answers a client understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// It has greeted.
    Greeting,
    /// Each request stands for itself, and each result says that it is whole.
    Stateless,
}

impl Interrupted {
    pub fn new(names: ToolNames) -> Self {
        Interrupted { names, registry: OnceLock::new() }
    }

    /// Whether a request changes nothing. `tool`: of `tools/call`.
    pub fn may_be_repeated(&self, method: &str, tool: Option<&str>) -> bool {
        let looks = |command: Arc<Command>| command.effects.only_reads() && command.id != WAITS;
        LOOKS.contains(&method) || tool.and_then(|tool| self.command(tool)).is_some_and(looks)
    }

    /// The answer to a request that is not made again. That of a tool is a result like any other failure of it.
    pub fn answer(&self, id: &RawValue, tool: Option<&str>, era: Era) -> Value {
        let error = "the hub was restarted while this was under way; what was started goes on in its terminal";
        // Tools of tabs have plain names.
        let of_tabs = tool.and_then(|tool| self.command(tool)).is_some_and(|command| !command.id.contains('.'));
        let list = self.names.name(if of_tabs { "list_tabs" } else { "flightdeck.terminal.list" });
        let hint = format!("look with {list} how far it came before you do it again");
        if tool.is_none() {
            let error = json!({ "code": RESTARTED, "message": format!("{error}: {hint}") });
            return json!({ "jsonrpc": "2.0", "id": id, "error": error });
        }
        let told = json!({ "success": false, "error": error, "code": ErrorCode::Disconnected, "hint": hint });
        let content = json!([{ "type": "text", "text": told.to_string() }]);
        let mut result = json!({ "content": content, "structuredContent": told, "isError": true });
        if era == Era::Stateless {
            result["resultType"] = "complete".into();
        }
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    }

    fn command(&self, tool: &str) -> Option<Arc<Command>> {
        let commands = self.registry.get_or_init(Registry::new).commands();
        commands.into_iter().find(|command| self.names.name(&command.id) == tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_nothing_may_be_repeated() {
        for (names, method, tool, expected) in [
            (ToolNames::Dotted, "tools/list", None, true),
            (ToolNames::Dotted, "resources/subscribe", None, false),
            (ToolNames::Dotted, "tools/call", Some("list_tabs"), true),
            (ToolNames::Dotted, "tools/call", Some("openspace.file.read"), true),
            (ToolNames::Dotted, "tools/call", Some("openspace_file_read"), false),
            (ToolNames::Underscore, "tools/call", Some("openspace_file_read"), true),
            (ToolNames::Dotted, "tools/call", Some("openspace.file.write"), false),
            (ToolNames::Dotted, "tools/call", Some("execute_command"), false),
            (ToolNames::Dotted, "tools/call", Some(WAITS), false),
            (ToolNames::Dotted, "tools/call", None, false),
        ] {
            assert_eq!(Interrupted::new(names).may_be_repeated(method, tool), expected, "{method} {tool:?}");
        }
    }

    #[test]
    fn a_tool_fails_as_tools_do() {
        let id = RawValue::from_string("7".to_owned()).unwrap();
        for (tool, list) in [("execute_command", "list_tabs"), ("flightdeck.terminal.run", "flightdeck.terminal.list")]
        {
            let answer = Interrupted::new(ToolNames::Dotted).answer(&id, Some(tool), Era::Greeting);
            let result = &answer["result"];
            assert_eq!((&answer["id"], &result["isError"]), (&json!(7), &json!(true)));
            assert_eq!(result["structuredContent"]["code"], "disconnected");
            assert!(result["structuredContent"]["hint"].as_str().unwrap().contains(list), "{answer}");
            let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!((&text, result.get("resultType")), (&result["structuredContent"], None));
        }
        let whole = Interrupted::new(ToolNames::Dotted).answer(&id, Some("close_tab"), Era::Stateless);
        assert_eq!(whole["result"]["resultType"], "complete");
        let other = Interrupted::new(ToolNames::Underscore).answer(&id, None, Era::Greeting);
        assert_eq!(other["error"]["code"], RESTARTED);
        assert!(other["error"]["message"].as_str().unwrap().contains("flightdeck_terminal_list"), "{other}");
    }
}
