//! The hub of one workspace: what it holds, how it opens and closes.

mod adopt;
mod status;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use flightdeck_contract::{Error, TerminalId};
use flightdeck_files::{FileError, Files};
use flightdeck_keeper::ClientError;
use flightdeck_term::Terminals;
use flightdeck_term::facts::Input;
use flightdeck_term::session::Session;
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use tokio::sync::watch;

use crate::actor::Actor;
use crate::agents::Agents;
use crate::agents::leases::Leases;
use crate::agents::results::Results;
use crate::agents::visible::{named_in, not_found};
use crate::approvals::consent::Consents;
use crate::approvals::policy::Policy;
use crate::approvals::{Adapter, Approvals, Grants, Surfaces};
use crate::audit::Audit;
use crate::bridge::Bridge;
use crate::convert;
use crate::lock::{Lock, lock};
use crate::metrics::Metrics;
use crate::registry::Registry;
use crate::settings::Settings;
use crate::store::{Change, Opened, Store, StoreError, TerminalNumber};
use crate::terminals::ground::Grounds;
use crate::terminals::meta::Meta;
use crate::terminals::tabs::Tabs;
use crate::terminals::typing::Typing;
use crate::workbench::Workbench;
use crate::workbench::files;
use crate::workspace::{Workspace, WorkspaceError};

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

/// The numbers of terminals. Some are reserved on disk ahead, so that not every start has to write there.
#[derive(Debug)]
struct Ids {
    last: u32,
    reserved: u32,
}

impl Ids {
    /// This number is taken already.
    fn skip(&mut self, number: u32) {
        self.last = self.last.max(number);
        self.reserved = self.reserved.max(number);
    }
}

/// How many numbers are reserved at once; so many are skipped when a hub is killed.
const RESERVE: u32 = 32;

/// One workspace's terminals.
#[derive(Debug)]
pub struct Hub {
    workspace: Workspace,
    settings: Settings,
    registry: Arc<Registry>,
    terminals: Terminals,
    agents: Arc<Agents>,
    leases: Arc<Leases>,
    policy: Policy,
    approvals: Arc<Approvals>,
    grants: Grants,
    surfaces: Arc<Surfaces>,
    consents: Consents,
    typing: Typing,
    tabs: Tabs,
    files: Files,
    workbench: Workbench,
    bridge: Arc<Bridge>,
    results: Results,
    audit: Audit,
    metrics: Metrics,
    metas: Mutex<HashMap<TerminalId, Arc<Meta>>>,
    ids: Mutex<Ids>,
    /// Grows when a terminal appears, ends, goes, or changes hands.
    news: Arc<watch::Sender<u64>>,
    http: OnceLock<Http>,
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

/// What is kept in the store beside terminals and calls.
const LAST_TERMINAL: &str = "terminals.last";

impl Hub {
    /// Opens a workspace: takes the lock, reaches the keeper (`launch` starts one), takes up its terminals.
    pub fn open(
        workspace: Workspace,
        settings: Settings,
        launch: impl FnOnce(&Workspace) -> Result<(), ClientError> + Send,
    ) -> Result<Arc<Self>, OpenError> {
        let lock = lock(&workspace)?;
        // The keeper starts while the database is opened.
        let (terminals, opened) = std::thread::scope(|scope| {
            let connecting = scope.spawn(|| connect(&workspace, launch));
            let opened = Store::open(workspace.state());
            (connecting.join(), opened)
        });
        let terminals = terminals.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let Opened { store, set_aside } = opened?;
        if let Some(path) = set_aside {
            tracing::error!(path = %path.display(), "the database was damaged; it was set aside and a new one begun");
        }
        let store = Arc::new(store);
        let last = store.fact(LAST_TERMINAL)?.and_then(|text| text.parse().ok()).unwrap_or(0);
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
        let hub = Arc::new(Hub {
            workspace,
            policy,
            approvals: Approvals::open(Arc::clone(&store)),
            grants: Grants::default(),
            surfaces: Arc::default(),
            consents: Consents::open(Arc::clone(&store)),
            typing: Typing::default(),
            tabs,
            files,
            workbench: Workbench::open(Arc::clone(&store))?,
            bridge: Bridge::new(Arc::clone(&registry)),
            results: Results::default(),
            registry,
            terminals,
            agents: Agents::new(&settings),
            leases: Arc::new(Leases::new(Arc::clone(&news))),
            audit: Audit::open(store)?,
            metrics: Metrics::default(),
            metas: Mutex::default(),
            ids: Mutex::new(Ids { last, reserved: last }),
            news,
            http: OnceLock::new(),
            stop: watch::Sender::new(None),
            settings,
            closed: AtomicBool::new(false),
            _lock: lock,
        });
        hub.adopt_all()?;
        Ok(hub)
    }

