//! A seam for diagnostics: what a test server offers beside the hub's own. There is nothing in it in production.
//!
//! The official conformance suite wants tools, prompts and resources of certain names, some of which do what our own
//! never do, such as asking the client's model. They are in the test server, and go through the same stack.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

pub use rmcp;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
    GetPromptResponse, Prompt, ReadResourceResult, Resource, ResourceTemplate, ServerCapabilities, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch;

/// An answer that takes its time.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, ErrorData>> + Send + 'a>>;

/// What is offered beside the hub's own. Whatever answers `None` is left to the hub.
pub trait Extras: Debug + Send + Sync + 'static {
    /// Adds to what the server says it can do.
    fn announce(&self, _capabilities: &mut ServerCapabilities) {}

    /// Further tools; they come first in the list.
    fn tools(&self) -> Vec<Tool> {
        Vec::new()
    }

    /// Calls a tool.
    fn call<'a>(
        &'a self,
        _request: &CallToolRequestParams,
        _context: &RequestContext<RoleServer>,
    ) -> Option<Answer<'a, CallToolResponse>> {
        None
    }

    /// Further resources; they come first in the list.
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// Further templates.
    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads a resource.
    fn read(&self, _uri: &str) -> Option<Result<ReadResourceResult, ErrorData>> {
        None
    }

    /// Whether a resource can be subscribed to.
    fn has(&self, _uri: &str) -> bool {
        false
    }

    /// Further prompts.
    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// The messages of a prompt.
    fn prompt(&self, _request: &GetPromptRequestParams) -> Option<Result<GetPromptResponse, ErrorData>> {
        None
    }

    /// Completes an argument.
    fn complete(&self, _request: &CompleteRequestParams) -> Option<CompleteResult> {
        None
    }

    /// Whether `logging/setLevel` is taken.
    fn logs(&self) -> bool {
        false
    }

    /// Grows when the tools change.
    fn tool_changes(&self) -> Option<watch::Receiver<u64>> {
        None
    }

    /// Grows when the prompts change.
    fn prompt_changes(&self) -> Option<watch::Receiver<u64>> {
        None
    }
}
