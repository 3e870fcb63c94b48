//! A conversation on a plain terminal: what is new of each entry, as it comes. What the agent says goes to standard output,
//! all else to standard error, so that an answer can be piped on.

use std::collections::BTreeMap;
use std::io::{self, Write};

use flightdeck_contract::chat::{
    Asked, Block, Entry, EntryContent, Level, PermissionOutcome, PlanStep, Question, QuestionOutcome, StepStatus,
    StopReason, ToolCall, ToolContent, ToolStatus,
};

use flightdeck_contract::TerminalId;
use flightdeck_view::shown::prose;

use super::follow::TerminalNews;
use crate::commands::visible::visible;
use crate::out::write_now;
use crate::style::{self, Style};

/// What was printed of an entry.
#[derive(Debug, Default, Clone, PartialEq)]
struct Printed {
    /// How many bytes of its text, or of the last output in a tool call.
    text: usize,
    /// Everything else, as it was printed last.
    line: String,
}

/// The line that has no end yet: whose it is, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Said(u64),
    Thought(u64),
    Tool(u64),
    Terminal(TerminalId),
}

/// Prints entries.
#[derive(Debug)]
pub struct Printer {
    style: Style,
    printed: BTreeMap<u64, Printed>,
    open: Option<Open>,
}

/// So many bytes before a piece of text can change how it is shown.
const CONTEXT: usize = 64;
/// So many lines are shown of what a failed tool call says.
const FAILURE_LINES: usize = 5;
/// How many entries are remembered: older ones don't change any more.
const REMEMBERED: usize = 200;

impl Printer {
    pub fn new() -> Self {
        Printer { style: style::stderr(), printed: BTreeMap::new(), open: None }
    }

