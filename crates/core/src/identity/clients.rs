//! The processes that are clients of MCP on this machine. Once a client, a process is one until it ends, so that hanging
//! up makes no person of it.
//!
//! What such a process started and left behind has init as its parent, and tells nothing of where it came from. So its
//! start and its control group are kept, until the kernel shows that nothing of it can be left: an orphan of that time
//! and group may be an agent's. The same goes for what a lost keeper left behind, in any group.
//!
//! Every hub of the user keeps its own in its state folder, where the other hubs read them, also those of another
//! `XDG_STATE_HOME`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use flightdeck_contract::workspace::known_states;
use flightdeck_keeper::{BootTime, RunningKeeper, boot_id, keeper_loss, running_keeper};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::process::{self, ProcessId, ProcessStat};

/// Where they are kept, below the state folder of a workspace.
const CLIENTS_FILE: &str = "clients.json";
/// More that have ended are joined: then the orphans of more groups and times count as agents'.
const MAX_ENDED: usize = 64;

/// A client of MCP, or one that has ended and may have left something behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClientProcess {
    pub process: ProcessId,
    /// As `/proc/PID/cgroup` has it. `None`: any.
    pub cgroup: Option<String>,
}

impl ClientProcess {
    /// Whether an orphan may have been started by it.
    fn may_have_left(&self, orphan: ProcessId, cgroup: Option<&str>) -> bool {
        let in_group = self.cgroup.as_deref().zip(cgroup).is_none_or(|(own, its)| is_within(its, own));
        orphan.started >= self.process.started && in_group
    }
}

/// Whether a process in these control groups is in one of those of another, or below it.
fn is_within(groups: &str, others: &str) -> bool {
    groups.lines().any(|group| {
        others.lines().any(|other| {
            let below = group.strip_prefix(other.trim_end_matches('/'));
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || other.ends_with(":/"))
        })
    })
}

/// What is kept in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// Clock ticks and process numbers are of this boot.
    boot: String,
    clients: Vec<ClientProcess>,
    /// Nothing is left of keepers that were seen to be lost up to this many nanoseconds since boot.
    #[serde(default)]
    cleared_loss: u64,
}

impl Kept {
    fn read(state: &Path, boot: &str) -> Option<Self> {
        let text = fs::read_to_string(state.join(CLIENTS_FILE)).ok()?;
        serde_json::from_str::<Kept>(&text).ok().filter(|kept| kept.boot == boot)
    }

    fn write(&self, state: &Path) -> io::Result<()> {
        let (path, new) = (state.join(CLIENTS_FILE), state.join("clients.json.new"));
        fs::write(&new, serde_json::to_string(self)?)?;
        fs::rename(new, path)
    }
}

/// What is known of the agents' processes of all workspaces of the user.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub clients: Vec<ClientProcess>,
    pub keepers: Vec<RunningKeeper>,
    /// Clients of hubs with another state folder. Nothing is concluded about orphans from these.
    pub elsewhere: Vec<ProcessId>,
    /// What started since then may be an orphan of a lost keeper.
    pub lost_since: Option<BootTime>,
}

impl Evidence {
    pub(super) fn is_client(&self, process: ProcessId) -> bool {
        self.clients.iter().any(|client| client.process == process) || self.elsewhere.contains(&process)
    }

    pub(super) fn is_keeper(&self, process: ProcessId) -> bool {
        self.keepers.iter().any(|it| it.pid == process.pid && (it.started == 0 || it.started == process.started))
    }

    /// Whether an orphan may have been started by an agent.
    pub(super) fn may_have_left(&self, orphan: ProcessId) -> bool {
        let cgroup = process::cgroup(orphan.pid);
        self.lost_since.is_some_and(|since| orphan.started_at() >= since)
            || self.clients.iter().any(|client| client.may_have_left(orphan, cgroup.as_deref()))
    }

