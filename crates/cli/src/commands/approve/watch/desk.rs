//! The desk: what waits, what the person is looking at, and what a word of theirs means. Nothing here waits, reads or
//! writes; it is told what happened and says what to do.
//!
//! ```text
//!            ┌──────────────── next ◄────────────────┐
//!            ▼                                       │
//!   idle ─► shown ─ armed ─► choosing ─ y t s ──► sending ─► answered
//!                               │ ▲ ── a ──► confirming ─ y ─┤
//!                               │ │ ── n ──► reason ─────────┤
//!                               ▼ │ ── e ──► editing ────────┘
//! ```
//!
//! Whatever the state, another person may be first, the time may be up, the agent may leave, or the hub.

use std::time::Duration;

use flightdeck_contract::approval::{
    AnswerApproval, Answered, Approval, ApprovalEvent, Choice, Outcome, PermissionOption, Scope,
};
use flightdeck_contract::consent::{Consent, SetConsent};
use flightdeck_contract::policy::PolicyNotice;
use flightdeck_contract::{ApprovalId, Error, ErrorCode};

use super::super::answer;
use super::super::show::{self, Length};
use super::super::subject;
use crate::commands::visible::visible;
use crate::style::Style;

/// A person's word: a letter, and what follows it where lines are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub letter: char,
    pub rest: Option<String>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Show this.
    Say(Vec<String>),
    /// Tell the hub.
    Answer(AnswerApproval),
    /// Tell the hub.
    Consent(SetConsent),
    /// Have the person edit the command.
    Edit(Box<Approval>),
    /// The person has had enough.
    Quit,
}

/// How the person is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By single keys in a window.
    Keys,
    /// By lines.
    Lines,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Consent {
        version: u32,
        remember: bool,
    },
    Idle,
    /// It is on the screen, but a key that was on its way must not answer it.
    Shown(ApprovalId),
    Choosing(ApprovalId),
    /// The rule is on the screen.
    Confirming(ApprovalId),
    /// Why not?
    Reason(ApprovalId),
    Editing(ApprovalId),
    Sending(ApprovalId, Scope),
}

/// How it stands with the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hub {
    /// It has not said yet what waits, so it may not count this watcher in yet.
    Awaited,
    There,
    Gone,
}

#[derive(Debug)]
pub struct Desk {
    /// Oldest first.
    waiting: Vec<Approval>,
    state: State,
    hub: Hub,
    manner: Manner,
    style: Style,
}

impl Desk {
    pub fn new(manner: Manner, style: Style) -> Self {
        Desk { waiting: Vec::new(), state: State::Idle, hub: Hub::Awaited, manner, style }
    }

    /// Begins with the question whether agents may control panes and editors, when nobody has answered it.
    pub fn begin(&mut self, consent: &Consent) -> Vec<Act> {
        if !consent.ask {
            return Vec::new();
        }
        self.state = State::Consent { version: consent.version, remember: true };
        vec![Act::Say(consent.text.lines().map(visible).chain([String::new()]).collect())]
    }

    /// Something happened at the hub.
    pub fn event(&mut self, event: ApprovalEvent) -> Vec<Act> {
        match event {
            ApprovalEvent::Snapshot { approvals } => {
                self.hub = Hub::There;
                let lost = self.current().filter(|id| !approvals.iter().any(|approval| approval.id == *id));
                self.waiting = approvals;
                match lost {
                    Some(id) => self.moved_on(vec![format!("{id} waits no more")]),
                    None => self.next(),
                }
            }
            ApprovalEvent::Pending { approval } => {
                self.waiting.push(*approval);
                self.next()
            }
            ApprovalEvent::Settled { id, outcome, by, reason, .. } => self.settled(id, outcome, by, reason),
            ApprovalEvent::Policy { policy } => vec![Act::Say(self.policy(&policy))],
        }
    }

    /// How it stands with the policy files.
    fn policy(&self, policy: &[PolicyNotice]) -> Vec<String> {
        if policy.is_empty() {
            return vec![self.style.green("what the policy files say is in force")];
        }
        let line = |notice: &PolicyNotice| format!("the policy {}: {}", visible(&notice.file), visible(&notice.text));
        policy.iter().map(|notice| self.style.yellow(&line(notice))).collect()
    }

