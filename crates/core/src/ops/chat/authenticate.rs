//! `flightdeck.chat.authenticate`: signs in.

use flightdeck_contract::chat::{Authenticate, SignIn};

use crate::conversations::{Instruction, sign_in};
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.authenticate",
        Effects::EXECUTES,
        "Sign in to an agent",
        "Signs in to the agent of a conversation, in one of the ways that it offers. One that needs a terminal begins in one, \
         whose id is returned.",
    )
    .for_people()
    .handle(|hub, call, request: Authenticate| async move {
        let conversation = hub.conversations().get(request.id)?;
        let method = conversation.chat().auth.into_iter().find(|method| method.id == request.method);
        if let Some(method) = method.filter(|method| method.command.is_some()) {
            let terminal = sign_in::begin(&hub, &call.caller, &conversation, &method).await?;
            return Ok(SignIn { terminal: Some(terminal) });
        }
        conversation.order(|reply| Instruction::Authenticate { method: request.method, reply }).await?;
        Ok(SignIn::default())
    })
}
