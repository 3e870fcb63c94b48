//! Questions of the agent's that have a form.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1 as acp;
use axum::http::Uri;
use flightdeck_contract::chat::{EntryContent, Field, FieldKind, FieldLimits, FieldOption, Question, QuestionOutcome};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::connection::Connection;
use super::memory::{MAX_PAGES, Memory, Open};
use super::requests::{Answered, question_settled, read};

/// The question, as people see it.
pub(super) fn question(request: acp::CreateElicitationRequest) -> Result<Question, acp::Error> {
    let (mut fields, mut url, mut host) = (Vec::new(), None, None);
    match request.mode {
        acp::ElicitationMode::Form(form) => {
            let schema = form.requested_schema;
            let required = schema.required.unwrap_or_default();
            fields = schema.properties.into_iter().filter_map(|(name, of)| field(name, of, &required)).collect();
        }
        acp::ElicitationMode::Url(page) => {
            host = Some(host_of(&page.url)?);
            url = Some(page.url);
        }
        _ => return Err(acp::Error::invalid_params().data(Value::from("mode is form or url here"))),
    }
    Ok(Question { message: request.message, fields, url, host, completed: false, outcome: None })
}

/// The host of a page. An address that could be taken for another is refused: one with a name before the host, or with
/// anything in it that a browser would not show as it is.
fn host_of(url: &str) -> Result<String, acp::Error> {
    let plain = Some(url).filter(|url| url.bytes().all(|byte| byte.is_ascii_graphic()));
    let uri =
        plain.and_then(|url| url.parse::<Uri>().ok()).filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    let authority = uri.as_ref().and_then(Uri::authority).filter(|authority| !authority.as_str().contains('@'));
    let host = authority.map(|authority| authority.host().to_owned()).filter(|host| !host.is_empty());
    host.ok_or_else(|| {
        let text = "url must be a whole http or https address with a host and without a user name";
        acp::Error::invalid_params().data(Value::from(text))
    })
}

/// The agent's own name for a page, if it asks for one. Its end is told under this name.
pub(super) fn page_of(request: &acp::CreateElicitationRequest, memory: &Memory) -> Result<Option<String>, acp::Error> {
    let acp::ElicitationMode::Url(page) = &request.mode else { return Ok(None) };
    let id = page.elicitation_id.to_string();
    let problem = if memory.pages.contains_key(&id) {
        format!("the elicitationId {id:?} is that of another page that is open")
    } else if memory.pages.len() >= MAX_PAGES {
        format!("{MAX_PAGES} pages are open already: tell of the end of some with elicitation/complete")
    } else {
        return Ok(Some(id));
    };
    Err(acp::Error::invalid_params().data(Value::from(problem)))
}

/// A page that a person did not want has no end.
pub(super) fn forget_page(memory: &mut Memory, open: &Open, answered: &Answered) {
    let is_wanted = answered.result.as_ref().is_ok_and(|answer| answer["action"] == "accept");
    if !is_wanted && open.method == "elicitation/create" {
        memory.pages.retain(|_, entry| Some(*entry) != open.entry);
    }
}

impl Connection {
    /// What was done on a page is done. Names that are not known, or whose end was told, are passed over.
    pub(super) fn page_completed(&mut self, params: Value) {
        let Ok(told) = read::<acp::CompleteElicitationNotification>(params) else { return };
        let Some(entry) = self.memory.pages.remove(&told.elicitation_id.to_string()) else { return };
        self.write(|draft| {
            draft.change(entry, |content| {
                if let EntryContent::Question(question) = content {
                    question.completed = true;
                }
            });
        });
    }
}

