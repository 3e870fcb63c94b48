//! Whether a process was started inside of one of the hub's own terminals, where an agent could have typed it.

use crate::actor::Within;
use crate::hub::Hub;

/// A line of ancestors that is longer has gone in circles.
const LONGEST_LINE: usize = 1000;
/// How often a line is followed that breaks off.
const LOOKS: usize = 3;

/// Where the line of a process's ancestors ends.
enum End {
    Inside(Within),
    Outside,
}

impl Hub {
    /// The terminal that a process belongs to. The keeper is the parent of everything that runs in terminals, orphans
    /// included, so the line of a process's ancestors tells. One that can't be followed counts as inside.
    pub fn within(&self, pid: u32) -> Option<Within> {
        // An ancestor may end while it is looked at; its child then has another one.
        let ends = (0..LOOKS).find_map(|_| self.end_of_line(pid));
        match ends.unwrap_or(End::Inside(Within { terminal: None })) {
            End::Inside(within) => Some(within),
            End::Outside => None,
        }
    }

    /// Where the line of a process leads; `None` when it broke off.
    fn end_of_line(&self, pid: u32) -> Option<End> {
        let keeper = self.terminals().keeper().keeper_pid();
        // It is the keeper's child, but for one that has outlived its keeper.
        let tmux = self.tabs().grounds.tmux_pid();
        let mut process = pid;
        for _ in 0..LONGEST_LINE {
            let parent = parent_of(process)?;
            if parent == keeper || Some(parent) == tmux {
                return Some(End::Inside(self.terminal_led_by(process)));
            }
            if parent <= 1 {
                return Some(End::Outside);
            }
            process = parent;
        }
        None
    }

    /// The terminal of this first process; unknown for an orphan, whose own word counts for nothing.
    fn terminal_led_by(&self, leader: u32) -> Within {
        let sessions = self.terminals().all();
        let led = sessions.iter().find(|session| session.leads(leader));
        Within { terminal: led.and_then(|session| crate::convert::terminal_id(session.id())) }
    }
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses and may hold anything.
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
