//! `openspace.editor.scroll_to`: brings a line to the middle.

use flightdeck_contract::openspace::{ScrollTo, Scrolled, Shown};

use super::super::ide::{seen, through};
use crate::registry::{Command, Effects, Family, define};
use crate::workbench::file_meant;

const ID: &str = "openspace.editor.scroll_to";

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        ID,
        Effects::WRITES,
        "Scroll to a line",
        "Brings a line of an open file to the middle of its editor.",
    )
    .controls_ide()
    .handle(|hub, call, mut request: ScrollTo| async move {
        request.path = file_meant(&hub, &request.path).await?;
        let mut scrolled: Scrolled = through(&hub, &call, ID, &request, async {
            hub.workbench().change(|state| state.scroll_to(&request.path, request.line))?;
            let last_line = hub.workbench().look(|state| state.behind_the_end(&request.path, request.line));
            Ok(Scrolled { last_line, seen: Shown::default() })
        })
        .await?;
        scrolled.seen = seen(&hub);
        Ok(scrolled)
    })
}
