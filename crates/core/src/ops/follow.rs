//! `flightdeck.terminal.follow`: output as a stream, from a cursor of its own.

use std::sync::Arc;

use flightdeck_contract::control::Channel;
use flightdeck_contract::terminal::{Follow, Followed};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::{Exit, Stream};
use flightdeck_term::log::{Follower, Offset};
use flightdeck_term::screen::Plain;
use flightdeck_term::session::{Kind, Session};
use tokio::sync::mpsc;

use crate::aside::aside;
use crate::call::{Call, Data};
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.follow",
        Effects::READS,
        "Follow output",
        "Streams a terminal's output in data frames, from a cursor on.",
    )
    .for_front_ends()
    .handle(|hub, request, follow| async move { call(&hub, request, follow).await })
}

/// How much is read and sent in one piece.
const PIECE: usize = 256 * 1024;

/// Where a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// At the end that the log has now.
    Now,
    /// When the terminal has ended and everything it printed was sent.
    Ended,
}

/// How the output is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The bytes as they came.
    Raw,
    /// Plain text, whole lines at a time.
    Plain,
}

async fn call(hub: &Arc<Hub>, call: Call, follow: Follow) -> Result<Followed, Error> {
    let session = hub.session(follow.id)?;
    let unreadable = |error: std::io::Error| convert::io_error("the log can't be read", &error);
    let (oldest, _) = session.log().bounds().map_err(unreadable)?;
    let from = match (follow.from, follow.lines) {
        (Some(from), _) => Offset(from),
        (None, Some(lines)) => {
            let log = session.log().clone();
            aside(move || log.last_lines(lines, None, usize::MAX >> 1)).await?.map_err(unreadable)?.from
        }
        (None, None) => Offset::ZERO,
    };
    let until = if follow.follow { Until::Ended } else { Until::Now };
    let form = if follow.plain { Form::Plain } else { Form::Raw };
    let next = tokio::select! {
        next = stream(&session, from, until, form, &call.output) => next?,
        () = call.cancelled.wait() => return Err(Error::new(ErrorCode::Cancelled, "the call was given up")),
    };
    Ok(Followed {
        from: from.max(oldest).0,
        next: next.0,
        truncated: from < oldest,
        exit_code: session.progress().exit.map(Exit::shell_code),
    })
}

/// Sends the log from `from` on, at the pace of the receiver. Gives where it ended.
pub(crate) async fn stream(
    session: &Session,
    from: Offset,
    until: Until,
    form: Form,
    output: &mpsc::Sender<Data>,
) -> Result<Offset, Error> {
    let unreadable = |error: std::io::Error| convert::io_error("the log can't be read", &error);
    let mut progress = session.follow();
    let stop_at = match until {
        Until::Now => Some(session.log().bounds().map_err(unreadable)?.1),
        Until::Ended => None,
    };
    let mut follower = Follower::new(session.log().clone(), from).map_err(unreadable)?;
    let mut sender = Sender::new(session, form, until, output);
    let mut buf = vec![0; PIECE];
    loop {
        // Looked at before the log is read: an exit is told when all that was printed before is in the log.
        let ended = !progress.borrow_and_update().running();
        loop {
            let room = stop_at.map_or(buf.len(), |stop| (stop.since(follower.position()) as usize).min(buf.len()));
            let read = follower.read(&mut buf[..room]).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            let end = follower.position();
            if !sender.send(Offset(end.0 - read as u64), &buf[..read]).await? {
                return Ok(end);
            }
        }
        if stop_at.is_some() || ended {
            sender.finish().await;
            return Ok(follower.position());
        }
        if progress.changed().await.is_err() {
            return Ok(follower.position());
        }
    }
}

/// Cuts what was read into what is sent.
struct Sender<'a> {
    output: &'a mpsc::Sender<Data>,
    shape: Shape<'a>,
}

enum Shape<'a> {
    /// One stream, as it is.
    Raw,
    /// One stream as text; the lines that the program may still change are held back, or none when somebody waits.
    Plain(Box<Plain>, usize),
    /// Stdout and stderr apart.
    Streams(&'a Session),
}

/// How many lines a program may still change by moving the cursor up.
const CHANGEABLE: usize = 200;

impl<'a> Sender<'a> {
    fn new(session: &'a Session, form: Form, until: Until, output: &'a mpsc::Sender<Data>) -> Self {
        let shape = match (session.kind(), form, until) {
            (Kind::Piped, ..) => Shape::Streams(session),
            (_, Form::Raw, _) => Shape::Raw,
            (_, Form::Plain, Until::Now) => Shape::Plain(Box::default(), CHANGEABLE),
            (_, Form::Plain, Until::Ended) => Shape::Plain(Box::default(), 0),
        };
        Sender { output, shape }
    }

    /// Sends one piece. `false`: nobody receives any more.
    async fn send(&mut self, from: Offset, bytes: &[u8]) -> Result<bool, Error> {
        let session = match &mut self.shape {
            Shape::Raw => return Ok(main(self.output, bytes.to_vec()).await),
            Shape::Plain(plain, changeable) => {
                plain.push(bytes);
                let text = plain.take_settled(*changeable);
                return Ok(text.is_empty() || main(self.output, text.into_bytes()).await);
            }
            Shape::Streams(session) => session,
        };
        let runs = session
            .log()
            .streams(from, from + bytes.len() as u64)
            .map_err(|error| convert::io_error("the streams can't be told apart", &error))?;
        for run in runs {
            let part = &bytes[run.from.since(from) as usize..run.to.since(from) as usize];
            let channel = if run.stream == Stream::Stdout { Channel::Main } else { Channel::Stderr };
            if self.output.send(Data { channel, bytes: part.to_vec() }).await.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sends what was held back.
    async fn finish(self) {
        if let Shape::Plain(plain, _) = self.shape {
            main(self.output, plain.finish().into_bytes()).await;
        }
    }
}

async fn main(output: &mpsc::Sender<Data>, bytes: Vec<u8>) -> bool {
    output.send(Data { channel: Channel::Main, bytes }).await.is_ok()
}
