//! The way to the hub: one connection that is watched and made again when it breaks, and calls of a person beside it.
//!
//! It runs on a thread of its own. What it learns goes into the [`Deck`], and what has changed is told to whoever shows it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_client::{Client, Error, Hub, Running};
use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::consent::{Consent, ShowConsent};
use flightdeck_contract::events::{HubEvent, WatchAudit, WatchHub};
use flightdeck_contract::hub::{AuditPage, AuditQuery};
use flightdeck_contract::policy::{PolicyShown, ShowPolicy};
use flightdeck_contract::{ApprovalId, ErrorCode};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::runtime::{Builder, Handle};

use crate::deck::{Deck, List};
use crate::rows::Row;
use crate::words;

/// How often a hub that is gone is looked for.
const LOOK: Duration = Duration::from_millis(100);
/// A hub that was restarted, or that has crashed, is there again by then.
const COMES_BACK: Duration = Duration::from_secs(5);
/// How much of the log is there at first.
const EARLIER: usize = 200;

/// What a window is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// How the connection is.
    Connection(Connection),
    /// These are the rows of a list now.
    Rows(List, Vec<Row>),
    /// Something to say in passing.
    Toast { tone: &'static str, text: String },
    /// Something new waits for this person.
    Arrived(ApprovalId),
}

/// How the connection is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// The hub is there, and this window is where it asks.
    Live,
    /// It is gone and looked for; what is shown is how it was.
    Away,
    /// It can't be had, for this reason.
    Failed(Failure),
}

/// Why there is no hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub text: String,
    /// The hub speaks another version.
    pub version: bool,
}

/// Whether a hub is started when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    IfNeeded,
    Never,
}

type Tell = Arc<dyn Fn(News) + Send + Sync>;

/// The way to one hub. Clones share it; it ends with the process.
#[derive(Clone)]
pub struct Link {
    runtime: Handle,
    hub: Hub,
    shared: Arc<Shared>,
}

struct Shared {
    deck: Mutex<Deck>,
    client: Mutex<Option<Client>>,
    /// What was answered here: its end is no news.
    mine: Mutex<Vec<ApprovalId>>,
    tell: Tell,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("hub", &self.hub).finish_non_exhaustive()
    }
}

impl Link {
    /// Begins to watch the hub, on a thread of its own.
    pub fn start(
        hub: Hub,
        me: &str,
        start: Start,
        tell: impl Fn(News) + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let root = hub.workspace().root().to_string_lossy().into_owned();
        let shared = Arc::new(Shared {
            deck: Mutex::new(Deck::new(me, &root)),
            client: Mutex::new(None),
            mine: Mutex::new(Vec::new()),
            tell: Arc::new(tell),
        });
        let link = Link { runtime: runtime.handle().clone(), hub, shared };
        let watching = link.clone();
        std::thread::Builder::new().name("hub".to_owned()).spawn(move || runtime.block_on(watching.watch(start)))?;
        Ok(link)
    }

