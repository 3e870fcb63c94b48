//! A conversation in memory: how it stands, its newest entries, and what of it is not on disk yet.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use flightdeck_contract::chat::{
    Block, Chat, ChatEvent, ChatState, Entry, EntryContent, Level, PlanStep, StopReason, ToolCall, ToolContent,
    ToolStatus,
};
use flightdeck_contract::{ApprovalId, TerminalId};
use serde::Serialize;
use serde_json::Value;

use super::kept::Kept;
use crate::audit::now_ms;
use crate::store::StoredLine;

/// What one entry of text holds at most; what comes after it begins another one.
const LONGEST_TEXT: usize = 64 * 1024;
/// How much of an agent's own output is kept in a tool call.
const LONGEST_OUTPUT: usize = 64 * 1024;
/// The longest title that is made of a prompt.
const LONGEST_TITLE: usize = 80;
/// How many tool calls can still be changed by the agent.
const TOOLS: usize = 2000;

/// How many tool calls under way are remembered beyond the newest entries.
const DISTANT_TOOLS: usize = 200;

/// A conversation in memory.
#[derive(Debug)]
pub(super) struct Live {
    pub chat: Chat,
    pub kept: Kept,
    /// The newest entries, without gaps, up to the newest.
    pub entries: VecDeque<Entry>,
    /// What the agent does by itself, without what it waits for.
    base: (ChatState, String, i64),
    /// What waits for a person.
    approval: Option<(ApprovalId, String)>,
    /// A terminal of the agent's that asks for something.
    asking: Option<(TerminalId, String)>,
    /// How many questions wait for an answer.
    questions: usize,
    tools: HashMap<String, u64>,
    /// Tool calls under way that are not among the newest entries any more. What is told of one later, or asked about it,
    /// makes a new entry with all that was told before.
    distant_tools: HashMap<String, ToolCall>,
    plan: Option<u64>,
    /// The message that the agent is saying, when it tells messages apart.
    message: Option<String>,
    pub changed: BTreeSet<u64>,
    pub head_changed: bool,
    pub lines: Vec<StoredLine>,
    /// Requests of the agent's that came since the last flush (as JSON), or were answered (`None`), by id.
    pub requests: BTreeMap<String, Option<String>>,
    /// Another process was started: what was on its way to the one before is not sent any more.
    pub anew: bool,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The agent, to the person.
    Agent,
    /// The agent, to itself.
    Thought,
    /// A person, as an agent tells it again.
    User,
}

impl Live {
    pub(super) fn new(chat: Chat, kept: Kept, entries: VecDeque<Entry>) -> Self {
        let mut tools = HashMap::new();
        let mut plan = None;
        let mut questions = 0;
        for entry in &entries {
            match &entry.content {
                EntryContent::Tool(tool) => drop(tools.insert(tool.id.clone(), entry.number)),
                EntryContent::Plan { .. } if entry.turn == chat.turn => plan = Some(entry.number),
                EntryContent::Question(question) if question.outcome.is_none() => questions += 1,
                _ => {}
            }
        }
        let state = if chat.state.is_busy() { ChatState::Working } else { chat.state };
        let base = (state, chat.reason.clone(), chat.since_ms);
        Live {
            chat,
            kept,
            entries,
            base,
            approval: None,
            asking: None,
            questions,
            tools,
            distant_tools: HashMap::new(),
            plan,
            message: None,
            changed: BTreeSet::new(),
            head_changed: false,
            lines: Vec::new(),
            requests: BTreeMap::new(),
            anew: false,
        }
    }

    /// Takes the oldest entry out of memory. It is on the disk.
    pub(super) fn forget_oldest(&mut self) {
        let Some(Entry { content: EntryContent::Tool(tool), .. }) = self.entries.pop_front() else { return };
        if is_under_way(&tool) && self.distant_tools.len() < DISTANT_TOOLS {
            self.distant_tools.insert(tool.id.clone(), *tool);
        }
    }

    fn first(&self) -> u64 {
        self.entries.front().map_or(self.chat.last_entry + 1, |entry| entry.number)
    }

    fn at(&mut self, number: u64) -> Option<&mut Entry> {
        let place = number.checked_sub(self.first())?;
        self.entries.get_mut(place as usize)
    }

