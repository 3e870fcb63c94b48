//! `openspace.editor.highlight`: marks what the agent talks about.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::openspace::{HighlightRanges, Highlighted, Shown};
use flightdeck_contract::workbench::{Color, HighlightId};
use flightdeck_workbench::{Content, Open, SetHighlight};

use super::super::ide::{seen, through};
use crate::call::Call;
use crate::convert::guest;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::{file_meant, load_document, text_to_show};

const ID: &str = "openspace.editor.highlight";

pub(super) fn command() -> Command {
    define(Family::Openspace, ID,
        Effects::WRITES,
        "Highlight code",
        "Marks lines of a file in the editor until they are cleared; the marks move with the text. The file is opened when \
         it is not.",
    )
    .controls_ide()
    .handle(|hub, call, request: HighlightRanges| async move { highlight(&hub, &call, request).await })
}

async fn highlight(hub: &Arc<Hub>, call: &Call, mut request: HighlightRanges) -> Result<Highlighted, Error> {
    let id = request.highlight_id.as_deref().map(str::parse::<HighlightId>).transpose();
    let id = id.map_err(|error| Error::invalid("highlightId", error))?;
    let color = request.color.as_deref().map(str::parse::<Color>).transpose();
    let color = color.map_err(|error| Error::invalid("color", error))?.unwrap_or_default();
    request.path = file_meant(hub, &request.path).await?;
    let mut highlighted: Highlighted = through(hub, call, ID, &request, async {
        let (path, ranges) = (request.path.clone(), request.ranges.clone());
        let read = text_to_show(hub, &path).await?;
        let actor = guest(&call.caller.actor);
        let open = hub.workbench().look(|state| state.open_paths().contains(&path));
        let set = SetHighlight { path: path.clone(), ranges, id, color };
        // First what can be refused, so that nothing is opened in vain.
        let id = hub.workbench().change(|state| state.highlight(&actor, set))?;
        let opened = if open {
            Ok(())
        } else {
            let open = Open::new(Content::Editor(path.clone()));
            hub.workbench().change(|state| state.open(&actor, open)).map(|_| ())
        };
        if let Err(error) = opened {
            // Nothing of it stays.
            let _ = hub.workbench().change(|state| state.clear_highlight(&actor, &id));
            return Err(error);
        }
        load_document(hub, &path, read).await?;
        let end = request.ranges.iter().map(|range| range.end_line.max(range.start_line)).max();
        let last_line = end.and_then(|end| hub.workbench().look(|state| state.behind_the_end(&path, end)));
        Ok(Highlighted { highlight_id: id.to_string(), last_line, seen: Shown::default() })
    })
    .await?;
    highlighted.seen = seen(hub);
    Ok(highlighted)
}