    fn add(&mut self, state: &Path, kept: Option<&Kept>) {
        self.clients.extend(kept.into_iter().flat_map(|kept| kept.clients.iter().cloned()));
        let keeper = running_keeper(state);
        let cleared = kept.map_or(0, |kept| kept.cleared_loss);
        let loss = keeper_loss(state).filter(|loss| loss.seen_at.0.as_nanos() > u128::from(cleared));
        // A keeper that is named and not there was lost, and nobody has recorded it yet.
        let gone = keeper
            .filter(|keeper| keeper.started != 0 && !ProcessId { pid: keeper.pid, started: keeper.started }.is_alive());
        let since = loss.map(|loss| loss.since).into_iter().chain(gone.map(|it| BootTime::from_ticks(it.started)));
        self.lost_since = since.chain(self.lost_since).min();
        self.keepers.extend(keeper);
    }
}

/// The clients that this hub knows.
#[derive(Debug)]
pub(crate) struct ClientProcesses {
    state: PathBuf,
    boot: String,
    kept: Mutex<Kept>,
    /// Grows with each that is added or paired: who was identified before may be below it.
    generation: AtomicU64,
}

impl ClientProcesses {
    /// Those of earlier hubs are known again.
    pub(crate) fn open(state: &Path) -> Self {
        let boot = boot_id().unwrap_or_default();
        let kept = Kept::read(state, &boot).unwrap_or_else(|| Kept { boot: boot.clone(), ..Kept::default() });
        ClientProcesses { state: state.to_owned(), boot, kept: Mutex::new(kept), generation: AtomicU64::new(0) }
    }

    /// Grows with each that is added.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Who was identified before may be somebody else's now.
    pub(super) fn look_again(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes that a process is a client of MCP. `None` when that is known, or it has ended.
    pub(super) fn add(&self, pid: u32) -> Option<ProcessId> {
        let process = ProcessStat::of(pid)?.id;
        let mut kept = self.kept.lock();
        if kept.clients.iter().any(|known| known.process == process) {
            return None;
        }
        kept.clients.push(ClientProcess { process, cgroup: process::cgroup(pid) });
        join_oldest(&mut kept.clients, |client| !client.process.is_alive());
        self.look_again();
        self.keep(&kept);
        Some(process)
    }

    /// Forgets clients of which nothing can be left.
    pub(super) fn forget(&self, is_over: impl Fn(&ClientProcess) -> bool) {
        let mut kept = self.kept.lock();
        let before = kept.clients.len();
        kept.clients.retain(|client| !is_over(client));
        if kept.clients.len() != before {
            self.keep(&kept);
        }
    }

    /// Notes that nothing is left of keepers that were seen to be lost until then.
    pub(super) fn clear_loss(&self, seen_at: BootTime) {
        let mut kept = self.kept.lock();
        kept.cleared_loss = u64::try_from(seen_at.0.as_nanos()).unwrap_or(u64::MAX);
        self.keep(&kept);
    }

    /// When a keeper of this workspace was last seen to be lost, while something of it may be left.
    pub(super) fn open_loss(&self) -> Option<(BootTime, BootTime)> {
        let cleared = self.kept.lock().cleared_loss;
        let loss = keeper_loss(&self.state).filter(|loss| loss.seen_at.0.as_nanos() > u128::from(cleared))?;
        Some((loss.since, loss.seen_at))
    }

    /// Those that are known here.
    pub(super) fn own(&self) -> Vec<ClientProcess> {
        self.kept.lock().clients.clone()
    }

    /// What all hubs of the user know.
    pub(super) fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add(&self.state, Some(&*self.kept.lock()));
        let folders = self.state.parent().and_then(|parent| fs::read_dir(parent).ok());
        for other in folders.into_iter().flatten().flatten().map(|entry| entry.path()) {
            if other != self.state {
                evidence.add(&other, Kept::read(&other, &self.boot).as_ref());
            }
        }
        for other in known_states().into_iter().filter(|other| other.parent() != self.state.parent()) {
            let kept = Kept::read(&other, &self.boot).unwrap_or_default();
            evidence.elsewhere.extend(kept.clients.into_iter().map(|client| client.process));
            evidence.keepers.extend(running_keeper(&other));
        }
        evidence
    }

