//! Tries one thing that a sandbox should stop and a shell can't do, for the tests. Status 0: it worked.
//!
//! `attempt WHAT [WHERE]`
#![allow(unsafe_code)]

use std::ffi::CString;
use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap_or_default();
    let place = args.next().unwrap_or_default();
    match attempt(&what, &place) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{what} {place}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn attempt(what: &str, place: &str) -> io::Result<()> {
    match what {
        "tcp-connect" => TcpStream::connect(place).map(drop),
        "tcp-bind" => TcpListener::bind("127.0.0.1:0").map(drop),
        "udp-send" => UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", place).map(drop),
        "unix-connect" => UnixStream::connect(place).map(drop),
        "unix-bind" => UnixListener::bind(place).map(drop),
        "unix-pair" => UnixStream::pair()?.0.write_all(b"x"),
        "abstract-connect" => UnixStream::connect_addr(&SocketAddr::from_abstract_name(place)?).map(drop),
        // A datagram socket of a pair can still turn to somebody else.
        "pair-to-abstract" => UnixDatagram::pair()?.0.connect_addr(&SocketAddr::from_abstract_name(place)?),
        "ring" => system_call(|| {
            let mut parameters = [0u64; 64];
            // SAFETY: the kernel fills the parameters, which are longer than it needs.
            unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_mut_ptr()) }
        }),
        "netlink" => system_call(|| {
            // SAFETY: takes numbers only.
            i64::from(unsafe { libc::socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE) })
        }),
        "trace" => system_call(|| {
            let pid: libc::pid_t = place.parse().unwrap_or_default();
            // SAFETY: this request takes no memory. The end of this process lets the other one go.
            unsafe { libc::ptrace(libc::PTRACE_SEIZE, pid, 0, 0) }
        }),
        "truncate" => with_path(place, |path| {
            // SAFETY: the path ends with a zero byte.
            i64::from(unsafe { libc::truncate(path.as_ptr(), 0) })
        }),
        "open-truncate" => with_path(place, |path| {
            // SAFETY: the path ends with a zero byte.
            i64::from(unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_TRUNC) })
        }),
        // Two files change places: one call that takes something out and puts something in.
        "exchange" => {
            let mut paths = place.split(':').map(CString::new);
            let (Some(Ok(one)), Some(Ok(other))) = (paths.next(), paths.next()) else {
                return Err(io::Error::from(io::ErrorKind::InvalidInput));
            };
            system_call(|| {
                // SAFETY: both paths end with a zero byte.
                i64::from(unsafe {
                    libc::renameat2(libc::AT_FDCWD, one.as_ptr(), libc::AT_FDCWD, other.as_ptr(), libc::RENAME_EXCHANGE)
                })
            })
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "no such attempt")),
    }
}

fn with_path(path: &str, call: impl FnOnce(&CString) -> i64) -> io::Result<()> {
    let path = CString::new(path)?;
    system_call(|| call(&path))
}

fn system_call(call: impl FnOnce() -> i64) -> io::Result<()> {
    if call() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
