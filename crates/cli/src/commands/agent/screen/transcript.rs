//! What was said and done, as rows: those that are final, and those that may still change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use flightdeck_contract::TerminalId;
use flightdeck_contract::chat::{
    Asked, Block, Entry, EntryContent, Level, PermissionOutcome, PlanStep, Question, StepStatus, StopReason, ToolCall,
    ToolContent, ToolStatus,
};
use flightdeck_view::shown::prose;

use super::super::follow::TerminalNews;
use super::super::printer::{failure_lines, outcome_words, page_done, stop_words};
use super::super::styled::{Look, StyledLine};
use super::markdown::Markdown;

/// So many lines of a running command are shown below its tool call, and of one that has ended.
const TAIL_LINES: usize = 4;
/// So many lines of a change are shown, and of a prompt.
const DIFF_LINES: usize = 12;
const PROMPT_LINES: usize = 10;
/// How many entries are remembered: older ones don't change any more.
const MAX_REMEMBERED: usize = 1000;

/// What stood last in the final rows: something else is set apart from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    User,
    Said,
    Thought,
    Tool,
    Note,
}

/// The text that is being said.
#[derive(Debug, Default)]
struct Speech {
    number: u64,
    is_thought: bool,
    /// What comes behind the last line that is final.
    rest: String,
    /// How much of it was taken.
    taken: usize,
    markdown: Markdown,
}

/// What a terminal in a tool call has printed last.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<String>,
    count: usize,
    in_line: bool,
    exit_code: Option<i32>,
}

/// A conversation in rows.
#[derive(Debug, Default)]
pub struct Transcript {
    /// Rows that are final and were not taken yet.
    rows: Vec<StyledLine>,
    last: Option<Kind>,
    speech: Option<Speech>,
    /// What is under way.
    tools: BTreeMap<u64, ToolCall>,
    tails: BTreeMap<TerminalId, Tail>,
    plan: Option<(u64, Vec<PlanStep>)>,
    /// What was shown for good.
    shown: BTreeSet<u64>,
    /// Questions whose page was told to be done.
    completed: BTreeSet<u64>,
}

impl Transcript {
    /// An entry is new, or has changed.
    pub fn entry(&mut self, entry: &Entry, columns: usize) {
        if let EntryContent::Question(question) = &entry.content {
            self.question(entry.number, question, columns);
            return;
        }
        if self.shown.contains(&entry.number) {
            return;
        }
        self.end_older_speech(entry.number, columns);
        match &entry.content {
            EntryContent::Agent { text } => self.say(entry.number, text, false, columns),
            EntryContent::Thought { text } => self.say(entry.number, text, true, columns),
            EntryContent::User { blocks, .. } => {
                let rows = prompt(blocks, columns);
                self.show(Kind::User, entry.number, rows);
            }
            EntryContent::Shown { block } => {
                let rows = StyledLine::plain(prose(&words(block))).wrap(columns, 0);
                self.show(Kind::Said, entry.number, rows);
            }
            EntryContent::Plan { steps } => self.plan = Some((entry.number, steps.clone())),
            EntryContent::Tool(tool) if is_over(tool) => {
                self.tools.remove(&entry.number);
                let rows = self.tool_rows(tool, columns);
                self.show(Kind::Tool, entry.number, rows);
            }
            EntryContent::Tool(tool) => drop(self.tools.insert(entry.number, (**tool).clone())),
            EntryContent::Permission(asked) => {
                if let Some(line) = permission(asked) {
                    self.show(Kind::Tool, entry.number, line.wrap(columns, 2));
                }
            }
            EntryContent::Question(_) => {}
            EntryContent::Ended { reason, .. } => {
                self.end_tools(entry.number, columns);
                self.end_plan(columns);
                let rows = match reason {
                    StopReason::EndTurn | StopReason::Failed => Vec::new(),
                    other => StyledLine::of(Look::YELLOW, stop_words(*other)).wrap(columns, 0),
                };
                self.show(Kind::Note, entry.number, rows);
            }
            EntryContent::Note { level, text, details } => {
                let look = match level {
                    Level::Info => Look::DIM,
                    Level::Warning => Look::YELLOW,
                    Level::Error => Look::RED,
                };
                let mut rows = StyledLine::of(look, prose(text)).wrap(columns, 0);
                let details = details.iter().flat_map(|details| details.lines());
                rows.extend(details.flat_map(|line| StyledLine::plain(format!("  {}", prose(line))).wrap(columns, 2)));
                self.show(Kind::Note, entry.number, rows);
            }
        }
    }

