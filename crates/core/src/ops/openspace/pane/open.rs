//! `openspace.pane.open`: shows a file or a terminal.

use std::sync::Arc;

use flightdeck_contract::openspace::{OpenPane, PaneOpened, PaneType, Shown};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_workbench::{Content, Open};

use super::super::ide::{seen, through};
use crate::agents::visible::{is_visible, not_found};
use crate::call::Call;
use crate::convert::guest;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::named::named;
use crate::workbench::{file_meant, load_document, text_to_show};

const ID: &str = "openspace.pane.open";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Open a pane",
        "Shows a file or a terminal: as a tab of the active pane, or with `splitDirection` in a new pane to the right \
         (`vertical`) or below (`horizontal`).",
    )
    .controls_ide()
    .handle(|hub, call, request: OpenPane| async move { open(&hub, &call, request).await })
}

async fn open(hub: &Arc<Hub>, call: &Call, mut request: OpenPane) -> Result<PaneOpened, Error> {
    let content = content(hub, call, &request).await?;
    request.content_id = content.id();
    let mut opened: PaneOpened = through(hub, call, ID, &request, async {
        let path = content.path().map(str::to_owned);
        // What can't be read is not opened at all.
        let read = match &path {
            Some(path) => text_to_show(hub, path).await?,
            None => None,
        };
        let OpenPane { title, split_direction, .. } = &request;
        let title = title.clone().or_else(|| title_of(hub, &content));
        let open = Open { content, title, split: *split_direction, area: None };
        let opened = hub.workbench().change(|state| state.open(&guest(&call.caller.actor), open))?;
        if let Some(path) = path {
            load_document(hub, &path, read).await?;
        }
        Ok(PaneOpened { pane_id: opened.pane.to_string(), seen: Shown::default() })
    })
    .await?;
    opened.seen = seen(hub);
    Ok(opened)
}

async fn content(hub: &Arc<Hub>, call: &Call, request: &OpenPane) -> Result<Content, Error> {
    match request.kind {
        PaneType::Editor => Ok(Content::Editor(file_meant(hub, &request.content_id).await?)),
        PaneType::Terminal => {
            let id = named(hub, &request.content_id)?;
            if is_visible(hub, id, &call.caller.actor) { Ok(Content::Terminal(id)) } else { Err(not_found(id)) }
        }
        PaneType::Presentation | PaneType::Whiteboard => {
            let text = "presentations and whiteboards are not there yet";
            Err(Error::new(ErrorCode::NotSupported, text).hint("show a file with type `editor`, or a `terminal`"))
        }
    }
}

/// A terminal goes by its own title.
fn title_of(hub: &Hub, content: &Content) -> Option<String> {
    match content {
        Content::Terminal(id) => hub.meta(*id).and_then(|meta| meta.title.clone()),
        Content::Editor(_) => None,
    }
}
