//! How the tools of MCP are named: with dots as the commands are, or with underscores for clients whose models take no dots.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The clients whose models are given names of letters, digits, `_` and `-` only, by the names that they tell of themselves. Most
/// put an underscore in the place of a dot, and the model then knows no tool by the name that a hint has; Claude's apps and
/// Copilot refuse a list with dots in it. Those that are not named here, such as Gemini CLI, take dots.
const WITHOUT_DOTS: [&str; 7] = [
    "claude-ai",
    "claude-code",
    "codex-mcp-client",
    "github-copilot-developer",
    "opencode",
    "Visual Studio Code",
    "Visual Studio Code - Insiders",
];

/// How the tools of MCP are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolNames {
    /// As the commands: `flightdeck.terminal.run`.
    #[default]
    Dotted,
    /// `flightdeck_terminal_run`, for clients that refuse dots.
    Underscore,
}

impl ToolNames {
    /// What suits a client of this name.
    pub fn of_client(name: &str) -> Self {
        if WITHOUT_DOTS.contains(&name) { ToolNames::Underscore } else { ToolNames::Dotted }
    }

    /// The name of a command's tool.
    pub fn name(self, id: &str) -> Cow<'_, str> {
        match self {
            ToolNames::Dotted => Cow::Borrowed(id),
            ToolNames::Underscore => Cow::Owned(id.replace('.', "_")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_without_dots_are_known_by_their_names() {
        for (client, names) in [
            ("claude-code", ToolNames::Underscore),
            ("codex-mcp-client", ToolNames::Underscore),
            ("opencode", ToolNames::Underscore),
            ("gemini-cli-mcp-client", ToolNames::Dotted),
            ("opencode-proxy", ToolNames::Dotted),
            ("", ToolNames::Dotted),
        ] {
            assert_eq!(ToolNames::of_client(client), names, "{client}");
        }
    }
}
