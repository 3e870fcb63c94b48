//! One conversation in this window: what is told is printed, what is typed is said, and what waits for a person is asked.

use std::collections::VecDeque;
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use flightdeck_client::{Client, Error as ClientError, Running};
use flightdeck_contract::approval::{Answered, Approvals, ListApprovals};
use flightdeck_contract::chat::{
    AnswerQuestion, Asked, Authenticate, Block, CancelTurn, Chat, ChatEvent, ChatState, Choosable, Entry, EntryContent,
    Prompt, Prompted, SetMode, SetOption, StopChat, StopReason, ToolContent, WatchChat,
};
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{ApprovalId, ConversationId, ErrorCode};
use flightdeck_core::Workspace;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::ask::{self, Form};
use super::printer::Printer;
use crate::args::Agent;
use crate::find;
use crate::style::{self, Style};

/// How many entries are shown of a conversation that is taken up.
const SHOWN: usize = 10;
/// How often a hub that is gone is looked for.
const LOOK: Duration = Duration::from_millis(200);
/// As a shell reports a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

pub async fn run(workspace: &Workspace, client: Client, id: ConversationId, args: &Agent) -> anyhow::Result<ExitCode> {
    let once = args.prompt.is_some();
    let person = std::io::stdin().is_terminal();
    let mut talk = Talk {
        id,
        client,
        style: style::stderr(),
        printer: Printer::new(),
        entries: VecDeque::new(),
        chat: None,
        asking: None,
        said: args.prompt.clone().into_iter().collect(),
        mode: args.mode.clone(),
        model: args.model.clone(),
        once,
        json: args.json,
        person,
        turn: None,
        settled: Vec::new(),
    };
    if args.resume.is_none() && !args.json {
        eprintln!("{}", talk.style.dim(&format!("{id}: starting; Ctrl-C cancels a turn, Ctrl-D leaves")));
    }
    let mut lines = if once && !person { None } else { Some(typed()) };
    let mut watching = talk.watch(args.resume.is_some()).await?;
    // One for all turns: what comes between two looks must not be missed.
    let mut interrupts = signal(SignalKind::interrupt())?;
    let code = loop {
        tokio::select! {
            event = watching.events.next::<ChatEvent>() => if let Ok(Some((event, _))) = event {
                if let Some(code) = talk.event(event).await? {
                    break code;
                }
            } else {
                if let Err(ClientError::Hub(error)) = watching.result.typed::<Done>().await
                    && error.code != ErrorCode::HubStopping
                {
                    return Err(ClientError::Hub(error).into());
                }
                talk.reconnect(workspace).await;
                watching = talk.watch(true).await?;
            },
            line = next_line(&mut lines) => if let Some(line) = line { talk.line(&line).await? } else {
                lines = None;
                if !once {
                    break ExitCode::SUCCESS;
                }
            },
            _ = interrupts.recv() => {
                if let Some(code) = talk.interrupt().await? {
                    break code;
                }
            }
        }
    };
    talk.leave(args).await;
    Ok(code)
}

/// The lines that are typed.
fn typed() -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

async fn next_line(lines: &mut Option<mpsc::Receiver<String>>) -> Option<String> {
    match lines {
        Some(lines) => lines.recv().await,
        None => std::future::pending().await,
    }
}

/// What the person is asked now.
#[derive(Debug)]
enum Asking {
    /// For a prompt.
    Prompt,
    Permission(ApprovalId, Box<Asked>),
    Command(ApprovalId),
    Form(Form),
    SignIn(Vec<String>),
}

struct Talk {
    id: ConversationId,
    client: Client,
    style: Style,
    printer: Printer,
    /// The newest entries, for what is added to them.
    entries: VecDeque<Entry>,
    chat: Option<Chat>,
    asking: Option<Asking>,
    /// What is to be said when the agent is ready.
    said: VecDeque<String>,
    mode: Option<String>,
    model: Option<String>,
    once: bool,
    json: bool,
    person: bool,
    /// The turn that is waited for.
    turn: Option<u32>,
    /// What was answered here already.
    settled: Vec<ApprovalId>,
}

