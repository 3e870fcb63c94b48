//! Measures the bridge: the same calls by an agent in a "container", whose hub sends them to the host's, and by an agent of the
//! host itself. They take turns (A, B, A, B, …), so that whatever else the machine does falls on both.
//!
//! Both hubs are on one machine and use its loopback, which is what a container's network is made of.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use flightdeck_bench::mcp::Client;
use flightdeck_bench::report::{Report, Row};
use flightdeck_bench::room::{Room, program};
use flightdeck_bench::stats::Times;
use flightdeck_bench::{Extent, program as program_runner};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";
const PATIENCE: Duration = Duration::from_mins(4);
/// Calls that are not counted: pages are touched, caches filled, the shell settles.
const WARM_UP: usize = 20;
const MEGABYTE: f64 = 1e6;

/// Waits for the end of its input, which comes even when the benchmark is killed, and ends everything then.
const GUARD: &str = r#"
trap '' INT TERM HUP
read -r _
"$0" --workspace "$1/w" stop --all >/dev/null && rm -rf "$1"
"#;

fn main() -> ExitCode {
    program_runner::run("bridge", "Measures requests and output over the bridge, beside the local hub.", measure)
}

/// A hub with an agent.
struct Side {
    agent: Client,
    room: Room,
    /// The terminal that it uses.
    terminal: Value,
}

fn measure(report: &mut Report, extent: Extent) -> anyhow::Result<()> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let bridge = format!(
        "[bridge]\nenabled = true\nport = {port}\n[approvals]\nwait_unattended = true\n[limits]\nburst = 1e9\n"
    );
    let host = start(&bridge, &[])?;
    let status = host
        .room
        .command(program()?)
        .arg("--workspace")
        .arg(host.room.dir().join("w"))
        .args(["status", "--json"])
        .output()?;
    let status: Value = serde_json::from_slice(&status.stdout).context("the host's status")?;
    let token = status["bridge"]["tokenFile"].as_str().context("the host serves no bridge")?.to_owned();
    let variables = [
        ("PM_RUNNING_IN_CONTAINER", "true"),
        ("PM_INTERACTIVE_TERMINAL_HOST_ALIAS", "127.0.0.1"),
        ("PM_INTERACTIVE_TERMINAL_HOST_PORT", &port.to_string()),
        ("PM_INTERACTIVE_TERMINAL_TOKEN_FILE", &token),
    ];
    let container = start("[limits]\nburst = 1e9\n", &variables)?;
    report.add("request", requests(&container, &host, extent)?);
    report.add("output", output(&container, &host, extent)?);
    for Side { mut room, agent, .. } in [container, host] {
        drop(agent);
        room.close()?;
    }
    Ok(())
}

fn start(settings: &str, variables: &[(&str, &str)]) -> anyhow::Result<Side> {
    let program = program()?;
    let room = Room::open(&std::env::temp_dir(), GUARD, &program)?;
    let folder = room.dir().join("h/.config/flightdeck");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("settings.toml"), settings)?;
    let flightdeck = |command: &mut Command| {
        command.envs(variables.iter().copied()).arg("--workspace").arg(room.dir().join("w"));
    };
    let mut restart = room.command(&program);
    flightdeck(&mut restart);
    let started = restart.arg("restart").output()?;
    ensure!(started.status.success(), "no hub: {}", String::from_utf8_lossy(&started.stderr).trim());
    let mut mcp = room.command(&program);
    flightdeck(&mut mcp);
    let agent = Client::start(mcp.arg("mcp"), room.dir().join("stderr"))?;
    let mut side = Side { agent, room, terminal: Value::Null };
    let open = json!({ "action": "execute", "invocation": { "intent": "open_only" } });
    side.terminal = side.call(&open)?["identity"]["terminal_id"].clone();
    Ok(side)
}

impl Side {
    fn call(&self, request: &Value) -> anyhow::Result<Value> {
        let answer = self.agent.call(TOOL, request, PATIENCE)?.result["structuredContent"].clone();
        ensure!(answer["success"] == true, "{request} went wrong: {answer}");
        Ok(answer)
    }

    fn execute(&self, command: &str) -> anyhow::Result<Value> {
        self.call(&json!({
            "action": "execute",
            "invocation": { "intent": "execute_command" },
            "execution": { "command": command },
            "target": { "terminal_id": self.terminal },
            "runtime": { "timeout_ms": 240_000 },
        }))
    }

    fn read(&self) -> anyhow::Result<usize> {
        let answer = self.call(&json!({ "action": "read_output", "target": { "session_id": self.terminal } }))?;
        Ok(answer["result"]["stdout"].as_str().context("no output")?.len())
    }
}

/// `echo hi` in an open terminal, and reading a session that has printed next to nothing.
fn requests(container: &Side, host: &Side, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let mut echo = [Times::default(), Times::default()];
    let mut read = [Times::default(), Times::default()];
    for turn in 0..WARM_UP + extent.of(300, 30) {
        for (index, side) in [container, host].into_iter().enumerate() {
            let began = Instant::now();
            let answer = side.execute("echo hi")?;
            let took = began.elapsed();
            ensure!(answer["result"]["stdout"] == "hi\n", "it gave {answer}");
            let began = Instant::now();
            side.read()?;
            let took_to_read = began.elapsed();
            if turn >= WARM_UP {
                echo[index].push(took);
                read[index].push(took_to_read);
            }
        }
    }
    let row = |what: &str, values: (f64, f64)| {
        Row::new(format!("{what}, over the bridge"), values.0, "ms").beside("local", values.1)
    };
    Ok(vec![
        row("execute `echo hi` p50", (echo[0].p50(), echo[1].p50())),
        row("execute `echo hi` p99", (echo[0].p99(), echo[1].p99())),
        row("read_output p50", (read[0].p50(), read[1].p50())),
        row("read_output p99", (read[0].p99(), read[1].p99())),
    ])
}

/// A command that prints 100 MB, and 100 MB of output in as many answers as that takes.
fn output(container: &Side, host: &Side, extent: Extent) -> anyhow::Result<Vec<Row>> {
    let megabytes = extent.of(100, 5);
    let mut printed = [0.0; 2];
    for (index, side) in [container, host].into_iter().enumerate() {
        let began = Instant::now();
        let answer = side.execute(&format!("seq -f '%0999g' {}", megabytes * 1000))?;
        printed[index] = began.elapsed().as_secs_f64();
        ensure!(answer["result"]["exit_code"] == 0 && answer["result"]["truncated"] == true, "it gave {answer}");
    }
    let mut times = [0.0; 2];
    let mut bytes = [0; 2];
    while bytes[0] < megabytes * 1_000_000 {
        for (index, side) in [container, host].into_iter().enumerate() {
            let began = Instant::now();
            for _ in 0..50 {
                bytes[index] += side.read()?;
            }
            times[index] += began.elapsed().as_secs_f64();
        }
    }
    ensure!(bytes[0] == bytes[1], "both sides read the same: {bytes:?}");
    let speed = |index: usize| bytes[index] as f64 / MEGABYTE / times[index];
    Ok(vec![
        Row::new(format!("a command that prints {megabytes} MB, over the bridge"), printed[0], "s")
            .beside("local", printed[1]),
        Row::new(format!("{megabytes} MB of output in answers of 16 KiB, over the bridge"), speed(0), "MB/s")
            .beside("local", speed(1)),
    ])
}
