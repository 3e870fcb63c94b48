//! `flightdeck`: the program that people start. Arguments, wiring and exit codes; what it does is in the crates below.

#[macro_use]
mod out;

mod args;
mod commands;
mod completions;
mod doctor;
mod find;
mod hints;
mod pane;
mod relay;
mod report;
mod serve;
mod start;
mod style;
mod window;

use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use flightdeck_client::protect;
use flightdeck_contract::control::Request;
use flightdeck_contract::tool_names::ToolNames;

use args::{Cli, Command};

fn main() -> ExitCode {
    let matches = args::matches(std::env::args_os().collect());
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let asked = report::Asked::of(&matches);
    let in_run = matches!(cli.command, Some(Command::Run(_)));
    match dispatch(cli) {
        Ok(code) => code,
        // Whoever read our output has seen enough, as `head` does.
        Err(error) if out::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to tell it to.
            let _ = report::whole(&error, asked);
            ExitCode::from(failure(&error, in_run))
        }
    }
}

fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    let Some(command) = cli.command else { return nothing_asked(cli.workspace.as_deref()) };
    match &command {
        // The hub looks into a relay, to find the client behind it; and these hold nothing of a person's.
        Command::Mcp(_) | Command::Completions(_) | Command::TmuxPane(_) | Command::TmuxHome => {}
        _ => protect::keep_others_out()?,
    }
    match command {
        // Before any thread is made: the keeper forks.
        Command::Keeper(keeper) => serve::keeper(keeper).map(|()| ExitCode::SUCCESS),
        Command::TmuxPane(pane) => pane::hold(&pane.dir),
        Command::TmuxHome => pane::home(),
        // It is about no workspace.
        Command::Completions(args) => completions::run(&args),
        Command::Serve(args::Serve { by_keeper: Some(options), dir: Some(dir), .. }) => {
            serve::by_keeper(&dir, options).map(|()| ExitCode::SUCCESS)
        }
        Command::Serve(serve) => {
            let workspace = find::folder_to_serve(serve.dir.clone().or(cli.workspace))?;
            start::serve(workspace, &serve)
        }
        // Two threads and no runtime: an agent waits for its first answer.
        Command::Mcp(mcp) => {
            let workspace = find::workspace(cli.workspace.as_deref())?;
            let tool_names = mcp.tool_names.map(|names| match names {
                args::ToolNames::Dotted => ToolNames::Dotted,
                args::ToolNames::Underscore => ToolNames::Underscore,
            });
            find::start_with(&mcp.tabs);
            let relay = Some(relay::new_id()?);
            let wanted = Request::Mcp { tools: mcp.tools, tool_names, compat_tools: mcp.compat_tools, relay };
            relay::run(&workspace, wanted, tool_names)
        }
        command => {
            if speaks_for_a_person(&command) {
                protect::refuse_tracer()?;
            }
            let workspace = find::workspace(cli.workspace.as_deref())?;
            to_its_end(commands::run(&workspace, command))
        }
    }
}

/// Whether it decides in a person's place, or makes something that does.
fn speaks_for_a_person(command: &Command) -> bool {
    matches!(
        command,
        Command::Agent(_)
            | Command::Approve(_)
            | Command::Call(_)
            | Command::Consent(_)
            | Command::Open(_)
            | Command::Pair(_)
            | Command::Policy(_)
    )
}

/// Whoever asks for nothing learns what is there.
fn nothing_asked(workspace: Option<&Path>) -> anyhow::Result<ExitCode> {
    let workspace = find::workspace(workspace)?;
    to_its_end(commands::overview(&workspace))
}

fn to_its_end(work: impl Future<Output = anyhow::Result<ExitCode>>) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(work);
    // A read of standard input may still be blocked on its thread; nobody waits for it.
    runtime.shutdown_background();
    result
}

/// The exit code of a failure. `run` keeps the low codes for the command that it runs.
fn failure(error: &anyhow::Error, in_run: bool) -> u8 {
    use flightdeck_contract::ErrorCode::{Cancelled, ProgramNotExecutable, ProgramNotFound};
    match find::refusal(error).map(|error| error.code) {
        Some(ProgramNotFound) if in_run => 127,
        Some(ProgramNotExecutable) if in_run => 126,
        // As a shell reports a command that Ctrl-C ended.
        Some(Cancelled) if in_run => 130,
        _ if in_run => 125,
        _ => 1,
    }
}