fn field(name: String, property: acp::ElicitationPropertySchema, required: &[String]) -> Option<Field> {
    use acp::ElicitationPropertySchema as P;
    let mut limits = FieldLimits::default();
    let (title, description, kind, default) = match property {
        P::String(text) => {
            (limits.min_length, limits.max_length) = (text.min_length, text.max_length);
            let options = match (text.one_of, text.enum_values) {
                (Some(titled), _) => titled.into_iter().map(titled_option).collect(),
                (None, Some(values)) => values.into_iter().map(plain_option).collect(),
                (None, None) => Vec::new(),
            };
            let kind = if options.is_empty() { FieldKind::Text } else { FieldKind::Select { options } };
            (text.title, text.description, kind, text.default.map(Value::from))
        }
        P::Number(number) => {
            (limits.minimum, limits.maximum) = (number.minimum, number.maximum);
            (number.title, number.description, FieldKind::Number { integer: false }, number.default.map(Value::from))
        }
        P::Integer(number) => {
            let float = |number: i64| number as f64;
            (limits.minimum, limits.maximum) = (number.minimum.map(float), number.maximum.map(float));
            (number.title, number.description, FieldKind::Number { integer: true }, number.default.map(Value::from))
        }
        P::Boolean(switch) => (switch.title, switch.description, FieldKind::Switch, switch.default.map(Value::from)),
        P::Array(many) => {
            (limits.min_items, limits.max_items) = (many.min_items, many.max_items);
            let options = match many.items {
                acp::MultiSelectItems::String(items) => items.values.into_iter().map(plain_option).collect(),
                acp::MultiSelectItems::Titled(items) => items.options.into_iter().map(titled_option).collect(),
                _ => Vec::new(),
            };
            (many.title, many.description, FieldKind::Many { options }, many.default.map(Value::from))
        }
        _ => return None,
    };
    Some(Field {
        title: title.unwrap_or_else(|| name.clone()),
        description,
        required: required.contains(&name),
        kind,
        limits,
        default,
        name,
    })
}

fn plain_option(value: String) -> FieldOption {
    FieldOption { title: value.clone(), value }
}

fn titled_option(option: acp::EnumOption) -> FieldOption {
    FieldOption { value: option.value, title: option.title }
}

/// A person has answered.
pub(super) fn answer(
    connection: &mut Connection,
    entry: u64,
    values: Option<BTreeMap<String, Value>>,
    by: String,
) -> Result<(), Error> {
    let open = connection
        .memory
        .open
        .iter()
        .find(|(_, open)| open.entry == Some(entry) && open.method == "elicitation/create");
    let Some(id) = open.map(|(id, _)| id.clone()) else {
        let text = format!("entry {entry} is no question that waits for an answer");
        return Err(Error::new(ErrorCode::ApprovalNotFound, text));
    };
    let asked = connection.seat.write(|draft| draft.entry(entry));
    let Some(values) = values else {
        let settled = Some(question_settled(QuestionOutcome::Declined { by }));
        connection.answer(&id, Answered { result: Ok(json!({ "action": "decline" })), settled, room: None });
        return Ok(());
    };
    let Some(EntryContent::Question(question)) = asked else {
        let text = format!("entry {entry} is too old to be answered");
        return Err(Error::new(ErrorCode::ApprovalNotFound, text).hint("decline it, or cancel the turn"));
    };
    check(&question, &values)?;
    // What is said on a page is said there.
    let result = if question.url.is_some() {
        Ok(json!({ "action": "accept" }))
    } else {
        Ok(json!({ "action": "accept", "content": values }))
    };
    let settled = Some(question_settled(QuestionOutcome::Accepted { values, by }));
    connection.answer(&id, Answered { result, settled, room: None });
    Ok(())
}

/// Whether an answer is one to this question.
fn check(question: &Question, values: &BTreeMap<String, Value>) -> Result<(), Error> {
    for field in &question.fields {
        let wrong = |problem: &str| Err(Error::invalid(&format!("values.{}", field.name), problem));
        let Some(value) = values.get(&field.name) else {
            if field.required {
                return wrong("it is required");
            }
            continue;
        };
        let checked = field.kind.check(value).and_then(|()| field.limits.check(value));
        if let Err(problem) = checked {
            return wrong(&problem.to_string());
        }
    }
    match values.keys().find(|name| !question.fields.iter().any(|field| field.name == **name)) {
        Some(unknown) => Err(Error::invalid(&format!("values.{unknown}"), "the form has no such field")),
        None => Ok(()),
    }
}

/// Nobody answers any more.
pub(super) fn cancelled() -> Answered {
    Answered {
        result: Ok(json!({ "action": "cancel" })),
        settled: Some(question_settled(QuestionOutcome::Cancelled)),
        room: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_those_of_a_host_and_of_nobody_else() {
        for (url, host) in [
            ("https://agent.example.com/connect?x=1", Some("agent.example.com")),
            ("http://localhost:8080/", Some("localhost")),
            ("https://github.com@evil.example/", None),
            ("javascript:alert(1)", None),
            ("file:///etc/passwd", None),
            ("https://", None),
            ("/relative", None),
            ("https://a b.example/", None),
            ("https://x.example/\u{202e}", None),
        ] {
            assert_eq!(host_of(url).ok().as_deref(), host, "{url}");
        }
    }
}
