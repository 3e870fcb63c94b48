//! Keeping our descriptors, and those we were given unasked, out of the programs we start.
#![allow(unsafe_code)]

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::setsid;

/// For a child between fork and exec: all but the standard streams are closed by the exec. Our own have the flag
/// already; this is for those that somebody up the chain (a shell, a test runner, a CI agent that waits for the end
/// of a pipe) left open. Makes one system call and nothing else.
pub fn close_on_exec() {
    const FIRST: libc::c_uint = 3;
    // SAFETY: this only sets a flag, and async-signal-safely; kernels before 5.11 answer with an error, which leaves
    // things as they were.
    unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// For a program that outlives us by far: it must not hold open what we were given.
pub fn inherit_only_streams(command: &mut Command) {
    // SAFETY: one system call that allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(|| {
            close_on_exec();
            Ok(())
        });
    }
}

/// The same for a program that begins a session of its own.
pub fn begin_session(command: &mut Command) {
    inherit_only_streams(command);
    // SAFETY: one system call that allocates nothing and takes no lock.
    unsafe {
        command.pre_exec(|| {
            setsid()?;
            Ok(())
        });
    }
}
