//! Which processes have a file open: how the process at the other end of a pipe or socket is found.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use rustix::net::netlink::{self, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};

use super::process;

/// The other end of a pipe or of a Unix socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OtherEnd {
    /// This pipe, open for writing.
    PipeWriter(String),
    /// This socket.
    Socket(String),
    /// It is something without another end, such as a terminal or a file.
    None,
    /// It has one, which the kernel does not tell.
    Unknown,
}

/// What feeds the standard input of a process.
pub(super) fn other_end_of_stdin(pid: u32) -> OtherEnd {
    let Some(link) = process::stdin(pid).and_then(|link| link.to_str().map(str::to_owned)) else {
        return OtherEnd::Unknown;
    };
    if link.starts_with("pipe:[") {
        return OtherEnd::PipeWriter(link);
    }
    // A pipe with a name.
    if fs::metadata(format!("/proc/{pid}/fd/0")).is_ok_and(|meta| meta.file_type().is_fifo()) {
        return OtherEnd::PipeWriter(link);
    }
    let socket = link.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']'));
    let Some(inode) = socket.and_then(|inode| inode.parse().ok()) else { return OtherEnd::None };
    peer_inode(inode).map_or(OtherEnd::Unknown, |peer| OtherEnd::Socket(format!("socket:[{peer}]")))
}

/// Whether a process holds this end. `None` when its open files can't be seen.
pub(super) fn holds(pid: u32, end: &OtherEnd) -> Option<bool> {
    let (link, is_writer) = match end {
        OtherEnd::PipeWriter(link) => (link, true),
        OtherEnd::Socket(link) => (link, false),
        OtherEnd::None => return Some(false),
        OtherEnd::Unknown => return None,
    };
    Some(descriptors(pid, link)?.into_iter().any(|fd| !is_writer || writes(pid, &fd)))
}

/// The processes that have a file open, as far as they can be looked into. `link`: its name in `/proc/PID/fd`.
pub(crate) fn holders(link: &str) -> Vec<u32> {
    process::all_pids().filter(|pid| descriptors(*pid, link).is_some_and(|found| !found.is_empty())).collect()
}

/// The descriptors by which a process has a file open; an error means that nobody may know.
fn descriptors(pid: u32, link: &str) -> Option<Vec<String>> {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.flatten();
    let found = open.filter(|fd| fs::read_link(fd.path()).is_ok_and(|target| target == Path::new(link)));
    Some(found.filter_map(|fd| fd.file_name().into_string().ok()).collect())
}

/// Whether a descriptor is open for writing.
fn writes(pid: u32, fd: &str) -> bool {
    let info = fs::read_to_string(format!("/proc/{pid}/fdinfo/{fd}")).unwrap_or_default();
    let flags = info.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
    // O_WRONLY or O_RDWR. One that was closed meanwhile is not this.
    flags.is_some_and(|flags| flags & 0o3 != 0)
}

/// Codes of the kernel's `sock_diag` interface, for Unix sockets.
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const UDIAG_SHOW_PEER: u32 = 4;
const UNIX_DIAG_PEER: u16 = 2;
/// The header of a netlink message, and what stands before the attributes of an answer.
const HEADER: usize = 16;
const ANSWER: usize = 16;

/// The socket that a Unix socket is connected to, by the word of the kernel.
fn peer_inode(inode: u32) -> io::Result<u32> {
    let flags = SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::NETLINK, SocketType::DGRAM, flags, Some(netlink::SOCK_DIAG))?;
    let mut request = Vec::with_capacity(HEADER + 24);
    request.extend(40_u32.to_ne_bytes());
    request.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    request.extend(NLM_F_REQUEST.to_ne_bytes());
    request.extend([0; 8]);
    request.extend([AddressFamily::UNIX.as_raw() as u8, 0, 0, 0]);
    request.extend(u32::MAX.to_ne_bytes());
    request.extend(inode.to_ne_bytes());
    request.extend(UDIAG_SHOW_PEER.to_ne_bytes());
    // No cookie: the inode alone says which.
    request.extend([0xff; 8]);
    sendto(&socket, &request, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0_u8; 1024];
    // The kernel has answered before the sending returned.
    let (read, _) = recv(&socket, &mut answer[..], RecvFlags::DONTWAIT)?;
    peer_in(&answer[..read]).ok_or_else(|| io::Error::other("the kernel does not tell the other end of a socket"))
}

/// The peer that an answer tells.
fn peer_in(answer: &[u8]) -> Option<u32> {
    let short = |at: usize| Some(u16::from_ne_bytes(answer.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_ne_bytes(answer.get(at..at + 4)?.try_into().ok()?));
    if short(4)? != SOCK_DIAG_BY_FAMILY {
        return None;
    }
    let mut at = HEADER + ANSWER;
    loop {
        let length = usize::from(short(at)?);
        if short(at + 2)? == UNIX_DIAG_PEER {
            return long(at + 4).filter(|peer| *peer != 0);
        }
        at += length.max(4).next_multiple_of(4);
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::{AsFd, AsRawFd};
    use std::os::unix::net::UnixStream;

    use super::*;

    fn link(fd: impl AsFd) -> String {
        let path = format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd());
        fs::read_link(path).unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn the_other_end_of_a_pair_of_sockets_is_known() {
        let (one, other) = UnixStream::pair().unwrap();
        let inode = link(&one).trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap();
        assert_eq!(format!("socket:[{}]", peer_inode(inode).unwrap()), link(&other));
        drop(other);
        peer_inode(inode).unwrap_err();
    }

    #[test]
    fn who_writes_to_a_pipe_is_known() {
        let (read, write) = std::io::pipe().unwrap();
        let (own, end) = (std::process::id(), OtherEnd::PipeWriter(link(&read)));
        assert_eq!(holds(own, &end), Some(true));
        drop(write);
        assert_eq!(holds(own, &end), Some(false), "the end that reads is not the other one");
        assert_eq!(holders(&link(&read)), [own]);
    }
}
