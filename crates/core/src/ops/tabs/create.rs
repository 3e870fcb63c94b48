//! `create_tab`: a shell in a new tab.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{CreateTab, TabCreated, TabNumber};
use flightdeck_contract::terminal::New;

use super::start::wait_for_prompt;
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::default_shell;
use crate::terminals::start::{Purpose, Start, Started, start};
use crate::terminals::tabs;

/// How long a call waits for the first prompt at most.
const READY: Duration = Duration::from_secs(2);
/// The longest name, in characters.
const LONGEST_NAME: usize = 200;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "create_tab",
        Effects { destructive: false, ..Effects::EXECUTES },
        "Create a tab",
        "Creates a terminal tab with a shell and returns its `window_id`. Tabs are shared: people and other agents see \
         them. Use execute_command for commands that end, start_process for servers and watchers. A tab ends some \
         minutes after its agent has left, or by close_tab.",
    )
    .handle_executing(|hub, call, request: CreateTab| async move { create(&hub, &call, request).await })
}

async fn create(hub: &Arc<Hub>, call: &Call, request: CreateTab) -> Result<TabCreated, Error> {
    let name = request.name.filter(|name| !name.is_empty());
    if name.as_ref().is_some_and(|name| name.chars().count() > LONGEST_NAME || name.contains('\0')) {
        return Err(Error::invalid("name", format!("it has more than {LONGEST_NAME} characters, or holds a NUL")));
    }
    let name = name.unwrap_or_else(|| shell_name(request.env.get("SHELL").cloned()));
    let new = New {
        title: Some(name.clone()),
        cwd: request.cwd,
        env: request.env,
        login: request.login,
        log_bytes: hub.tabs().history(),
        ..New::default()
    };
    let turn = hub.tabs().opening.lock().await;
    tabs::check_count(hub, &call.caller.actor)?;
    tabs::check_logs(hub, &call.caller.actor).await?;
    let Started { id, session } = start(hub, &call.caller, Start::of(new, Purpose::Tab)).await?;
    call.report.opened(id);
    let window_id = hub.meta(id).and_then(|meta| meta.tab).unwrap_or_else(|| TabNumber::new(id.number()));
    tabs::touch(hub, window_id);
    drop(turn);
    // Start-up files may change the folder, which the policy looks at. A shell that takes longer is there all the same,
    // and one that has ended says so to the next call.
    let _ = wait_for_prompt(&session, READY).await;
    Ok(TabCreated { window_id, name })
}

/// `bash` of `/bin/bash`.
fn shell_name(given: Option<String>) -> String {
    let path = given.unwrap_or_else(default_shell::of_user);
    Path::new(&path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned())
}
