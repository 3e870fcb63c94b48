//! A command: what it is called, what it takes and gives, what it does to the world, and the code that does it.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use flightdeck_contract::{Error, ErrorCode, Streams};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::concern::{Concern, Concerns};
use super::envelope::{self, Form};
use super::job::{Draft, Executing, Job, Prepare, Simple, Work, object, parse, value};
use super::schema;
use super::types::{Describe, Types};
use super::unknown::{Warned, unknown};
use crate::approvals::intent::Executes;
use crate::aside::aside;
use crate::call::Call;
use crate::hub::Hub;
use crate::stream::Emit;

/// Which group a command belongs to; agents can be given some of them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// `flightdeck.terminal.*` and the canonical contract.
    Terminal,
    /// `create_tab`, `execute_command` and the other tab tools.
    Tabs,
    /// `openspace.*`.
    Openspace,
    /// The hub itself, and what decides about agents: `flightdeck.hub.*`, `flightdeck.policy.*`.
    Hub,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 4] = [Family::Terminal, Family::Tabs, Family::Openspace, Family::Hub];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Family::Terminal => "terminal",
            Family::Tabs => "tabs",
            Family::Openspace => "openspace",
            Family::Hub => "hub",
        }
    }

    /// How its results are told.
    fn form(self) -> Form {
        match self {
            Family::Openspace => Form::Flat,
            Family::Tabs => Form::Bare,
            Family::Terminal | Family::Hub => Form::Enveloped,
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

/// Who may call a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Everybody.
    All,
    /// People only: it decides what agents may do.
    People,
    /// People, and an external IDE. That comes over HTTP with the token, as no person does.
    Ides,
    /// Agents that the hub runs itself.
    Conversations,
}

/// A schema, made when it is asked for: a hub starts without any, and those of commands that are no tools are never needed.
pub type Schema = LazyLock<Arc<Map<String, Value>>, Box<dyn FnOnce() -> Arc<Map<String, Value>> + Send>>;

fn later(make: impl FnOnce() -> Map<String, Value> + Send + 'static) -> Schema {
    LazyLock::new(Box::new(move || Arc::new(make())))
}

/// A command of the hub.
pub struct Command {
    /// Its name everywhere: `flightdeck.terminal.run`.
    pub id: Cow<'static, str>,
    /// A few words for a palette.
    pub title: Cow<'static, str>,
    /// What an agent has to know.
    pub description: Cow<'static, str>,
    /// Its group.
    pub family: Family,
    /// Whether agents get it as a tool. The others stream, or are for front ends.
    pub tool: bool,
    /// What it does to the world.
    pub effects: Effects,
    /// The kind of data that it sends beside its result.
    pub attachment: Option<&'static str>,
    /// The schema of its arguments.
    pub input_schema: Schema,
    /// The schema of what [`outcome`](Self::outcome) makes.
    pub output_schema: Schema,
    /// The schema of its own result, for the documentation.
    pub(super) result_schema: Schema,
    /// Whether it is an older name of another one, listed only for clients that ask for it.
    pub compat: bool,
    /// Whether it moves things on a person's screen, to which they have to consent.
    pub(crate) controls_ide: bool,
    pub(crate) audience: Audience,
    /// Whether calls of it that succeed stand in the audit log. Where a cursor is goes by many times a second and is nobody's
    /// deed.
    pub(crate) noted: bool,
    /// Fields of its arguments that are texts of files, of which the audit log has the length alone.
    pub(crate) unread: &'static [&'static str],
    pub(super) types: Types,
    text: &'static str,
    form: Form,
    prepare: Prepare,
}

impl Command {
    /// Checks the arguments. An error names the field.
    pub(crate) fn prepare(&self, args: Value, draft: &Draft<'_>) -> Result<Box<dyn Job>, Error> {
        (self.prepare)(args, draft)
    }

    /// Its id, when it is one of this build's own. Those that are brought at run time could be any number.
    pub(crate) fn own_id(&self) -> Option<&'static str> {
        match self.id {
            Cow::Borrowed(id) => Some(id),
            Cow::Owned(_) => None,
        }
    }

    /// What agents get: `{ success, output?, error?, data? }`, or the documented form of its family.
    pub fn outcome(&self, result: &Result<Value, Error>) -> Value {
        envelope::wrap(self.form, self.text, result)
    }

    /// Whether it tells what is, for as long as somebody listens: it has no end but that nobody does.
    pub(crate) fn is_watch(&self) -> bool {
        self.types.event.is_some() && self.effects.only_reads()
    }

    /// Adds to what a result says to look out for, although what was asked was done.
    pub(crate) fn warn(&self, result: &mut Value, words: &str) {
        envelope::warn(self.form, result, words);
    }

    /// Whether a result says that what was asked was not done.
    pub fn failed(&self, result: &Result<Value, Error>) -> bool {
        match result {
            Err(_) => true,
            Ok(value) => {
                let tells = matches!(self.form, Form::Own | Form::Bare);
                tells && value.get("success").and_then(Value::as_bool) == Some(false)
            }
        }
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("id", &self.id).field("effects", &self.effects).finish_non_exhaustive()
    }
}

