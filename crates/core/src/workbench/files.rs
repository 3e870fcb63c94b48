//! The files of the workspace, opened with what the user has set about them.

use flightdeck_files::{Backups, FileError, Files, Limits, Root, Rules};

use crate::settings::{FileSettings, Settings};
use flightdeck_contract::workspace::Workspace;

/// Opens them. What was written is kept beside the hub's own state.
pub(crate) fn open(workspace: &Workspace, settings: &FileSettings) -> Result<Files, FileError> {
    let root = Root::open(workspace.root())?;
    // A workspace may be as large as the home folder: the token and the policy are no files for agents then.
    let folder = Settings::folder();
    let own = [workspace.state(), workspace.runtime(), folder.as_path()];
    let own = own.into_iter().filter_map(|folder| root.below(folder)).collect();
    let rules = Rules::new(&settings.deny, &settings.protect)?.shut(own);
    let limits = Limits { bytes: settings.undo_bytes, entries: settings.undo_entries };
    let backups = Backups::open(&workspace.state().join("undo"), limits)?;
    Ok(Files::new(root, rules, backups))
}
