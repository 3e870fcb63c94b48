//! Keeping our descriptors, and those we were given unasked, out of the programs we start.
#![allow(unsafe_code)]

/// For a child between fork and exec: all but the standard streams are closed by the exec. Our own have the flag
/// already; this is for those that somebody up the chain (a shell, a test runner, a CI agent that waits for the end
/// of a pipe) left open. Makes one system call and nothing else.
pub fn close_on_exec() {
    const FIRST: libc::c_uint = 3;
    // SAFETY: this only sets a flag, and async-signal-safely; kernels before 5.11 answer with an error, which leaves
    // things as they were.
    unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}
