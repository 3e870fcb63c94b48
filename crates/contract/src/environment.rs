//! The environment variables that programs in a terminal find, and that the command line looks at.

/// Which terminal a program runs in.
pub const TERMINAL_VARIABLE: &str = "FLIGHTDECK_TERMINAL";
/// The root folder of the workspace. Set in each terminal, so that `flightdeck` called there finds its own hub.
pub const WORKSPACE_VARIABLE: &str = "FLIGHTDECK_WORKSPACE";
/// Set for what the canonical contract runs: the id by which its caller follows it.
pub const TRACE_VARIABLE: &str = "FLIGHTDECK_TRACE_ID";
