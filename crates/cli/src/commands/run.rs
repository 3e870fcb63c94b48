//! `flightdeck run`: a command whose output and exit code come back.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::process::ExitCode;

use flightdeck_client::{Client, Handle, Running};
use flightdeck_contract::terminal::{Created, Exec, Ran, Run};
use flightdeck_core::Workspace;
use rustix::fs::FileType;
use tokio::io::AsyncReadExt;
use tokio::signal::unix::{SignalKind, signal};

use super::attach::Place;
use super::{TIMED_OUT, attach, pass_on, print_json, setup};
use crate::args;
use crate::out::ProgramOutput;
use crate::{style, window};

/// In a terminal's result everything is wanted; a person can scroll.
const WHOLE: usize = 64 << 20;
/// A person who sets no limit ends it by hand.
const FOREVER_MS: u64 = u64::MAX >> 20;

pub async fn run(workspace: &Workspace, client: Client, args: args::Run) -> anyhow::Result<ExitCode> {
    if args.terminal.is_some() {
        return in_shell(client, args).await;
    }
    let on_terminal = !args.pipes && (args.pty || std::io::stdout().is_terminal());
    if on_terminal && window::is_interactive() && !args.json && args.timeout.is_none() {
        return interactive(workspace, &client, args).await;
    }
    let mut terminal = setup::request(args.setup)?;
    terminal.command = Some(args.command);
    terminal.pipes = !on_terminal;
    let passed_on = is_passed_on(std::io::stdin());
    terminal.stdin = passed_on && !on_terminal;
    let exec = Exec {
        terminal,
        timeout_ms: args.timeout.map(|timeout| timeout.as_millis() as u64).or(args.json.then_some(FOREVER_MS)),
        kill_on_timeout: args.kill,
        stream: !args.json,
        ..Exec::default()
    };
    let mut stream = client.stream(&exec).await?;
    let handle = stream.handle();
    if passed_on {
        tokio::spawn(pass_input_on(handle.clone()));
    }
    let mut output = ProgramOutput::drawn();
    let printed = async {
        while let Some((event, bytes)) = stream.next().await? {
            output.print(&event, &bytes)?;
        }
        output.end()?;
        anyhow::Ok(stream.end().await?)
    };
    let ran = interruptible(handle, printed).await?;
    finish(&ran, args.json, &format!("kill {}", ran.id))
}

/// With a person at the keyboard the command gets the keys as well: `flightdeck run vim` just works.
async fn interactive(workspace: &Workspace, client: &Client, args: args::Run) -> anyhow::Result<ExitCode> {
    let mut request = setup::request(args.setup)?;
    request.command = Some(args.command);
    let created: Created = client.call("flightdeck.terminal.new", &request).await?;
    attach::run(workspace, created.id, "C-\\", Place::Inline).await
}

async fn in_shell(client: Client, args: args::Run) -> anyhow::Result<ExitCode> {
    let Some(id) = args.terminal else { unreachable!("only called with a terminal") };
    let raw = !args.json && std::io::stdout().is_terminal();
    let request = Run {
        id: Some(id),
        command: args.command.join(" "),
        cwd: None,
        env: BTreeMap::new(),
        timeout_ms: Some(args.timeout.map_or(FOREVER_MS, |timeout| timeout.as_millis() as u64)),
        max_bytes: (!args.json).then_some(WHOLE),
        raw,
    };
    let Running { handle, result, events: _events } = client.begin("flightdeck.terminal.run", &request).await?;
    let ran = interruptible(handle, async { Ok(result.typed().await?) }).await?;
    if !args.json {
        ProgramOutput::drawn().print_all(&ran.output)?;
    }
    // The shell stays.
    finish(&ran, args.json, &format!("signal {} INT", ran.id))
}

/// Whether a command is to read what we would. A terminal is for whoever else reads it, and a device (`/dev/null`) as good as
/// nothing.
fn is_passed_on(stdin: impl AsFd) -> bool {
    let Ok(stat) = rustix::fs::fstat(stdin) else { return false };
    matches!(FileType::from_raw_mode(stat.st_mode), FileType::Fifo | FileType::RegularFile | FileType::Socket)
}

async fn pass_input_on(handle: Handle) -> anyhow::Result<()> {
    let mut stdin = tokio::io::stdin();
    let mut buf = vec![0; 64 * 1024];
    loop {
        // What can't be read has no more for it.
        let read = stdin.read(&mut buf).await.unwrap_or(0);
        if read == 0 {
            return Ok(handle.end_input().await?);
        }
        handle.input(&buf[..read]).await?;
    }
}

/// Waits for the end of a call. Ctrl-C gives it up, which stops the command.
async fn interruptible(handle: Handle, ending: impl Future<Output = anyhow::Result<Ran>>) -> anyhow::Result<Ran> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::pin!(ending);
    loop {
        tokio::select! {
            ended = &mut ending => return ended,
            _ = interrupt.recv() => handle.cancel().await?,
            _ = terminate.recv() => handle.cancel().await?,
        }
    }
}

fn finish(ran: &Ran, json: bool, ends: &str) -> anyhow::Result<ExitCode> {
    if json {
        print_json(ran)?;
    } else if ran.timed_out {
        let style = style::stderr();
        let what = if ran.running {
            format!("it still runs: `flightdeck logs -f {}`, `flightdeck {ends}`", ran.id)
        } else {
            "it was ended".to_owned()
        };
        let full = if ran.stalled { "; the disk is full, and it stands still until there is room" } else { "" };
        eprintln!("{} the time was up after {} ms; {what}{full}", style.yellow("flightdeck:"), ran.duration_ms);
    }
    Ok(if ran.timed_out { ExitCode::from(TIMED_OUT) } else { pass_on(ran.exit_code) })
}
