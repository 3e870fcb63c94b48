//! `flightdeck.chat.*`: conversations with agents that the hub runs itself.

mod agents;
mod answer;
mod authenticate;
mod budget;
mod cancel;
mod file;
mod list;
mod mode;
mod new;
mod option;
mod output;
mod overview;
mod permission;
mod prompt;
mod read;
mod remove;
mod restart;
mod sessions;
mod stop;
mod terminal;
mod watch;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    let people = [
        agents::command(),
        answer::command(),
        authenticate::command(),
        budget::command(),
        cancel::command(),
        list::command(),
        mode::command(),
        new::command(),
        option::command(),
        output::command(),
        overview::command(),
        permission::command(),
        prompt::command(),
        read::command(),
        remove::command(),
        restart::command(),
        stop::command(),
        watch::command(),
    ];
    people.into_iter().chain(sessions::commands()).chain(terminal::commands()).chain(file::commands()).collect()
}
