//! A call between its arguments and its result: read, decided about, perhaps edited by a person, and carried out.

use std::future::Future;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use flightdeck_contract::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Effects;
use super::concern::{Concern, Concerns};
use crate::actor::Caller;
use crate::approvals::intent::{Executes, Intent, not_editable};
use crate::call::Call;
use crate::hub::Hub;
use crate::runtime::Way;
use crate::store::CallNumber;

pub(super) type Work = Pin<Box<dyn Future<Output = Result<Value, Error>> + Send>>;
pub(super) type Prepare = Box<dyn Fn(Value, &Draft<'_>) -> Result<Box<dyn Job>, Error> + Send + Sync>;

/// What is known of a call before its arguments are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft<'a> {
    /// The hub.
    pub hub: &'a Hub,
    /// Who calls.
    pub caller: &'a Caller,
    /// The number of the call in the audit log.
    pub call: CallNumber,
}

/// A call whose arguments are in order, ready to be decided about and carried out.
pub(crate) trait Job: Send {
    /// What it is about; `None` when its arguments could not be read.
    fn concern(&self) -> Option<Concern>;

    /// What it would run, when it would run anything.
    fn intent(&self, _hub: &Hub) -> Result<Option<Intent>, Error> {
        Ok(None)
    }

    /// Whether another command can be put in the place of its own.
    fn editable(&self) -> bool {
        false
    }

    /// Whether what it runs is typed, and so may be an answer to a question.
    fn may_be_input(&self) -> bool {
        !self.editable()
    }

    /// Puts another command in the place of its own: a person has edited it.
    fn edit(&mut self, _command: &str) -> Result<(), Error> {
        Err(not_editable())
    }

    /// Whether its arguments may be an answer to a question for a password, whatever is known of terminals here.
    fn is_secret(&self) -> bool {
        false
    }

    /// The id by which its caller follows it, when the arguments hold one.
    fn trace(&self) -> Option<String> {
        None
    }

    /// How a person is reached who has to be there to see it, even if there is nothing to ask them; `None` when nobody
    /// has to.
    fn attended(&self) -> Option<Reach> {
        None
    }

    /// What it does to the world, when that is less than what its command can do.
    fn effects(&self) -> Option<Effects> {
        None
    }

    /// Nobody is there to see it: makes it one that runs unseen, if it can be. It is then asked again what it would
    /// run.
    fn go_unseen(&mut self) -> Option<Unseen> {
        None
    }

    /// It does not run unseen: the first refusal stands. `could`: it would have been let.
    fn stay(&mut self, _could: bool) {}

    /// How its failures are told, when its results have a form of their own.
    fn teller(&self) -> Option<Teller> {
        None
    }

    /// Does it.
    fn run(self: Box<Self>, hub: Arc<Hub>, call: Call) -> Work;
}

/// How the person is reached before whose eyes a call runs.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// Which way.
    pub way: Way,
    /// The window's program that the request names.
    pub binary: Option<PathBuf>,
}

/// Whether a call that could run unseen is to do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// Its caller has said so.
    Wanted,
    /// Its caller may send it again.
    Possible,
}

/// Puts an error into the form that a command's document prescribes.
pub(crate) type Teller = Box<dyn FnOnce(&Error) -> Value + Send>;

/// A call that runs nothing of its caller's.
pub(super) struct Simple<F> {
    pub concern: Concern,
    pub work: F,
}

impl<F: FnOnce(Arc<Hub>, Call) -> Work + Send> Job for Simple<F> {
    fn concern(&self) -> Option<Concern> {
        Some(self.concern.clone())
    }

    fn run(self: Box<Self>, hub: Arc<Hub>, call: Call) -> Work {
        (self.work)(hub, call)
    }
}

/// A call that runs what its caller says.
pub(super) struct Executing<Q, R, H> {
    pub request: Q,
    pub handler: H,
    pub result: PhantomData<fn() -> R>,
}

impl<Q, R, F, H> Job for Executing<Q, R, H>
where
    Q: Concerns + Executes + Send + 'static,
    R: Serialize + 'static,
    F: Future<Output = Result<R, Error>> + Send + 'static,
    H: Fn(Arc<Hub>, Call, Q) -> F + Send + 'static,
{
    fn concern(&self) -> Option<Concern> {
        Some(self.request.concern())
    }

    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error> {
        self.request.intent(hub)
    }

    fn editable(&self) -> bool {
        self.request.editable()
    }

    fn edit(&mut self, command: &str) -> Result<(), Error> {
        self.request.edit(command)
    }

    fn run(self: Box<Self>, hub: Arc<Hub>, call: Call) -> Work {
        Box::pin(async move { value((self.handler)(hub, call, self.request).await?) })
    }
}

pub(super) fn parse<T: DeserializeOwned>(args: Value) -> Result<T, Error> {
    let mut fields = object(args)?;
    // Some clients send null for what they leave out.
    fields.retain(|_, value| !value.is_null());
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        if path == "." {
            Error::new(ErrorCode::InvalidArgument, problem.to_string())
        } else {
            Error::invalid(&path, problem)
        }
    })
}

/// Arguments are an object, or absent.
pub(super) fn object(args: Value) -> Result<Map<String, Value>, Error> {
    let kind = match args {
        Value::Null => return Ok(Map::new()),
        Value::Object(fields) => return Ok(fields),
        Value::Array(_) => "a list",
        Value::String(_) => "a text",
        _ => "a single value",
    };
    Err(Error::new(ErrorCode::InvalidArgument, format!("the arguments must be a JSON object, not {kind}")))
}

pub(super) fn value<T: Serialize>(result: T) -> Result<Value, Error> {
    serde_json::to_value(result).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}
