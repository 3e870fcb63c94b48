//! A conversation on a plain terminal: what is new of each entry, as it comes. What the agent says goes to standard output,
//! all else to standard error, so that an answer can be piped on.

use std::collections::BTreeMap;
use std::io::{self, Write};

use flightdeck_contract::chat::{
    Asked, Block, Entry, EntryContent, Level, PermissionOutcome, PlanStep, StepStatus, StopReason, ToolCall,
    ToolContent, ToolStatus,
};

use crate::commands::visible::visible;
use crate::out::write_now;
use crate::style::{self, Style};

/// What was printed of an entry.
#[derive(Debug, Default, Clone, PartialEq)]
struct Printed {
    /// How many bytes of its text.
    text: usize,
    /// Everything else, as it was printed last.
    line: String,
}

/// Prints entries.
#[derive(Debug)]
pub struct Printer {
    style: Style,
    printed: BTreeMap<u64, Printed>,
    /// The entry whose text is being printed, in the middle of a line.
    open: Option<u64>,
}

/// How many entries are remembered: older ones don't change any more.
const REMEMBERED: usize = 200;

impl Printer {
    pub fn new() -> Self {
        Printer { style: style::stderr(), printed: BTreeMap::new(), open: None }
    }

    /// An entry is new, or has changed.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        match &entry.content {
            EntryContent::Agent { text } => self.text(entry.number, text, false),
            EntryContent::Thought { text } => self.text(entry.number, text, true),
            EntryContent::User { by: None, blocks } => self.line(entry.number, format!("> {}", words(blocks))),
            EntryContent::User { .. } => Ok(()),
            EntryContent::Shown { block } => self.line(entry.number, words(std::slice::from_ref(block))),
            EntryContent::Plan { steps } => {
                let plan = self.plan(steps);
                self.line(entry.number, plan)
            }
            EntryContent::Tool(tool) => {
                let line = self.tool(tool);
                self.line(entry.number, line)
            }
            EntryContent::Permission(asked) => match self.permission(asked) {
                Some(line) => self.line(entry.number, line),
                None => Ok(()),
            },
            EntryContent::Question(question) => match &question.outcome {
                Some(_) => self.line(entry.number, self.style.dim("answered")),
                None => Ok(()),
            },
            EntryContent::Ended { reason, .. } => match reason {
                StopReason::EndTurn | StopReason::Failed => self.end_line(),
                other => {
                    let text = match other {
                        StopReason::Cancelled => "cancelled",
                        StopReason::Budget => "stopped: the budget is used up",
                        StopReason::MaxTokens => "it stopped: its model's answer became too long",
                        StopReason::MaxRequests => "it stopped: it has asked its model as often as it may",
                        _ => "it does not want to",
                    };
                    self.line(entry.number, self.style.yellow(text))
                }
            },
            EntryContent::Note { level, text, details } => {
                let shown = match level {
                    Level::Info => self.style.dim(&visible(text)),
                    Level::Warning => self.style.yellow(&visible(text)),
                    Level::Error => self.style.red(&visible(text)),
                };
                let details =
                    details.iter().flat_map(|details| details.lines()).map(|line| format!("\n  {}", visible(line)));
                self.line(entry.number, shown + &details.collect::<String>())
            }
        }
    }

    /// Prints what is new of a text.
    fn text(&mut self, number: u64, text: &str, thought: bool) -> io::Result<()> {
        let printed = self.printed.entry(number).or_default();
        let Some(new) = text.get(printed.text..).filter(|new| !new.is_empty()) else { return Ok(()) };
        printed.text = text.len();
        if self.open.is_some_and(|open| open != number) {
            self.end_line()?;
        }
        self.open = Some(number);
        let shown: String = new
            .split_inclusive('\n')
            .map(|line| match line.strip_suffix('\n') {
                Some(line) => visible(line) + "\n",
                None => visible(line),
            })
            .collect();
        if thought {
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

    /// Begins a new line if the last one has no end.
    pub fn end_line(&mut self) -> io::Result<()> {
        if self.open.take().is_some() {
            writeln!(io::stdout().lock())?;
        }
        Ok(())
    }

    fn forget(&mut self) {
        while self.printed.len() > REMEMBERED {
            self.printed.pop_first();
        }
    }

    fn tool(&self, tool: &ToolCall) -> String {
        let title = visible(&tool.title);
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
                ToolContent::Output { text, exit_code: Some(code), .. } => {
                    line += &self.style.dim(&format!("  exit code {code}"));
                    for printed in last_lines(text) {
                        line += "\n  ";
                        line += &visible(printed);
                    }
                }
                ToolContent::Output { .. } | ToolContent::Block { .. } => {}
            }
        }
        line
    }

    fn plan(&self, steps: &[PlanStep]) -> String {
        let step = |step: &PlanStep| {
            let text = visible(&step.text);
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

fn last_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let skip = lines.len().saturating_sub(10);
    lines.into_iter().skip(skip)
}

fn words(blocks: &[Block]) -> String {
    let word = |block: &Block| match block {
        Block::Text { text } => text.lines().map(visible).collect::<Vec<_>>().join("\n"),
        Block::File { path, .. } => format!("@{}", visible(path)),
        Block::Image { mime, .. } | Block::Audio { mime, .. } => format!("[{}]", visible(mime)),
        Block::Link { name, uri } => format!("[{}]({})", visible(name), visible(uri)),
    };
    blocks.iter().map(word).collect::<Vec<_>>().join(" ")
}
