//! What a confined program may do, and what this kernel has to confine it with.
//!
//! Several parts of the kernel work together. Landlock lets a process and all that it starts write only below named
//! places. A seccomp filter keeps them from making sockets, because whoever listens at one (a container engine, a
//! session bus, the hub itself) would write for them. `no_new_privs` takes the power from set-user-ID programs, and a
//! smaller bounding set takes from root what is not about files.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::OsBytes;
use crate::landlock::{self, Abi};
use crate::seccomp;

/// The limits of one program. All but the terminals of others can be read; what is not named here can't be written.
///
/// A field from the future must be refused and not overlooked: it may ask for more limits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    /// Folders (or files) that can be written, with all that is below them. Absolute and without symbolic links;
    /// what does not exist is left out.
    pub write: Vec<OsBytes>,
    /// Whether the network can be used. Unix sockets can't in any case.
    pub network: bool,
}

/// What a sandbox on this kernel does beyond its least: files, sockets, no new privileges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Support {
    /// The version of Landlock.
    pub abi: u32,
    /// Devices that were only opened for reading can't be controlled either.
    pub devices: bool,
    /// Processes outside can't be signalled.
    pub signals: bool,
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("files, sockets")?;
        for (active, name) in [(self.devices, "devices"), (self.signals, "signals")] {
            if active {
                write!(f, ", {name}")?;
            }
        }
        write!(f, " (Landlock ABI {})", self.abi)
    }
}

/// Why this system can't confine anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoSandbox {
    #[error("this kernel has no Landlock: it came with Linux 5.13, as an option")]
    Missing,
    #[error("Landlock is switched off: add `landlock` to `lsm=` on the kernel's command line")]
    SwitchedOff,
    #[error("Landlock may not be used here (error {0}): the container that this runs in has to allow it")]
    Forbidden(i32),
    #[error("Landlock ABI {0} can't keep files from being cut short: Linux 6.2 brings ABI 3, which can")]
    TooOld(u32),
    #[error("this kernel filters no system calls (seccomp), so sockets could not be closed")]
    NoFilter,
}

/// Asks the kernel.
pub fn sandbox_support() -> Result<Support, NoSandbox> {
    let abi = landlock::abi().map_err(|error| match error.raw_os_error() {
        Some(libc::ENOSYS) => NoSandbox::Missing,
        Some(libc::EOPNOTSUPP) => NoSandbox::SwitchedOff,
        other => NoSandbox::Forbidden(other.unwrap_or_default()),
    })?;
    if abi < Abi::TRUNCATE {
        return Err(NoSandbox::TooOld(abi.0));
    }
    if !seccomp::is_available() {
        return Err(NoSandbox::NoFilter);
    }
    Ok(Support { abi: abi.0, devices: abi >= Abi::DEVICES, signals: abi >= Abi::SCOPES })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_active_is_said() {
        let cases = [
            (3, false, false, "files, sockets (Landlock ABI 3)"),
            (5, true, false, "files, sockets, devices (Landlock ABI 5)"),
            (7, true, true, "files, sockets, devices, signals (Landlock ABI 7)"),
        ];
        for (abi, devices, signals, said) in cases {
            assert_eq!(Support { abi, devices, signals }.to_string(), said);
        }
    }

    #[test]
    fn a_limit_from_the_future_is_not_overlooked() {
        let known = r#"{"write":["/tmp"],"network":false}"#;
        assert!(serde_json::from_str::<Sandbox>(known).is_ok());
        for unknown in [r#"{"write":[],"network":false,"memory":1}"#, r#"{"write":[]}"#, "{}", "true"] {
            assert!(serde_json::from_str::<Sandbox>(unknown).is_err(), "{unknown}");
        }
    }
}
