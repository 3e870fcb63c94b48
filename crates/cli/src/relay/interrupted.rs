//! What becomes of a request whose hub went away: said again to the next hub when that changes nothing, answered otherwise.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use flightdeck_contract::canonical::{self, Action, Normalised, Phase, ToolName};
use flightdeck_contract::tool_names::ToolNames;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Command, Registry, hash};
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
    /// As was asked for, or else as suits the client once it has said who it is.
    names: Option<ToolNames>,
    /// By the names of their tools, in either spelling. Made when it is needed first: a client waits for the relay's start.
    commands: OnceLock<HashMap<String, Arc<Command>>>,
}

/// A call of a tool, as far as it matters when its hub goes away.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    name: String,
    /// Of the tools whose answers name what was asked; for others nothing is kept.
    arguments: Option<Value>,
}

impl ToolCall {
    pub fn new(name: &str, arguments: Option<&RawValue>) -> Self {
        let read = || arguments.and_then(|arguments| serde_json::from_str(arguments.get()).ok()).unwrap_or(Value::Null);
        ToolCall { name: name.to_owned(), arguments: ToolName::parse(name).map(|_| read()) }
    }

    /// The call in the words of the terminal contract, when it is one of its tools. What has no name gets the same
    /// one each time that it is asked.
    fn canonical(&self) -> Option<Normalised> {
        let (tool, arguments) = (ToolName::parse(&self.name)?, self.arguments.clone()?);
        let generate = || format!("{:016x}", hash(format!("{}/{arguments}", std::process::id()).as_bytes()));
        Some(canonical::normalise(tool, arguments.clone(), Phase::Accept, generate))
    }
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
    pub fn new(names: Option<ToolNames>) -> Self {
        Interrupted { names, commands: OnceLock::new() }
    }

    /// Whether it is still open how tools are named.
    pub fn awaits_client(&self) -> bool {
        self.names.is_none()
    }

    /// Names tools as suits a client, unless that is decided already.
    pub fn suit(&mut self, client: &str) {
        self.names.get_or_insert_with(|| ToolNames::of_client(client));
    }

    /// Whether a request changes nothing. `call`: of `tools/call`.
    pub fn may_be_repeated(&self, method: &str, call: Option<&ToolCall>) -> bool {
        if let Some(Normalised { request, .. }) = call.and_then(ToolCall::canonical) {
            return request.is_ok_and(|request| matches!(request.action, Action::ReadOutput | Action::List));
        }
        let looks = |command: &Command| command.effects.only_reads() && command.id != WAITS;
        LOOKS.contains(&method) || call.and_then(|call| self.command(&call.name)).is_some_and(looks)
    }

    /// The answer to a request that is not made again. That of a tool is a result like any other failure of it.
    pub fn answer(&self, id: &RawValue, call: Option<&ToolCall>, era: Era) -> Value {
        let error = "the hub was restarted while this was under way: if it had begun, it goes on in its terminal; if a \
                     person was still to say yes to it, it was not run";
        // Tools of tabs have plain names.
        let of_tabs = call.and_then(|call| self.command(&call.name)).is_some_and(|command| !command.id.contains('.'));
        let list = self.names.unwrap_or_default().name(if of_tabs { "list_tabs" } else { "flightdeck.terminal.list" });
        let hint = format!("look with {list} how far it came before you do it again");
        let Some(call) = call else {
            let error = json!({ "code": RESTARTED, "message": format!("{error}: {hint}") });
            return json!({ "jsonrpc": "2.0", "id": id, "error": error });
        };
        let told = match call.canonical() {
            // Its failures have a form of their own, whoever tells of them.
            Some(Normalised { context, .. }) => {
                json!(canonical::fail(&context, &Error::new(ErrorCode::Disconnected, error)))
            }
            None => json!({ "success": false, "error": error, "code": ErrorCode::Disconnected, "hint": hint }),
        };
        let content = json!([{ "type": "text", "text": told.to_string() }]);
        let mut result = json!({ "content": content, "structuredContent": told, "isError": true });
        if era == Era::Stateless {
            result["resultType"] = "complete".into();
        }
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    }

