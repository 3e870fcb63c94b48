//! Requests that tell something while they run, and how one that was cut off goes on. Each is tied to its command, its events
//! and its result where it is defined, once, for the hub that answers and for the clients that ask.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A request whose command tells something while it runs.
pub trait Streams: Serialize {
    /// The command that it is for.
    const COMMAND: &'static str;
    /// What is told.
    type Event: DeserializeOwned;
    /// What comes at the end.
    type Result: DeserializeOwned;
}

/// A stream that goes on after a break, at the next hub too.
pub trait Resumes: Streams {
    /// Notes what was told, so that the request asks for what comes after it.
    fn seen(&mut self, event: &Self::Event);
}

/// Ties a request to its command, its events and its result.
macro_rules! streams {
    ($request:ty: $command:literal, $event:ty, $result:ty) => {
        impl $crate::Streams for $request {
            const COMMAND: &'static str = $command;
            type Event = $event;
            type Result = $result;
        }
    };
}
