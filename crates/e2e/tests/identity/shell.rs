//! An agent that runs commands by itself: a client of MCP with a shell of its own, in no terminal of the hub.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use flightdeck_e2e::{Deck, SOON};
use serde_json::json;

/// It says hello to the hub as a client does, and then runs the scripts that it reads the names of.
pub const AGENT: &str = r#"
coproc HUB { eval "$RELAY"; }
relay=$HUB_PID from=${HUB[0]} to=${HUB[1]}
printf '%s\n' "$HELLO" >&"$to"
read -r _ <&"$from"
printf '%s\n' "$GREETED" >&"$to"
echo ready
while read -r line; do
    case $line in
    leave) eval "exec $to>&- $from<&-"; wait "$relay"; echo left ;;
    *) "$line" </dev/null >/dev/null; echo ran ;;
    esac
done
"#;

/// How it starts the relay.
const RELAY: &str = r#"exec "$BINARY" mcp"#;

/// Relays that something else feeds than the agent itself.
pub const FED_RELAYS: [&str; 3] = [
    r#"sh -c 'tee /dev/null | "$BINARY" mcp; true'"#,
    r#"tee /dev/null | "$BINARY" mcp"#,
    r#"mkfifo fed; { tee fed >/dev/null; rm fed; } & "$BINARY" mcp <fed"#,
];

/// The agent. It ends with its standard input.
pub struct BuiltInShell {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<std::process::ChildStdout>,
}

impl BuiltInShell {
    /// Starts it, and waits until the hub knows it.
    pub fn start(deck: &Deck) -> Self {
        BuiltInShell::start_with(deck, RELAY)
    }

    /// The same with a relay that it starts by this text.
    pub fn start_with(deck: &Deck, relay: &str) -> Self {
        let mut command = Command::new("bash");
        command.args(["-c", AGENT]).env_clear().current_dir(deck.workspace()).envs(variables(deck));
        command.env("RELAY", relay);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut agent = BuiltInShell { child, stdin, stdout };
        assert_eq!(agent.next_line(), "ready");
        agent
    }

    /// Runs a script to its end.
    pub fn run(&mut self, script: &Path) {
        assert_eq!(self.tell(script.to_str().unwrap()), "ran");
    }

    /// Hangs up at the hub, and lives on.
    pub fn leave(&mut self) {
        assert_eq!(self.tell("leave"), "left");
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn tell(&mut self, line: &str) -> String {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
        self.next_line()
    }

    fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

impl Drop for BuiltInShell {
    fn drop(&mut self) {
        self.stdin = None;
        // Ended already is fine.
        let _ = self.child.wait();
    }
}

/// What a process finds in its environment that is to find the hub, or to be the agent.
pub fn variables(deck: &Deck) -> Vec<(String, String)> {
    let flightdeck = deck.command(&[]);
    let text = |text: &OsStr| text.to_str().unwrap().to_owned();
    let pairs = flightdeck.get_envs().filter_map(|(name, value)| Some((text(name), text(value?))));
    let client =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "sly", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client });
    let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let own = [
        ("BINARY", text(flightdeck.get_program())),
        ("RELAY", RELAY.to_owned()),
        ("HELLO", hello.to_string()),
        ("GREETED", greeted.to_string()),
    ];
    pairs.chain(own.map(|(name, value)| (name.to_owned(), value))).collect()
}

/// How a script hides who has started it. `{}` is the program, `{env}` what it needs to find the hub.
#[derive(Clone, Copy)]
pub struct Disguise {
    pub name: &'static str,
    pub template: &'static str,
    /// What waits is an orphan that starts another one and ends.
    pub hops: bool,
}

/// Those that are there at once.
pub const ATTENDED: [Disguise; 3] = [
    Disguise { name: "plain", template: "{}", hops: false },
    Disguise { name: "without its environment", template: "env -i {env} {}", hops: false },
    Disguise { name: "in another session", template: "setsid --wait {}", hops: false },
];

/// Those that outlive what has started them.
pub const ORPHANS: [Disguise; 4] = [
    Disguise { name: "as an orphan", template: "(setsid {} &) &", hops: false },
    Disguise {
        name: "as an orphan without its environment",
        template: "(env -i {env} setsid setsid --fork {} &) &",
        hops: false,
    },
    Disguise { name: "as an orphan of an orphan", template: "(setsid {} &) &", hops: true },
    Disguise {
        name: "below an orphan whose first thread has ended",
        template: "(setsid python3 -c 'import ctypes, os, subprocess, sys, threading\n\
threading.Thread(target=subprocess.call, args=(sys.argv[1:],)).start()\n\
ctypes.CDLL(None).syscall(60 if os.uname().machine == \"x86_64\" else 93, 0)' {} &) &",
        hops: false,
    },
];

/// A script in a disguise, and where it leaves what it said.
pub struct Scene {
    pub outer: PathBuf,
    gate: PathBuf,
    done: PathBuf,
}

impl Scene {
    /// `waits`: it does nothing before [`open`](Self::open).
    pub fn new(deck: &Deck, number: usize, disguise: Disguise, script: &str, waits: bool) -> Self {
        let path = |name: &str| deck.workspace().join(format!("{name}{number}"));
        let [inner, hop, outer, out, gate, done] = ["inner", "hop", "outer", "out", "gate", "done"].map(path);
        let shown = |path: &Path| path.display().to_string();
        let wait = if waits { format!("until [ -e {} ]; do sleep 0.05; done", shown(&gate)) } else { String::new() };
        let body = format!("{{\n{script}\n}} >{0} 2>&1\nmv {0} {1}", shown(&out), shown(&done));
        let first = if disguise.hops {
            executable(&inner, &body);
            executable(&hop, &format!("trap '' HUP\n{wait}\nsetsid --fork {}", shown(&inner)));
            hop
        } else {
            executable(&inner, &format!("trap '' HUP\n{wait}\n{body}"));
            inner
        };
        executable(&outer, &disguise.template.replace("{env}", &environment(deck)).replace("{}", &shown(&first)));
        Scene { outer, gate, done }
    }

    pub fn open(&self) {
        fs::write(&self.gate, "").unwrap();
    }

    /// What it said.
    #[track_caller]
    pub fn said(&self, deck: &Deck, what: &str) -> String {
        deck.wait_until(&format!("the end of {what}"), SOON * 2, || fs::read_to_string(&self.done).ok())
    }
}

/// What a process needs to find the hub, as words for `env`.
fn environment(deck: &Deck) -> String {
    let command = deck.command(&[]);
    let pairs = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
    pairs.map(|(name, value)| format!("{name}={value} ")).collect()
}

pub fn executable(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}
