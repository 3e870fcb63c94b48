//! The servers that are compared, and what each must be able to do so that they can be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use flightdeck_bench::room::{Room, program};

use crate::servers::{desktop_commander, flightdeck, floor, server_commands, terminalcp, tmux_mcp};
use flightdeck_bench::mcp::Client;

/// Waits for the end of its input, which comes even when the benchmark is killed. Flightdeck is asked to end what it
/// runs; then everything goes that has the room's mark in its environment: servers, their daemons, their shells.
const GUARD: &str = r#"
trap '' INT TERM HUP
read -r _
[ "$0" = none ] || "$0" --workspace "$1/w" stop --all >/dev/null 2>&1
tries=0
while [ $tries -lt 100 ]; do
    # Its status says nothing: some process always ends while it looks.
    files=$(grep -lszxF "FLIGHTDECK_BENCH_ROOM=$1" /proc/[0-9]*/environ)
    [ -n "$files" ] || { rm -rf "$1"; exit; }
    for file in $files; do
        pid=${file#/proc/}
        kill -KILL "${pid%/environ}" 2>/dev/null
    done
    tries=$((tries + 1))
    sleep 0.02
done
exit 1
"#;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Flightdeck,
    Floor,
    DesktopCommander,
    Terminalcp,
    TmuxMcp,
    ServerCommands,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Flightdeck, Kind::Floor, Kind::DesktopCommander, Kind::Terminalcp, Kind::TmuxMcp, Kind::ServerCommands];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Flightdeck => "flightdeck",
            Kind::Floor => "floor",
            Kind::DesktopCommander => "desktop-commander",
            Kind::Terminalcp => "terminalcp",
            Kind::TmuxMcp => "tmux-mcp",
            Kind::ServerCommands => "mcp-server-commands",
        }
    }

    pub fn is_peer(self) -> bool {
        !matches!(self, Kind::Flightdeck | Kind::Floor)
    }

    pub fn adapter(self) -> &'static dyn Adapter {
        match self {
            Kind::Flightdeck => &flightdeck::Adapter,
            Kind::Floor => &floor::Adapter,
            Kind::DesktopCommander => &desktop_commander::Adapter,
            Kind::Terminalcp => &terminalcp::Adapter,
            Kind::TmuxMcp => &tmux_mcp::Adapter,
            Kind::ServerCommands => &server_commands::Adapter,
        }
    }
}

/// How a server is spoken to.
pub trait Adapter: Sync {
    /// How it can run a command.
    fn ways(&self) -> &'static [Way];

    /// The programs that are the server itself and its daemons, as opposed to what it runs for others.
    fn programs(&self) -> anyhow::Result<Vec<PathBuf>>;

    fn command(&self, room: &Room) -> anyhow::Result<Command>;

    /// What should be there before the server is started, unless the start is what is measured.
    fn prepare(&self, _: &Room) -> anyhow::Result<()> {
        Ok(())
    }

    /// Opens a live shell. Only called with `Way::Live` among the ways.
    fn open(&self, client: &Client) -> anyhow::Result<Terminal>;

    /// Runs a command to its end.
    fn run(&self, client: &Client, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In a shell that stays.
    Live,
    /// In a process of its own, in the user's shell, which is bash.
    Fresh,
    /// In a process of its own, in `/bin/sh`, which is the faster one to start where it is not bash.
    FreshSh,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Way::Live => "live shell",
            Way::Fresh => "fresh process",
            Way::FreshSh => "fresh process, sh",
        }
    }

    /// The user's shell when commands are to run that way.
    fn shell(self) -> &'static str {
        match self {
            Way::Live | Way::Fresh => "/bin/bash",
            Way::FreshSh => "/bin/sh",
        }
    }
}

/// A live shell, by whatever name the server has for it.
#[derive(Clone, Debug)]
pub struct Terminal(pub String);

#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    Live(&'a Terminal),
    Fresh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    /// Not zero; the server does not say more.
    Failed,
    Untold,
}

/// What became of a command.
#[derive(Debug)]
pub struct Answer {
    pub output: String,
    pub exit: Exit,
    /// All that the server sent for it, on the wire.
    pub bytes: usize,
}

/// A running server in a room of its own. The client goes first, then the room with all that is left.
#[derive(Debug)]
pub struct Server {
    pub kind: Kind,
    pub client: Client,
    pub room: Room,
}

impl Server {
    pub fn start(kind: Kind, way: Way) -> anyhow::Result<Self> {
        let room = room(kind)?;
        kind.adapter().prepare(&room)?;
        let client = connect(kind, way, &room)?;
        Ok(Server { kind, client, room })
    }

    pub fn open(&self) -> anyhow::Result<Terminal> {
        self.kind.adapter().open(&self.client).context("no live shell")
    }

    pub fn run(&self, place: Place<'_>, command: &str, patience: Duration) -> anyhow::Result<Answer> {
        self.kind.adapter().run(&self.client, place, command, patience)
    }
}

/// A place for a server, with a guard that ends whatever it leaves behind.
pub fn room(kind: Kind) -> anyhow::Result<Room> {
    let program = if kind == Kind::Flightdeck { program()? } else { PathBuf::from("none") };
    Room::open(&std::env::temp_dir(), GUARD, &program)
}

/// Starts a server in a room.
pub fn connect(kind: Kind, way: Way, room: &Room) -> anyhow::Result<Client> {
    let mut command = kind.adapter().command(room)?;
    // tmux keeps its socket there.
    command.env("TMUX_TMPDIR", room.dir()).env("PATH", plain_path()).env("SHELL", way.shell());
    Client::start(&mut command, room.dir().join("stderr"))
}

/// The search path without what people put in front of it: a peer asks `python3` for its version with every call, and
/// wrappers of version managers take a hundred times as long to answer as what they wrap.
fn plain_path() -> OsString {
    let mut path = OsString::from("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    // They start themselves by this name.
    if let Some(dir) = found("node").ok().as_deref().and_then(Path::parent) {
        path.push(":");
        path.push(dir);
    }
    path
}

/// Where the peers are installed.
pub fn peer(package: &str, script: &str) -> anyhow::Result<PathBuf> {
    let peers = std::env::var_os("FLIGHTDECK_BENCH_PEERS");
    let peers = peers.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("peers"), PathBuf::from);
    let path = peers.join("node_modules").join(package).join(script);
    ensure!(path.exists(), "{package} is not installed: run bench/peers/install");
    Ok(path.canonicalize()?)
}

/// A program of the search path, as the kernel names it.
pub fn found(name: &str) -> anyhow::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).find_map(|dir| dir.join(name).canonicalize().ok());
    found.with_context(|| format!("{name} is not installed"))
}
