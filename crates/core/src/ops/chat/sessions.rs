//! `flightdeck.chat.session.*` and `flightdeck.chat.logout`: what an agent keeps for its user.

use flightdeck_contract::chat::{DeleteSession, ListSessions, SignOut};
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn commands() -> [Command; 3] {
    [
        define(
            Family::Hub,
            "flightdeck.chat.session.list",
            Effects::READS,
            "List an agent's sessions",
            "Lists the sessions that the agent of a conversation knows, where it can tell. One of them is taken up with `session` \
             of flightdeck.chat.new.",
        )
        .for_people()
        .handle(|hub, _, ListSessions { id, all }: ListSessions| async move {
            let conversation = hub.conversations().get(id)?;
            let mut listed = conversation.order(|reply| Instruction::ListSessions { all, reply }).await?;
            let chats = hub.conversations().list();
            for known in &mut listed.sessions {
                let has_it = chats.iter().find(|chat| chat.session.as_deref() == Some(&known.session));
                known.conversation = has_it.map(|chat| chat.id);
            }
            Ok(listed)
        }),
        define(
            Family::Hub,
            "flightdeck.chat.session.delete",
            Effects::DESTROYS,
            "Delete an agent's session",
            "Has the agent of a conversation forget another session, where it can.",
        )
        .for_people()
        .handle(|hub, _, DeleteSession { id, session }: DeleteSession| async move {
            let conversation = hub.conversations().get(id)?;
            conversation.order(|reply| Instruction::DeleteSession { session, reply }).await?;
            Ok(Done {})
        }),
        define(
            Family::Hub,
            "flightdeck.chat.logout",
            Effects::WRITES,
            "Sign out of an agent",
            "Signs out of the agent of a conversation, where it can. It wants a sign-in before the next session.",
        )
        .for_people()
        .handle(|hub, _, SignOut { id }: SignOut| async move {
            let conversation = hub.conversations().get(id)?;
            conversation.order(|reply| Instruction::SignOut { reply }).await?;
            Ok(Done {})
        }),
    ]
}
