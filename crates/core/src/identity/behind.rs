//! Which process is the client behind `flightdeck mcp`: the one that holds the other end of its standard input.
//!
//! Clients start the relay themselves, by way of wrappers such as `sh -c` or `npx` that hand on their own standard input.
//! So the client is an ancestor as a rule. Where another program of a pipeline feeds the relay, whoever has started the
//! pipeline counts as well. A person who types at the relay in a terminal, or feeds it a file, has no client
//! but the relay.

use super::ancestry::{Ancestry, adopts_orphans};
use super::open_files::{self, OtherEnd};
use super::process::{self, ProcessStat};
use super::standing;
use crate::hub::Hub;

/// The processes to note as clients, and the one of them, or the relay, whose ancestors tell where it was started.
pub(super) fn clients_behind(hub: &Hub, relay: u32) -> (Vec<u32>, u32) {
    let end = open_files::other_end_of_stdin(relay);
    let ancestors = ancestors_of(hub, relay);
    if end == OtherEnd::None {
        return (vec![relay], relay);
    }
    if end == OtherEnd::Unknown {
        let stdin = process::stdin(relay);
        let client = ancestors.into_iter().find(|pid| stdin.is_none() || process::stdin(*pid) != stdin);
        let client = client.unwrap_or(relay);
        return (vec![client], client);
    }
    let held = |pid: &u32| open_files::holds(*pid, &end);
    if let Some(client) = ancestors.iter().copied().find(|pid| held(pid) == Some(true)) {
        return (vec![client], client);
    }
    // It was started by somebody who has handed on the pipe.
    let others: Vec<u32> = process::all_pids().filter(|pid| *pid != relay && held(pid) == Some(true)).collect();
    let mut clients: Vec<u32> = others.into_iter().filter(|pid| can_be_client(hub, *pid)).collect();
    if clients.is_empty() {
        // One that nobody may look into, such as a service for logins from other machines.
        clients.extend(ancestors.iter().copied().find(|pid| held(pid).is_none()));
        if let Some(client) = clients.first().copied() {
            return (clients, client);
        }
    }
    let starters = clients_of_pipeline(hub, &ancestors, &clients);
    clients.extend(starters);
    clients.push(relay);
    (clients, relay)
}

/// Who has started a pipeline that the relay is the end of, as in `sh -c 'tee log | flightdeck mcp'`: the shell of the pipeline,
/// and the process that speaks to that shell. A shell at which a person types puts pipelines into groups of their own, and is
/// left out.
fn clients_of_pipeline(hub: &Hub, ancestors: &[u32], writers: &[u32]) -> Vec<u32> {
    let lines: Vec<Vec<u32>> = writers.iter().map(|writer| ancestors_of(hub, *writer)).collect();
    let Some(starter) = ancestors.iter().copied().find(|pid| lines.iter().any(|line| line.contains(pid))) else {
        return Vec::new();
    };
    let group_of = |pid: u32| ProcessStat::of(pid).map(|stat| stat.group);
    let group = group_of(starter);
    if group.is_none() || !writers.iter().any(|writer| group_of(*writer) == group) {
        return Vec::new();
    }
    let is_shell = process::name(starter).is_some_and(|name| SHELLS.contains(&name.as_str()));
    let end = open_files::other_end_of_stdin(starter);
    let above = ancestors.iter().copied().skip_while(|pid| *pid != starter).skip(1);
    let speaker = above.filter(|_| is_shell).find(|pid| open_files::holds(*pid, &end) == Some(true));
    std::iter::once(starter).chain(speaker).collect()
}

/// Programs that start pipelines and are no agents themselves.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"];

/// Whether a process can be a client: not one that adopts orphans, nor one of Flightdeck's own.
pub(super) fn can_be_client(hub: &Hub, pid: u32) -> bool {
    let own = [std::process::id(), hub.terminals().keeper().keeper_pid()];
    !own.contains(&pid) && !adopts_orphans(pid, standing::keepers_parent(hub))
}

/// Those that can be clients, the nearest first.
fn ancestors_of(hub: &Hub, relay: u32) -> Vec<u32> {
    let Some(line) = Ancestry::read(relay) else { return Vec::new() };
    line.iter().skip(1).map(|stat| stat.id.pid).take_while(|pid| can_be_client(hub, *pid)).collect()
}
