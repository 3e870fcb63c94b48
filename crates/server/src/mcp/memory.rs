//! HTTP sessions that outlive the hub: what their clients said at the beginning, in a file each.
//!
//! Few clients know what to do when their session is gone. So when a hub was restarted and a client comes with the
//! session of the one before, the handshake is done again on its behalf, and it goes on as if nothing had happened.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};

use crate::private;

/// Sessions that no hub has closed are forgotten after so long: their clients are gone for good.
const FORGOTTEN: Duration = Duration::from_hours(24);
/// The longest greeting that is kept.
const GREETING_BYTES: usize = 64 << 10;

/// The folder of the sessions.
#[derive(Debug)]
pub(crate) struct Memory(PathBuf);

impl Memory {
    /// Sessions in this folder. It is made with the first of them.
    pub(crate) fn new(folder: PathBuf) -> Self {
        let memory = Memory(folder);
        memory.forget_old();
        memory
    }

    fn forget_old(&self) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|meta| meta.modified()).map(|at| SystemTime::now().duration_since(at));
            if matches!(age, Ok(Ok(age)) if age > FORGOTTEN) {
                // It is looked for again the next time.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The file of a session. Ids come from strangers; ours are of hex digits and dashes.
    fn file(&self, id: &str) -> Option<PathBuf> {
        let ours = id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        ours.then(|| self.0.join(id))
    }

    fn read(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(file) = self.file(id) else { return Ok(None) };
        match fs::read(file) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let bytes = serde_json::to_vec(state)?;
        match self.file(id) {
            Some(file) if bytes.len() <= GREETING_BYTES => {
                private::folder(&self.0)?;
                Ok(private::write(&file, &bytes)?)
            }
            _ => Ok(()),
        }
    }

    /// Forgets a session.
    pub(crate) fn forget(&self, id: &str) {
        if let Some(file) = self.file(id) {
            // Not known is as good as forgotten.
            let _ = fs::remove_file(file);
        }
    }
}

#[async_trait]
impl SessionStore for Memory {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        self.read(id)
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        self.write(id, state)
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.forget(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::InitializeRequestParams;

    use super::*;

    const ID: &str = "0123abcd-0000-4000-8000-000000000000";

    #[test]
    fn what_is_remembered_can_be_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let memory = Memory::new(dir.path().join("sessions"));
        assert!(memory.read(ID).unwrap().is_none());
        let state = SessionState::new(InitializeRequestParams::default());
        memory.write(ID, &state).unwrap();
        assert_eq!(memory.read(ID).unwrap().unwrap().initialize_params, state.initialize_params);
        memory.forget(ID);
        assert!(memory.read(ID).unwrap().is_none());
    }

    #[test]
    fn no_id_leads_out_of_the_folder() {
        let memory = Memory::new("/nowhere".into());
        for id in ["../../../../../../../../../../etc/passwd", "", ".", "x", &ID[1..], &ID.replace('a', "/")] {
            assert_eq!(memory.file(id), None, "{id}");
        }
        assert!(memory.file(ID).is_some());
    }
}
