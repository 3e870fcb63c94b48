//! What has happened to the database outside of the hub: found when it is opened or read, kept until a person has
//! acknowledged it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::audit::{self, Position};
use super::tables::{fact, put_fact};
use super::witness::{Found, StoreId, Testimony};
use super::writer::{Ledger, Work};

/// The fact that holds what was found and not acknowledged, JSON.
const INCIDENTS: &str = "store.incidents";
/// The fact that is `yes` until the policy has been put into question.
const POLICY_DOUBTED: &str = "store.policy_doubted";
/// The fact that names the database.
const ID: &str = "store.id";
/// The fact that says that there is a witness.
const ANNOUNCED: &str = "store.witness";

/// What happened to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// It is gone, and a new one was begun.
    Lost,
    /// It could not be read, and a new one was begun; or parts of it can't be read.
    Damaged,
    /// Another one is in its place.
    Replaced,
    /// It is an older copy, or the end of its audit log was cut.
    RolledBack,
    /// Its audit log is another one than was written.
    Rewritten,
    /// What would tell is gone, so none of these can be ruled out.
    Unwitnessed,
    /// It is not where it was opened any more: what is written now is lost with this process.
    Removed,
}

/// Something that a person has to know about the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// What happened.
    pub kind: IncidentKind,
    /// When it was noticed, in milliseconds since 1970.
    pub at_ms: i64,
    /// Where the old one is, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<PathBuf>,
    /// What SQLite said of it, or how far the audit log should go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Incident {
    pub(super) fn now(kind: IncidentKind) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Incident { kind, at_ms: now.as_millis() as i64, aside: None, detail: None }
    }
}

/// What was found before the database was opened.
#[derive(Debug)]
pub(super) struct Before {
    /// What the state folder's witness says.
    pub(super) own: Found,
    /// The newest testimony of all places.
    pub(super) newest: Option<Testimony>,
    /// There was no database file, or an empty one.
    pub(super) fresh: bool,
    /// There are files of terminals, so that there was a database.
    pub(super) has_terminals: bool,
}

impl Before {
    pub(super) fn look(folder: &Path, database: &Path, copy: Option<&Path>, boot: Option<&str>) -> Self {
        let own = Found::in_folder(folder);
        // A copy that a boot has left over may be from long ago.
        let copy = copy.and_then(|copy| Found::in_folder(copy).testimony());
        let copy = copy.filter(|testimony| boot.is_some() && testimony.boot.as_deref() == boot);
        let newest = own.clone().testimony().into_iter().chain(copy).max_by_key(|testimony| testimony.turn);
        let fresh = !database.metadata().is_ok_and(|meta| meta.len() > 0);
        Before { own, newest, fresh, has_terminals: has_terminals(&folder.join("terminals")) }
    }
}

/// Whether a terminal was ever started here: one has a folder with files, named `t` and a number.
fn has_terminals(folder: &Path) -> bool {
    let is_terminal = |name: &str| name.strip_prefix('t').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let has_files = |path: PathBuf| path.read_dir().is_ok_and(|mut files| files.next().is_some());
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_str().is_some_and(is_terminal) && has_files(entry.path()))
}

/// What the database says of itself.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) id: Option<StoreId>,
    /// It knows of a witness that was on the disk.
    pub(super) announced: bool,
}

impl Identity {
    pub(super) fn read(db: &Connection) -> rusqlite::Result<Self> {
        let id = fact(db, ID)?.and_then(|id| StoreId::parse(&id));
        Ok(Identity { id, announced: fact(db, ANNOUNCED)?.is_some() })
    }
}

pub(super) fn put_id(db: &Connection, id: StoreId) -> rusqlite::Result<()> {
    put_fact(db, ID, &id.hex())
}

pub(super) fn announce_witness(db: &Connection) -> rusqlite::Result<()> {
    put_fact(db, ANNOUNCED, "made")
}

/// Compares the database with what was found before it was opened.
pub(super) fn examine(
    db: &Connection,
    identity: &Identity,
    before: &Before,
    boot: Option<&str>,
) -> rusqlite::Result<Option<Incident>> {
    let kind = |kind| Ok(Some(Incident::now(kind)));
    let required = before.newest.as_ref().and_then(|newest| Some((newest, newest.required(boot)?)));
    if let Some((testimony, head)) = required {
        if before.fresh {
            return kind(IncidentKind::Lost);
        }
        if identity.id != Some(testimony.store) {
            return kind(IncidentKind::Replaced);
        }
        let found = match audit::position(db, head)? {
            Position::Same => None,
            Position::Beyond => Some(IncidentKind::RolledBack),
            Position::Other => Some(IncidentKind::Rewritten),
        };
        if let Some(kind) = found {
            let detail = format!("entry {} of the audit log was written before", head.seq.0);
            return Ok(Some(Incident { detail: Some(detail), ..Incident::now(kind) }));
        }
    }
    let silent = !matches!(before.own, Found::Testimony(_));
    if identity.announced && silent {
        return kind(IncidentKind::Unwitnessed);
    }
    if before.fresh && before.has_terminals && before.newest.is_none() {
        return kind(IncidentKind::Lost);
    }
    Ok(None)
}

/// Everything that was found and not acknowledged.
pub(super) fn open_incidents(db: &Connection) -> rusqlite::Result<Vec<Incident>> {
    // What can't be read was not written here.
    Ok(fact(db, INCIDENTS)?.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}

/// Keeps what was found. One of each kind is enough: the last.
pub(super) fn keep(db: &Connection, incident: &Incident) -> rusqlite::Result<()> {
    let mut all = open_incidents(db)?;
    all.retain(|known| known.kind != incident.kind);
    all.push(incident.clone());
    put_fact(db, INCIDENTS, &serde_json::to_string(&all).unwrap_or_default())?;
    put_fact(db, POLICY_DOUBTED, "yes")
}

/// Whether the policy in the database is to be put into question.
pub(super) fn is_policy_doubted(db: &Connection) -> rusqlite::Result<bool> {
    Ok(fact(db, POLICY_DOUBTED)?.as_deref() == Some("yes"))
}

/// Forgets what was found, for a person knows it now.
#[derive(Debug)]
pub(super) struct Acknowledge;

impl Work for Acknowledge {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        put_fact(ledger.db, INCIDENTS, "[]")
    }
}

/// The policy has been put into question.
#[derive(Debug)]
pub(super) struct PolicyDoubted;

impl Work for PolicyDoubted {
    type Done = ();

    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        put_fact(ledger.db, POLICY_DOUBTED, "no")
    }
}
