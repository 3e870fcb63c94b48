//! Taking from root what goes beyond files: a kernel module, a clock or a route is no file, so Landlock would not stop
//! it.
#![allow(unsafe_code)]

use std::ptr;

/// What root keeps, by the kernel's numbers: working with anybody's files and users, as far as the other limits allow.
const KEPT: [u32; 10] = [
    0,  // CAP_CHOWN
    1,  // CAP_DAC_OVERRIDE
    2,  // CAP_DAC_READ_SEARCH
    3,  // CAP_FOWNER
    4,  // CAP_FSETID
    5,  // CAP_KILL
    6,  // CAP_SETGID
    7,  // CAP_SETUID
    10, // CAP_NET_BIND_SERVICE
    18, // CAP_SYS_CHROOT
];

/// `struct __user_cap_header_struct`.
#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

/// `struct __user_cap_data_struct`, of which version 3 has two.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Set {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

const VERSION_3: u32 = 0x2008_0522;

/// For a child between fork and exec: what it executes gets no more than `KEPT`. Makes system calls and nothing else.
///
/// Who is not root has nothing to lose, and is refused; that is no error.
pub fn limit_in_child() {
    for number in (0..64).filter(|number| !KEPT.contains(number)) {
        // SAFETY: takes numbers only.
        if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, number, 0, 0, 0) } != 0 {
            // Not root, or the last one that this kernel knows is behind us.
            break;
        }
    }
    // SAFETY: takes numbers only.
    unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) };
    let mut header = Header { version: VERSION_3, pid: 0 };
    let mut sets = [Set::default(); 2];
    // SAFETY: the kernel fills two sets for this version.
    let got = unsafe { libc::syscall(libc::SYS_capget, &raw mut header, sets.as_mut_ptr()) };
    if got == 0 {
        for set in &mut sets {
            set.inheritable = 0;
        }
        // SAFETY: the kernel reads what it filled above.
        unsafe { libc::syscall(libc::SYS_capset, &raw const header, ptr::from_ref(&sets)) };
    }
}
