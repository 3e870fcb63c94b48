//! One conversation in this window: how it stands, what is said next, and when the window is left.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use flightdeck_client::{Client, Error as ClientError, Running};
use flightdeck_contract::chat::{
    Block, Chat, ChatEvent, ChatState, Entry, EntryContent, Level, StopChat, StopReason, ToolCall, ToolContent,
    ToolStatus, WatchChat,
};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{ApprovalId, ConversationId, TerminalId};
use flightdeck_view::shown::prose;
use tokio::task::JoinHandle;

use super::asking::Asking;
use super::calls::{CallResult, Calls, Choose};
use super::follow::{Followers, TerminalNews};
use super::output::Output;
use super::printer::stop_words;
use super::screen::Below;
use super::slash::{self, Slash, Typed};
use super::styled::{Look, StyledLine};
use crate::args::Agent;

/// How many entries are shown of a conversation that is taken up.
const SHOWN_ENTRIES: usize = 10;
/// How many entries a snapshot has at most, and how many are kept here.
const SNAPSHOT_ENTRIES: usize = 500;
const KEPT_ENTRIES: usize = 600;
/// How many lines are shown of a prompt that was not sent.
const UNSENT_LINES: usize = 10;
/// How long the last output of a command that has ended may take to come.
const DRAIN: Duration = Duration::from_secs(2);
/// How long the end of an agent is waited for that was wanted for one prompt, and by somebody who leaves at once.
const STOP: Duration = Duration::from_secs(10);
pub const HURRIED_STOP: Duration = Duration::from_millis(500);
/// As a shell reports a command that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

/// A prompt that is on its way.
#[derive(Debug)]
struct Sending {
    text: String,
    /// The newest entry when it was sent.
    after: u64,
    /// The hub went before it has answered.
    is_unsure: bool,
}

pub struct Talk {
    pub id: ConversationId,
    pub client: Client,
    pub output: Output,
    pub calls: Calls,
    pub followers: Followers,
    /// The newest entries, for what is added to them.
    pub(super) entries: BTreeMap<u64, Entry>,
    /// Nothing before this entry is shown.
    shown_from: Option<u64>,
    pub(super) chat: Option<Chat>,
    pub(super) asking: Option<Asking>,
    /// What is to be said when the agent is ready.
    pub(super) queue: VecDeque<String>,
    mode: Option<String>,
    model: Option<String>,
    resumes: bool,
    keeps: bool,
    /// For one prompt.
    pub(super) once: bool,
    /// Somebody can be asked.
    pub(super) person: bool,
    sending: Option<Sending>,
    /// The hub is gone: what is to be said waits for the next one.
    is_cut_off: bool,
    /// Entries that were missed are being read. What is told after them waits.
    is_catching_up: bool,
    /// The turn that is waited for.
    turn: Option<u32>,
    /// The turn was cancelled from here.
    cancelling: bool,
    /// A turn goes on since then.
    busy_since: Option<Instant>,
    /// Ctrl-C was pressed while nothing was done.
    wants_to_leave: bool,
    /// Somebody wants to leave now.
    hurries: bool,
    /// Nothing more will be typed.
    input_ended: bool,
    /// What was answered here already, or reported.
    pub(super) settled: BTreeSet<ApprovalId>,
    pub(super) reported: BTreeSet<u64>,
    pub(super) terminal: Option<TerminalId>,
    /// The approval whose subject is being looked up.
    pub(super) looking_up: Option<ApprovalId>,
    /// A way to sign in was chosen, and has not failed yet.
    pub(super) is_signing_in: bool,
}

impl Talk {
    pub fn new(id: ConversationId, client: Client, args: &Agent, output: Output, person: bool) -> Self {
        Talk {
            id,
            client,
            output,
            calls: Calls::default(),
            followers: Followers::new(),
            entries: BTreeMap::new(),
            shown_from: None,
            chat: None,
            asking: None,
            queue: args.prompt.clone().into_iter().collect(),
            mode: args.mode.clone(),
            model: args.model.clone(),
            resumes: args.resume.is_some(),
            keeps: args.keep,
            once: args.prompt.is_some(),
            person,
            sending: None,
            is_cut_off: false,
            is_catching_up: false,
            turn: None,
            cancelling: false,
            busy_since: None,
            wants_to_leave: false,
            hurries: false,
            input_ended: false,
            settled: BTreeSet::new(),
            reported: BTreeSet::new(),
            terminal: None,
            looking_up: None,
            is_signing_in: false,
        }
    }

