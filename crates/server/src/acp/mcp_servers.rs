//! The MCP servers that the user has set for agents, in the words of the protocol.

use std::collections::BTreeMap;

use flightdeck_core::{McpServerSettings, find_program};
use serde_json::{Value, json};

use super::memory::Can;

/// Those that this agent takes, and why the others are left out.
pub(super) fn of_user(servers: &BTreeMap<String, McpServerSettings>, can: Can) -> (Vec<Value>, Vec<String>) {
    let (mut taken, mut problems) = (Vec::new(), Vec::new());
    for (name, server) in servers {
        match of_one(name, server, can) {
            Ok(server) => taken.push(server),
            Err(problem) => problems.push(format!("The MCP server {name} is left out: {problem}.")),
        }
    }
    (taken, problems)
}

fn of_one(name: &str, server: &McpServerSettings, can: Can) -> Result<Value, String> {
    let pairs = |pairs: &BTreeMap<String, String>| -> Vec<Value> {
        pairs.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect()
    };
    if let Some(url) = &server.url {
        let (kind, is_taken) = if server.sse { ("sse", can.mcp_sse) } else { ("http", can.mcp_http) };
        if !is_taken {
            return Err(format!("the agent takes none that speak {kind}"));
        }
        return Ok(json!({ "type": kind, "name": name, "url": url, "headers": pairs(&server.headers) }));
    }
    let command = server.command.as_deref().unwrap_or_default();
    let Some(program) = find_program(command) else { return Err(format!("there is no program {command:?}")) };
    Ok(json!({ "name": name, "command": program, "args": server.args, "env": pairs(&server.env) }))
}
