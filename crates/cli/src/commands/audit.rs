//! `flightdeck audit`: the log of calls, as a table that can be followed, and whether it is intact.

use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::bail;
use flightdeck_client::Client;
use flightdeck_contract::hub::{
    AcknowledgeDatabase, AuditCall, AuditPage, AuditQuery, AuditVerified, DatabaseAcknowledged, DatabaseProblem, Empty,
};

use super::print_json;
use super::visible::visible;
use crate::args;
use crate::style::{self, Style};

/// How long one call of a follower waits for something new.
const WAIT_MS: u64 = 30_000;
/// How much of the arguments is shown.
const ARGUMENTS: usize = 100;

pub async fn run(client: &Client, args: &args::Audit) -> anyhow::Result<ExitCode> {
    match &args.action {
        Some(args::AuditAction::Verify(json)) => return verify(client, json.json).await,
        Some(args::AuditAction::Acknowledge(json)) => return acknowledge(client, json.json).await,
        None => {}
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis() as i64;
    let mut query = AuditQuery {
        since_ms: args.since.map(|since| now - since.as_millis() as i64),
        actor: args.actor.clone(),
        command: args.command.clone(),
        terminal: args.terminal.clone(),
        result: args.result.clone(),
        text: args.text.clone(),
        limit: Some(args.limit),
        ..AuditQuery::default()
    };
    loop {
        let page: AuditPage = client.call("flightdeck.hub.audit", &query).await?;
        for call in &page.calls {
            show(call, args.json)?;
        }
        if !args.follow {
            return Ok(ExitCode::SUCCESS);
        }
        query.after = Some(page.next);
        query.wait_ms = Some(WAIT_MS);
    }
}

async fn verify(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let verified: AuditVerified = client.call("flightdeck.hub.verify", &Empty {}).await?;
    if json {
        print_json(&verified)?;
        return Ok(if verified.intact { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if let Some(problem) = verified.problem {
        bail!("{}", visible(&problem));
    }
    if !verified.database.is_empty() {
        let all: Vec<String> = verified.database.iter().map(said).collect();
        bail!("the entries fit together, but {}", all.join("; "));
    }
    let AuditVerified { entries, first_seq, last_seq, head, .. } = verified;
    outln!("{} {entries} entries, from {first_seq} to {last_seq}", style::stdout().green("intact:"))?;
    outln!("  head {}", head.unwrap_or_default())?;
    Ok(ExitCode::SUCCESS)
}

/// Ends the warnings, after it was shown what they are about.
async fn acknowledge(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let ended: DatabaseAcknowledged = client.call("flightdeck.hub.acknowledge", &AcknowledgeDatabase {}).await?;
    if json {
        print_json(&ended)?;
        return Ok(ExitCode::SUCCESS);
    }
    if ended.database.is_empty() {
        outln!("nothing has happened to the database that you do not know")?;
    }
    for problem in &ended.database {
        outln!("acknowledged: {}", visible(&problem.text))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn said(problem: &DatabaseProblem) -> String {
    visible(&format!("{}: {}", problem.text, problem.hint))
}

fn show(call: &AuditCall, json: bool) -> anyhow::Result<()> {
    if json {
        outln!("{}", serde_json::to_string(call)?)?;
        return Ok(());
    }
    let style = style::stdout();
    let took = call.duration_ms.map_or_else(String::new, |ms| format!("{ms:.1} ms"));
    let shown: String = call.args.chars().take(ARGUMENTS).collect();
    let cut = if call.args.chars().count() > ARGUMENTS { "…" } else { "" };
    outln!(
        "{} {:>5}  {}  {:<16} {} {}{}",
        style.dim(&time(call.at_ms)),
        call.seq,
        result(call, style),
        visible(&call.actor),
        style.bold(&visible(&call.command)),
        visible(&shown) + cut,
        if took.is_empty() { took } else { style.dim(&format!("  {took}")) },
    )?;
    // What was simply allowed needs no word; what a person has said does.
    if !call.decision.starts_with("allowed") && !call.reason.is_empty() && call.error.is_none() {
        outln!("{:>30}  {}", "", style.dim(&visible(&format!("{}: {}", call.decision, call.reason))))?;
    }
    if let Some(error) = &call.error {
        outln!("{:>30}  {}", "", style.dim(&visible(error)))?;
    }
    Ok(())
}

fn result(call: &AuditCall, style: Style) -> String {
    let exit_code = call.run.as_ref().and_then(|run| run.exit_code).filter(|code| *code != 0);
    if let Some(code) = exit_code.filter(|_| call.result == "ok") {
        return style.red(&format!("{:<10}", format!("exit {code}")));
    }
    let text = format!("{:<10}", call.result);
    match call.result.as_str() {
        "ok" => style.green(&text),
        "running" => style.yellow(&text),
        _ => style.red(&text),
    }
}

/// `2026-11-16 01:02:03Z`.
fn time(ms: i64) -> String {
    let (days, second) = ((ms / 1000).div_euclid(86400), (ms / 1000).rem_euclid(86400));
    let (year, month, day) = date(days);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// The date of a day since 1970, in the Gregorian calendar (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_400_000, "2000-02-29 00:00:00Z"),
            (1_700_000_000_999, "2023-11-14 22:13:20Z"),
            (4_102_444_799_000, "2099-12-31 23:59:59Z"),
        ] {
            assert_eq!(time(ms), text);
        }
    }
}
