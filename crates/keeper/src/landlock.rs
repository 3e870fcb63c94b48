//! The three system calls of Landlock, which neither libc nor rustix wraps.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::ptr;

/// The version of what the kernel's Landlock can do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Abi(pub u32);

impl Abi {
    /// Cutting files short is a right of its own (Linux 6.2).
    pub const TRUNCATE: Self = Self(3);
    /// TCP (Linux 6.7).
    pub const NETWORK: Self = Self(4);
    /// Controlling devices (Linux 6.10).
    pub const DEVICES: Self = Self(5);
    /// Signals and abstract Unix sockets (Linux 6.12).
    pub const SCOPES: Self = Self(6);
}

/// Rights to files, as the kernel numbers them. Those to list and to execute are not here: they are never limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Files(u64);

impl Files {
    const WRITE_FILE: u64 = 1 << 1;
    const READ_FILE: u64 = 1 << 2;
    const REMOVE_DIR: u64 = 1 << 4;
    const REMOVE_FILE: u64 = 1 << 5;
    const MAKE_CHAR: u64 = 1 << 6;
    const MAKE_DIR: u64 = 1 << 7;
    const MAKE_REG: u64 = 1 << 8;
    const MAKE_SOCK: u64 = 1 << 9;
    const MAKE_FIFO: u64 = 1 << 10;
    const MAKE_BLOCK: u64 = 1 << 11;
    const MAKE_SYM: u64 = 1 << 12;
    /// Linking and renaming from one folder to another.
    const REFER: u64 = 1 << 13;
    const TRUNCATE: u64 = 1 << 14;
    const IOCTL_DEV: u64 = 1 << 15;

    /// Reading, which is allowed everywhere but in the terminals of others: their input is read there.
    pub const READ: Self = Self(Self::READ_FILE);

    /// Everything that changes something, and reading.
    pub fn all(abi: Abi) -> Self {
        Self(Self::below_folder(abi).0 | Self::MAKE_CHAR | Self::MAKE_BLOCK)
    }

    /// What is allowed below a folder that can be written. Nobody makes devices there: a device made by root is a way
    /// to the bare disk.
    pub fn below_folder(abi: Abi) -> Self {
        let folder = Self::REMOVE_DIR | Self::REMOVE_FILE | Self::MAKE_DIR | Self::MAKE_REG | Self::MAKE_SOCK;
        Self(Self::of_file(abi).0 | folder | Self::MAKE_FIFO | Self::MAKE_SYM | Self::REFER)
    }

    /// What is allowed on one file: the kernel refuses the rest there.
    pub fn of_file(abi: Abi) -> Self {
        let devices = if abi >= Abi::DEVICES { Self::IOCTL_DEV } else { 0 };
        Self(Self::READ_FILE | Self::WRITE_FILE | Self::TRUNCATE | devices)
    }
}

/// Binding and connecting TCP sockets.
const NET_TCP: u64 = 0b11;
/// Abstract Unix sockets and signals.
const SCOPES: u64 = 0b11;

const CREATE_RULESET_VERSION: libc::c_uint = 1;
const RULE_PATH_BENEATH: libc::c_uint = 1;

/// `struct landlock_ruleset_attr` as of ABI 6. Older kernels take a longer one as long as the rest is zero.
#[repr(C)]
struct RulesetAttr {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathBeneathAttr {
    allowed_access: u64,
    parent_fd: i32,
}

/// What a process will be limited to.
pub struct Ruleset(OwnedFd);

/// The version that the kernel has.
pub fn abi() -> io::Result<Abi> {
    // SAFETY: with this flag the kernel takes no pointer and only answers.
    let answer = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<RulesetAttr>(), 0usize, CREATE_RULESET_VERSION)
    };
    u32::try_from(answer).map(Abi).map_err(|_negative| io::Error::last_os_error())
}

impl Ruleset {
    /// No file can be read or changed, and no process outside be signalled; without `network`, no TCP either.
    pub fn new(abi: Abi, network: bool) -> io::Result<Self> {
        let attr = RulesetAttr {
            handled_access_fs: Files::all(abi).0,
            handled_access_net: if abi >= Abi::NETWORK && !network { NET_TCP } else { 0 },
            scoped: if abi >= Abi::SCOPES { SCOPES } else { 0 },
        };
        // SAFETY: the kernel reads the structure of the size given. What it returns is a new descriptor (which has
        // the close-on-exec flag) or an error.
        unsafe {
            let fd = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attr, size_of::<RulesetAttr>(), 0u32);
            match i32::try_from(fd) {
                Ok(fd) if fd >= 0 => Ok(Self(OwnedFd::from_raw_fd(fd))),
                _ => Err(io::Error::last_os_error()),
            }
        }
    }

    /// Allows `rights` on the file, or on the folder and all below it.
    pub fn allow(&self, place: BorrowedFd<'_>, rights: Files) -> io::Result<()> {
        let attr = PathBeneathAttr { allowed_access: rights.0, parent_fd: place.as_raw_fd() };
        // SAFETY: the kernel reads the structure that belongs to this kind of rule; both descriptors are open.
        let failed = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.0.as_raw_fd(),
                RULE_PATH_BENEATH,
                &raw const attr,
                libc::c_uint::MIN,
            )
        };
        if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// For a child between fork and exec, which must have `no_new_privs`. Makes one system call and nothing else.
    pub fn restrict_self(&self) -> io::Result<()> {
        // SAFETY: takes a descriptor that is open and touches no memory of ours.
        let failed = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), libc::c_uint::MIN) };
        if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}
