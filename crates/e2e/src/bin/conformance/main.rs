//! The server that the official conformance suite of MCP is pointed at.
//!
//! It is our HTTP and our MCP over a hub of its own, plus the tools, prompts and resources of certain names that the
//! suite's scenarios need. It asks for no token, because the suite has none to give, and so it holds nothing of worth.
//!
//! ```text
//!   flightdeck-conformance [--port N]      the address is the first line of its output
//! ```

mod fixture;
mod materials;
mod prompts;
mod rounds;
mod tools;

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use flightdeck_core::{Hub, Settings, Workspace};
use flightdeck_keeper::{ClientError, Events, KeeperOptions, Requests};
use flightdeck_server::http::{Access, Http, HttpOptions};
use rustix::process::{Signal, set_parent_process_death_signal};
use tokio::signal::unix::{SignalKind, signal};

use fixture::Fixture;

/// The folder of everything this server makes; set when the process has begun anew in it.
const HOME: &str = "FLIGHTDECK_CONFORMANCE_HOME";
const KEEPER_START: Duration = Duration::from_secs(10);
/// A keeper without a hub has nothing to wait for here.
const KEEPER_IDLE: Duration = Duration::from_millis(200);

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let port = match args.as_slice() {
        ["keeper", "--socket", socket] => return keeper(Path::new(socket)),
        [] => 0,
        ["--port", port] => port.parse().context("a port is a number")?,
        other => bail!("unknown arguments: {other:?}"),
    };
    match std::env::var_os(HOME) {
        Some(home) => serve(&PathBuf::from(home), port),
        None => begin_anew(&args),
    }
}

/// Starts this program again in place of itself, with all places for files in one new folder.
fn begin_anew(args: &[&str]) -> anyhow::Result<()> {
    let home = tempfile::Builder::new().prefix("fd").tempdir_in("/tmp")?;
    for part in ["w", "r", "s"] {
        std::fs::create_dir(home.path().join(part))?;
    }
    let mut again = Command::new(std::env::current_exe()?);
    // The folder is removed by the one who comes now.
    let home = home.keep();
    again.args(args).env(HOME, &home).env("XDG_RUNTIME_DIR", home.join("r")).env("XDG_STATE_HOME", home.join("s"));
    Err(again.exec().into())
}

fn serve(home: &Path, port: u16) -> anyhow::Result<()> {
    // Nobody else would end it when the suite's runner is killed.
    set_parent_process_death_signal(Some(Signal::TERM))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let served = runtime.block_on(async {
        let workspace = Workspace::at(&home.join("w"))?;
        let hub = Hub::open(workspace, Settings::default(), connect)?;
        let settings = HttpOptions {
            port: Some(port),
            access: Access::Open,
            extras: Some(Arc::new(Fixture::default())),
            ..HttpOptions::default()
        };
        let http = Http::bind(Arc::clone(&hub), settings).await?;
        let mut stdout = std::io::stdout();
        writeln!(stdout, "{}/mcp", http.url())?;
        stdout.flush()?;
        let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::select! {
            () = http.serve() => {}
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        http.close();
        http.serve().await;
        hub.close();
        Ok(())
    });
    drop(runtime);
    std::fs::remove_dir_all(home)?;
    served
}

fn keeper(socket: &Path) -> anyhow::Result<()> {
    let build = env!("CARGO_PKG_VERSION").to_owned();
    Ok(flightdeck_keeper::run(KeeperOptions { idle_exit: KEEPER_IDLE, build, ..KeeperOptions::new(socket) })?)
}

/// A keeper without a hub program serves whoever dials it, which is this process.
fn connect(workspace: &Workspace) -> Result<(Requests, Events), ClientError> {
    let program = std::env::current_exe().map_err(ClientError::Io)?;
    let socket = workspace.keeper_socket();
    let args: [&OsStr; 3] = ["keeper".as_ref(), "--socket".as_ref(), socket.as_os_str()];
    flightdeck_keeper::launch(&program, &args, &socket, KEEPER_START)?;
    flightdeck_keeper::connect(&socket)
}
