//! A terminal as a viewer sees it: the screen, then what is printed, and the screen again for who fell behind.

use flightdeck_contract::terminal::{OutputStream, TerminalEvent, ViewerId};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::log::{Follower, Offset};
use flightdeck_term::screen::QueryFilter;
use flightdeck_term::session::{ScreenSnapshot, Session, SizeAt};
use tokio::sync::watch;

use super::interrupt::Interrupt;
use super::stream::unreadable;
use super::viewers::Shown;
use crate::aside::aside;
use crate::convert;
use crate::stream::{Emit, Gone};

/// How much is read and sent in one piece. Small, so that little is on its way when a person presses Ctrl-C.
const PIECE: usize = 32 * 1024;
/// A viewer that is further behind than this gets the present screen instead of everything that scrolled by.
const TOO_FAR: u64 = 1 << 20;
/// The most lines and bytes of output before the screen.
const MOST_LINES: usize = 100_000;
const MOST_BYTES: usize = 4 << 20;

/// Where a viewer begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Where it has been already.
    pub from: Option<u64>,
    /// How many lines it wants from before the screen.
    pub scrollback: Option<usize>,
}

/// Shows a terminal until it ends. Gives where that began and ended.
pub(crate) async fn show(
    session: &Session,
    start: Start,
    viewer: ViewerId,
    shown: &mut watch::Receiver<Option<Shown>>,
    interrupt: &Interrupt,
    emit: &Emit<TerminalEvent>,
) -> Result<(Offset, Offset), Error> {
    let mut view = View::new(session, interrupt, emit);
    let begun = async {
        emit.send(&TerminalEvent::Attached { viewer }).await?;
        view.begin(start).await
    };
    let begun = begun.await;
    let from = view.at;
    match begun {
        Ok(()) => {}
        Err(Ended::Gone) => return Ok((from, from)),
        Err(Ended::Failed(error)) => return Err(error),
    }
    let mut progress = session.follow();
    loop {
        let now = *progress.borrow_and_update();
        // Of one that ended in an earlier life of the hub only the log knows how far it came.
        let seen = if now.running() { now.seen } else { view.end()?.max(now.seen) };
        match view.follow(seen, shown).await {
            Ok(()) => {}
            Err(Ended::Gone) => return Ok((from, view.at)),
            Err(Ended::Failed(error)) => return Err(error),
        }
        if !now.running() {
            let ended = TerminalEvent::Ended { at: view.at.0, exit_code: now.exit.map(Exit::shell_code) };
            // A viewer that is gone has no need to know.
            let _ = emit.send(&ended).await;
            return Ok((from, view.at));
        }
        tokio::select! {
            changed = progress.changed() => {
                if changed.is_err() {
                    return Ok((from, view.at));
                }
            }
            Ok(()) = shown.changed() => {}
        }
    }
}

/// Why showing ends early.
enum Ended {
    Gone,
    Failed(Error),
}

impl From<Gone> for Ended {
    fn from(_: Gone) -> Self {
        Ended::Gone
    }
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Ended::Failed(error)
    }
}

/// What a viewer has been sent.
struct View<'a> {
    session: &'a Session,
    interrupt: &'a Interrupt,
    emit: &'a Emit<TerminalEvent>,
    /// What was sent reaches to here; a stream that is cut off goes on from here without loss or repetition.
    at: Offset,
    /// The changes of size up to here are sent, and with them whose window it follows.
    resizes: u64,
    sent: Option<Shown>,
    /// Takes questions out: the hub has answered them already.
    filter: QueryFilter,
    /// The viewer shows it below other things, from its first byte on.
    inline: bool,
    buf: Vec<u8>,
}

impl<'a> View<'a> {
    fn new(session: &'a Session, interrupt: &'a Interrupt, emit: &'a Emit<TerminalEvent>) -> Self {
        View {
            session,
            interrupt,
            emit,
            at: Offset::ZERO,
            resizes: 0,
            sent: None,
            filter: QueryFilter::default(),
            inline: false,
            buf: vec![0; PIECE],
        }
    }

    async fn begin(&mut self, start: Start) -> Result<(), Ended> {
        if let Some(from) = start.from {
            self.at = Offset(from);
            self.inline = from == 0;
            let (oldest, end) = self.session.log().bounds().map_err(unreadable)?;
            // One that is beyond the end comes from another life of the terminal's.
            if (oldest..=end).contains(&self.at) && end.since(self.at) <= TOO_FAR {
                // What is printed next was meant for the size of then. Whose it is comes later.
                let then = self.session.size_at(self.at);
                return self.resized(then, None).await;
            }
            return self.draw().await;
        }
        if let Some(lines) = start.scrollback.filter(|lines| *lines > 0) {
            let log = self.session.log().clone();
            let read = aside(move || log.last_lines(lines.min(MOST_LINES), None, MOST_BYTES)).await?;
            self.at = read.map_err(unreadable)?.from;
            let end = self.end()?;
            self.output(end).await?;
        }
        let screen = self.snapshot()?;
        self.send_screen(screen).await
    }

