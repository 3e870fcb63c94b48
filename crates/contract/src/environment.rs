//! The environment variables that programs in a terminal find, that the command line looks at, and by which an operator
//! says how interactive work reaches a person.

/// Which terminal a program runs in.
pub const TERMINAL_VARIABLE: &str = "FLIGHTDECK_TERMINAL";
/// The root folder of the workspace. Set in each terminal, so that `flightdeck` called there finds its own hub.
pub const WORKSPACE_VARIABLE: &str = "FLIGHTDECK_WORKSPACE";
/// Set for what the canonical contract runs: the id by which its caller follows it.
pub const TRACE_VARIABLE: &str = "FLIGHTDECK_TRACE_ID";
/// Set for a window that the hub starts: the name of this start, which its `ready` repeats.
pub const RUNTIME_SESSION_VARIABLE: &str = "FLIGHTDECK_RUNTIME_SESSION_ID";

/// The variables of the terminal contract. Every `PM_` name that Flightdeck reads is here.
pub mod pm {
    /// Which adapter is used when a request does not say: `local`, `bundled`, `container_bridge` or `auto`.
    pub const ADAPTER_MODE: &str = "PM_TERM_ADAPTER_MODE";
    /// `true` inside of a container.
    pub const RUNNING_IN_CONTAINER: &str = "PM_RUNNING_IN_CONTAINER";
    /// The absolute path of the window's program.
    pub const BINARY: &str = "PM_INTERACTIVE_TERMINAL_BINARY";
    /// The name by which a container knows its host.
    pub const HOST_ALIAS: &str = "PM_INTERACTIVE_TERMINAL_HOST_ALIAS";
    /// The name that is tried after it.
    pub const HOST_FALLBACK_ALIAS: &str = "PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS";
    /// The port of the bridge on the host.
    pub const HOST_PORT: &str = "PM_INTERACTIVE_TERMINAL_HOST_PORT";
    /// How long connecting to one host may take, in milliseconds.
    pub const CONNECT_TIMEOUT_MS: &str = "PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS";
    /// How long the host may take to accept a request, in milliseconds.
    pub const REQUEST_TIMEOUT_MS: &str = "PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS";
    /// `1` has the hub tell in its log what goes over the bridge.
    pub const TRACE_BRIDGE: &str = "PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE";
    /// The secret that both ends of the bridge have.
    pub const TOKEN: &str = "PM_INTERACTIVE_TERMINAL_TOKEN";
    /// The file that it is in; the usual way to give it to a container.
    pub const TOKEN_FILE: &str = "PM_INTERACTIVE_TERMINAL_TOKEN_FILE";
    /// What people on the host call this container; its host name without it.
    pub const CONTAINER_NAME: &str = "PM_INTERACTIVE_TERMINAL_CONTAINER_NAME";

    /// All of them, for documents and checks.
    pub const ALL: &[&str] = &[
        ADAPTER_MODE,
        RUNNING_IN_CONTAINER,
        BINARY,
        HOST_ALIAS,
        HOST_FALLBACK_ALIAS,
        HOST_PORT,
        CONNECT_TIMEOUT_MS,
        REQUEST_TIMEOUT_MS,
        TRACE_BRIDGE,
        TOKEN,
        TOKEN_FILE,
        CONTAINER_NAME,
    ];

    /// The port of the bridge when nobody says another one.
    pub const DEFAULT_HOST_PORT: u16 = 45459;
    /// The names that a container has for its host, in the order in which they are tried.
    pub const DEFAULT_HOST_ALIASES: [&str; 2] = ["host.containers.internal", "host.docker.internal"];
    /// For [`CONNECT_TIMEOUT_MS`].
    pub const DEFAULT_CONNECT_TIMEOUT_MS: u64 = 3_000;
    /// For [`REQUEST_TIMEOUT_MS`].
    pub const DEFAULT_REQUEST_TIMEOUT_MS: u64 = 30_000;
}