    pub async fn watch(&self) -> Result<Running, ClientError> {
        let request = WatchChat { id: self.id, last: Some(SNAPSHOT_ENTRIES), attend: self.person };
        self.client.begin("flightdeck.chat.watch", &request).await
    }

    /// The hub is gone.
    pub fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    /// There is another hub, which has taken the conversation up.
    pub fn moved_to(&mut self, client: Client) {
        self.is_cut_off = false;
        self.followers.resume(&client);
        self.client = client;
        self.asking = None;
        // A hub forgets with whom somebody was signing in.
        self.is_signing_in = false;
    }

    /// Whether more events can be taken now.
    pub fn takes_events(&self) -> bool {
        !self.is_catching_up
    }

    /// Shows an event. A code says that all is over.
    pub async fn event(&mut self, mut event: ChatEvent) -> anyhow::Result<Option<ExitCode>> {
        if let ChatEvent::Entry { entry } = &event
            && let EntryContent::Tool(tool) = &entry.content
        {
            self.follow(tool);
            if is_over(tool) {
                self.drain(tool).await?;
            }
        }
        if let ChatEvent::Snapshot { entries, earlier, .. } = &mut event
            && self.shown_from.is_none()
        {
            let skip = if self.resumes { entries.len().saturating_sub(SHOWN_ENTRIES) } else { 0 };
            *earlier |= skip > 0;
            entries.drain(..skip);
            self.shown_from = Some(entries.first().map_or(0, |entry| entry.number));
        }
        self.output.event(&event)?;
        match event {
            ChatEvent::Snapshot { chat, entries, .. } => {
                let known = self.entries.last_key_value().map(|(number, _)| *number);
                let first = entries.first().map(|entry| entry.number);
                if let (Some(known), Some(first)) = (known, first)
                    && first > known + 1
                {
                    self.is_catching_up = true;
                    self.calls.catch_up(&self.client, self.id, known, chat, entries);
                    return Ok(None);
                }
                if let Some(code) = self.snapshot(*chat, entries)? {
                    return Ok(Some(code));
                }
            }
            ChatEvent::Chat { chat } => self.chat = Some(*chat),
            ChatEvent::Entry { entry } => {
                // A sign-in that has failed is told so, in whatever way it was done.
                self.is_signing_in &= !matches!(entry.content, EntryContent::Note { level: Level::Error, .. });
                self.output.entry(&entry)?;
                self.entries.insert(entry.number, *entry);
                while self.entries.len() > KEPT_ENTRIES {
                    self.entries.pop_first();
                }
            }
            ChatEvent::Text { number, text } => {
                if let Some(entry) = self.entries.get_mut(&number) {
                    append(entry, &text);
                    self.output.entry(entry)?;
                }
            }
            ChatEvent::Removed { .. } => {
                self.output.say([StyledLine::plain("the conversation was removed")])?;
                return Ok(Some(ExitCode::FAILURE));
            }
        }
        self.go_on()
    }

    /// The newest entries, which take the place of what is known.
    fn snapshot(&mut self, chat: Chat, entries: Vec<Entry>) -> anyhow::Result<Option<ExitCode>> {
        for entry in entries {
            if Some(entry.number) < self.shown_from {
                continue;
            }
            if let EntryContent::Tool(tool) = &entry.content
                && (!is_over(tool) || Some(entry.turn) == self.turn)
            {
                self.follow(tool);
            }
            self.output.entry(&entry)?;
            self.entries.insert(entry.number, entry);
        }
        if self.cancelling && chat.state.is_busy() {
            // The hub to which this was said is gone.
            self.calls.cancel(&self.client, self.id);
        }
        self.chat = Some(chat);
        if let Some(Sending { text, after, is_unsure: true }) = &self.sending {
            let is_it = |entry: &&Entry| match &entry.content {
                EntryContent::User { blocks, by: Some(_) } => *blocks == [Block::Text { text: text.clone() }],
                _ => false,
            };
            let said = self.entries.range(after + 1..).map(|(_, entry)| entry).find(is_it).map(|entry| entry.turn);
            match said {
                Some(turn) => self.turn = Some(turn),
                None if self.cancelling => {
                    self.sending = None;
                    self.inform("cancelled: the prompt was not sent")?;
                    return Ok(self.once.then_some(ExitCode::from(INTERRUPTED)));
                }
                None => self.queue.push_front(text.clone()),
            }
            self.sending = None;
        }
        Ok(None)
    }

