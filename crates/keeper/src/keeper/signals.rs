//! Signals of the keeper as a descriptor, and of a new child as if the keeper had never touched them.
#![allow(unsafe_code)]

use std::mem::{self, MaybeUninit};
use std::os::fd::{AsFd, FromRawFd as _, OwnedFd};
use std::{io, ptr};

/// SIGXFSZ then shows as EFBIG of a write, which is a stalled log and not the end of the keeper.
const IGNORED_BY_KEEPER: &[i32] = &[libc::SIGHUP, libc::SIGPIPE, libc::SIGXFSZ];
/// What keys and the terminal send is for the program in the pane.
const IGNORED_BY_PANE: &[i32] =
    &[libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU, libc::SIGPIPE, libc::SIGXFSZ];

/// Signals that arrive at the control thread's epoll.
pub struct SignalFd(OwnedFd);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incoming {
    Child,
    HangUp,
    Terminate,
}

impl SignalFd {
    /// For the keeper. Blocks the signals, so call it before the first thread starts: threads inherit the mask.
    pub fn new() -> io::Result<Self> {
        Self::taking(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGINT], IGNORED_BY_KEEPER)
    }

    /// For the holder of a pane.
    pub fn for_pane() -> io::Result<Self> {
        Self::taking(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGHUP], IGNORED_BY_PANE)
    }

    fn taking(taken: &[i32], ignored: &[i32]) -> io::Result<Self> {
        ignore_nothing();
        for signal in ignored {
            // SAFETY: setting a disposition to "ignore" installs no handler.
            unsafe { libc::signal(*signal, libc::SIG_IGN) };
        }
        let set = signal_set(taken);
        // SAFETY: `set` is initialised, and a null old set is allowed.
        if unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, ptr::null_mut()) } == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: -1 asks for a new descriptor; `set` is initialised.
        let fd = unsafe { libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        if fd == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel just made this descriptor and nobody else knows it.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    /// The next signal, `None` when there is none now.
    pub fn next(&self) -> Option<Incoming> {
        let mut record = [0; mem::size_of::<libc::signalfd_siginfo>()];
        match rustix::io::read(&self.0, &mut record) {
            Ok(read) if read == record.len() => {}
            _ => return None,
        }
        // `ssi_signo` is the record's first field.
        let (signal, _) = record.split_first_chunk::<4>()?;
        Some(match u32::from_ne_bytes(*signal) as i32 {
            libc::SIGCHLD => Incoming::Child,
            libc::SIGHUP => Incoming::HangUp,
            _ => Incoming::Terminate,
        })
    }
}

impl AsFd for SignalFd {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Ends this process by a signal, as the program in it was ended.
pub fn end_by(signal: i32) {
    reset_in_child();
    // SAFETY: setting the default installs no handler, and the runtime has some which would come back once; sending a signal
    // to the own process has no other effect than that of the signal.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal)
    };
}

/// Takes back what whoever started this process (a shell's `&`, nohup) had it ignore, so that no child inherits it.
fn ignore_nothing() {
    for signal in 1..=libc::SIGRTMAX() {
        let mut action = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: a null new action only asks; what is there is written when that succeeds. Setting the default installs
        // no handler.
        unsafe {
            if libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) == 0
                && action.assume_init().sa_sigaction == libc::SIG_IGN
            {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    }
}

/// For a child between fork and exec: every signal unblocked and at its default. What is handled here becomes so by the exec.
pub fn reset_in_child() {
    for signal in IGNORED_BY_KEEPER.iter().chain(IGNORED_BY_PANE) {
        // SAFETY: async-signal-safe, installs no handler.
        unsafe { libc::signal(*signal, libc::SIG_DFL) };
    }
    let none = signal_set(&[]);
    // SAFETY: async-signal-safe; `none` is initialised, and a null old set is allowed.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()) };
}

fn signal_set(signals: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the whole set and can't fail; the numbers are constants of libc.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in signals {
            libc::sigaddset(set.as_mut_ptr(), *signal);
        }
        set.assume_init()
    }
}
