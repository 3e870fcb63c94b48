//! Which commands only look, as their definitions say. `make generate` writes this file.

/// Those that agents can call.
pub(crate) const TOOLS: &[&str] = &[
    "flightdeck.policy.test",
    "flightdeck.terminal.history",
    "flightdeck.terminal.list",
    "flightdeck.terminal.read",
    "flightdeck.terminal.screen",
    "flightdeck.terminal.search",
    "flightdeck.terminal.wait",
    "list_tabs",
    "openspace.editor.read_file",
    "openspace.file.list",
    "openspace.file.read",
    "openspace.file.search",
    "openspace.pane.list",
    "openspace.terminal.list",
    "openspace.terminal.read_output",
    "read_logs_from_tab",
    "stream_logs_from_tab",
];

/// What programs ask of the hub by themselves: no agent has a tool for it.
pub(crate) const INTERNAL: &[&str] = &[
    "flightdeck.agent.list",
    "flightdeck.approval.list",
    "flightdeck.approval.watch",
    "flightdeck.chat.agents",
    "flightdeck.chat.file.read",
    "flightdeck.chat.list",
    "flightdeck.chat.output",
    "flightdeck.chat.overview",
    "flightdeck.chat.read",
    "flightdeck.chat.session.list",
    "flightdeck.chat.terminal.output",
    "flightdeck.chat.terminal.wait",
    "flightdeck.chat.watch",
    "flightdeck.consent.show",
    "flightdeck.file.write_texts",
    "flightdeck.file.writes",
    "flightdeck.hub.audit",
    "flightdeck.hub.commands",
    "flightdeck.hub.instructions",
    "flightdeck.hub.results",
    "flightdeck.hub.status",
    "flightdeck.hub.verify",
    "flightdeck.hub.watch",
    "flightdeck.policy.changes",
    "flightdeck.policy.rehearse",
    "flightdeck.policy.show",
    "flightdeck.terminal.follow",
    "flightdeck.terminal.times",
    "flightdeck.terminal.watch",
    "flightdeck.workbench.document",
    "flightdeck.workbench.snapshot",
    "flightdeck.workbench.state",
    "flightdeck.workbench.watch",
];

#[cfg(test)]
mod tests;
