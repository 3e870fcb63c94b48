//! What a file carries beside content, owner and mode: access lists and extended attributes. A file that replaces
//! another takes them over.

use std::os::fd::AsFd;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, flistxattr_query, fremovexattr, fsetxattr};

/// The access list. With one, the group's bits of the mode are not the group's rights but the most that anybody of the
/// list has.
const ACCESS_LIST: &str = "system.posix_acl_access";
/// Rights of a program. Who writes a program does not get to run it with them.
const CAPABILITIES: &str = "security.capability";
/// The longest value that Linux knows.
const LONGEST: usize = 64 * 1024;

/// The attributes of a file.
#[derive(Debug, Default)]
pub(crate) struct Attributes(Vec<(String, Vec<u8>)>);

/// Whether the access list of a file is that of the one it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessList {
    Same,
    /// It could not be set, so the mode's bits for the group would mean something else.
    Lost,
}

impl Attributes {
    /// Those of an open file. What can't be read is left out, as a copy of the file would.
    pub fn of(file: impl AsFd) -> Self {
        let file = file.as_fd();
        let length = match flistxattr_query(file) {
            Ok(length) if length > 0 => length,
            _ => return Self::default(),
        };
        // One that is added meanwhile makes the list too long for the room, and it is read without.
        let mut names = vec![0; length];
        let Ok(length) = flistxattr(file, &mut *names) else { return Self::default() };
        names.truncate(length);
        let names = names.split(|byte| *byte == 0).filter_map(|name| str::from_utf8(name).ok());
        let wanted = names.filter(|name| !name.is_empty() && *name != CAPABILITIES);
        let value = |name: &str| {
            let mut value = vec![0; LONGEST];
            let length = fgetxattr(file, name, &mut *value).ok()?;
            value.truncate(length);
            Some((name.to_owned(), value))
        };
        Self(wanted.filter_map(value).collect())
    }

    /// Gives them to another file, which has its mode already. Those that only the system may set are left out.
    pub fn give(&self, file: impl AsFd) -> AccessList {
        let file = file.as_fd();
        let mut list = AccessList::Same;
        for (name, value) in &self.0 {
            if fsetxattr(file, &**name, value, XattrFlags::empty()).is_err() && name == ACCESS_LIST {
                list = AccessList::Lost;
            }
        }
        if !self.0.iter().any(|(name, _)| name == ACCESS_LIST) {
            // A new file may get one from its folder. That the file has none was somebody's wish.
            let _ = fremovexattr(file, ACCESS_LIST);
        }
        list
    }
}
