//! What can be done: one operation in one file, with its definition, its handler, and nothing else.

use std::time::Duration;

use crate::actor::Caller;
use crate::registry::Command;

/// Declares the modules and the table in one go: a file that is named here is a command everywhere.
macro_rules! commands {
    ($($module:ident),* $(,)?) => {
        $(pub(crate) mod $module;)*

        /// Every command that this build has.
        pub(crate) fn commands() -> Vec<Command> {
            let mut commands = vec![$($module::command()),*];
            commands.extend(openspace::commands());
            commands.extend(tabs::commands());
            commands.extend(canonical::commands());
            commands.extend(approval::commands());
            commands.extend(policy::commands());
            commands.extend(consent::commands());
            commands.extend(bridge::commands());
            commands.extend(workbench::commands());
            commands
        }
    };
}

pub(crate) mod approval;
mod bridge;
mod canonical;
mod consent;
mod executes;
mod openspace;
mod policy;
mod tabs;
mod workbench;

commands! {
    attach,
    audit,
    catalog,
    exec,
    follow,
    history,
    instructions,
    kill,
    lease,
    link,
    list,
    new,
    pin,
    read,
    remove,
    resize,
    results,
    run,
    screen,
    search,
    send,
    signal,
    status,
    stop,
    verify,
    wait,
    watch,
    watch_hub,
}

/// How long a bounded wait lasts when the caller sets no time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest bounded wait of an agent. What it waits for goes on after it.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// How long to wait: as asked, but an agent never so long that its client gives up on it.
fn timeout(asked: Option<u64>, caller: &Caller) -> Duration {
    let time = asked.map_or(DEFAULT_TIMEOUT, Duration::from_millis);
    if caller.actor.is_human() { time } else { time.min(LONGEST_WAIT) }
}
