//! Finding the hub of a folder, and starting one when there is none.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use flightdeck_contract::{TERMINAL_VARIABLE, WORKSPACE_VARIABLE};
use flightdeck_core::Workspace;

use crate::args::Tabs;
use crate::client::Client;

/// How long a hub may take to start.
const START: Duration = Duration::from_secs(15);
/// A log that is longer begins anew; the last one is kept.
const LOG_BYTES: u64 = 1 << 20;
const LOOK: Duration = Duration::from_millis(2);

/// What a hub is told that this program starts.
static HUB_ARGS: OnceLock<Vec<String>> = OnceLock::new();

/// Lets tabs run in this in a hub that is started from here. One that runs already keeps to what it was told.
pub fn start_with(tabs: &Tabs) {
    let backend = tabs.tabs_backend.map(|backend| format!("--tabs-backend={}", backend.word()));
    let attach = tabs.tmux_attach.as_ref().map(|session| format!("--tmux-attach={session}"));
    // The command line is read once.
    let _ = HUB_ARGS.set(backend.into_iter().chain(attach).collect());
}

/// The workspace that is meant: the one given, the nearest one upwards that is served, or the current folder.
pub fn workspace(given: Option<&Path>) -> anyhow::Result<Workspace> {
    if let Some(dir) = given {
        return Ok(Workspace::at(dir)?);
    }
    let here = std::env::current_dir().context("the current folder is gone")?;
    let served = here.ancestors().filter_map(|dir| Workspace::at(dir).ok()).find(is_served);
    served.map_or_else(|| Ok(Workspace::at(&here)?), Ok)
}

/// Connects to the workspace's hub if there is one.
pub async fn running(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    if is_served(workspace) { Ok(Some(Client::connect(&workspace.socket()).await?)) } else { Ok(None) }
}

/// Connects to the workspace's hub, starting it if need be.
pub async fn hub(workspace: &Workspace) -> anyhow::Result<Client> {
    let deadline = Instant::now() + START;
    loop {
        if !is_served(workspace) {
            start(workspace)?;
        }
        match Client::connect(&workspace.socket()).await {
            // A hub that is about to end may still take a connection, and drops it: the next one will answer.
            Err(error) if !error.is::<flightdeck_contract::Error>() && Instant::now() < deadline => {
                tokio::time::sleep(LOOK).await;
            }
            other => return other,
        }
    }
}

/// Starts a hub in the background and waits until it answers.
pub fn start(workspace: &Workspace) -> anyhow::Result<()> {
    workspace.create()?;
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
        .with_context(|| format!("the hub's log {} can't be written", log.display()))?;
    let mut child = spawn(workspace, &messages)?;
    let deadline = Instant::now() + START;
    while !is_served(workspace) {
        match child.try_wait()? {
            Some(status) if !status.success() && !is_served(workspace) => {
                bail!("the hub did not start: {}", std::fs::read_to_string(&log).unwrap_or_default().trim());
            }
            // It found another one: just started, which will answer, or about to end, which will not.
            Some(_) => child = spawn(workspace, &messages)?,
            None => {}
        }
        if Instant::now() > deadline {
            bail!("the hub did not answer within {} s; its messages are in {}", START.as_secs(), log.display());
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn spawn(workspace: &Workspace, messages: &File) -> anyhow::Result<Child> {
    Command::new(program()?)
        .args(["serve", "--background"])
        .args(HUB_ARGS.get().into_iter().flatten())
        .arg(workspace.root())
        // It belongs to no terminal, not even to the one that it may have been started in.
        .env_remove(TERMINAL_VARIABLE)
        .env_remove(WORKSPACE_VARIABLE)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(messages.try_clone()?)
        .spawn()
        .context("the hub can't be started")
}

/// This very program, even when its file was replaced since it was started.
pub fn program() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe().context("the path of this program is unknown")?;
    let replaced = path.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map(PathBuf::from);
    Ok(replaced.unwrap_or(path))
}

/// Whether a hub answers.
pub fn is_served(workspace: &Workspace) -> bool {
    UnixStream::connect(workspace.socket()).is_ok()
}
