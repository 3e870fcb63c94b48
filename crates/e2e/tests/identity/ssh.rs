//! A person who comes from another machine by ssh.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use flightdeck_e2e::{Deck, SOON};
use serde_json::Value;

use super::shell::BuiltInShell;

/// A server for logins on this machine alone, with keys of its own.
struct Sshd {
    child: Child,
    folder: PathBuf,
    port: u16,
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
        // As root it wants a folder for those who are not logged in yet.
        if rustix::process::geteuid().is_root() {
            fs::create_dir_all("/run/sshd").unwrap();
        }
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let shown = folder.display();
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {shown}/host\nAuthorizedKeysFile {shown}/authorized\n\
             PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nPasswordAuthentication no\n"
        );
        fs::write(folder.join("config"), config).unwrap();
        let mut command = Command::new("/usr/sbin/sshd");
        command.args(["-D", "-e", "-f"]).arg(folder.join("config")).stderr(Stdio::null());
        Sshd { child: command.spawn().expect("openssh-server is installed"), folder, port }
    }

    /// Runs a script as a login on a terminal; what it printed.
    fn run(&self, deck: &Deck, script: &str) -> String {
        let known = format!("UserKnownHostsFile={}", self.folder.join("known").display());
        let login = || {
            let mut ssh = Command::new("ssh");
            ssh.args(["-F", "/dev/null", "-tt", "-q", "-o", "StrictHostKeyChecking=no", "-o", &known, "-i"]);
            ssh.arg(self.folder.join("own")).args(["-p", &self.port.to_string(), "127.0.0.1", script]);
            let output = ssh.stdin(Stdio::null()).output().unwrap();
            // 255: it does not listen yet.
            (output.status.code() != Some(255)).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        deck.wait_until("a login", SOON, login)
    }
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
