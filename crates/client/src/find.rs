//! Which hub is meant when somebody starts a program in a folder.

use std::path::{Path, PathBuf};

use flightdeck_contract::workspace::{Workspace, WorkspaceError, project};

use crate::Hub;

/// A workspace that is meant, and whether it was named.
#[derive(Clone, Debug)]
pub struct Found {
    /// It.
    pub workspace: Workspace,
    /// Nobody named it, and no hub serves it yet.
    pub unnamed: bool,
}

impl Found {
    /// Its hub. None is started for a folder that is too broad and was not named.
    pub fn hub(&self) -> Hub {
        let hub = Hub::of(self.workspace.clone());
        match project::too_broad(self.workspace.root()).filter(|_| self.unnamed) {
            Some(why) => hub.not_started(project::advice(self.workspace.root(), why)),
            None => hub,
        }
    }
}

/// The workspace that is meant: the one given, or the project around the current folder. Within the project, a folder that
/// has a hub of its own comes first; what lies above the project never counts.
pub fn workspace(given: Option<&Path>) -> Result<Found, WorkspaceError> {
    if let Some(dir) = given {
        return Ok(Found { workspace: Workspace::at(dir)?, unnamed: false });
    }
    let gone = |source| WorkspaceError::Root { path: PathBuf::from("."), source };
    let here = std::env::current_dir().map_err(gone)?;
    let here = here.canonicalize().unwrap_or(here);
    // Somebody has named it before if it is one that has to be named.
    if let Some(workspace) = project::up_to_root(&here).find_map(|dir| served(&dir)) {
        return Ok(Found { workspace, unnamed: false });
    }
    Ok(Found { workspace: Workspace::at(project::root_of(&here))?, unnamed: true })
}

/// The workspace of this folder, if a hub serves it.
pub fn served(dir: &Path) -> Option<Workspace> {
    Workspace::at(dir).ok().filter(|workspace| Hub::of(workspace.clone()).is_there())
}
