//! The hub that a command is for.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use flightdeck_client::{Client, Hub};
use flightdeck_contract::workspace::project;
use flightdeck_core::Workspace;

use crate::args::Tabs;

/// What a hub is told that this program starts.
static HUB_ARGS: OnceLock<Vec<String>> = OnceLock::new();
/// The workspace that was found because none was named.
static UNNAMED: OnceLock<PathBuf> = OnceLock::new();

/// Lets tabs run in this in a hub that is started from here. One that runs already keeps to what it was told.
pub fn start_with(tabs: &Tabs) {
    let backend = tabs.tabs_backend.map(|backend| format!("--tabs-backend={}", backend.word()));
    let attach = tabs.tmux_attach.as_ref().map(|session| format!("--tmux-attach={session}"));
    // The command line is read once.
    let _ = HUB_ARGS.set(backend.into_iter().chain(attach).collect());
}

/// The workspace that is meant: the one given, or the project around the current folder. Within the project, a folder that
/// has a hub of its own comes first; what lies above the project never counts.
pub fn workspace(given: Option<&Path>) -> anyhow::Result<Workspace> {
    if let Some(dir) = given {
        return Ok(Workspace::at(dir)?);
    }
    let here = std::env::current_dir().context("the current folder is gone")?;
    let here = here.canonicalize().unwrap_or(here);
    let served = project::up_to_root(&here).find_map(|dir| served(&dir));
    let workspace = served.map_or_else(|| Workspace::at(project::root_of(&here)), Ok)?;
    // The command line is read once.
    let _ = UNNAMED.set(workspace.root().to_owned());
    Ok(workspace)
}

/// The folder that a hub is run for in the foreground, or why none is.
pub fn folder_to_serve(given: Option<PathBuf>) -> anyhow::Result<Workspace> {
    if let Some(dir) = given {
        return Ok(Workspace::at(&dir)?);
    }
    let workspace = workspace(None)?;
    match project::too_broad(workspace.root()) {
        Some(why) => bail!("{}", project::advice(workspace.root(), why)),
        None => Ok(workspace),
    }
}

/// The nearest folder above a workspace that has a hub, for people who may have meant that one.
pub fn served_above(workspace: &Workspace) -> Option<Workspace> {
    workspace.root().ancestors().skip(1).find_map(served)
}

fn served(dir: &Path) -> Option<Workspace> {
    Workspace::at(dir).ok().filter(|workspace| Hub::of(workspace.clone()).is_there())
}

/// The hub of a workspace, which this very program starts. None is started for a folder that is too broad and was not named.
pub fn hub_of(workspace: &Workspace) -> anyhow::Result<Hub> {
    let args = HUB_ARGS.get().cloned().unwrap_or_default();
    let hub = Hub::of(workspace.clone()).started_by(program()?).started_with(args);
    let unnamed = UNNAMED.get().is_some_and(|root| root == workspace.root());
    Ok(match project::too_broad(workspace.root()).filter(|_| unnamed) {
        Some(why) => hub.not_started(project::advice(workspace.root(), why)),
        None => hub,
    })
}

/// Connects to the workspace's hub if there is one.
pub async fn running(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    Ok(hub_of(workspace)?.connect(&actor()).await?)
}

/// Connects to the workspace's hub for a look, which starts none.
pub async fn to_look(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    Ok(hub_of(workspace)?.connect_to_look(&actor()).await?)
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
