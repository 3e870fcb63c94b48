//! Answers by single keys in a window.

use std::process::ExitCode;
use std::time::Duration;

use flightdeck_contract::ApprovalId;
use flightdeck_contract::approval::Approval;
use flightdeck_core::Workspace;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::super::{editor, now_ms, span};
use super::desk::{Act, Word};
use super::keyboard::{Key, Keyboard};
use super::stream::News;
use super::{Flow, INTERRUPTED, TERMINATED, Watch};
use crate::commands::visible::visible;

/// How long a request is on the screen before keys count for it. Whoever was typing something else when it came has not
/// read it.
const UNREAD: Duration = Duration::from_millis(300);
/// The exit code when the window closes.
const HUNG_UP: u8 = 129;

pub async fn run(workspace: &Workspace, mut watch: Watch, mut news: mpsc::Receiver<News>) -> anyhow::Result<ExitCode> {
    let mut keyboard = Keyboard::enter()?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut go_on = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
    let mut line = String::new();
    let mut unread: Option<(ApprovalId, Instant)> = None;
    loop {
        if !watch.desk.wants_line() {
            line.clear();
        }
        unread = still_unread(&watch, unread);
        let left = watch.desk.time_left(now_ms());
        let counted = left.map(|left| format!("{}  ", span(left))).unwrap_or_default();
        watch.page.draw(watch.desk.prompt().map(|prompt| counted + &prompt + &visible(&line)))?;
        let counts = async {
            match left {
                // Until the next second is over.
                Some(left) => tokio::time::sleep(Duration::from_millis(u64::from(left.subsec_millis()) + 1)).await,
                None => std::future::pending().await,
            }
        };
        let armed = async {
            match unread {
                Some((_, at)) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        let flow = tokio::select! {
            came = news.recv() => watch.news(came).await?,
            keys = keyboard.next() => match keys? {
                Some(keys) => pressed(&mut watch, &mut line, &keys).await?,
                None => return watch.leave(ExitCode::from(HUNG_UP)),
            },
            () = armed => {
                keyboard.forget();
                watch.desk.armed();
                Flow::GoOn
            }
            () = counts => Flow::GoOn,
            _ = interrupt.recv() => return watch.leave(ExitCode::from(INTERRUPTED)),
            _ = terminate.recv() => return watch.leave(ExitCode::from(TERMINATED)),
            _ = hang_up.recv() => return watch.leave(ExitCode::from(HUNG_UP)),
            _ = go_on.recv() => {
                keyboard.again()?;
                watch.page.say(&[])?;
                Flow::GoOn
            }
        };
        match flow {
            Flow::GoOn => {}
            Flow::Quit => return watch.leave(ExitCode::SUCCESS),
            Flow::Edit(approval) => {
                watch.page.draw(None)?;
                drop(keyboard);
                let edited = edit(workspace, &approval).await;
                keyboard = Keyboard::enter()?;
                // What was meant for the editor is not meant for this.
                interrupt = signal(SignalKind::interrupt())?;
                if let Flow::Quit = after(&mut watch, &mut news, edited).await? {
                    return watch.leave(ExitCode::SUCCESS);
                }
            }
        }
    }
}

/// Since when the request on the screen is there, if keys don't count for it yet.
fn still_unread(watch: &Watch, before: Option<(ApprovalId, Instant)>) -> Option<(ApprovalId, Instant)> {
    let id = watch.desk.current().filter(|_| watch.desk.is_fresh())?;
    before.filter(|(shown, _)| *shown == id).or_else(|| Some((id, Instant::now() + UNREAD)))
}

async fn pressed(watch: &mut Watch, line: &mut String, keys: &[Key]) -> anyhow::Result<Flow> {
    if watch.desk.wants_line() {
        return typed(watch, line, keys).await;
    }
    let acts = match keys {
        [Key::Char(letter)] => watch.desk.word(Word { letter: *letter, rest: None }),
        [Key::Escape] => watch.desk.word(Word { letter: '\x1b', rest: None }),
        [Key::End] => vec![Act::Quit],
        [] | [_] => Vec::new(),
        _ => vec![Act::Say(vec!["several keys at once are taken for a paste: press one".to_owned()])],
    };
    watch.perform(acts).await
}

async fn typed(watch: &mut Watch, line: &mut String, keys: &[Key]) -> anyhow::Result<Flow> {
    for key in keys {
        let acts = match key {
            Key::Char(c) => {
                line.push(*c);
                continue;
            }
            Key::Backspace => {
                line.pop();
                continue;
            }
            Key::Clear => {
                line.clear();
                continue;
            }
            Key::Enter => watch.desk.reason(Some(line.clone())),
            Key::Escape | Key::End => watch.desk.reason(None),
        };
        // What follows was typed for the line, and there is none any more.
        return watch.perform(acts).await;
    }
    Ok(Flow::GoOn)
}

/// The editor, on a thread of its own: the hub's news go on coming.
async fn edit(workspace: &Workspace, approval: &Approval) -> anyhow::Result<Option<String>> {
    let text = approval.subject.command().map(|command| command.text.clone()).unwrap_or_default();
    let (workspace, command) = (workspace.clone(), text);
    tokio::task::spawn_blocking(move || editor::edit(&workspace, &command)).await?
}

/// Goes on after the editor, first with what happened meanwhile.
async fn after(
    watch: &mut Watch,
    news: &mut mpsc::Receiver<News>,
    edited: anyhow::Result<Option<String>>,
) -> anyhow::Result<Flow> {
    while let Ok(came) = news.try_recv() {
        if let Flow::Quit = watch.news(Some(came)).await? {
            return Ok(Flow::Quit);
        }
    }
    let mut acts = Vec::new();
    let edited = edited.unwrap_or_else(|error| {
        acts.push(Act::Say(vec![visible(&format!("{error:#}"))]));
        None
    });
    acts.extend(watch.desk.edited(edited));
    watch.perform(acts).await
}
