//! A pair of descriptors that is a terminal: what the keeper reads, and what a child has as its standard streams.
//!
//! To open one takes the kernel as long as everything else that a start does before the program runs. So the keeper opens
//! the next one after each start, while the new program loads.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{InputModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

use crate::Size;

/// A terminal that nobody has used yet.
pub struct Terminal {
    pub master: OwnedFd,
    pub slave: OwnedFd,
}

impl Terminal {
    pub fn open() -> Result<Self, Errno> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags)?;
        unlockpt(&master)?;
        let slave = ioctl_tiocgptpeer(&master, flags)?;
        let mut modes = tcgetattr(&slave)?;
        // So that erasing a character in a line erases all of its bytes.
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        Ok(Self { master, slave })
    }
}

/// Tells the terminal its size; the kernel tells the foreground process.
pub fn resize(master: &OwnedFd, size: Size) -> Result<(), Errno> {
    tcsetwinsize(master, Winsize { ws_row: size.rows(), ws_col: size.cols(), ws_xpixel: 0, ws_ypixel: 0 })
}
