//! Terminals as resources: `terminal://t1/screen` is what a person sees, `terminal://t1/log` what was printed.

use std::sync::Arc;

use flightdeck_contract::terminal::{List, Listed, Output, ScreenShown};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_core::{Caller, Hub};
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompletionInfo, ListResourcesResult, ReadResourceResult, Reference, Resource,
    ResourceContents, ResourceTemplate,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{Service, instructions};

/// How many terminals are listed at once; a cursor leads to the next ones.
const PAGE: usize = 40;
/// How many are asked for at once where all of them count.
const ASKED: usize = 500;
/// How many bytes of a log are read at once; the piece says where the next one is.
const PIECE: u64 = 65536;
const TEXT: &str = "text/plain";
const SCREEN_TEMPLATE: &str = "terminal://{id}/screen";
const LOG_TEMPLATE: &str = "terminal://{id}/log{?from,to,lines}";

/// A resource of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// `flightdeck://instructions`.
    Instructions,
    /// `terminal://t1/screen`.
    Screen(TerminalId),
    /// `terminal://t1/log?lines=100`.
    Log(TerminalId, Range),
}

/// The part of a log that is meant; its end when nothing is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    from: Option<u64>,
    to: Option<u64>,
    lines: Option<u64>,
}

impl Address {
    /// Takes a URI apart. `None`: there is no such resource.
    pub(super) fn parse(uri: &str) -> Option<Self> {
        if uri == instructions::URI {
            return Some(Address::Instructions);
        }
        let (id, place) = uri.strip_prefix("terminal://")?.split_once('/')?;
        let id = id.parse().ok()?;
        let (path, query) = place.split_once('?').unwrap_or((place, ""));
        match path {
            "screen" if query.is_empty() => Some(Address::Screen(id)),
            "log" => Some(Address::Log(id, Range::parse(query)?)),
            _ => None,
        }
    }

    /// The terminal that it shows.
    pub(super) fn terminal(&self) -> Option<TerminalId> {
        match self {
            Address::Instructions => None,
            Address::Screen(id) | Address::Log(id, _) => Some(*id),
        }
    }
}

impl Range {
    fn parse(query: &str) -> Option<Self> {
        let mut range = Range::default();
        for (name, value) in query
            .split('&')
            .filter(|part| !part.is_empty())
            .map(|part| part.split_once('='))
            .collect::<Option<Vec<_>>>()?
        {
            let value = Some(value.parse().ok()?);
            match name {
                "from" => range.from = value,
                "to" => range.to = value,
                "lines" => range.lines = value,
                _ => return None,
            }
        }
        Some(range)
    }
}

/// A link to the screen of a terminal.
pub(super) fn screen_link(id: TerminalId) -> Resource {
    Resource::new(format!("terminal://{id}/screen"), format!("{id}/screen"))
        .with_title(format!("Screen of {id}"))
        .with_mime_type(TEXT)
}

/// A link to the log of a terminal, or to a part of it.
pub(super) fn log_link(id: TerminalId, from: Option<u64>, to: Option<u64>) -> Resource {
    let bounds = [("from", from), ("to", to)];
    let query: Vec<_> = bounds.iter().filter_map(|(name, at)| at.map(|at| format!("{name}={at}"))).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    Resource::new(format!("terminal://{id}/log{mark}{}", query.join("&")), format!("{id}/log"))
        .with_title(format!("Output of {id}"))
        .with_mime_type(TEXT)
}

/// The link to a part of a log by its address.
pub(super) fn linked(uri: &str) -> Option<Resource> {
    match Address::parse(uri)? {
        Address::Log(id, Range { from, to, .. }) => Some(log_link(id, from, to)),
        Address::Instructions | Address::Screen(_) => None,
    }
}

/// The templates of all that can be read.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(SCREEN_TEMPLATE, "screen")
            .with_title("Screen of a terminal")
            .with_description("What a person would see now, as text.")
            .with_mime_type(TEXT),
        ResourceTemplate::new(LOG_TEMPLATE, "log")
            .with_title("Output of a terminal")
            .with_description("What was printed: the last lines, or the bytes between two cursors.")
            .with_mime_type(TEXT),
    ]
}

/// The instructions and the terminals that run, the newest first.
pub(super) async fn list(
    hub: &Arc<Hub>,
    caller: Caller,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let wanted = List { all: false, limit: Some(PAGE), after: cursor.map(str::to_owned) };
    let listed = ask::<Listed>(hub, caller, "flightdeck.terminal.list", json!(wanted)).await;
    let Listed { terminals, next, .. } = listed.map_err(|error| match error.code {
        ErrorCode::InvalidArgument => ErrorData::invalid_params("the cursor is none of ours: begin without one", None),
        _ => failed(&error, None),
    })?;
    let mut resources = Vec::with_capacity(1 + 2 * terminals.len());
    if cursor.is_none() {
        resources.push(instructions::resource());
    }
    for terminal in &terminals {
        let about = format!("{} · {} · {}", terminal.title, terminal.command, terminal.cwd);
        resources.push(screen_link(terminal.id).with_description(about.clone()));
        resources.push(log_link(terminal.id, None, None).with_description(about));
    }
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = next;
    Ok(result)
}

