//! The two analyses of a command, side by side.

use crate::shell::MAX_LENGTH;
use crate::{Assessment, Deed, NotPlain, Place, danger, plain};

/// All that is known of a command. It never panics, and its time is bounded: texts above 64 KiB, nested deeper than 64
/// levels, with more than 2,000 commands or with more work in them than their length is worth are
/// [`Unreadable`](crate::DangerKind::Unreadable); what is found before that and in the open after it stays. Of texts with
/// more than 300 words nothing is proven.
#[must_use]
pub fn assess(deed: &Deed, place: &Place) -> Assessment {
    let (plain, found) = match deed {
        Deed::Line(text) if text.len() > MAX_LENGTH => {
            let reason = "it is longer than 64 KiB".to_owned();
            (Err(NotPlain { reason, span: 0..text.len() }), danger::line(text, place, false))
        }
        Deed::Line(text) => {
            let plain = plain::plain(text);
            let agreed = plain.is_ok();
            (plain, danger::line(text, place, agreed))
        }
        Deed::Argv(words) => (plain::argv(words), danger::argv(words, place)),
    };
    Assessment { pieces: found.pieces, plain, dangers: found.dangers }
}
