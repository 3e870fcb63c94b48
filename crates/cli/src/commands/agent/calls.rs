//! What is asked of the hub, aside: the window goes on while the hub or the agent thinks.

use flightdeck_client::{Client, Error};
use flightdeck_contract::approval::{AnswerApproval, Answered, Approvals, ListApprovals};
use flightdeck_contract::chat::{
    AnswerQuestion, Authenticate, Block, CancelTurn, Chat, ChatRead, Entry, Prompt, Prompted, ReadChat, SetMode,
    SetOption,
};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{ApprovalId, ConversationId};
use tokio::task::JoinSet;

use super::form::Form;

/// How many entries are read at once.
const PAGE_ENTRIES: usize = 500;

/// What came of a call.
#[derive(Debug)]
pub enum CallResult {
    /// A snapshot, and all entries that were missed.
    CaughtUp {
        chat: Box<Chat>,
        result: Result<Vec<Entry>, Error>,
    },
    Prompted {
        result: Result<Prompted, Error>,
    },
    Chosen {
        what: String,
        result: Result<(), Error>,
    },
    /// The open approvals, among which this one is looked for.
    LookedUp {
        id: ApprovalId,
        result: Result<Approvals, Error>,
    },
    Approved {
        id: ApprovalId,
        result: Result<(), Error>,
    },
    /// Whether somebody elsewhere could fill this form in.
    Attended {
        form: Form,
        is_attended: bool,
    },
    Filled {
        form: Form,
        result: Result<(), Error>,
    },
    Cancelled,
    SignedIn {
        result: Result<(), Error>,
    },
}

/// What is chosen of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choose {
    Mode(String),
    Option { option: String, value: String },
}

/// Calls under way.
#[derive(Debug, Default)]
pub struct Calls {
    under_way: JoinSet<CallResult>,
}

impl Calls {
    /// The next result. Safe to drop while it waits.
    pub async fn next(&mut self) -> CallResult {
        loop {
            match self.under_way.join_next().await {
                Some(Ok(result)) => return result,
                // They don't panic, and are aborted with the window only.
                Some(Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }

    /// Reads what lies between the newest entry that is known and those of a snapshot.
    pub fn catch_up(&mut self, client: &Client, id: ConversationId, known: u64, chat: Box<Chat>, entries: Vec<Entry>) {
        let client = client.clone();
        self.under_way
            .spawn(async move { CallResult::CaughtUp { chat, result: read_since(&client, id, known, entries).await } });
    }

    /// Says something, after these choices.
    pub fn prompt(&mut self, client: &Client, id: ConversationId, choices: Vec<Choose>, text: String) {
        let client = client.clone();
        self.under_way.spawn(async move {
            let prompt = Prompt { id, content: vec![Block::Text { text }] };
            let result = async {
                for choice in choices {
                    choose(&client, id, choice).await?;
                }
                client.call("flightdeck.chat.prompt", &prompt).await
            };
            CallResult::Prompted { result: result.await }
        });
    }

    pub fn choose(&mut self, client: &Client, id: ConversationId, choice: Choose, what: String) {
        let client = client.clone();
        self.under_way.spawn(async move { CallResult::Chosen { what, result: choose(&client, id, choice).await } });
    }

    pub fn look_up(&mut self, client: &Client, id: ApprovalId) {
        let client = client.clone();
        self.under_way.spawn(async move {
            let result = client.call("flightdeck.approval.list", &ListApprovals {}).await;
            CallResult::LookedUp { id, result }
        });
    }

    pub fn approve(&mut self, client: &Client, answer: AnswerApproval) {
        let (client, id) = (client.clone(), answer.id);
        self.under_way.spawn(async move {
            let result = client.call::<Answered>("flightdeck.approval.answer", &answer).await.map(drop);
            CallResult::Approved { id, result }
        });
    }

    /// Looks whether there is somebody who can fill a form in.
    pub fn look_for_others(&mut self, client: &Client, form: Form) {
        let client = client.clone();
        self.under_way.spawn(async move {
            let asked = client.call::<Approvals>("flightdeck.approval.list", &ListApprovals {}).await;
            CallResult::Attended { form, is_attended: asked.is_ok_and(|approvals| approvals.attended > 0) }
        });
    }

    /// Answers a form, or declines it.
    pub fn fill(&mut self, client: &Client, id: ConversationId, form: Form, is_declined: bool) {
        let client = client.clone();
        let values = (!is_declined).then(|| form.values());
        let answer = AnswerQuestion { id, entry: form.entry, values };
        self.under_way.spawn(async move {
            let result = client.call::<Done>("flightdeck.chat.answer", &answer).await.map(drop);
            CallResult::Filled { form, result }
        });
    }

    pub fn cancel(&mut self, client: &Client, id: ConversationId) {
        let client = client.clone();
        self.under_way.spawn(async move {
            // It may have ended at this moment, or go on at the next hub: the state tells.
            let _ = client.call::<Done>("flightdeck.chat.cancel", &CancelTurn { id }).await;
            CallResult::Cancelled
        });
    }

    pub fn sign_in(&mut self, client: &Client, id: ConversationId, method: String) {
        let client = client.clone();
        self.under_way.spawn(async move {
            let request = Authenticate { id, method };
            let result = client.call::<Done>("flightdeck.chat.authenticate", &request).await.map(drop);
            CallResult::SignedIn { result }
        });
    }
}

async fn read_since(
    client: &Client,
    id: ConversationId,
    known: u64,
    mut entries: Vec<Entry>,
) -> Result<Vec<Entry>, Error> {
    while let Some(first) = entries.first().map(|entry| entry.number).filter(|first| *first > known + 1) {
        let read = ReadChat { id, before: Some(first), limit: Some(PAGE_ENTRIES) };
        let mut missed = client.call::<ChatRead>("flightdeck.chat.read", &read).await?.entries;
        if missed.is_empty() {
            break;
        }
        missed.append(&mut entries);
        entries = missed;
    }
    Ok(entries)
}

async fn choose(client: &Client, id: ConversationId, choice: Choose) -> Result<(), Error> {
    match choice {
        Choose::Mode(mode) => client.call::<Done>("flightdeck.chat.mode", &SetMode { id, mode }).await?,
        Choose::Option { option, value } => {
            client.call::<Done>("flightdeck.chat.option", &SetOption { id, option, value }).await?
        }
    };
    Ok(())
}
