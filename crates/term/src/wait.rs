//! One wait for everything that an agent waits for: exit, a pattern, a question, quiet, an open port, a prompt.
//!
//! The first condition that holds wins. The answer has a cursor, so that the next wait goes on where this one
//! ended and nothing that came between the two is missed.

use std::time::Duration;

use flightdeck_keeper::Exit;
use regex::Regex;
use tokio::time::Instant;

use crate::facts::{Input, Listener, Process, listener};
use crate::log::Offset;
use crate::printed::{Commands, Lines};
use crate::screen::plain;
use crate::session::{Kind, Lost, Prompt, RecordNumber, Session};

/// How often the things that nobody announces are looked at: ports and blocked reads.
const LOOK: Duration = Duration::from_millis(50);
/// The same for what hardly ever needs it: a prompt that no mark tells of.
const SELDOM: Duration = Duration::from_millis(500);
/// The longest line that is searched as a whole.
const LONGEST_LINE: usize = 4 << 20;

/// What to wait for. Without any condition it is the exit.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The first process is gone.
    pub exit: bool,
    /// A line of new output matches.
    pub pattern: Option<Regex>,
    /// A program asks for a line or a password.
    pub input: bool,
    /// The shell is back at its prompt.
    pub prompt: bool,
    /// No output for this long.
    pub quiet: Option<Duration>,
    /// A process of the terminal listens on this port of this machine.
    pub port: Option<u16>,
    /// The command that runs in the shell has ended.
    pub command: Option<RecordNumber>,
}

impl Conditions {
    /// Whether nothing was asked for.
    pub fn is_none(&self) -> bool {
        let states = self.exit || self.input || self.prompt;
        !states && self.pattern.is_none() && self.quiet.is_none() && self.port.is_none() && self.command.is_none()
    }

    /// Whether the end of the process is what was asked for. A program that is gone is quiet, too.
    pub fn is_met_by_exit(&self) -> bool {
        self.exit || self.quiet.is_some() || self.command.is_some() || self.is_none()
    }
}

/// What came first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// The process ended.
    Exit(Exit),
    /// This line matched.
    Pattern(String),
    /// A program waits for this kind of input.
    Input(Input),
    /// The shell waits for a command.
    Prompt,
    /// Nothing was printed for the time asked.
    Quiet,
    /// The port is open.
    Port(u16),
    /// Another process, where it is known which, has the port: the terminal's own can't get it.
    PortTaken {
        /// The port.
        port: u16,
        /// Whose it is.
        process: Option<Process>,
    },
    /// The command has ended, with this code where it was told.
    Command(Option<i32>),
    /// None of it in time.
    TimedOut,
    /// What held it is gone.
    Lost(Lost),
}

/// The end of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// What ended it.
    pub met: Met,
    /// Where to go on.
    pub cursor: Offset,
}

/// Waits for the first of `conditions`, looking at output from `from` on.
pub async fn wait(session: &Session, conditions: &Conditions, from: Offset, timeout: Duration) -> Waited {
    let deadline = Instant::now() + timeout;
    let mut progress = session.follow();
    let mut search = Search { from };
    let mut last_output = (session.progress().seen, Instant::now());
    loop {
        let now = *progress.borrow_and_update();
        if now.seen != last_output.0 {
            last_output = (now.seen, Instant::now());
        }
        if let Some(pattern) = &conditions.pattern
            && let Some(waited) = search.look(session, pattern)
        {
            return waited;
        }
        if let Some(met) = look(session, conditions, last_output.1) {
            // What came between the two looks was printed before: a line that matches comes first.
            let seen = session.progress().seen;
            let line = conditions.pattern.as_ref().and_then(|pattern| search.look(session, pattern));
            return line.unwrap_or(Waited { met, cursor: seen });
        }
        if Instant::now() >= deadline {
            return Waited { met: Met::TimedOut, cursor: now.seen };
        }
        let mut until = deadline;
        if let Some(quiet) = conditions.quiet {
            until = until.min(last_output.1 + quiet);
        }
        // A shell without marks, or with a line that it does not announce, has to be looked at.
        if conditions.prompt {
            until = until.min(Instant::now() + if session.is_marked_ready() { LOOK } else { SELDOM });
        }
        if conditions.input || conditions.port.is_some() {
            until = until.min(Instant::now() + LOOK);
        }
        // Woken by news or by the clock: either way, look again.
        let _ = tokio::time::timeout_at(until, progress.changed()).await;
    }
}