    /// An entry is new, or has changed.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        match &entry.content {
            EntryContent::Agent { text } => self.text(Open::Said(entry.number), entry.number, text),
            EntryContent::Thought { text } => self.text(Open::Thought(entry.number), entry.number, text),
            EntryContent::User { by: None, blocks } => self.line(entry.number, format!("> {}", words(blocks))),
            EntryContent::User { .. } => Ok(()),
            EntryContent::Shown { block } => self.line(entry.number, words(std::slice::from_ref(block))),
            EntryContent::Plan { steps } => {
                let plan = self.plan(steps);
                self.line(entry.number, plan)
            }
            EntryContent::Tool(tool) => {
                let line = self.tool(tool);
                self.line(entry.number, line)?;
                match tool.content.last() {
                    Some(ToolContent::Output { text, .. }) => self.tool_output(entry.number, text),
                    _ => Ok(()),
                }
            }
            EntryContent::Permission(asked) => match self.permission(asked) {
                Some(line) => self.line(entry.number, line),
                None => Ok(()),
            },
            EntryContent::Question(question) => {
                let told: Vec<_> = question
                    .outcome
                    .as_ref()
                    .map(outcome_words)
                    .map(str::to_owned)
                    .into_iter()
                    .chain(page_done(question))
                    .collect();
                if told.is_empty() { Ok(()) } else { self.line(entry.number, self.style.dim(&told.join("; "))) }
            }
            EntryContent::Ended { reason, .. } => match reason {
                StopReason::EndTurn | StopReason::Failed => self.end_line(),
                other => self.line(entry.number, self.style.yellow(stop_words(*other))),
            },
            EntryContent::Note { level, text, details } => {
                let shown = match level {
                    Level::Info => self.style.dim(&prose(text)),
                    Level::Warning => self.style.yellow(&prose(text)),
                    Level::Error => self.style.red(&prose(text)),
                };
                let details =
                    details.iter().flat_map(|details| details.lines()).map(|line| format!("\n  {}", prose(line)));
                self.line(entry.number, shown + &details.collect::<String>())
            }
        }
    }

    /// What the terminal in a tool call tells.
    pub fn terminal(&mut self, news: &TerminalNews) -> io::Result<()> {
        match news {
            TerminalNews::Printed { terminal, text, .. } => self.indented(Open::Terminal(*terminal), text),
            TerminalNews::Ended { terminal, exit_code } => {
                let code = exit_code.map_or_else(String::new, |code| format!(" with exit code {code}"));
                self.end_line()?;
                writeln!(io::stderr().lock(), "{}", self.style.dim(&format!("  {terminal} ended{code}")))
            }
            TerminalNews::Lost => Ok(()),
        }
    }

    /// What a command printed that the agent runs by itself. When it became too long, its beginning went.
    fn tool_output(&mut self, number: u64, text: &str) -> io::Result<()> {
        let printed = self.printed.entry(number).or_default();
        let from = if printed.text <= text.len() { printed.text } else { 0 };
        printed.text = text.len();
        // Control sequences may be cut here, and a line may be drawn over: it is a look, and no record.
        let new = flightdeck_screen::plain(text.get(from..).unwrap_or_default().as_bytes());
        if new.is_empty() { Ok(()) } else { self.indented(Open::Tool(number), &new) }
    }

    /// Prints what is new of a text.
    fn text(&mut self, open: Open, number: u64, text: &str) -> io::Result<()> {
        let printed = self.printed.entry(number).or_default();
        // What may join two characters is shown when the second one is there.
        let ready = text.trim_end_matches(['\u{200d}', '\r']);
        let Some(new) = ready.get(printed.text..).filter(|new| !new.is_empty()) else { return Ok(()) };
        // An accent is one only behind its letter, which may have come before.
        let context = &text[text.floor_char_boundary(printed.text.saturating_sub(CONTEXT))..printed.text];
        let known = lines(context).len();
        let shown = lines(&text[printed.text - context.len()..ready.len()]).split_off(known);
        printed.text = ready.len();
        self.begin(open)?;
        if let Open::Thought(_) = open {
            write_now(&mut io::stderr().lock(), self.style.dim(&shown).as_bytes())?;
        } else {
            write_now(&mut io::stdout().lock(), shown.as_bytes())?;
        }
        if new.ends_with('\n') {
            self.open = None;
        }
        self.forget();
        Ok(())
    }

    /// Prints more of what a program printed, set in.
    fn indented(&mut self, open: Open, text: &str) -> io::Result<()> {
        let mut shown = String::new();
        let mut in_line = self.begin(open)?;
        for line in text.split_inclusive('\n') {
            shown += if in_line { "" } else { "  " };
            shown += &self.style.dim(&prose(line.trim_end_matches(['\n', '\r'])));
            in_line = !line.ends_with('\n');
            shown += if in_line { "" } else { "\n" };
        }
        if !in_line {
            self.open = None;
        }
        write_now(&mut io::stderr().lock(), shown.as_bytes())
    }

    /// Prints a line of an entry, unless it was printed last.
    #[expect(clippy::needless_pass_by_value, reason = "each line is made for this call")]
    fn line(&mut self, number: u64, line: String) -> io::Result<()> {
        let printed = self.printed.entry(number).or_default();
        if printed.line == line {
            return Ok(());
        }
        printed.line.clone_from(&line);
        self.end_line()?;
        self.forget();
        writeln!(io::stderr().lock(), "{line}")
    }

    /// Something goes on in its line, if it has one; else it begins one. Says whether it is in the middle of it.
    fn begin(&mut self, open: Open) -> io::Result<bool> {
        if self.open == Some(open) {
            return Ok(true);
        }
        self.end_line()?;
        self.open = Some(open);
        Ok(false)
    }

    /// Begins a new line if the last one has no end.
    pub fn end_line(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some(Open::Said(_)) => writeln!(io::stdout().lock()),
            Some(_) => writeln!(io::stderr().lock()),
            None => Ok(()),
        }
    }

    fn forget(&mut self) {
        while self.printed.len() > REMEMBERED {
            self.printed.pop_first();
        }
    }

    fn tool(&self, tool: &ToolCall) -> String {
        let title = prose(&tool.title);
        let mut line = match tool.status {
            ToolStatus::Pending => format!("{} {title}", self.style.dim("○")),
            ToolStatus::InProgress => format!("{} {title}", self.style.yellow("●")),
            ToolStatus::Completed => format!("{} {title}", self.style.green("✓")),
            ToolStatus::Failed => format!("{} {title}", self.style.red("✗")),
            ToolStatus::Cancelled => format!("{} {title}", self.style.dim("⊘")),
        };
        let over = matches!(tool.status, ToolStatus::Completed | ToolStatus::Failed);
        for content in &tool.content {
            match content {
                ToolContent::Terminal { terminal } => line += &self.style.dim(&format!("  {terminal}")),
                ToolContent::Diff { path, added, removed, diff, .. } => {
                    line += &self.style.dim(&format!("  {} +{added} -{removed}", visible(path)));
                    if !over {
                        for change in diff.lines() {
                            line += "\n  ";
                            line += &match change.as_bytes().first() {
                                Some(b'+') => self.style.green(&visible(change)),
                                Some(b'-') => self.style.red(&visible(change)),
                                _ => self.style.dim(&visible(change)),
                            };
                        }
                    }
                }
                ToolContent::Output { exit_code: Some(code), .. } => {
                    line += &self.style.dim(&format!("  exit code {code}"));
                }
                ToolContent::Output { .. } | ToolContent::Block { .. } => {}
            }
        }
        let failure = failure_lines(tool);
        if failure.before > 0 {
            line += &self.style.dim(&format!("\n  … {} lines before", failure.before));
        }
        for said in failure.last {
            line += &self.style.dim(&format!("\n  {said}"));
        }
        line
    }

    fn plan(&self, steps: &[PlanStep]) -> String {
        let step = |step: &PlanStep| {
            let text = prose(&step.text);
            match step.status {
                StepStatus::Pending => format!("  ☐ {text}"),
                StepStatus::InProgress => format!("  ▸ {}", self.style.bold(&text)),
                StepStatus::Completed => format!("  {} {}", self.style.green("☑"), self.style.dim(&text)),
            }
        };
        steps.iter().map(step).collect::<Vec<_>>().join("\n")
    }

    fn permission(&self, asked: &Asked) -> Option<String> {
        Some(match asked.outcome.as_ref()? {
            PermissionOutcome::Chosen { option, by } => {
                let name =
                    asked.options.iter().find(|known| known.id == *option).map_or(option.as_str(), |known| &known.name);
                self.style.dim(&format!("{}: {} ({by})", visible(&asked.title), visible(name)))
            }
            PermissionOutcome::Unanswered { why } => {
                self.style.yellow(&format!("nobody has answered: {}", visible(why)))
            }
            PermissionOutcome::Cancelled => self.style.dim("the question was taken back"),
        })
    }
}

