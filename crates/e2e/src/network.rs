//! Two machines in one: a host and a container with network stacks of their own, and a cable between them that can be cut.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use parking_lot::Mutex;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::SOON;
use crate::command::Invocation;
use crate::wait::wait_until;

/// One of the two machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Host,
    Container,
}

/// The two, for as long as this lives. It takes root, like containers of root themselves.
#[derive(Debug)]
pub struct Network {
    name: String,
}

impl Network {
    /// The host's address.
    pub const HOST: &'static str = "10.77.0.1";
    /// The container's.
    pub const CONTAINER: &'static str = "10.77.0.2";

    /// Makes them.
    #[expect(clippy::new_without_default, reason = "it makes name spaces")]
    pub fn new() -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        let name = format!("fd{}n{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed));
        let network = Network { name };
        let (host, container) = (network.space(Side::Host), network.space(Side::Container));
        ip(&["netns", "add", &host]);
        ip(&["netns", "add", &container]);
        ip(&["-n", &host, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", &container]);
        for (space, address) in [(&host, Self::HOST), (&container, Self::CONTAINER)] {
            ip(&["-n", space, "address", "add", &format!("{address}/24"), "dev", "cable"]);
            ip(&["-n", space, "link", "set", "lo", "up"]);
            ip(&["-n", space, "link", "set", "cable", "up"]);
        }
        network
    }

    fn space(&self, side: Side) -> String {
        match side {
            Side::Host => format!("{}h", self.name),
            Side::Container => format!("{}c", self.name),
        }
    }

    /// The same program on one of the machines.
    pub fn on(&self, side: Side, command: &Command) -> Invocation {
        Invocation::new(self.inside_of(side, command))
    }

    /// The same, to be started by hand.
    pub fn inside_of(&self, side: Side, command: &Command) -> Command {
        let mut inside = Command::new("nsenter");
        inside
            .arg(format!("--net=/run/netns/{}", self.space(side)))
            .arg(command.get_program())
            .args(command.get_args());
        inside.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(dir) = command.get_current_dir() {
            inside.current_dir(dir);
        }
        inside
    }

    /// Pulls the cable: what is sent is lost without a word.
    pub fn pull(&self) {
        ip(&["-n", &self.space(Side::Host), "link", "set", "cable", "down"]);
    }

    /// Puts it back, and waits until it carries something: each side remembers for a while that the other was not there.
    pub fn plug(&self) {
        ip(&["-n", &self.space(Side::Host), "link", "set", "cable", "up"]);
        let refused = || {
            let nobody = SocketAddr::new(Self::HOST.parse().expect("an address"), 1);
            let answer = TcpStream::connect_timeout(&nobody, SOON);
            answer.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
        };
        wait_until("the cable carries", SOON, || self.inside(Side::Container, refused).then_some(()));
    }

    /// Does something on one of the machines, on a thread of its own.
    pub fn inside<T: Send + 'static>(&self, side: Side, work: impl FnOnce() -> T + Send + 'static) -> T {
        let path = format!("/run/netns/{}", self.space(side));
        let inside = move || {
            let space = std::fs::File::open(path).expect("it was made");
            move_into_link_name_space(space.as_fd(), Some(LinkNameSpaceType::Network)).expect("root may");
            work()
        };
        thread::spawn(inside).join().expect("it does not panic")
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for side in [Side::Host, Side::Container] {
            let _ = Command::new("ip").args(["netns", "del", &self.space(side)]).status();
        }
    }
}

fn ip(args: &[&str]) {
    let output = Command::new("ip").args(args).output().expect("iproute2 is installed");
    assert!(output.status.success(), "ip {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Which way a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToHost,
    ToContainer,
}

/// What becomes of a line: any number of lines.
type Meddle = Box<dyn FnMut(Direction, &[u8]) -> Vec<Vec<u8>> + Send>;

/// Somebody in the middle of the way from the container to its host, who sees every line.
#[derive(Debug)]
pub struct Tap {
    pub port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    open: Mutex<Vec<TcpStream>>,
    meddle: Mutex<Option<Meddle>>,
    seen: Mutex<Vec<(Direction, String)>>,
    /// Not even an end is passed on.
    swallows: AtomicBool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Tap {
    /// Listens in the container, and passes on to this port of the host.
    pub fn new(network: &Network, host: SocketAddr) -> Self {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let port = network.inside(Side::Container, move || {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let port = listener.local_addr().expect("it listens").port();
            // A thread that is made here is on the same machine.
            thread::spawn(move || {
                for inner in listener.incoming().flatten() {
                    let Ok(outer) = TcpStream::connect(host) else { continue };
                    shared.open.lock().extend([inner.try_clone().expect("a copy"), outer.try_clone().expect("a copy")]);
                    pump(&shared, Direction::ToHost, &inner, &outer);
                    pump(&shared, Direction::ToContainer, &outer, &inner);
                }
            });
            port
        });
        Tap { port, state }
    }

    /// Ends every connection.
    pub fn cut(&self) {
        for stream in self.state.open.lock().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Does this to each line from now on.
    pub fn meddle(&self, meddle: impl FnMut(Direction, &[u8]) -> Vec<Vec<u8>> + Send + 'static) {
        *self.state.meddle.lock() = Some(Box::new(meddle));
    }

    /// Swallows everything, an end as well: to each side the other one is just silent.
    pub fn swallow(&self) {
        self.state.swallows.store(true, Ordering::SeqCst);
        self.meddle(|_, _| Vec::new());
    }

    /// Passes everything on again, on new connections.
    pub fn pass(&self) {
        self.state.swallows.store(false, Ordering::SeqCst);
        *self.state.meddle.lock() = None;
    }

    /// Everything that went by.
    pub fn seen(&self) -> Vec<(Direction, String)> {
        self.state.seen.lock().clone()
    }
}

fn pump(state: &Arc<State>, direction: Direction, from: &TcpStream, to: &TcpStream) {
    let (state, from, mut to) = (Arc::clone(state), from.try_clone().expect("a copy"), to.try_clone().expect("a copy"));
    thread::spawn(move || {
        let mut read = BufReader::new(from);
        let mut line = Vec::new();
        while matches!(read.read_until(b'\n', &mut line), Ok(1..)) {
            state.seen.lock().push((direction, String::from_utf8_lossy(&line).into_owned()));
            let lines = match &mut *state.meddle.lock() {
                Some(meddle) => meddle(direction, &line),
                None => vec![line.clone()],
            };
            if lines.iter().any(|line| to.write_all(line).is_err()) {
                break;
            }
            line.clear();
        }
        if state.swallows.load(Ordering::SeqCst) {
            return;
        }
        let _ = to.shutdown(Shutdown::Both);
        let _ = read.get_ref().shutdown(Shutdown::Both);
    });
}