impl Talk {
    async fn watch(&mut self, known: bool) -> Result<Running, ClientError> {
        let last = if known { Some(SHOWN) } else { None };
        let request = WatchChat { id: self.id, last, attend: self.person };
        self.client.begin("flightdeck.chat.watch", &request).await
    }

    /// The hub is gone: another one takes the conversation up.
    async fn reconnect(&mut self, workspace: &Workspace) {
        eprintln!("{}", self.style.yellow("the hub is gone; waiting for the next one"));
        loop {
            tokio::time::sleep(LOOK).await;
            if let Ok(client) = Client::connect(&workspace.socket(), &find::actor()).await {
                self.client = client;
                self.asking = None;
                return;
            }
        }
    }

    /// Shows an event. A code says that all is over.
    async fn event(&mut self, event: ChatEvent) -> anyhow::Result<Option<ExitCode>> {
        if self.json {
            outln!("{}", serde_json::to_string(&event)?)?;
        }
        match event {
            ChatEvent::Snapshot { chat, entries, .. } => {
                self.entries = entries.into();
                self.show_all()?;
                self.chat = Some(*chat);
            }
            ChatEvent::Chat { chat } => self.chat = Some(*chat),
            ChatEvent::Entry { entry } => {
                match self.entries.iter_mut().find(|known| known.number == entry.number) {
                    Some(known) => *known = *entry.clone(),
                    None => self.entries.push_back(*entry.clone()),
                }
                while self.entries.len() > 200 {
                    self.entries.pop_front();
                }
                if !self.json {
                    self.show(&entry).await?;
                }
                if let Some(code) = self.ended(&entry) {
                    return Ok(Some(code));
                }
            }
            ChatEvent::Text { number, text } => {
                if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
                    append(entry, &text);
                    if !self.json {
                        let entry = entry.clone();
                        self.printer.entry(&entry)?;
                    }
                }
            }
            ChatEvent::Removed { .. } => return Ok(Some(ExitCode::FAILURE)),
        }
        self.go_on().await
    }

    fn show_all(&mut self) -> anyhow::Result<()> {
        if self.json {
            return Ok(());
        }
        for entry in &self.entries {
            self.printer.entry(entry)?;
        }
        Ok(())
    }

    async fn show(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.printer.entry(entry)?;
        let EntryContent::Tool(tool) = &entry.content else { return Ok(()) };
        let over = matches!(
            tool.status,
            flightdeck_contract::chat::ToolStatus::Completed | flightdeck_contract::chat::ToolStatus::Failed
        );
        for content in tool.content.iter().filter(|_| over) {
            if let ToolContent::Terminal { terminal } = content {
                self.show_terminal(*terminal).await;
            }
        }
        Ok(())
    }

    /// The last lines of a terminal that a tool call has used.
    async fn show_terminal(&self, terminal: flightdeck_contract::TerminalId) {
        let read = serde_json::json!({ "id": terminal, "lines": SHOWN });
        let output: Result<flightdeck_contract::terminal::Output, _> =
            self.client.call("flightdeck.terminal.read", &read).await;
        for line in output.iter().flat_map(|output| output.text.lines()) {
            eprintln!("  {}", self.style.dim(&crate::commands::visible::visible(line)));
        }
    }

    /// Whether the turn that was waited for is over.
    fn ended(&self, entry: &Entry) -> Option<ExitCode> {
        let EntryContent::Ended { reason, .. } = &entry.content else { return None };
        if !self.once || self.turn != Some(entry.turn) {
            return None;
        }
        Some(match reason {
            StopReason::EndTurn => ExitCode::SUCCESS,
            StopReason::Cancelled => ExitCode::from(INTERRUPTED),
            _ => ExitCode::FAILURE,
        })
    }

    /// Says or asks what is next.
    async fn go_on(&mut self) -> anyhow::Result<Option<ExitCode>> {
        let Some(chat) = self.chat.clone() else { return Ok(None) };
        match chat.state {
            ChatState::Gone | ChatState::Failed if chat.agent.number.is_none() => {
                self.printer.end_line()?;
                if self.json
                    || self.entries.back().is_none_or(|last| !matches!(last.content, EntryContent::Note { .. }))
                {
                    eprintln!("{}", self.style.red(&format!("the agent is gone: {}", chat.reason)));
                }
                return Ok(Some(ExitCode::FAILURE));
            }
            ChatState::WaitsForSignIn if self.asking.is_none() => self.ask_sign_in(&chat)?,
            ChatState::WaitsForApproval => self.ask_approval(&chat).await?,
            ChatState::WaitsForInput => self.ask_form()?,
            ChatState::Ready | ChatState::Done | ChatState::Failed => {
                self.choose(&chat).await?;
                if let Some(text) = self.said.pop_front() {
                    self.prompt(text).await?;
                } else if !self.once && self.asking.is_none() {
                    self.printer.end_line()?;
                    say("> ")?;
                    self.asking = Some(Asking::Prompt);
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// Chooses mode and model before the first prompt.
    async fn choose(&mut self, chat: &Chat) -> anyhow::Result<()> {
        if let Some(mode) = self.mode.take() {
            self.client.call::<Done>("flightdeck.chat.mode", &SetMode { id: self.id, mode }).await?;
        }
        if let Some(value) = self.model.take() {
            let is_model = |option: &&flightdeck_contract::chat::ChatOption| {
                option.category.as_deref() == Some("model") && matches!(option.choosable, Choosable::Select { .. })
            };
            let Some(option) = chat.options.iter().find(is_model) else {
                anyhow::bail!("{} has no models to choose from", chat.agent.title);
            };
            let set = SetOption { id: self.id, option: option.id.clone(), value };
            self.client.call::<Done>("flightdeck.chat.option", &set).await?;
        }
        Ok(())
    }

    async fn prompt(&mut self, text: String) -> anyhow::Result<()> {
        self.asking = None;
        let prompt = Prompt { id: self.id, content: vec![Block::Text { text }] };
        let prompted: Prompted = self.client.call("flightdeck.chat.prompt", &prompt).await?;
        self.turn = Some(prompted.turn);
        // Told in a moment; a Ctrl-C that comes before means this turn.
        if let Some(chat) = &mut self.chat {
            chat.state = ChatState::Working;
        }
        Ok(())
    }

    fn ask_sign_in(&mut self, chat: &Chat) -> anyhow::Result<()> {
        self.printer.end_line()?;
        eprintln!("{} {}", self.style.yellow("?"), chat.reason);
        for (at, method) in chat.auth.iter().enumerate() {
            let how = method
                .command
                .as_ref()
                .map(|command| format!(": run `{}`, then `flightdeck agent --resume`", command.join(" ")));
            eprintln!("  [{}] {}{}", at + 1, method.name, how.unwrap_or_default());
        }
        self.asking = Some(Asking::SignIn(chat.auth.iter().map(|method| method.id.clone()).collect()));
        Ok(())
    }

    async fn ask_approval(&mut self, chat: &Chat) -> anyhow::Result<()> {
        let Some(id) = chat.approval.filter(|id| !self.settled.contains(id)) else { return Ok(()) };
        if matches!(&self.asking, Some(Asking::Permission(asked, _) | Asking::Command(asked)) if *asked == id) {
            return Ok(());
        }
        let own = self.entries.iter().find_map(|entry| match &entry.content {
            EntryContent::Permission(asked) if asked.approval == Some(id) => Some(asked.clone()),
            _ => None,
        });
        self.printer.end_line()?;
        if !self.person {
            eprintln!("{}", self.style.yellow(&format!("waits for a person: {} (`flightdeck approve`)", chat.reason)));
            self.settled.push(id);
            return Ok(());
        }
        if let Some(asked) = own {
            let text = ask::permission(&asked, self.style);
            say(&text)?;
            self.asking = Some(Asking::Permission(id, asked));
            return Ok(());
        }
        let Approvals { approvals, .. } = self.client.call("flightdeck.approval.list", &ListApprovals {}).await?;
        if let Some(approval) = approvals.iter().find(|approval| approval.id == id) {
            let text = ask::command(approval, self.style);
            say(&text)?;
            self.asking = Some(Asking::Command(id));
        }
        Ok(())
    }

    fn ask_form(&mut self) -> anyhow::Result<()> {
        if matches!(self.asking, Some(Asking::Form(_))) || !self.person {
            return Ok(());
        }
        let question = self.entries.iter().rev().find_map(|entry| match &entry.content {
            EntryContent::Question(question) if question.outcome.is_none() => Some((entry.number, question)),
            _ => None,
        });
        let Some((number, question)) = question else { return Ok(()) };
        let form = Form::new(number, (**question).clone());
        self.printer.end_line()?;
        if let Some(text) = form.ask(self.style) {
            say(&text)?;
        }
        self.asking = Some(Asking::Form(form));
        Ok(())
    }

    /// A line was typed.
    async fn line(&mut self, line: &str) -> anyhow::Result<()> {
        match self.asking.take() {
            Some(Asking::Permission(id, asked)) => {
                if let Some(answer) = ask::permission_answer(id, &asked, line) {
                    self.settled.push(id);
                    self.client.call::<Answered>("flightdeck.approval.answer", &answer).await?;
                } else {
                    let text = ask::permission(&asked, self.style);
                    say(&text)?;
                    self.asking = Some(Asking::Permission(id, asked));
                }
            }
            Some(Asking::Command(id)) => {
                if let Some(answer) = ask::command_answer(id, line) {
                    self.settled.push(id);
                    self.client.call::<Answered>("flightdeck.approval.answer", &answer).await?;
                } else {
                    say("  [y] once  [n] no ")?;
                    self.asking = Some(Asking::Command(id));
                }
            }
            Some(Asking::Form(form)) => self.fill_in(form, line).await?,
            Some(Asking::SignIn(ways)) => {
                let way =
                    line.trim().parse::<usize>().ok().and_then(|number| ways.get(number.checked_sub(1)?).cloned());
                match way {
                    Some(method) => {
                        let request = Authenticate { id: self.id, method };
                        if let Err(error) = self.client.call::<Done>("flightdeck.chat.authenticate", &request).await {
                            eprintln!("{}", self.style.red(&error.to_string()));
                            self.asking = Some(Asking::SignIn(ways));
                        }
                    }
                    None => self.asking = Some(Asking::SignIn(ways)),
                }
            }
            asking => {
                if line.trim().is_empty() {
                    if matches!(asking, Some(Asking::Prompt)) {
                        say("> ")?;
                        self.asking = asking;
                    }
                    return Ok(());
                }
                self.said.push_back(line.to_owned());
                let _ = self.go_on().await?;
            }
        }
        Ok(())
    }

    async fn fill_in(&mut self, mut form: Form, line: &str) -> anyhow::Result<()> {
        if !form.take(line) {
            eprintln!("{}", self.style.yellow("  that is not what the form asks for"));
        }
        if let Some(text) = form.ask(self.style) {
            say(&text)?;
            self.asking = Some(Asking::Form(form));
            return Ok(());
        }
        let (id, entry) = (self.id, form.entry);
        let answer = AnswerQuestion { id, entry, values: Some(form.into_values()) };
        self.client.call::<Done>("flightdeck.chat.answer", &answer).await?;
        Ok(())
    }

    /// Ctrl-C: the turn is cancelled, or this window is left.
    async fn interrupt(&mut self) -> anyhow::Result<Option<ExitCode>> {
        let busy = self.chat.as_ref().is_some_and(|chat| chat.state.is_busy());
        if !busy {
            eprintln!();
            return Ok(Some(if self.once { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS }));
        }
        self.asking = None;
        self.printer.end_line()?;
        eprintln!("{}", self.style.dim("cancelling"));
        // It may have ended at this moment.
        let _ = self.client.call::<Done>("flightdeck.chat.cancel", &CancelTurn { id: self.id }).await;
        Ok(None)
    }

    /// The window is left: the agent goes on, unless it was wanted for one prompt.
    async fn leave(&mut self, args: &Agent) {
        let there = self.chat.as_ref().is_some_and(|chat| chat.agent.number.is_some());
        if !there {
            return;
        }
        if self.once && args.resume.is_none() && !args.keep {
            let _ = self.client.call::<Done>("flightdeck.chat.stop", &StopChat { id: self.id }).await;
        } else if !self.json && !self.once {
            let id = self.id;
            eprintln!(
                "{}",
                self.style.dim(&format!("the agent goes on: `flightdeck agent --resume {id}`, or `--stop {id}`"))
            );
        }
    }
}

/// Asks, on the line that is answered.
fn say(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stderr().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
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
