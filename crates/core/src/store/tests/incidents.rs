//! What happens to the database outside of the hub is noticed, and nothing else is.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::super::audit::Head;
use super::super::{Change, Incident, IncidentKind, Opened, Store, Surroundings, Terminal, TerminalNumber, witness};
use super::{directly, file, folder, intact, single};

/// A state folder and a runtime folder on a machine that can be booted anew.
struct Machine {
    state: TempDir,
    runtime: TempDir,
    boots: u32,
}

impl Machine {
    fn new() -> Self {
        Machine { state: folder(), runtime: folder(), boots: 0 }
    }

    /// A machine whose hub has written so many entries and ended in order.
    fn with_entries(entries: u64) -> Self {
        let machine = Machine::new();
        fill(&machine.open().store, entries);
        machine
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings { runtime: Some(self.runtime.path().to_owned()), boot: Some(format!("boot-{}", self.boots)) }
    }

    fn open(&self) -> Opened {
        Store::open(self.state.path(), &self.surroundings()).unwrap()
    }

    fn found(&self) -> Option<IncidentKind> {
        self.open().incident.map(|incident| incident.kind)
    }

    /// The runtime folder does not survive it.
    fn boot(&mut self) {
        self.boots += 1;
        self.runtime = folder();
    }

    /// What is in the state folder now, as a copy made by `cp -a`.
    fn copy(&self) -> TempDir {
        let copy = folder();
        for entry in fs::read_dir(self.state.path()).unwrap().flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
            }
        }
        copy
    }

    /// Puts files of a copy back; those with this beginning.
    fn put_back(&self, copy: &TempDir, beginning: &str) {
        for folder in [self.state.path(), copy.path()] {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let name = entry.file_name().into_string().unwrap();
                if name.starts_with(beginning) && folder == self.state.path() {
                    fs::remove_file(entry.path()).unwrap();
                } else if name.starts_with(beginning) {
                    fs::copy(entry.path(), self.state.path().join(name)).unwrap();
                }
            }
        }
    }

    fn remove(&self, names: &[&str]) {
        for name in names {
            fs::remove_file(self.state.path().join(name)).unwrap();
        }
    }

    fn sqlite(&self, sql: &str) {
        directly(self.state.path(), |db| db.execute_batch(sql));
    }
}

fn fill(store: &Store, entries: u64) {
    for call in 1..=entries {
        store.write(single(call)).unwrap();
    }
}

/// Removes the newest entries and makes the head fit: what the chain alone does not show.
fn cut(dir: &Path, to: u64) {
    directly(dir, |db| {
        db.execute("DELETE FROM audit WHERE seq > ?", [to as i64])?;
        rewrite_head(db)
    });
}