/// What a failed tool call says of it.
#[derive(Debug, Default)]
pub struct FailureLines {
    /// How many lines stand before the last ones.
    pub before: usize,
    pub last: Vec<String>,
}

/// The last lines of what a tool call says in words, if it has failed.
pub fn failure_lines(tool: &ToolCall) -> FailureLines {
    if tool.status != ToolStatus::Failed {
        return FailureLines::default();
    }
    let texts = tool.content.iter().filter_map(|content| match content {
        ToolContent::Block { block: Block::Text { text } } => Some(text),
        _ => None,
    });
    let plain: Vec<String> = texts.map(|text| flightdeck_screen::plain(text.as_bytes())).collect();
    // Agents like to wrap it as code.
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    let lines: Vec<&str> = plain.iter().flat_map(|text| text.trim_end().lines()).filter(|it| !is_fence(it)).collect();
    let before = lines.len().saturating_sub(FAILURE_LINES);
    FailureLines { before, last: lines[before..].iter().map(|line| prose(line)).collect() }
}

/// How a question ended.
pub fn outcome_words(outcome: &QuestionOutcome) -> &'static str {
    match outcome {
        QuestionOutcome::Accepted { .. } => "answered",
        QuestionOutcome::Declined { .. } => "declined",
        QuestionOutcome::Cancelled => "the question was taken back",
    }
}

/// That what was to be done on the page of a question is done, if the agent has told so.
pub fn page_done(question: &Question) -> Option<String> {
    question.completed.then(|| format!("done on {}", prose(question.host.as_deref().unwrap_or("its page"))))
}

/// Why a turn ended, for people.
pub fn stop_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndTurn => "done",
        StopReason::Failed => "the agent has failed",
        StopReason::Cancelled => "cancelled",
        StopReason::Budget => "stopped: the budget is used up",
        StopReason::MaxTokens => "the agent stopped: its model's answer became too long",
        StopReason::MaxRequests => "the agent stopped: it has asked its model as often as it may in one turn",
        StopReason::Refusal => "the agent refused",
    }
}

/// Lines of somebody's, with their ends.
fn lines(text: &str) -> String {
    let safe = |line: &str| match line.strip_suffix('\n') {
        Some(line) => prose(line.strip_suffix('\r').unwrap_or(line)) + "\n",
        None => prose(line),
    };
    text.split_inclusive('\n').map(safe).collect()
}

fn words(blocks: &[Block]) -> String {
    let word = |block: &Block| match block {
        Block::Text { text } => text.lines().map(prose).collect::<Vec<_>>().join("\n"),
        Block::File { path, .. } => format!("@{}", visible(path)),
        Block::Image { mime, .. } | Block::Audio { mime, .. } => format!("[{}]", visible(mime)),
        Block::Link { name, uri } => format!("[{}]({})", visible(name), visible(uri)),
    };
    blocks.iter().map(word).collect::<Vec<_>>().join(" ")
}
