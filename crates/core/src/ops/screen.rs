//! `flightdeck.terminal.screen`: what a person would see now.

use std::sync::Arc;

use flightdeck_contract::terminal::{LookAtScreen, Picture, ScreenShown};
use flightdeck_contract::{Error, ErrorCode, Streams};
use flightdeck_term::image;
use flightdeck_term::session::Settling;

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::Emit;
use crate::terminals::on_screen;

const PNG: &str = "image/png";

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        LookAtScreen::COMMAND,
        Effects::READS,
        "Look at the screen",
        "Shows the screen as a person would see it, with the cursor and what the program waits for. For full-screen \
         programs such as editors, pagers and menus; after keys it waits until the program has answered. `image` adds a \
         PNG.",
    )
    .text_in("text")
    .attaches::<LookAtScreen>(PNG)
    .handle(|hub, request, look: LookAtScreen| async move {
        let session = hub.session(look.id)?;
        if let Some(typed_at) = hub.reading().just_typed(look.id) {
            // Otherwise it would be the screen from before the keys.
            session.settled(typed_at, Settling::SEEN).await;
        }
        aside(move || call(&hub, &request, &look)).await?
    })
}

fn call(hub: &Arc<Hub>, call: &Call, look: &LookAtScreen) -> Result<ScreenShown, Error> {
    let session = hub.session(look.id)?;
    let input = convert::input_state(session.facts().input);
    let seen = session.progress().seen;
    let shown = on_screen::look(&session, |screen| {
        let cursor = screen.cursor();
        let text =
            if look.ansi { String::from_utf8_lossy(&screen.snapshot_ansi()).into_owned() } else { screen.text() };
        let picture = look.image.then(|| image::png(screen));
        let shown = ScreenShown {
            text,
            cursor_row: cursor.row,
            cursor_col: cursor.col,
            cursor_visible: cursor.visible,
            size: convert::window_size(screen.size()),
            alt_screen: screen.modes().alt_screen,
            title: screen.title().map(str::to_owned),
            input,
            cursor: seen.0,
            image: picture.as_ref().map(|png| Picture { mime_type: PNG.to_owned(), bytes: png.len() as u64 }),
        };
        (shown, picture)
    })
    .ok_or_else(|| {
        Error::new(ErrorCode::NoTerminal, format!("{} runs on pipes and has no screen", look.id))
            .hint("read its output instead")
    });
    let (shown, picture) = shown?;
    if let (Some(bytes), Some(picture)) = (picture, &shown.image) {
        // A caller that is gone needs no picture.
        let _ = Emit::of(call).send_blocking(picture, bytes);
    }
    Ok(shown)
}
