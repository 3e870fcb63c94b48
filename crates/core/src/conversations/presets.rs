//! The agents that are known by name.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use flightdeck_contract::chat::Preset;
use flightdeck_contract::{Error, ErrorCode};

/// An agent that is known by name.
#[derive(Debug)]
pub(super) struct Known {
    id: &'static str,
    name: &'static str,
    command: &'static [&'static str],
    pub install: &'static str,
}

const fn known(id: &'static str, name: &'static str, command: &'static [&'static str], install: &'static str) -> Known {
    Known { id, name, command, install }
}

/// Those that speak the Agent Client Protocol by themselves, or by an adapter of its own maintainers.
const KNOWN: &[Known] = &[
    known("claude", "Claude Code", &["claude-agent-acp"], "npm install -g @agentclientprotocol/claude-agent-acp"),
    known("codex", "Codex", &["codex-acp"], "npm install -g @agentclientprotocol/codex-acp"),
    known("gemini", "Gemini CLI", &["gemini", "--acp"], "npm install -g @google/gemini-cli"),
    known("opencode", "OpenCode", &["opencode", "acp"], "npm install -g opencode-ai"),
    known("kimi", "Kimi Code", &["kimi", "acp"], "npm install -g @moonshot-ai/kimi-code"),
    known("qwen", "Qwen Code", &["qwen", "--acp"], "npm install -g @qwen-code/qwen-code"),
    known("goose", "goose", &["goose", "acp"], "brew install block-goose-cli"),
    known("fast-agent", "fast-agent", &["fast-agent-acp"], "uv tool install fast-agent-mcp"),
    known("copilot", "GitHub Copilot", &["copilot", "--acp"], "npm install -g @github/copilot"),
];

/// All of them, those that are installed first.
pub(crate) fn list() -> Vec<Preset> {
    let preset = |known: &Known| Preset {
        id: known.id.to_owned(),
        name: known.name.to_owned(),
        command: known.command.iter().map(|word| (*word).to_owned()).collect(),
        found: on_path(known.command[0]).map(|path| path.to_string_lossy().into_owned()),
        install: known.install.to_owned(),
    };
    let mut presets: Vec<_> = KNOWN.iter().map(preset).collect();
    presets.sort_by_key(|preset| preset.found.is_none());
    presets
}

pub(super) fn find(id: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.id == id)
}

/// The preset, its name for people, and the command that is meant.
type Resolved = (Option<String>, Option<String>, Vec<String>);

/// Which program is meant by a preset or a command.
pub(super) fn resolve(agent: Option<&str>, command: Option<Vec<String>>) -> Result<Resolved, Error> {
    match (agent, command) {
        (Some(_), Some(_)) => Err(Error::invalid("command", "give either `agent` or `command`, not both")),
        (None, Some(command)) if command.first().is_none_or(String::is_empty) => {
            Err(Error::invalid("command", "it is empty: give a program and its arguments"))
        }
        (None, Some(command)) => Ok((None, None, command)),
        (Some(id), None) => {
            let Some(known) = find(id) else {
                let ids: Vec<_> = KNOWN.iter().map(|known| known.id).collect();
                return Err(Error::invalid("agent", format!("{id:?} is not known: there are {}", ids.join(", "))));
            };
            if on_path(known.command[0]).is_none() {
                let text = format!("{} is not installed: there is no program {}", known.name, known.command[0]);
                return Err(Error::new(ErrorCode::ProgramNotFound, text).hint(format!("install it: {}", known.install)));
            }
            let command = known.command.iter().map(|word| (*word).to_owned()).collect();
            Ok((Some(known.id.to_owned()), Some(known.name.to_owned()), command))
        }
        (None, None) => Err(Error::invalid("agent", "it is required: a preset, or `command` with a program")),
    }
}

/// Where a program is, by the hub's own search path.
fn on_path(program: &str) -> Option<PathBuf> {
    let is_program =
        |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder: PathBuf| Path::join(&folder, program)).find(is_program)
}