    /// How a question ended, and that what was to be done on its page is done: that is told later, if at all.
    fn question(&mut self, number: u64, question: &Question, columns: usize) {
        let line = |text: &str| {
            let line = format!("{}: {text}", prose(&first_line(&question.message)));
            StyledLine::of(Look::DIM, line).wrap(columns, 2)
        };
        if let Some(text) = question.outcome.as_ref().map(outcome_words).filter(|_| !self.shown.contains(&number)) {
            self.end_older_speech(number, columns);
            self.show(Kind::Tool, number, line(text));
        }
        if let Some(text) = page_done(question).filter(|_| self.completed.insert(number)) {
            self.add(Kind::Tool, line(&text));
            while self.completed.len() > MAX_REMEMBERED {
                self.completed.pop_first();
            }
        }
    }

    /// Only what is new ends what is being said: text goes on behind a change of something older.
    fn end_older_speech(&mut self, number: u64, columns: usize) {
        if self.speech.as_ref().is_some_and(|speech| speech.number < number) {
            self.end_speech(columns);
        }
    }

    /// Lines of ours. What is being said goes on below them.
    pub fn note(&mut self, lines: impl IntoIterator<Item = StyledLine>, columns: usize) {
        for line in lines {
            let rows = line.wrap(columns, 2);
            self.add(Kind::Note, rows);
        }
    }

    /// A terminal in a tool call tells something.
    pub fn terminal(&mut self, news: &TerminalNews) {
        match news {
            TerminalNews::Printed { terminal, text, .. } => {
                let tail = self.tails.entry(*terminal).or_default();
                for line in text.split_inclusive('\n') {
                    tail.push(line);
                }
            }
            TerminalNews::Ended { terminal, exit_code } => {
                self.tails.entry(*terminal).or_default().exit_code = *exit_code;
            }
            TerminalNews::Lost => {}
        }
    }

    /// The rows that are final since the last time.
    pub fn take(&mut self) -> Vec<StyledLine> {
        std::mem::take(&mut self.rows)
    }

    /// The rows that may still change.
    pub fn live(&self, columns: usize) -> Vec<StyledLine> {
        let mut rows = Vec::new();
        let mut last = self.last;
        if let Some(speech) = &self.speech {
            let said = speech.preview(columns);
            if !said.is_empty() {
                rows.extend(last.filter(|last| *last != speech.kind()).map(|_| StyledLine::default()));
                rows.extend(said);
                last = Some(speech.kind());
            }
        }
        if !self.tools.is_empty() || self.plan.is_some() {
            rows.extend(last.filter(|last| *last != Kind::Tool).map(|_| StyledLine::default()));
        }
        for tool in self.tools.values() {
            rows.extend(self.running_tool(tool, columns));
        }
        if let Some((_, steps)) = &self.plan {
            let done = steps.iter().filter(|step| step.status == StepStatus::Completed).count();
            let now = steps.iter().find(|step| step.status == StepStatus::InProgress);
            let now = now.or_else(|| steps.iter().find(|step| step.status == StepStatus::Pending));
            let text = format!("▸ plan {done}/{}", steps.len());
            let line = StyledLine::of(Look::DIM, text);
            let step = now.map_or_else(String::new, |step| format!("  {}", prose(&first_line(&step.text))));
            rows.push(line.and(Look::PLAIN, &step).fit(columns));
        }
        rows
    }

    fn add(&mut self, kind: Kind, rows: Vec<StyledLine>) {
        if rows.is_empty() {
            return;
        }
        if self.last.is_some_and(|last| last != kind || kind == Kind::User) {
            self.rows.push(StyledLine::default());
        }
        self.last = Some(kind);
        self.rows.extend(rows);
    }

    fn show(&mut self, kind: Kind, number: u64, rows: Vec<StyledLine>) {
        self.add(kind, rows);
        self.shown.insert(number);
        while self.shown.len() > MAX_REMEMBERED {
            self.shown.pop_first();
        }
    }

