//! `flightdeck attach`: a terminal in this window. Every key goes there except the one that detaches.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use flightdeck_client::{Live, Moment};
use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::{Attach, Done, Resize, TerminalEvent};
use flightdeck_core::Workspace;
use flightdeck_view::output_filter::OutputFilter;
use tokio::io::AsyncReadExt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, watch};

use super::keyboard::DetachKey;
use super::pass_on;
use crate::out::write_now;
use crate::{find, style, window};

/// Undoes what a program may have left behind in the window: modes, colours, margins, a hidden cursor. The cursor stays.
const TIDY: &[u8] = b"\x1b[!p\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m\x1b7\x1b[r\x1b8";
/// Leaves the other screen. Some terminals move the cursor by it although they show the first one.
const LEAVE: &[u8] = b"\x1b[?1049l";
/// How long the next hub may take to come before the window gives up.
const SUCCESSION: Duration = Duration::from_secs(15);
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

/// What was shown last has left the window in.
#[derive(Debug, Default)]
struct Left {
    /// The middle of a line.
    in_line: bool,
    /// The other screen, that of full-screen programs.
    other_screen: bool,
    /// The end of what was seen, where a sequence may have begun.
    tail: Vec<u8>,
}

impl Left {
    fn see(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.in_line = *last != b'\n';
        self.tail.extend_from_slice(bytes);
        for at in self.tail.windows(LEAVE.len()) {
            if let [start @ .., end @ (b'h' | b'l')] = at
                && start == &LEAVE[..LEAVE.len() - 1]
            {
                self.other_screen = *end == b'h';
            }
        }
        self.tail.drain(..self.tail.len().saturating_sub(LEAVE.len() - 1));
    }
}

/// Where in the window a terminal is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a page of its own, as it looks now.
    Page,
    /// Below what is there, from its first byte on, as a program that was started in the window.
    Inline,
}

pub async fn run(workspace: &Workspace, id: TerminalId, detach_key: &str, place: Place) -> anyhow::Result<ExitCode> {
    let key = DetachKey::parse(detach_key)?;
    if !window::is_interactive() {
        bail!("attach needs a terminal: use `flightdeck logs -f {id}` to follow and `flightdeck send {id}` to type");
    }
    let raw = window::Raw::enter()?;
    let mut left = Left::default();
    let shown = show(workspace, id, key, place, &mut left).await;
    let has_ended = matches!(shown, Ok(End::Ended(_)));
    if left.other_screen || !has_ended {
        write_out(LEAVE)?;
    }
    write_out(TIDY)?;
    if !has_ended {
        // What goes on may have its cursor anywhere on its screen.
        write_out(format!("\x1b[{};1H\r\n", window::size().map_or(24, |size| size.rows)).as_bytes())?;
    } else if left.in_line {
        write_out(b"\r\n")?;
    }
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

/// Shows the terminal, over restarts of the hub too.
async fn show(
    workspace: &Workspace,
    id: TerminalId,
    key: DetachKey,
    place: Place,
    left: &mut Left,
) -> anyhow::Result<End> {
    let from = (place == Place::Inline).then_some(0);
    let attach = Attach { size: window::size(), from, ..Attach::to(id) };
    let mut live = Live::new(find::hub_of(workspace)?, &find::actor(), attach);
    let (shown, mut now) = watch::channel(None);
    let resized = Notify::new();
    let page = page();
    let showing = async {
        let (mut begun, mut code, mut away) = (false, None, None);
        let mut filter = OutputFilter::for_attaching();
        while let Some(moment) = live.next().await? {
            let (event, bytes) = match moment {
                Moment::Event(event, bytes) => (event, bytes),
                Moment::Back => continue,
                Moment::Away => {
                    shown.send_replace(None);
                    if away.get_or_insert_with(Instant::now).elapsed() > SUCCESSION {
                        bail!(
                            "the hub is gone; {id} goes on: `flightdeck restart`, then `flightdeck attach {id}` shows it again"
                        );
                    }
                    continue;
                }
            };
            away = None;
            match event {
                TerminalEvent::Attached { viewer } => {
                    shown.send_replace(live.handle().zip(Some(viewer)));
                    // The window may have changed while nobody could be told.
                    resized.notify_one();
                }
                TerminalEvent::Snapshot { .. } => {
                    // It begins anew, whatever stood at the end of what came before.
                    filter = OutputFilter::for_attaching();
                    write_out(if begun { RESET } else { &page })?;
                    begun = true;
                }
                TerminalEvent::Ended { exit_code, .. } => code = exit_code,
                _ => {}
            }
            let bytes = filter.pass(&bytes);
            write_out(&bytes)?;
            left.see(&bytes);
        }
        anyhow::Ok(End::Ended(code))
    };
    let typing = async {
        let mut stdin = tokio::io::stdin();
        let mut changed = signal(SignalKind::window_change())?;
        let mut buf = vec![0; 64 * 1024];
        loop {
            tokio::select! {
                read = stdin.read(&mut buf) => {
                    let read = read?;
                    if read == 0 {
                        return anyhow::Ok(End::Detached);
                    }
                    let (input, detached) = match key.find(&buf[..read]) {
                        Some(before) => (before, true),
                        None => (&buf[..read], false),
                    };
                    if detached && now.borrow().is_none() {
                        return Ok(End::Detached);
                    }
                    // What is typed before the terminal is shown, or while the hub is away, waits for it.
                    loop {
                        let handle = now.wait_for(Option::is_some).await?.as_ref().map(|(handle, _)| handle.clone());
                        let Some(handle) = handle else { continue };
                        match handle.input(input).await {
                            Ok(()) => break,
                            // That hub is gone, and took what was typed with it: the next one gets it.
                            Err(flightdeck_client::Error::Gone) => drop(now.changed().await),
                            Err(error) => return Err(error.into()),
                        }
                    }
                    if detached {
                        return Ok(End::Detached);
                    }
                }
                () = async { tokio::select! { _ = changed.recv() => {} () = resized.notified() => {} } } => {
                    if let Some(size) = window::size() {
                        let viewing = now.borrow().clone();
                        if let Some((handle, viewer)) = viewing {
                            let resize = Resize { id, size, viewer: Some(viewer) };
                            // One that has just ended keeps its size.
                            let _: Result<Done, _> = handle.client().call("flightdeck.terminal.resize", &resize).await;
                        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screen_is_known_however_it_is_cut() {
        let bytes = b"a\n\x1b[?1049hvim\x1b[?1049l\x1b[?1049h";
        for size in 1..=bytes.len() {
            let mut left = Left::default();
            bytes.chunks(size).for_each(|chunk| left.see(chunk));
            assert!(left.other_screen && left.in_line, "{size}");
            left.see(b"\x1b[?1049l\n");
            assert!(!left.other_screen && !left.in_line, "{size}");
        }
    }
}
