//! A window with one conversation: what is told is shown, what is typed is said, and what waits for a person is asked.

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use flightdeck_client::{Client, Error as ClientError, Running};
use flightdeck_contract::chat::ChatEvent;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{ConversationId, ErrorCode};
use flightdeck_core::Workspace;
use rustix::process::Signal;
use tokio::signal::unix::{Signal as SignalStream, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::output::Output;
use super::printer::Printer;
use super::screen::{Screen, Tty, Wish};
use super::slash;
use super::talk::{HURRIED_STOP, Talk};
use crate::args::Agent;
use crate::find;

/// How long the next hub may take to come after one that was stopped, and how often it is looked for.
const SUCCESSION: Duration = Duration::from_secs(15);
/// How long a hub that is being stopped may go on to take connections.
const STOPPING: Duration = Duration::from_secs(5);
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// What was typed before, in the state folder of the workspace.
const HISTORY: &str = "agent_history";
/// As a shell reports a command that SIGTERM or SIGHUP ended.
const TERMINATED: u8 = 143;
const HUNG_UP: u8 = 129;
/// Lines that may wait to be taken.
const LINES: usize = 16;
/// The keys that are signals elsewhere.
const CTRL_C: u8 = 3;
const CTRL_Z: u8 = 26;

pub async fn run(workspace: &Workspace, client: Client, id: ConversationId, args: &Agent) -> anyhow::Result<ExitCode> {
    let person = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let on_screen = person && !args.json && std::io::stdout().is_terminal() && is_capable();
    let output = match (args.json, on_screen) {
        (true, _) => Output::Json,
        (false, true) => Output::Screen(Box::new(Screen::new(&workspace.state().join(HISTORY)))),
        (false, false) => Output::Plain(Printer::new()),
    };
    let mut talk = Talk::new(id, client, args, output, person);
    if args.resume.is_none() && !args.json {
        let more = match (&args.prompt, on_screen) {
            (Some(_), _) => "Ctrl-C cancels it",
            (None, true) => "/help tells what can be typed",
            (None, false) => "Ctrl-C cancels a turn, Ctrl-D leaves",
        };
        talk.inform(&format!("{id}: starting; {more}"))?;
    }
    let mut signals = Signals::new()?;
    let mut input = match on_screen {
        true => Input::Keys(Tty::enter()?),
        false if args.prompt.is_some() && !person => Input::Nothing,
        false => Input::Lines(typed()),
    };
    let result = converse(workspace, &mut talk, &mut input, &mut signals).await;
    leave(&mut talk, &mut input, &mut signals).await;
    if let Output::Screen(screen) = &mut talk.output {
        // The window may be gone already.
        let _ = screen.finish();
    }
    result
}

/// Whether the terminal can draw a line again.
fn is_capable() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// What this process is told by signals. One for all turns: what comes between two looks must not be missed.
struct Signals {
    interrupts: SignalStream,
    ends: SignalStream,
    closes: SignalStream,
    resizes: SignalStream,
    continues: SignalStream,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Signals {
            interrupts: signal(SignalKind::interrupt())?,
            ends: signal(SignalKind::terminate())?,
            closes: signal(SignalKind::hangup())?,
            resizes: signal(SignalKind::window_change())?,
            continues: signal(SignalKind::from_raw(Signal::CONT.as_raw()))?,
        })
    }
}

/// Where what is typed comes from.
enum Input {
    Keys(Tty),
    Lines(mpsc::Receiver<String>),
    Nothing,
}

enum Typing {
    Bytes(Vec<u8>),
    Line(String),
    Ended,
}

impl Input {
    /// What is typed next. Safe to drop while it waits.
    async fn next(&mut self) -> Typing {
        match self {
            // A terminal that can't be read is gone.
            Input::Keys(tty) => tty.read().await.ok().flatten().map_or(Typing::Ended, Typing::Bytes),
            Input::Lines(lines) => lines.recv().await.map_or(Typing::Ended, Typing::Line),
            Input::Nothing => std::future::pending().await,
        }
    }
}