    /// Takes what is new of a text; whole lines are final.
    fn say(&mut self, number: u64, text: &str, is_thought: bool, columns: usize) {
        let speech = self.speech.get_or_insert_with(|| Speech { number, is_thought, ..Speech::default() });
        if speech.number != number {
            return;
        }
        let Some(new) = text.get(speech.taken..).filter(|new| !new.is_empty()) else { return };
        speech.taken = text.len();
        speech.rest.push_str(new);
        let Some(end) = speech.rest.rfind('\n') else { return };
        let whole: String = speech.rest.drain(..=end).collect();
        let rows: Vec<_> = whole.lines().flat_map(|line| speech.rows(line, columns)).collect();
        let kind = speech.kind();
        self.add(kind, rows);
    }

    /// What is being said is over.
    pub fn end_speech(&mut self, columns: usize) {
        let Some(mut speech) = self.speech.take() else { return };
        let rest = std::mem::take(&mut speech.rest);
        let mut rows = if rest.is_empty() { Vec::new() } else { speech.rows(&rest, columns) };
        rows.extend(speech.markdown.end(columns));
        self.show(speech.kind(), speech.number, rows);
    }

    /// What is under way when a turn ends may never end itself: it is shown for good as it stands.
    fn end_tools(&mut self, ended: u64, columns: usize) {
        let later = self.tools.split_off(&ended);
        for (number, tool) in std::mem::replace(&mut self.tools, later) {
            let mut rows = self.head(&tool).and(Look::DIM, "  (not finished)").wrap(columns, 2);
            rows.extend(diff_rows(&tool, columns));
            rows.extend(self.tail_rows(&tool, columns));
            self.show(Kind::Tool, number, rows);
        }
    }

    fn end_plan(&mut self, columns: usize) {
        let Some((number, steps)) = self.plan.take() else { return };
        let row = |step: &PlanStep| {
            let text = prose(&step.text);
            match step.status {
                StepStatus::Pending => StyledLine::plain(format!("☐ {text}")),
                StepStatus::InProgress => StyledLine::of(Look::BOLD, format!("▸ {text}")),
                StepStatus::Completed => StyledLine::of(Look::GREEN, "☑ ").and(Look::DIM, &text),
            }
        };
        let rows = steps.iter().flat_map(|step| row(step).wrap(columns, 2)).collect();
        self.show(Kind::Tool, number, rows);
    }

    /// A tool call under way: its line, and what its command prints.
    fn running_tool(&self, tool: &ToolCall, columns: usize) -> Vec<StyledLine> {
        let mut rows = vec![self.head(tool).fit(columns)];
        rows.extend(diff_rows(tool, columns));
        rows.extend(self.tail_rows(tool, columns));
        rows
    }

    /// A tool call that is over.
    fn tool_rows(&self, tool: &ToolCall, columns: usize) -> Vec<StyledLine> {
        let mut rows = self.head(tool).wrap(columns, 2);
        if tool.status == ToolStatus::Completed {
            rows.extend(diff_rows(tool, columns));
        }
        rows.extend(self.tail_rows(tool, columns));
        let failure = failure_lines(tool);
        if failure.before > 0 {
            rows.push(StyledLine::of(Look::DIM, format!("  │ … {} lines before", failure.before)).fit(columns));
        }
        // Why it has failed is read to its end.
        let row = |line: &String| StyledLine::of(Look::DIM, format!("  │ {line}")).wrap(columns, 4);
        rows.extend(failure.last.iter().flat_map(row));
        rows
    }

    fn head(&self, tool: &ToolCall) -> StyledLine {
        let (look, mark) = match tool.status {
            ToolStatus::Pending => (Look::DIM, "○"),
            ToolStatus::InProgress => (Look::YELLOW, "●"),
            ToolStatus::Completed => (Look::GREEN, "✓"),
            ToolStatus::Failed => (Look::RED, "✗"),
            ToolStatus::Cancelled => (Look::DIM, "⊘"),
        };
        let title = if tool.title.is_empty() { "…".to_owned() } else { prose(&first_line(&tool.title)) };
        let mut line = StyledLine::of(look, mark).and(Look::PLAIN, &format!(" {title}"));
        for content in &tool.content {
            let more = match content {
                ToolContent::Terminal { terminal } => {
                    let code = self.tails.get(terminal).and_then(|tail| tail.exit_code);
                    code.map_or_else(|| format!("  {terminal}"), |code| format!("  {terminal} exit code {code}"))
                }
                ToolContent::Diff { path, added, removed, .. } => format!("  {} +{added} -{removed}", prose(path)),
                ToolContent::Output { exit_code: Some(code), .. } => format!("  exit code {code}"),
                ToolContent::Output { signal: Some(signal), .. } => format!("  {}", prose(signal)),
                ToolContent::Output { .. } | ToolContent::Block { .. } => String::new(),
            };
            line.push(Look::DIM, &more);
        }
        line
    }

