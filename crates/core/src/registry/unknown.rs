//! Arguments that a command does not know, where its document lets callers send them: ignored, and told of.

use std::sync::Arc;

use flightdeck_contract::Error;
use serde_json::{Map, Value};

use super::Effects;
use super::concern::Concern;
use super::job::{Job, Reach, Teller, Unseen, Work};
use crate::approvals::intent::Intent;
use crate::call::Call;
use crate::hub::Hub;

/// How many are named, and how long a name may be.
const MOST: usize = 10;
const LONGEST: usize = 60;

/// The names of arguments that are not in the schema.
pub(super) fn unknown(args: &Value, schema: &Map<String, Value>) -> Vec<String> {
    let known = |name: &str| schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
    let Value::Object(fields) = args else { return Vec::new() };
    fields.keys().filter(|name| !known(name)).take(MOST).map(|name| name.chars().take(LONGEST).collect()).collect()
}

/// A call with such arguments. It is carried out as if they had not been there.
pub(super) struct Warned {
    pub job: Box<dyn Job>,
    pub unknown: Vec<String>,
}

impl Job for Warned {
    fn concern(&self) -> Option<Concern> {
        self.job.concern()
    }

    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        self.job.intent(hub)
    }

    fn editable(&self) -> bool {
        self.job.editable()
    }

    fn may_be_input(&self) -> bool {
        self.job.may_be_input()
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        self.job.edit(command)
    }

    fn is_secret(&self) -> bool {
        self.job.is_secret()
    }

    fn trace(&self) -> Option<String> {
        self.job.trace()
    }

    fn attended(&self) -> Option<Reach> {
        self.job.attended()
    }

    fn effects(&self) -> Option<Effects> {
        self.job.effects()
    }

    fn go_unseen(&mut self) -> Option<Unseen> {
        self.job.go_unseen()
    }

    fn stay(&mut self, could: bool) {
        self.job.stay(could);
    }

    fn teller(&self) -> Option<Teller> {
        self.job.teller()
    }

    fn run(self: Box<Self>, hub: Arc<Hub>, call: Call) -> Work {
        let Warned { job, unknown } = *self;
        Box::pin(async move {
            let mut result = job.run(hub, call).await?;
            if let Value::Object(fields) = &mut result {
                let warning = format!("ignored, because there is no such argument: {}", unknown.join(", "));
                fields.insert("warning".to_owned(), warning.into());
            }
            Ok(result)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_the_schema_does_not_name_is_unknown() {
        let Value::Object(schema) = json!({ "properties": { "a": {}, "b": {} } }) else { panic!("no object") };
        for (args, names) in [
            (json!({ "a": 1, "b": 2 }), &[][..]),
            (json!({ "a": 1, "c": 2, "D": null }), &["c", "D"]),
            (json!(null), &[]),
            (json!([1]), &[]),
        ] {
            let mut found = unknown(&args, &schema);
            found.sort_by_key(|name| name.to_lowercase());
            assert_eq!(found, names, "{args}");
        }
    }
}
