//! The bridge between the hub of a container and that of its host, on two machines of their own.

mod broken;
mod container;
mod failures;
mod killed;
mod stories;

use std::fs;
use std::path::PathBuf;

use flightdeck_e2e::{Agent, Deck, Network, Person, Side, Tap};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";

/// A host and a container, each with a hub.
struct Pair {
    host: Deck,
    container: Deck,
    network: Network,
}

impl Pair {
    /// Both run, and the container knows the host by its address.
    fn new() -> Self {
        let pair = Pair { host: Deck::new(), container: Deck::new(), network: Network::new() };
        pair.start_host();
        pair.start_container(&[]);
        pair
    }

    /// The same with somebody in between.
    fn tapped() -> (Self, Tap) {
        let pair = Pair { host: Deck::new(), container: Deck::new(), network: Network::new() };
        pair.start_host();
        let tap = Tap::new(&pair.network, format!("{}:45459", Network::HOST).parse().unwrap());
        let port = tap.port.to_string();
        pair.start_container(&[("PM_INTERACTIVE_TERMINAL_HOST_ALIAS", "127.0.0.1"), (PORT, &port)]);
        (pair, tap)
    }

    fn start_host(&self) {
        self.host
            .settings(&format!("[bridge]\nenabled = true\naddress = \"{}\"\nheartbeat_ms = 1000\n", Network::HOST));
        self.network.on(Side::Host, &self.host.command(&["restart"])).run().expect(0);
    }

    /// Starts the container's hub, with its usual variables but for these.
    fn start_container(&self, variables: &[(&str, &str)]) {
        self.start_in_container(&self.container, variables);
    }

    /// The same for a hub of another container.
    fn start_in_container(&self, deck: &Deck, variables: &[(&str, &str)]) {
        let mut command = deck.command(&["restart"]);
        command.env("PM_TERM_ADAPTER_MODE", "auto");
        command.env("PM_RUNNING_IN_CONTAINER", "true").env("PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE", "1");
        command.env("PM_INTERACTIVE_TERMINAL_HOST_ALIAS", Network::HOST).env(TOKEN_FILE, self.token_file());
        command.env("PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS", "2000");
        command.env("PM_INTERACTIVE_TERMINAL_CONTAINER_NAME", "box").envs(variables.iter().copied());
        self.network.on(Side::Container, &command).run().expect(0);
    }

    fn token_file(&self) -> PathBuf {
        self.host.status()["bridge"]["tokenFile"].as_str().expect("the host serves a bridge").into()
    }

    /// An agent in the container.
    fn agent(&self, name: &str) -> Agent {
        Agent::new(&self.container, name)
    }

    /// A person on the host.
    fn person(&self) -> Person {
        Person::at(&self.host)
    }

    /// What the host's hub has said of itself.
    fn log_of_host(&self) -> String {
        let state = self.host.status()["state"].as_str().unwrap().to_owned();
        fs::read_to_string(format!("{state}/hub.log")).unwrap_or_default()
    }

    /// How often a line was added to this file of the host's workspace.
    fn count(&self, file: &str) -> usize {
        fs::read_to_string(self.host.workspace().join(file)).unwrap_or_default().lines().count()
    }

    #[track_caller]
    fn wait_for_file(&self, name: &str) {
        let path = self.host.workspace().join(name);
        self.host.wait_until(name, flightdeck_e2e::SOON, || path.exists().then_some(()));
    }
}

const PORT: &str = "PM_INTERACTIVE_TERMINAL_HOST_PORT";
const TOKEN_FILE: &str = "PM_INTERACTIVE_TERMINAL_TOKEN_FILE";

fn execute(command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": "interactive", "intent": "execute_command" },
        "execution": { "command": command },
    })
}

/// The same under names of its own.
fn named(command: &str, id: &str) -> Value {
    let mut request = execute(command);
    request["correlation"] = json!({ "request_id": format!("req_{id}"), "trace_id": format!("trace_{id}") });
    request
}

#[track_caller]
fn failed(answer: &Value, code: &str) {
    assert_eq!(answer["success"], false, "{answer}");
    assert_eq!(answer["error"]["code"], code, "{answer}");
    assert!(answer["fallback"]["strategy"].is_string(), "{answer}");
}

#[track_caller]
fn printed(answer: &Value, output: &str, exit: i32) {
    assert_eq!(answer["success"], true, "{answer}");
    assert_eq!(
        (&answer["result"]["stdout"], &answer["result"]["exit_code"]),
        (&json!(output), &json!(exit)),
        "{answer}"
    );
}

/// A line with one letter in the middle that is another one.
fn other_letter(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_owned();
    let middle = line.len() / 2;
    line[middle] = if line[middle] == b'A' { b'B' } else { b'A' };
    line
}

/// Whether a line after the handshake holds more than a beat: a request, or an answer to one.
fn is_long(line: &[u8]) -> bool {
    line.len() > 200 && !line.starts_with(b"{")
}
