//! `flightdeck.hub.pairing_code` and `flightdeck.hub.pair`: a person vouches for a program that is not known to be theirs.

use std::sync::Arc;

use flightdeck_contract::hub::{Empty, Pair, Paired, PairingCode};
use flightdeck_contract::{Error, ErrorCode};

use crate::actor::{Caller, Entry};
use crate::convert;
use crate::hub::Hub;
use crate::identity::{CODE_LIFETIME, CodeRefusal, Vouching};
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn commands() -> Vec<Command> {
    vec![code(), pair()]
}

fn code() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.pairing_code",
        Effects { idempotent: false, ..Effects::WRITES },
        "Pair a program",
        "Makes a code with which one program that is not known to be yours becomes one of your front ends, once, within two \
         minutes.",
    )
    .for_people()
    .handle(|hub, _, _: Empty| async move {
        Ok(PairingCode { code: hub.new_pairing_code(), expires_in_seconds: CODE_LIFETIME.as_secs() })
    })
}

fn pair() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.pair",
        Effects { idempotent: false, ..Effects::WRITES },
        "Use a pairing code",
        "Makes the calling program one of the front ends of the person who has given it the code. Refused to agents and what \
         they have started.",
    )
    .for_front_ends()
    .unread(&["code"])
    .aside(|hub, call, request: Pair| redeem(hub, &call.caller, &request.code))
}

fn redeem(hub: &Arc<Hub>, caller: &Caller, code: &str) -> Result<Paired, Error> {
    let vouching = match caller.entry {
        Entry::Socket | Entry::Cookie if caller.actor.is_human() => {
            return Err(Error::new(ErrorCode::InvalidArgument, "this program is known to be yours already")
                .hint("run `flightdeck pair` without a code to make one for another program"));
        }
        Entry::Unknown => caller.peer.as_ref().and_then(|peer| hub.vouching_for(peer)),
        _ => None,
    };
    let Some(vouching) = vouching else {
        return Err(Error::new(ErrorCode::NotAllowed, "what an agent has started can't be paired")
            .hint("use a terminal that no agent has started, or the browser"));
    };
    hub.redeem_pairing_code(code).map_err(|refusal| match refusal {
        CodeRefusal::NoCode => {
            Error::invalid("code", "there is no code, or it was used, has expired or was guessed at").hint(
                "make a new one: run `flightdeck pair` in a window of yours, or choose “Pair a program” in the page",
            )
        }
        CodeRefusal::Wrong => Error::invalid("code", "that is not the code").hint("type it as it is shown"),
    })?;
    hub.vouch_for(&vouching).map_err(|error| convert::store_error(&error))?;
    Ok(match vouching {
        Vouching::Process { process, name } => Paired { pid: Some(process.pid), program: name },
        Vouching::Connection(_) => Paired { pid: None, program: None },
    })
}
