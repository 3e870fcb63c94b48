//! A command: what it is called, what it takes and gives, what it does to the world, and the code that does it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use flightdeck_contract::{Error, ErrorCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{envelope, schema};
use crate::aside::aside;
use crate::call::Call;
use crate::hub::Hub;

/// Which group a command belongs to; agents can be given some of them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// `flightdeck.terminal.*`.
    Terminal,
    /// `openspace.*`.
    Openspace,
    /// `flightdeck.hub.*`: the hub itself.
    Hub,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 3] = [Family::Terminal, Family::Openspace, Family::Hub];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Family::Terminal => "terminal",
            Family::Openspace => "openspace",
            Family::Hub => "hub",
        }
    }

    /// The family of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }
}

/// What a command does to the world. One that does none of it only reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Changes something.
    pub writes: bool,
    /// Runs a program, or types into one.
    pub executes: bool,
    /// May take away what can't be brought back.
    pub destructive: bool,
    /// Doing it twice is the same as doing it once.
    pub idempotent: bool,
    /// What it runs may reach beyond this machine.
    pub open_world: bool,
}

impl Effects {
    /// It looks and changes nothing.
    pub const READS: Effects =
        Effects { writes: false, executes: false, destructive: false, idempotent: true, open_world: false };
    /// It changes something of Flightdeck's own, in the same way however often it is done.
    pub const WRITES: Effects =
        Effects { writes: true, executes: false, destructive: false, idempotent: true, open_world: false };
    /// It runs what the caller says: anything can happen.
    pub const EXECUTES: Effects =
        Effects { writes: true, executes: true, destructive: true, idempotent: false, open_world: true };
    /// It ends or removes something.
    pub const DESTROYS: Effects =
        Effects { writes: true, executes: false, destructive: true, idempotent: true, open_world: false };

    /// Whether it changes nothing.
    pub fn only_reads(self) -> bool {
        !(self.writes || self.executes || self.destructive)
    }

    /// In words, for the documentation.
    pub fn words(self) -> &'static str {
        match (self.only_reads(), self.executes, self.destructive) {
            (true, ..) => "reads",
            (_, true, _) => "executes",
            (_, _, true) => "destructive",
            _ => "writes",
        }
    }
}

type Work = Pin<Box<dyn Future<Output = Result<Value, Error>> + Send>>;
/// A call whose arguments are in order, ready to be carried out.
pub(crate) type Prepared = Box<dyn FnOnce(Arc<Hub>, Call) -> Work + Send>;
type Prepare = Box<dyn Fn(Value) -> Result<Prepared, Error> + Send + Sync>;

/// A command of the hub.
pub struct Command {
    /// Its name everywhere: `flightdeck.terminal.run`.
    pub id: &'static str,
    /// A few words for a palette.
    pub title: &'static str,
    /// What an agent has to know.
    pub description: &'static str,
    /// Its group.
    pub family: Family,
    /// Whether agents get it as a tool. The others stream, or are for front ends.
    pub tool: bool,
    /// What it does to the world.
    pub effects: Effects,
    /// The kind of data that it sends beside its result.
    pub attachment: Option<&'static str>,
    /// The schema of its arguments.
    pub input_schema: Arc<Map<String, Value>>,
    /// The schema of what [`outcome`](Self::outcome) makes.
    pub output_schema: Arc<Map<String, Value>>,
    /// The schema of its own result, for typed front ends.
    pub result_schema: Arc<Map<String, Value>>,
    text: &'static str,
    prepare: Prepare,
}

impl Command {
    /// Checks the arguments. An error names the field.
    pub(crate) fn prepare(&self, args: Value) -> Result<Prepared, Error> {
        (self.prepare)(args)
    }

    /// What agents get: `{ success, output?, error?, data? }`, or the documented form of its family.
    pub fn outcome(&self, result: &Result<Value, Error>) -> Value {
        envelope::wrap(self.family, self.text, result)
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("id", &self.id).field("effects", &self.effects).finish_non_exhaustive()
    }
}

