//! The commands that are one call and a line of output.

use std::io::Read as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use flightdeck_client::{Client, Error};
use flightdeck_contract::terminal::{
    Created, Kill, Killed, Remove, Resize, Send, SendSignal, Wait, WaitReason, Waited,
};
use flightdeck_contract::{Error as HubError, ErrorCode};
use flightdeck_core::Workspace;
use serde_json::{Value, json};

use super::each::Each;
use super::visible::visible;
use super::{TIMED_OUT, absent, attach, print_json, setup};
use crate::{args, find, start, style};

/// How long a hub may take to end after it said that it would.
const STOP: Duration = Duration::from_secs(10);

pub async fn new(workspace: &Workspace, client: Client, args: args::New) -> anyhow::Result<ExitCode> {
    let mut request = setup::request(args.setup)?;
    request.command = (!args.command.is_empty()).then_some(args.command);
    request.shell = args.shell;
    request.login = args.login;
    request.pipes = args.pipes;
    let created: Created = client.call("flightdeck.terminal.new", &request).await?;
    if args.attach {
        return attach::run(workspace, created.id, "C-\\", attach::Place::Page).await;
    }
    if args.json {
        print_json(&created)?;
    } else {
        outln!("{}", created.id)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn send(client: &Client, args: args::Send) -> anyhow::Result<ExitCode> {
    let mut text = args.text;
    if args.stdin {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        text = Some(String::from_utf8(bytes).context("standard input is not UTF-8")?);
    }
    let mut keys = args.keys;
    if args.enter {
        keys.insert(0, "Enter".to_owned());
    }
    let (text, paste) = if args.paste { (None, text) } else { (text, None) };
    let sent: Value = client.call("flightdeck.terminal.keys", &Send { text, paste, keys, ..Send::to(args.id) }).await?;
    if args.json {
        print_json(&sent)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn wait(client: &Client, args: args::Wait) -> anyhow::Result<ExitCode> {
    let request = Wait {
        id: args.id,
        exit: args.exit,
        pattern: args.pattern,
        input: args.input,
        prompt: args.prompt,
        quiet_ms: args.quiet.map(|time| time.as_millis() as u64),
        port: args.port,
        from: args.from,
        timeout_ms: Some(args.timeout.as_millis() as u64),
    };
    let waited: Waited = match client.call("flightdeck.terminal.wait", &request).await {
        Ok(waited) => waited,
        Err(Error::Hub(error)) => return unmet(error, args.json),
        Err(error) => return Err(error.into()),
    };
    if args.json {
        print_json(&waited)?;
    } else {
        match (waited.reason, &waited.line, waited.exit_code) {
            (WaitReason::Pattern, Some(line), _) => outln!("{line}")?,
            (WaitReason::Exit | WaitReason::Command, _, Some(code)) => outln!("exit {code}")?,
            (reason, ..) => outln!("{}", serde_json::to_value(reason)?.as_str().unwrap_or_default())?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells why a wait has not got what it waited for.
fn unmet(error: HubError, json: bool) -> anyhow::Result<ExitCode> {
    let details = error.details.clone().unwrap_or_default();
    let (reason, words, code) = match (error.code, details["exitCode"].as_i64(), details["listener"].as_str()) {
        (ErrorCode::TimedOut, ..) => ("timeout", "timeout".to_owned(), ExitCode::from(TIMED_OUT)),
        (ErrorCode::PortTaken, _, Some(listener)) => {
            ("port_taken", format!("port_taken by {}", visible(listener)), ExitCode::FAILURE)
        }
        (ErrorCode::TerminalEnded, Some(code), _) => ("exit", format!("exit {code}"), ExitCode::FAILURE),
        _ => return Err(Error::Hub(error).into()),
    };
    if json {
        let mut told = json!({ "reason": reason });
        for name in ["cursor", "exitCode", "listener"] {
            if let Some(value) = details.get(name) {
                told[name] = value.clone();
            }
        }
        print_json(&told)?;
    } else {
        outln!("{words}")?;
    }
    Ok(code)
}

pub async fn kill(client: &Client, args: args::Kill) -> anyhow::Result<ExitCode> {
    let (signal, grace_ms) = (args.signal, args.grace.as_millis() as u64);
    let each = Each::of(args.ids, async |id| {
        let kill = Kill { id, signal: Some(signal.clone()), grace_ms: Some(grace_ms) };
        let killed: Killed = client.call("flightdeck.terminal.kill", &kill).await?;
        Ok(json!({ "id": id, "processes": killed.processes, "exitCode": killed.exit_code }))
    })
    .await;
    if args.json {
        print_json(&each.results)?;
    }
    Ok(each.code())
}

pub async fn signal(client: &Client, args: args::Signal) -> anyhow::Result<ExitCode> {
    let _: Value = client.call("flightdeck.terminal.signal", &SendSignal { id: args.id, signal: args.signal }).await?;
    Ok(ExitCode::SUCCESS)
}

pub async fn resize(client: &Client, args: &args::Resize) -> anyhow::Result<ExitCode> {
    let _: Value =
        client.call("flightdeck.terminal.resize", &Resize { id: args.id, size: args.size, viewer: None }).await?;
    Ok(ExitCode::SUCCESS)
}

pub async fn rm(client: &Client, args: args::Terminals) -> anyhow::Result<ExitCode> {
    let each =
        Each::of(args.ids, async |id| Ok(client.call("flightdeck.terminal.remove", &Remove { id }).await?)).await;
    Ok(each.code())
}

pub async fn status(workspace: &Workspace, json: bool) -> anyhow::Result<ExitCode> {
    let Some(client) = find::running(workspace).await? else {
        if json {
            let (root, left) = (workspace.root().to_string_lossy(), absent::running_on(workspace));
            print_json(&json!({ "running": false, "workspace": root, "terminalsLeft": left }))?;
        } else {
            outln!("{}", absent::words(workspace))?;
        }
        return Ok(ExitCode::FAILURE);
    };
    let status: Value = client.call("flightdeck.hub.status", &json!({})).await?;
    if json {
        print_json(&status)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = |name: &str| match &status[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let style = style::stdout();
    outln!("{} serves {}", style.bold(&format!("Flightdeck {}", text("version"))), style.bold(&text("workspace")))?;
    outln!("  hub        process {}", text("pid"))?;
    outln!("  keeper     process {}, version {}", text("keeperPid"), text("keeperVersion"))?;
    outln!("  terminals  {} running, {} in all", text("running"), text("terminals"))?;
    let agents: Vec<_> =
        status["agents"].as_array().into_iter().flatten().filter_map(Value::as_str).map(visible).collect();
    outln!("  agents     {}", if agents.is_empty() { "none".to_owned() } else { agents.join(", ") })?;
    if let Some(url) = status["http"]["url"].as_str() {
        outln!("  http       {url}  (MCP at {url}/mcp, token in {})", text("tokenFile"))?;
    }
    if let Some(address) = status["bridge"]["address"].as_str() {
        outln!("  bridge     {address}  (token in {})", status["bridge"]["tokenFile"].as_str().unwrap_or_default())?;
    }
    outln!("  socket     {}", text("socket"))?;
    outln!("  state      {}", text("state"))?;
    if let Some(problem) = status["settingsProblem"].as_str() {
        outln!("  {}   {problem}", style.yellow("settings"))?;
    }
    for problem in status["database"].as_array().into_iter().flatten() {
        let part = |name: &str| visible(problem[name].as_str().unwrap_or_default());
        outln!("  {}   {}: {}", style.red("database"), part("text"), part("hint"))?;
    }
    for notice in status["policy"].as_array().into_iter().flatten() {
        let part = |name: &str| visible(notice[name].as_str().unwrap_or_default());
        outln!("  {}     {}: {}", style.yellow("policy"), part("file"), part("text"))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub async fn stop(workspace: &Workspace, args: &args::Stop) -> anyhow::Result<ExitCode> {
    let running = match find::running(workspace).await {
        Err(error) if find::refusal(&error).is_some_and(|refusal| refusal.code == ErrorCode::VersionMismatch) => {
            end_other_version(workspace).await?;
            if !args.all {
                return Ok(ExitCode::SUCCESS);
            }
            None
        }
        other => other?,
    };
    let client = match running {
        Some(client) => Some(client),
        // The keeper and tmux may hold terminals without a hub; ending them is the hub's work.
        None if args.all && is_left(workspace) => {
            // One that starts no hub that could end it ends by itself.
            start::end_unusable_keeper(workspace)?;
            // A hub that was killed has left its files, which the next one removes as it ends.
            let was_lost = workspace.socket().exists() || workspace.lock().exists();
            if !was_lost && !is_left(workspace) {
                return Ok(ExitCode::SUCCESS);
            }
            Some(find::hub(workspace).await?)
        }
        None => None,
    };
    let Some(client) = client else {
        let left = absent::left(workspace).map(|left| format!("; {left}, and `flightdeck stop --all` ends them"));
        outln!("no hub serves {}{}", workspace.root().display(), left.unwrap_or_default())?;
        return Ok(ExitCode::SUCCESS);
    };
    let answer: Value = client.call("flightdeck.hub.stop", &json!({ "all": args.all })).await?;
    let deadline = Instant::now() + STOP;
    let leftover = |path: std::path::PathBuf| path.exists();
    while leftover(workspace.socket())
        || leftover(workspace.lock())
        || (args.all && (leftover(workspace.keeper_socket()) || leftover(workspace.tmux_socket())))
    {
        if Instant::now() > deadline {
            bail!(
                "the hub (process {}) said that it ends, but is still there after {} s",
                answer["pid"],
                STOP.as_secs()
            );
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether something holds terminals, with a hub or without.
fn is_left(workspace: &Workspace) -> bool {
    workspace.keeper_socket().exists() || workspace.tmux_socket().exists()
}

/// Ends a hub that speaks another version of the protocol, by a signal: it leaves everything in order, and terminals go on.
async fn end_other_version(workspace: &Workspace) -> anyhow::Result<()> {
    let hub = tokio::net::UnixStream::connect(workspace.socket()).await?.peer_cred()?.pid();
    let pid = hub.and_then(rustix::process::Pid::from_raw).context("the process of the hub is unknown")?;
    rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
    let deadline = Instant::now() + STOP;
    while workspace.socket().exists() {
        if Instant::now() > deadline {
            bail!("the hub (process {}) is still there {} s after SIGTERM", pid.as_raw_nonzero(), STOP.as_secs());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// Ends the hub and starts the one of this program's version. What runs in terminals does not notice; agents behind
/// `flightdeck mcp` are connected anew.
pub async fn restart(workspace: &Workspace) -> anyhow::Result<ExitCode> {
    stop(workspace, &args::Stop { all: false }).await?;
    let client = find::hub(workspace).await?;
    let status: Value = client.call("flightdeck.hub.status", &json!({})).await?;
    let text = format!("hub {} (process {}) serves", status["version"].as_str().unwrap_or("?"), status["pid"]);
    let going_on = match status["running"].as_u64() {
        Some(1) => "1 terminal goes on".to_owned(),
        many => format!("{} terminals go on", many.unwrap_or_default()),
    };
    outln!("{text} {}, {going_on}", workspace.root().display())?;
    Ok(ExitCode::SUCCESS)
}
