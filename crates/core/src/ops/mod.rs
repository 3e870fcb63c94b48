//! What can be done: one operation in one file, with its definition, its handler, and nothing else.

mod acknowledge;
mod agents;
mod approval;
mod attach;
mod audit;
mod bridge;
mod canonical;
mod catalog;
mod chat;
mod concerns;
mod consent;
mod exec;
mod executes;
mod follow;
mod history;
mod instructions;
mod kill;
mod lease;
mod link;
mod list;
mod new;
mod openspace;
mod pair;
mod pin;
mod policy;
mod read;
mod remove;
mod resize;
mod results;
mod run;
mod screen;
mod search;
mod send;
mod signal;
mod status;
mod stop;
mod tabs;
mod times;
mod verify;
mod wait;
mod watch;
mod watch_hub;
mod workbench;

use crate::registry::Command;

/// Every command that this build has.
pub(crate) fn commands() -> Vec<Command> {
    let single = vec![
        acknowledge::command(),
        agents::command(),
        attach::command(),
        audit::command(),
        catalog::command(),
        exec::command(),
        follow::command(),
        history::command(),
        instructions::command(),
        kill::command(),
        lease::command(),
        link::command(),
        list::command(),
        new::command(),
        pin::command(),
        read::command(),
        remove::command(),
        resize::command(),
        results::command(),
        run::command(),
        screen::command(),
        search::command(),
        send::command(),
        signal::command(),
        status::command(),
        stop::command(),
        times::command(),
        verify::command(),
        wait::command(),
        watch::command(),
        watch_hub::command(),
    ];
    let families = [
        approval::commands(),
        bridge::commands(),
        canonical::commands(),
        chat::commands(),
        consent::commands(),
        openspace::commands(),
        pair::commands(),
        policy::commands(),
        tabs::commands(),
        workbench::commands(),
    ];
    single.into_iter().chain(families.into_iter().flatten()).collect()
}