/// What keys mean.
fn typed_keys(talk: &mut Talk, input: &mut Input, bytes: &[u8]) -> anyhow::Result<Option<ExitCode>> {
    let Talk { output, chat, .. } = talk;
    let Output::Screen(screen) = output else { return Ok(None) };
    let wishes = screen.input(bytes, |text| slash::complete(text, chat.as_ref()?));
    for wish in wishes {
        let left = match wish {
            Wish::Say(text) => talk.typed(&text, false)?,
            Wish::Answer(text) => talk.typed(&text, true)?,
            Wish::Interrupt => talk.interrupt()?,
            Wish::Leave => Some(ExitCode::SUCCESS),
            Wish::Suspend => {
                suspend(talk, input)?;
                None
            }
        };
        if left.is_some() {
            return Ok(left);
        }
    }
    Ok(None)
}

/// The shell has the terminal until it lets this go on; then what is live is drawn anew below.
fn suspend(talk: &mut Talk, input: &Input) -> anyhow::Result<()> {
    let (Output::Screen(screen), Input::Keys(tty)) = (&mut talk.output, input) else { return Ok(()) };
    screen.withdraw()?;
    tty.suspend()?;
    screen.redraw();
    Ok(())
}

/// Stops the agent if it is to be stopped, and waits for that. Somebody who presses Ctrl-C meanwhile, or sends a signal, does
/// not want to.
async fn leave(talk: &mut Talk, input: &mut Input, signals: &mut Signals) {
    if talk.is_sending() {
        // The hub ought to get what was typed last.
        let _ = tokio::time::timeout(HURRIED_STOP, sent(talk)).await;
    }
    let Some(mut stopped) = talk.leave() else { return };
    tokio::select! {
        _ = &mut stopped => {}
        () = tokio::time::sleep(talk.stop_timeout()) => {}
        () = hurry(talk, input, signals) => {
            // The hub ought to hear of it.
            let _ = tokio::time::timeout(HURRIED_STOP, stopped).await;
        }
    }
}

/// Comes back when no prompt is on its way.
async fn sent(talk: &mut Talk) {
    while talk.is_sending() {
        let result = talk.calls.next().await;
        talk.settle(result);
    }
}

/// Comes back when somebody does not want to wait any more.
async fn hurry(talk: &mut Talk, input: &mut Input, signals: &mut Signals) {
    loop {
        tokio::select! {
            typing = input.next() => match typing {
                Typing::Bytes(bytes) if bytes.contains(&CTRL_C) => return,
                // The terminal may be gone.
                Typing::Bytes(bytes) if bytes.contains(&CTRL_Z) => drop(suspend(talk, input)),
                Typing::Bytes(_) | Typing::Line(_) => {}
                Typing::Ended => *input = Input::Nothing,
            },
            _ = signals.interrupts.recv() => return,
            _ = signals.ends.recv() => return,
            _ = signals.closes.recv() => return,
        }
    }
}

async fn converse(
    workspace: &Workspace,
    talk: &mut Talk,
    input: &mut Input,
    signals: &mut Signals,
) -> anyhow::Result<ExitCode> {
    let mut link = Link::Up(Box::new(talk.watch().await?));
    // What was told of a hub that went, and when: one that is being stopped takes connections to its last, and drops them.
    let mut told: Option<(bool, Instant)> = None;
    loop {
        talk.refresh();
        if let Output::Screen(screen) = &mut talk.output {
            screen.draw()?;
        }
        let left = tokio::select! {
            moment = link.next(), if talk.takes_events() => match moment {
                LinkEvent::Event(event) => talk.event(*event).await?,
                LinkEvent::Closed => {
                    talk.cut_off();
                    let lately = told.filter(|(_, at)| at.elapsed() < STOPPING).map(|(was_stopped, _)| was_stopped);
                    let was_stopped = link.why_closed().await? || lately == Some(true);
                    told = Some((was_stopped, Instant::now()));
                    if lately != Some(was_stopped) {
                        talk.warn(if was_stopped { "the hub was stopped; waiting for the next one" } else { "the hub is gone; starting another one" })?;
                    }
                    link = Link::Down(look_for_hub(workspace.clone(), talk.id, was_stopped));
                    None
                }
                LinkEvent::Back(client) => {
                    talk.moved_to(client?);
                    link = Link::Up(Box::new(talk.watch().await?));
                    None
                }
            },
            news = talk.followers.next() => {
                talk.terminal_news(&news)?;
                None
            }
            result = talk.calls.next() => talk.told(result)?,
            typing = input.next() => match typing {
                Typing::Bytes(bytes) => typed_keys(talk, input, &bytes)?,
                Typing::Line(line) => talk.line(&line)?,
                Typing::Ended => {
                    *input = Input::Nothing;
                    talk.end_of_input()?
                }
            },
            () = wake(&talk.output) => None,
            _ = signals.interrupts.recv() => talk.interrupt()?,
            _ = signals.ends.recv() => Some(talk.end(TERMINATED)),
            _ = signals.closes.recv() => Some(talk.end(HUNG_UP)),
            _ = signals.resizes.recv() => {
                if let Output::Screen(screen) = &mut talk.output {
                    screen.resized();
                }
                None
            }
            _ = signals.continues.recv() => {
                // Whoever has stopped this may have changed the terminal.
                if let (Output::Screen(screen), Input::Keys(tty)) = (&mut talk.output, &*input) {
                    tty.take()?;
                    screen.redraw();
                }
                None
            }
        };
        if let Some(code) = left {
            return Ok(code);
        }
    }
}

