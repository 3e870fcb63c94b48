//! What the person at this window is asked, and what becomes of their answer.

use std::process::ExitCode;

use flightdeck_client::Error as ClientError;
use flightdeck_contract::approval::{Approvals, PermissionSubject, Subject};
use flightdeck_contract::chat::{Chat, ChatState, EntryContent};
use flightdeck_contract::{ApprovalId, ErrorCode};

use super::ask::{self, Ask};
use super::form::{Form, FormStep};
use super::talk::Talk;
use crate::commands::visible::visible;

/// What the person is asked now.
#[derive(Debug)]
pub enum Asking {
    /// For a prompt.
    Prompt,
    Permission(ApprovalId, Box<PermissionSubject>),
    Command(ApprovalId, Ask),
    Form(Form),
    SignIn(Vec<String>),
}

impl Talk {
    /// Forgets a question that needs no answer any more: it was given elsewhere, or taken back.
    pub(super) fn forget_answered(&mut self, chat: &Chat) {
        let waits = match &self.asking {
            Some(Asking::Permission(id, _) | Asking::Command(id, _)) => chat.approval == Some(*id),
            Some(Asking::Form(form)) => self.entries.get(&form.entry).is_some_and(|entry| match &entry.content {
                EntryContent::Question(question) => question.outcome.is_none(),
                _ => false,
            }),
            Some(Asking::SignIn(_)) => chat.state == ChatState::WaitsForSignIn,
            Some(Asking::Prompt) | None => true,
        };
        self.is_signing_in &= matches!(chat.state, ChatState::WaitsForSignIn | ChatState::Gone | ChatState::Failed);
        if !waits {
            self.asking = None;
            self.output.answered();
        }
    }

    pub(super) fn ask_for_prompt(&mut self) -> anyhow::Result<()> {
        if self.asking.is_none() && self.person && !self.once {
            self.output.ask_for_prompt()?;
            self.asking = Some(Asking::Prompt);
        }
        Ok(())
    }

    pub(super) fn ask_sign_in(&mut self, chat: &Chat) -> anyhow::Result<Option<ExitCode>> {
        if !self.person {
            let text = format!(
                "{} wants you to sign in first: run `flightdeck agent --resume {}` in a terminal",
                visible(&chat.agent.title),
                self.id
            );
            self.warn(&text)?;
            return Ok(Some(ExitCode::FAILURE));
        }
        if self.asking.is_none() && !self.is_signing_in {
            self.output.ask(&ask::sign_in(&chat.reason, &chat.auth))?;
            self.asking = Some(Asking::SignIn(chat.auth.iter().map(|method| method.id.clone()).collect()));
        }
        Ok(None)
    }

    fn asks_about(&self, id: ApprovalId) -> bool {
        matches!(&self.asking, Some(Asking::Permission(asked, _) | Asking::Command(asked, _)) if *asked == id)
    }

    pub(super) fn ask_approval(&mut self, chat: &Chat) -> anyhow::Result<()> {
        let Some(id) = chat.approval.filter(|id| !self.settled.contains(id)) else { return Ok(()) };
        if self.asks_about(id) || self.looking_up == Some(id) {
            return Ok(());
        }
        if !self.person {
            self.settled.insert(id);
            return self.warn(&format!("waits for a person: {} (`flightdeck approve {id}`)", visible(&chat.reason)));
        }
        // The entry of the question has no more than its title: what would change stands in the approval.
        self.looking_up = Some(id);
        self.calls.look_up(&self.client, id);
        Ok(())
    }

