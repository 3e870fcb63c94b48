//! Events as lines of JSON on standard output, answers as lines of JSON on standard input: for other front ends.

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::approval::{AnswerApproval, Answered};
use flightdeck_contract::consent::{Consent, SetConsent};
use flightdeck_contract::{ApprovalId, Error};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::mpsc;

use super::ask;
use super::stream::News;

/// What is told beside the hub's own events.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Told {
    /// Nobody has answered yet whether agents may control panes and editors.
    Consent(Consent),
    /// An answer counted.
    Answered(Answered),
    /// A line was not understood, or its answer did not count.
    Failed {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<ApprovalId>,
        error: Error,
    },
    /// The hub has ended, and everything that waited there.
    Gone,
    /// There is a hub again; a snapshot follows.
    Back,
}

/// A line that was read.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Line {
    Consent { consent: SetConsent },
    Answer(AnswerApproval),
}

pub async fn run(client: Client, mut news: mpsc::Receiver<News>, consent: &Consent) -> anyhow::Result<ExitCode> {
    let mut client = Some(client);
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    if consent.ask {
        tell(&Told::Consent(consent.clone()))?;
    }
    loop {
        tokio::select! {
            came = news.recv() => match came {
                Some(News::Event(event)) => tell(&event)?,
                Some(News::Gone) => {
                    client = None;
                    tell(&Told::Gone)?;
                }
                Some(News::Back(back)) => {
                    client = Some(back);
                    tell(&Told::Back)?;
                }
                Some(News::Failed(error)) => return Err(error),
                None => return Ok(ExitCode::SUCCESS),
            },
            line = lines.next_line() => match line? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => tell(&answer(&mut client, &line).await)?,
                None => return Ok(ExitCode::SUCCESS),
            },
        }
    }
}

async fn answer(client: &mut Option<Client>, line: &str) -> Told {
    match serde_json::from_str(line) {
        Ok(Line::Answer(answer)) => match ask(client, "flightdeck.approval.answer", &answer).await {
            Ok(answered) => Told::Answered(answered),
            Err(error) => Told::Failed { id: Some(answer.id), error },
        },
        Ok(Line::Consent { consent }) => match ask(client, "flightdeck.consent.set", &consent).await {
            Ok(consent) => Told::Consent(consent),
            Err(error) => Told::Failed { id: None, error },
        },
        Err(_) => {
            let hint = r#"{"id": "a1", "choice": "approve"} or {"consent": {"allow": true, "version": 1}}"#;
            Told::Failed { id: None, error: Error::invalid("line", "it is no answer").hint(hint) }
        }
    }
}

fn tell(told: &impl Serialize) -> anyhow::Result<()> {
    outln!("{}", serde_json::to_string(told)?)?;
    Ok(())
}
