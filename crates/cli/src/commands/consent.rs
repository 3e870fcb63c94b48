//! `flightdeck consent`: how it stands with agents that control panes and editors, and a person's answer.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::consent::{Consent, SetConsent, ShowConsent};

use super::approve::{now_ms, span};
use super::print_json;
use super::visible::visible;
use crate::args;
use crate::{style, window};

pub async fn run(client: &Client, args: &args::Consent) -> anyhow::Result<ExitCode> {
    let shown: Consent = client.call("flightdeck.consent.show", &ShowConsent {}).await?;
    let answer = match (args.allow, args.decline) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ if shown.ask && !args.json && window::is_interactive() => ask(&shown.text)?,
        _ => None,
    };
    let now = match answer {
        Some(allow) => {
            let set = SetConsent { allow, version: shown.version, remember: !args.for_now };
            client.call("flightdeck.consent.set", &set).await?
        }
        None => shown,
    };
    if args.json {
        print_json(&now)?;
    } else {
        outln!("{}", words(&now))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Asks in the window. An empty line answers nothing.
fn ask(text: &str) -> anyhow::Result<Option<bool>> {
    outln!("{text}\n")?;
    loop {
        print!("Allow it? [y/n] ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        match line.trim() {
            "y" | "Y" | "yes" => return Ok(Some(true)),
            "n" | "N" | "no" => return Ok(Some(false)),
            "" => return Ok(None),
            _ => outln!("y allows it, n declines it, an empty line leaves it open")?,
        }
    }
}

fn words(consent: &Consent) -> String {
    let style = style::stdout();
    let Some(allowed) = consent.allowed else {
        let text = "nobody has answered yet whether agents may control panes and editors: ";
        return text.to_owned() + "`flightdeck consent --allow` or `--decline`";
    };
    let what = if allowed { style.green("allowed") } else { style.red("declined") };
    let by = consent.by.as_deref().map_or_else(String::new, |by| format!(" by {}", visible(by)));
    let ago = consent.at_ms.map_or_else(String::new, |at| {
        format!(", {} ago", span(Duration::from_millis(u64::try_from(now_ms() - at).unwrap_or(0))))
    });
    format!("agents that control panes and editors: {what}{by}{ago}")
}