    fn keep(&self, kept: &Kept) {
        if let Err(error) = kept.write(&self.state) {
            // This hub knows them in any case.
            tracing::warn!(%error, "the clients of MCP could not be written down for the next hub");
        }
    }
}

/// Joins the two oldest that have ended when there are too many.
fn join_oldest(clients: &mut Vec<ClientProcess>, has_ended: impl Fn(&ClientProcess) -> bool) {
    if clients.len() <= MAX_ENDED {
        return;
    }
    let mut ended: Vec<_> = (0..clients.len()).filter(|at| has_ended(&clients[*at])).collect();
    while ended.len() > MAX_ENDED {
        let joined = clients.remove(ended[1]);
        let kept = &mut clients[ended[0]];
        kept.process.started = kept.process.started.min(joined.process.started);
        if kept.cgroup != joined.cgroup {
            kept.cgroup = None;
        }
        let second = ended.remove(1);
        ended.iter_mut().filter(|at| **at > second).for_each(|at| *at -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(pid: u32, started: u64, cgroup: &str) -> ClientProcess {
        ClientProcess { process: ProcessId { pid, started }, cgroup: Some(cgroup.to_owned()) }
    }

    #[test]
    fn an_orphan_of_the_same_group_that_started_later_may_be_an_agents() {
        let client = client(7, 100, "0::/user/a\n");
        for (started, cgroup, may) in [
            (150, "0::/user/a\n", true),
            (99, "0::/user/a\n", false),
            (150, "0::/user/a/b\n", true),
            (150, "0::/user/ab\n", false),
            (150, "0::/user\n", false),
        ] {
            let orphan = ProcessId { pid: 8, started };
            assert_eq!(client.may_have_left(orphan, Some(cgroup)), may, "{started} {cgroup}");
        }
        assert!(client.may_have_left(ProcessId { pid: 8, started: 150 }, None), "what can't be told may be");
        assert!(is_within("0::/anything", "0::/"), "all are below the first group");
    }

    #[test]
    fn joining_loses_nobody() {
        let mut clients: Vec<_> = (0..200).map(|n| client(n, u64::from(n) * 10, &format!("0::/g{}", n % 3))).collect();
        join_oldest(&mut clients, |client| client.process.pid != 5);
        assert_eq!(clients.len(), MAX_ENDED + 1);
        assert!(clients.iter().any(|client| client.process.pid == 5), "one that lives is kept as it is");
        for n in 0..200 {
            let (orphan, group) = (ProcessId { pid: 9999, started: n * 10 + 1 }, format!("0::/g{}", n % 3));
            assert!(clients.iter().any(|known| known.may_have_left(orphan, Some(&group))), "{n}");
        }
    }

    #[test]
    fn clients_are_known_to_the_next_hub_and_to_those_of_other_workspaces() {
        let states = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| states.path().join(name));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&other).unwrap();
        let (own, pid) = (ClientProcesses::open(&one), std::process::id());
        let process = own.add(pid).unwrap();
        assert_eq!((own.add(pid), own.generation()), (None, 1));
        for hub in [ClientProcesses::open(&one), ClientProcesses::open(&other)] {
            assert!(hub.evidence().is_client(process));
            assert!(!hub.evidence().is_client(ProcessId { started: process.started + 1, ..process }));
        }
        own.forget(|_| true);
        assert!(!ClientProcesses::open(&other).evidence().is_client(process));
    }

    #[test]
    fn a_lost_keeper_counts_until_nothing_of_it_is_left() {
        let states = tempfile::tempdir().unwrap();
        let state = states.path().join("one");
        fs::create_dir_all(&state).unwrap();
        let clients = ClientProcesses::open(&state);
        let own = ProcessStat::of(std::process::id()).unwrap().id;
        assert!(!clients.evidence().may_have_left(own));
        flightdeck_keeper::record_keeper_loss(&state).unwrap();
        assert!(clients.evidence().may_have_left(own));
        let (_, seen_at) = clients.open_loss().unwrap();
        clients.clear_loss(seen_at);
        assert!(!clients.evidence().may_have_left(own) && clients.open_loss().is_none());
        assert!(!ClientProcesses::open(&state).evidence().may_have_left(own));
    }
}
