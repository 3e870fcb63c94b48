//! A terminal's output as events, from a cursor on and at the pace of whoever takes them.

use flightdeck_contract::terminal::{OutputStream, TerminalEvent};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::{Exit, Stream};
use flightdeck_term::log::{Follower, Offset};
use flightdeck_term::printed::{Commands, TypedLines};
use flightdeck_term::screen::Plain;
use flightdeck_term::session::{Kind, Session};

use crate::convert;
use crate::stream::{Emit, Gone};
use crate::terminals::plumbing::Plumbing;

/// How much is read and sent in one piece.
const PIECE: usize = 64 * 1024;

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

/// The log can't be read.
#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
pub(crate) fn unreadable(error: std::io::Error) -> Error {
    convert::io_error("the log can't be read", &error)
}

/// Sends the log from `from` on. Gives where it ended.
pub(crate) async fn stream(
    session: &Session,
    from: Offset,
    until: Until,
    form: Form,
    emit: &Emit<TerminalEvent>,
) -> Result<Offset, Error> {
    let mut progress = session.follow();
    let stop_at = match until {
        Until::Now => Some(session.log().bounds().map_err(unreadable)?.1),
        Until::Ended => None,
    };
    let mut follower = Follower::new(session.log().clone(), from).map_err(unreadable)?;
    let mut sender = Sender::new(session, form, until, emit, from);
    let mut buf = vec![0; PIECE];
    loop {
        // Looked at before the log is read: an exit is told when all that was printed before is in the log.
        let now = *progress.borrow_and_update();
        loop {
            let room = stop_at.map_or(buf.len(), |stop| (stop.since(follower.position()) as usize).min(buf.len()));
            let read = follower.read(&mut buf[..room]).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            let end = follower.position();
            if sender.send(Offset(end.0 - read as u64), &buf[..read]).await? == Err(Gone) {
                return Err(Error::new(ErrorCode::Cancelled, "the stream was given up"));
            }
        }
        if stop_at.is_some() || !now.running() {
            let at = follower.position();
            // A stream that nobody takes to its end has ended all the same.
            let _ = sender.finish(at, now.exit.filter(|_| !now.running())).await;
            return Ok(at);
        }
        if progress.changed().await.is_err() {
            return Ok(follower.position());
        }
    }
}

/// Cuts what was read into what is sent.
struct Sender<'a> {
    emit: &'a Emit<TerminalEvent>,
    shape: Shape<'a>,
    typed: TypedLines,
    plumbing: Plumbing,
    /// What was taken from the log reaches to here, be it sent or held back.
    read: Offset,
    /// What was sent reaches to here.
    at: Offset,
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
    fn new(session: &'a Session, form: Form, until: Until, emit: &'a Emit<TerminalEvent>, at: Offset) -> Self {
        let shape = match (session.kind(), form, until) {
            (Kind::Piped, ..) => Shape::Streams(session),
            (_, Form::Raw, _) => Shape::Raw,
            (_, Form::Plain, Until::Now) => Shape::Plain(Box::default(), CHANGEABLE),
            (_, Form::Plain, Until::Ended) => Shape::Plain(Box::default(), 0),
        };
        let typed = TypedLines::from(session, at, Commands::Shown);
        Sender { emit, shape, typed, plumbing: Plumbing::of(session), read: at, at }
    }

    /// Sends one piece of the log.
    async fn send(&mut self, from: Offset, bytes: &[u8]) -> Result<Result<(), Gone>, Error> {
        if from > self.read && self.skip(from).await == Err(Gone) {
            return Ok(Err(Gone));
        }
        let end = from + bytes.len() as u64;
        self.read = end;
        let session = match &mut self.shape {
            Shape::Raw => return Ok(self.output(end, OutputStream::Main, bytes.to_vec()).await),
            Shape::Plain(plain, changeable) => {
                plain.push(&self.typed.push(bytes));
                let text = self.plumbing.remove(plain.take_settled(*changeable));
                return Ok(if text.is_empty() {
                    Ok(())
                } else {
                    self.output(end, OutputStream::Main, text.into_bytes()).await
                });
            }
            Shape::Streams(session) => session,
        };
        let runs = session
            .log()
            .streams(from, end)
            .map_err(|error| convert::io_error("the streams can't be told apart", &error))?;
        for run in runs {
            let part = &bytes[run.from.since(from) as usize..run.to.since(from) as usize];
            let stream = if run.stream == Stream::Stdout { OutputStream::Main } else { OutputStream::Stderr };
            if self.output(run.to, stream, part.to_vec()).await == Err(Gone) {
                return Ok(Err(Gone));
            }
        }
        Ok(Ok(()))
    }

    /// The log's limit took what is before `to` away before it was read. What was held back until then is told first.
    async fn skip(&mut self, to: Offset) -> Result<(), Gone> {
        let read = self.read;
        if let Shape::Plain(plain, _) = &mut self.shape {
            let text = self.plumbing.remove(std::mem::take(&mut **plain).finish());
            if !text.is_empty() {
                self.output(read, OutputStream::Main, text.into_bytes()).await?;
            }
        }
        self.at = to;
        self.emit.send(&TerminalEvent::Gap { from: read.0, to: to.0 }).await
    }

    async fn output(&mut self, to: Offset, stream: OutputStream, bytes: Vec<u8>) -> Result<(), Gone> {
        let from = std::mem::replace(&mut self.at, to);
        self.emit.send_with(&TerminalEvent::Output { from: from.0, to: to.0, stream }, bytes).await
    }

    /// Sends what was held back, and how the program ended if it has.
    async fn finish(mut self, at: Offset, exit: Option<Exit>) -> Result<(), Gone> {
        if let Shape::Plain(mut plain, _) = std::mem::replace(&mut self.shape, Shape::Raw) {
            plain.push(&self.typed.finish());
            let text = self.plumbing.remove(plain.finish());
            if !text.is_empty() {
                self.output(at, OutputStream::Main, text.into_bytes()).await?;
            }
        }
        match exit {
            Some(exit) => self.emit.send(&TerminalEvent::Ended { at: at.0, exit_code: Some(exit.shell_code()) }).await,
            None => Ok(()),
        }
    }
}
