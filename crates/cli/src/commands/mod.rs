//! What people do with terminals, one file for each larger command.

mod absent;
mod agent;
mod agents;
mod approve;
mod attach;
mod audit;
mod call;
mod consent;
mod each;
mod keyboard;
mod lease;
mod logs;
mod ls;
mod open;
mod overview;
mod pair;
mod policy;
mod run;
mod screen;
mod search;
mod setup;
mod simple;
mod table;
mod undo;
mod visible;

pub use overview::run as overview;

use std::process::ExitCode;

use flightdeck_core::Workspace;
use serde::Serialize;
use serde_json::Value;

use crate::args::Command;
use crate::{doctor, find, hints, window};

/// The exit code for time that was up, as `timeout` has it.
const TIMED_OUT: u8 = 124;

pub async fn run(workspace: &Workspace, command: Command) -> anyhow::Result<ExitCode> {
    let command = match command {
        Command::Status(json) => return simple::status(workspace, json.json).await,
        Command::Stop(stop) => return simple::stop(workspace, &stop).await,
        Command::Restart => return simple::restart(workspace).await,
        Command::Call(args) if args.list => return call::list(workspace, args.json).await,
        Command::Doctor(json) => return doctor::run(workspace, json.json).await,
        Command::Approve(args) => return approve::run(workspace, args).await,
        Command::Policy(args) => return policy::run(workspace, args.action).await,
        other => other,
    };
    let client = if starts_hub(&command) {
        find::hub(workspace).await?
    } else {
        match find::to_look(workspace).await? {
            Some(client) => client,
            None => return absent::answer(workspace, &command),
        }
    };
    match command {
        Command::Run(args) => run::run(workspace, client, args).await,
        Command::New(args) => simple::new(workspace, client, args).await,
        Command::Ls(args) => ls::run(&client, &args).await,
        Command::Attach(args) => attach::run(workspace, args.id, &args.detach_key, attach::Place::Page).await,
        Command::Logs(args) => logs::run(client, &args).await,
        Command::Send(args) => simple::send(&client, args).await,
        Command::Wait(args) => simple::wait(&client, args).await,
        Command::Screen(args) => screen::run(client, &args).await,
        Command::History(args) => ls::history(&client, &args).await,
        Command::Kill(args) => simple::kill(&client, args).await,
        Command::Signal(args) => simple::signal(&client, args).await,
        Command::Resize(args) => simple::resize(&client, &args).await,
        Command::Rm(args) => simple::rm(&client, args).await,
        Command::Call(args) => call::run(&client, &args).await,
        Command::Search(args) => search::run(&client, args).await,
        Command::Lease(args) => lease::run(&client, args).await,
        Command::Keep(args) => lease::keep(&client, args).await,
        Command::Audit(args) => audit::run(&client, &args).await,
        Command::Agent(args) => agent::run(workspace, client, args).await,
        Command::Agents(args) => agents::run(&client, &args).await,
        Command::Consent(args) => consent::run(&client, &args).await,
        Command::Undo(args) => undo::run(&client, args).await,
        Command::Open(args) => open::run(&client, &args).await,
        Command::Pair(args) => pair::run(&client, &args).await,
        Command::Status(_)
        | Command::Stop(_)
        | Command::Restart
        | Command::Mcp(_)
        | Command::Doctor(_)
        | Command::Approve(_)
        | Command::Policy(_)
        | Command::Serve(_)
        | Command::Completions(_)
        | Command::Keeper(_)
        | Command::TmuxPane(_)
        | Command::TmuxHome => {
            unreachable!("handled before a hub was needed")
        }
    }
}

/// Whether there is something to do without a hub that runs already. All else is about what one holds.
fn starts_hub(command: &Command) -> bool {
    match command {
        Command::Run(_) | Command::New(_) | Command::Open(_) | Command::Agent(_) => true,
        Command::Call(args) => !call::only_reads(args),
        // A person in a window is asked for the answer.
        Command::Consent(args) => args.allow || args.decline || (!args.json && window::is_interactive()),
        Command::Undo(args) => !args.list,
        _ => false,
    }
}

/// Prints a result. Advice in it is that of the command line.
fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut value = serde_json::to_value(value)?;
    if let Some(fields) = value.as_object_mut()
        && let Some(hint) = fields.get("hint").and_then(Value::as_str)
    {
        match hints::words(hint, None) {
            Some(words) => drop(fields.insert("hint".to_owned(), words.into())),
            None => drop(fields.shift_remove("hint")),
        }
    }
    print_as_it_is(&value)
}

/// Prints a result as an agent gets it.
fn print_as_it_is(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(crate::out::print_text(&format!("{}\n", serde_json::to_string_pretty(value)?))?)
}

/// A command's exit code as this program's own.
fn pass_on(code: Option<i32>) -> ExitCode {
    ExitCode::from(code.and_then(|code| u8::try_from(code & 0xff).ok()).unwrap_or(TIMED_OUT))
}