    /// Puts together what is told: waiting for a person comes before working.
    fn derive(&mut self) {
        let (base, reason, since) = self.base.clone();
        let busy = base == ChatState::Working;
        let (state, reason) = match (&self.approval, &self.asking) {
            (Some((_, reason)), _) if busy => (ChatState::WaitsForApproval, reason.clone()),
            (_, Some((_, reason))) if busy => (ChatState::WaitsForInput, reason.clone()),
            _ if busy && self.questions > 0 => (ChatState::WaitsForInput, "the agent asks something".to_owned()),
            _ => (base, reason),
        };
        self.chat.approval = self.approval.as_ref().map(|(id, _)| *id).filter(|_| state == ChatState::WaitsForApproval);
        self.chat.terminal = self.asking.as_ref().map(|(id, _)| *id).filter(|_| state == ChatState::WaitsForInput);
        if (self.chat.state, &self.chat.reason) != (state, &reason) {
            let waits = matches!(state, ChatState::WaitsForApproval | ChatState::WaitsForInput);
            self.chat.since_ms = if waits { now_ms() } else { since };
            (self.chat.state, self.chat.reason) = (state, reason);
        }
    }
}

fn is_under_way(tool: &ToolCall) -> bool {
    matches!(tool.status, ToolStatus::Pending | ToolStatus::InProgress)
}