/// Reads one.
pub(super) async fn read(service: &Service, caller: Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let hub = &service.hub;
    let address = Address::parse(uri).ok_or_else(|| not_found(uri))?;
    let text = match address {
        Address::Instructions => instructions::text(service, caller).await,
        Address::Screen(id) => {
            let shown = ask::<ScreenShown>(hub, caller, "flightdeck.terminal.screen", json!({ "id": id })).await;
            shown.map(|shown| shown.text)
        }
        Address::Log(id, range) => {
            let mut args = Map::from_iter([("id".to_owned(), json!(id))]);
            let most = range.from.map(|_| PIECE);
            let bounds = [("from", range.from), ("to", range.to), ("lines", range.lines), ("maxBytes", most)];
            args.extend(bounds.into_iter().filter_map(|(name, at)| Some((name.to_owned(), json!(at?)))));
            let output = ask::<Output>(hub, caller, "flightdeck.terminal.read", Value::Object(args)).await;
            output.map(|output| with_next(id, range, output))
        }
    };
    let text = text.map_err(|error| failed(&error, Some(uri)))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]))
}

/// A piece of a log, with the address of the next one.
fn with_next(id: TerminalId, range: Range, output: Output) -> String {
    let end = range.to.unwrap_or(output.end).min(output.end);
    if range.from.is_none() || output.next >= end {
        return output.text;
    }
    let next = log_link(id, Some(output.next), range.to).uri.clone();
    format!("{}\n[... {} more bytes: read {next} ...]\n", output.text, end - output.next)
}

/// Terminals whose name begins like this, for whoever fills in a template.
pub(super) async fn complete(hub: &Arc<Hub>, caller: Caller, request: &CompleteRequestParams) -> CompletionInfo {
    let ours = matches!(&request.r#ref, Reference::Resource(template) if template.uri.starts_with("terminal://"));
    if !ours || request.argument.name != "id" {
        return CompletionInfo::default();
    }
    // Nothing to offer is an answer as well.
    let names = names(hub, caller).await.unwrap_or_default();
    let alike: Vec<_> = names.into_iter().filter(|name| name.starts_with(&request.argument.value)).collect();
    let total = alike.len();
    let shown: Vec<_> = alike.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    let more = total > shown.len();
    CompletionInfo::with_pagination(shown, Some(total as u32), more).unwrap_or_default()
}

/// The names of all terminals, also of those that have ended.
async fn names(hub: &Arc<Hub>, caller: Caller) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut after = None;
    loop {
        let wanted = List { all: true, limit: Some(ASKED), after };
        let listed = ask::<Listed>(hub, caller.clone(), "flightdeck.terminal.list", json!(wanted)).await?;
        names.extend(listed.terminals.iter().map(|terminal| terminal.id.to_string()));
        after = listed.next;
        if after.is_none() {
            return Ok(names);
        }
    }
}

/// Calls a command whose result is all that is wanted.
pub(super) async fn ask<T: DeserializeOwned>(
    hub: &Arc<Hub>,
    caller: Caller,
    command: &str,
    args: Value,
) -> Result<T, Error> {
    let result = hub.call(caller, command, args).await?;
    serde_json::from_value(result).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

/// The answer about a resource that is not there. The SDK turns the code into the one of the client's version.
pub(super) fn not_found(uri: &str) -> ErrorData {
    let shown: String = uri.chars().take(200).collect();
    let message = format!("there is no resource {shown:?}: resources/list has those that there are");
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// A command that failed on behalf of a request that has no envelope for it.
pub(super) fn failed(error: &Error, uri: Option<&str>) -> ErrorData {
    let mut message = error.message.clone();
    if let Some(hint) = &error.hint {
        message = format!("{message} ({hint})");
    }
    let data = json!({ "code": error.code });
    match (error.code, uri) {
        (ErrorCode::TerminalNotFound, Some(uri)) => ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))),
        (ErrorCode::InvalidArgument, _) => ErrorData::invalid_params(message, Some(data)),
        _ => ErrorData::internal_error(message, Some(data)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let t7 = TerminalId::new(7);
        let range = |from, to, lines| Range { from, to, lines };
        for (uri, expected) in [
            ("flightdeck://instructions", Some(Address::Instructions)),
            ("terminal://t7/screen", Some(Address::Screen(t7))),
            ("terminal://t7/log", Some(Address::Log(t7, Range::default()))),
            ("terminal://t7/log?lines=5", Some(Address::Log(t7, range(None, None, Some(5))))),
            ("terminal://t7/log?from=1&to=20", Some(Address::Log(t7, range(Some(1), Some(20), None)))),
            ("terminal://t7/log?from=-1", None),
            ("terminal://t7/log?form=1", None),
            ("terminal://t7/log?from", None),
            ("terminal://t7/screen?from=1", None),
            ("terminal://t7/", None),
            ("terminal://t7", None),
            ("terminal://7/screen", None),
            ("terminal://t07/screen", None),
            ("file:///etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(Address::parse(uri), expected, "{uri}");
        }
    }

    #[test]
    fn links_lead_back_to_their_addresses() {
        let id = TerminalId::new(3);
        assert_eq!(Address::parse(&screen_link(id).uri), Some(Address::Screen(id)));
        for (from, to) in [(None, None), (Some(0), None), (Some(4), Some(9))] {
            let address = Address::Log(id, Range { from, to, lines: None });
            assert_eq!(Address::parse(&log_link(id, from, to).uri), Some(address));
        }
    }
}
