//! A terminal that is shown for as long as it runs, whatever becomes of the connection: a stream that is cut off goes on at
//! the byte where it ended.

use std::time::Duration;

use flightdeck_contract::ErrorCode;
use flightdeck_contract::terminal::{Attach, TerminalEvent};

use crate::connection::{Handle, Running};
use crate::{Client, Error, Hub};

/// How often a hub that is gone is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// A terminal, live.
#[derive(Debug)]
pub struct Live {
    hub: Hub,
    actor: String,
    attach: Attach,
    running: Option<Running>,
}

/// What a viewer learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Something of the terminal, with the bytes that belong to it.
    Event(TerminalEvent, Vec<u8>),
    /// The hub is gone; it is looked for.
    Away,
    /// There is one again. What was missed comes next.
    Back,
}

impl Live {
    /// Shows a terminal of this hub. No hub is started: a new one has no terminals but those that the last one left.
    pub fn new(hub: Hub, actor: &str, attach: Attach) -> Self {
        Live { hub, actor: actor.to_owned(), attach, running: None }
    }

    /// The way to the call that shows it now, for input and for further calls.
    pub fn handle(&self) -> Option<Handle> {
        self.running.as_ref().map(|running| running.handle.clone())
    }

    /// What happens next; `None` when the terminal has ended and all was told. Fails when the hub says no.
    pub async fn next(&mut self) -> Result<Option<Moment>, Error> {
        let Some(running) = &mut self.running else {
            return match self.attach_again().await? {
                Some(running) => {
                    let back = self.attach.from.is_some();
                    self.running = Some(running);
                    if back { Ok(Some(Moment::Back)) } else { Box::pin(self.next()).await }
                }
                None => Ok(Some(Moment::Away)),
            };
        };
        match running.events.next().await {
            Ok(Some((event, bytes))) => {
                match event {
                    TerminalEvent::Snapshot { at, .. } => self.attach.from = Some(at),
                    TerminalEvent::Output { to, .. } => self.attach.from = Some(to),
                    TerminalEvent::Attached { .. }
                    | TerminalEvent::Gap { .. }
                    | TerminalEvent::Resized { .. }
                    | TerminalEvent::Ended { .. } => {}
                }
                Ok(Some(Moment::Event(event, bytes)))
            }
            Ok(None) => match self.running.take() {
                Some(running) => match running.result.typed::<serde_json::Value>().await {
                    Ok(_) => Ok(None),
                    Err(error) if is_over(&error) => Ok(Some(Moment::Away)),
                    Err(error) => Err(error),
                },
                None => Ok(None),
            },
            Err(Error::Gone) => {
                self.running = None;
                Ok(Some(Moment::Away))
            }
            Err(error) => Err(error),
        }
    }

    /// `None`: no hub answers yet.
    async fn attach_again(&mut self) -> Result<Option<Running>, Error> {
        let attempt = async {
            let client = Client::connect(&self.hub.socket(), &self.actor).await?;
            client.begin("flightdeck.terminal.attach", &self.attach).await
        };
        match attempt.await {
            Ok(running) => Ok(Some(running)),
            Err(error) if is_over(&error) || matches!(error, Error::Io(_)) => {
                tokio::time::sleep(LOOK).await;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// The hub is on its way out, which is no answer.
fn is_over(error: &Error) -> bool {
    matches!(error, Error::Gone) || error.hub().is_some_and(|error| error.code == ErrorCode::HubStopping)
}