/// Writes down what follows from something that was said or done.
#[derive(Debug)]
pub struct Draft<'a> {
    live: &'a mut Live,
    pub(super) events: Vec<ChatEvent>,
    head: Option<Chat>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(live: &'a mut Live) -> Self {
        Draft { live, events: Vec::new(), head: None }
    }

    /// Ends it: the state is put together, and told when it is another one.
    pub(super) fn finish(mut self) -> (Vec<ChatEvent>, bool) {
        let Some(before) = self.head.take() else { return (self.events, false) };
        self.live.derive();
        self.live.head_changed = true;
        // That there is one entry more is told by the entry.
        let Chat { last_entry, updated_at_ms, .. } = self.live.chat;
        let changed = Chat { last_entry, updated_at_ms, ..before } != self.live.chat;
        if changed {
            self.events.push(ChatEvent::Chat { chat: Box::new(self.live.chat.clone()) });
        }
        (self.events, changed)
    }

    /// How the conversation stands, to be changed.
    pub fn chat(&mut self) -> &mut Chat {
        if self.head.is_none() {
            self.head = Some(self.live.chat.clone());
        }
        &mut self.live.chat
    }

    /// How the conversation stands.
    pub fn see(&self) -> &Chat {
        &self.live.chat
    }

    /// What the agent does now, and why that is said.
    pub fn state(&mut self, state: ChatState, reason: impl Into<String>) {
        let reason = reason.into();
        if (self.live.base.0, &self.live.base.1) == (state, &reason) {
            return;
        }
        self.chat();
        self.live.base = (state, reason, now_ms());
    }

    /// What waits for a person, if anything does.
    pub(super) fn waits(&mut self, approval: Option<(ApprovalId, String)>, asking: Option<(TerminalId, String)>) {
        if (&self.live.approval, &self.live.asking) != (&approval, &asking) {
            self.chat();
            (self.live.approval, self.live.asking) = (approval, asking);
        }
    }

    /// A prompt begins a turn. Gives its number.
    pub fn prompt(&mut self, blocks: Vec<Block>, by: String) -> u32 {
        let chat = self.chat();
        chat.turn += 1;
        if chat.title.is_empty() {
            chat.title = title_of(&blocks);
        }
        let turn = chat.turn;
        self.live.plan = None;
        self.push(EntryContent::User { blocks, by: Some(by) });
        turn
    }

    /// Adds an entry. Gives its number.
    pub fn push(&mut self, content: EntryContent) -> u64 {
        let at_ms = now_ms();
        let chat = self.chat();
        chat.last_entry += 1;
        chat.updated_at_ms = at_ms;
        let entry = Entry { number: chat.last_entry, turn: chat.turn, at_ms, content };
        let number = entry.number;
        match &entry.content {
            EntryContent::Tool(tool) => {
                if self.live.tools.len() >= TOOLS {
                    let oldest = self.live.first();
                    self.live.tools.retain(|_, number| *number >= oldest);
                }
                self.live.tools.insert(tool.id.clone(), number);
            }
            EntryContent::Plan { .. } => self.live.plan = Some(number),
            EntryContent::Question(_) => self.live.questions += 1,
            _ => {}
        }
        self.live.message = None;
        self.live.changed.insert(number);
        self.events.push(ChatEvent::Entry { entry: Box::new(entry.clone()) });
        self.live.entries.push_back(entry);
        number
    }

    /// Adds something that Flightdeck has to say.
    pub fn note(&mut self, level: Level, text: impl Into<String>, details: Option<String>) {
        self.push(EntryContent::Note { level, text: text.into(), details });
    }

    /// Somebody says more. What belongs together becomes one entry.
    pub fn say(&mut self, speaker: Speaker, text: &str, message: Option<&str>) {
        if text.is_empty() {
            return;
        }
        let goes_on = self.live.message.as_deref() == message || message.is_none() || self.live.message.is_none();
        let turn = self.live.chat.turn;
        if let Some(entry) = self.live.entries.back_mut().filter(|entry| goes_on && entry.turn == turn) {
            let number = entry.number;
            let said = match (&mut entry.content, speaker) {
                (EntryContent::Agent { text }, Speaker::Agent) | (EntryContent::Thought { text }, Speaker::Thought) => {
                    Some(text)
                }
                (EntryContent::User { blocks, by: None }, Speaker::User) => match blocks.last_mut() {
                    Some(Block::Text { text }) => Some(text),
                    _ => None,
                },
                _ => None,
            };
            if let Some(said) = said.filter(|said| said.len() + text.len() <= LONGEST_TEXT) {
                said.push_str(text);
                self.live.changed.insert(number);
                self.live.chat.updated_at_ms = now_ms();
                self.live.head_changed = true;
                if self.live.message.is_none() {
                    self.live.message = message.map(str::to_owned);
                }
                self.events.push(ChatEvent::Text { number, text: text.to_owned() });
                return;
            }
        }
        let text = text.to_owned();
        self.push(match speaker {
            Speaker::Agent => EntryContent::Agent { text },
            Speaker::Thought => EntryContent::Thought { text },
            Speaker::User => EntryContent::User { blocks: vec![Block::Text { text }], by: None },
        });
        self.live.message = message.map(str::to_owned);
    }

    /// What the agent means to do in this turn.
    pub fn plan(&mut self, steps: Vec<PlanStep>) {
        let known = self.live.plan.filter(|number| *number >= self.live.first());
        match known {
            Some(number) => drop(self.change(number, |content| *content = EntryContent::Plan { steps })),
            None => drop(self.push(EntryContent::Plan { steps })),
        }
    }

    /// Changes an entry, if it is still one of the newest.
    pub fn change(&mut self, number: u64, change: impl FnOnce(&mut EntryContent)) -> bool {
        let Some(entry) = self.live.at(number) else { return false };
        let waited = matches!(&entry.content, EntryContent::Question(question) if question.outcome.is_none());
        let before = entry.content.clone();
        change(&mut entry.content);
        if entry.content == before {
            return true;
        }
        let waits = matches!(&entry.content, EntryContent::Question(question) if question.outcome.is_none());
        let entry = Box::new(entry.clone());
        if waited && !waits {
            self.chat();
            self.live.questions = self.live.questions.saturating_sub(1);
        }
        self.live.changed.insert(number);
        self.live.head_changed = true;
        self.live.chat.updated_at_ms = now_ms();
        self.events.push(ChatEvent::Entry { entry });
        true
    }

    /// What an entry says.
    pub fn entry(&mut self, number: u64) -> Option<EntryContent> {
        self.live.at(number).map(|entry| entry.content.clone())
    }

    /// Whether a tool call is among the newest entries.
    fn is_near(&self, id: &str) -> bool {
        self.live.tools.get(id).is_some_and(|number| *number >= self.live.first())
    }

    /// Whether there is a tool call of this name that can still be changed.
    pub fn knows_tool(&self, id: &str) -> bool {
        self.is_near(id) || self.live.distant_tools.contains_key(id)
    }

    /// The tool call of this name, if it can still be changed.
    pub fn tool_call(&mut self, id: &str) -> Option<ToolCall> {
        if let Some(tool) = self.live.distant_tools.get(id) {
            return Some(tool.clone());
        }
        let number = self.live.tools.get(id).copied()?;
        match &self.live.at(number)?.content {
            EntryContent::Tool(tool) => Some((**tool).clone()),
            _ => None,
        }
    }

    /// Changes a tool call, which is begun if there is none of this name.
    pub fn tool(&mut self, id: &str, change: impl FnOnce(&mut ToolCall)) {
        let known = self.live.tools.get(id).copied().filter(|number| *number >= self.live.first());
        if let Some(number) = known {
            self.change(number, |content| {
                if let EntryContent::Tool(tool) = content {
                    change(tool);
                }
            });
        } else {
            let mut tool = self.live.distant_tools.remove(id).unwrap_or_else(|| ToolCall::new(id));
            change(&mut tool);
            self.push(EntryContent::Tool(Box::new(tool)));
        }
    }

    /// A command that the agent runs by itself in a tool call has printed more.
    pub fn tool_output(&mut self, id: &str, output: &str, more: &str) {
        let Some(number) = self.live.tools.get(id).copied() else { return };
        let Some(entry) = self.live.at(number) else { return };
        let EntryContent::Tool(tool) = &mut entry.content else { return };
        let last = tool.content.len().wrapping_sub(1);
        let place = tool.content.iter().position(|content| is_output(content, output));
        if let Some(ToolContent::Output { text, .. }) = place.and_then(|place| tool.content.get_mut(place))
            && text.len() + more.len() <= LONGEST_OUTPUT
            && place == Some(last)
        {
            text.push_str(more);
            self.live.changed.insert(number);
            self.live.head_changed = true;
            self.events.push(ChatEvent::Text { number, text: more.to_owned() });
            return;
        }
        self.change(number, |content| {
            let EntryContent::Tool(tool) = content else { return };
            if let Some(ToolContent::Output { text, truncated, .. }) =
                tool.content.iter_mut().find(|content| is_output(content, output))
            {
                text.push_str(more);
                if text.len() > LONGEST_OUTPUT {
                    // Half of it at once, so that not every piece moves all of it.
                    let cut = text.ceil_char_boundary(text.len() - LONGEST_OUTPUT / 2);
                    text.drain(..cut);
                    *truncated = true;
                }
            } else {
                let (id, text) = (output.to_owned(), more.to_owned());
                tool.content.push(ToolContent::Output { id, text, truncated: false, exit_code: None, signal: None });
            }
        });
    }

    /// The turn is over.
    pub fn end_turn(&mut self, reason: StopReason, tokens: Option<u64>) {
        if matches!(reason, StopReason::Cancelled | StopReason::Budget | StopReason::Failed) {
            self.give_up_tools();
        }
        self.push(EntryContent::Ended { reason, tokens });
    }

    /// What was under way does not come to an end any more.
    pub fn give_up_tools(&mut self) {
        self.live.distant_tools.clear();
        let open = |entry: &Entry| matches!(&entry.content, EntryContent::Tool(tool) if is_under_way(tool));
        let numbers: Vec<u64> =
            self.live.entries.iter().filter(|entry| open(entry)).map(|entry| entry.number).collect();
        for number in numbers {
            self.change(number, |content| {
                if let EntryContent::Tool(tool) = content {
                    tool.status = ToolStatus::Cancelled;
                }
            });
        }
    }

    /// The numbers of the entries in memory that are as wanted.
    pub fn find(&self, wanted: impl Fn(&EntryContent) -> bool) -> Vec<u64> {
        self.live.entries.iter().filter(|entry| wanted(&entry.content)).map(|entry| entry.number).collect()
    }

    /// Says something to the agent, once all of this is on disk. Gives where that ends in all that is said to it.
    pub fn send(&mut self, message: &Value) -> u64 {
        let line = format!("{message}\n");
        let start = self.live.kept.queued;
        self.live.kept.queued += line.len() as u64;
        self.live.lines.push(StoredLine { start, line });
        self.live.head_changed = true;
        self.live.kept.queued
    }

    /// What the agent says was handled up to here.
    pub fn read_to(&mut self, cursor: u64) {
        self.live.kept.cursor = cursor;
        self.live.head_changed = true;
    }

    /// The agent has asked something. Gives how many bytes are kept of it.
    pub fn open_request(&mut self, id: &str, request: &impl Serialize) -> usize {
        let json = serde_json::to_string(request).unwrap_or_default();
        let bytes = json.len();
        self.live.requests.insert(id.to_owned(), Some(json));
        self.live.head_changed = true;
        bytes
    }

    /// A request of the agent's was answered.
    pub fn settle_request(&mut self, id: &str) {
        self.live.requests.insert(id.to_owned(), None);
        self.live.head_changed = true;
    }

    /// What whoever speaks with the agent has to know when another hub takes this up.
    pub fn remember(&mut self, memory: &impl Serialize) {
        if let Ok(memory) = serde_json::to_value(memory) {
            self.live.kept.memory = memory;
            self.live.head_changed = true;
        }
    }
}

fn is_output(content: &ToolContent, output: &str) -> bool {
    matches!(content, ToolContent::Output { id, .. } if id == output)
}

/// A name for a conversation: the beginning of its first prompt.
fn title_of(blocks: &[Block]) -> String {
    let text = blocks.iter().find_map(|block| match block {
        Block::Text { text } => text.lines().map(str::trim).find(|line| !line.is_empty()),
        _ => None,
    });
    let text = text.unwrap_or("…");
    let short: String = text.chars().take(LONGEST_TITLE).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
