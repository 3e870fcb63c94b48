//! Remembering that a keeper was lost: killed, and not ended in order.
//!
//! A keeper is the parent of everything in its terminals, orphans included, so what it started can be told by its
//! ancestors. When it is killed, its orphans become children of `init` and look like anybody's. So whoever asks who a
//! process is needs to know whether a keeper was lost since that process started.
//!
//! While a keeper lives, a file in the state folder names it; a keeper that ends in order and has seen the end of all that
//! it started removes the file. A hub sees the loss of its keeper at once, by its connection, and records it. When
//! the hub was killed as well, the next keeper finds the file of a process that is gone, and records the loss then.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::getpid;
use rustix::time::{ClockId, clock_gettime};

/// Names the keeper that runs, until it ends in order.
const RUNNING_FILE: &str = "keeper.running";
/// When the last loss was seen.
const LOST_FILE: &str = "keeper.lost";

/// A time on the clock that the kernel gives start times of processes in: since boot, with the time asleep.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BootTime(pub Duration);

impl BootTime {
    pub fn now() -> Self {
        let now = clock_gettime(ClockId::Boottime);
        Self(Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32))
    }

    /// From the field `starttime` of `/proc/PID/stat`. It is rounded down, by less than one tick.
    pub fn from_ticks(ticks: u64) -> Self {
        let per_second = rustix::param::clock_ticks_per_second().max(1);
        let rest = (ticks % per_second).saturating_mul(1_000_000_000) / per_second;
        Self(Duration::new(ticks / per_second, rest as u32))
    }
}

/// The keepers of a state folder that were lost since the machine was booted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeeperLoss {
    /// When the first of them started: whatever started since then may be an orphan of one.
    pub since: BootTime,
    /// When the last loss was seen. The keeper may have been lost a while before.
    pub seen_at: BootTime,
}

/// What is known of lost keepers of this state folder.
pub fn keeper_loss(state: &Path) -> Option<KeeperLoss> {
    let text = fs::read_to_string(state.join(LOST_FILE)).ok()?;
    let mut fields = text.split_whitespace();
    // Nothing of another boot is left that could be an orphan.
    (fields.next()? == boot_id()?).then_some(())?;
    let seen_at = BootTime(Duration::from_nanos(fields.next()?.parse().ok()?));
    // Where the start is not told, it may have been any time.
    let since = fields.next().and_then(|field| field.parse().ok()).unwrap_or(0);
    Some(KeeperLoss { since: BootTime(Duration::from_nanos(since)), seen_at })
}

/// Records that the keeper of this state folder was lost, seen now.
pub fn record_keeper_loss(state: &Path) -> io::Result<KeeperLoss> {
    let boot = boot_id().ok_or_else(|| io::Error::other("the kernel does not tell the id of this boot"))?;
    let earlier = keeper_loss(state);
    let started = running_keeper(state).map_or(BootTime::default(), |keeper| BootTime::from_ticks(keeper.started));
    let since = earlier.map_or(started, |earlier| earlier.since.min(started));
    let loss = KeeperLoss { since, seen_at: BootTime::now() };
    let text = format!("{boot} {} {}\n", loss.seen_at.0.as_nanos(), loss.since.0.as_nanos());
    replace(&state.join(LOST_FILE), &text)?;
    Ok(loss)
}

/// The keeper that a state folder names as running. It may have been killed since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningKeeper {
    pub pid: u32,
    /// Clock ticks since boot; 0 where that is not told.
    pub started: u64,
}

/// The keeper that this state folder names, if it is one of this boot.
pub fn running_keeper(state: &Path) -> Option<RunningKeeper> {
    let text = fs::read_to_string(state.join(RUNNING_FILE)).ok()?;
    let mut fields = text.split_whitespace();
    (fields.next()? == boot_id()?).then_some(())?;
    let pid = fields.next()?.parse().ok()?;
    Some(RunningKeeper { pid, started: fields.next().and_then(|field| field.parse().ok()).unwrap_or(0) })
}

/// The file that names this keeper while it runs.
#[derive(Debug)]
pub(crate) struct RunningMark(PathBuf);

impl RunningMark {
    /// For a keeper that has just begun, and is the only one of its workspace: an earlier one that is still named there
    /// was lost.
    pub fn set(state: &Path) -> io::Result<Self> {
        let path = state.join(RUNNING_FILE);
        let boot = boot_id().ok_or_else(|| io::Error::other("the kernel does not tell the id of this boot"))?;
        if fs::read_to_string(&path).is_ok_and(|earlier| earlier.starts_with(&boot)) {
            record_keeper_loss(state)?;
        }
        let started = start_ticks().unwrap_or(0);
        replace(&path, &format!("{boot} {} {started}\n", getpid().as_raw_nonzero()))?;
        Ok(Self(path))
    }

    /// For a keeper that ends in order, after everything that it started has ended.
    pub fn remove(self) {
        // Without it the next keeper takes this one for lost, and nobody is taken for a person who is not.
        let _stays = fs::remove_file(self.0);
    }
}

/// Whoever reads it sees the old text or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_added_extension("new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    fs::rename(&new, path)
}

/// When this process started, in clock ticks since boot.
fn start_ticks() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in parentheses and may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()
}

/// Which boot of the machine this is: one word, or nothing where the kernel does not tell.
pub fn boot_id() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_known_until_the_next_boot() {
        let state = tempfile::tempdir().expect("a folder");
        assert_eq!(keeper_loss(state.path()), None);
        let before = BootTime::now();
        let lost = record_keeper_loss(state.path()).expect("records");
        assert!(before <= lost.seen_at && lost.seen_at <= BootTime::now());
        assert_eq!(keeper_loss(state.path()), Some(lost));
        fs::write(state.path().join(LOST_FILE), "another-boot 5 4\n").expect("writes");
        assert_eq!(keeper_loss(state.path()), None);
    }

    #[test]
    fn a_mark_that_was_not_removed_is_a_loss_since_that_keeper_started() {
        let state = tempfile::tempdir().expect("a folder");
        RunningMark::set(state.path()).expect("sets").remove();
        drop(RunningMark::set(state.path()).expect("sets"));
        assert_eq!(keeper_loss(state.path()), None, "the one before had removed its mark");
        let named = running_keeper(state.path()).expect("it is named");
        assert_eq!((named.pid, Some(named.started)), (std::process::id(), start_ticks()));
        let before = BootTime::now();
        RunningMark::set(state.path()).expect("sets").remove();
        let loss = keeper_loss(state.path()).expect("it is recorded");
        assert!(loss.seen_at >= before && loss.since == BootTime::from_ticks(named.started), "{loss:?}");
        assert_eq!(running_keeper(state.path()), None);
        // A later loss tells nothing of the first one's start that would be less.
        let again = record_keeper_loss(state.path()).expect("records");
        assert!(again.since <= loss.since && again.seen_at >= loss.seen_at, "{again:?}");
    }

    #[test]
    fn start_times_are_on_the_same_clock() {
        let ticks = start_ticks().expect("a start time");
        let (start, now) = (BootTime::from_ticks(ticks), BootTime::now());
        let age = now.0.checked_sub(start.0);
        assert!(age.is_some_and(|age| age < Duration::from_mins(10)), "{start:?} and {now:?}");
    }
}
