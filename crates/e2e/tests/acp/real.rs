//! Agents that others have written, as they are published. `scripts/agents` installs them.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use flightdeck_contract::chat::{ChatState, EntryContent, ToolContent, ToolStatus};
use flightdeck_e2e::{Deck, Person};
use serde_json::{Value, json};

use super::Talk;
use crate::programs;

/// The first run on a machine installs everything, and others wait for it.
const INSTALLATION: Duration = Duration::from_secs(400);
/// They are large programs, and the machine may be busy.
const LONG: Duration = Duration::from_secs(90);

fn installed() -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/agents");
    let ran = programs::run(Command::new(script), INSTALLATION);
    assert_eq!(ran.code, Some(0), "{ran}");
    ran.stdout.trim().into()
}

fn start<'a>(deck: &'a Deck, command: &[&str], env: &Value) -> Talk<'a> {
    deck.settings("[agents]\nstart_seconds = 80\n");
    let program = installed().join(command[0]);
    let words: Vec<&str> = std::iter::once(program.to_str().unwrap()).chain(command[1..].iter().copied()).collect();
    let started = deck.socket().call("flightdeck.chat.new", json!({ "command": words, "env": env })).unwrap();
    let talk = Talk { deck, id: started["id"].as_str().unwrap().to_owned() };
    talk.wait_long_for("it is ready", LONG, |chat| chat.state == ChatState::Ready);
    talk
}

/// Prompts, says yes to what the agent asks, and waits for the end of the turn.
fn approve_all(talk: &Talk<'_>, person: &mut Person, prompt: &str) {
    talk.prompt(prompt);
    talk.wait_long_for("it asks", LONG, |chat| chat.state == ChatState::WaitsForApproval);
    person.approve_next();
    let chat = talk.wait_long_for("the turn is over", LONG, |chat| !chat.state.is_busy());
    assert_eq!(chat.state, ChatState::Done, "{}\n{}", chat.reason, talk.story());
}

fn said(talk: &Talk<'_>) -> String {
    let words = |content: &EntryContent| match content {
        EntryContent::Agent { text } => Some(text.clone()),
        _ => None,
    };
    talk.entries().iter().filter_map(|entry| words(&entry.content)).collect()
}

/// fast-agent with its passthrough model, which calls the tool that the prompt names.
#[test]
fn fast_agent_runs_commands_and_reads_and_writes_files() {
    let deck = Deck::new();
    let talk = start(&deck, &["fast-agent-acp", "--model", "passthrough", "--shell"], &json!({ "HOME": deck.home() }));
    assert_eq!(talk.chat().agent.name, "fast-agent-acp", "{:?}", talk.chat().agent);
    let mut person = Person::at(&deck);
    approve_all(&talk, &mut person, "***CALL_TOOL execute {\"command\":\"echo hi; exit 3\"}");
    assert!(said(&talk).contains("hi") && said(&talk).contains('3'), "{}", talk.story());
    let audit = deck.cli(&["audit", "--json"]).expect(0).text();
    for command in ["flightdeck.chat.terminal.new", "flightdeck.chat.terminal.release", "flightdeck.chat.permission"] {
        assert!(audit.lines().any(|line| line.contains(command)), "{command} is not in\n{audit}");
    }
    std::fs::write(deck.workspace().join("notes.txt"), "from the file\n").unwrap();
    let path = deck.workspace().join("notes.txt");
    approve_all(&talk, &mut person, &format!("***CALL_TOOL read_text_file {{\"path\":\"{}\"}}", path.display()));
    assert!(said(&talk).contains("from the file"), "{}", talk.story());
    let path = deck.workspace().join("new.txt");
    approve_all(
        &talk,
        &mut person,
        &format!("***CALL_TOOL write_text_file {{\"path\":\"{}\",\"content\":\"written\\n\"}}", path.display()),
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "written\n", "{}", talk.story());
}

