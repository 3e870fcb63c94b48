//! The start of the server, which the keeper makes for the hub.
//!
//! tmux leaves its caller and becomes an orphan, and orphans of the keeper's children are the keeper's. So everything
//! that runs in tabs descends from the keeper, as what runs on its own terminals does, and can be told from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_keeper::{
    Exit, LogLimits, OsBytes, Output, Requests, SessionId, SpawnSpec, Target, parse_segment_name, segment_path,
};
use rustix::process::Signal;

use super::call::{PATIENCE, THEIRS, Words};
use super::{Tmux, TmuxError};
use crate::shell::RunId;

/// How the keeper's sessions begin that start a server.
const PREFIX: &str = "tmux-server-";
const LOOK: Duration = Duration::from_millis(2);

/// Whether a session of the keeper is the start of a server, and no terminal.
pub(crate) fn is_start(id: &SessionId) -> bool {
    id.as_str().starts_with(PREFIX)
}

impl Tmux {
    /// As `call`, made by the keeper.
    pub(super) fn call_by_keeper(
        &self,
        requests: &Requests,
        doing: &'static str,
        words: &Words,
    ) -> Result<(), TmuxError> {
        forget_others(requests)?;
        let id = RunId::random().map_err(TmuxError::io("no random number"))?;
        let id = SessionId::new(format!("{PREFIX}{id}")).expect("letters, digits and dashes, and few of them");
        let dir = Passing(self.setup.socket.with_file_name(id.as_str()));
        requests.spawn(&self.spec(&id, &dir.0, words))?;
        let exit = wait(requests, &id);
        if exit.is_err() {
            // The first error is the one to tell.
            let _ended = requests.signal(&id, Signal::KILL.as_raw(), Target::Group);
            let _ended = wait(requests, &id);
        }
        let said = said(&dir.0);
        // One that can't be ended is forgotten by the next start.
        let _runs = requests.forget(&id);
        match exit? {
            Exit::Code(0) => Ok(()),
            _ if !said.is_empty() => Err(TmuxError::Failed { doing, said }),
            Exit::Code(code) => Err(TmuxError::Failed { doing, said: format!("exit code {code}") }),
            Exit::Signal(signal) => Err(TmuxError::Failed { doing, said: format!("it was ended by signal {signal}") }),
        }
    }

    fn spec(&self, id: &SessionId, dir: &Path, words: &Words) -> SpawnSpec {
        let command = self.command();
        let argv = std::iter::once(command.get_program()).chain(command.get_args()).map(OsBytes::from);
        let env = std::env::vars_os().filter(|(name, _)| !THEIRS.iter().any(|theirs| name == theirs));
        SpawnSpec {
            id: id.clone(),
            argv: argv.chain(words.0.iter().map(|word| OsBytes::from(word.as_os_str()))).collect(),
            arg0: None,
            env: env.map(|(name, value)| (OsBytes::from(name.as_os_str()), OsBytes::from(value.as_os_str()))).collect(),
            cwd: OsBytes::from(Path::new("/").as_os_str()),
            output: Output::Pipes,
            log_dir: OsBytes::from(dir.as_os_str()),
            limits: LogLimits::default(),
            sandbox: None,
        }
    }
}

/// The folder for what it says, which goes in any case.
struct Passing(PathBuf);

impl Drop for Passing {
    fn drop(&mut self) {
        // It is in a folder that goes with the system's next start.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a hub left behind that died meanwhile.
fn forget_others(requests: &Requests) -> Result<(), TmuxError> {
    for other in requests.list()?.iter().filter(|info| is_start(&info.id) && info.exit.is_some()) {
        // Somebody else may just have done it.
        let _ = requests.forget(&other.id);
    }
    Ok(())
}

fn wait(requests: &Requests, id: &SessionId) -> Result<Exit, TmuxError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        // Told when all that it said is in the log.
        if let Some(exit) = requests.list()?.iter().find(|info| info.id == *id).and_then(|info| info.exit) {
            return Ok(exit);
        }
        if Instant::now() > deadline {
            return Err(TmuxError::NoAnswer(PATIENCE));
        }
        thread::sleep(LOOK);
    }
}

/// All that is in the log. It is a line or two.
fn said(dir: &Path) -> String {
    let names = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut bases: Vec<_> = names.filter_map(|entry| parse_segment_name(&entry.file_name())).collect();
    bases.sort_unstable();
    let bytes: Vec<u8> =
        bases.into_iter().flat_map(|base| fs::read(segment_path(dir, base)).unwrap_or_default()).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}
