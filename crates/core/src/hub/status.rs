//! How the hub stands, for people and for whoever measures.

use std::path::Path;

use flightdeck_contract::hub::{DatabaseProblem, HttpStatus, Status};
use flightdeck_term::facts::Look;

use super::Hub;
use crate::convert;
use crate::metrics::Gauge;
use crate::store;
use crate::terminals::tabs;

impl Hub {
    /// How it stands.
    pub fn status(&self) -> Status {
        let all = self.terminals.all();
        Status {
            pid: std::process::id(),
            keeper_pid: self.terminals.keeper().keeper_pid(),
            workspace: self.workspace.root().to_string_lossy().into_owned(),
            branch: self.files.branch(),
            socket: self.workspace.socket().to_string_lossy().into_owned(),
            http: self.http().map(|http| HttpStatus { url: http.url.clone() }),
            token_file: self.http().map(|http| http.token_file.to_string_lossy().into_owned()),
            bridge: self.served_bridge.get().cloned(),
            program: program(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            keeper_version: self.terminals.keeper().keeper_version().to_owned(),
            running: all.iter().filter(|session| session.progress().running()).count(),
            terminals: all.len(),
            agents: self.agents.names(),
            state: self.workspace.state().to_string_lossy().into_owned(),
            tabs: self.tabs.grounds.status(),
            settings_problem: self.settings_problem.get().cloned(),
            policy: self.policy.files().notices(),
            database: self.database_problems(),
        }
    }

    /// What has happened to the database outside of the hub, and nobody has acknowledged.
    pub(crate) fn database_problems(&self) -> Vec<DatabaseProblem> {
        let path = self.workspace.state().join(store::FILE);
        self.store().incidents().iter().map(|incident| convert::database_problem(&path, incident)).collect()
    }

    /// What is counted, in Prometheus' text format.
    pub fn metrics(&self) -> String {
        let all = self.terminals.all();
        let running = all.iter().filter(|session| session.progress().running()).count();
        let bytes: u64 = all.iter().map(|session| session.progress().seen.0).sum();
        let gauge = |name, help, value: usize| Gauge { name, help, kind: "gauge", value: value as u64 };
        self.metrics.render(&[
            gauge("flightdeck_terminals_running", "Terminals whose program runs.", running),
            gauge("flightdeck_terminals_known", "Terminals, those that ended as well.", all.len()),
            gauge("flightdeck_agents", "Agents that are connected.", self.agents.count()),
            gauge(
                "flightdeck_approvals_waiting",
                "Commands that wait for a person's yes.",
                self.approvals.pending().len(),
            ),
            gauge("flightdeck_people", "Front ends at which a person can be asked.", self.surfaces.attached()),
            gauge("flightdeck_audit_waiting", "Audit entries that wait for room on the disk.", self.audit.waiting()),
            Gauge {
                name: "flightdeck_process_looks",
                help: "How often all processes of the machine were looked through.",
                kind: "counter",
                value: Look::taken(),
            },
            gauge(
                "flightdeck_database_problems",
                "What has happened to the database and nobody has acknowledged.",
                self.store().incidents().len(),
            ),
            gauge("flightdeck_tabs", "Tabs that are open.", tabs::open_tabs(self).len()),
            Gauge {
                name: "flightdeck_tab_log_bytes",
                help: "What the logs of tabs take at most, those that were closed as well.",
                kind: "gauge",
                value: tabs::log_bytes(self),
            },
            Gauge {
                name: "flightdeck_output_bytes",
                help: "What the known terminals have printed.",
                kind: "gauge",
                value: bytes,
            },
        ])
    }
}

/// What a person has to type to start this program.
fn program() -> String {
    let Ok(here) = std::env::current_exe() else { return "flightdeck".to_owned() };
    let leads_here = |folder: &Path, name: &Path| folder.join(name).canonicalize().is_ok_and(|found| found == here);
    let path = std::env::var_os("PATH").unwrap_or_default();
    match here.file_name().map(Path::new) {
        Some(name) if std::env::split_paths(&path).any(|folder| leads_here(&folder, name)) => {
            name.to_string_lossy().into_owned()
        }
        _ => here.to_string_lossy().into_owned(),
    }
}
