//! The closed sets of words of the contract, each with its names on the wire in one place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A closed set of words.
pub(super) trait Words {
    /// All names, in the order of the document.
    const NAMES: &'static [&'static str];
}

/// Defines an enum together with its names, so that serde, schemas, hints and parsing can't disagree.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name {
            $($(#[$each])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them, in the order of the document.
            pub const ALL: &[$name] = &[$($name::$variant),+];
            /// All names, in the same order.
            pub const NAMES: &[&str] = &[$($word),+];

            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// The one of this name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.name() == name)
            }
        }

        impl $crate::canonical::words::Words for $name {
            const NAMES: &'static [&'static str] = $name::NAMES;
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(super) use words;

words! {
    /// What is to be done.
    Action {
        /// Starts a command, or opens a terminal.
        Execute = "execute",
        /// Gives the output of what was executed.
        ReadOutput = "read_output",
        /// Ends what was executed.
        Terminate = "terminate",
        /// Gives what there is.
        List = "list",
    }
}

words! {
    /// How a command runs.
    #[derive(Default)]
    Mode {
        /// In a terminal that people see and can type into; a person is asked where the policy wants it.
        #[default]
        Interactive = "interactive",
        /// Without a terminal, and only what the policy has proven to be safe.
        Headless = "headless",
    }
}

words! {
    /// What `execute` is for.
    Intent {
        /// Opens a terminal without running anything.
        OpenOnly = "open_only",
        /// Runs `execution.command`.
        ExecuteCommand = "execute_command",
    }
}

words! {
    /// By which way the terminal is reached.
    #[derive(Default)]
    AdapterOverride {
        /// The configured one.
        Local = "local",
        /// The one that comes with the program.
        Bundled = "bundled",
        /// From inside a container to its host.
        ContainerBridge = "container_bridge",
        /// Found out.
        #[default]
        Auto = "auto",
    }
}

words! {
    /// Where a call comes from.
    CallerSurface {
        /// The MCP server.
        Server = "server",
        /// The editor's extension.
        Extension = "extension",
        /// The dashboard.
        Dashboard = "dashboard",
        /// A button in a chat.
        ChatButton = "chat_button",
    }
}

words! {
    /// The actions of older callers.
    LegacyAction {
        /// Now `execute` with the intent `execute_command`.
        Run = "run",
        /// Now `terminate` with `target.session_id`.
        Kill = "kill",
        /// Now `execute` with `target.terminal_id`.
        Send = "send",
        /// Now `terminate` with `target.terminal_id`.
        Close = "close",
        /// Now `execute` with the intent `open_only`.
        Create = "create",
        /// Still `list`.
        List = "list",
    }
}

words! {
    /// The tool that was called.
    ToolName {
        /// The canonical one.
        Interactive = "memory_terminal_interactive",
        /// The older one that runs allowed commands without a terminal.
        Headless = "memory_terminal",
        /// The older one that manages visible terminals.
        Vscode = "memory_terminal_vscode",
    }
}

/// How far the older forms are on their way out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Phase A: they are accepted, and the response says so.
    #[default]
    #[serde(alias = "A", alias = "a")]
    Accept,
    /// Phase B: they are accepted with a warning.
    #[serde(alias = "B", alias = "b")]
    Warn,
    /// Phase C: they are refused, with the request to send instead.
    #[serde(alias = "C", alias = "c")]
    Strict,
}
