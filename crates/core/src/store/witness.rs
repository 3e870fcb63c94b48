//! The witness: a small file beside the database that says which database belongs here and how far its audit log had
//! come, so that a database that was lost, replaced, rolled back or cut is noticed.
//!
//! It is written after each commit that adds to the audit log, so it is never ahead of a database that a killed hub has
//! left. A cut of power is different: what was committed since the last checkpoint may be gone, while the witness was written. So it holds two
//! positions: the newest, which counts as long as the machine was not booted anew, and the one that a checkpoint has
//! put on the disk, which counts always. Two slots are written in turn, so that one is whole whatever happens.
//!
//! A second copy is in the runtime folder. It shows, until the next boot, that the whole state folder was put back.
//! Neither holds a secret: a program that may write both files and the database can forge all three.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::audit::{ChainHash, Head, Seq};

/// Its name, in the state folder and in the runtime folder.
pub const FILE: &str = "flightdeck.witness";
/// A slot has a page of its own, so that a write of one can't tear the other.
const SLOT_BYTES: usize = 4096;
const SLOTS: u64 = 2;
const FORMAT: &str = "flightdeck-witness 1";

/// Which database it is, for as long as the file lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoreId([u8; 16]);

impl StoreId {
    pub(super) fn random() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the kernel gives random bytes");
        StoreId(bytes)
    }

    pub(super) fn parse(hex: &str) -> Option<Self> {
        let number = (hex.len() == 32).then(|| u128::from_str_radix(hex, 16).ok())??;
        Some(StoreId(number.to_be_bytes()))
    }

    pub(super) fn hex(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Testimony {
    /// Grows with every write, across databases.
    pub(super) turn: u64,
    pub(super) store: StoreId,
    /// In which boot of the machine it was written; `None` where the kernel does not tell.
    pub(super) boot: Option<String>,
    /// The audit log's end after the last commit.
    pub(super) newest: Head,
    /// Its end when all of the database was on the disk for the last time.
    pub(super) durable: Option<Head>,
}

impl Testimony {
    /// How far the audit log has to go, seen from this boot; `None` when even the database may be gone with the power.
    pub(super) fn required(&self, boot: Option<&str>) -> Option<Head> {
        if boot.is_some() && self.boot.as_deref() == boot { Some(self.newest) } else { self.durable }
    }

    fn text(&self) -> String {
        let mut text = String::with_capacity(400);
        let boot = self.boot.as_deref().unwrap_or("-");
        // Writing to a string does not fail.
        let _ = write!(text, "{FORMAT} {} {} {boot}", self.turn, self.store.hex());
        position(&mut text, Some(&self.newest));
        position(&mut text, self.durable.as_ref());
        let sum = checksum(&text);
        let _ = writeln!(text, " {sum:016x}");
        text
    }

    fn parse(slot: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(slot.split(|byte| *byte == b'\n').next()?).ok()?;
        let (text, sum) = line.rsplit_once(' ')?;
        if u64::from_str_radix(sum, 16).ok()? != checksum(text) {
            return None;
        }
        let mut words = text.strip_prefix(FORMAT)?.split_ascii_whitespace();
        let turn = words.next()?.parse().ok()?;
        let store = StoreId::parse(words.next()?)?;
        let boot = Some(words.next()?).filter(|boot| *boot != "-").map(str::to_owned);
        let mut head = || -> Option<Option<Head>> {
            let (seq, hash) = (words.next()?, words.next()?);
            if seq == "-" {
                return Some(None);
            }
            Some(Some(Head { seq: Seq(seq.parse().ok()?), hash: ChainHash::parse(hash)? }))
        };
        let (newest, durable) = (head()??, head()?);
        Some(Testimony { turn, store, boot, newest, durable })
    }
}

fn position(text: &mut String, head: Option<&Head>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let Some(Head { seq, hash }) = head else {
        text.push_str(" - -");
        return;
    };
    let _ = write!(text, " {} ", seq.0);
    // It is written after each commit: this takes a tenth of what formatting each byte does.
    for byte in hash.0 {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// Tells a slot that was written in part. It is no protection against anybody.
fn checksum(text: &str) -> u64 {
    let hash: [u8; 32] = Sha256::digest(text).into();
    hash.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// What is found in the place of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No file, or one that was made and not yet written.
    Nothing,
    /// A file that says nothing which can be read.
    Unreadable,
    Testimony(Testimony),
}

impl Found {
    pub(super) fn in_folder(folder: &Path) -> Self {
        let bytes = match fs::read(folder.join(FILE)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Found::Nothing,
            Err(_) => return Found::Unreadable,
        };
        let newest = bytes.chunks(SLOT_BYTES).filter_map(Testimony::parse).max_by_key(|testimony| testimony.turn);
        match newest {
            Some(testimony) => Found::Testimony(testimony),
            None if bytes.iter().all(|byte| *byte == 0) => Found::Nothing,
            None => Found::Unreadable,
        }
    }

    pub(super) fn testimony(self) -> Option<Testimony> {
        match self {
            Found::Testimony(testimony) => Some(testimony),
            Found::Nothing | Found::Unreadable => None,
        }
    }
}

/// The witness of an open database, in all its places.
#[derive(Debug)]
pub(super) struct Witness {
    /// The state folder's first.
    files: Vec<File>,
    folder: PathBuf,
    said: Testimony,
    /// The database says that there is a witness, and the file itself is on the disk: from here on its absence counts.
    pub(super) announced: bool,
}

impl Witness {
    /// Opens the files, and makes them where they are not there. What they say stays until something is written.
    /// Without the first there is none: a copy alone would be taken for what is left of two.
    pub(super) fn open(folder: &Path, copy: Option<&Path>, said: Testimony, announced: bool) -> io::Result<Self> {
        let mut files = vec![open(&folder.join(FILE))?];
        files.extend(copy.and_then(|copy| open(&copy.join(FILE)).ok()));
        Ok(Witness { files, folder: folder.to_owned(), said, announced })
    }

    /// Says how far the audit log has come, after that was committed.
    pub(super) fn committed(&mut self, newest: Head) {
        self.said.newest = newest;
        // When it fails, for want of room, the next one says more.
        let _ = self.write();
    }

    /// Says that all of the database is on the disk.
    pub(super) fn on_disk(&mut self, head: Head) -> io::Result<()> {
        self.said.newest = head;
        self.said.durable = Some(head);
        self.write()
    }

    /// Waits until the file is on the disk, with its name.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.files[0].sync_all()?;
        File::open(&self.folder)?.sync_all()
    }

    fn write(&mut self) -> io::Result<()> {
        self.said.turn += 1;
        let text = self.said.text();
        let at = self.said.turn % SLOTS * SLOT_BYTES as u64;
        self.files.iter().try_for_each(|file| file.write_all_at(text.as_bytes(), at))
    }
}

/// All of its room is taken when it is made, so that a full disk does not stop it later.
fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    let whole = SLOTS * SLOT_BYTES as u64;
    let there = file.metadata()?.len();
    if there < whole {
        let missing = vec![0; (whole - there) as usize];
        if let Err(error) = file.write_all_at(&missing, there) {
            if there == 0 {
                let _ = fs::remove_file(path);
            }
            return Err(error);
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn testimony(turn: u64) -> Testimony {
        let head = |seq: u64| Head { seq: Seq(seq), hash: ChainHash([seq as u8; 32]) };
        Testimony {
            turn,
            store: StoreId([7; 16]),
            boot: Some("boot".to_owned()),
            newest: head(turn * 2),
            durable: (turn > 3).then(|| head(turn)),
        }
    }

    #[test]
    fn what_is_said_is_read_again_and_a_torn_slot_leaves_the_other() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Found::in_folder(dir.path()), Found::Nothing);
        let mut witness = Witness::open(dir.path(), None, testimony(0), false).unwrap();
        assert_eq!(Found::in_folder(dir.path()), Found::Nothing, "it was made, and says nothing yet");
        for turn in 1..10 {
            witness.said = Testimony { turn: turn - 1, ..testimony(turn) };
            witness.write().unwrap();
            assert_eq!(Found::in_folder(dir.path()), Found::Testimony(testimony(turn)));
        }
        let path = dir.path().join(FILE);
        let whole = fs::read(&path).unwrap();
        // The ninth and the eighth.
        let (newer, older) = (SLOT_BYTES, 0);
        for torn in [0, 1, 20, 40, 100, 200] {
            let mut bytes = whole.clone();
            bytes[newer + torn] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert_eq!(Found::in_folder(dir.path()), Found::Testimony(testimony(8)), "{torn}");
            bytes[older + torn] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert_eq!(Found::in_folder(dir.path()), Found::Unreadable, "{torn}");
        }
    }

    #[test]
    fn only_the_same_boot_requires_the_newest_position() {
        let early = testimony(2);
        let late = testimony(5);
        for (testimony, boot, required) in [
            (&late, Some("boot"), Some(late.newest)),
            (&late, Some("another"), late.durable),
            (&late, None, late.durable),
            (&early, Some("boot"), Some(early.newest)),
            (&early, Some("another"), None),
        ] {
            assert_eq!(testimony.required(boot), required, "{boot:?}");
        }
    }
}
