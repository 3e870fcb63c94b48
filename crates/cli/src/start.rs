//! `flightdeck serve`: makes sure that a keeper is there, and asks it for the hub, which it starts itself.
//!
//! In the background that is all. In the foreground this process stays, shows what the hub logs, and ends it when it is
//! ended itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::net::IpAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use flightdeck_client::Client;
use flightdeck_contract::hub::{Empty, Link, Status};
use flightdeck_core::{OpenError, Workspace};
use flightdeck_keeper::{ClientError, Exit, HubStart, Refusal, StartedHub, launch, start_hub};
use rustix::fs::inotify;
use rustix::process::{Pid, Signal, kill_process};
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::{Serve, TabsBackend};
use crate::find::{actor, program};
use crate::{serve, style};

/// How long a keeper may take to start.
const KEEPER_START: Duration = Duration::from_secs(10);
/// How long a keeper may take to make way for another one.
const KEEPER_LEAVES: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// What the file says of one look is read piece by piece.
const PIECE: usize = 16 << 10;

/// What the hub is told by whoever starts it. It travels through the keeper, which may be older, as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct HubOptions {
    /// What tabs run in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabs_backend: Option<TabsBackend>,
    /// The session of the user's tmux that tabs are opened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tmux_attach: Option<String>,
    /// Whether containers are served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge: Option<BridgeOption>,
}

/// Containers are served.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BridgeOption {
    /// Elsewhere than the settings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
}

impl HubOptions {
    fn of(serve: &Serve) -> Self {
        HubOptions {
            tabs_backend: serve.tabs.tabs_backend,
            tmux_attach: serve.tabs.tmux_attach.clone(),
            bridge: serve.bridge.map(|address| BridgeOption { address }),
        }
    }
}

impl std::str::FromStr for HubOptions {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text)
    }
}

/// Starts the hub of a workspace.
pub fn serve(workspace: Workspace, serve: &Serve) -> anyhow::Result<ExitCode> {
    let options = HubOptions::of(serve);
    workspace.create()?;
    let log = workspace.hub_log();
    let from = std::fs::metadata(&log).map_or(0, |meta| meta.len());
    let start =
        HubStart { program: program()?, options: serde_json::to_string(&options)?, foreground: !serve.background };
    match ask_keeper(&workspace, &start) {
        Ok(_) if serve.background => Ok(ExitCode::SUCCESS),
        Ok(hub) if hub.is_new() => attend(&workspace, hub, &mut Tail::new(&log, from)?),
        Ok(_) => Err(OpenError::AlreadyServed(workspace.root().to_owned()).into()),
        // A keeper from before there was this request: hubs dial it, and have to go on with it or lose its terminals.
        Err(ClientError::Refused(Refusal::Unsupported { .. })) => {
            serve::hub(workspace, options, serve::Keeper::Older { background: serve.background })?;
            Ok(ExitCode::SUCCESS)
        }
        Err(ClientError::Refused(Refusal::HubFailed { .. })) => {
            // Whoever started this in the background reads the log.
            if !serve.background {
                Tail::new(&log, from)?.show()?;
            }
            Ok(ExitCode::FAILURE)
        }
        Err(error) => Err(error.into()),
    }
}

/// Asks the keeper, which is started if there is none.
fn ask_keeper(workspace: &Workspace, start: &HubStart) -> Result<StartedHub, ClientError> {
    let socket = workspace.keeper_socket();
    let mut deadline = None;
    loop {
        match start_hub(&socket, start) {
            Err(ClientError::Connect { .. }) => launch_keeper(workspace, start)?,
            // One that ends makes way for the next one. Before it said so, it may have waited for the end of its hub.
            Err(
                ClientError::Refused(Refusal::OtherProgram { leaving: true, .. } | Refusal::MakesWay)
                | ClientError::Closed
                | ClientError::Io(_),
            ) if Instant::now() < *deadline.get_or_insert_with(|| Instant::now() + KEEPER_LEAVES) => {
                std::thread::sleep(LOOK_EVERY);
            }
            other => return other,
        }
    }
}