    /// The last lines of what the commands of a tool call have printed.
    fn tail_rows(&self, tool: &ToolCall, columns: usize) -> Vec<StyledLine> {
        let mut rows = Vec::new();
        for content in &tool.content {
            let (lines, count): (Vec<String>, usize) = match content {
                ToolContent::Terminal { terminal } => match self.tails.get(terminal) {
                    Some(tail) => (tail.lines.iter().cloned().collect(), tail.count),
                    None => continue,
                },
                ToolContent::Output { text, .. } => {
                    let text = flightdeck_screen::plain(text.as_bytes());
                    let lines: Vec<&str> = text.lines().collect();
                    let last = lines.len().saturating_sub(TAIL_LINES);
                    (lines[last..].iter().map(|line| (*line).to_owned()).collect(), lines.len())
                }
                ToolContent::Diff { .. } | ToolContent::Block { .. } => continue,
            };
            if count > lines.len() {
                rows.push(
                    StyledLine::of(Look::DIM, format!("  │ … {} lines before", count - lines.len())).fit(columns),
                );
            }
            rows.extend(
                lines.iter().map(|line| StyledLine::of(Look::DIM, format!("  │ {}", prose(line))).fit(columns)),
            );
        }
        rows
    }
}

impl Speech {
    fn kind(&self) -> Kind {
        if self.is_thought { Kind::Thought } else { Kind::Said }
    }

    /// The rows of a line that is whole.
    fn rows(&mut self, line: &str, columns: usize) -> Vec<StyledLine> {
        if self.is_thought {
            return StyledLine::of(Look::DIM, prose(line.trim_end())).wrap(columns, 0);
        }
        self.markdown.line(line, columns)
    }

    /// The rows of what is not final.
    fn preview(&self, columns: usize) -> Vec<StyledLine> {
        match (self.rest.is_empty(), self.is_thought) {
            (true, _) => self.markdown.clone().end(columns),
            (false, true) => StyledLine::of(Look::DIM, prose(&self.rest)).wrap(columns, 0),
            (false, false) => self.markdown.preview(&self.rest, columns),
        }
    }
}

impl Tail {
    fn push(&mut self, line: &str) {
        let text = line.trim_end_matches(['\n', '\r']);
        if self.in_line
            && let Some(last) = self.lines.back_mut()
        {
            last.push_str(text);
        } else {
            if self.lines.len() == TAIL_LINES {
                self.lines.pop_front();
            }
            self.lines.push_back(text.to_owned());
            self.count += 1;
        }
        self.in_line = !line.ends_with('\n');
    }
}

fn is_over(tool: &ToolCall) -> bool {
    matches!(tool.status, ToolStatus::Completed | ToolStatus::Failed | ToolStatus::Cancelled)
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first} …") } else { first.to_owned() }
}

fn diff_rows(tool: &ToolCall, columns: usize) -> Vec<StyledLine> {
    let diffs = tool.content.iter().filter_map(|content| match content {
        ToolContent::Diff { diff, .. } => Some(diff),
        _ => None,
    });
    let mut rows = Vec::new();
    for diff in diffs {
        let count = diff.lines().count();
        for line in diff.lines().take(DIFF_LINES) {
            let look = match line.as_bytes().first() {
                Some(b'+') => Look::GREEN,
                Some(b'-') => Look::RED,
                _ => Look::DIM,
            };
            rows.push(StyledLine::of(look, format!("  {}", prose(line))).fit(columns));
        }
        if count > DIFF_LINES {
            rows.push(StyledLine::of(Look::DIM, format!("  … {} more lines", count - DIFF_LINES)).fit(columns));
        }
    }
    rows
}