/// A command in the making.
pub(crate) struct Definition {
    family: Family,
    id: Cow<'static, str>,
    title: Cow<'static, str>,
    description: Cow<'static, str>,
    effects: Effects,
    tool: bool,
    attachment: Option<&'static str>,
    text: &'static str,
    audience: Audience,
    compat: bool,
    controls_ide: bool,
    noted: bool,
    unread: &'static [&'static str],
    event: Option<Describe>,
}

/// Begins the definition of a command.
pub(crate) fn define(
    family: Family,
    id: impl Into<Cow<'static, str>>,
    effects: Effects,
    title: impl Into<Cow<'static, str>>,
    description: impl Into<Cow<'static, str>>,
) -> Definition {
    Definition {
        family,
        id: id.into(),
        title: title.into(),
        description: description.into(),
        effects,
        tool: true,
        attachment: None,
        text: "output",
        audience: Audience::All,
        compat: false,
        controls_ide: false,
        noted: true,
        unread: &[],
        event: None,
    }
}

impl Definition {
    /// Not a tool for agents: it streams, or is of use to front ends only.
    pub(crate) fn for_front_ends(mut self) -> Self {
        self.tool = false;
        self
    }

    /// People alone may call it, and not from inside of a terminal that agents can type into.
    pub(crate) fn for_people(mut self) -> Self {
        self.tool = false;
        self.audience = Audience::People;
        self
    }

    /// Like [`for_people`](Self::for_people), and for an external IDE too.
    pub(crate) fn for_ides(mut self) -> Self {
        self.tool = false;
        self.audience = Audience::Ides;
        self
    }

    /// For agents that the hub runs itself, by the protocol that they speak.
    pub(crate) fn for_conversations(mut self) -> Self {
        self.tool = false;
        self.audience = Audience::Conversations;
        self
    }

    /// An older name of another command.
    pub(crate) fn compatible(mut self) -> Self {
        self.compat = true;
        self
    }

