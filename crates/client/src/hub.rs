//! The hub of a folder: found, or started in the background when there is none.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use flightdeck_contract::workspace::Workspace;
use flightdeck_contract::{TERMINAL_VARIABLE, WORKSPACE_VARIABLE};

use crate::{Client, Error, leftovers};

/// How long a hub may take to start.
const START: Duration = Duration::from_secs(15);
/// A log that is longer begins anew; the last one is kept.
const LOG_BYTES: u64 = 1 << 20;
const LOOK: Duration = Duration::from_millis(2);

/// The hub of one workspace.
#[derive(Clone, Debug)]
pub struct Hub {
    workspace: Workspace,
    /// Where it listens, if that is elsewhere than the workspace says.
    socket: Option<PathBuf>,
    program: PathBuf,
    args: Vec<String>,
    /// What this process has in its environment for itself alone.
    private: Vec<&'static str>,
    /// Why none is started.
    unwanted: Option<String>,
}

impl Hub {
    /// The hub that serves this workspace, or will.
    pub fn of(workspace: Workspace) -> Self {
        Hub {
            socket: None,
            workspace,
            program: PathBuf::from("flightdeck"),
            args: Vec::new(),
            private: Vec::new(),
            unwanted: None,
        }
    }

    /// The same, found at a socket that is elsewhere than this process's environment says.
    pub fn at(workspace: Workspace, socket: PathBuf) -> Self {
        Hub { socket: Some(socket), ..Hub::of(workspace) }
    }

    /// Where it listens now. A hub that was started with another environment may have come meanwhile.
    pub fn socket(&self) -> PathBuf {
        self.socket.clone().unwrap_or_else(|| self.found().socket())
    }

    /// The program that is started when there is none; `flightdeck` on the PATH otherwise.
    #[must_use]
    pub fn started_by(mut self, program: PathBuf) -> Self {
        self.program = program;
        self
    }

    /// A variable that a hub which is started from here does not get, and so none of its terminals.
    #[must_use]
    pub fn started_without(mut self, variable: &'static str) -> Self {
        self.private.push(variable);
        self
    }

    /// What a hub is told that is started from here. One that runs already keeps to what it was told.
    #[must_use]
    pub fn started_with(mut self, args: Vec<String>) -> Self {
        self.args = args;
        self
    }

    /// The same, but none is started, for this reason.
    #[must_use]
    pub fn not_started(mut self, why: String) -> Self {
        self.unwanted = Some(why);
        self
    }

    /// Its workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The workspace as it is noted now.
    fn found(&self) -> Workspace {
        Workspace::at(self.workspace.root()).unwrap_or_else(|_| self.workspace.clone())
    }

    /// Whether one answers.
    pub fn is_there(&self) -> bool {
        UnixStream::connect(self.socket()).is_ok()
    }

    /// Connects to it if it is there.
    pub async fn connect(&self, actor: &str) -> Result<Option<Client>, Error> {
        if self.is_there() { Client::connect(&self.socket(), actor).await.map(Some) } else { Ok(None) }
    }

    /// How many terminals run on without it.
    pub fn left_running(&self) -> usize {
        if self.is_there() { 0 } else { leftovers::running(&self.found()) }
    }

    /// Connects to it for a look: one is started only where the last one was lost and has left something behind that runs.
    pub async fn connect_to_look(&self, actor: &str) -> Result<Option<Client>, Error> {
        if self.is_there() || leftovers::of_lost_hub(&self.found()) {
            // Somebody wanted it before.
            return Hub { unwanted: None, ..self.clone() }.connect_or_start(actor).await.map(Some);
        }
        Ok(None)
    }

    /// Connects to it, starting it if need be.
    pub async fn connect_or_start(&self, actor: &str) -> Result<Client, Error> {
        let deadline = Instant::now() + START;
        loop {
            if !self.is_there() {
                // Whoever waits has other things to do, such as to look whether it is still wanted.
                let hub = self.clone();
                let started = tokio::task::spawn_blocking(move || hub.start()).await;
                started.map_err(|error| Error::Start(error.to_string()))??;
            }
            match Client::connect(&self.socket(), actor).await {
                // A hub that is about to end may still take a connection, and drops it: the next one will answer.
                Err(Error::Io(_) | Error::Gone) if Instant::now() < deadline => tokio::time::sleep(LOOK).await,
                other => return other,
            }
        }
    }

    /// Starts it in the background and waits until it answers. Blocks for some milliseconds, and for 15 s where it does not.
    pub fn start(&self) -> Result<(), Error> {
        if let Some(why) = &self.unwanted {
            return Err(Error::Unwanted(why.clone()));
        }
        let workspace = self.found();
        workspace.create().map_err(|error| Error::Start(error.to_string()))?;
        let log = workspace.hub_log();
        if std::fs::metadata(&log).is_ok_and(|meta| meta.len() > LOG_BYTES) {
            // Without it the log grows on.
            let _ = std::fs::rename(&log, log.with_extension("log.old"));
        }
        let messages = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&log)
            .map_err(|error| Error::Start(format!("its log {} can't be written: {error}", log.display())))?;
        let before = messages.metadata()?.len();
        let mut child = self.spawn(&messages)?;
        let deadline = Instant::now() + START;
        while !self.is_there() {
            match child.try_wait()? {
                Some(status) if !status.success() && !self.is_there() => {
                    return Err(Error::Start(said_since(&log, before)));
                }
                // It found another one: just started, which will answer, or about to end, which will not.
                Some(_) if !self.is_there() => child = self.spawn(&messages)?,
                Some(_) | None => {}
            }
            if Instant::now() > deadline {
                let text = format!("no answer within {} s; its messages are in {}", START.as_secs(), log.display());
                return Err(Error::Start(text));
            }
            std::thread::sleep(LOOK);
        }
        // The hub has left what was started here, which ends now, and would stay as a zombie.
        while child.try_wait()?.is_none() && Instant::now() < deadline {
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    fn spawn(&self, messages: &File) -> Result<Child, Error> {
        let mut command = Command::new(&self.program);
        for variable in &self.private {
            command.env_remove(variable);
        }
        command
            .args(["serve", "--background"])
            .args(&self.args)
            .arg(self.workspace.root())
            // It belongs to no terminal, not even to the one that it may have been started in.
            .env_remove(TERMINAL_VARIABLE)
            .env_remove(WORKSPACE_VARIABLE)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(messages.try_clone()?)
            .spawn()
            .map_err(|error| Error::Start(format!("{} can't be run: {error}", self.program.display())))
    }
}

/// What a log says from here on.
fn said_since(log: &Path, from: u64) -> String {
    let mut said = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut said)
    });
    match read {
        Ok(_) if !said.is_empty() => String::from_utf8_lossy(&said).trim().to_owned(),
        _ => format!("it ended at once; its messages are in {}", log.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_that_failed_tells_its_own_messages_only() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("hub.log");
        std::fs::write(&log, "old words\n").unwrap();
        assert!(said_since(&log, 10).contains("hub.log"));
        std::fs::write(&log, "old words\nnew words\n").unwrap();
        assert_eq!(said_since(&log, 10), "new words");
    }
}
