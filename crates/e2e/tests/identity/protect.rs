//! What decides for a person can't be looked into by other processes of the same user, and the hub knows people although
//! it may not look into theirs. All as a user who is not root: root may do anything.

use std::fs;
use std::os::unix::fs::chown;
use std::process::Command;

use flightdeck_e2e::Deck;
use serde_json::{Value, json};

/// A user without any rights.
const NOBODY: u32 = 65534;

/// Starts a hub and `approve --watch`, and tries to get into each.
const INTRUDER: &str = r#"
import ctypes, json, os, subprocess, sys
flightdeck, found = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)

def open_to_us(pid):
    ways = []
    for name in ["environ", "mem", "fd/0"]:
        try:
            open(f"/proc/{pid}/{name}", "rb").close()
            ways.append(name)
        except OSError:
            pass
    if libc.ptrace(0x4206, pid, None, None) == 0:  # PTRACE_SEIZE
        ways.append("ptrace")
    pidfd = os.pidfd_open(pid)
    if libc.syscall(438, pidfd, 1, 0) >= 0:  # pidfd_getfd
        ways.append("pidfd_getfd")
    return ways

def below_a_debugger(*args):
    pid = os.fork()
    if pid == 0:
        libc.ptrace(0, 0, None, None)  # PTRACE_TRACEME
        os.execv(flightdeck, [flightdeck, *args])
    while True:
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        stopped = os.WSTOPSIG(status)
        libc.ptrace(7, pid, None, 0 if stopped == 5 else stopped)  # PTRACE_CONT

def ask(*args):
    return json.loads(subprocess.run([flightdeck, *args], stdout=subprocess.PIPE).stdout)

subprocess.run([flightdeck, "restart"], check=True, stdout=subprocess.DEVNULL)
status = ask("status", "--json")
watch = subprocess.Popen([flightdeck, "approve", "--watch", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
first = watch.stdout.readline()
free = subprocess.Popen(["sleep", "1000"], stdin=subprocess.PIPE)
answers = {"free": open_to_us(free.pid), "approve": open_to_us(watch.pid), "hub": open_to_us(status["pid"]),
           "keeper": open_to_us(status["keeperPid"]), "first": json.loads(first),
           "person": ask("call", "flightdeck.approval.list", "{}"), "traced": below_a_debugger("approve", "--list")}
free.kill()
watch.stdin.close()
watch.stdout.read()
watch.wait()
subprocess.run([flightdeck, "stop", "--all"], check=True, stdout=subprocess.DEVNULL)
with open(found, "w") as file:
    json.dump(answers, file)
"#;

#[test]
fn what_decides_for_a_person_lets_nobody_look_into_it() {
    let deck = Deck::new();
    let binary = deck.workspace().join("flightdeck");
    // Where the tests are built may be closed to others.
    fs::copy(deck.command(&[]).get_program(), &binary).unwrap();
    let (script, found) = (deck.workspace().join("intruder.py"), deck.workspace().join("found"));
    fs::write(&script, INTRUDER).unwrap();
    let mut command = Command::new("python3");
    if rustix::process::geteuid().is_root() {
        let folder = deck.workspace().parent().unwrap().to_owned();
        give_away(&folder);
        command = Command::new("setpriv");
        command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")]);
        command.args(["--clear-groups", "--", "python3"]);
    }
    let flightdeck = deck.command(&[]);
    command.arg(&script).arg(&binary).arg(&found).env_clear().current_dir(deck.workspace());
    command.envs(flightdeck.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers: Value = serde_json::from_str(&fs::read_to_string(&found).unwrap()).unwrap();
    assert!(answers["free"].as_array().unwrap().contains(&json!("environ")), "a control: {answers}");
    for process in ["approve", "hub", "keeper"] {
        assert_eq!(answers[process], json!([]), "{process}: {answers}");
    }
    assert_eq!(answers["person"]["success"], true, "{answers}");
    assert_eq!(answers["traced"], 1, "below a debugger it does not begin: {answers}");
}

/// Gives a folder and all in it to the user without rights.
fn give_away(path: &std::path::Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            give_away(&entry.path());
        } else {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
}