fn permission(asked: &Asked) -> Option<StyledLine> {
    Some(match asked.outcome.as_ref()? {
        PermissionOutcome::Chosen { option, .. } => {
            let known = asked.options.iter().find(|known| known.id == *option);
            let name = known.map_or(option.as_str(), |known| &known.name);
            StyledLine::of(Look::DIM, format!("{}: {}", prose(&first_line(&asked.title)), prose(name)))
        }
        PermissionOutcome::Unanswered { why } => {
            StyledLine::of(Look::YELLOW, format!("nobody has answered: {}", prose(why)))
        }
        PermissionOutcome::Cancelled => StyledLine::of(Look::DIM, "the question was taken back"),
    })
}

/// A prompt, as it was typed.
fn prompt(blocks: &[Block], columns: usize) -> Vec<StyledLine> {
    let text: String = blocks.iter().map(words).collect::<Vec<_>>().join(" ");
    let count = text.lines().count();
    let mut rows = Vec::new();
    for line in text.lines().take(PROMPT_LINES) {
        for row in StyledLine::of(Look::BOLD, prose(line)).wrap(columns.saturating_sub(2), 0) {
            let mut shown = StyledLine::of(Look::BOLD.cyan(), if rows.is_empty() { "> " } else { "  " });
            shown.append(&row);
            rows.push(shown);
        }
    }
    if count > PROMPT_LINES {
        rows.push(StyledLine::of(Look::DIM, format!("  … {} more lines", count - PROMPT_LINES)).fit(columns));
    }
    rows
}

fn words(block: &Block) -> String {
    match block {
        Block::Text { text } => text.clone(),
        Block::File { path, .. } => format!("@{path}"),
        Block::Image { mime, .. } | Block::Audio { mime, .. } => format!("[{mime}]"),
        Block::Link { name, uri } => format!("[{name}]({uri})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(number: u64, text: &str) -> Entry {
        Entry { number, turn: 1, at_ms: 0, content: EntryContent::Agent { text: text.to_owned() } }
    }

    fn texts(rows: &[StyledLine]) -> Vec<String> {
        rows.iter().map(StyledLine::text).collect()
    }

    fn tool(number: u64, title: &str, status: ToolStatus, content: Vec<ToolContent>) -> Entry {
        let tool = ToolCall { title: title.to_owned(), status, content, ..ToolCall::new("c") };
        Entry { number, turn: 1, at_ms: 0, content: EntryContent::Tool(Box::new(tool)) }
    }

    #[test]
    fn what_is_under_way_when_a_turn_ends_is_shown_once_as_it_stands() {
        let mut transcript = Transcript::default();
        transcript.entry(&tool(1, "Build it", ToolStatus::InProgress, Vec::new()), 40);
        assert_eq!(texts(&transcript.live(40)), ["● Build it"]);
        let ended = EntryContent::Ended { reason: StopReason::EndTurn, tokens: None };
        transcript.entry(&Entry { number: 2, turn: 1, at_ms: 0, content: ended }, 40);
        assert_eq!(texts(&transcript.take()), ["● Build it  (not finished)"]);
        transcript.entry(&tool(1, "Build it", ToolStatus::InProgress, Vec::new()), 40);
        assert!(transcript.live(40).is_empty() && transcript.take().is_empty());
    }

    #[test]
    fn what_comes_in_between_cuts_no_text() {
        let mut transcript = Transcript::default();
        transcript.entry(&said(3, "first\none "), 40);
        assert_eq!(texts(&transcript.take()), ["first"]);
        transcript.note([StyledLine::plain("ours")], 40);
        let older = EntryContent::Note { level: Level::Info, text: "older".to_owned(), details: None };
        transcript.entry(&Entry { number: 2, turn: 1, at_ms: 0, content: older }, 40);
        assert_eq!(texts(&transcript.take()), ["", "ours", "older"]);
        assert_eq!(texts(&transcript.live(40)), ["", "one"]);
        transcript.entry(&said(3, "first\none two\nthree"), 40);
        transcript.entry(&said(4, "another"), 40);
        transcript.end_speech(40);
        assert_eq!(texts(&transcript.take()), ["", "one two", "three", "another"]);
    }
}