    /// Of these fields the audit log has the length alone: they hold what is in files, or a secret.
    pub(crate) fn unread(mut self, fields: &'static [&'static str]) -> Self {
        self.unread = fields;
        self
    }

    /// Calls of it that succeed do not stand in the audit log.
    pub(crate) fn unnoted(mut self) -> Self {
        self.noted = false;
        self
    }

    /// It moves things on a person's screen.
    pub(crate) fn controls_ide(mut self) -> Self {
        self.controls_ide = true;
        self
    }

    /// It tells the events of this request while it runs.
    pub(crate) fn events<Q: Streams<Event: JsonSchema>>(mut self) -> Self {
        debug_assert_eq!(self.id, Q::COMMAND, "clients call it by that name");
        self.event = Some(SchemaGenerator::subschema_for::<Q::Event>);
        self
    }

    /// It sends data of this kind beside its result, with an event that says what it is.
    pub(crate) fn attaches<Q: Streams<Event: JsonSchema>>(mut self, mime: &'static str) -> Self {
        self.attachment = Some(mime);
        self.events::<Q>()
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
        Q: DeserializeOwned + JsonSchema + Concerns + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Future<Output = Result<R, Error>> + Send + 'static,
    {
        self.build::<Q, R>(move |args, _| {
            let request: Q = parse(args)?;
            let (concern, handler) = (request.concern(), handler.clone());
            let work = move |hub, call| -> Work { Box::pin(async move { value(handler(hub, call, request).await?) }) };
            Ok(Box::new(Simple { concern, work }))
        })
    }

    /// The code of a stream: it lasts until there is nothing more to tell, or nobody who wants to hear it.
    pub(crate) fn stream<Q, F>(
        self,
        handler: impl Fn(Arc<Hub>, Call, Q, Emit<Q::Event>) -> F + Clone + Send + Sync + 'static,
    ) -> Command
    where
        Q: Streams<Event: Serialize + JsonSchema, Result: Serialize + JsonSchema + 'static>,
        Q: DeserializeOwned + JsonSchema + Concerns + Send + 'static,
        F: Future<Output = Result<Q::Result, Error>> + Send + 'static,
    {
        self.events::<Q>().handle(move |hub, call: Call, request: Q| {
            let (cancelled, emit, events) = (call.cancelled.clone(), Emit::of(&call), Emit::<Q::Event>::of(&call));
            // It lasts, and nothing waits for its end.
            call.caller.took_effect();
            let work = handler(hub, call, request, emit);
            async move {
                let given_up = || Error::new(ErrorCode::Cancelled, "the stream was given up");
                tokio::select! {
                    biased;
                    result = work => result,
                    () = cancelled.wait() => Err(given_up()),
                    () = events.gone() => Err(given_up()),
                }
            }
        })
    }

    /// The code of a command that runs what its caller says: the gate sees what that is before it is done.
    pub(crate) fn handle_executing<Q, R, F>(
        self,
        handler: impl Fn(Arc<Hub>, Call, Q) -> F + Clone + Send + Sync + 'static,
    ) -> Command
    where
        Q: DeserializeOwned + JsonSchema + Concerns + Executes + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Future<Output = Result<R, Error>> + Send + 'static,
    {
        self.build::<Q, R>(move |args, _| {
            let request: Q = parse(args)?;
            Ok(Box::new(Executing { request, handler: handler.clone(), result: PhantomData }))
        })
    }

    /// The code, for a command that may read a lot: on a thread of its own.
    pub(crate) fn aside<Q, R>(
        self,
        handler: impl Fn(&Arc<Hub>, &Call, Q) -> Result<R, Error> + Clone + Send + Sync + 'static,
    ) -> Command
    where
        Q: DeserializeOwned + JsonSchema + Concerns + Send + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        self.build::<Q, R>(move |args, _| {
            let request: Q = parse(args)?;
            let (concern, handler) = (request.concern(), handler.clone());
            let work = move |hub: Arc<Hub>, call: Call| -> Work {
                Box::pin(async move { aside(move || value(handler(&hub, &call, request)?)).await? })
            };
            Ok(Box::new(Simple { concern, work }))
        })
    }

    /// A command whose results and failures have the form that its own document prescribes.
    pub(crate) fn own_form<Q: JsonSchema + 'static, R: JsonSchema + 'static>(
        self,
        prepare: impl Fn(Value, &Draft<'_>) -> Box<dyn Job> + Send + Sync + 'static,
    ) -> Command {
        let mut command = self.build::<Q, R>(move |args, draft| Ok(prepare(args, draft)));
        command.form = Form::Own;
        command.output_schema = later(schema::of_result::<R>);
        command
    }

    /// The code of a command that an IDE has brought: its arguments go there as they are, and so does their schema to agents.
    pub(crate) fn handed_on<F>(
        self,
        input_schema: Map<String, Value>,
        handler: impl Fn(Arc<Hub>, Call, Map<String, Value>) -> F + Clone + Send + Sync + 'static,
    ) -> Command
    where
        F: Future<Output = Result<Value, Error>> + Send + 'static,
    {
        let mut command = self.build::<Map<String, Value>, Map<String, Value>>(move |args, _| {
            let (args, handler) = (object(args)?, handler.clone());
            let work = move |hub, call| -> Work { Box::pin(handler(hub, call, args)) };
            Ok(Box::new(Simple { concern: Concern::default(), work }))
        });
        command.input_schema = later(|| input_schema);
        command
    }

    fn build<Q: JsonSchema + 'static, R: JsonSchema + 'static>(
        self,
        prepare: impl Fn(Value, &Draft<'_>) -> Result<Box<dyn Job>, Error> + Send + Sync + 'static,
    ) -> Command {
        let (form, text, effects) = (self.family.form(), self.text, self.effects);
        // The document of the tab tools lets callers send what they like beside what it names.
        let open = (self.family == Family::Tabs).then(|| later(schema::of_request::<Q>));
        let prepare = move |args: Value, draft: &Draft<'_>| {
            let unknown = open.as_ref().map_or_else(Vec::new, |schema| unknown(&args, schema));
            let job = prepare(args, draft)?;
            Ok(if unknown.is_empty() { job } else { Box::new(Warned { job, unknown }) as Box<dyn Job> })
        };
        Command {
            id: self.id,
            title: self.title,
            description: self.description,
            family: self.family,
            tool: self.tool,
            effects,
            attachment: self.attachment,
            input_schema: later(schema::of_request::<Q>),
            output_schema: later(move || envelope::schema(form, text, &schema::of_result::<R>(), effects)),
            result_schema: later(schema::of_result::<R>),
            types: Types {
                args: SchemaGenerator::subschema_for::<Q>,
                result: SchemaGenerator::subschema_for::<R>,
                event: self.event,
            },
            text,
            compat: self.compat,
            controls_ide: self.controls_ide,
            audience: self.audience,
            noted: self.noted,
            unread: self.unread,
            form,
            prepare: Box::new(prepare),
        }
    }
}
