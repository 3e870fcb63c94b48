//! What can be chosen of an agent: modes, models, and its other options.

use agent_client_protocol_schema::v1 as acp;
use flightdeck_contract::chat::{Chat, ChatMode, ChatModes, ChatOption, Choosable, OptionValue};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::connection::Connection;
use super::memory::Asked;
use super::rpc::words;

/// The name of the option that stands for models which are chosen by a request of their own, as agents did before the
/// protocol had options.
const MODELS: &str = "model";

/// Reads what a session tells of it when it begins.
pub(super) fn read(chat: &mut Chat, told: &Value) {
    if let Some(modes) = field::<acp::SessionModeState>(told, "modes") {
        chat.modes = Some(modes_of(&modes));
    }
    if let Some(options) = field::<Vec<acp::SessionConfigOption>>(told, "configOptions") {
        chat.options = options.iter().filter_map(option_of).collect();
    }
    if has_models(told) {
        let models = &told["models"];
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let value = |model: &Value| {
            let id = text(model, "modelId")?;
            Some(OptionValue {
                name: text(model, "name").unwrap_or_else(|| id.clone()),
                description: text(model, "description"),
                group: None,
                id,
            })
        };
        let values = models["availableModels"].as_array().into_iter().flatten().filter_map(value).collect();
        let current = text(models, "currentModelId").unwrap_or_default();
        chat.options.push(ChatOption {
            id: MODELS.to_owned(),
            name: "Model".to_owned(),
            description: None,
            category: Some("model".to_owned()),
            choosable: Choosable::Select { current, values },
        });
    }
}

/// Whether a session has models that are chosen by a request of their own.
pub(super) fn has_models(told: &Value) -> bool {
    let options = told.get("configOptions").and_then(Value::as_array).is_some_and(|options| !options.is_empty());
    told.get("models").is_some_and(Value::is_object) && !options
}

fn field<T: serde::de::DeserializeOwned>(told: &Value, name: &str) -> Option<T> {
    serde_json::from_value(told.get(name)?.clone()).ok()
}

fn modes_of(modes: &acp::SessionModeState) -> ChatModes {
    let mode = |mode: &acp::SessionMode| ChatMode {
        id: mode.id.to_string(),
        name: mode.name.clone(),
        description: mode.description.clone(),
    };
    ChatModes {
        current: modes.current_mode_id.to_string(),
        available: modes.available_modes.iter().map(mode).collect(),
    }
}

pub(super) fn option_of(option: &acp::SessionConfigOption) -> Option<ChatOption> {
    let choosable = match &option.kind {
        acp::SessionConfigKind::Boolean(switch) => Choosable::Switch { on: switch.current_value },
        acp::SessionConfigKind::Select(select) => {
            Choosable::Select { current: select.current_value.to_string(), values: values_of(&select.options) }
        }
        _ => return None,
    };
    let category = option.category.as_ref().and_then(|category| serde_json::to_value(category).ok());
    Some(ChatOption {
        id: option.id.to_string(),
        name: option.name.clone(),
        description: option.description.clone(),
        category: category.and_then(|category| category.as_str().map(str::to_owned)),
        choosable,
    })
}

fn values_of(options: &acp::SessionConfigSelectOptions) -> Vec<OptionValue> {
    let value = |option: &acp::SessionConfigSelectOption, group: Option<&str>| OptionValue {
        id: option.value.to_string(),
        name: option.name.clone(),
        description: option.description.clone(),
        group: group.map(str::to_owned),
    };
    match options {
        acp::SessionConfigSelectOptions::Ungrouped(options) => {
            options.iter().map(|option| value(option, None)).collect()
        }
        acp::SessionConfigSelectOptions::Grouped(groups) => groups
            .iter()
            .flat_map(|group| group.options.iter().map(|option| value(option, Some(&group.name))))
            .collect(),
        _ => Vec::new(),
    }
}

impl Connection {
    /// Asks for a mode. Gives the id of the request.
    pub(super) fn choose_mode(&mut self, mode: String) -> Result<i64, Error> {
        let chat = self.seat.chat();
        let modes = chat.modes.map(|modes| modes.available).unwrap_or_default();
        if !modes.iter().any(|known| known.id == mode) {
            let ids: Vec<_> = modes.iter().map(|known| known.id.as_str()).collect();
            return Err(Error::invalid("mode", format!("the agent has no mode {mode:?}; it has: {}", ids.join(", "))));
        }
        let params = json!({ "sessionId": chat.session, "modeId": mode });
        Ok(self.ask("session/set_mode", Asked::Mode { mode }, &params))
    }

    /// Asks for a value of an option. Gives the id of the request.
    pub(super) fn choose_option(&mut self, option: &str, value: String) -> Result<i64, Error> {
        let chat = self.seat.chat();
        let Some(known) = chat.options.iter().find(|known| known.id == option) else {
            let ids: Vec<_> = chat.options.iter().map(|known| known.id.as_str()).collect();
            return Err(Error::invalid(
                "option",
                format!("the agent has no option {option:?}; it has: {}", ids.join(", ")),
            ));
        };
        match &known.choosable {
            Choosable::Select { values, .. } if !values.iter().any(|known| known.id == value) => {
                let ids: Vec<_> = values.iter().map(|known| known.id.as_str()).collect();
                Err(Error::invalid("value", format!("{value:?} is none of: {}", ids.join(", "))))
            }
            Choosable::Select { .. } if self.memory.models && option == MODELS => {
                let params = json!({ "sessionId": chat.session, "modelId": value });
                Ok(self.ask("session/set_model", Asked::Model { model: value }, &params))
            }
            Choosable::Select { .. } => {
                let params = json!({ "sessionId": chat.session, "configId": option, "value": value });
                Ok(self.ask("session/set_config_option", Asked::Option, &params))
            }
            Choosable::Switch { .. } => {
                let Ok(on) = value.parse::<bool>() else {
                    return Err(Error::invalid("value", "it is true or false"));
                };
                let params = json!({ "sessionId": chat.session, "configId": option, "type": "boolean", "value": on });
                Ok(self.ask("session/set_config_option", Asked::Option, &params))
            }
        }
    }

    pub(super) fn mode_set(&mut self, mode: &str, result: Result<Value, acp::Error>) -> Result<(), Error> {
        result.map_err(|error| refused(&error))?;
        self.write(|draft| {
            if let Some(modes) = &mut draft.chat().modes {
                mode.clone_into(&mut modes.current);
            }
        });
        Ok(())
    }

    pub(super) fn option_set(&mut self, result: Result<Value, acp::Error>) -> Result<(), Error> {
        let told = result.map_err(|error| refused(&error))?;
        self.write(|draft| read(draft.chat(), &told));
        Ok(())
    }

    pub(super) fn model_set(&mut self, model: &str, result: Result<Value, acp::Error>) -> Result<(), Error> {
        result.map_err(|error| refused(&error))?;
        self.write(|draft| {
            let option = draft.chat().options.iter_mut().find(|option| option.id == MODELS);
            if let Some(ChatOption { choosable: Choosable::Select { current, .. }, .. }) = option {
                model.clone_into(current);
            }
        });
        Ok(())
    }
}

fn refused(error: &acp::Error) -> Error {
    Error::new(ErrorCode::AgentFailed, format!("the agent has refused: {}", words(error)))
}
