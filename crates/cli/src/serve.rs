//! The hub's own process, and the keeper's.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use flightdeck_core::{Hub, Loaded, OpenError, Settings, Stop, TabBackend, Workspace};
use flightdeck_keeper::{HubProgram, KeeperOptions};
use flightdeck_server::acp::Acp;
use flightdeck_server::control::Listener;
use flightdeck_server::http::Http;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::args::{self, TabsBackend};
use crate::find::program;
use crate::start::{self, HubOptions};

/// How long a keeper without terminals waits for a hub before it ends.
const KEEPER_IDLE: Duration = Duration::from_secs(30);

/// How long work on threads of its own may take to end after the hub has.
const LAST_WORK: Duration = Duration::from_secs(1);

/// The keeper of a hub.
#[derive(Debug)]
pub enum Keeper {
    /// It has started this hub, and speaks with it over this channel.
    Own(UnixStream),
    /// It is of an older release, and hubs dial it.
    Older {
        /// The hub leaves the terminal that it was started from.
        background: bool,
    },
}

/// Runs the hub that a keeper has started.
pub fn by_keeper(root: &Path, options: HubOptions) -> anyhow::Result<()> {
    // Before anything is started that would inherit it.
    let channel = flightdeck_keeper::inherited_channel().context("the channel to the keeper")?;
    hub(Workspace::at(root)?, options, Keeper::Own(channel))
}

/// Runs the hub until it is asked to stop.
pub fn hub(workspace: Workspace, options: HubOptions, keeper: Keeper) -> anyhow::Result<()> {
    let HubOptions { tabs_backend, tmux_attach, bridge } = options;
    // It must outlive the terminal it was started from, and the agent's client that ends all that it has started.
    let mut ready = match &keeper {
        Keeper::Older { background: true } => Some(flightdeck_keeper::leave_parent()?),
        _ => None,
    };
    let foreground = matches!(keeper, Keeper::Older { background: false });
    raise_file_limit();
    speak();
    let Loaded { mut settings, problem } = Settings::load_or_keep(&Settings::path(), &workspace.good_settings());
    if let Some(backend) = tabs_backend {
        settings.tabs.backend = match backend {
            TabsBackend::Auto => TabBackend::Auto,
            TabsBackend::Tmux => TabBackend::Tmux,
            TabsBackend::Pty => TabBackend::Pty,
        };
    }
    if let Some(bridge) = bridge {
        settings.bridge.enabled = true;
        settings.bridge.address = bridge.address.unwrap_or(settings.bridge.address);
    }
    if let Some(session) = tmux_attach {
        settings.tabs.tmux_attach = Some(session);
        // What was said now is above what was set before.
        if tabs_backend.is_none() {
            settings.tabs.backend = TabBackend::Tmux;
        }
    } else if tabs_backend.is_some_and(|backend| matches!(backend, TabsBackend::Pty)) {
        settings.tabs.tmux_attach = None;
    }
    if let Some(problem) = settings.tabs.attach_problem() {
        anyhow::bail!("{problem}");
    }
    // One worker: a keystroke then passes through without a hop between threads, which costs more than its handling.
    // Whatever reads or writes a lot is done on threads of its own.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let ended = runtime.block_on(async {
        // Before anybody is told that it serves: whoever ends it at once ends it in order.
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut told = None;
        let connected = Hub::open(workspace, settings, |workspace| {
            let (requests, events) = match keeper {
                Keeper::Own(channel) => {
                    let connected = flightdeck_keeper::over(channel)?;
                    told = Some(connected.0.clone());
                    connected
                }
                Keeper::Older { .. } => flightdeck_keeper::connect(&workspace.keeper_socket())?,
            };
            Ok((requests, events))
        });
        let hub = match connected {
            // Two callers started a hub at the same moment: the other one serves.
            Err(OpenError::AlreadyServed(_)) if !foreground => return anyhow::Ok(None),
            other => other?,
        };
        if let Some(problem) = problem {
            hub.settings_are_wrong(problem);
        }
        hub.converse_by(Arc::new(Acp::new(program().context("where Flightdeck itself is")?)));
        flightdeck_server::window::serve(&hub);
        flightdeck_server::bridge::serve_container(&hub);
        let http = http(&hub).await?;
        let bridge = match flightdeck_server::bridge::serve_host(&hub).await {
            // The settings are those of all workspaces, and only one hub can have the port.
            Err(error) if bridge.is_none() => {
                hub.settings_are_wrong(format!("containers are not served: {error}"));
                None
            }
            other => other.context("the bridge for containers")?,
        };
        let listener = Listener::bind(&hub.workspace().socket())
            .with_context(|| format!("the socket {} can't be made", hub.workspace().socket().display()))?;
        if let Some(ready) = ready.take() {
            ready.tell_ready();
        }
        if foreground {
            tokio::spawn(start::greet(hub.workspace().clone()));
        }
        if let Some(keeper) = told {
            tokio::task::spawn_blocking(move || keeper.serving()).await?.context("the keeper")?;
        }
        let tended = tokio::spawn(Arc::clone(&hub).tend());
        let serving = async {
            match &http {
                Some(http) => http.serve().await,
                None => std::future::pending().await,
            }
        };
        let asked = async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            hub.ask_to_stop(Stop::Hub);
            std::future::pending::<()>().await;
        };
        let bridged = async {
            match &bridge {
                Some(bridge) => bridge.serve(&hub).await,
                None => std::future::pending().await,
            }
        };
        let mut serving = Box::pin(serving);
        tokio::select! {
            () = bridged => {}
            () = listener.serve(Arc::clone(&hub)) => {}
            () = &mut serving => {}
            () = asked => {}
            ended = tended => { ended?; }
        }
        // The port first: the next hub of this workspace wants the same one as soon as it has the lock.
        if let Some(http) = &http {
            http.close();
            serving.as_mut().await;
        }
        drop(serving);
        drop(http);
        drop(bridge);
        let closing = Arc::clone(&hub);
        tokio::task::spawn_blocking(move || closing.close()).await?;
        drop(listener);
        if hub.leave_runtime_folder() {
            hub.workspace().unclaim();
        }
        // Answers that are on their way, such as the one to `stop`, still go out.
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(Some(hub))
    })?;
    // Nothing of this hub may still write when the next one has the lock, which goes with it.
    runtime.shutdown_timeout(LAST_WORK);
    drop(ended);
    Ok(())
}

