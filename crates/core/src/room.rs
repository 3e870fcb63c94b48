//! Whether the disk has room for what terminals print and for what is noted. A call that it fails is told at once, by its
//! error or by a warning in its result, and not by whoever looks next.

use rustix::fs::statvfs;

use crate::hub::Hub;
use crate::store::StoreError;

/// With less than this nothing can be begun: a page of the database and one of a log.
const LEAST: u64 = 16 * 1024;

impl Hub {
    /// What a call is told that changed something while the disk was full. `noted` is how its end was noted.
    pub(crate) fn disk_is_full(&self, noted: &Result<(), StoreError>) -> Option<String> {
        let state = self.workspace().state();
        let free = statvfs(state).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        let what = match noted {
            Err(StoreError::Full { .. }) => "The end of this call is not in the audit log yet, and programs",
            _ if free < LEAST => "Programs",
            _ => return None,
        };
        let state = state.display();
        Some(format!("The disk of {state} is full. {what} that print stand still until there is room: make some."))
    }
}
