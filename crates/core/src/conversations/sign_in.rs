//! Signing in to an agent in a terminal: its own program runs there with other arguments, and the agent starts again once that
//! has ended well.

use std::sync::Arc;

use flightdeck_contract::chat::{AuthMethod, Level};
use flightdeck_contract::terminal::New;
use flightdeck_contract::{Error, TerminalId};
use flightdeck_keeper::Exit;

use super::conversation::Conversation;
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
            Ok(Some(Exit::Code(0))) => start_again(&hub, &caller, &conversation).await.err().map(|error| error.message),
            Ok(Some(Exit::Code(code))) => Some(format!("it ended with exit code {code}")),
            _ => Some("it was ended".to_owned()),
        };
        if let Some(problem) = problem {
            let text = format!("The sign-in has failed: {problem}.");
            conversation.write_down(|draft| draft.note(Level::Error, text, None)).await;
        }
    });
    Ok(started.id)
}

async fn start_again(hub: &Arc<Hub>, caller: &Caller, conversation: &Arc<Conversation>) -> Result<(), Error> {
    process::stop(hub, conversation, &caller.actor.to_string()).await?;
    process::restart(hub, caller, conversation, false).await
}
