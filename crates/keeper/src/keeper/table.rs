//! The sessions a keeper holds, found by id or by process.

use std::collections::HashMap;
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process};
use rustix::termios::tcgetpgrp;

use super::session::{Outcome, Session};
use super::tap::TapToken;
use crate::{Exit, Refusal, SessionId, SessionInfo, Target, layout};

#[derive(Default)]
pub struct Table {
    by_id: HashMap<SessionId, Held>,
    /// Children that were not reaped yet; an entry goes with its child, for the system uses numbers again.
    by_pid: HashMap<Pid, SessionId>,
}

pub struct Held {
    pub session: Arc<Session>,
    pub token: TapToken,
    /// Index of the reader thread.
    pub reader: usize,
    pub exit: Option<Exit>,
    /// The `exit` file could not be written yet.
    pub exit_unwritten: bool,
}

impl Table {
    pub fn insert(&mut self, held: Held) {
        let id = held.session.id.clone();
        if let Some(pid) = held.session.pid {
            self.by_pid.insert(pid, id.clone());
        }
        self.by_id.insert(id, held);
    }

    pub fn get(&self, id: &SessionId) -> Result<&Held, Refusal> {
        self.by_id.get(id).ok_or_else(|| Refusal::UnknownSession { id: id.to_string() })
    }

    pub fn contains(&self, id: &SessionId) -> bool {
        self.by_id.contains_key(id)
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub fn all(&self) -> impl Iterator<Item = &Held> {
        self.by_id.values()
    }

    /// Takes an ended session out.
    pub fn remove_ended(&mut self, id: &SessionId) -> Result<Held, Refusal> {
        let held = self.get(id)?;
        if held.exit.is_none() && !held.is_followed() {
            return Err(Refusal::StillRunning { id: id.clone(), pid: held.pid() });
        }
        self.by_id.remove(id).ok_or_else(|| Refusal::UnknownSession { id: id.to_string() })
    }

    /// Notes the end of a child, whose `exit` file is then to be written. `None` for an orphan that was only ours to reap.
    pub fn ended(&mut self, pid: Pid, exit: Exit) -> Option<&mut Held> {
        let id = self.by_pid.remove(&pid)?;
        let held = self.by_id.get_mut(&id)?;
        held.exit = Some(exit);
        held.exit_unwritten = true;
        held.session.close_stdin();
        Some(held)
    }

    /// Tries again what a full disk refused. `true` when nothing is left.
    pub fn write_exits(&mut self) -> bool {
        let mut done = true;
        for held in self.by_id.values_mut().filter(|held| held.exit_unwritten) {
            done &= held.write_exit();
        }
        done
    }
}

impl Held {
    /// Its child; zero when it is followed.
    pub fn pid(&self) -> u32 {
        self.session.pid.map_or(0, |pid| pid.as_raw_nonzero().get() as u32)
    }

    /// Whether its processes belong to somebody else.
    pub fn is_followed(&self) -> bool {
        self.session.pid.is_none()
    }

    pub fn info(&self) -> SessionInfo {
        let (told, lost) = match self.session.outcome() {
            Outcome::Open => (None, false),
            Outcome::Exited(exit) => (Some(exit), false),
            Outcome::Lost => (None, true),
        };
        SessionInfo {
            id: self.session.id.clone(),
            pid: self.pid(),
            // Told only when the log is complete, here as in the event.
            exit: self.exit.filter(|_| self.session.drained()).or(told),
            eof: self.session.eof(),
            log_end: self.session.log_end(),
            stalled: self.session.stalled(),
            lost,
        }
    }

    /// Signals a target, if there is still a process of this session in it.
    pub fn signal(&self, signal: Signal, target: Target) -> Result<(), Refusal> {
        let nobody = || Refusal::NoProcess { id: self.session.id.clone() };
        let Some(pid) = self.session.pid else { return Err(nobody()) };
        let sent = match target {
            Target::Leader if self.exit.is_some() => return Err(nobody()),
            Target::Leader => kill_process(pid, signal),
            Target::Group if self.group_is_gone(pid) => return Err(nobody()),
            Target::Group => kill_process_group(pid, signal),
            Target::Foreground => {
                let Some(master) = &self.session.master else {
                    return Err(Refusal::NoTerminal { id: self.session.id.clone() });
                };
                let group = tcgetpgrp(master).map_err(|_| nobody())?;
                kill_process_group(group, signal)
            }
        };
        sent.map_err(|error| match error {
            rustix::io::Errno::SRCH => nobody(),
            error => Refusal::Other { text: format!("the signal could not be sent: {error}") },
        })
    }

    /// While a group has members the system does not give its number to a new process. So once the leader is
    /// reaped, a process of that number proves that the group is gone and its number belongs to a stranger.
    fn group_is_gone(&self, pid: Pid) -> bool {
        self.exit.is_some() && test_kill_process(pid).is_ok()
    }

    /// `true` when the file is there.
    pub fn write_exit(&mut self) -> bool {
        if let Some(exit) = self.exit {
            // A folder that its owner has removed needs no status any more.
            let written = layout::write_exit(&self.session.log_dir, exit).is_ok();
            self.exit_unwritten = !written && self.session.log_dir.exists();
        }
        !self.exit_unwritten
    }
}
