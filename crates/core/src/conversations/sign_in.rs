//! Signing in to an agent in a terminal: its own program runs there with other arguments. Once that has ended well, the agent
//! starts again, unless its session would be lost by that.

use std::sync::Arc;

use flightdeck_contract::chat::{AuthMethod, Level, Resumable};
use flightdeck_contract::terminal::New;
use flightdeck_contract::{Error, TerminalId};
use flightdeck_keeper::Exit;

use super::conversation::Conversation;
use super::instruction::Instruction;
use super::process;
use crate::actor::Caller;
use crate::hub::Hub;
use crate::terminals::start::{Purpose, Start, start};

/// Starts it. A hub that ends meanwhile forgets that the agent is to be started again.
pub(crate) async fn begin(
    hub: &Arc<Hub>,
    caller: &Caller,
    conversation: &Arc<Conversation>,
    method: &AuthMethod,
) -> Result<TerminalId, Error> {
    let chat = conversation.chat();
    let env = conversation.kept().env.into_iter().chain(method.env.clone()).collect();
    let new = New {
        command: method.command.clone(),
        cwd: Some(chat.cwd),
        env,
        title: Some(format!("Sign in: {}", chat.agent.title)),
        ..New::default()
    };
    let started = start(hub, caller, Start::of(new, Purpose::Lasting)).await?;
    let text = format!("Sign in to {} in terminal {id}: `flightdeck attach {id}`.", chat.agent.title, id = started.id);
    conversation.write_down(|draft| draft.note(Level::Info, text, None)).await;
    let (hub, caller, conversation) = (Arc::clone(hub), caller.clone(), Arc::clone(conversation));
    tokio::spawn(async move {
        let mut progress = started.session.follow_milestones();
        let ended = progress.wait_for(|progress| !progress.running()).await.map(|progress| progress.exit);
        let problem = match ended {
            Ok(Some(Exit::Code(0))) => go_on(&hub, &caller, &conversation).await.err().map(|error| {
                let hint = error.hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
                format!("The sign-in is done, but the agent does not go on: {}{hint}.", error.message)
            }),
            Ok(Some(Exit::Code(code))) => Some(format!("The sign-in has failed: it ended with exit code {code}.")),
            _ => Some("The sign-in has failed: it was ended.".to_owned()),
        };
        if let Some(text) = problem {
            conversation.write_down(|draft| draft.note(Level::Error, text, None)).await;
        }
    });
    Ok(started.id)
}

async fn go_on(hub: &Arc<Hub>, caller: &Caller, conversation: &Arc<Conversation>) -> Result<(), Error> {
    let chat = conversation.chat();
    if chat.session.is_some() && chat.resumable == Resumable::No {
        // Another process would know nothing of what was said.
        conversation.order(|reply| Instruction::SignedIn { reply }).await?;
        let text = "Signed in. The agent was not started again, because it can't take up its session. If it still wants a \
                    sign-in, `flightdeck.chat.stop` and `flightdeck.chat.restart` with `fresh` begin a new session.";
        conversation.write_down(|draft| draft.note(Level::Info, text, None)).await;
        return Ok(());
    }
    process::stop(hub, conversation, &caller.actor.to_string()).await?;
    process::restart(hub, caller, conversation, false).await
}
