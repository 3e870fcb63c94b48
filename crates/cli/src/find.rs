//! The hub that a command is for.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Context;
use flightdeck_client::{Client, Hub};
use flightdeck_core::Workspace;

use crate::args::Tabs;

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
    let served = here.ancestors().filter_map(|dir| Workspace::at(dir).ok()).find(|dir| Hub::of(dir.clone()).is_there());
    served.map_or_else(|| Ok(Workspace::at(&here)?), Ok)
}

/// The hub of a workspace, which this very program starts.
pub fn hub_of(workspace: &Workspace) -> anyhow::Result<Hub> {
    let args = HUB_ARGS.get().cloned().unwrap_or_default();
    Ok(Hub::of(workspace.clone()).started_by(program()?).started_with(args))
}

/// Connects to the workspace's hub if there is one.
pub async fn running(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    Ok(hub_of(workspace)?.connect(&actor()).await?)
}

/// Connects to the workspace's hub, starting it if need be.
pub async fn hub(workspace: &Workspace) -> anyhow::Result<Client> {
    Ok(hub_of(workspace)?.connect_or_start(&actor()).await?)
}

/// This very program, even when its file was replaced since it was started.
pub fn program() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe().context("the path of this program is unknown")?;
    let replaced = path.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map(PathBuf::from);
    Ok(replaced.unwrap_or(path))
}

/// Who this is, for the records.
pub fn actor() -> String {
    let user = std::env::var("USER").unwrap_or_else(|_| rustix::process::getuid().as_raw().to_string());
    format!("cli:{user}")
}

/// What the hub said, when that is why something failed.
pub fn refusal(error: &anyhow::Error) -> Option<&flightdeck_contract::Error> {
    error.downcast_ref().or_else(|| error.downcast_ref::<flightdeck_client::Error>()?.hub())
}