    /// Asks about an approval that was looked up, if it still waits.
    pub(super) fn looked_up(&mut self, id: ApprovalId, result: Result<Approvals, ClientError>) -> anyhow::Result<()> {
        self.looking_up.take_if(|wanted| *wanted == id);
        let approvals = match result {
            Ok(Approvals { approvals, .. }) => approvals,
            // The next hub asks again.
            Err(ClientError::Gone) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let waits = self.chat.as_ref().is_some_and(|chat| chat.approval == Some(id));
        if !waits || self.settled.contains(&id) || self.asks_about(id) {
            return Ok(());
        }
        let Some(approval) = approvals.into_iter().find(|approval| approval.id == id) else { return Ok(()) };
        match approval.subject {
            Subject::Permission(subject) => {
                self.output.ask(&ask::permission(&subject))?;
                self.asking = Some(Asking::Permission(id, Box::new(subject)));
            }
            Subject::Command(_) | Subject::FileWrite(_) => {
                let ask = ask::command(&approval);
                self.output.ask(&ask)?;
                self.asking = Some(Asking::Command(id, ask));
            }
        }
        Ok(())
    }

    /// The agent has a form, or a program of its wants something typed.
    pub(super) fn ask_input(&mut self, chat: &Chat) -> anyhow::Result<()> {
        if let Some(terminal) = chat.terminal
            && self.terminal.replace(terminal) != Some(terminal)
        {
            self.warn(&format!("{}: `flightdeck attach {terminal}` answers it", visible(&chat.reason)))?;
        }
        if matches!(self.asking, Some(Asking::Form(_))) {
            return Ok(());
        }
        let question = self.entries.values().find_map(|entry| match &entry.content {
            EntryContent::Question(question)
                if question.outcome.is_none() && !self.reported.contains(&entry.number) =>
            {
                Some((entry.number, (**question).clone()))
            }
            _ => None,
        });
        let Some((entry, question)) = question else { return Ok(()) };
        let form = Form::new(entry, question);
        if self.person {
            self.output.ask(&form.ask())?;
            self.asking = Some(Asking::Form(form));
            return Ok(());
        }
        self.reported.insert(entry);
        self.calls.look_for_others(&self.client, form);
        Ok(())
    }

    /// Nobody can fill a form in here. Where nobody else is either, the agent is told so instead of waiting for ever.
    pub(super) fn leave_to_others(&mut self, form: Form, is_attended: bool) -> anyhow::Result<()> {
        let message = visible(form.message());
        if is_attended {
            let id = self.id;
            let text =
                format!("the agent asks: {message}: answer on the page, or run `flightdeck agent --resume {id}`");
            return self.warn(&text);
        }
        self.warn(&format!(
            "declined, because nobody is here to answer: {message}; run this in a terminal to be asked"
        ))?;
        self.calls.fill(&self.client, self.id, form, true);
        Ok(())
    }

    /// A line was typed as an answer.
    pub(super) fn answer(&mut self, asking: Asking, line: &str) -> anyhow::Result<()> {
        match asking {
            Asking::Permission(id, asked) => {
                if let Some(answer) = ask::permission_answer(id, &asked, line) {
                    self.settled.insert(id);
                    self.calls.approve(&self.client, answer);
                } else {
                    self.output.ask_again(&ask::permission(&asked), &ask::permission_hint(&asked))?;
                    self.asking = Some(Asking::Permission(id, asked));
                }
            }
            Asking::Command(id, ask) => {
                if let Some(answer) = ask::command_answer(id, line) {
                    self.settled.insert(id);
                    self.calls.approve(&self.client, answer);
                } else {
                    self.output.ask_again(&ask, "type y or n")?;
                    self.asking = Some(Asking::Command(id, ask));
                }
            }
            Asking::Form(form) => self.fill_in(form, line)?,
            Asking::SignIn(ways) => {
                let number = line.trim().parse::<usize>().ok();
                match number.and_then(|number| ways.get(number.checked_sub(1)?)) {
                    Some(method) => {
                        self.is_signing_in = true;
                        self.calls.sign_in(&self.client, self.id, method.clone());
                    }
                    None => self.warn(&format!("type a number from 1 to {}", ways.len()))?,
                }
            }
            Asking::Prompt => {}
        }
        Ok(())
    }

    fn fill_in(&mut self, mut form: Form, line: &str) -> anyhow::Result<()> {
        match form.take(line) {
            Ok(FormStep::Next) => {}
            Ok(step) => {
                // Not asked again while the answer is on its way.
                self.reported.insert(form.entry);
                self.calls.fill(&self.client, self.id, form, step == FormStep::Declined);
                return Ok(());
            }
            Err(reason) => self.warn(&format!("  {reason}"))?,
        }
        self.output.ask(&form.ask())?;
        self.asking = Some(Asking::Form(form));
        Ok(())
    }

    /// The hub does not take a form as it was filled in.
    pub(super) fn form_refused(&mut self, mut form: Form, error: &ClientError) -> anyhow::Result<()> {
        self.reported.remove(&form.entry);
        // Somebody else was first, or the next hub asks again.
        if matches!(error, ClientError::Gone) || error.hub().is_some_and(|it| it.code == ErrorCode::ApprovalNotFound) {
            return Ok(());
        }
        self.warn(&visible(&error.to_string()))?;
        if self.person {
            form.restart();
            self.output.ask(&form.ask())?;
            self.asking = Some(Asking::Form(form));
        }
        Ok(())
    }
}
