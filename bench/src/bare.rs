//! The peers without anything in between: a PTY of our own, a child on it, a shell that marks its prompt.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command};

use anyhow::{Context, bail};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A terminal that nobody uses yet.
#[derive(Debug)]
pub struct Pty {
    pub master: File,
    pub slave: OwnedFd,
}

impl Pty {
    pub fn open() -> anyhow::Result<Self> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = ptsname(&master, Vec::new())?;
        let slave = rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        tcsetwinsize(&master, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 })?;
        Ok(Pty { master: master.into(), slave })
    }

    /// Starts a command on it.
    pub fn spawn(self, command: &mut Command) -> anyhow::Result<Bare> {
        let copy = || self.slave.try_clone();
        let child = command.stdin(copy()?).stdout(copy()?).stderr(copy()?).spawn();
        // The command keeps its copies of the slave until it is dropped or changed, and we must see the end of file.
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let child = child.with_context(|| format!("{} can't be started", command.get_program().display()))?;
        Ok(Bare { master: self.master, child })
    }
}

/// A child on a terminal, read by us.
#[derive(Debug)]
pub struct Bare {
    pub master: File,
    child: Child,
}

impl Bare {
    /// Starts a program as the leader of a session, with the terminal as its own.
    pub fn start<S: AsRef<OsStr>>(argv: impl IntoIterator<Item = S>) -> anyhow::Result<Self> {
        Pty::open()?.spawn(Command::new("setsid").arg("--ctty").args(argv))
    }

    /// Reads what there is; zero at the end.
    pub fn read(&mut self, buf: &mut [u8]) -> anyhow::Result<usize> {
        loop {
            match self.master.read(buf) {
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // How a terminal says that nobody has its other side open.
                Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => return Ok(0),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads until the end, and gives how many bytes that was.
    pub fn drain(&mut self, buf: &mut [u8]) -> anyhow::Result<u64> {
        let mut total = 0;
        loop {
            match self.read(buf)? {
                0 => return Ok(total),
                read => total += read as u64,
            }
        }
    }

    /// Waits for the child, whose output has ended.
    pub fn wait(&mut self) -> anyhow::Result<()> {
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // Gone already is what we want.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A bash on a bare terminal, whose prompt is a mark.
#[derive(Debug)]
pub struct Shell {
    bare: Bare,
    buf: Vec<u8>,
}

const MARK: &[u8] = b"\x1b]133;D;";

impl Shell {
    pub fn start() -> anyhow::Result<Self> {
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "bash", "--norc", "--noprofile", "-i"])
            .env("TERM", "xterm-256color")
            .env("HISTFILE", "/dev/null")
            .env("PS1", "")
            .env("PROMPT_COMMAND", r#"printf '\e]133;D;%s\a' "$?""#);
        let mut shell = Shell { bare: Pty::open()?.spawn(&mut command)?, buf: vec![0; 4096] };
        shell.await_mark()?;
        Ok(shell)
    }

    /// Types a line and waits for the next prompt.
    pub fn run(&mut self, line: &str) -> anyhow::Result<()> {
        self.bare.master.write_all(line.as_bytes())?;
        self.bare.master.write_all(b"\n")?;
        self.await_mark()
    }

    fn await_mark(&mut self) -> anyhow::Result<()> {
        let mut seen = Vec::new();
        while !has_mark(&seen) {
            match self.bare.read(&mut self.buf)? {
                0 => bail!("the bare shell ended: {}", String::from_utf8_lossy(&seen)),
                read => seen.extend_from_slice(&self.buf[..read]),
            }
        }
        Ok(())
    }
}

/// Whether there is a whole mark. What follows it, such as the switch to bracketed paste, is of no interest.
fn has_mark(seen: &[u8]) -> bool {
    let mark = seen.windows(MARK.len()).position(|window| window == MARK);
    mark.is_some_and(|at| seen[at..].contains(&b'\x07'))
}
