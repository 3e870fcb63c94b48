//! A stream that lasts, whatever becomes of the connection: one that is cut off goes on where it ended, at the next hub too.

use std::time::Duration;

use flightdeck_contract::terminal::{Attach, TerminalEvent};
use flightdeck_contract::{ErrorCode, Resumes};

use crate::connection::{Handle, Stream};
use crate::{Client, Error, Hub};

/// How often a hub that is gone is looked for: at once, for one that is restarted, and then ever less often, for it may take
/// hours.
const FIRST_LOOK: Duration = Duration::from_millis(10);
const SELDOM: Duration = Duration::from_millis(200);

/// A stream over the lives of connections and hubs: a terminal ([`Attach`]), or what happens at the hub
/// ([`WatchHub`](flightdeck_contract::events::WatchHub)), in the workbench, with approvals.
#[derive(Debug)]
pub struct Live<Q: Resumes = Attach> {
    hub: Hub,
    actor: String,
    request: Q,
    stream: Option<Stream<Q>>,
    /// There was a hub before.
    is_known: bool,
    pause: Duration,
}

/// What comes of a stream that lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment<E = TerminalEvent> {
    /// Something was told, with the bytes that belong to it.
    Event(E, Vec<u8>),
    /// The hub is gone; it is looked for. Told again for each look that found none.
    Away,
    /// There is one again. What was missed comes next.
    Back,
}

impl<Q: Resumes> Live<Q> {
    /// A stream of this hub. No hub is started: a new one has nothing but what the last one left.
    pub fn new(hub: Hub, actor: &str, request: Q) -> Self {
        Live { hub, actor: actor.to_owned(), request, stream: None, is_known: false, pause: FIRST_LOOK }
    }

    /// The way to the call that tells it now, for input and for further calls. `None` while no hub is there.
    pub fn handle(&self) -> Option<Handle> {
        self.stream.as_ref().map(Stream::handle)
    }

    /// What happens next; `None` when the stream is over and all was told. Fails when the hub says no. Safe to drop while it
    /// waits.
    pub async fn next(&mut self) -> Result<Option<Moment<Q::Event>>, Error> {
        loop {
            let Some(stream) = &mut self.stream else {
                match self.begin().await {
                    Ok(stream) => self.stream = Some(stream),
                    Err(error) if is_over(&error) || matches!(error, Error::Io(_)) => {
                        tokio::time::sleep(self.pause).await;
                        self.pause = (self.pause * 2).min(SELDOM);
                        return Ok(Some(Moment::Away));
                    }
                    Err(error) => return Err(error),
                }
                self.pause = FIRST_LOOK;
                if std::mem::replace(&mut self.is_known, true) {
                    return Ok(Some(Moment::Back));
                }
                continue;
            };
            match stream.next().await {
                Ok(Some((event, bytes))) => {
                    self.request.seen(&event);
                    return Ok(Some(Moment::Event(event, bytes)));
                }
                Ok(None) => {}
                Err(error) => return self.broken(error),
            }
            let Some(stream) = self.stream.take() else { continue };
            return match stream.end().await {
                Ok(_) => Ok(None),
                Err(error) => self.broken(error),
            };
        }
    }

    async fn begin(&self) -> Result<Stream<Q>, Error> {
        Client::connect(&self.hub.socket(), &self.actor).await?.stream(&self.request).await
    }

    /// A hub on its way out is looked for; what it says is told.
    fn broken(&mut self, error: Error) -> Result<Option<Moment<Q::Event>>, Error> {
        self.stream = None;
        if is_over(&error) { Ok(Some(Moment::Away)) } else { Err(error) }
    }
}

/// The hub is on its way out, which is no answer.
fn is_over(error: &Error) -> bool {
    matches!(error, Error::Gone) || error.hub().is_some_and(|error| error.code == ErrorCode::HubStopping)
}
