//! The agents that are known by name, and the conversations.

use std::process::ExitCode;
use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::ConversationId;
use flightdeck_contract::chat::{
    AgentSessions, Chat, ChatState, Chats, ListChats, ListPresets, ListSessions, ListedSession, Presets,
};

use crate::commands::approve::{now_ms, span};
use crate::commands::print_json;
use crate::commands::table::{Cell, print_table};
use crate::commands::visible::visible;
use crate::style::{self, Style};

pub async fn presets(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let presets: Presets = client.call("flightdeck.chat.agents", &ListPresets {}).await?;
    if json {
        print_json(&presets.agents)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let rows: Vec<_> = presets
        .agents
        .iter()
        .map(|preset| {
            let how = match &preset.found {
                Some(_) => Cell::new("installed", style.green("installed")),
                None => Cell::new(&preset.install, style.dim(&preset.install)),
            };
            vec![
                Cell::new(&preset.id, style.bold(&preset.id)),
                Cell::plain(&preset.name),
                Cell::plain(&preset.command.join(" ")),
                how,
            ]
        })
        .collect();
    print_table(&["NAME", "AGENT", "COMMAND", "INSTALLED, OR HOW TO"], &rows, style)?;
    eprintln!("start one with `flightdeck agent NAME`, or any other with `flightdeck agent -- COMMAND…`");
    Ok(ExitCode::SUCCESS)
}

pub async fn chats(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let Chats { chats } = client.call("flightdeck.chat.list", &ListChats {}).await?;
    if json {
        print_json(&chats)?;
        return Ok(ExitCode::SUCCESS);
    }
    if chats.is_empty() {
        eprintln!("there are no conversations: `flightdeck agent NAME` begins one");
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let rows: Vec<_> = chats.iter().map(|chat| row(chat, style)).collect();
    print_table(&["ID", "AGENT", "STATE", "USED", "TITLE", "WHY"], &rows, style)?;
    Ok(ExitCode::SUCCESS)
}

/// The sessions that an agent knows.
pub async fn sessions(client: &Client, id: ConversationId, json: bool) -> anyhow::Result<ExitCode> {
    let request = ListSessions { id, all: false };
    let listed: AgentSessions = client.call("flightdeck.chat.session.list", &request).await?;
    if json {
        print_json(&listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    let text = |text: Option<&str>| Cell::plain(&visible(text.unwrap_or_default()));
    let row = |session: &ListedSession| {
        let here = session.conversation.map(|id| id.to_string());
        let (updated, title) = (session.updated_at.as_deref(), session.title.as_deref());
        vec![text(Some(&session.session)), text(here.as_deref()), text(updated), text(title)]
    };
    let rows: Vec<_> = listed.sessions.iter().map(row).collect();
    print_table(&["SESSION", "HERE", "LAST USED", "TITLE"], &rows, style)?;
    if listed.more {
        eprintln!("there are more of them");
    }
    Ok(ExitCode::SUCCESS)
}

fn row(chat: &Chat, style: Style) -> Vec<Cell> {
    let (id, state) = (chat.id.to_string(), chat.state.name());
    let shown = match chat.state {
        ChatState::Working | ChatState::Starting => style.green(state),
        ChatState::WaitsForApproval | ChatState::WaitsForInput | ChatState::WaitsForSignIn => style.yellow(state),
        ChatState::Failed => style.red(state),
        ChatState::Ready | ChatState::Done | ChatState::Gone => style.dim(state),
    };
    let used = Duration::from_millis(u64::try_from(now_ms() - chat.updated_at_ms).unwrap_or(0));
    vec![
        Cell::new(&id, style.bold(&id)),
        Cell::plain(&visible(&chat.agent.title)),
        Cell::new(state, shown),
        Cell::plain(&format!("{} ago", span(used))),
        Cell::plain(&visible(&chat.title)),
        Cell::plain(&visible(&chat.reason)),
    ]
}
