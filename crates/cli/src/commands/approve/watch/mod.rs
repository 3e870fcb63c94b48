//! `flightdeck approve --watch`: a person at a desk, where requests come in and answers go out.

mod desk;
mod json;
mod keyboard;
mod keys;
mod lines;
mod page;
mod stream;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use std::collections::VecDeque;
use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::approval::Approval;
use flightdeck_contract::consent::{Consent, ShowConsent};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::Workspace;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{style, window};
use desk::{Act, Desk, Manner};
use page::Page;
use stream::News;

/// As a shell reports a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;
/// The same for SIGTERM.
const TERMINATED: u8 = 143;

pub async fn run(workspace: &Workspace, client: Client, json: bool) -> anyhow::Result<ExitCode> {
    let consent: Consent = client.call("flightdeck.consent.show", &ShowConsent {}).await?;
    let news = stream::start(workspace)?;
    if json {
        return json::run(client, news, &consent).await;
    }
    let manner = if window::is_interactive() { Manner::Keys } else { Manner::Lines };
    let mut watch = Watch { desk: Desk::new(manner, style::stdout()), client: Some(client), page: Page::new(manner) };
    let first = watch.desk.begin(&consent);
    watch.perform(first).await?;
    match manner {
        Manner::Keys => keys::run(workspace, watch, news).await,
        Manner::Lines => lines::run(watch, news).await,
    }
}

/// The desk, with the way to the hub and to the person.
struct Watch {
    desk: Desk,
    /// The way to the hub that asks; none while there is none.
    client: Option<Client>,
    page: Page,
}

/// What the loop has to do itself.
enum Flow {
    GoOn,
    Edit(Box<Approval>),
    Quit,
}

impl Watch {
    /// Does what the desk says, and what follows from it.
    async fn perform(&mut self, acts: Vec<Act>) -> anyhow::Result<Flow> {
        let mut todo = VecDeque::from(acts);
        while let Some(act) = todo.pop_front() {
            match act {
                Act::Say(lines) => self.page.say(&lines)?,
                Act::Answer(answer) => {
                    let result = ask(&mut self.client, "flightdeck.approval.answer", &answer).await;
                    todo.extend(self.desk.answered(result));
                }
                Act::Consent(consent) => {
                    let result = ask(&mut self.client, "flightdeck.consent.set", &consent).await;
                    todo.extend(self.desk.consented(result));
                }
                Act::Edit(approval) => return Ok(Flow::Edit(approval)),
                Act::Quit => return Ok(Flow::Quit),
            }
        }
        Ok(Flow::GoOn)
    }

    /// Takes news in.
    async fn news(&mut self, news: Option<News>) -> anyhow::Result<Flow> {
        let acts = match news {
            Some(News::Event(event)) => self.desk.event(event),
            Some(News::Gone) => {
                self.client = None;
                self.desk.gone()
            }
            Some(News::Back(client)) => {
                self.client = Some(client);
                self.desk.back()
            }
            Some(News::Failed(error)) => return Err(error),
            None => vec![Act::Quit],
        };
        self.perform(acts).await
    }

    /// The end, whatever led to it.
    fn leave(&mut self, code: ExitCode) -> anyhow::Result<ExitCode> {
        let said = self.desk.left();
        self.page.say(said.as_slice())?;
        Ok(code)
    }
}

/// Calls the hub that asks. Every failure is one of the contract's, so that it can be told.
async fn ask<T: DeserializeOwned>(
    client: &mut Option<Client>,
    command: &str,
    args: &impl Serialize,
) -> Result<T, Error> {
    let lost = || Error::new(ErrorCode::HubStopping, "the hub has ended, so the answer reached nobody");
    let Some(connected) = client else { return Err(lost()) };
    match connected.call(command, args).await {
        Ok(result) => Ok(result),
        Err(flightdeck_client::Error::Hub(error)) => Err(error),
        Err(_) => {
            *client = None;
            Err(lost())
        }
    }
}