/// Ends a keeper, with all that it holds, that starts no hub for this program: it was started by another one, or the process
/// beside it that starts hubs was killed.
pub fn end_unusable_keeper(workspace: &Workspace) -> anyhow::Result<()> {
    let socket = workspace.keeper_socket();
    let start = HubStart { program: program()?, options: "{}".to_owned(), foreground: false };
    let started = start_hub(&socket, &start);
    let Err(ClientError::Refused(Refusal::OtherProgram { pid, .. } | Refusal::HubNotStarted { pid, .. })) = started
    else {
        // It starts one, or it is of an older release, which hubs dial.
        return Ok(());
    };
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).context("the process of the keeper is unknown")?;
    // One that makes way is gone already.
    let _gone = kill_process(pid, Signal::TERM);
    let deadline = Instant::now() + KEEPER_LEAVES;
    while socket.exists() {
        if Instant::now() > deadline {
            bail!("the keeper (process {pid}) is still there {} s after SIGTERM", KEEPER_LEAVES.as_secs());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

fn launch_keeper(workspace: &Workspace, start: &HubStart) -> Result<(), ClientError> {
    let (socket, log) = (workspace.keeper_socket(), workspace.hub_log());
    let mut args: Vec<&OsStr> = vec!["keeper".as_ref(), "--socket".as_ref(), socket.as_os_str()];
    args.extend(["--state".as_ref(), workspace.state().as_os_str()]);
    args.extend(["--hub-log".as_ref(), log.as_os_str(), "--root".as_ref(), workspace.root().as_os_str()]);
    if !start.foreground {
        // It need not wait until it is asked. One in the foreground belongs to who asks.
        args.extend(["--start".as_ref(), OsStr::new(&start.options)]);
    }
    launch(&start.program, &args, &socket, KEEPER_START)
}

/// Shows the hub's log until the hub has ended, and ends it by Ctrl-C.
fn attend(workspace: &Workspace, hub: StartedHub, log: &mut Tail) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let stop = hub.stop()?;
        let mut ended = tokio::task::spawn_blocking(move || hub.wait());
        let follower = log.try_clone()?;
        log.show()?;
        std::thread::spawn(move || follower.follow());
        greet(workspace.clone()).await;
        loop {
            tokio::select! {
                ended = &mut ended => return anyhow::Ok(ended?),
                _ = interrupt.recv() => stop.stop()?,
                _ = terminate.recv() => stop.stop()?,
            }
        }
    });
    // Nobody may be left to show the last lines to.
    let _ = log.show();
    match ended? {
        Ok(Exit::Code(0)) => Ok(ExitCode::SUCCESS),
        Ok(exit) => bail!("the hub was lost ({exit}); its log {} may say why", workspace.hub_log().display()),
        Err(ClientError::Closed) => bail!("the keeper was lost, and all terminals with it"),
        Err(error) => Err(error.into()),
    }
}

/// The hub's log, as it grows.
struct Tail {
    file: File,
    path: std::path::PathBuf,
}

impl Tail {
    fn new(path: &Path, from: u64) -> anyhow::Result<Self> {
        let mut file = File::open(path).with_context(|| format!("the hub's log {}", path.display()))?;
        file.seek(SeekFrom::Start(from))?;
        Ok(Tail { file, path: path.to_owned() })
    }

    /// The same place in the same file: what one has shown, the other does not show again.
    fn try_clone(&self) -> std::io::Result<Tail> {
        Ok(Tail { file: self.file.try_clone()?, path: self.path.clone() })
    }

    /// Shows what comes, until that is not possible any more.
    fn follow(mut self) {
        let Ok(watch) = inotify::init(inotify::CreateFlags::CLOEXEC) else { return };
        let watched = inotify::add_watch(&watch, &self.path, inotify::WatchFlags::MODIFY);
        // What has come before it was watched is shown at once.
        while watched.is_ok() && self.show().is_ok() {
            if rustix::io::read(&watch, &mut [0; 4096]).is_err() {
                return;
            }
        }
    }

    /// Shows what has come.
    fn show(&mut self) -> std::io::Result<()> {
        let mut piece = [0; PIECE];
        loop {
            match self.file.read(&mut piece)? {
                0 => return Ok(()),
                read => std::io::stderr().write_all(&piece[..read])?,
            }
        }
    }
}

/// Says what serves and where. Whoever may not see that goes without.
pub async fn greet(workspace: Workspace) {
    let Ok(client) = Client::connect(&workspace.socket(), &actor()).await else { return };
    let Ok(status) = client.call::<Status>("flightdeck.hub.status", &Empty {}).await else { return };
    let style = style::stderr();
    eprintln!("{} {} serves {}", style.bold("Flightdeck"), status.version, style.bold(&status.workspace));
    eprintln!("  socket     {}", status.socket);
    if let Some(http) = &status.http {
        eprintln!("  http       {}", http.url);
    }
    if let Some(bridge) = &status.bridge {
        eprintln!("  bridge     {}  (token in {})", bridge.address, bridge.token_file);
    }
    eprintln!("  terminals  {} running, {} in all", status.running, status.terminals);
    if let Some(problem) = &status.settings_problem {
        eprintln!("  {}   {problem}", style.yellow("settings"));
    }
    for problem in &status.database {
        eprintln!("  {}   {}: {}", style.red("database"), problem.text, problem.hint);
    }
    eprintln!("  {}", style.dim("Ctrl-C ends the hub; the terminals go on. `flightdeck stop --all` ends everything."));
    // Only a person gets one.
    if let Ok(link) = client.call::<Link>("flightdeck.hub.link", &Empty {}).await {
        eprintln!("  The workbench, for one browser within two minutes (`flightdeck open` makes another link):");
        eprintln!("{}", link.url);
    }
}
