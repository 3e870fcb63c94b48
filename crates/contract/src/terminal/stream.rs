//! Output while it comes, for front ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Done, WindowSize};
use crate::{Resumes, TerminalId};

/// Streams output as [`TerminalEvent`]s.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Follow {
    /// Of which terminal.
    pub id: TerminalId,
    /// From this cursor on; the whole log when neither this nor `lines` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// From the last so many lines on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// Go on until the terminal ends; otherwise stop at the present end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
    /// Plain text instead of the bytes as they came.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}

streams!(Follow: "flightdeck.terminal.follow", TerminalEvent, Followed);

impl Follow {
    /// The whole log up to its present end, as it came.
    pub fn of(id: TerminalId) -> Self {
        Follow { id, from: None, lines: None, follow: false, plain: false }
    }
}

/// A stream that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    /// Where it began.
    pub from: u64,
    /// Where it ended.
    pub next: u64,
    /// Older output was asked for that is no longer there.
    pub truncated: bool,
    /// The exit code, when the terminal has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
}

/// Shows a terminal live, as [`TerminalEvent`]s: its screen first, then what comes. Input of the call is typed into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attach {
    /// Which one.
    pub id: TerminalId,
    /// The viewer's window. The terminal takes the size of the viewer who typed last, or else the smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<WindowSize>,
    /// Go on at this cursor, the `to` of the last event: what was missed comes as output. When that is too much or no
    /// longer there, a gap is told and the screen comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// So many lines of output from before the screen are sent ahead of it, for scrolling back; none when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scrollback: Option<usize>,
}

streams!(Attach: "flightdeck.terminal.attach", TerminalEvent, Followed);

impl Resumes for Attach {
    fn seen(&mut self, event: &TerminalEvent) {
        match event {
            TerminalEvent::Snapshot { at, .. } => self.from = Some(*at),
            TerminalEvent::Output { to, .. } => self.from = Some(*to),
            // A screen follows a gap; a stream that is cut off between the two needs both again.
            TerminalEvent::Attached { .. }
            | TerminalEvent::Gap { .. }
            | TerminalEvent::Resized { .. }
            | TerminalEvent::Ended { .. } => {}
        }
    }
}

impl Attach {
    /// From the present screen on, without a window of one's own.
    pub fn to(id: TerminalId) -> Self {
        Attach { id, size: None, from: None, scrollback: None }
    }
}

/// One front end that looks at terminals; its number is never used again while the hub runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ViewerId(pub u32);

/// What a stream of a terminal tells. Cursors count the bytes that the terminal has printed since it began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum TerminalEvent {
    /// The first event of `attach`: who this viewer is, for `flightdeck.terminal.resize`.
    Attached {
        /// Its number.
        viewer: ViewerId,
    },
    /// Bytes follow that draw the whole screen as it was at a cursor. They replace what was shown.
    Snapshot {
        /// Output goes on from here.
        at: u64,
        /// The terminal's size.
        size: WindowSize,
    },
    /// Bytes follow that were printed between two cursors. There may be fewer of them: what the hub has answered for the
    /// program is left out, and text may be asked for in place of the bytes.
    Output {
        /// Where they begin.
        from: u64,
        /// Where the next begin, and where a stream that is cut off goes on.
        to: u64,
        /// Which stream of a program on pipes.
        #[serde(default, skip_serializing_if = "OutputStream::is_main")]
        stream: OutputStream,
    },
    /// Output that is not sent: the log no longer has it, or the viewer was too far behind.
    Gap {
        /// The first byte that is missing.
        from: u64,
        /// The next one that is there.
        to: u64,
    },
    /// The terminal has another size.
    Resized {
        /// The new one.
        size: WindowSize,
        /// Whose window it is; absent when it was set by a call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// The program has ended, and all that it printed was sent.
    Ended {
        /// The end of the log.
        at: u64,
        /// How it ended, as far as it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
}

/// Which output of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputStream {
    /// A terminal's, or the standard output of a program on pipes.
    #[default]
    Main,
    /// The standard error of a program on pipes.
    Stderr,
}

impl OutputStream {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_main(&self) -> bool {
        *self == OutputStream::Main
    }
}

/// Tells, as [`Seen`], whenever there is something new to see in a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchTerminal {
    /// Which one.
    pub id: TerminalId,
}

streams!(WatchTerminal: "flightdeck.terminal.watch", Seen, Done);

/// How far a terminal has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    /// The end of its log.
    pub cursor: u64,
    /// Whether its first process still runs.
    pub running: bool,
}