    fn follow(&mut self, tool: &ToolCall) {
        for terminal in terminals(tool) {
            self.followers.follow(&self.client, terminal);
        }
    }

    /// Shows the rest of what the commands of a tool call have printed, which may be behind the news that it is over.
    async fn drain(&mut self, tool: &ToolCall) -> anyhow::Result<()> {
        let deadline = Instant::now() + DRAIN;
        for terminal in terminals(tool) {
            if !self.followers.is_open(terminal) || !Followers::has_ended(&self.client, self.id, terminal).await {
                continue;
            }
            while self.followers.is_open(terminal) {
                let left = deadline.saturating_duration_since(Instant::now());
                let Ok(news) = tokio::time::timeout(left, self.followers.next()).await else { break };
                self.output.terminal(&news)?;
            }
        }
        Ok(())
    }

    pub fn terminal_news(&mut self, news: &TerminalNews) -> anyhow::Result<()> {
        Ok(self.output.terminal(news)?)
    }

    /// Says or asks what is next.
    pub fn go_on(&mut self) -> anyhow::Result<Option<ExitCode>> {
        if self.is_catching_up {
            return Ok(None);
        }
        if let Some(code) = self.turn_over()? {
            return Ok(Some(code));
        }
        let Some(chat) = self.chat.clone() else { return Ok(None) };
        self.forget_answered(&chat);
        match chat.state {
            // The agent starts again, and wants no sign-in then.
            ChatState::Gone | ChatState::Failed if self.is_signing_in => {}
            ChatState::Gone | ChatState::Failed if chat.agent.number.is_none() => {
                self.output.end_line()?;
                self.explain(Some(&chat))?;
                return Ok(Some(ExitCode::FAILURE));
            }
            ChatState::WaitsForSignIn => return self.ask_sign_in(&chat),
            ChatState::WaitsForApproval => self.ask_approval(&chat)?,
            ChatState::WaitsForInput => self.ask_input(&chat)?,
            _ if self.is_cut_off && !self.queue.is_empty() => {}
            ChatState::Ready | ChatState::Done | ChatState::Failed if self.sending.is_none() => {
                self.cancelling = false;
                self.terminal = None;
                let choices = match self.choices(&chat) {
                    Ok(choices) => choices,
                    Err(problem) if self.once => anyhow::bail!(problem),
                    Err(problem) => {
                        self.warn(&problem)?;
                        Vec::new()
                    }
                };
                if let Some(text) = self.queue.pop_front() {
                    self.asking = None;
                    self.calls.prompt(&self.client, self.id, choices, text.clone());
                    self.sending = Some(Sending { text, after: chat.last_entry, is_unsure: false });
                } else if self.input_ended && !self.once {
                    return Ok(Some(ExitCode::SUCCESS));
                } else {
                    for choice in choices {
                        self.calls.choose(&self.client, self.id, choice, String::new());
                    }
                    self.ask_for_prompt()?;
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// How the turn ended that was waited for, once everything of it was shown.
    fn turn_over(&mut self) -> anyhow::Result<Option<ExitCode>> {
        let (Some(turn), Some(chat)) = (self.turn.filter(|_| self.once), &self.chat) else { return Ok(None) };
        if chat.turn == turn && chat.state.is_busy() {
            return Ok(None);
        }
        let ended = self.entries.values().rev().find_map(|entry| match entry.content {
            EntryContent::Ended { reason, .. } if entry.turn == turn => Some(reason),
            _ => None,
        });
        let Some(reason) = ended else { return Ok(None) };
        self.output.end_line()?;
        Ok(Some(match reason {
            StopReason::EndTurn => ExitCode::SUCCESS,
            StopReason::Cancelled => ExitCode::from(INTERRUPTED),
            StopReason::Failed => {
                self.explain(None)?;
                ExitCode::FAILURE
            }
            other => {
                if self.output.is_json() {
                    self.warn(stop_words(other))?;
                }
                ExitCode::FAILURE
            }
        }))
    }

    /// Says why the agent has failed or is gone, with what its process said last, where that was not shown.
    fn explain(&mut self, gone: Option<&Chat>) -> anyhow::Result<()> {
        let note = self.entries.values().rev().take(SHOWN_ENTRIES).find_map(|entry| match &entry.content {
            EntryContent::Note { level: Level::Error | Level::Warning, text, details } => Some((text, details)),
            _ => None,
        });
        if note.is_some() && !self.output.is_json() {
            return Ok(());
        }
        let lines: Vec<StyledLine> = match (note, gone) {
            (Some((text, details)), _) => {
                let details = details.iter().flat_map(|details| details.lines());
                let details = details.map(|line| StyledLine::plain(format!("  {}", prose(line))));
                std::iter::once(StyledLine::of(Look::RED, prose(text))).chain(details).collect()
            }
            (None, Some(chat)) => {
                vec![StyledLine::of(Look::RED, format!("the agent is gone: {}", prose(&chat.reason)))]
            }
            (None, None) => vec![StyledLine::of(Look::RED, stop_words(StopReason::Failed))],
        };
        Ok(self.output.say(lines)?)
    }

    pub(super) fn warn(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.output.say([StyledLine::of(Look::YELLOW, text)])?)
    }

    pub(super) fn inform(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.output.say([StyledLine::of(Look::DIM, text)])?)
    }

    /// The mode and the model that are wanted from the beginning on.
    fn choices(&mut self, chat: &Chat) -> Result<Vec<Choose>, String> {
        let mode = self.mode.take().map(|mode| slash::choose_mode(chat, &mode)).transpose()?;
        let model = self.model.take().map(|model| slash::choose_model(chat, &model)).transpose()?;
        Ok(mode.into_iter().chain(model).collect())
    }

    /// A call has come to its end.
    pub fn told(&mut self, result: CallResult) -> anyhow::Result<Option<ExitCode>> {
        match result {
            CallResult::CaughtUp { chat, result } => {
                self.is_catching_up = false;
                match result {
                    Ok(entries) => {
                        if let Some(code) = self.snapshot(*chat, entries)? {
                            return Ok(Some(code));
                        }
                    }
                    // The next hub's snapshot has them.
                    Err(ClientError::Gone) => return Ok(None),
                    Err(error) => return Err(error.into()),
                }
            }
            CallResult::Prompted { result: Ok(prompted) } => {
                self.sending = None;
                self.turn = Some(prompted.turn);
                if self.cancelling {
                    // There may have been no turn yet when that was said.
                    self.calls.cancel(&self.client, self.id);
                }
                // Told in a moment; a Ctrl-C that comes before means this turn.
                if let Some(chat) = self.chat.as_mut().filter(|chat| chat.turn < prompted.turn) {
                    chat.state = ChatState::Working;
                }
            }
            CallResult::Prompted { result: Err(ClientError::Gone) } => {
                if let Some(sending) = &mut self.sending {
                    sending.is_unsure = true;
                }
                return Ok(None);
            }
            CallResult::Prompted { result: Err(error) } if self.once => return Err(error.into()),
            CallResult::Prompted { result: Err(error) } => {
                self.sending = None;
                self.warn(&error.to_string())?;
            }
            CallResult::Chosen { what, result: Ok(()) } if !what.is_empty() => {
                self.inform(&what)?;
            }
            // Nothing else is to be done, and what is not there now is asked for with the next event.
            CallResult::LookedUp { id, result } => {
                self.looked_up(id, result)?;
                return Ok(None);
            }
            CallResult::Attended { form, is_attended } => self.leave_to_others(form, is_attended)?,
            CallResult::Filled { form, result: Err(error) } => self.form_refused(form, &error)?,
            CallResult::SignedIn { result: Err(error) } => {
                self.is_signing_in = false;
                self.warn(&error.to_string())?;
            }
            // The next hub asks again.
            CallResult::Approved { id, result: Err(ClientError::Gone) } => drop(self.settled.remove(&id)),
            CallResult::Chosen { result: Err(error), .. } | CallResult::Approved { result: Err(error), .. } => {
                self.warn(&error.to_string())?;
            }
            CallResult::Chosen { .. }
            | CallResult::Approved { .. }
            | CallResult::Filled { .. }
            | CallResult::SignedIn { .. }
            | CallResult::Cancelled => {}
        }
        self.go_on()
    }

    /// A line was typed.
    pub fn line(&mut self, line: &str) -> anyhow::Result<Option<ExitCode>> {
        self.wants_to_leave = false;
        match self.asking.take() {
            Some(Asking::Prompt) | None => {
                if line.trim().is_empty() {
                    return self.go_on();
                }
                return self.say(line);
            }
            Some(asking) => {
                self.output.answered();
                self.answer(asking, line)?;
            }
        }
        self.go_on()
    }

    /// A line was typed on the screen: an answer, where the question had the keys.
    pub fn typed(&mut self, text: &str, is_answer: bool) -> anyhow::Result<Option<ExitCode>> {
        if is_answer {
            return self.line(text);
        }
        self.wants_to_leave = false;
        if text.trim().is_empty() { self.go_on() } else { self.say(text) }
    }

    /// A line is for the agent, or a command of ours.
    fn say(&mut self, line: &str) -> anyhow::Result<Option<ExitCode>> {
        let chat = self.chat.clone();
        let typed = match &chat {
            Some(chat) if self.person && !self.once => slash::parse(line, chat),
            _ => Typed::Prompt,
        };
        match typed {
            Typed::Prompt => self.queue.push_back(line.to_owned()),
            Typed::Unknown(problem) => self.warn(&problem)?,
            Typed::Ours(command) => {
                if let Some(code) = self.command(command, chat.as_ref())? {
                    return Ok(Some(code));
                }
            }
        }
        self.go_on()
    }

    /// Does what a command of ours says.
    fn command(&mut self, command: Slash, chat: Option<&Chat>) -> anyhow::Result<Option<ExitCode>> {
        let Some(chat) = chat else { return Ok(None) };
        match command {
            Slash::Help => self.output.say(slash::help(chat))?,
            Slash::Mode(None) => self.output.say(slash::choices(chat, false))?,
            Slash::Model(None) => self.output.say(slash::choices(chat, true))?,
            Slash::Mode(Some(mode)) => {
                self.choose(slash::choose_mode(chat, &mode), format!("mode: {}", prose(&mode)))?;
            }
            Slash::Model(Some(model)) => {
                self.choose(slash::choose_model(chat, &model), format!("model: {}", prose(&model)))?;
            }
            Slash::Usage => {
                let usage = slash::usage(chat.usage.as_ref());
                let text = usage.unwrap_or_else(|| format!("{} does not tell what it uses", prose(&chat.agent.title)));
                self.inform(&text)?;
            }
            Slash::Cancel if self.is_busy() && !self.cancelling => return self.interrupt(),
            Slash::Cancel => self.inform("nothing is being done that could be cancelled")?,
            Slash::Quit => return Ok(Some(ExitCode::SUCCESS)),
        }
        Ok(None)
    }

    fn choose(&mut self, choice: Result<Choose, String>, what: String) -> anyhow::Result<()> {
        match choice {
            Ok(choice) => self.calls.choose(&self.client, self.id, choice, what),
            Err(problem) => self.warn(&problem)?,
        }
        Ok(())
    }

    /// Nothing more will be typed: what was is said, and then the window is left.
    pub fn end_of_input(&mut self) -> anyhow::Result<Option<ExitCode>> {
        self.input_ended = true;
        if self.person && !self.once {
            return Ok(Some(ExitCode::SUCCESS));
        }
        self.go_on()
    }

    /// Shows on the screen what stands below the conversation.
    pub fn refresh(&mut self) {
        let is_busy = self.is_busy();
        self.busy_since = if is_busy { self.busy_since.or_else(|| Some(Instant::now())) } else { None };
        let Output::Screen(screen) = &mut self.output else { return };
        let below = Below {
            queued: if self.once { Vec::new() } else { self.queue.iter().cloned().collect() },
            status: self.chat.as_ref().map_or_else(|| format!("{} · starting", self.id), slash::status),
            busy_since: self.busy_since,
            suggestions: match &self.chat {
                Some(chat) if !self.once => slash::candidates(screen.typed(), chat),
                _ => Vec::new(),
            },
        };
        screen.set_below(below);
    }

    fn is_busy(&self) -> bool {
        self.sending.is_some() || self.chat.as_ref().is_some_and(|chat| chat.state.is_busy())
    }

    /// Ctrl-C: the turn is cancelled with what was to follow it. The second time, or when there is none, the window is left.
    pub fn interrupt(&mut self) -> anyhow::Result<Option<ExitCode>> {
        let is_screen = matches!(self.output, Output::Screen(_));
        if is_screen && !self.is_busy() && !self.once && !std::mem::replace(&mut self.wants_to_leave, true) {
            self.inform("Ctrl-C again leaves, and so does Ctrl-D")?;
            return Ok(None);
        }
        if self.cancelling || !self.is_busy() {
            self.hurries = true;
            self.output.end_line()?;
            let code = if self.once || self.cancelling { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS };
            return Ok(Some(code));
        }
        self.cancelling = true;
        self.asking = None;
        self.queue.clear();
        self.output.answered();
        self.inform("cancelling; Ctrl-C again leaves at once")?;
        self.calls.cancel(&self.client, self.id);
        Ok(None)
    }

    /// A signal says to leave at once.
    pub fn end(&mut self, code: u8) -> ExitCode {
        self.hurries = true;
        ExitCode::from(code)
    }

    /// Whether a prompt is on its way that somebody counts on.
    pub fn is_sending(&self) -> bool {
        !self.once && !self.cancelling && self.sending.as_ref().is_some_and(|sending| !sending.is_unsure)
    }

    /// A call has come to its end while the window is left: nothing follows from it.
    pub fn settle(&mut self, result: CallResult) {
        match (result, self.sending.take()) {
            (CallResult::Prompted { result: Ok(_) }, _) => {}
            (CallResult::Prompted { result: Err(ClientError::Gone) }, Some(sending)) => {
                self.sending = Some(Sending { is_unsure: true, ..sending });
            }
            (CallResult::Prompted { result: Err(_) }, Some(sending)) => self.queue.push_front(sending.text),
            (_, sending) => self.sending = sending,
        }
    }

    /// Says which prompts were typed in vain: the window is left before they were sent.
    fn tell_unsent(&mut self) -> anyhow::Result<()> {
        if let Some(sending) = self.sending.take().filter(|_| !self.once && !self.cancelling) {
            self.output.say(unsent("it is not known whether this was sent: ", &sending.text))?;
        }
        // Whoever has given one prompt for this run knows it, and has its exit code.
        let known = usize::from(self.once && self.turn.is_none());
        for text in std::mem::take(&mut self.queue).into_iter().skip(known) {
            self.output.say(unsent("not sent: ", &text))?;
        }
        Ok(())
    }

    /// How long whoever leaves waits at most.
    pub fn stop_timeout(&self) -> Duration {
        if self.hurries { HURRIED_STOP } else { STOP }
    }

    /// The window is left: the agent goes on, unless it was wanted for one prompt. What is given ends when it has.
    pub fn leave(&mut self) -> Option<JoinHandle<()>> {
        // The window may be gone already.
        let _ = self.tell_unsent();
        if self.chat.as_ref().is_some_and(|chat| chat.agent.number.is_none()) {
            return None;
        }
        if self.once && !self.resumes && !self.keeps {
            let (client, request) = (self.client.clone(), StopChat { id: self.id });
            return Some(tokio::spawn(async move {
                // One that can't be stopped is left as it is.
                let _ = client.call::<Done>("flightdeck.chat.stop", &request).await;
            }));
        }
        if !self.once && !self.output.is_json() {
            let text = format!("the agent goes on: `flightdeck agent --resume {id}`, or `--stop {id}`", id = self.id);
            // The window may be gone already.
            let _ = self.inform(&text);
        }
        None
    }
}

/// A prompt that was not sent, so that it can be said again.
fn unsent(what: &str, text: &str) -> Vec<StyledLine> {
    let mut lines = text.lines();
    let first = StyledLine::of(Look::YELLOW, what).and(Look::PLAIN, &prose(lines.next().unwrap_or_default()));
    let mut shown = vec![first];
    shown.extend(lines.by_ref().take(UNSENT_LINES - 1).map(|line| StyledLine::plain(format!("  {}", prose(line)))));
    let hidden = lines.count();
    if hidden > 0 {
        shown.push(StyledLine::of(Look::DIM, format!("  … {hidden} more lines")));
    }
    shown
}

fn is_over(tool: &ToolCall) -> bool {
    matches!(tool.status, ToolStatus::Completed | ToolStatus::Failed | ToolStatus::Cancelled)
}

fn terminals(tool: &ToolCall) -> impl Iterator<Item = TerminalId> {
    tool.content.iter().filter_map(|content| match content {
        ToolContent::Terminal { terminal } => Some(*terminal),
        _ => None,
    })
}

fn append(entry: &mut Entry, more: &str) {
    match &mut entry.content {
        EntryContent::Agent { text } | EntryContent::Thought { text } => text.push_str(more),
        EntryContent::User { blocks, .. } => {
            if let Some(Block::Text { text }) = blocks.last_mut() {
                text.push_str(more);
            }
        }
        EntryContent::Tool(tool) => {
            if let Some(ToolContent::Output { text, .. }) = tool.content.last_mut() {
                text.push_str(more);
            }
        }
        _ => {}
    }
}