/// Looks at everything but the pattern.
fn look(session: &Session, conditions: &Conditions, last_output: Instant) -> Option<Met> {
    let listening = conditions.port.and_then(|port| {
        let ours = session.tree().members();
        Some((port, listener(port, ours.iter().map(|member| member.pid))?))
    });
    if let Some((port, Listener::Ours)) = listening {
        // A server may go into the background, and its first process end.
        return Some(Met::Port(port));
    }
    let progress = session.progress();
    if let Some(exit) = progress.exit {
        // Whatever was asked: after the exit nothing else can come, so it always ends the wait.
        return Some(Met::Exit(exit));
    }
    if let Some(lost) = progress.lost {
        return Some(Met::Lost(lost));
    }
    if let Some((port, Listener::Other(process))) = listening {
        return Some(Met::PortTaken { port, process });
    }
    if let Some(number) = conditions.command {
        match session.record(number) {
            Some(record) if record.end.is_none() => {}
            ended => return Some(Met::Command(ended.and_then(|record| record.exit))),
        }
    }
    let is_shell = matches!(session.kind(), Kind::Shell(_));
    if conditions.prompt && (is_shell && session.is_at_rest() || session.guest().is_some()) {
        return Some(Met::Prompt);
    }
    // A shell without a line editor reads lines at its prompt, too.
    if conditions.input && !(is_shell && session.prompt() == Prompt::Ready { typed: false }) {
        let input = session.facts().input;
        if matches!(input, Input::Line | Input::Password) || input == Input::Raw && session.waits_for_keys() {
            return Some(Met::Input(input));
        }
    }
    conditions.quiet.filter(|quiet| last_output.elapsed() >= *quiet).map(|_| Met::Quiet)
}

/// A search that goes on line by line while output comes in.
struct Search {
    /// The beginning of the first line that is not complete yet.
    from: Offset,
}

impl Search {
    fn look(&mut self, session: &Session, pattern: &Regex) -> Option<Waited> {
        let (seen, is_expected) = session.seen();
        let mut lines = Lines::new(session, (self.from, seen), LONGEST_LINE, Commands::Hidden { is_expected });
        while let Ok(Some(line)) = lines.read() {
            // The last line counts although it may go on: a question has no newline.
            if let Some(waited) = matched(pattern, &line.bytes, line.to) {
                return Some(waited);
            }
            if !line.goes_on {
                self.from = line.to;
            }
        }
        // A full-screen program draws its text in pieces; only the screen has the lines.
        session
            .screen(|screen| {
                let text = screen.modes().alt_screen.then(|| screen.text())?;
                let line = text.lines().find(|line| pattern.is_match(line))?.to_owned();
                Some(Waited { met: Met::Pattern(line), cursor: seen })
            })
            .flatten()
    }
}

/// The first line of a stretch of output that matches.
pub fn first_match(session: &Session, pattern: &Regex, (from, to): (Offset, Offset)) -> Option<String> {
    let mut lines = Lines::new(session, (from, to), LONGEST_LINE, Commands::Hidden { is_expected: false });
    while let Ok(Some(line)) = lines.read() {
        if let Some(Waited { met: Met::Pattern(line), .. }) = matched(pattern, &line.bytes, line.to) {
            return Some(line);
        }
    }
    None
}

fn matched(pattern: &Regex, line: &[u8], cursor: Offset) -> Option<Waited> {
    let text = plain(line);
    let line = text.lines().find(|line| pattern.is_match(line))?.to_owned();
    Some(Waited { met: Met::Pattern(line), cursor })
}