    /// The hub is gone, and everything that waited there.
    pub fn gone(&mut self) -> Vec<Act> {
        self.hub = Hub::Gone;
        self.waiting.clear();
        self.state = State::Idle;
        vec![Act::Say(vec![self.style.yellow("the hub has ended; this goes on when it is back")])]
    }

    /// There is a hub again.
    pub fn back(&mut self) -> Vec<Act> {
        self.hub = Hub::Awaited;
        vec![Act::Say(vec![self.style.green("the hub is back")])]
    }

    /// Whether something was put on the screen that keys must not answer yet.
    pub fn is_fresh(&self) -> bool {
        matches!(self.state, State::Shown(_))
    }

    /// From now on keys count.
    pub fn armed(&mut self) {
        if let State::Shown(id) = self.state {
            self.state = State::Choosing(id);
        }
    }

    /// Whether a whole line is wanted: the reason for a no.
    pub fn wants_line(&self) -> bool {
        matches!(self.state, State::Reason(_))
    }

    /// The person said why not, or thought better of it.
    pub fn reason(&mut self, reason: Option<String>) -> Vec<Act> {
        let State::Reason(id) = self.state else { return Vec::new() };
        let Some(reason) = reason else {
            self.state = State::Choosing(id);
            return Vec::new();
        };
        self.decline(id, Some(reason))
    }

    /// The person has edited the command, or left it as it was.
    pub fn edited(&mut self, command: Option<String>) -> Vec<Act> {
        let State::Editing(id) = self.state else {
            return vec![Act::Say(vec!["what was edited waits no more: nothing was answered".to_owned()])];
        };
        self.state = State::Choosing(id);
        match command {
            Some(command) => self.approve(id, Scope::Once, Some(command)),
            None => vec![Act::Say(vec!["nothing was changed".to_owned()])],
        }
    }

