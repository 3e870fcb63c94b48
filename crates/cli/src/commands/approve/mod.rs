//! `flightdeck approve`: what waits for a person's yes, and the answers.

mod answer;
mod editor;
mod show;
mod subject;
mod watch;

use std::process::ExitCode;

use flightdeck_client::Client;
use flightdeck_contract::approval::{Approvals, ListApprovals};
use flightdeck_core::Workspace;

use super::{absent, print_json};
use crate::args;
use crate::find;
use crate::style;

pub use editor::open as open_editor;
pub use show::{Length, command as marked, now_ms, span};
pub use subject::{SubjectLine, SubjectLineKind, file_write_lines, permission_lines};

pub async fn run(workspace: &Workspace, args: args::Approve) -> anyhow::Result<ExitCode> {
    let client = if args.watch {
        find::hub(workspace).await?
    } else {
        match find::to_look(workspace).await? {
            Some(client) => client,
            None if args.id.is_none() => return absent::approvals(workspace, args.json),
            None => return answer::late(absent::approval(workspace), args.json),
        }
    };
    match args.id {
        Some(id) => answer::run(workspace, &client, id, args).await,
        None if args.watch => watch::run(workspace, client, args.json).await,
        None => list(&client, args.json).await,
    }
}

async fn list(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let listed: Approvals = client.call("flightdeck.approval.list", &ListApprovals {}).await?;
    if json {
        print_json(&listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style::stdout();
    for approval in &listed.approvals {
        outln!("{}", show::request(approval, show::Length::Whole, style).join("\n"))?;
        outln!()?;
    }
    if listed.approvals.is_empty() {
        let next = match listed.attended {
            0 => "; nobody watches, so what needs a yes is refused at once: `flightdeck approve --watch` changes that",
            _ => "",
        };
        eprintln!("nothing waits for an answer{next}");
    } else {
        eprintln!(
            "{}",
            style::stderr().dim("answer with `flightdeck approve ID` or `flightdeck approve ID --decline`")
        );
    }
    Ok(ExitCode::SUCCESS)
}