fn rewrite_head(db: &Connection) -> rusqlite::Result<()> {
    let (seq, hash): (i64, Vec<u8>) =
        db.query_row("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let hash: [u8; 32] = hash.try_into().unwrap();
    Head { seq: super::super::Seq(seq as u64), hash: super::super::audit::ChainHash(hash) }.save(db)
}

type Attack<'a> = (&'a str, &'a dyn Fn(&mut Machine), IncidentKind);

#[test]
fn every_loss_is_noticed_and_stays_until_it_is_acknowledged() {
    let old_copy = |machine: &Machine| {
        let copy = machine.copy();
        fill(&machine.open().store, 5);
        copy
    };
    let attacks: &[Attack<'_>] = &[
        ("the file is gone", &|machine| machine.remove(&["flightdeck.db"]), IncidentKind::Lost),
        ("it is empty", &|machine| fs::write(file(machine.state.path()), "").unwrap(), IncidentKind::Lost),
        (
            "it is gone, and so is the witness beside it",
            &|machine| machine.remove(&["flightdeck.db", witness::FILE]),
            IncidentKind::Lost,
        ),
        (
            "it is gone and the machine was booted",
            &|machine| {
                machine.remove(&["flightdeck.db"]);
                machine.boot();
            },
            IncidentKind::Lost,
        ),
        (
            "everything is gone but the files of a terminal, and the machine was booted",
            &|machine| {
                machine.remove(&["flightdeck.db", witness::FILE]);
                fs::create_dir_all(machine.state.path().join("terminals/t3")).unwrap();
                fs::write(machine.state.path().join("terminals/t3/0.log"), "output").unwrap();
                machine.boot();
            },
            IncidentKind::Lost,
        ),
        ("garbage", &|machine| fs::write(file(machine.state.path()), "no database").unwrap(), IncidentKind::Damaged),
        (
            "half of it",
            &|machine| {
                let bytes = fs::read(file(machine.state.path())).unwrap();
                fs::write(file(machine.state.path()), &bytes[..bytes.len() / 2]).unwrap();
            },
            IncidentKind::Damaged,
        ),
        (
            "another workspace's database",
            &|machine| {
                let other = Machine::with_entries(20);
                machine.put_back(&other.copy(), "flightdeck.db");
            },
            IncidentKind::Replaced,
        ),
        ("an older copy", &|machine| machine.put_back(&old_copy(machine), "flightdeck.db"), IncidentKind::RolledBack),
        (
            "an older copy, and the machine was booted",
            &|machine| {
                machine.put_back(&old_copy(machine), "flightdeck.db");
                machine.boot();
            },
            IncidentKind::RolledBack,
        ),
        (
            "older copies of the database and of the witness",
            &|machine| machine.put_back(&old_copy(machine), "flightdeck"),
            IncidentKind::RolledBack,
        ),
        ("a cut tail with a head that fits", &|machine| cut(machine.state.path(), 7), IncidentKind::RolledBack),
        (
            "the same, and the machine was booted",
            &|machine| {
                cut(machine.state.path(), 7);
                machine.boot();
            },
            IncidentKind::RolledBack,
        ),
        (
            "a cut tail with other entries in its place",
            &|machine| {
                cut(machine.state.path(), 7);
                directly(machine.state.path(), |db| {
                    let mut head = Head::load(db)?;
                    for call in 90..99 {
                        head = super::super::audit::insert_for_test(db, head, &single(call))?;
                    }
                    head.save(db)
                });
            },
            IncidentKind::Rewritten,
        ),
        (
            "everything pruned away by somebody else",
            &|machine| {
                directly(machine.state.path(), |db| {
                    let mut note = single(0);
                    note.args = format!("{{\"through\":40,\"hash\":\"{}\"}}", "ab".repeat(32));
                    db.execute_batch("DELETE FROM audit; DELETE FROM facts WHERE key = 'audit.head'")?;
                    let before = Head { seq: super::super::Seq(40), hash: super::super::audit::ChainHash([0xab; 32]) };
                    super::super::audit::insert_note_for_test(db, before, &note)?.save(db)
                });
            },
            IncidentKind::Rewritten,
        ),
        ("the witness is gone", &|machine| machine.remove(&[witness::FILE]), IncidentKind::Unwitnessed),
        (
            "the witness says nothing that can be read",
            &|machine| fs::write(machine.state.path().join(witness::FILE), "intact, really\n").unwrap(),
            IncidentKind::Unwitnessed,
        ),
        (
            "the witness is gone and the machine was booted",
            &|machine| {
                machine.remove(&[witness::FILE]);
                machine.boot();
            },
            IncidentKind::Unwitnessed,
        ),
    ];
    for (what, attack, kind) in attacks {
        let mut machine = Machine::with_entries(10);
        attack(&mut machine);
        let Opened { store, incident } = machine.open();
        assert_eq!(incident.as_ref().map(|incident| incident.kind), Some(*kind), "{what}");
        assert_eq!(store.incidents(), incident.clone().into_iter().collect::<Vec<_>>(), "{what}");
        assert!(store.is_policy_doubted().unwrap(), "{what}");
        fill(&store, 3);
        drop(store);
        // The next hub finds nothing new, and still says it, across a boot too.
        for boots in [false, true] {
            if boots {
                machine.boot();
            }
            let Opened { store, incident: again } = machine.open();
            assert_eq!(again, None, "{what}");
            assert_eq!(store.incidents(), incident.clone().into_iter().collect::<Vec<_>>(), "{what}");
        }
        let Opened { store, .. } = machine.open();
        let known = store.acknowledge().unwrap();
        assert_eq!(known.iter().map(|incident: &Incident| incident.kind).collect::<Vec<_>>(), [*kind], "{what}");
        assert_eq!(store.incidents(), [], "{what}");
        drop(store);
        assert_eq!(machine.open().store.incidents(), [], "{what}");
    }
}

#[test]
fn a_machine_that_loses_its_power_gives_no_alarm() {
    // What was committed may be gone from the disk while the witness is not, and the other way round.
    for durable in [false, true] {
        let mut machine = if durable { Machine::with_entries(10) } else { Machine::new() };
        let store = machine.open().store;
        let before = machine.copy();
        fill(&store, 20);
        let (now, early) = (machine.copy(), before);
        drop(store);
        machine.boot();
        for (database, witness_from) in [(&early, &now), (&now, &early), (&now, &now), (&early, &early)] {
            machine.put_back(database, "flightdeck.db");
            machine.put_back(witness_from, "flightdeck.witness");
            let Opened { store, incident } = machine.open();
            assert_eq!(incident, None, "durable: {durable}");
            drop(store);
            // The next round begins with another boot, so that the end in order of this one asks for nothing.
            machine.put_back(witness_from, "flightdeck.witness");
            machine.boot();
        }
    }
    // A first hub that has put nothing on the disk: its database may be gone altogether.
    let mut machine = Machine::new();
    let store = machine.open().store;
    fill(&store, 3);
    let copy = machine.copy();
    drop(store);
    machine.put_back(&copy, "flightdeck");
    machine.remove(&["flightdeck.db", "flightdeck.db-wal"]);
    machine.boot();
    assert_eq!(machine.found(), None);
}

#[test]
fn ordinary_lives_give_no_alarm() {
    let mut machine = Machine::new();
    for round in 0..12 {
        let Opened { store, incident } = machine.open();
        assert_eq!(incident, None, "round {round}");
        assert!(!store.is_policy_doubted().unwrap());
        fill(&store, round * 7);
        if round % 4 == 3 {
            store.prune(i64::MAX).unwrap();
        }
        intact(&store);
        if round % 3 == 2 {
            // As `kill -9` leaves it: nothing is closed.
            let killed = machine.copy();
            drop(store);
            machine.put_back(&killed, "flightdeck");
        } else {
            drop(store);
        }
        if round % 5 == 4 {
            machine.boot();
        }
    }
}

#[test]
fn a_database_of_an_older_version_gets_a_witness() {
    let machine = Machine::with_entries(10);
    machine.sqlite("DELETE FROM facts WHERE key LIKE 'store.%'");
    machine.remove(&[witness::FILE]);
    fs::remove_file(machine.runtime.path().join(witness::FILE)).unwrap();
    assert_eq!(machine.found(), None);
    machine.remove(&["flightdeck.db"]);
    assert_eq!(machine.found(), Some(IncidentKind::Lost));
}

#[test]
fn damage_in_the_middle_is_told_before_anybody_reads_it() {
    let machine = Machine::new();
    let store = machine.open().store;
    for number in 1..=300 {
        let meta = "x".repeat(300);
        store.write(Change::PutTerminal(Terminal { number: TerminalNumber(number), meta })).unwrap();
    }
    fill(&store, 100);
    drop(store);
    let root: i64 = directly(machine.state.path(), |db| {
        db.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'terminals'", [], |row| row.get(0))
    });
    let mut bytes = fs::read(file(machine.state.path())).unwrap();
    // A leaf of the tree of terminals, and not its root, which opening reads.
    let leaf = directly(machine.state.path(), |db| {
        db.query_row("SELECT max(pageno) FROM dbstat WHERE name = 'terminals' AND pageno <> ?", [root], |row| {
            row.get::<_, i64>(0)
        })
    });
    let at = (leaf as usize - 1) * 4096;
    bytes[at..at + 4096].fill(0xff);
    fs::write(file(machine.state.path()), &bytes).unwrap();
    let Opened { store, incident } = machine.open();
    assert_eq!(incident, None, "opening does not look there");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while store.incidents().is_empty() {
        assert!(std::time::Instant::now() < deadline, "the damage was not found");
        std::thread::yield_now();
    }
    assert_eq!(store.incidents()[0].kind, IncidentKind::Damaged);
    store.acknowledge().unwrap();
    assert_eq!(store.incidents(), []);
}