    /// The end of the log.
    fn end(&self) -> Result<Offset, Error> {
        Ok(self.session.log().bounds().map_err(unreadable)?.1)
    }

    /// Sends what is new: output, and changes of the size each at its place in it.
    async fn follow(&mut self, seen: Offset, shown: &mut watch::Receiver<Option<Shown>>) -> Result<(), Ended> {
        // What changes from now on belongs behind what was seen.
        let changes = self.session.resizes_after(self.resizes);
        let latest = shown.borrow_and_update().clone();
        for (number, change) in (self.resizes + 1..).zip(changes) {
            self.catch_up(change.at).await?;
            // The screen may have been drawn instead, which has the size of then.
            if number > self.resizes {
                let by = latest.clone().filter(|latest| latest.size == convert::window_size(change.size));
                self.resized(SizeAt { size: change.size, changes: number }, by.and_then(|latest| latest.by)).await?;
            }
        }
        self.catch_up(seen).await?;
        // Another window may have the same size.
        match latest.filter(|latest| self.sent.as_ref().is_some_and(|sent| sent.size == latest.size && sent != latest))
        {
            Some(Shown { by, .. }) => {
                let now = SizeAt { size: self.session.size(), changes: self.resizes };
                self.resized(now, by).await
            }
            None => Ok(()),
        }
    }

    async fn resized(&mut self, now: SizeAt, by: Option<String>) -> Result<(), Ended> {
        let size = convert::window_size(now.size);
        (self.resizes, self.sent) = (now.changes, Some(Shown { size, by: by.clone() }));
        Ok(self.emit.send(&TerminalEvent::Resized { size, by }).await?)
    }

    /// Sends what is new, or the screen when that is too much.
    async fn catch_up(&mut self, seen: Offset) -> Result<(), Ended> {
        if seen.since(self.at) > TOO_FAR || self.interrupt.skips(self.at, seen) {
            return self.draw().await;
        }
        self.output(seen).await
    }

    /// Leaves out what was missed, says so, and draws the screen.
    async fn draw(&mut self) -> Result<(), Ended> {
        let screen = self.snapshot()?;
        if screen.at > self.at {
            self.emit.send(&TerminalEvent::Gap { from: self.at.0, to: screen.at.0 }).await?;
        }
        self.send_screen(screen).await
    }

    fn snapshot(&mut self) -> Result<ScreenSnapshot, Ended> {
        self.filter = QueryFilter::default();
        let none = || Error::new(ErrorCode::NoTerminal, "a program on pipes has no screen").into();
        self.session.snapshot().ok_or_else(none)
    }

    async fn send_screen(&mut self, screen: ScreenSnapshot) -> Result<(), Ended> {
        let size = convert::window_size(screen.size.size);
        self.at = screen.at;
        self.resizes = screen.size.changes;
        self.sent = Some(Shown { size, by: None });
        Ok(self.emit.send_with(&TerminalEvent::Snapshot { at: self.at.0, size }, screen.bytes).await?)
    }

    /// Sends what was printed, up to `until`.
    async fn output(&mut self, until: Offset) -> Result<(), Ended> {
        let begin = self.at + self.filter.held() as u64;
        if begin >= until {
            return Ok(());
        }
        let mut follower = Follower::new(self.session.log().clone(), begin).map_err(unreadable)?;
        if follower.position() > begin {
            return self.draw().await;
        }
        loop {
            let before = follower.position();
            // No further: the size may have changed there.
            let rest = usize::try_from(until.since(before)).unwrap_or(usize::MAX).min(self.buf.len());
            let read = follower.read(&mut self.buf[..rest]).map_err(unreadable)?;
            if read == 0 {
                return Ok(());
            }
            let (from, end) = (Offset(follower.position().0 - read as u64), follower.position());
            if from > before {
                // The log's limit took it away before it was read.
                return self.draw().await;
            }
            if self.inline && asks_where_it_is(&self.buf[..read]) {
                // It was told so of our screen, and goes on to draw there.
                self.inline = false;
                return self.draw().await;
            }
            let mut bytes = Vec::with_capacity(read);
            self.filter.strip(&self.buf[..read], &mut bytes);
            // What the filter holds back is not sent yet: who comes back for it gets it from its beginning.
            let to = Offset(end.0 - self.filter.held() as u64);
            let event = TerminalEvent::Output { from: self.at.0, to: to.0, stream: OutputStream::Main };
            self.at = to;
            self.emit.send_with(&event, bytes).await?;
            let seen = self.session.progress().seen;
            if seen.since(self.at.max(until)) > TOO_FAR || self.interrupt.skips(self.at, seen) {
                return self.draw().await;
            }
            if end >= until {
                return Ok(());
            }
        }
    }
}

/// Whether a program asks for the place of the cursor.
fn asks_where_it_is(bytes: &[u8]) -> bool {
    let asks = |question: &[u8]| bytes.windows(question.len()).any(|part| part == question);
    asks(b"\x1b[6n") || asks(b"\x1b[?6n")
}
