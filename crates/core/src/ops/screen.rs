//! `terminal.screen`: what a person would see now.

use std::sync::Arc;

use flightdeck_contract::terminal::{LookAtScreen, ScreenShown};
use flightdeck_contract::{Error, ErrorCode};

use crate::convert;
use crate::hub::Hub;

pub(crate) fn call(hub: &Arc<Hub>, look: &LookAtScreen) -> Result<ScreenShown, Error> {
    let session = hub.session(look.id)?;
    let input = convert::input_state(session.facts().input);
    let seen = session.progress().seen;
    session
        .screen(|screen| {
            let cursor = screen.cursor();
            let text =
                if look.ansi { String::from_utf8_lossy(&screen.snapshot_ansi()).into_owned() } else { screen.text() };
            ScreenShown {
                text,
                cursor_row: cursor.row,
                cursor_col: cursor.col,
                cursor_visible: cursor.visible,
                size: convert::window_size(screen.size()),
                alt_screen: screen.modes().alt_screen,
                title: screen.title().map(str::to_owned),
                input,
                cursor: seen.0,
            }
        })
        .ok_or_else(|| {
            Error::new(ErrorCode::NoTerminal, format!("{} runs on pipes and has no screen", look.id))
                .hint("read its output instead")
        })
}