/// Listens for HTTP, unless the user wants none.
async fn http(hub: &Arc<Hub>) -> anyhow::Result<Option<Http>> {
    let wanted = &hub.settings().http;
    if !wanted.enabled {
        return Ok(None);
    }
    let http = Http::bind(Arc::clone(hub), wanted.into()).await?;
    let logins = Arc::clone(http.logins());
    hub.serves_http(flightdeck_core::Http {
        url: http.url().to_owned(),
        token_file: http.token_file().to_owned(),
        new_link: Box::new(move || logins.new_link()),
    });
    Ok(Some(http))
}

/// What the hub says of itself goes to standard error, which is its log file when it runs in the background.
fn speak() {
    let level = std::env::var("FLIGHTDECK_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::INFO);
    // The SDK of MCP tells of every message that it gets.
    let targets = Targets::new().with_default(level).with_target("rmcp", level.min(LevelFilter::ERROR));
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        // The log may be on a full disk; complaining about that to the same file would end in a panic.
        .log_internal_errors(false)
        .with_target(false)
        .finish()
        .with(targets);
    // It fails only when it was done before.
    let _ = subscriber.try_init();
}

/// Runs the keeper. Called before anything else makes a thread.
pub fn keeper(keeper: args::Keeper) -> anyhow::Result<()> {
    let args = ["serve".into(), keeper.root.into_os_string(), "--by-keeper".into()];
    let hub = HubProgram { program: program()?, args: args.into(), log: keeper.hub_log, start: keeper.start };
    let options = KeeperOptions {
        socket: keeper.socket,
        idle_exit: KEEPER_IDLE,
        build: env!("CARGO_PKG_VERSION").to_owned(),
        state: Some(keeper.state),
        hub: Some(hub),
    };
    Ok(flightdeck_keeper::run(options)?)
}

/// Each terminal holds a descriptor in the hub; the usual limit of 1024 is too low for a thousand of them.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // Without it there is room for fewer terminals, and starting one too many says so.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}
