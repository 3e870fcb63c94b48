//! `openspace.editor.open`: a file, at a line.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{EditorOpened, OpenEditor, Shown};
use flightdeck_workbench::OpenEditor as Open;

use super::super::ide::{seen, through};
use crate::call::Call;
use crate::convert::guest;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::{file_meant, load_document, text_to_show};

const ID: &str = "openspace.editor.open";

pub(super) fn command() -> Command {
    define(Family::Openspace, ID,
        Effects::WRITES,
        "Open a file in the editor",
        "Opens a file in the editor, or brings it to the front, and goes to a line; with `highlight` the line is marked.",
    )
    .controls_ide()
    .handle(|hub, call, request: OpenEditor| async move { open(&hub, &call, request).await })
}

async fn open(hub: &Arc<Hub>, call: &Call, mut request: OpenEditor) -> Result<EditorOpened, Error> {
    if request.line == Some(0) || request.column == Some(0) {
        return Err(Error::invalid("line", "lines and columns count from 1"));
    }
    request.path = file_meant(hub, &request.path).await?;
    let mut opened: EditorOpened = through(hub, call, ID, &request, async {
        let OpenEditor { path, line, column, highlight } = request.clone();
        // What can't be read is not opened at all.
        let read = text_to_show(hub, &path).await?;
        let open = Open { path: path.clone(), line, column, highlight };
        let opened = hub.workbench().change(|state| state.open_editor(&guest(&call.caller.actor), &open))?;
        load_document(hub, &path, read).await?;
        Ok(EditorOpened {
            editor_id: Some(opened.editor.to_string()),
            pane_id: Some(opened.pane.to_string()),
            highlight_id: opened.highlight.map(|id| id.to_string()),
            last_line: line.and_then(|line| hub.workbench().look(|state| state.behind_the_end(&path, line))),
            seen: Shown::default(),
        })
    })
    .await?;
    opened.seen = seen(hub);
    Ok(opened)
}
