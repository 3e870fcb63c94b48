//! The hub of one workspace: what it holds, how it opens and closes.

mod adopt;
mod status;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flightdeck_contract::hub::BridgeStatus;
use flightdeck_contract::{Error, TerminalId};
use flightdeck_files::{FileError, Files};
use flightdeck_keeper::{ClientError, Events as KeeperEvents, Requests};
use flightdeck_term::Terminals;
use flightdeck_term::session::Session;
use tokio::sync::watch;

use crate::agents::Agents;
use crate::agents::kept::Kept;
use crate::agents::leases::Leases;
use crate::agents::results::Results;
use crate::agents::visible::not_found;
use crate::approvals::consent::Consents;
use crate::approvals::policy::Policy;
use crate::approvals::{Approvals, Grants, StartedWindow, Surfaces};
use crate::audit::Audit;
use crate::bridge::Bridge;
use crate::conversations::Conversations;
use crate::convert;
use crate::errands::Errands;
use crate::events::Events;
use crate::identity::Identity;
use crate::lock::{Lock, lock};
use crate::metrics::Metrics;
use crate::registry::Registry;
use crate::runtime::{Adapter, BridgeInputs, Inputs, Runtime, Way};
use crate::settings::Settings;
use crate::store::{self, Change, Incident, Opened, Store, StoreError, Surroundings};
use crate::terminals::ground::Grounds;
use crate::terminals::known::Known;
use crate::terminals::meta::Meta;
use crate::terminals::reading::Reading;
use crate::terminals::spares::Spares;
use crate::terminals::tabs::Tabs;
use crate::terminals::tend;
use crate::terminals::typing::Typing;
use crate::terminals::viewers::Viewers;
use crate::workbench::Workbench;
use crate::workbench::files;
use flightdeck_contract::workspace::{Workspace, WorkspaceError};

