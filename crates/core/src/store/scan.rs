//! A look through the whole database after it was opened: damage in the middle is told before somebody needs that part.

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rusqlite::InterruptHandle;

use super::error::StoreError;
use super::file;
use super::writer::Damage;

/// A look that is under way, or over. Dropping it ends it.
pub(super) struct Scan {
    interrupt: InterruptHandle,
    thread: Option<JoinHandle<()>>,
}

impl Scan {
    /// Begins it, on a connection and a thread of its own. `None` where there is no room for them: then damage is told
    /// when that part is read.
    pub(super) fn start(path: Arc<Path>, damage: Damage) -> Option<Self> {
        let db = file::open_reading(&path).ok()?;
        let interrupt = db.get_interrupt_handle();
        let look = move || {
            let found = db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
            match found {
                Ok(found) if found != "ok" => {
                    let reason = found.lines().last().unwrap_or_default().to_owned();
                    let _error = StoreError::Corrupt { path: path.to_path_buf(), reason }.seen_by(&damage);
                }
                Ok(_) => {}
                // Another error, such as an interruption, says nothing about the file.
                Err(error) => drop(StoreError::new(&path, error).seen_by(&damage)),
            }
        };
        let thread = thread::Builder::new().name("store-scan".to_owned()).spawn(look).ok()?;
        Some(Scan { interrupt, thread: Some(thread) })
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        // It may be just before the statement begins, which an interruption does not reach.
        while !thread.is_finished() {
            self.interrupt.interrupt();
            thread::yield_now();
        }
        // A panic was printed already.
        let _ = thread.join();
    }
}

impl std::fmt::Debug for Scan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scan").finish_non_exhaustive()
    }
}
