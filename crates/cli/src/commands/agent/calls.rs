//! What is asked of the hub, aside: the window goes on while the hub or the agent thinks.

use flightdeck_client::{Client, Error};
use flightdeck_contract::approval::{AnswerApproval, Answered};
use flightdeck_contract::chat::{
    AnswerQuestion, Authenticate, Block, CancelTurn, Prompt, Prompted, SetMode, SetOption,
};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{ApprovalId, ConversationId};
use tokio::task::JoinSet;

use super::form::Form;

/// What came of a call.
#[derive(Debug)]
pub enum CallResult {
    Prompted { result: Result<Prompted, Error> },
    Chosen { what: String, result: Result<(), Error> },
    Approved { id: ApprovalId, result: Result<(), Error> },
    Filled { form: Form, result: Result<(), Error> },
    Cancelled,
    SignedIn { result: Result<(), Error> },
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

    pub fn approve(&mut self, client: &Client, answer: AnswerApproval) {
        let (client, id) = (client.clone(), answer.id);
        self.under_way.spawn(async move {
            let result = client.call::<Answered>("flightdeck.approval.answer", &answer).await.map(drop);
            CallResult::Approved { id, result }
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

async fn choose(client: &Client, id: ConversationId, choice: Choose) -> Result<(), Error> {
    match choice {
        Choose::Mode(mode) => client.call::<Done>("flightdeck.chat.mode", &SetMode { id, mode }).await?,
        Choose::Option { option, value } => {
            client.call::<Done>("flightdeck.chat.option", &SetOption { id, option, value }).await?
        }
    };
    Ok(())
}
