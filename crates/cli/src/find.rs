//! The hub that a command is for.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, bail};
use flightdeck_client::find::{self, Found};
use flightdeck_client::{Client, Hub};
use flightdeck_contract::workspace::project;
use flightdeck_core::{Settings, Workspace};

use crate::args::Tabs;
use crate::style;

/// After so long without an answer a person is told what is waited for.
pub const SILENCE: Duration = Duration::from_secs(3);

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

/// The workspace that is meant: the one given, or the project around the current folder.
pub fn workspace(given: Option<&Path>) -> anyhow::Result<Workspace> {
    let found = find::workspace(given)?;
    if found.unnamed {
        // The command line is read once.
        let _ = UNNAMED.set(found.workspace.root().to_owned());
    }
    Ok(found.workspace)
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
    workspace.root().ancestors().skip(1).find_map(find::served)
}

/// Why no hub is started for a workspace that nobody has named, if none is, as it goes on after "no hub serves it".
pub fn not_started(workspace: &Workspace) -> Option<String> {
    let why = project::too_broad(workspace.root()).filter(|_| is_unnamed(workspace))?;
    Some(format!("none is started, because {why}. {}", project::instead(workspace.root())))
}

fn is_unnamed(workspace: &Workspace) -> bool {
    UNNAMED.get().is_some_and(|root| root == workspace.root())
}

/// The hub of a workspace, which this very program starts. None is started for a folder that is too broad and was not named.
pub fn hub_of(workspace: &Workspace) -> anyhow::Result<Hub> {
    let args = HUB_ARGS.get().cloned().unwrap_or_default();
    let found = Found { workspace: workspace.clone(), unnamed: is_unnamed(workspace) };
    Ok(found.hub().started_by(program()?).started_with(args))
}

/// Connects to the workspace's hub if there is one.
pub async fn running(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    Ok(impatient(workspace, hub_of(workspace)?.connect(&actor())).await?)
}

/// Connects to the workspace's hub for a look, which starts none.
pub async fn to_look(workspace: &Workspace) -> anyhow::Result<Option<Client>> {
    Ok(impatient(workspace, hub_of(workspace)?.connect_to_look(&actor())).await?)
}

/// Connects to the workspace's hub, starting it if need be.
pub async fn hub(workspace: &Workspace) -> anyhow::Result<Client> {
    let hub = hub_of(workspace)?;
    let was_there = hub.is_there();
    let client = impatient(workspace, hub.connect_or_start(&actor())).await?;
    if !was_there {
        warn_of_settings(workspace);
    }
    Ok(client)
}

/// Says what is wrong with the settings, to whoever has started a hub that could not take them.
pub fn warn_of_settings(workspace: &Workspace) {
    if let Some(problem) = Settings::load_or_keep(&Settings::path(), &workspace.good_settings()).problem {
        eprintln!("{} {problem}", style::stderr().yellow("flightdeck:"));
    }
}

/// Says so when a hub takes the connection and then says nothing, and goes on waiting.
async fn impatient<T>(workspace: &Workspace, connecting: impl Future<Output = T>) -> T {
    let mut connecting = std::pin::pin!(connecting);
    tokio::select! {
        connected = &mut connecting => return connected,
        () = tokio::time::sleep(SILENCE) => eprintln!("{}", silence(workspace)),
    }
    connecting.await
}

/// What to say of a hub that does not answer.
pub fn silence(workspace: &Workspace) -> String {
    format!(
        "{} the hub of {} has not answered for {} s: it is very busy, or it was stopped (SIGSTOP) and SIGCONT lets it go on; \
         still waiting",
        style::stderr().yellow("flightdeck:"),
        workspace.root().display(),
        SILENCE.as_secs()
    )
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
