//! The hub identifies a caller when it connects. What has the number of that process later is not the caller.

use std::fs;
use std::process::Command;

use crate::programs::Programs;
use flightdeck_e2e::Deck;
use serde_json::Value;

/// Runs as the first process of a container for processes. It starts a hub, has a process connect to it that says nothing
/// and ends, gives the number of that process to another one that lives, and says hello only then.
const CALLER: &str = r#"
import json, os, socket, struct, subprocess, sys, time
flightdeck, found = sys.argv[1:]

def send(hub, message):
    body = b"\0" + json.dumps(message).encode()
    hub.sendall(struct.pack("<I", len(body)) + body)

def ask(hub):
    send(hub, {"type": "hello", "version": 2, "actor": "cli:somebody"})
    send(hub, {"type": "call", "id": 1, "command": "flightdeck.approval.list", "args": {}})
    read = b""
    while b'"id":1' not in read:
        more = hub.recv(65536)
        if not more:
            break
        read += more
    return json.loads(read[read.rindex(b'{"type"'):].split(b"\0")[0])

def connect():
    hub = socket.socket(socket.AF_UNIX)
    hub.connect(path)
    return hub

subprocess.run([flightdeck, "restart"], check=True, stdout=subprocess.DEVNULL)
status = subprocess.run([flightdeck, "status", "--json"], check=True, stdout=subprocess.PIPE).stdout
path = json.loads(status)["socket"]
answers = {"alive": ask(connect())}

# A process that connects, hands the connection on, and ends.
ours, theirs = socket.socketpair()
first = os.fork()
if first == 0:
    hub = connect()
    socket.send_fds(theirs, [b"x"], [hub.fileno()])
    os._exit(0)
_, fds, _, _ = socket.recv_fds(ours, 1, 1)
hub = socket.socket(fileno=fds[0])
os.waitpid(first, 0)

# Another process gets its number.
deadline = time.monotonic() + 60
while True:
    with open("/proc/sys/kernel/ns_last_pid", "w") as last:
        last.write(str(first - 1))
    heir = subprocess.Popen(["sleep", "1000"])
    if heir.pid == first:
        break
    heir.kill()
    heir.wait()
    assert time.monotonic() < deadline, "the number was not given again"
answers["reused"] = ask(hub)
heir.kill()
subprocess.run([flightdeck, "stop", "--all"], check=True, stdout=subprocess.DEVNULL)
with open(found + ".new", "w") as file:
    json.dump(answers, file)
os.rename(found + ".new", found)
"#;

#[test]
fn a_number_that_was_given_again_is_no_person() {
    let deck = Deck::new();
    let python = Programs::installed().folder.join("python/bin/python");
    let (caller, found) = (deck.workspace().join("caller.py"), deck.workspace().join("found"));
    fs::write(&caller, CALLER).unwrap();
    let flightdeck = deck.command(&[]);
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]);
    command.arg(python).arg(&caller).arg(flightdeck.get_program()).arg(&found);
    command.env_clear().current_dir(deck.workspace());
    command.envs(flightdeck.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Value = serde_json::from_str(&fs::read_to_string(&found).unwrap()).unwrap();
    assert_eq!(answers["alive"]["type"], "done", "{answers}");
    assert_eq!(answers["reused"]["error"]["code"], "not_allowed", "{answers}");
}