/// The stream of the conversation, over the lives of hubs.
enum Link {
    Up(Box<Running>),
    /// Another hub is looked for.
    Down(JoinHandle<anyhow::Result<Client>>),
}

enum LinkEvent {
    Event(Box<ChatEvent>),
    /// The stream is over.
    Closed,
    /// There is a hub again, or there won't be one.
    Back(anyhow::Result<Client>),
}

impl Link {
    /// What happens next. Safe to drop while it waits.
    async fn next(&mut self) -> LinkEvent {
        match self {
            Link::Up(running) => match running.events.next::<ChatEvent>().await {
                Ok(Some((event, _))) => LinkEvent::Event(Box::new(event)),
                Ok(None) | Err(ClientError::Gone) => LinkEvent::Closed,
                // The stream goes on, and can't be understood.
                Err(error) => LinkEvent::Back(Err(error.into())),
            },
            Link::Down(looking) => LinkEvent::Back(looking.await.unwrap_or_else(|error| Err(error.into()))),
        }
    }

    /// Why a stream is over that ought to last. Says whether the hub was stopped on purpose.
    async fn why_closed(self: &mut Link) -> anyhow::Result<bool> {
        let Link::Up(running) = std::mem::replace(self, Link::Down(tokio::spawn(std::future::pending()))) else {
            return Ok(false);
        };
        match running.result.typed::<Done>().await {
            Err(ClientError::Hub(error)) if error.code != ErrorCode::HubStopping => Err(ClientError::Hub(error).into()),
            Err(ClientError::Hub(_)) => Ok(true),
            Ok(_) | Err(_) => Ok(false),
        }
    }
}

/// Finds the next hub. One that has died is started again; for one that was stopped the next is waited for, not for ever.
fn look_for_hub(workspace: Workspace, id: ConversationId, was_stopped: bool) -> JoinHandle<anyhow::Result<Client>> {
    tokio::spawn(async move {
        let hub = find::hub_of(&workspace)?;
        if !was_stopped {
            return Ok(hub.connect_or_start(&find::actor()).await?);
        }
        let deadline = Instant::now() + SUCCESSION;
        loop {
            if let Ok(Some(client)) = hub.connect(&find::actor()).await {
                return Ok(client);
            }
            if Instant::now() > deadline {
                bail!("the hub was stopped; `flightdeck agent --resume {id}` starts one and goes on");
            }
            tokio::time::sleep(LOOK_INTERVAL).await;
        }
    })
}

/// The lines that are typed.
fn typed() -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(LINES);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// When something has to be drawn although nothing happens.
async fn wake(output: &Output) {
    match output {
        Output::Screen(screen) => match screen.wake() {
            Some(at) => tokio::time::sleep_until(at.into()).await,
            None => std::future::pending().await,
        },
        Output::Json | Output::Plain(_) => std::future::pending().await,
    }
}