/// Our own tools come to it by the MCP server that its session is begun with, and are called as its own.
#[test]
fn fast_agent_calls_our_tools() {
    let deck = Deck::new();
    let talk = start(&deck, &["fast-agent-acp", "--model", "passthrough"], &json!({ "HOME": deck.home() }));
    let mut person = Person::at(&deck);
    approve_all(
        &talk,
        &mut person,
        "***CALL_TOOL flightdeck__flightdeck_terminal_run {\"command\":\"echo by a $((40 + 2))\"}",
    );
    assert!(said(&talk).contains("by a 42"), "{}", talk.story());
    std::fs::write(deck.workspace().join("notes.txt"), "from the file\n").unwrap();
    approve_all(&talk, &mut person, "***CALL_TOOL flightdeck__openspace_file_read {\"path\":\"notes.txt\"}");
    assert!(said(&talk).contains("from the file"), "{}", talk.story());
    let audit = deck.cli(&["audit", "--json"]).expect(0).text();
    let ran = audit.lines().find(|line| line.contains("flightdeck.terminal.run")).unwrap_or_else(|| panic!("{audit}"));
    // Whichever way it comes, it is one agent.
    let agent = talk.chat().agent;
    let actor = format!("{}#{}", agent.name, agent.number.unwrap());
    assert!(ran.contains(&format!("\"{actor}\"")), "it is noted whose call it was: {ran}");
    let agents = deck.socket().call("flightdeck.agent.list", json!({})).unwrap();
    assert_eq!(agents["agents"].as_array().unwrap().len(), 1, "{agents}");
}

/// An endpoint with a model that is none.
struct Model {
    server: Child,
    port: u16,
}

impl Model {
    fn start(line: &str, record: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/fake_model.py");
        let mut server =
            Command::new("python3").arg(script).arg(line).arg(record).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        std::io::BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Model { server, port: port.trim().parse().unwrap() }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Kimi Code with a model of the test's own: it asks, runs its command in a terminal of ours, and shows it in its tool call.
#[test]
fn kimi_runs_its_commands_in_our_terminals() {
    let deck = Deck::new();
    let model = Model::start("echo hi; exit 3", &deck.home().join("asked"));
    let home = deck.home().join("kimi");
    std::fs::create_dir_all(&home).unwrap();
    let config = format!(
        "default_model = \"fake\"\ntelemetry = false\n[providers.fake]\ntype = \"openai\"\nbase_url = \"http://127.0.0.1:{}/v1\"\n\
         api_key = \"none\"\n[models.fake]\nprovider = \"fake\"\nmodel = \"fake\"\nmax_context_size = 100000\n\
         capabilities = [\"tool_use\"]\n",
        model.port
    );
    std::fs::write(home.join("config.toml"), config).unwrap();
    let env = json!({ "HOME": deck.home(), "KIMI_CODE_HOME": home, "KIMI_CODE_NO_AUTO_UPDATE": "1" });
    let talk = start(&deck, &["kimi", "acp"], &env);
    let mut person = Person::at(&deck);
    approve_all(&talk, &mut person, "run it");
    assert!(said(&talk).contains("exit code: 3"), "{}", talk.story());
    let tool = talk.find(|content| match content {
        EntryContent::Tool(tool) => Some(tool.clone()),
        _ => None,
    });
    let tool = tool.unwrap();
    assert_eq!(tool.status, ToolStatus::Failed, "{tool:?}");
    let [ToolContent::Terminal { terminal }] = &tool.content[..] else { panic!("{tool:?}") };
    let shown = deck.socket().call("flightdeck.terminal.read", json!({ "id": terminal })).unwrap();
    assert_eq!(shown["text"].as_str().unwrap().trim(), "hi");
    // It has our tools too.
    let asked = std::fs::read_to_string(deck.home().join("asked")).unwrap();
    assert!(asked.contains("flightdeck_terminal_run"), "our tools are not offered to its model");
    talk.call("stop", json!({}));
}
