//! Questions of the agent's that have a form.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{EntryContent, Field, FieldKind, FieldOption, Question, QuestionOutcome};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::connection::Connection;
use super::requests::{Answered, question_settled};

/// The question, as people see it.
pub(super) fn question(request: acp::CreateElicitationRequest) -> Result<Question, acp::Error> {
    match request.mode {
        acp::ElicitationMode::Form(form) => {
            let schema = form.requested_schema;
            let required = schema.required.unwrap_or_default();
            let field = |(name, property)| field(name, property, &required);
            let fields = schema.properties.into_iter().filter_map(field).collect();
            Ok(Question { message: request.message, fields, url: None, outcome: None })
        }
        _ => Err(acp::Error::invalid_params().data(Value::from("only forms are asked here"))),
    }
}

fn field(name: String, property: acp::ElicitationPropertySchema, required: &[String]) -> Option<Field> {
    use acp::ElicitationPropertySchema as P;
    let (title, description, kind, default) = match property {
        P::String(text) => {
            let options = match (text.one_of, text.enum_values) {
                (Some(titled), _) => titled.into_iter().map(titled_option).collect(),
                (None, Some(values)) => values.into_iter().map(plain_option).collect(),
                (None, None) => Vec::new(),
            };
            let kind = if options.is_empty() { FieldKind::Text } else { FieldKind::Select { options } };
            (text.title, text.description, kind, text.default.map(Value::from))
        }
        P::Number(number) => {
            (number.title, number.description, FieldKind::Number { integer: false }, number.default.map(Value::from))
        }
        P::Integer(number) => {
            (number.title, number.description, FieldKind::Number { integer: true }, number.default.map(Value::from))
        }
        P::Boolean(switch) => (switch.title, switch.description, FieldKind::Switch, switch.default.map(Value::from)),
        P::Array(many) => {
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
        connection.answer(&id, Answered { result: Ok(json!({ "action": "decline" })), settled });
        return Ok(());
    };
    if let Some(EntryContent::Question(question)) = asked {
        check(&question, &values)?;
    }
    let result = Ok(json!({ "action": "accept", "content": values }));
    let settled = Some(question_settled(QuestionOutcome::Accepted { values, by }));
    connection.answer(&id, Answered { result, settled });
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
        let is_one =
            |options: &[FieldOption], value: &Value| options.iter().any(|option| value == option.value.as_str());
        let fits = match &field.kind {
            FieldKind::Text => value.is_string(),
            FieldKind::Number { integer: true } => value.is_i64() || value.is_u64(),
            FieldKind::Number { integer: false } => value.is_number(),
            FieldKind::Switch => value.is_boolean(),
            FieldKind::Select { options } => is_one(options, value),
            FieldKind::Many { options } => {
                value.as_array().is_some_and(|values| values.iter().all(|value| is_one(options, value)))
            }
        };
        if !fits {
            return wrong("it is not what the form asks for");
        }
    }
    match values.keys().find(|name| !question.fields.iter().any(|field| field.name == **name)) {
        Some(unknown) => Err(Error::invalid(&format!("values.{unknown}"), "the form has no such field")),
        None => Ok(()),
    }
}

/// Nobody answers any more.
pub(super) fn cancelled() -> Answered {
    Answered { result: Ok(json!({ "action": "cancel" })), settled: Some(question_settled(QuestionOutcome::Cancelled)) }
}
