//! The agents that are known by name.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use flightdeck_contract::chat::Preset;
use flightdeck_contract::{Error, ErrorCode};

use super::registry;
use crate::settings::AgentSettings;

/// An agent that is known by name.
#[derive(Debug)]
pub(super) struct Known {
    id: &'static str,
    name: &'static str,
    command: &'static [&'static str],
    install: &'static str,
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

/// All of them, those that are installed first. One that is not there by itself is started as the registry says, if it does.
pub(crate) fn list(settings: &AgentSettings) -> Vec<Preset> {
    let preset = |known: &Known| Preset {
        id: known.id.to_owned(),
        name: known.name.to_owned(),
        command: known.command.iter().map(|word| (*word).to_owned()).collect(),
        found: found(known.command[0]),
        env: BTreeMap::new(),
        install: known.install.to_owned(),
    };
    let mut presets: Vec<_> = KNOWN.iter().map(preset).collect();
    for (listed, program) in registry::read(settings.registry.as_deref()) {
        let listed = Preset { found: found(&program), ..listed };
        match presets.iter_mut().find(|known| known.id == listed.id) {
            Some(known) if known.found.is_none() => *known = listed,
            Some(_) => {}
            None => presets.push(listed),
        }
    }
    presets.sort_by_key(|preset| preset.found.is_none());
    presets
}

fn found(program: &str) -> Option<String> {
    on_path(program).map(|path| path.to_string_lossy().into_owned())
}

pub(super) fn find(settings: &AgentSettings, id: &str) -> Option<Preset> {
    list(settings).into_iter().find(|preset| preset.id == id)
}

/// How an agent is started.
#[derive(Debug)]
pub(super) struct AgentProgram {
    /// The preset, when it was named by one.
    pub preset: Option<String>,
    /// Its name for people, where that is known.
    pub title: Option<String>,
    pub command: Vec<String>,
    pub env: BTreeMap<String, String>,
}

/// Which program is meant by a preset or a command.
pub(super) fn resolve(
    settings: &AgentSettings,
    agent: Option<&str>,
    command: Option<Vec<String>>,
) -> Result<AgentProgram, Error> {
    match (agent, command) {
        (Some(_), Some(_)) => Err(Error::invalid("command", "give either `agent` or `command`, not both")),
        (None, Some(command)) if command.first().is_none_or(String::is_empty) => {
            Err(Error::invalid("command", "it is empty: give a program and its arguments"))
        }
        (None, Some(command)) => Ok(AgentProgram { preset: None, title: None, command, env: BTreeMap::new() }),
        (Some(id), None) => {
            let presets = list(settings);
            let Some(preset) = presets.iter().find(|preset| preset.id == id) else {
                let ids: Vec<_> = presets.iter().map(|preset| preset.id.as_str()).collect();
                return Err(Error::invalid("agent", format!("{id:?} is not known: there are {}", ids.join(", "))));
            };
            let Preset { id, name, command, found, env, install } = preset.clone();
            if found.is_none() {
                let text = format!("{name} is not installed: there is no program {}", command[0]);
                return Err(Error::new(ErrorCode::ProgramNotFound, text).hint(format!("install it: {install}")));
            }
            Ok(AgentProgram { preset: Some(id), title: Some(name), command, env })
        }
        (None, None) => Err(Error::invalid("agent", "it is required: a preset, or `command` with a program")),
    }
}

/// Where a program is, by the hub's own search path.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let is_program =
        |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder: PathBuf| Path::join(&folder, program)).find(is_program)
}
