//! A filter that keeps a process, and all that it starts, from making sockets.
//!
//! Landlock knows TCP but neither UDP nor, on most kernels, Unix sockets with a path. The filter can't see paths, so
//! it takes Unix sockets away as a whole; pairs of connected ones (`socketpair`), which reach nobody else, stay.
#![allow(unsafe_code)]

use std::{io, ptr};

use libc::{
    AF_NETLINK, AF_UNIX, BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, EACCES, ENOSYS,
    SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, SYS_io_uring_setup, SYS_socket, sock_filter, sock_fprog,
};

// How the kernel names the machine that a system call was made for. Another one has other numbers.
#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const MACHINE: u32 = 0xc000_00f3;
/// Elsewhere there are no filters yet: old machines have a second way to make sockets (`socketcall`).
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const MACHINE: u32 = 0;

/// On x86-64, numbers from here on are the same calls once more (x32). No other machine has numbers as high.
const SECOND_NUMBERING: u32 = 0x4000_0000;

// Where the kernel puts these for a filter to see (`struct seccomp_data`), on little endian machines.
const NUMBER: u32 = 0;
const MACHINE_OF_CALL: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;

type Filter = [sock_filter; 11];

/// The filter for programs without the network.
static OFFLINE: Filter = filter(AF_NETLINK, ALLOW, DENY);
/// The filter for programs with the network.
static ONLINE: Filter = filter(AF_UNIX, DENY, ALLOW);

// The answers stand at the end of every filter.
const ANSWERS: u8 = 8;
const ALLOW: u8 = ANSWERS;
const DENY: u8 = ANSWERS + 1;
const UNKNOWN: u8 = ANSWERS + 2;

/// A call of `socket` for `family` gets the answer `then`, for any other `otherwise`.
const fn filter(family: i32, then: u8, otherwise: u8) -> Filter {
    [
        load(MACHINE_OF_CALL),
        jump(1, BPF_JEQ, MACHINE, 2, UNKNOWN),
        load(NUMBER),
        jump(3, BPF_JGE, SECOND_NUMBERING, UNKNOWN, 4),
        // It makes sockets too, past every filter.
        jump(4, BPF_JEQ, SYS_io_uring_setup as u32, UNKNOWN, 5),
        jump(5, BPF_JEQ, SYS_socket as u32, 6, ALLOW),
        load(FIRST_ARGUMENT),
        jump(7, BPF_JEQ, family as u32, then, otherwise),
        answer(SECCOMP_RET_ALLOW),
        answer(SECCOMP_RET_ERRNO | EACCES as u32),
        // As if the kernel were older: programs know how to go on without.
        answer(SECCOMP_RET_ERRNO | ENOSYS as u32),
    ]
}

const fn load(offset: u32) -> sock_filter {
    sock_filter { code: (BPF_LD | BPF_W | BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

/// From the instruction at `at` to the one at `yes` or `no`; the kernel counts from the next one on.
const fn jump(at: u8, test: u32, value: u32, yes: u8, no: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | test | BPF_K) as u16, jt: yes - at - 1, jf: no - at - 1, k: value }
}

const fn answer(value: u32) -> sock_filter {
    sock_filter { code: (BPF_RET | BPF_K) as u16, jt: 0, jf: 0, k: value }
}

/// Whether the kernel takes filters.
pub fn is_available() -> bool {
    let action = SECCOMP_RET_ERRNO;
    // SAFETY: the kernel reads one number and answers whether it knows this action.
    let answer = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, libc::c_uint::MIN, &raw const action)
    };
    MACHINE != 0 && answer == 0
}

/// For a child between fork and exec, which must have `no_new_privs`. Makes one system call and nothing else.
pub fn close_sockets(network: bool) -> io::Result<()> {
    let filter = if network { &ONLINE } else { &OFFLINE };
    let program = sock_fprog { len: filter.len() as u16, filter: ptr::from_ref(filter).cast_mut().cast() };
    // SAFETY: the kernel copies the filter, which it never writes to, before the call returns.
    let failed = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
