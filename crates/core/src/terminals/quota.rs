//! How many terminals agents may have: each of them, all together, and never so many that none is left for a person.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flightdeck_contract::{Error, ErrorCode};
use rustix::process::{Resource, getrlimit};
use serde_json::json;

use super::meta::Meta;
use super::start::Purpose;
use crate::actor::Actor;
use crate::hub::Hub;

/// What a terminal takes at most of the open files of one process: the keeper's.
const FILES_PER_TERMINAL: u64 = 3;

/// Terminals that are being started, so that many that come at once do not go beyond a limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starting(Arc<AtomicUsize>);

/// One of them; it counts until it is dropped.
#[derive(Debug)]
pub(crate) struct Start(Starting);

impl Starting {
    fn begin(&self) -> Start {
        self.0.fetch_add(1, Ordering::SeqCst);
        Start(self.clone())
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether this caller may have one more terminal. People may as long as the machine has room. Tabs have a limit of their own
/// for each agent, and count with all others for the workspace.
pub(crate) fn check(hub: &Hub, actor: &Actor, purpose: Purpose) -> Result<Option<Start>, Error> {
    let Some(agent) = actor.agent_name() else { return Ok(None) };
    let start = hub.known().starting().begin();
    let limits = &hub.settings().limits;
    check_machine(hub)?;
    // Those that have ended are known too: most workspaces never come near, and nothing has to be counted.
    let most = hub.known().count() + hub.known().starting().count();
    // Who lets one agent have more lets all of them together have as many.
    let for_all = limits.workspace_terminals.max(limits.terminals);
    if most <= limits.terminals {
        return Ok(Some(start));
    }
    let all = hub.known().all();
    let runs = |meta: &&Arc<Meta>| hub.session(meta.id).is_ok_and(|session| session.progress().running());
    let by_agents: Vec<_> = all.iter().filter(|meta| maker(meta).is_some()).filter(runs).collect();
    if purpose != Purpose::Tab {
        let used = by_agents.iter().filter(|meta| meta.tab.is_none() && maker(meta) == Some(agent)).count();
        if used >= limits.terminals {
            return Err(refused(
                format!("{used} terminals of {agent} run, and {} is the most that an agent may have", limits.terminals),
                "the user can raise limits.terminals in settings.toml",
                "terminals",
                (used, limits.terminals),
            ));
        }
    }
    // This one is among those that are being started.
    let used = by_agents.len() + hub.known().starting().count() - 1;
    if used >= for_all {
        let most = for_all;
        return Err(refused(
            format!(
                "{used} terminals of agents run in this workspace, and {most} is the most that they may have together"
            ),
            "those of agents that have left end by themselves after a while; the user can end them with `flightdeck kill`, or \
             raise limits.workspace_terminals in settings.toml",
            "workspace_terminals",
            (used, most),
        ));
    }
    Ok(Some(start))
}

/// Whether the machine would still have room for a person after one more.
fn check_machine(hub: &Hub) -> Result<(), Error> {
    let reserve = hub.settings().limits.people_terminals;
    let running = hub.terminals().all().len();
    let files = getrlimit(Resource::Nofile).current.map(|files| (files / FILES_PER_TERMINAL) as usize);
    if let Some(most) = files.filter(|most| running + reserve >= *most) {
        return Err(refused(
            format!("{running} terminals are open, and the limit of open files leaves room for {most}"),
            &format!("{reserve} are kept free for people; the user can raise the limit of open files (ulimit -n)"),
            "open_files",
            (running, most.saturating_sub(reserve)),
        ));
    }
    let number = |name: &str| fs::read_to_string(name).ok().and_then(|text| text.trim().parse::<usize>().ok());
    let ptys = number("/proc/sys/kernel/pty/nr").zip(number("/proc/sys/kernel/pty/max"));
    if let Some((used, most)) = ptys.filter(|(used, most)| used + reserve >= *most) {
        return Err(refused(
            format!("{used} of the machine's {most} pseudo-terminals are in use"),
            &format!("{reserve} are kept free for people; the user can raise kernel.pty.max"),
            "ptys",
            (used, most.saturating_sub(reserve)),
        ));
    }
    Ok(())
}

/// The agent that has made a terminal. No name of an agent or of a person's front end holds a `#`.
fn maker(meta: &Meta) -> Option<&str> {
    meta.created_by.split_once('#').map(|(agent, _)| agent)
}

fn refused(text: String, remedy: &str, quota: &str, (used, limit): (usize, usize)) -> Error {
    let hint =
        format!("end some that you no longer need with flightdeck.terminal.kill, or use one again by its id; {remedy}");
    Error::new(ErrorCode::ResourceLimit, text)
        .hint(hint)
        .details(json!({ "quota": quota, "used": used, "limit": limit }))
}
