//! Starting a program without copying the keeper first.
//!
//! A fork copies the tables of all memory, and the copy is thrown away a moment later, when the program takes its place:
//! that took a tenth of all the time of a short command. Here the child borrows the memory of its parent, which waits
//! meanwhile, as `vfork` and `posix_spawn` have it.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::io;
use std::ptr;

use rustix::process::{Pid, WaitOptions, waitpid};

/// What the child needs of a stack, beside a pointer for each argument: the C library copies them to run a script that
/// names no interpreter.
const STACK: usize = 64 << 10;

/// Everything that is needed for a start, made before: the child allocates nothing.
pub struct Birth {
    pub program: CString,
    pub argv: Vec<CString>,
    pub env: Vec<CString>,
}

struct Child<'a> {
    program: *const c_char,
    argv: *const *const c_char,
    env: *const *const c_char,
    prepare: &'a dyn Fn() -> io::Result<()>,
    /// Why it could not become the program.
    failed: Cell<c_int>,
}

impl Birth {
    /// Starts the program. `prepare` is called in the child; it may make system calls, and must do nothing else: neither
    /// allocate nor take a lock.
    pub fn start(&self, prepare: &dyn Fn() -> io::Result<()>) -> io::Result<Pid> {
        let (argv, env) = (pointers(&self.argv), pointers(&self.env));
        let child = Child {
            program: self.program.as_ptr(),
            argv: argv.as_ptr(),
            env: env.as_ptr(),
            prepare,
            failed: Cell::new(0),
        };
        // Of a type that is aligned as a stack has to be.
        let mut stack: Vec<u128> = Vec::with_capacity((STACK + argv.len() * size_of::<usize>()) / size_of::<u128>());
        let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        // SAFETY: the child runs on a stack of its own, and this thread waits until it has become the program or ended,
        // so all that it borrows outlives it. It only makes system calls (see above), and it shares nothing but memory:
        // its descriptors, signals, folder and limits are its own.
        let pid = unsafe { libc::clone(become_program, top.cast(), flags, (&raw const child).cast_mut().cast()) };
        let pid = Pid::from_raw(pid).filter(|_| pid > 0).ok_or_else(io::Error::last_os_error)?;
        match child.failed.get() {
            0 => Ok(pid),
            error => {
                // It has ended, and nobody else may learn of it.
                let _reaped = waitpid(Some(pid), WaitOptions::empty());
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

extern "C" fn become_program(child: *mut c_void) -> c_int {
    // SAFETY: `start` gives a `Child` that it keeps until this has ended.
    let child = unsafe { &*child.cast::<Child<'_>>() };
    let error = if let Err(error) = (child.prepare)() {
        error
    } else {
        // SAFETY: all are strings and lists that end as C wants them.
        unsafe { libc::execvpe(child.program, child.argv, child.env) };
        io::Error::last_os_error()
    };
    child.failed.set(error.raw_os_error().unwrap_or(libc::EINVAL));
    // SAFETY: ends this process and nothing else; what the parent wants done at its own end is not done here.
    unsafe { libc::_exit(127) }
}

/// A list as C has it.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}
