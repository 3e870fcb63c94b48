//! The end of a keeper: nothing it started stays behind, and what was said last is still written down.

use std::fs;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};

use super::control::{Children, Control};
use super::reader::Reader;
use crate::Target;
use crate::wire::{Nothing, Reply, frame};

/// What a child gets to put things in order after SIGHUP.
const GRACE: Duration = Duration::from_millis(200);
/// SIGKILL works at once, except for a process in an uninterruptible wait: that one is left to the system.
const KILL_WITHIN: Duration = Duration::from_secs(1);
const DRAIN_WITHIN: Duration = Duration::from_millis(300);
const RELEASE_WITHIN: Duration = Duration::from_millis(500);
const LOOK_EVERY: Duration = Duration::from_millis(10);

impl Control {
    pub(super) fn end_all(&mut self) {
        self.endpoint.close();
        self.release_all();
        self.signal_all(Signal::HUP);
        // A stopped process sees the hang-up only when it goes on.
        self.signal_all(Signal::CONT);
        self.wait_until(GRACE, |control| {
            control.reap() == Children::None
                || control.table.all().all(|held| held.exit.is_some() || held.is_followed())
        });
        self.signal_all(Signal::KILL);
        let all_ended = self.wait_until(KILL_WITHIN, |control| {
            // We are the parent of orphans too: while there is any child, something of ours is alive.
            let children = control.reap();
            if children == Children::Some {
                for pid in children_of_ours() {
                    let _just_ended = kill_process(pid, Signal::KILL);
                }
            }
            children == Children::None
        });
        self.wait_until(DRAIN_WITHIN, |control| {
            control.table.all().all(|held| held.session.eof() || held.is_followed())
        });
        // What has outlived this becomes an orphan that looks like anybody's: then the mark stays, as if the keeper was lost.
        if let Some(running) = self.running.take().filter(|_| all_ended) {
            running.remove();
        }
        self.audience.tell_ending();
        for (outbox, seq) in self.ending.take().unwrap_or_default().asked_by {
            outbox.send(frame(&Reply::ok(seq, Nothing {})));
        }
    }

    /// Lets terminals go on that are not ours to end and would stay halted.
    fn release_all(&self) {
        let releases: Vec<_> = self.readers.iter().map(Reader::release).collect();
        let deadline = Instant::now() + RELEASE_WITHIN;
        for release in releases {
            // One that is late is in the middle of a write, and does it next.
            let _late = release.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        }
    }

    fn signal_all(&self, signal: Signal) {
        for held in self.table.all() {
            let _no_group = held.signal(signal, Target::Group);
            let _ended = held.signal(signal, Target::Leader);
        }
    }

    /// Looks again when a child ends, and every now and then. Says whether it was done in time.
    fn wait_until(&mut self, within: Duration, mut done: impl FnMut(&mut Self) -> bool) -> bool {
        let deadline = Instant::now() + within;
        while !done(self) {
            if Instant::now() >= deadline {
                return false;
            }
            let pause = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK_EVERY.subsec_nanos()) };
            let _timeout = poll(&mut [PollFd::new(&self.signals, PollFlags::IN)], Some(&pause));
            while self.signals.next().is_some() {}
        }
        true
    }
}

/// The kernel lists children by the thread that made them, and orphans by any.
pub fn children_of_ours() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_ascii_whitespace().filter_map(parse_pid).collect::<Vec<_>>()).collect()
}

fn parse_pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}
