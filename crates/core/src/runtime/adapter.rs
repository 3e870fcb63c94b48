//! The seam between the hub and whatever brings interactive work to a person. Callers do not know which one it is.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use flightdeck_contract::Error;
use serde_json::Value;
use tokio::sync::watch;

use crate::progress::ProgressReport;

/// What an adapter is at work on.
pub type Doing<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// What is said when a person is needed.
#[derive(Clone, Debug, Default)]
pub struct Connect {
    /// The id by which the caller follows its call; it goes along unchanged.
    pub trace: Option<String>,
    /// The window's program that the request names.
    pub binary: Option<PathBuf>,
}

/// A request of the terminal contract on its way.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Its name. The same one is never carried out twice.
    pub request_id: String,
    /// The id by which the caller follows it.
    pub trace: String,
    /// The agent whose request it is.
    pub agent: String,
    /// The canonical request.
    pub request: Value,
    /// What is done with it now, for the caller.
    pub progress: watch::Sender<ProgressReport>,
}

/// Where a request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// By this hub, in its own terminals: a person sees them.
    Here,
    /// By another hub, whose answer is awaited under this number.
    There(u64),
}

/// A way to a person.
pub trait Adapter: Send + Sync + fmt::Debug {
    /// Sees to it that a person can be reached, or says why not. It is done before anything is run.
    fn connect<'a>(&'a self, connect: &'a Connect) -> Doing<'a, ()>;

    /// Whether a person can be reached as things stand; nothing is started for it.
    fn health_check(&self) -> Doing<'_, ()>;

    /// Hands a request over.
    fn send_request(&self, errand: Errand) -> Doing<'_, Sent>;

    /// The answer to a request that was handed over: a response of the contract. To drop it is to give the request up.
    fn await_response(&self, ticket: u64) -> Doing<'_, Value>;

    /// Connects anew after the way broke.
    fn recover<'a>(&'a self, connect: &'a Connect) -> Doing<'a, ()>;

    /// Lets go of what it holds. What people look at stays.
    fn close(&self);
}