    /// Where its tasks run.
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }

    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// The name of the person here.
    pub fn me(&self) -> String {
        self.shared.deck.lock().me.clone()
    }

    /// Looks at what is known.
    pub fn deck<T>(&self, look: impl FnOnce(&Deck) -> T) -> T {
        look(&self.shared.deck.lock())
    }

    pub fn toast(&self, tone: &'static str, text: impl Into<String>) {
        (self.shared.tell)(News::Toast { tone, text: text.into() });
    }

    /// Calls a command. What goes wrong is told in passing; `then` gets the result.
    pub fn call(&self, command: &'static str, args: Value, then: impl FnOnce(Value) + Send + 'static) {
        self.ask(command, args, {
            let link = self.clone();
            move |result| match result {
                Ok(value) => then(value),
                Err(error) => link.toast("danger", in_words(&error)),
            }
        });
    }

    /// Calls a command, with its failure for who asked.
    pub fn ask(&self, command: &'static str, args: Value, then: impl FnOnce(Result<Value, Error>) + Send + 'static) {
        let client = self.shared.client.lock().clone();
        self.runtime.spawn(async move {
            then(match client {
                Some(client) => client.call(command, &args).await,
                None => Err(Error::Gone),
            });
        });
    }

    /// Answers a request of an agent.
    pub fn answer(&self, id: ApprovalId, args: Value) {
        self.shared.mine.lock().push(id);
        let link = self.clone();
        self.ask("flightdeck.approval.answer", args, move |result| match result {
            Ok(answered) => {
                if let Some(rule) = answered["rule"].as_str() {
                    link.toast("ok", format!("The rule {rule} was added"));
                    link.learn_policy();
                }
            }
            Err(error) => {
                link.shared.mine.lock().retain(|one| *one != id);
                let late = |code| matches!(code, ErrorCode::ApprovalSettled | ErrorCode::ApprovalNotFound);
                match error.hub() {
                    // Two people at once are no mistake of either.
                    Some(said) if late(said.code) => link.toast("warn", "It waits no more: your answer came too late"),
                    _ => link.toast("danger", in_words(&error)),
                }
            }
        });
    }

    /// Reads the rules anew.
    pub fn learn_policy(&self) {
        let link = self.clone();
        self.call("flightdeck.policy.show", serde_json::json!({}), move |shown| {
            if let Ok(shown) = serde_json::from_value::<PolicyShown>(shown) {
                link.shared.deck.lock().policy = Some(shown);
                link.shared.show(&[List::Rules, List::Stances]);
            }
        });
    }

    /// Reads anew whether agents may control the workbench.
    pub fn learn_consent(&self) {
        let link = self.clone();
        self.call("flightdeck.consent.show", serde_json::json!({}), move |shown| {
            if let Ok(shown) = serde_json::from_value::<Consent>(shown) {
                link.shared.deck.lock().consent = Some(shown);
                link.shared.show(&[List::Needs]);
            }
        });
    }

    /// Tells all rows again, to a list that has come later.
    pub fn show(&self, list: List) {
        self.shared.show(&[list]);
    }

    /// Starts a hub where the last one has gone.
    pub fn start_hub(&self) {
        let (hub, link) = (self.hub.clone(), self.clone());
        self.runtime.spawn_blocking(move || {
            if let Err(error) = hub.start() {
                link.toast("danger", in_words(&error));
            }
        });
    }

    async fn watch(self, start: Start) {
        let mut first = true;
        let mut absence = Absence::default();
        loop {
            match self.connect(first, start).await {
                Ok(Some(client)) => {
                    absence = Absence::default();
                    *self.shared.client.lock() = Some(client.clone());
                    let ended = self.stay(&client, first).await;
                    *self.shared.client.lock() = None;
                    match ended {
                        Err(error) if !is_gone(&error) => self.fail(&error),
                        _ => (self.shared.tell)(News::Connection(Connection::Away)),
                    }
                    first = false;
                }
                // The first time somebody waits for it; later it may be about to come.
                Err(error) if first || is_version(&error) => {
                    self.fail(&error);
                    first = false;
                    absence.is_told = true;
                }
                Ok(None) | Err(_) => {
                    if absence.is_news(Instant::now()) {
                        let text = "The last one has ended, and none has come in its place.".to_owned();
                        self.tell_failure(Failure { text, version: false });
                    }
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    fn fail(&self, error: &Error) {
        self.tell_failure(Failure { text: in_words(error), version: is_version(error) });
    }

    fn tell_failure(&self, failure: Failure) {
        (self.shared.tell)(News::Connection(Connection::Failed(failure)));
    }

    async fn connect(&self, first: bool, start: Start) -> Result<Option<Client>, Error> {
        let me = self.me();
        if first && start == Start::IfNeeded {
            return self.hub.connect_or_start(&me).await.map(Some);
        }
        match self.hub.connect(&me).await {
            Ok(None) if first => {
                Err(Error::Start(format!("no hub answers for {}", self.hub.workspace().root().display())))
            }
            other => other,
        }
    }

    /// Watches until the connection ends.
    async fn stay(&self, client: &Client, first: bool) -> Result<(), Error> {
        let at = self.shared.deck.lock().at;
        let audit = self.shared.deck.lock().audit_next;
        let earlier: AuditPage = match audit {
            None => {
                client
                    .call("flightdeck.hub.audit", &AuditQuery { limit: Some(EARLIER), ..AuditQuery::default() })
                    .await?
            }
            Some(_) => AuditPage { calls: Vec::new(), next: 0 },
        };
        let after = audit.unwrap_or(earlier.next);
        self.shared.deck.lock().note(earlier.calls);
        let watch = WatchHub {
            epoch: at.map(|(epoch, _)| epoch),
            seq: at.map(|(_, seq)| seq),
            audit: Some(WatchAudit { after: Some(after) }),
            ..WatchHub::default()
        };
        let mut hub = client.begin("flightdeck.hub.watch", &watch).await?;
        let mut asked = client.begin("flightdeck.approval.watch", &WatchApprovals { attend: true }).await?;
        let consent = client.call("flightdeck.consent.show", &ShowConsent {}).await?;
        let policy = client.call("flightdeck.policy.show", &ShowPolicy {}).await?;
        {
            let mut deck = self.shared.deck.lock();
            deck.consent = Some(consent);
            deck.policy = Some(policy);
        }
        // What waited before this window was there is no news, but for the first one, which a person is launched for.
        let mut live = false;
        loop {
            tokio::select! {
                told = hub.events.next::<HubEvent>() => match told? {
                    Some((event, _)) => {
                        let lists = self.shared.deck.lock().take(event);
                        self.shared.show(&lists);
                    }
                    None => return ended(hub).await,
                },
                told = asked.events.next::<ApprovalEvent>() => match told? {
                    Some((event, _)) => {
                        self.take_asked(event, !live && !first);
                        if !live {
                            live = true;
                            self.shared.show(&List::ALL);
                            (self.shared.tell)(News::Connection(Connection::Live));
                        }
                    }
                    None => return ended(asked).await,
                },
            }
        }
    }

    fn take_asked(&self, event: ApprovalEvent, again: bool) {
        match event {
            ApprovalEvent::Snapshot { approvals } => {
                let ids: Vec<_> = approvals.iter().map(|approval| approval.id).collect();
                self.shared.deck.lock().approvals = approvals;
                self.shared.show(&[List::Needs]);
                if !again {
                    for id in ids {
                        (self.shared.tell)(News::Arrived(id));
                    }
                }
            }
            ApprovalEvent::Pending { approval } => {
                let id = approval.id;
                {
                    let mut deck = self.shared.deck.lock();
                    deck.approvals.retain(|known| known.id != id);
                    deck.approvals.push(*approval);
                }
                self.shared.show(&[List::Needs]);
                (self.shared.tell)(News::Arrived(id));
            }
            ApprovalEvent::Settled { id, outcome, by, edited, .. } => {
                let mut deck = self.shared.deck.lock();
                let what = deck.approvals.iter().find(|known| known.id == id).map(words::subject);
                deck.approvals.retain(|known| known.id != id);
                drop(deck);
                self.shared.show(&[List::Needs]);
                let mut mine = self.shared.mine.lock();
                let was_mine = mine.contains(&id);
                mine.retain(|one| *one != id);
                drop(mine);
                if !was_mine {
                    let what = what.unwrap_or_else(|| id.to_string());
                    let (tone, text) = words::settled(&what, outcome, by.as_deref(), edited.as_deref());
                    self.toast(tone, text);
                }
            }
            ApprovalEvent::Policy { policy } => {
                self.shared.deck.lock().notices = policy;
                self.shared.show(&[List::Needs]);
                self.learn_policy();
            }
        }
    }
}

impl Shared {
    fn show(&self, lists: &[List]) {
        for list in lists {
            let rows = self.deck.lock().rows(*list);
            (self.tell)(News::Rows(*list, rows));
        }
    }
}

/// Since when there is no hub. It is looked for all the time; after a while somebody may have to start it.
#[derive(Debug, Default)]
struct Absence {
    since: Option<Instant>,
    is_told: bool,
}

impl Absence {
    /// None is there at this time. Whether that is to be told now, which it is once.
    fn is_news(&mut self, now: Instant) -> bool {
        let since = *self.since.get_or_insert(now);
        let is_news = !self.is_told && now.saturating_duration_since(since) >= COMES_BACK;
        self.is_told |= is_news;
        is_news
    }
}

/// How a watch ended.
async fn ended(running: Running) -> Result<(), Error> {
    running.result.typed::<Value>().await.map(drop)
}

fn is_gone(error: &Error) -> bool {
    matches!(error, Error::Gone | Error::Io(_)) || error.hub().is_some_and(|said| said.code == ErrorCode::HubStopping)
}

fn is_version(error: &Error) -> bool {
    error.hub().is_some_and(|said| said.code == ErrorCode::VersionMismatch)
}

/// An error as a person reads it, with what to do.
pub fn in_words(error: &Error) -> String {
    match error.hub().and_then(|said| said.hint.as_ref().map(|hint| (said, hint))) {
        Some((said, hint)) => format!("{} ({hint})", said.message),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use flightdeck_contract::approval::Outcome;
    use flightdeck_contract::workspace::Workspace;

    use super::*;

    #[test]
    fn a_hub_that_stays_away_is_told_once_and_not_at_once() {
        let gone = Instant::now();
        let mut absence = Absence::default();
        let told: Vec<_> = [0, 1, 4, 5, 6, 60].map(|second| absence.is_news(gone + Duration::from_secs(second))).into();
        assert_eq!(told, [false, false, false, true, false, false]);
        let mut told_already = Absence { is_told: true, ..Absence::default() };
        assert!(!told_already.is_news(gone) && !told_already.is_news(gone + COMES_BACK));
    }

    #[test]
    fn a_command_that_was_changed_elsewhere_is_told_as_it_ran() {
        let runtime = Builder::new_current_thread().build().unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let link = Link {
            runtime: runtime.handle().clone(),
            hub: Hub::of(Workspace::at(std::path::Path::new("/")).unwrap()),
            shared: Arc::new(Shared {
                deck: Mutex::new(Deck::new("window:me", "/")),
                client: Mutex::new(None),
                mine: Mutex::new(Vec::new()),
                tell: Arc::new({
                    let told = Arc::clone(&told);
                    move |news| {
                        if let News::Toast { text, .. } = news {
                            told.lock().push(text);
                        }
                    }
                }),
            }),
        };
        let settled = ApprovalEvent::Settled {
            id: "a1".parse().unwrap(),
            outcome: Outcome::Approved,
            by: Some("web:2".to_owned()),
            reason: None,
            edited: Some("ls".to_owned()),
        };
        link.take_asked(settled, true);
        assert_eq!(*told.lock(), ["a1: changed to ls by you in another window"]);
    }
}
