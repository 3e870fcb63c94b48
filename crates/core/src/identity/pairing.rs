//! Pairing: a person vouches for a program of which nobody can tell whose it is.
//!
//! A front end that is trusted already shows a code, and the person gives it to the program. What is vouched for is the
//! process that stands in the way: an orphan or a sandboxed program, with all that it starts. Where the kernel does not
//! identify callers (before 6.5) it is the connection alone.

use std::time::{Duration, Instant};

use flightdeck_keeper::boot_id;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::process::ProcessId;
use crate::store::{Change, Store, StoreError};

/// How long a code can be used.
pub(crate) const CODE_LIFETIME: Duration = Duration::from_mins(2);
/// How many wrong codes are taken before the right one is void. Of 32^8 codes nobody guesses one.
const MAX_ATTEMPTS: u8 = 5;
const CODE_LENGTH: usize = 8;
/// Without characters that look alike.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// Where the paired processes are kept, for the next hub.
const FACT: &str = "paired";
/// The oldest is forgotten when there are more.
const MAX_PAIRED: usize = 64;

/// The processes that a person has vouched for, and the code that waits to be used.
#[derive(Debug)]
pub(super) struct Pairings {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    kept: Kept,
    code: Option<PendingCode>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// Process numbers are of this boot.
    boot: String,
    processes: Vec<ProcessId>,
}

#[derive(Debug)]
struct PendingCode {
    code: String,
    expires: Instant,
    attempts_left: u8,
}

/// Why a code was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeRefusal {
    /// There is none, or it was used, has expired, or was guessed at too often.
    NoCode,
    /// It is another one.
    Wrong,
}

impl Pairings {
    /// Those of the last hub are known again, unless something has happened to the database.
    pub(super) fn open(store: &Store) -> Self {
        let boot = boot_id().unwrap_or_default();
        let stored = store.fact(FACT).ok().flatten().filter(|_| store.incidents().is_empty());
        let kept = stored.and_then(|text| serde_json::from_str::<Kept>(&text).ok()).filter(|kept| kept.boot == boot);
        let kept = kept.unwrap_or(Kept { boot, processes: Vec::new() });
        Pairings { state: Mutex::new(State { kept, code: None }) }
    }

    /// A new code; an earlier one is void.
    pub(super) fn new_code(&self) -> String {
        let mut bytes = [0; CODE_LENGTH];
        getrandom::fill(&mut bytes).expect("the kernel gives random bytes");
        let code: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
        let expires = Instant::now() + CODE_LIFETIME;
        self.state.lock().code = Some(PendingCode { code: code.clone(), expires, attempts_left: MAX_ATTEMPTS });
        format!("{}-{}", &code[..CODE_LENGTH / 2], &code[CODE_LENGTH / 2..])
    }

    /// Uses the code up. Case, hyphens and spaces do not matter.
    pub(super) fn redeem(&self, given: &str) -> Result<(), CodeRefusal> {
        let given: String = given.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut state = self.state.lock();
        let Some(pending) = state.code.as_mut().filter(|pending| Instant::now() < pending.expires) else {
            state.code = None;
            return Err(CodeRefusal::NoCode);
        };
        if pending.code.eq_ignore_ascii_case(&given) {
            state.code = None;
            return Ok(());
        }
        pending.attempts_left -= 1;
        if pending.attempts_left == 0 {
            state.code = None;
        }
        Err(CodeRefusal::Wrong)
    }

    /// Vouches for a process and all that it starts. Blocks until it is stored.
    pub(super) fn vouch_for(&self, process: ProcessId, store: &Store) -> Result<(), StoreError> {
        let mut state = self.state.lock();
        let mut processes = state.kept.processes.clone();
        processes.retain(|known| known.is_alive() && *known != process);
        processes.push(process);
        let excess = processes.len().saturating_sub(MAX_PAIRED);
        processes.drain(..excess);
        let kept = Kept { boot: state.kept.boot.clone(), processes };
        store.write(Change::PutFact(FACT.to_owned(), serde_json::to_string(&kept).unwrap_or_default()))?;
        state.kept = kept;
        Ok(())
    }

    pub(super) fn is_paired(&self, process: ProcessId) -> bool {
        self.state.lock().kept.processes.contains(&process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::process::ProcessStat;
    use crate::store::Surroundings;

    fn pairings() -> (tempfile::TempDir, Store, Pairings) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), &Surroundings::default()).unwrap().store;
        let pairings = Pairings::open(&store);
        (folder, store, pairings)
    }

    #[test]
    fn a_code_works_once_however_it_is_typed() {
        let (_folder, _store, pairings) = pairings();
        assert_eq!(pairings.redeem(""), Err(CodeRefusal::NoCode));
        let code = pairings.new_code();
        assert_eq!(code.len(), CODE_LENGTH + 1);
        assert_eq!(pairings.redeem(&format!(" {} ", code.to_lowercase().replace('-', " "))), Ok(()));
        assert_eq!(pairings.redeem(&code), Err(CodeRefusal::NoCode));
        let older = pairings.new_code();
        let newer = pairings.new_code();
        assert_eq!(pairings.redeem(&older), Err(CodeRefusal::Wrong));
        assert_eq!(pairings.redeem(&newer), Ok(()));
    }

    #[test]
    fn guessing_voids_the_code() {
        let (_folder, _store, pairings) = pairings();
        let code = pairings.new_code();
        for _ in 0..MAX_ATTEMPTS {
            assert_eq!(pairings.redeem("AAAA-AAA0"), Err(CodeRefusal::Wrong));
        }
        assert_eq!(pairings.redeem(&code), Err(CodeRefusal::NoCode));
    }

    #[test]
    fn an_expired_code_is_void() {
        let (_folder, _store, pairings) = pairings();
        let code = pairings.new_code();
        pairings.state.lock().code.as_mut().unwrap().expires = Instant::now();
        assert_eq!(pairings.redeem(&code), Err(CodeRefusal::NoCode));
    }

    #[test]
    fn the_next_hub_knows_what_was_paired() {
        let (_folder, store, pairings) = pairings();
        let own = ProcessStat::of(std::process::id()).unwrap().id;
        pairings.vouch_for(own, &store).unwrap();
        let next = Pairings::open(&store);
        assert!(next.is_paired(own) && !next.is_paired(ProcessId { started: own.started + 1, ..own }));
    }
}
