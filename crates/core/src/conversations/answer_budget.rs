//! How much the hub holds of its answers to one agent: those that are being made, and those that the agent has not read. An
//! agent that asks for much and reads nothing waits for its answers, and the hub does not grow.

use std::collections::VecDeque;
use std::sync::Arc;

use flightdeck_contract::{ConversationId, TerminalId};
use flightdeck_workbench::limits::MAX_TEXT;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::terminals;
use crate::hub::Hub;
use crate::store::StoredLine;

/// How much text may be held at once. An answer that is longer is held alone.
const BUDGET_KIB: u32 = 32 << 10;

/// The room for long answers to one agent, first come first.
#[derive(Debug)]
pub struct AnswerBudget {
    free: Arc<Semaphore>,
    /// The room of answers that were said and not read, by where each ends in all that is said to the agent.
    unread: Mutex<VecDeque<(u64, AnswerRoom)>>,
}

/// Room for an answer, until it is dropped.
#[derive(Debug)]
pub struct AnswerRoom(OwnedSemaphorePermit);

impl AnswerRoom {
    fn kib(&self) -> u32 {
        u32::try_from(self.0.num_permits()).unwrap_or(BUDGET_KIB)
    }

    /// The answer has only so many bytes.
    pub fn shrink(&mut self, bytes: usize) {
        let spare = self.kib().saturating_sub(kib(bytes as u64));
        drop(self.0.split(spare as usize));
    }
}

fn kib(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(BUDGET_KIB).clamp(1, BUDGET_KIB)
}

impl Default for AnswerBudget {
    fn default() -> Self {
        AnswerBudget { free: Arc::new(Semaphore::new(BUDGET_KIB as usize)), unread: Mutex::default() }
    }
}

impl AnswerBudget {
    async fn reserve(&self, bytes: u64) -> Option<AnswerRoom> {
        // It is never closed.
        Arc::clone(&self.free).acquire_many_owned(kib(bytes)).await.ok().map(AnswerRoom)
    }

    /// Waits for room for the text of a file.
    pub async fn reserve_text(&self) -> Option<AnswerRoom> {
        self.reserve(MAX_TEXT as u64).await
    }

    /// Waits for room for what a terminal of the agent has printed.
    pub async fn reserve_output(&self, hub: &Hub, id: ConversationId, terminal: TerminalId) -> Option<AnswerRoom> {
        loop {
            let room = self.reserve(terminals::max_output_bytes(hub, id, terminal)).await?;
            // More may have been printed while it was waited for.
            if kib(terminals::max_output_bytes(hub, id, terminal)) <= room.kib() {
                return Some(room);
            }
        }
    }

    /// The room is taken until the agent has read what is said to it up to here.
    pub fn keep_until_read(&self, end: u64, room: AnswerRoom) {
        self.unread.lock().push_back((end, room));
    }

    /// Answers that an earlier hub has made.
    pub(super) fn take_over(&self, lines: &[StoredLine]) {
        for line in lines {
            let free = u32::try_from(self.free.available_permits()).unwrap_or(BUDGET_KIB);
            let wanted = kib(line.line.len() as u64).min(free);
            if let Ok(room) = Arc::clone(&self.free).try_acquire_many_owned(wanted) {
                self.keep_until_read(line.start + line.line.len() as u64, AnswerRoom(room));
            }
        }
    }

    /// The agent has read all before this.
    pub(super) fn read_to(&self, end: u64) {
        let mut unread = self.unread.lock();
        while unread.pop_front_if(|(until, _)| *until <= end).is_some() {}
    }

    /// Nobody reads any more.
    pub(super) fn clear(&self) {
        self.unread.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const ALL: u64 = (BUDGET_KIB as u64) << 10;

    #[test]
    fn answers_wait_until_those_before_them_were_read() {
        let budget = AnswerBudget::default();
        let mut first = budget.reserve(ALL).now_or_never().flatten().expect("it is free");
        assert!(budget.reserve(1).now_or_never().is_none());
        first.shrink(1024);
        let second = budget.reserve(ALL - 1024).now_or_never().flatten().expect("the rest is free");
        budget.keep_until_read(10, first);
        budget.keep_until_read(20, second);
        budget.read_to(19);
        assert!(budget.reserve(1024).now_or_never().is_some());
        assert!(budget.reserve(1025).now_or_never().is_none());
        budget.clear();
        assert!(budget.reserve(ALL).now_or_never().is_some());
    }

    #[test]
    fn an_answer_that_is_longer_than_all_room_gets_all_of_it() {
        let budget = AnswerBudget::default();
        let room = budget.reserve(u64::MAX).now_or_never().flatten().expect("it is free");
        assert!(budget.reserve(0).now_or_never().is_none());
        drop(room);
        let line = StoredLine { start: 5, line: "x".repeat(ALL as usize + 5) };
        budget.take_over(&[line.clone(), line]);
        assert!(budget.reserve(0).now_or_never().is_none());
        budget.read_to(ALL + 10);
        assert!(budget.reserve(ALL).now_or_never().is_some());
    }
}
