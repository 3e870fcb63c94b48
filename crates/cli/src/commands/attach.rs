//! `flightdeck attach`: a terminal in this window. Every key goes there except the one that detaches.

use std::process::ExitCode;

use anyhow::bail;
use flightdeck_client::{Client, Running};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{Attach, Done, Followed, Resize, TerminalEvent};
use tokio::io::AsyncReadExt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::keyboard::DetachKey;
use super::pass_on;
use crate::out::write_now;
use crate::{style, window};

/// Undoes what a program may have left behind in the window: modes, colours, a hidden cursor, the other screen.
const TIDY: &[u8] = b"\x1b[!p\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m\x1b[r";
/// Clears the window before the screen is drawn on it again.
const RESET: &[u8] = b"\x1bc";
/// A clean page to draw the terminal's screen on; what was there scrolls up first, so that it is not lost.
fn page() -> Vec<u8> {
    let rows = window::size().map_or(24, |size| size.rows);
    format!("\x1b[{rows};1H{}\x1b[H\x1b[2J", "\n".repeat(rows.into())).into_bytes()
}

enum End {
    Ended(Option<i32>),
    Detached,
}

pub async fn run(client: Client, id: TerminalId, detach_key: &str) -> anyhow::Result<ExitCode> {
    let key = DetachKey::parse(detach_key)?;
    if !window::is_interactive() {
        bail!("attach needs a terminal: use `flightdeck logs -f {id}` to follow and `flightdeck send {id}` to type");
    }
    let raw = window::Raw::enter()?;
    let shown = show(client, id, key).await;
    write_out(TIDY)?;
    write_out(format!("\x1b[{};1H\r\n", window::size().map_or(24, |size| size.rows)).as_bytes())?;
    drop(raw);
    let style = style::stderr();
    match shown? {
        End::Ended(code) => {
            eprintln!(
                "{}",
                style.dim(&format!("[{id} ended with exit code {}]", code.map_or("unknown".into(), |c| c.to_string())))
            );
            Ok(pass_on(code))
        }
        End::Detached => {
            eprintln!("{}", style.dim(&format!("[detached; {id} goes on: `flightdeck attach {id}`]")));
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn show(client: Client, id: TerminalId, key: DetachKey) -> anyhow::Result<End> {
    let attach = Attach { size: window::size(), ..Attach::to(id) };
    let Running { mut events, handle, result } = client.begin("flightdeck.terminal.attach", &attach).await?;
    let (viewer, viewed) = watch::channel(None);
    let page = page();
    let showing = async {
        let mut begun = false;
        while let Some((event, bytes)) = events.next().await? {
            match event {
                TerminalEvent::Attached { viewer: id } => drop(viewer.send(Some(id))),
                TerminalEvent::Snapshot { .. } => {
                    write_out(if begun { RESET } else { &page })?;
                    begun = true;
                }
                _ => {}
            }
            write_out(&bytes)?;
        }
        let followed: Followed = result.typed().await?;
        anyhow::Ok(End::Ended(followed.exit_code))
    };
    let typing = async {
        let mut stdin = tokio::io::stdin();
        let mut resized = signal(SignalKind::window_change())?;
        let mut buf = vec![0; 64 * 1024];
        loop {
            tokio::select! {
                read = stdin.read(&mut buf) => {
                    let read = read?;
                    if read == 0 {
                        return anyhow::Ok(End::Detached);
                    }
                    if let Some(before) = key.find(&buf[..read]) {
                        handle.input(before).await?;
                        return Ok(End::Detached);
                    }
                    handle.input(&buf[..read]).await?;
                }
                _ = resized.recv() => {
                    if let Some(size) = window::size() {
                        let viewer = *viewed.borrow();
                        let _: Done = client.call("flightdeck.terminal.resize", &Resize { id, size, viewer }).await?;
                    }
                }
            }
        }
    };
    tokio::select! {
        end = showing => end,
        end = typing => end,
    }
}

fn write_out(bytes: &[u8]) -> std::io::Result<()> {
    write_now(&mut std::io::stdout().lock(), bytes)
}