    fn command(&self, tool: &str) -> Option<&Command> {
        // The hub takes them so too.
        let named = |command: Arc<Command>| {
            [ToolNames::Dotted, ToolNames::Underscore]
                .map(|names| (names.name(&command.id).into_owned(), Arc::clone(&command)))
        };
        let commands = self.commands.get_or_init(|| Registry::new().commands().into_iter().flat_map(named).collect());
        commands.get(tool).map(Arc::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_nothing_may_be_repeated() {
        for (method, tool, expected) in [
            ("tools/list", None, true),
            ("resources/subscribe", None, false),
            ("tools/call", Some("list_tabs"), true),
            ("tools/call", Some("openspace.file.read"), true),
            ("tools/call", Some("openspace_file_read"), true),
            ("tools/call", Some("openspace.file.write"), false),
            ("tools/call", Some("execute_command"), false),
            ("tools/call", Some(WAITS), false),
            ("tools/call", None, false),
        ] {
            let call = tool.map(|tool| ToolCall::new(tool, None));
            assert_eq!(Interrupted::new(None).may_be_repeated(method, call.as_ref()), expected, "{method} {tool:?}");
        }
    }

    fn raw(value: &Value) -> Box<RawValue> {
        RawValue::from_string(value.to_string()).unwrap()
    }

    #[test]
    fn of_the_terminal_contract_only_looks_are_repeated() {
        let target = json!({ "session_id": "t1" });
        for (arguments, expected) in [
            (json!({ "action": "list" }), true),
            (json!({ "action": "read_output", "target": target }), true),
            (json!({ "action": "terminate", "target": target }), false),
            (json!({ "action": "run", "command": "ls" }), false),
            (json!({ "action": "read_output" }), false),
        ] {
            let call = ToolCall::new("memory_terminal_interactive", Some(&raw(&arguments)));
            let interrupted = Interrupted::new(None);
            assert_eq!(interrupted.may_be_repeated("tools/call", Some(&call)), expected, "{arguments}");
        }
    }

    #[test]
    fn the_terminal_contract_has_its_own_form_of_a_lost_connection() {
        let arguments = json!({
            "action": "send",
            "terminal_id": "t1",
            "text": "make",
            "correlation": { "trace_id": "trace_own" },
        });
        let call = ToolCall::new("memory_terminal_interactive", Some(&raw(&arguments)));
        let answer = Interrupted::new(None).answer(&raw(&json!(7)), Some(&call), Era::Greeting);
        let (result, told) = (&answer["result"], &answer["result"]["structuredContent"]);
        assert_eq!((&answer["id"], &result["isError"]), (&json!(7), &json!(true)));
        assert_eq!(told["error"]["code"], "PM_TERM_DISCONNECTED", "{told}");
        assert_eq!(told["fallback"]["strategy"], "suggest_reconnect_retry", "{told}");
        assert_eq!((&told["correlation"]["trace_id"], &told["action"]), (&json!("trace_own"), &json!("execute")));
        assert_eq!(told["resolved"]["legacy_action"], "send", "{told}");
        assert!(told["correlation"]["request_id"].as_str().unwrap().starts_with("req_"), "{told}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(&text, told);
        // One that can't be read is told of in the same form.
        let call = ToolCall::new("memory_terminal", None);
        let answer = Interrupted::new(None).answer(&raw(&json!(8)), Some(&call), Era::Greeting);
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "PM_TERM_DISCONNECTED", "{answer}");
    }

    #[test]
    fn a_tool_fails_as_tools_do() {
        let id = RawValue::from_string("7".to_owned()).unwrap();
        for (tool, list) in [("execute_command", "list_tabs"), ("flightdeck.terminal.run", "flightdeck.terminal.list")]
        {
            let answer = Interrupted::new(None).answer(&id, Some(&ToolCall::new(tool, None)), Era::Greeting);
            let result = &answer["result"];
            assert_eq!((&answer["id"], &result["isError"]), (&json!(7), &json!(true)));
            assert_eq!(result["structuredContent"]["code"], "disconnected");
            assert!(result["structuredContent"]["hint"].as_str().unwrap().contains(list), "{answer}");
            let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
            assert_eq!((&text, result.get("resultType")), (&result["structuredContent"], None));
        }
        let close = ToolCall::new("close_tab", None);
        let whole = Interrupted::new(None).answer(&id, Some(&close), Era::Stateless);
        assert_eq!(whole["result"]["resultType"], "complete");
        let other = Interrupted::new(Some(ToolNames::Underscore)).answer(&id, None, Era::Greeting);
        assert_eq!(other["error"]["code"], RESTARTED);
        assert!(other["error"]["message"].as_str().unwrap().contains("flightdeck_terminal_list"), "{other}");
    }
}
