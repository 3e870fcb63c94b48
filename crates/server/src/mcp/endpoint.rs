//! One client's view of the hub: the SDK's handler, which only hands on to the files beside it.
#![expect(deprecated, reason = "logging is on its way out of the protocol; older clients have it still")]

use std::sync::{Arc, OnceLock};

use axum::http::request::Parts;
use flightdeck_core::{Agent, Caller, Surface, Ticket};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, InitializeRequestParams,
    InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, PromptsCapability, ReadResourceRequestParams, ReadResourceResponse, ResourcesCapability,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    ToolsCapability, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value};

use super::elicitation::{self, Elicitation};
use super::rounds::{Begin, Subject};
use super::subscriptions::Subscriptions;
use super::{Service, calls, identity, instructions, prompts, resources, results, subscriptions};
use crate::origin::{Guest, Origin};

/// How long clients may use a list of tools or prompts before they ask again, unless they are told that it changed.
const LIST_FRESH_MS: u64 = 60_000;

/// How long an agent is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// As long as its connection.
    Connection,
    /// For one request, unless it opens a session.
    Request,
}

/// One client.
#[derive(Debug)]
pub(crate) struct Endpoint {
    service: Service,
    lifetime: Lifetime,
    agent: OnceLock<Agent>,
    subscriptions: Subscriptions,
}

impl Endpoint {
    pub(crate) fn new(service: Service, lifetime: Lifetime) -> Self {
        Endpoint { service, lifetime, agent: OnceLock::new(), subscriptions: Subscriptions::default() }
    }

    /// Learns from a request who the client is, when it has not said so in a handshake: its tools are named to suit it.
    fn meet(&self, context: &RequestContext<RoleServer>) {
        let selection = &self.service.selection;
        if selection.awaits_client()
            && let Some(client) = context.meta.client_info()
        {
            selection.suit(&client.name);
        }
    }

    /// The agent that makes this request.
    fn agent(&self, context: &RequestContext<RoleServer>) -> Agent {
        self.meet(context);
        if let Some(agent) = self.agent.get() {
            return agent.clone();
        }
        let arrival = identity::arrival(context.meta.client_info().as_ref(), self.service.surface, self.service.relay);
        let hub = &self.service.hub;
        match self.lifetime {
            Lifetime::Connection => self.agent.get_or_init(|| hub.arrive(&arrival, self.service.entry)).clone(),
            Lifetime::Request => hub.agents().visit(&arrival),
        }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        self.with_context(self.agent(context).caller(), context)
    }

    fn with_context(&self, caller: Caller, context: &RequestContext<RoleServer>) -> Caller {
        let mut caller = identity::with_context(caller, &context.meta);
        caller.entry = guest(context).map_or(self.service.entry, |guest| guest.pass.into());
        caller.ticket = context.extensions.get::<Arc<Ticket>>().cloned();
        caller
    }

    /// Where a person's answers would come from; `None` when the client can't ask one, or runs where it could be an
    /// agent that answers itself.
    fn origin_of_answers(&self, context: &RequestContext<RoleServer>) -> Option<Origin> {
        let asks =
            elicitation::is_supported(context.client_capabilities().as_ref()) && !self.service.entry.may_be_agent();
        let guest = guest(context);
        let connection = guest.and_then(|guest| guest.connection);
        // A request over HTTP always has one.
        let known = connection.is_some() || self.service.surface != Surface::McpHttp;
        let door = guest.map_or(self.service.entry, |guest| guest.pass.into());
        (asks && known).then(|| Origin { hub: Arc::clone(&self.service.hub), door, connection })
    }

    /// Calls a tool.
    async fn called(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(answer) = self.service.extras.as_ref().and_then(|extras| extras.call(&request, &context)) {
            return answer.await;
        }
        let (hub, selection) = (&self.service.hub, &self.service.selection);
        let command = selection
            .find(hub.registry(), &request.name)
            .ok_or_else(|| selection.unknown(hub.registry(), &request.name))?;
        // The agent stays for the whole call, even if its client leaves meanwhile.
        let agent = self.agent(&context);
        let mut caller = self.with_context(agent.caller(), &context);
        let args = request.arguments.map_or(Value::Null, Value::Object);
        let Some(origin) = self.origin_of_answers(&context) else {
            return Ok(calls::call(hub, &command, args, caller, &context).await.into());
        };
        let client = caller.actor.agent_name().unwrap_or_default().to_owned();
        if is_modern(&context) {
            let subject = Subject { agent: client, command: command.id.clone(), args };
            let rounds = &self.service.rounds;
            if let Some(state) = &request.request_state {
                return rounds.resume(state, &subject, request.input_responses.as_ref(), &command, &context).await;
            }
            let begin = Begin { hub, command: &command, agent, caller, origin, subject };
            return Ok(rounds.begin(begin, &context).await);
        }
        caller.asks = Some(Arc::new(Elicitation { peer: context.peer.clone(), client, origin }));
        Ok(calls::call(hub, &command, args, caller, &context).await.into())
    }

