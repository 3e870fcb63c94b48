//! Agents from a file in the format of the ACP registry, or from a single `agent.json` of it:
//! <https://github.com/agentclientprotocol/registry/blob/main/FORMAT.md>. Nothing is downloaded: packages are run by `npx` and
//! `uvx`, and other programs have to be there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flightdeck_contract::chat::Preset;
use serde::Deserialize;

/// The largest file that is read.
const MAX_FILE_BYTES: u64 = 4 << 20;

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    Registry { agents: Vec<serde_json::Value> },
    Agent(Box<Agent>),
}

#[derive(Deserialize)]
struct Agent {
    id: String,
    name: String,
    distribution: Distribution,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Distribution {
    npx: Option<Package>,
    uvx: Option<Package>,
    binary: BTreeMap<String, Binary>,
}

#[derive(Deserialize)]
struct Package {
    #[serde(rename = "package")]
    name: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Binary {
    archive: String,
    cmd: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

/// The agents of a file that can be started here, each with the program that has to be there for it. A file that can't be
/// read is named in the log.
pub(super) fn read(path: Option<&Path>) -> Vec<(Preset, String)> {
    let Some(path) = path else { return Vec::new() };
    match agents(path) {
        Ok(agents) => agents.into_iter().filter_map(preset).collect(),
        Err(problem) => {
            tracing::warn!(path = %path.display(), problem, "agents.registry can't be read");
            Vec::new()
        }
    }
}

fn agents(path: &Path) -> Result<Vec<Agent>, String> {
    let length = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if length > MAX_FILE_BYTES {
        return Err(format!("it has {length} bytes, more than a registry ({MAX_FILE_BYTES})"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    Ok(match serde_json::from_str(&text).map_err(|error| error.to_string())? {
        // One that is written for a later version is passed over, and the others are there.
        Document::Registry { agents } => {
            agents.into_iter().filter_map(|agent| serde_json::from_value(agent).ok()).collect()
        }
        Document::Agent(agent) => vec![*agent],
    })
}

fn preset(agent: Agent) -> Option<(Preset, String)> {
    let Agent { id, name, distribution: Distribution { npx, uvx, mut binary } } = agent;
    let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(is_id) {
        return None;
    }
    let packaged = |runner: &[&str], package: Package, install: &str| {
        let words = runner.iter().map(|word| (*word).to_owned());
        let command: Vec<String> = words.chain([package.name]).chain(package.args).collect();
        (command, package.env, install.to_owned())
    };
    let (command, env, install) = if let Some(package) = npx {
        packaged(&["npx", "--yes"], package, "Node.js, which has npx")
    } else if let Some(package) = uvx {
        packaged(&["uvx"], package, "uv, which has uvx")
    } else {
        let Binary { archive, cmd, args, env } = binary.remove(&platform())?;
        let program = Path::new(&cmd).file_name()?.to_string_lossy().into_owned();
        let install = format!("{program} from {archive}, on the PATH");
        (std::iter::once(program).chain(args).collect(), env, install)
    };
    let program = command.first()?.clone();
    Some((Preset { id, name, command, found: None, env, install }, program))
}

/// The registry's name for this kind of machine.
fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    format!("{system}-{}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn agents_are_started_by_what_distributes_them() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        let binary =
            json!({ (platform()): { "archive": "https://x.example/a.tgz", "cmd": "./bin/b", "args": ["acp"] } });
        let registry = json!({ "version": "1.0.0", "extensions": [], "agents": [
            { "id": "n", "name": "N", "version": "1.0.0", "description": "d", "distribution": {
                "npx": { "package": "@x/n@1.0.0", "args": ["--acp"], "env": { "A": "1" } } } },
            { "id": "u", "name": "U", "version": "1.0.0", "description": "d", "distribution": { "uvx": { "package": "u==1" } } },
            { "id": "b", "name": "B", "version": "1.0.0", "description": "d", "distribution": { "binary": binary } },
            { "id": "elsewhere", "name": "E", "distribution": { "binary": { "plan9-mips": { "archive": "x", "cmd": "e" } } } },
            { "id": "Bad Id", "name": "B", "distribution": { "uvx": { "package": "x" } } },
            { "id": "of-tomorrow", "distribution": 3 },
        ] });
        fs::write(&path, registry.to_string()).unwrap();
        let presets: Vec<_> = read(Some(&path)).into_iter().map(|(preset, _)| preset).collect();
        let commands: Vec<_> = presets.iter().map(|preset| (preset.id.as_str(), preset.command.join(" "))).collect();
        let expected = [("n", "npx --yes @x/n@1.0.0 --acp"), ("u", "uvx u==1"), ("b", "b acp")];
        assert_eq!(commands, expected.map(|(id, command)| (id, command.to_owned())));
        assert_eq!(presets[0].env.get("A").map(String::as_str), Some("1"));
        assert!(presets[2].install.contains("https://x.example/a.tgz"), "{:?}", presets[2]);
        // A single agent of it, and files that are none.
        fs::write(&path, registry["agents"][1].to_string()).unwrap();
        assert_eq!(read(Some(&path)).len(), 1);
        fs::write(&path, "{").unwrap();
        assert!(read(Some(&path)).is_empty());
        assert!(read(Some(&dir.path().join("missing"))).is_empty());
        assert!(read(None).is_empty());
    }
}