    /// Leaves everything in order for the next hub. A hub that dies without it loses nothing, it only starts slower.
    pub fn close(&self) {
        let _later = self.settle();
        for session in self.terminals.all() {
            // Without it the next hub replays a little more of the log.
            let _ = session.checkpoint();
        }
        let last = self.ids.lock().last;
        // Otherwise the reserved numbers are skipped.
        let _ = self.note_ids(last);
        self.closed.store(true, Ordering::SeqCst);
        // After that, so that no edit comes in behind it.
        if let Err(error) = self.workbench.keep() {
            tracing::error!(%error, "the workbench could not be written down");
        }
        self.audit.close();
    }

    /// Whether it has been closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
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

    /// Where HTTP is served, when it is.
    pub(crate) fn http(&self) -> Option<&Http> {
        self.http.get()
    }

    /// Grows when a terminal appears, ends, goes, or changes hands.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    pub(crate) fn tell(&self) {
        self.news.send_modify(|news| *news += 1);
    }

    pub(crate) fn terminals(&self) -> &Terminals {
        &self.terminals
    }

    pub(crate) fn leases(&self) -> &Arc<Leases> {
        &self.leases
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn approvals(&self) -> &Arc<Approvals> {
        &self.approvals
    }

    pub(crate) fn grants(&self) -> &Grants {
        &self.grants
    }

    pub(crate) fn surfaces(&self) -> &Arc<Surfaces> {
        &self.surfaces
    }

    /// Adds a way to reach a person when no front end is attached.
    pub fn reach_people_by(&self, adapter: Arc<dyn Adapter>) {
        self.surfaces.add(adapter);
    }

    pub(crate) fn consents(&self) -> &Consents {
        &self.consents
    }

    pub(crate) fn typing(&self) -> &Typing {
        &self.typing
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn workbench(&self) -> &Workbench {
        &self.workbench
    }

    pub(crate) fn bridge(&self) -> &Arc<Bridge> {
        &self.bridge
    }

    pub(crate) fn results(&self) -> &Results {
        &self.results
    }

    pub(crate) fn tabs(&self) -> &Tabs {
        &self.tabs
    }

    pub(crate) fn audit(&self) -> &Audit {
        &self.audit
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
        let mut ids: Vec<_> = self.metas().keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// What is known of all terminals, oldest first.
    pub(crate) fn all_metas(&self) -> Vec<Arc<Meta>> {
        let mut all: Vec<_> = self.metas().values().cloned().collect();
        all.sort_unstable_by_key(|meta| meta.id);
        all
    }

    /// The terminals that were given this title: those that run, and those that have ended.
    pub(crate) fn titled(&self, title: &str) -> (Vec<TerminalId>, Vec<TerminalId>) {
        let mut ids: Vec<_> = self.metas().values().filter(|meta| meta.is_called(title)).map(|meta| meta.id).collect();
        ids.sort_unstable();
        ids.into_iter().partition(|id| self.session(*id).is_ok_and(|session| session.progress().running()))
    }

    pub(crate) fn meta(&self, id: TerminalId) -> Option<Arc<Meta>> {
        self.metas().get(&id).cloned()
    }

    /// A terminal that was started now.
    pub(crate) fn remember(&self, meta: Meta, actor: &Actor) {
        if meta.owner.is_some() {
            self.agents.own(meta.id, actor);
        }
        self.note(meta);
    }

    /// Notes a terminal that is nobody's, or what has changed of one.
    pub(crate) fn note(&self, meta: Meta) {
        self.metas().insert(meta.id, Arc::new(meta));
        self.tell();
    }

    /// Keeps a terminal although its agent leaves, or lets it go with the agent that asks for that.
    pub(crate) fn pin(&self, id: TerminalId, keep: bool, actor: &Actor) -> Result<(), Error> {
        let Some(meta) = self.meta(id) else { return Ok(()) };
        let owner = actor.agent_name().filter(|_| !keep).map(str::to_owned);
        let own = owner.as_ref().is_some_and(|name| meta.created_by.starts_with(&format!("{name}#")));
        if !keep && !own {
            return Err(Error::invalid("keep", "only the agent that started a terminal can let it go with itself"));
        }
        let meta = Meta { owner, ..(*meta).clone() };
        meta.save(self.store()).map_err(|error| convert::store_error(&error))?;
        if keep {
            self.agents.disown(id);
        }
        self.remember(meta, actor);
        Ok(())
    }

    /// Whether what these arguments type would be read as a password.
    pub(crate) fn reads_password(&self, args: &Value) -> bool {
        let tab = args.get("window_id").and_then(Value::as_str).and_then(|id| id.parse().ok());
        if let Some(tab) = tab.and_then(|number| self.tab(number).ok()) {
            return tab.session.facts().input == Input::Password;
        }
        let Some(name) = named_in(args) else { return false };
        let ids = name.parse().map_or_else(|_| self.titled(name).0, |id| vec![id]);
        ids.into_iter().any(|id| self.session(id).is_ok_and(|session| session.facts().input == Input::Password))
    }

    /// A number that was never given out before, not even to a terminal that is long gone.
    pub(crate) fn next_id(&self) -> Result<TerminalId, Error> {
        let mut ids = self.ids.lock();
        if ids.last == ids.reserved {
            self.note_ids(ids.reserved + RESERVE).map_err(|error| convert::store_error(&error))?;
            ids.reserved += RESERVE;
        }
        ids.last += 1;
        Ok(TerminalId::new(ids.last))
    }

    fn note_ids(&self, last: u32) -> Result<(), StoreError> {
        self.store().write(Change::PutFact(LAST_TERMINAL.to_owned(), last.to_string()))
    }

    /// Removes a terminal that has ended, with everything that is on disk.
    pub(crate) fn discard(&self, id: TerminalId) -> io::Result<()> {
        self.terminals.remove(&convert::session_id(id));
        self.metas().remove(&id);
        self.agents.disown(id);
        self.leases.forget(id);
        self.typing.forget(id);
        self.workbench.terminal_gone(id);
        // A row that stays is found without its folder by the next hub, and goes then.
        let _ = self.store().write(Change::RemoveTerminal(TerminalNumber(id.number())));
        self.tell();
        match fs::remove_dir_all(self.dir(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn metas(&self) -> MutexGuard<'_, HashMap<TerminalId, Arc<Meta>>> {
        self.metas.lock()
    }
}

fn connect(
    workspace: &Workspace,
    launch: impl FnOnce(&Workspace) -> Result<(), ClientError>,
) -> Result<Terminals, ClientError> {
    match Terminals::connect(&workspace.keeper_socket()) {
        Err(ClientError::Connect { .. }) => {
            launch(workspace)?;
            Terminals::connect(&workspace.keeper_socket())
        }
        other => other,
    }
}
