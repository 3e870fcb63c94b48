//! An agent's client as a process of its own. The hub tells agents from people by their processes, and a test is both: what
//! it says as an agent goes through here.
//!
//! `flightdeck-client run PROGRAM ARGS…` starts a server of MCP on pipes, and passes on what is read and written.
//! `flightdeck-client connect ADDRESS` does the same with a connection.

use std::env;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

fn main() -> anyhow::Result<ExitCode> {
    let words: Vec<_> = env::args_os().skip(1).collect();
    match words.split_first().map(|(mode, rest)| (mode.to_str(), rest)) {
        Some((Some("run"), [program, args @ ..])) => run(Command::new(program).args(args)),
        Some((Some("connect"), [address])) => connect(address.to_str().unwrap_or_default()),
        _ => anyhow::bail!("say `run PROGRAM` or `connect ADDRESS`"),
    }
}

fn run(command: &mut Command) -> anyhow::Result<ExitCode> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (mut stdin, stdout) = (child.stdin.take(), child.stdout.take());
    thread::spawn(move || {
        if let Some(stdin) = &mut stdin {
            // A server that is gone reads no more.
            let _gone = pass(&mut io::stdin(), stdin);
        }
    });
    if let Some(mut stdout) = stdout {
        pass(&mut stdout, &mut io::stdout())?;
    }
    let code = child.wait()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn connect(address: &str) -> anyhow::Result<ExitCode> {
    let mut server = TcpStream::connect(address)?;
    let mut sending = server.try_clone()?;
    thread::spawn(move || {
        // Whoever has this started has hung up.
        let _over = pass(&mut io::stdin(), &mut sending);
        let _closed = sending.shutdown(Shutdown::Both);
    });
    pass(&mut server, &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

fn pass(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut piece = [0; 8192];
    loop {
        let read = from.read(&mut piece)?;
        if read == 0 {
            return Ok(());
        }
        to.write_all(&piece[..read])?;
        to.flush()?;
    }
}
