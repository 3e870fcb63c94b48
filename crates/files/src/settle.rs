//! Settling changes that a crash cut short, at the next start.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, RenameFlags, renameat_with, unlinkat};

use crate::backup::Stored;
use crate::files::Files;
use crate::path::RelPath;
use crate::resolve::Links;
use crate::swap::{digest_at, is_temp};

impl Files {
    /// Changes that were begun and neither done nor given up: their process died.
    pub(crate) fn settle(&self) {
        for entry in self.backups().pending() {
            let path = RelPath::from_real(&entry.path);
            let Some((folder, name)) = path.split() else { continue };
            let made = match self.root().folder(&folder, Links::Refuse) {
                Ok((folder, _)) if is_temp(&entry.temp) => sweep(&folder, name, &entry),
                _ => false,
            };
            if made {
                self.backups().done(entry.id);
            } else {
                self.backups().void(entry.id);
            }
            tracing::info!(path = %entry.path, made, "settled a change that was cut short");
        }
    }
}

/// Removes the temporary file; says whether the change came about.
fn sweep(folder: &OwnedFd, name: &str, entry: &Stored) -> bool {
    let (left, here) = (digest_at(folder, &entry.temp), digest_at(folder, name));
    let foreign = left.is_some() && left != entry.before && left != entry.after;
    // Where the change is in place and what came out is not what it should replace, that is newer work of somebody
    // else, which the crash kept from being put back.
    let back = match (here.is_some(), entry.before.is_some(), entry.after.is_some()) {
        (true, true, true) if foreign && here == entry.after => Some(RenameFlags::EXCHANGE),
        (false, true, false) if foreign => Some(RenameFlags::NOREPLACE),
        _ => None,
    };
    if let Some(how) = back
        && let Err(errno) = renameat_with(folder, &entry.temp, folder, name, how)
    {
        tracing::error!(file = entry.temp, %errno, "a file could not be put back and is kept under this name");
        return false;
    }
    let _ = unlinkat(folder, &entry.temp, AtFlags::empty());
    digest_at(folder, name) == entry.after
}
