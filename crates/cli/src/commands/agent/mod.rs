//! `flightdeck agent`: agents by name, conversations, and one of them in this window.

mod ask;
mod asking;
mod calls;
mod converse;
mod follow;
mod form;
mod lists;
mod output;
mod printer;
mod screen;
mod slash;
mod styled;
mod talk;

use std::process::ExitCode;

use anyhow::bail;
use flightdeck_client::Client;
use flightdeck_contract::ConversationId;
use flightdeck_contract::chat::{
    Budget, Chat, ChatStarted, ChatState, Chats, DeleteSession, ListChats, NewChat, RemoveChat, RestartChat, SignOut,
    StopChat,
};
use flightdeck_contract::terminal::Done;
use flightdeck_core::Workspace;

use crate::args::{Agent, Which};

pub async fn run(workspace: &Workspace, client: Client, args: Agent) -> anyhow::Result<ExitCode> {
    if args.list {
        return lists::chats(&client, args.json).await;
    }
    if let Some(id) = args.stop {
        client.call::<Done>("flightdeck.chat.stop", &StopChat { id }).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = args.remove {
        client.call::<Done>("flightdeck.chat.remove", &RemoveChat { id }).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(id) = args.sessions {
        if let Some(session) = args.delete {
            client.call::<Done>("flightdeck.chat.session.delete", &DeleteSession { id, session }).await?;
            return Ok(ExitCode::SUCCESS);
        }
        return lists::sessions(&client, id, args.json).await;
    }
    if let Some(id) = args.logout {
        client.call::<Done>("flightdeck.chat.logout", &SignOut { id }).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let id = match (&args.resume, &args.name, args.command.is_empty()) {
        (Some(which), ..) => take_up(&client, *which, args.fresh).await?,
        (None, None, true) => return lists::presets(&client, args.json).await,
        _ => begin(workspace, &client, &args).await?,
    };
    converse::run(workspace, client, id, &args).await
}

async fn begin(workspace: &Workspace, client: &Client, args: &Agent) -> anyhow::Result<ConversationId> {
    let cwd = args.cwd.as_ref().map(std::path::absolute).transpose()?;
    let cwd = cwd.unwrap_or_else(|| workspace.root().to_owned());
    let folders = args.add_dir.iter().map(|folder| Ok(std::path::absolute(folder)?.to_string_lossy().into_owned()));
    let folders: anyhow::Result<Vec<_>> = folders.collect();
    let new = NewChat {
        agent: args.name.clone(),
        command: (!args.command.is_empty()).then(|| args.command.clone()),
        cwd: Some(cwd.to_string_lossy().into_owned()),
        additional_directories: folders?,
        session: args.session.clone(),
        budget: args.budget.map(|tokens| Budget { tokens: Some(tokens), cost: None }),
        ..NewChat::default()
    };
    let started: ChatStarted = client.call("flightdeck.chat.new", &new).await?;
    Ok(started.id)
}

/// The conversation that is meant, with an agent that is there.
async fn take_up(client: &Client, which: Which, fresh: bool) -> anyhow::Result<ConversationId> {
    let Chats { chats } = client.call("flightdeck.chat.list", &ListChats {}).await?;
    let meant = |chat: &&Chat| match which {
        Which::Last => true,
        Which::Id(id) => chat.id == id,
    };
    let Some(chat) = chats.iter().find(meant) else {
        bail!("there is no such conversation: `flightdeck agent --list` lists them");
    };
    if chat.agent.number.is_none() && matches!(chat.state, ChatState::Gone | ChatState::Failed) {
        client.call::<Done>("flightdeck.chat.restart", &RestartChat { id: chat.id, fresh }).await?;
    }
    Ok(chat.id)
}