    /// What the person said.
    pub fn word(&mut self, word: Word) -> Vec<Act> {
        match (&self.state, word.letter) {
            (State::Idle | State::Choosing(_) | State::Consent { .. }, 'q') => vec![Act::Quit],
            (State::Consent { version, remember }, letter) => {
                let (version, remember) = (*version, *remember);
                self.consent(version, remember, letter)
            }
            (State::Choosing(id), _) => self.choose(*id, word),
            (State::Confirming(id), 'y') => self.approve(*id, Scope::Always, None),
            (State::Confirming(id), _) => {
                self.state = State::Choosing(*id);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// What the hub said to an answer.
    pub fn answered(&mut self, result: Result<Answered, Error>) -> Vec<Act> {
        let State::Sending(id, scope) = self.state else { return Vec::new() };
        match result {
            Ok(answered) => {
                self.waiting.retain(|approval| approval.id != id);
                self.moved_on(vec![answer::words(&answered, scope)])
            }
            Err(error) => {
                let over = matches!(error.code, ErrorCode::ApprovalSettled | ErrorCode::ApprovalNotFound);
                let said = vec![self.style.red(&visible(&error.message))];
                if over {
                    self.waiting.retain(|approval| approval.id != id);
                    return self.moved_on(said);
                }
                self.state = State::Choosing(id);
                vec![Act::Say(said)]
            }
        }
    }

    /// What the hub said to the consent.
    pub fn consented(&mut self, result: Result<Consent, Error>) -> Vec<Act> {
        let said = match result {
            Ok(consent) if consent.allowed == Some(true) => self.style.green("allowed"),
            Ok(_) => self.style.yellow("declined; `flightdeck consent` changes it"),
            Err(error) => self.style.red(&visible(&error.message)),
        };
        self.state = State::Idle;
        let mut acts = vec![Act::Say(vec![said])];
        acts.extend(self.next());
        acts
    }

    /// The line to answer at.
    pub fn prompt(&self) -> Option<String> {
        let keys = |keys: &[&str]| keys.join("  ");
        match &self.state {
            State::Consent { remember, .. } => {
                let mark = if *remember { "x" } else { " " };
                Some(format!("[y] allow  [n] decline  [d] [{mark}] don't show this again > "))
            }
            State::Idle => match self.hub {
                Hub::There => Some("nothing waits  [q]uit > ".to_owned()),
                Hub::Gone => Some("no hub  [q]uit > ".to_owned()),
                Hub::Awaited => None,
            },
            State::Choosing(id) => {
                let approval = self.find(*id);
                if let Some(options) = approval.map(|approval| approval.subject.options()).filter(|all| !all.is_empty())
                {
                    let mut list = subject::options(options);
                    list.extend(["[n]o", "[v]iew", "[q]uit"].map(str::to_owned));
                    return Some(format!("{id}: {}{} > ", list.join("  "), self.more()));
                }
                let scopes = approval.map_or(&[][..], |approval| &approval.scopes);
                let can = |scope, key| if scopes.contains(&scope) { Some(key) } else { None };
                let mut list = vec!["[y]es once"];
                list.extend(can(Scope::Terminal, "[t]erminal"));
                list.extend(can(Scope::Session, "[s]ession"));
                list.extend(can(Scope::Always, "[a]lways"));
                let editable = approval.and_then(|approval| approval.subject.command()).is_some();
                list.extend(editable.then_some("[e]dit"));
                list.extend(["[n]o", "[v]iew", "[q]uit"]);
                Some(format!("{id}: {}{} > ", keys(&list), self.more()))
            }
            State::Confirming(id) => Some(format!("{id}: add this rule?  [y]es  [n]o > ")),
            State::Reason(id) => Some(format!("{id}: why not? (for the agent; Esc goes back) > ")),
            State::Shown(_) | State::Editing(_) | State::Sending(..) => None,
        }
    }

    /// What still waits when the person leaves.
    pub fn left(&self) -> Option<String> {
        let first = self.waiting.first()?;
        Some(format!(
            "{}{} still unanswered: `flightdeck approve --list`",
            first.id,
            match self.waiting.len() {
                1 => " is".to_owned(),
                count => format!(" and {} more are", count - 1),
            }
        ))
    }

    /// A request as it is shown. Where keys are read the prompt tells how long it waits, and counts.
    fn request(&self, approval: &Approval, length: Length) -> Vec<String> {
        let mut lines = show::request(approval, length, self.style);
        if self.manner == Manner::Keys {
            lines.pop();
        }
        lines
    }

    /// How long what is asked about still waits.
    pub fn time_left(&self, now_ms: i64) -> Option<Duration> {
        let (State::Choosing(id) | State::Confirming(id)) = self.state else { return None };
        let left = self.find(id)?.expires_at_ms - now_ms;
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    }

    fn more(&self) -> String {
        match self.waiting.len().saturating_sub(1) {
            0 => String::new(),
            1 => "  (1 more waits)".to_owned(),
            count => format!("  ({count} more wait)"),
        }
    }

    fn consent(&mut self, version: u32, remember: bool, letter: char) -> Vec<Act> {
        match letter {
            'y' => vec![Act::Consent(SetConsent { allow: true, version, remember })],
            'n' => vec![Act::Consent(SetConsent { allow: false, version, remember })],
            'd' => {
                self.state = State::Consent { version, remember: !remember };
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn choose(&mut self, id: ApprovalId, word: Word) -> Vec<Act> {
        let Some(approval) = self.find(id).cloned() else { return self.moved_on(Vec::new()) };
        if let Some(option) = word.letter.to_digit(10).and_then(|key| nth(approval.subject.options(), key)) {
            return self.choose_option(id, option);
        }
        match word.letter {
            'y' | 't' | 's' | 'a' if !approval.subject.options().is_empty() => {
                vec![Act::Say(vec!["press the number of an answer".to_owned()])]
            }
            'e' if approval.subject.command().is_none() => {
                vec![Act::Say(vec!["there is no command to edit".to_owned()])]
            }
            'y' => self.approve(id, Scope::Once, None),
            't' => self.scoped(&approval, Scope::Terminal),
            's' => self.scoped(&approval, Scope::Session),
            'a' => self.scoped(&approval, Scope::Always),
            'e' if self.manner == Manner::Keys => {
                self.state = State::Editing(id);
                vec![Act::Edit(Box::new(approval))]
            }
            'e' => match word.rest {
                Some(command) => self.approve(id, Scope::Once, Some(command)),
                None => vec![Act::Say(vec!["write the new command after the e".to_owned()])],
            },
            'n' if self.manner == Manner::Keys => {
                self.state = State::Reason(id);
                Vec::new()
            }
            'n' => self.decline(id, word.rest),
            'v' => vec![Act::Say(self.request(&approval, Length::Whole))],
            _ => Vec::new(),
        }
    }

    fn choose_option(&mut self, id: ApprovalId, option: &PermissionOption) -> Vec<Act> {
        self.state = State::Sending(id, Scope::Once);
        vec![Act::Answer(AnswerApproval {
            id,
            choice: option.kind.choice(),
            scope: None,
            command: None,
            option: Some(option.id.clone()),
            reason: None,
        })]
    }

    fn scoped(&mut self, approval: &Approval, scope: Scope) -> Vec<Act> {
        let id = approval.id;
        if !approval.scopes.contains(&scope) {
            let why = match scope {
                Scope::Terminal => "it runs in a terminal of its own",
                Scope::Always => "no rule would describe it without reaching too far",
                Scope::Once | Scope::Session => "its agent can't be told",
            };
            return vec![Act::Say(vec![format!("{id} can't be approved for {}: {why}", scope.name())])];
        }
        let Some(offer) = approval.offer.as_ref().filter(|_| scope == Scope::Always) else {
            return self.approve(id, scope, None);
        };
        self.state = State::Confirming(id);
        let mut lines = vec![format!("from now on, for every agent: {}", visible(&offer.words))];
        lines.extend(show::rule(offer, self.style));
        vec![Act::Say(lines)]
    }

    fn approve(&mut self, id: ApprovalId, scope: Scope, command: Option<String>) -> Vec<Act> {
        self.state = State::Sending(id, scope);
        vec![Act::Answer(AnswerApproval {
            id,
            choice: Choice::Approve,
            scope: Some(scope),
            command,
            option: None,
            reason: None,
        })]
    }

    fn decline(&mut self, id: ApprovalId, reason: Option<String>) -> Vec<Act> {
        self.state = State::Sending(id, Scope::Once);
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        vec![Act::Answer(AnswerApproval {
            id,
            choice: Choice::Decline,
            scope: None,
            command: None,
            option: None,
            reason,
        })]
    }

    /// Somebody answered, the time is up, or the agent gave up.
    fn settled(&mut self, id: ApprovalId, outcome: Outcome, by: Option<String>, reason: Option<String>) -> Vec<Act> {
        // Our own answer is told by the hub's word on it.
        if matches!(self.state, State::Sending(sending, _) if sending == id) || self.find(id).is_none() {
            return Vec::new();
        }
        let was_current = self.current() == Some(id);
        self.waiting.retain(|approval| approval.id != id);
        let by = by.map_or_else(String::new, |by| format!(" by {}", visible(&by)));
        let why = reason.map_or_else(String::new, |reason| format!(": {}", visible(&reason)));
        let said = match outcome {
            Outcome::Approved | Outcome::Declined if was_current => {
                format!("{id} was {}{by} first{why}", outcome.name())
            }
            Outcome::Approved | Outcome::Declined => format!("{id} was {}{by}{why}", outcome.name()),
            Outcome::Dismissed => format!("{id} was put away{why}: it was not run"),
            Outcome::Expired => format!("{id} has expired: nobody answered in time, and it was not run"),
            Outcome::Withdrawn => format!("{id} was withdrawn: the agent gave it up"),
        };
        let said = vec![self.style.yellow(&said)];
        if was_current { self.moved_on(said) } else { vec![Act::Say(said)] }
    }

    /// Leaves what was looked at, and goes on with the next one.
    fn moved_on(&mut self, said: Vec<String>) -> Vec<Act> {
        self.state = State::Idle;
        let mut acts = vec![Act::Say(said)];
        acts.extend(self.next());
        acts
    }

    /// Shows the oldest one, if nothing else is looked at.
    fn next(&mut self) -> Vec<Act> {
        if self.state != State::Idle {
            return Vec::new();
        }
        let Some(approval) = self.waiting.first() else { return Vec::new() };
        let mut lines = vec![String::new()];
        lines.extend(self.request(approval, Length::Short));
        self.state = State::Shown(approval.id);
        vec![Act::Say(lines)]
    }

    /// What the person looks at.
    pub fn current(&self) -> Option<ApprovalId> {
        match self.state {
            State::Shown(id)
            | State::Choosing(id)
            | State::Confirming(id)
            | State::Reason(id)
            | State::Editing(id)
            | State::Sending(id, _) => Some(id),
            State::Idle | State::Consent { .. } => None,
        }
    }

    fn find(&self, id: ApprovalId) -> Option<&Approval> {
        self.waiting.iter().find(|approval| approval.id == id)
    }
}

/// The option of a key: people count from one.
fn nth(options: &[PermissionOption], key: u32) -> Option<&PermissionOption> {
    options.get(usize::try_from(key).ok()?.checked_sub(1)?)
}