    fn capabilities(&self) -> ServerCapabilities {
        let mut capabilities = ServerCapabilities::default();
        capabilities.completions = Some(Map::new());
        capabilities.prompts = Some(PromptsCapability::default());
        let mut resources = ResourcesCapability::default();
        resources.subscribe = Some(true);
        resources.list_changed = Some(true);
        capabilities.resources = Some(resources);
        let mut tools = ToolsCapability::default();
        tools.list_changed = Some(true);
        capabilities.tools = Some(tools);
        if let Some(extras) = &self.service.extras {
            extras.announce(&mut capabilities);
        }
        capabilities
    }
}

impl ServerHandler for Endpoint {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("flightdeck", env!("CARGO_PKG_VERSION"))
            .with_title("Flightdeck")
            .with_description("Real terminals, shared by people and agents");
        ServerConfig::new(self.capabilities())
            .with_server_info(server)
            .with_instructions(instructions::short(self.service.hub.workspace().root(), self.service.spelling()))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let arrival = identity::arrival(Some(&request.client_info), self.service.surface, self.service.relay);
        self.service.selection.suit(&request.client_info.name);
        // A second `initialize` on the same connection is the same agent.
        self.agent.get_or_init(|| self.service.hub.arrive(&arrival, self.service.entry));
        let result = self.negotiate_initialize(&request);
        context.peer.set_peer_info(request);
        result
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        self.meet(&context);
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info()))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(agent) = self.agent.get() {
            self.subscriptions.follow_lists(&self.service, agent.caller(), context.peer);
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.meet(&context);
        let mut tools = self.service.extras.as_ref().map(|extras| extras.tools()).unwrap_or_default();
        tools.extend(self.service.selection.list(self.service.hub.registry()));
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(LIST_FRESH_MS))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let extra = self.service.extras.iter().flat_map(|extras| extras.tools()).find(|tool| tool.name == name);
        let selection = &self.service.selection;
        extra.or_else(|| {
            selection
                .find(self.service.hub.registry(), name)
                .map(|command| selection.tool(self.service.hub.registry(), &command))
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.meet(&context);
        let spelling = self.service.spelling();
        match self.called(request, context).await {
            Ok(CallToolResponse::Complete(result)) => Ok(results::in_sight(spelling.result(result)).into()),
            Ok(other) => Ok(other),
            Err(error) => Err(spelling.error(error)),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let mut result = resources::list(&self.service.hub, self.caller(&context), cursor.as_deref()).await?;
        if let (Some(extras), None) = (&self.service.extras, cursor) {
            result.resources.splice(0..0, extras.resources());
        }
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut templates = self.service.extras.as_ref().map(|extras| extras.templates()).unwrap_or_default();
        templates.extend(resources::templates());
        Ok(ListResourceTemplatesResult::with_all_items(templates).with_ttl_ms(LIST_FRESH_MS))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(answer) = self.service.extras.as_ref().and_then(|extras| extras.read(&request.uri)) {
            return answer.map(Into::into);
        }
        let read = resources::read(&self.service, self.caller(&context), &request.uri).await;
        read.map(Into::into).map_err(|error| self.service.spelling().error(error))
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let caller = self.caller(&context);
        self.subscriptions.add(&self.service, caller, request.uri, context.peer).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(subscriptions::accepted(requested, &self.service))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let request = context.request_context();
        // The agent stays as long as it listens.
        let agent = self.agent(request);
        tokio::select! {
            () = subscriptions::listen(&self.service, agent.caller(), context.sink()) => {}
            () = calls::given_up(request) => {}
        }
        Ok(())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut prompts = self.service.extras.as_ref().map(|extras| extras.prompts()).unwrap_or_default();
        prompts.extend(prompts::list());
        Ok(ListPromptsResult::with_all_items(prompts).with_ttl_ms(LIST_FRESH_MS))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(answer) = self.service.extras.as_ref().and_then(|extras| extras.prompt(&request)) {
            return answer;
        }
        Ok(prompts::get(&self.service, self.caller(&context), &request.name).await?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        if let Some(answer) = self.service.extras.as_ref().and_then(|extras| extras.complete(&request)) {
            return Ok(answer);
        }
        let completion = resources::complete(&self.service.hub, self.caller(&context), &request).await;
        Ok(CompleteResult::new(completion))
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if self.service.extras.as_ref().is_some_and(|extras| extras.logs()) && !is_modern(&context) {
            return Ok(());
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "logging/setLevel", None))
    }

    /// What the SDK could not read as any request it knows: a method that there is none of, or parameters that the
    /// method does not take.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        const LEGACY: [&str; 4] = ["initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
        const ALWAYS: [&str; 5] =
            ["completion/complete", "prompts/get", "resources/read", "subscriptions/listen", "tools/call"];
        let modern = is_modern(&context);
        let method = request.method.as_str();
        if ALWAYS.contains(&method) || (!modern && LEGACY.contains(&method)) {
            let problem = format!("the parameters are not those of {method}");
            return Err(ErrorData::invalid_params(problem, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

/// Who has made a request over HTTP.
fn guest(context: &RequestContext<RoleServer>) -> Option<Guest> {
    context.extensions.get::<Parts>()?.extensions.get::<Guest>().copied()
}

/// Whether a request is of the protocol without a handshake.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}
