//! A window: a program on a terminal of its own, with a person's eyes and hands.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::command::code;
use crate::wait::try_until;

/// How long the last of what was shown may take to come.
const AFTERWARDS: Duration = Duration::from_secs(5);

/// A program in a window.
#[derive(Debug)]
pub struct Pty {
    master: File,
    child: Child,
    seen: Arc<Mutex<Vec<u8>>>,
    /// Ends with the window.
    reader: JoinHandle<()>,
}

impl Pty {
    /// Starts the program in a new window. It is the leader of a session whose terminal this is.
    pub fn start(program: &Command, rows: u16, cols: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&master).expect("our own terminal");
        unlockpt(&master).expect("our own terminal");
        let name = ptsname(&master, Vec::new()).expect("it has a name").into_string().expect("it is ASCII");
        let slave = || -> File {
            let noctty = OFlags::NOCTTY.bits().cast_signed();
            OpenOptions::new().read(true).write(true).custom_flags(noctty).open(&name).expect("its other end")
        };
        set_size(&master, rows, cols);
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(program.get_program()).args(program.get_args()).env_clear();
        command.envs(program.get_envs().filter_map(|(name, value): (&OsStr, _)| Some((name, value?))));
        if let Some(dir) = program.get_current_dir() {
            command.current_dir(dir);
        }
        let child = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn().expect("setsid is installed");
        // The command holds the other end open; without this a window would never close.
        drop(command);
        let master = File::from(master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut output, sink) = (master.try_clone().expect("a descriptor"), Arc::clone(&seen));
        let reader = std::thread::spawn(move || {
            let mut buf = [0; 8192];
            // An error is the usual end of a terminal: nobody has its other end any more.
            while let Ok(read @ 1..) = output.read(&mut buf) {
                sink.lock().extend_from_slice(&buf[..read]);
            }
        });
        Pty { master, child, seen, reader }
    }

    /// Types.
    pub fn type_in(&mut self, bytes: &[u8]) {
        self.master.write_all(bytes).expect("the window is open");
    }

    /// Changes the size of the window.
    pub fn resize(&self, rows: u16, cols: u16) {
        set_size(&self.master, rows, cols);
    }

    /// Everything that was shown so far, with escape sequences.
    pub fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock()).into_owned()
    }

    /// Whether lines are edited and echoed by the terminal itself, and Ctrl-C is a signal: as a shell leaves it to a program.
    pub fn is_cooked(&self) -> bool {
        let wanted = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        tcgetattr(&self.master).expect("a terminal has modes").local_modes.contains(wanted)
    }

    /// Waits until this text has been shown.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_for_nth(text, 1);
    }

    /// Waits until this text has been shown so many times.
    #[track_caller]
    pub fn wait_for_nth(&self, text: &str, times: usize) {
        let shown = try_until(crate::SOON, || (self.seen().matches(text).count() >= times).then_some(()));
        assert!(shown.is_some(), "the window never showed {text:?} {times} times; it showed:\n{:?}", self.seen());
    }

    /// Waits for the end of the program and gives its exit code.
    #[track_caller]
    pub fn exit_code(&mut self, deadline: Duration) -> i32 {
        let status = try_until(deadline, || self.child.try_wait().expect("it is our child"));
        let Some(status) = status else { panic!("it did not end within {deadline:?}; the window:\n{:?}", self.seen()) };
        // What it showed last may still be on its way. A program that it has left behind would hold the window open.
        let _ = try_until(AFTERWARDS, || self.reader.is_finished().then_some(()));
        code(status)
    }

    /// The process in the window.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Ended already is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_size(terminal: &impl std::os::fd::AsFd, rows: u16, cols: u16) {
    let size = Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).expect("a terminal has a size");
}
