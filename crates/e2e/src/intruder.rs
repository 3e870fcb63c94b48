//! Another process of a user who is not root, which tries to get into those that speak for this user: root may do anything.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Deck;

/// A user without any rights.
const NOBODY: u32 = 65534;

/// What every script begins with.
const WAYS: &str = r#"import ctypes, json, os, subprocess, sys
flightdeck, found, *others = sys.argv[1:]
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

def below_a_debugger(program, *args):
    pid = os.fork()
    if pid == 0:
        libc.ptrace(0, 0, None, None)  # PTRACE_TRACEME
        os.execv(program, [program, *args])
    while True:
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        stopped = os.WSTOPSIG(status)
        libc.ptrace(7, pid, None, 0 if stopped == 5 else stopped)  # PTRACE_CONT

def ask(*args):
    return json.loads(subprocess.run([flightdeck, *args], stdout=subprocess.PIPE).stdout)

"#;

/// Runs a script in Python as that user, with the deck's programs and environment. `others`: programs that it needs beside
/// `flightdeck`. In the script `open_to_us(pid)` lists the ways into a process, `below_a_debugger(program, …)` gives the exit
/// code of one that is traced, and what it leaves in `answers` is the result.
pub fn intrude(deck: &Deck, script: &str, others: &[&Path]) -> Value {
    // Where the tests are built may be closed to others.
    let here = |program: &Path| {
        let copy = deck.workspace().join(program.file_name().expect("a program has a name"));
        fs::copy(program, &copy).expect("a program can be copied");
        copy
    };
    let mut programs = vec![here(Path::new(deck.command(&[]).get_program()))];
    let (file, found) = (deck.workspace().join("intruder.py"), deck.workspace().join("found"));
    programs.push(found.clone());
    programs.extend(others.iter().map(|program| here(program)));
    let end = "\nwith open(found, \"w\") as file:\n    json.dump(answers, file)\n";
    fs::write(&file, [WAYS, script, end].concat()).expect("a script");
    let mut command = Command::new("python3");
    if rustix::process::geteuid().is_root() {
        give_away(deck.workspace().parent().expect("the folder of the deck"));
        command = Command::new("setpriv");
        command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")]);
        command.args(["--clear-groups", "--", "python3"]);
    }
    let flightdeck = deck.command(&[]);
    command.arg(&file).args(&programs).env_clear().current_dir(deck.workspace());
    command.envs(flightdeck.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&fs::read_to_string(&found).expect("what it found")).expect("JSON")
}

/// Gives a folder and all in it to the user without rights.
fn give_away(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root gives anything away");
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            give_away(&entry.path());
        } else {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("root gives anything away");
        }
    }
}