/// A command in the making.
pub(crate) struct Definition {
    id: &'static str,
    title: &'static str,
    description: &'static str,
    effects: Effects,
    tool: bool,
    attachment: Option<&'static str>,
    text: &'static str,
}

/// Begins the definition of a command.
pub(crate) fn define(id: &'static str, effects: Effects, title: &'static str, description: &'static str) -> Definition {
    Definition { id, title, description, effects, tool: true, attachment: None, text: "output" }
}

impl Definition {
    /// Not a tool for agents: it streams, or is of use to front ends only.
    pub(crate) fn for_front_ends(mut self) -> Self {
        self.tool = false;
        self
    }

    /// It sends data of this kind beside its result.
    pub(crate) fn attaches(mut self, mime: &'static str) -> Self {
        self.attachment = Some(mime);
        self
    }

    /// The field of the result that is text to read.
    pub(crate) fn text_in(mut self, field: &'static str) -> Self {
        self.text = field;
        self
    }

    /// The code, as a future.
    pub(crate) fn handle<Q, R, F>(
        self,
        handler: impl Fn(Arc<Hub>, Call, Q) -> F + Clone + Send + Sync + 'static,
    ) -> Command
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema,
        F: Future<Output = Result<R, Error>> + Send + 'static,
    {
        self.build::<Q, R>(move |args| {
            let request: Q = parse(args)?;
            let handler = handler.clone();
            Ok(Box::new(move |hub, call| Box::pin(async move { value(handler(hub, call, request).await?) })))
        })
    }

    /// The code, for a command that may read a lot: on a thread of its own.
    pub(crate) fn aside<Q, R>(
        self,
        handler: impl Fn(&Arc<Hub>, &Call, Q) -> Result<R, Error> + Clone + Send + Sync + 'static,
    ) -> Command
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema,
    {
        self.build::<Q, R>(move |args| {
            let request: Q = parse(args)?;
            let handler = handler.clone();
            Ok(Box::new(move |hub, call| {
                Box::pin(async move { aside(move || value(handler(&hub, &call, request)?)).await? })
            }))
        })
    }

    fn build<Q: JsonSchema, R: JsonSchema>(
        self,
        prepare: impl Fn(Value) -> Result<Prepared, Error> + Send + Sync + 'static,
    ) -> Command {
        let family = if self.id.starts_with("openspace.") {
            Family::Openspace
        } else if self.id.starts_with("flightdeck.hub.") {
            Family::Hub
        } else {
            Family::Terminal
        };
        let result = schema::of_result::<R>();
        Command {
            id: self.id,
            title: self.title,
            description: self.description,
            family,
            tool: self.tool,
            effects: self.effects,
            attachment: self.attachment,
            input_schema: Arc::new(schema::of_request::<Q>()),
            output_schema: Arc::new(envelope::schema(family, self.text, &result)),
            result_schema: Arc::new(result),
            text: self.text,
            prepare: Box::new(prepare),
        }
    }
}

fn parse<T: DeserializeOwned>(args: Value) -> Result<T, Error> {
    let args = match args {
        Value::Null => Value::Object(Map::new()),
        Value::Object(mut fields) => {
            // Some clients send null for what they leave out.
            fields.retain(|_, value| !value.is_null());
            Value::Object(fields)
        }
        other => {
            let kind = match other {
                Value::Array(_) => "a list",
                Value::String(_) => "a text",
                _ => "a single value",
            };
            return Err(Error::new(
                ErrorCode::InvalidArgument,
                format!("the arguments must be a JSON object, not {kind}"),
            ));
        }
    };
    serde_path_to_error::deserialize(args).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        if path == "." {
            Error::new(ErrorCode::InvalidArgument, problem.to_string())
        } else {
            Error::invalid(&path, problem)
        }
    })
}

fn value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