/// Why a hub could not open its workspace.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another hub has it.
    #[error("a hub already serves {0}")]
    AlreadyServed(PathBuf),
    /// The folder can't be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The keeper can't be reached or started.
    #[error(transparent)]
    Keeper(#[from] ClientError),
    /// The database can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files of the workspace can't be reached, or the settings about them are not right.
    #[error("the files of the workspace: {0}")]
    Files(#[from] FileError),
    /// Its own files can't be used.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// How a hub is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The hub alone; terminals go on.
    Hub,
    /// Everything.
    All,
}

/// One workspace's terminals.
#[derive(Debug)]
pub struct Hub {
    workspace: Workspace,
    settings: Settings,
    /// Why they are not those of the user's file.
    settings_problem: OnceLock<String>,
    registry: Arc<Registry>,
    terminals: Terminals,
    agents: Arc<Agents>,
    leases: Arc<Leases>,
    identity: Identity,
    policy: Policy,
    approvals: Arc<Approvals>,
    grants: Grants,
    surfaces: Arc<Surfaces>,
    runtime: Runtime,
    consents: Consents,
    typing: Typing,
    reading: Reading,
    viewers: Arc<Viewers>,
    events: Events,
    tabs: Tabs,
    files: Files,
    workbench: Workbench,
    bridge: Arc<Bridge>,
    results: Results,
    audit: Audit,
    metrics: Metrics,
    known: Known,
    spares: Spares,
    errands: Errands,
    conversations: Conversations,
    /// Grows when a terminal appears, ends, goes, or changes hands.
    news: Arc<watch::Sender<u64>>,
    http: OnceLock<Http>,
    served_bridge: OnceLock<BridgeStatus>,
    stop: watch::Sender<Option<Stop>>,
    /// Nothing more is carried out or noted: the next hub may be about to.
    closed: AtomicBool,
    /// Held while the hub lives, so that there is only one. The last field, so that it goes after the database.
    _lock: Lock,
}

/// How the hub is reached over HTTP.
pub struct Http {
    /// `http://127.0.0.1:21034`.
    pub url: String,
    /// The file with the token.
    pub token_file: PathBuf,
    /// Makes a link that lets one browser in.
    pub new_link: Box<dyn Fn() -> String + Send + Sync>,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Http").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Hub {
    /// Opens a workspace: takes the lock, reaches its keeper by `connect`, takes up its terminals.
    pub fn open(
        workspace: Workspace,
        settings: Settings,
        connect: impl FnOnce(&Workspace) -> Result<(Requests, KeeperEvents), ClientError> + Send,
    ) -> Result<Arc<Self>, OpenError> {
        let lock = lock(&workspace)?;
        // The keeper may have to start while the database is opened.
        let (connected, opened) = std::thread::scope(|scope| {
            let connecting = scope.spawn(|| connect(&workspace));
            let opened = Store::open(workspace.state(), &Surroundings::of(workspace.runtime()));
            (connecting.join(), opened)
        });
        let connected = connected.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let terminals = Terminals::follow(connected, workspace.state())?;
        let Opened { store, incident } = opened?;
        let store = Arc::new(store);
        let known = Known::open(Arc::clone(&store))?;
        let news = Arc::new(watch::Sender::new(0));
        let policy = Policy::open(
            Settings::folder().join("policy.toml"),
            workspace.state(),
            workspace.root(),
            Arc::clone(&store),
        );
        let files = files::open(&workspace, &settings.files)?;
        let tabs = Tabs::open(&store, Grounds::new(&workspace, &settings.tabs))?;
        let registry = Arc::new(Registry::new());
        let workbench = Workbench::open(Arc::clone(&store))?;
        let conversations = Conversations::open(Arc::clone(&store))?;
        let spares = Spares::open(workspace.terminals().join("spare"));
        let identity = Identity::open(workspace.state(), &store);
        let hub = Arc::new(Hub {
            workspace,
            identity,
            policy,
            approvals: Approvals::open(Arc::clone(&store)),
            grants: Grants::default(),
            surfaces: Arc::default(),
            runtime: Runtime::new(Inputs::read(|name| std::env::var(name).ok())),
            consents: Consents::open(Arc::clone(&store)),
            typing: Typing::default(),
            reading: Reading::default(),
            viewers: Arc::new(Viewers::new(Arc::clone(&news))),
            events: Events::new(workbench.epoch()),
            tabs,
            files,
            workbench,
            bridge: Bridge::new(Arc::clone(&registry)),
            results: Results::default(),
            registry,
            terminals,
            agents: Agents::open(&settings, Arc::clone(&store)),
            leases: Arc::new(Leases::new(Arc::clone(&news), Kept::new(Arc::clone(&store)))),
            audit: Audit::open(store)?,
            metrics: Metrics::default(),
            known,
            spares,
            errands: Errands::default(),
            conversations,
            news,
            http: OnceLock::new(),
            served_bridge: OnceLock::new(),
            stop: watch::Sender::new(None),
            settings,
            settings_problem: OnceLock::new(),
            closed: AtomicBool::new(false),
            _lock: lock,
        });
        if let Some(incident) = incident {
            hub.record_incident(&incident);
        }
        hub.adopt_all()?;
        Ok(hub)
    }

    /// Records what was found of the database, in what is there of the audit log now.
    fn record_incident(&self, incident: &Incident) {
        let problem = convert::database_problem(&self.workspace.state().join(store::FILE), incident);
        tracing::error!(kind = ?problem.kind, "{}: {}", problem.text, problem.hint);
        if let Err(error) = self.audit.happened("hub.database", problem.kind.name(), problem.text) {
            tracing::error!(%error, "this could not be recorded in the audit log");
        }
    }

    /// Leaves everything in order for the next hub. A hub that dies without it loses nothing, it only starts slower.
    pub fn close(&self) {
        self.runtime.close();
        let _later = tend::settle(self);
        for session in self.terminals.all() {
            // Without it the next hub replays a little more of the log.
            let _ = session.checkpoint();
        }
        self.known.close();
        self.policy.files().keep();
        self.closed.store(true, Ordering::SeqCst);
        // After that, so that no edit comes in behind it.
        if let Err(error) = self.workbench.keep() {
            tracing::error!(%error, "the workbench could not be written down");
        }
        self.audit.close();
    }

    /// Removes the runtime folder, unless somebody still needs it: the keeper has its socket there. Says whether it is gone.
    pub fn leave_runtime_folder(&self) -> bool {
        let folder = self.workspace.runtime();
        let is_needed = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|entry| entry.file_name() != store::WITNESS);
        if fs::read_dir(folder).is_ok_and(|mut entries| entries.any(is_needed)) {
            return false;
        }
        // The one beside the database says the same.
        let _ = fs::remove_file(folder.join(store::WITNESS));
        fs::remove_dir(folder).is_ok()
    }

    /// Whether it has been closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Looks after the terminals until the hub is asked to stop; [`close`](Self::close) comes after that.
    pub async fn tend(self: Arc<Self>) -> Stop {
        tend::tend(self).await
    }

    /// Asks the hub to end.
    pub fn ask_to_stop(&self, stop: Stop) {
        self.stop.send_replace(Some(stop));
    }

    /// Resolves when the hub is asked to end, to how.
    pub async fn stopping(&self) -> Stop {
        let mut stop = self.stop.subscribe();
        // An error means that nobody can ask any more, and this is the last owner.
        let asked = stop.wait_for(Option::is_some).await.ok().and_then(|asked| *asked);
        asked.unwrap_or(Stop::Hub)
    }

    /// Its workspace.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// What the user has set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Notes that the user's file is wrong, and other settings count.
    pub fn settings_are_wrong(&self, problem: String) {
        tracing::error!("{problem}");
        // They are read once.
        let _ = self.settings_problem.set(problem);
    }

    /// Everything that it can do.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The agents that are here.
    pub fn agents(&self) -> &Arc<Agents> {
        &self.agents
    }

    /// Notes that HTTP is served.
    pub fn serves_http(&self, http: Http) {
        // It is served once at most.
        let _ = self.http.set(http);
    }

    /// Notes that hubs of containers are served.
    pub fn serves_bridge(&self, bridge: BridgeStatus) {
        // It is served once at most.
        let _ = self.served_bridge.set(bridge);
    }

    /// Where HTTP is served, when it is.
    pub fn http(&self) -> Option<&Http> {
        self.http.get()
    }

    /// Grows when a terminal appears, ends, goes, or changes hands.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    pub(crate) fn tell(&self) {
        self.news.send_modify(|news| *news += 1);
    }

    /// Adds a way to reach a person when no front end is attached.
    pub fn reach_people_by(&self, way: Way, adapter: Arc<dyn Adapter>) {
        self.runtime.add(way, adapter);
    }

    /// The ways to a person.
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The window's program, as the operator or the user has set it.
    pub fn window_binary(&self) -> Option<PathBuf> {
        self.runtime.inputs().binary.clone().or_else(|| self.settings.window.binary.clone())
    }

    /// How the host of this hub's container is reached; an error says what is missing.
    pub fn bridge_inputs(&self) -> Result<&BridgeInputs, &Error> {
        self.runtime.inputs().bridge.as_ref()
    }

    /// What this hub calls itself on a bridge. It stays the same as long as its database does.
    pub fn bridge_name(&self) -> String {
        const NAME: &str = "bridge.name";
        if let Ok(Some(name)) = self.store().fact(NAME) {
            return name;
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the kernel gives random bytes");
        let name = format!("{}-{:032x}", self.workspace.key(), u128::from_ne_bytes(bytes));
        // A hub that can't note it has another name next time: what it sent before is then not known again.
        drop(self.store().send(Change::PutFact(NAME.to_owned(), name.clone())));
        name
    }

    pub(crate) fn errands(&self) -> &Errands {
        &self.errands
    }

    /// Whether a front end with a person is attached, now or within this time.
    pub async fn attended_within(&self, time: Duration) -> bool {
        self.surfaces.attached() > 0 || self.surfaces.attached_within(time).await
    }

    /// Notes that a process is a window which the hub has started: its calls are a person's.
    pub fn started_window(&self, pid: u32) -> StartedWindow {
        self.surfaces.started(pid)
    }

    /// Keeps for the next hubs that such a window is the person's: without its hub it is an orphan.
    pub async fn keep_window(self: &Arc<Self>, window: &StartedWindow) {
        let (hub, pid) = (Arc::clone(self), window.pid());
        if let Err(error) = crate::aside::aside(move || hub.vouch_for_window(pid)).await {
            tracing::warn!(%error, "a window could not be written down for the next hub");
        }
    }

    pub(crate) fn store(&self) -> &Store {
        self.audit.store()
    }

    pub(crate) fn counters(&self) -> &Metrics {
        &self.metrics
    }

    pub(crate) fn dir(&self, id: TerminalId) -> PathBuf {
        self.workspace.terminals().join(id.to_string())
    }

    pub(crate) fn session(&self, id: TerminalId) -> Result<Arc<Session>, Error> {
        self.terminals.get(&convert::session_id(id)).ok_or_else(|| not_found(id))
    }

    pub(crate) fn ids_of_terminals(&self) -> Vec<TerminalId> {
        self.known.ids()
    }

    pub(crate) fn meta(&self, id: TerminalId) -> Option<Arc<Meta>> {
        self.known.get(id)
    }
}

/// The services, each of which the hub holds and lends to the rest of this crate.
macro_rules! services {
    ($($name:ident: $service:ty,)*) => {
        impl Hub {
            $(pub(crate) fn $name(&self) -> &$service {
                &self.$name
            })*
        }
    };
}

services! {
    approvals: Arc<Approvals>,
    audit: Audit,
    bridge: Arc<Bridge>,
    consents: Consents,
    conversations: Conversations,
    events: Events,
    files: Files,
    grants: Grants,
    identity: Identity,
    known: Known,
    leases: Arc<Leases>,
    policy: Policy,
    reading: Reading,
    results: Results,
    spares: Spares,
    surfaces: Arc<Surfaces>,
    tabs: Tabs,
    terminals: Terminals,
    typing: Typing,
    viewers: Arc<Viewers>,
    workbench: Workbench,
}
