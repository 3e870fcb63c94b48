//! `flightdeck.hub.link`: a link that lets one browser in.

use flightdeck_contract::hub::{Empty, Link};
use flightdeck_contract::{Error, ErrorCode};

use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.link",
        Effects { idempotent: false, ..Effects::WRITES },
        "Login link",
        "Makes a link that lets one browser into this workspace, once, within two minutes.",
    )
    .for_people()
    .handle(|hub, _, _: Empty| async move {
        let link = hub.http().map(|http| (http.new_link)()).ok_or_else(|| {
            Error::new(ErrorCode::NotServed, "HTTP is not served").hint("settings.toml has `enabled` in [http]")
        });
        Ok(Link { url: link? })
    })
}
