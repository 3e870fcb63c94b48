//! A person who comes from another machine by ssh.

use std::cell::Cell;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use flightdeck_e2e::{Deck, SOON, try_until};
use serde_json::Value;

use super::shell::BuiltInShell;

/// Where sshd keeps those who are not logged in yet, when it runs as root. It can't be told otherwise.
const PRIVILEGE_SEPARATION: &str = "/run/sshd";
/// How often another port is tried where somebody else was faster.
const PORTS: usize = 10;

/// A server for logins on this machine alone, with keys of its own.
struct Sshd {
    child: Child,
    folder: PathBuf,
    port: u16,
    separation: Separation,
}

/// The folder where sshd keeps those who are not logged in yet. It goes with this if it was made here; another run of the tests
/// may have made it, and takes it away at any time.
#[derive(Default)]
struct Separation {
    is_made: Cell<bool>,
}

impl Separation {
    fn ensure(&self) {
        let is_root = rustix::process::geteuid().is_root();
        self.is_made.set(self.is_made.get() | (is_root && fs::create_dir(PRIVILEGE_SEPARATION).is_ok()));
    }
}

impl Drop for Separation {
    fn drop(&mut self) {
        if self.is_made.get() {
            let _ = fs::remove_dir(PRIVILEGE_SEPARATION);
        }
    }
}

impl Sshd {
    fn start(deck: &Deck) -> Self {
        let folder = deck.workspace().parent().unwrap().join("ssh");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        for name in ["host", "own"] {
            let key = folder.join(name);
            let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(key).status();
            assert!(made.unwrap().success());
        }
        fs::copy(folder.join("own.pub"), folder.join("authorized")).unwrap();
        let separation = Separation::default();
        for _ in 0..PORTS {
            separation.ensure();
            let free = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = free.local_addr().unwrap().port();
            drop(free);
            if let Some(child) = listen(&folder, port) {
                return Sshd { child, folder, port, separation };
            }
        }
        panic!("sshd does not listen:\n{}", messages(&folder));
    }

    /// Runs a script as a login on a terminal; what it printed.
    fn run(&self, deck: &Deck, script: &str) -> String {
        let known = format!("UserKnownHostsFile={}", self.folder.join("known").display());
        let login = || {
            self.separation.ensure();
            let mut ssh = Command::new("ssh");
            ssh.args(["-F", "/dev/null", "-tt", "-q", "-o", "StrictHostKeyChecking=no", "-o", &known, "-i"]);
            ssh.arg(self.folder.join("own")).args(["-p", &self.port.to_string(), "127.0.0.1", script]);
            let output = ssh.stdin(Stdio::null()).output().unwrap();
            // 255: ssh itself has failed, as it does on a machine that is too busy.
            (output.status.code() != Some(255)).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let said = try_until(SOON, login);
        said.unwrap_or_else(|| panic!("nobody could log in:\n{}\n{}", messages(&self.folder), deck.dump()))
    }
}

/// A server at this port, unless it can't have it.
fn listen(folder: &Path, port: u16) -> Option<Child> {
    let shown = folder.display();
    let config = format!(
        "ListenAddress 127.0.0.1\nPort {port}\nHostKey {shown}/host\nAuthorizedKeysFile {shown}/authorized\n\
         PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\n"
    );
    fs::write(folder.join("config"), config).unwrap();
    let log = File::create(folder.join("log")).unwrap();
    let mut command = Command::new("/usr/sbin/sshd");
    command.args(["-D", "-e", "-f"]).arg(folder.join("config")).stderr(log);
    let mut child = command.spawn().expect("openssh-server is installed");
    let listens = try_until(SOON, || {
        let has_ended = child.try_wait().unwrap().is_some();
        (has_ended || messages(folder).contains("Server listening")).then_some(!has_ended)
    });
    if listens == Some(true) {
        return Some(child);
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// What the server said.
fn messages(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_login_by_ssh_is_a_persons() {
    let deck = Deck::new();
    deck.start();
    let sshd = Sshd::start(&deck);
    let mut agent = BuiltInShell::start(&deck);
    let flightdeck = deck.command(&[]);
    let variables = flightdeck.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)));
    let variables: String = variables.map(|(name, value)| format!("{name}={value} ")).collect();
    let (folder, binary) = (deck.workspace(), flightdeck.get_program().to_str().unwrap().to_owned());
    let ask = format!("cd {}; env -i {variables} {binary} call flightdeck.approval.list '{{}}'", folder.display());
    let said = sshd.run(&deck, &ask);
    let answer: Value = serde_json::from_str(&said).unwrap_or_default();
    assert_eq!(answer["success"], true, "beside an agent: {said}");
    agent.leave();
    let said = sshd.run(&deck, &ask);
    let answer: Value = serde_json::from_str(&said).unwrap_or_default();
    assert_eq!(answer["success"], true, "after an agent: {said}");
}
