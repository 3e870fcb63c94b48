//! What became of a command that was given to the control client.
//!
//! Each command is followed by one that prints its number. What was not acknowledged when the client ends (somebody
//! may detach it) may never have reached the server, and whoever waits for it is told so.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// What the acknowledgements begin with. Nothing else that is printed there does.
const MARK: &str = "flightdeck-ack-";
/// How many failed commands are remembered: more than can wait at a time.
const FAILURES: usize = 256;

/// The answers of one client.
#[derive(Debug, Default)]
pub(super) struct Answers {
    known: Mutex<Known>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Known {
    given: u64,
    done: u64,
    failed: Vec<u64>,
    ended: bool,
}

/// One command on its way.
#[derive(Debug)]
pub(super) struct Ticket {
    answers: Arc<Answers>,
    number: u64,
}

/// What is known of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    NotYet,
    Done,
    /// The server refused it.
    Refused,
    /// The client has ended, and it may have been done or not.
    Unknown,
}

impl Answers {
    /// The lines for a command that is acknowledged, and what to wait for.
    pub(super) fn ticket(self: &Arc<Self>, command: &str) -> (String, Ticket) {
        let mut known = self.lock();
        known.given += 1;
        let number = known.given;
        let lines = format!("{command}\ndisplay-message -p {MARK}{number}\n");
        (lines, Ticket { answers: Arc::clone(self), number })
    }

    /// Takes a line that the client printed. `false` when it was its last.
    pub(super) fn take(&self, line: &[u8], refused: &mut bool) -> bool {
        if line.starts_with(b"%error") {
            *refused = true;
        }
        let number = line.strip_prefix(MARK.as_bytes()).and_then(|rest| str::from_utf8(rest).ok()?.trim().parse().ok());
        if let Some(number) = number {
            let mut known = self.lock();
            known.done = number;
            if std::mem::take(refused) {
                if known.failed.len() == FAILURES {
                    known.failed.remove(0);
                }
                known.failed.push(number);
            }
            self.changed.notify_all();
        }
        !line.starts_with(b"%exit")
    }

    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    pub(super) fn ended(&self) -> bool {
        self.lock().ended
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock()
    }
}

impl Ticket {
    /// What became of it, as far as that is known after a moment.
    pub(super) fn wait(&self, moment: Duration) -> Told {
        let open = |known: &mut Known| known.done < self.number && !known.ended;
        let mut known = self.answers.lock();
        self.answers.changed.wait_while_for(&mut known, open, moment);
        if known.done < self.number {
            if known.ended { Told::Unknown } else { Told::NotYet }
        } else if known.failed.contains(&self.number) {
            Told::Refused
        } else {
            Told::Done
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_learns_what_became_of_it() {
        let answers = Arc::new(Answers::default());
        let tickets: Vec<_> = (0..4).map(|n| answers.ticket(&format!("command {n}"))).collect();
        assert_eq!(tickets[1].0, "command 1\ndisplay-message -p flightdeck-ack-2\n");
        let mut refused = false;
        let all = || tickets.iter().map(|(_, ticket)| ticket.wait(Duration::ZERO)).collect::<Vec<_>>();
        for line in
            ["%begin 1 2 1", "%end 1 2 1", "flightdeck-ack-1", "no such pane", "%error 1 2 1", "flightdeck-ack-2"]
        {
            assert!(answers.take(format!("{line}\n").as_bytes(), &mut refused));
        }
        assert_eq!(all(), [Told::Done, Told::Refused, Told::NotYet, Told::NotYet]);
        answers.take(b"flightdeck-ack-3\n", &mut refused);
        assert!(!answers.take(b"%exit\n", &mut refused));
        answers.end();
        assert_eq!(all(), [Told::Done, Told::Refused, Told::Done, Told::Unknown]);
    }
}
