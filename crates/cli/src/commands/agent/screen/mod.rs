//! A conversation on the screen of a terminal: what is final scrolls up, and below it stands what may still change, with the
//! line that is typed. Only these last rows are ever drawn again.

mod editor;
mod keys;
mod markdown;
mod transcript;
mod tty;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use flightdeck_contract::chat::Entry;
use flightdeck_view::shown::prose;

use self::editor::{Editor, Past};
use self::keys::{Key, Keys};
use self::transcript::Transcript;
pub use self::tty::Tty;
use super::ask::Ask;
use super::follow::TerminalNews;
use super::slash::Candidate;
use super::styled::{Look, StyledLine};
use crate::out::write_now;
use crate::style::{self, Style};
use crate::window;

/// The least time between two drawings of what streams.
const FRAME: Duration = Duration::from_millis(30);
/// Somebody who is typing is not taken to answer a question that comes up meanwhile: so long they must have paused.
const PAUSE: Duration = Duration::from_millis(500);
/// So many rows of what is typed are shown, and of suggestions and of queued prompts.
const INPUT_ROWS: usize = 10;
const SUGGESTIONS: usize = 6;
const QUEUED_ROWS: usize = 4;
/// So many rows of the window are left for other things than a question. A longer one scrolls up, where all of it can be read.
const ROWS_BESIDE_QUESTION: usize = 8;

/// Rows of a question after the first begin with so many spaces.
const QUESTION_HANG: usize = 4;

/// What a person wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    Say(String),
    Answer(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    Leave,
    /// Ctrl-Z.
    Suspend,
}

/// What stands below the conversation, as it is now.
#[derive(Debug, Default)]
pub struct Below {
    pub queued: Vec<String>,
    pub status: String,
    /// A turn goes on since then.
    pub busy_since: Option<Instant>,
    pub suggestions: Vec<Candidate>,
}

#[derive(Debug)]
pub struct Screen {
    style: Style,
    columns: usize,
    rows: usize,
    keys: Keys,
    transcript: Transcript,
    past: Past,
    /// What is typed to be said, and as an answer.
    prompt: Editor,
    answer: Editor,
    ask: Option<Ask>,
    /// So many lines of the question have scrolled up.
    ask_scrolled: usize,
    /// The question was shown to somebody who did not type: keys are the answer.
    is_armed: bool,
    /// An answer was given just now: what is asked next belongs to it.
    has_answered: bool,
    last_key: Option<Instant>,
    below: Below,
    /// The widths of the rows that are drawn, and where the cursor stands in them.
    drawn: Vec<StyledLine>,
    cursor: (usize, usize),
    drawn_at: Option<Instant>,
    is_dirty: bool,
}

impl Screen {
    pub fn new(history: &Path) -> Self {
        let mut screen = Screen {
            style: style::stdout(),
            columns: 80,
            rows: 24,
            keys: Keys::default(),
            transcript: Transcript::default(),
            past: Past::load(history),
            prompt: Editor::default(),
            answer: Editor::default(),
            ask: None,
            ask_scrolled: 0,
            is_armed: false,
            has_answered: false,
            last_key: None,
            below: Below::default(),
            drawn: Vec::new(),
            cursor: (0, 0),
            drawn_at: None,
            is_dirty: true,
        };
        screen.measure();
        screen
    }

    fn measure(&mut self) {
        if let Some(size) = window::size() {
            (self.columns, self.rows) = (usize::from(size.cols).max(4), usize::from(size.rows).max(4));
        }
    }

    /// An entry is new, or has changed.
    pub fn entry(&mut self, entry: &Entry) {
        self.transcript.entry(entry, self.columns);
        self.is_dirty = true;
    }

    pub fn terminal(&mut self, news: &TerminalNews) {
        self.transcript.terminal(news);
        self.is_dirty = true;
    }

    /// Lines of ours.
    pub fn say(&mut self, lines: impl IntoIterator<Item = StyledLine>) {
        self.transcript.note(lines, self.columns);
        self.is_dirty = true;
    }

    /// Asks something, or nothing more than for a prompt.
    pub fn ask(&mut self, ask: Option<Ask>) {
        if self.ask != ask {
            self.answer.set("");
            self.is_armed = self.has_answered && ask.is_some();
            self.ask = ask;
            self.ask_scrolled = 0;
            self.scroll_long_question();
            self.is_dirty = true;
        }
    }

    /// Asks what was asked just now, with a hint above. What has scrolled up of it is not shown again.
    pub fn ask_again(&mut self, ask: Ask, hint: StyledLine) {
        self.transcript.note([hint], self.columns);
        self.answer.set("");
        self.is_armed = self.has_answered;
        self.ask_scrolled = self.scrolled_lines(&ask);
        self.ask = Some(ask);
        self.is_dirty = true;
    }

    fn scroll_long_question(&mut self) {
        let Some(ask) = &self.ask else { return };
        self.ask_scrolled = self.scrolled_lines(ask);
        let lines = ask.lines[..self.ask_scrolled].to_vec();
        self.transcript.note(lines, self.columns);
    }

    /// Of a question that has more rows than the window has room for, only the last line stays below: the answers.
    fn scrolled_lines(&self, ask: &Ask) -> usize {
        let rows: usize = ask.lines.iter().map(|line| line.wrap(self.columns, QUESTION_HANG).len()).sum();
        let is_long = rows > self.rows.saturating_sub(ROWS_BESIDE_QUESTION);
        if is_long { ask.lines.len().saturating_sub(1) } else { 0 }
    }

    /// What stands below is another.
    pub fn set_below(&mut self, below: Below) {
        self.is_dirty |= below.queued != self.below.queued
            || below.status != self.below.status
            || below.busy_since != self.below.busy_since
            || below.suggestions != self.below.suggestions;
        self.below = below;
    }

    /// What is typed to be said.
    pub fn typed(&self) -> &str {
        if self.is_answering() { "" } else { self.prompt.text() }
    }

    fn is_answering(&self) -> bool {
        self.ask.is_some() && self.is_armed
    }

    /// Something was typed. `complete` gives what a beginning may become.
    pub fn input(&mut self, bytes: &[u8], complete: impl Fn(&str) -> Option<String>) -> Vec<Wish> {
        let mut wishes = Vec::new();
        for key in self.keys.push(bytes) {
            self.arm();
            self.is_dirty = true;
            self.last_key = Some(Instant::now());
            wishes.extend(self.key(&key, &complete));
        }
        self.drawn_at = None;
        wishes
    }

    /// A question takes the keys once nobody has typed for a moment.
    fn arm(&mut self) {
        if self.ask.is_some() && !self.is_armed && self.last_key.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.is_armed = true;
            self.is_dirty = true;
        }
    }

    fn key(&mut self, key: &Key, complete: &impl Fn(&str) -> Option<String>) -> Option<Wish> {
        let is_answering = self.is_answering();
        let columns = self.input_columns();
        let editor = if is_answering { &mut self.answer } else { &mut self.prompt };
        match key {
            Key::Interrupt if !is_answering && !editor.is_empty() && self.below.busy_since.is_none() => {
                editor.set("");
                None
            }
            Key::Interrupt => Some(Wish::Interrupt),
            Key::Eof if editor.is_empty() => Some(Wish::Leave),
            Key::Eof => {
                editor.key(&Key::Delete, columns);
                None
            }
            Key::Suspend => Some(Wish::Suspend),
            Key::Redraw => {
                // Above it stands what is not ours to draw again.
                let _ = write_now(&mut io::stdout().lock(), b"\x1b[H\x1b[2J");
                self.drawn.clear();
                self.cursor = (0, 0);
                None
            }
            Key::Enter => {
                let text = editor.take();
                if is_answering {
                    self.has_answered = true;
                    return Some(Wish::Answer(text));
                }
                if !text.trim().is_empty() {
                    self.past.add(&text);
                }
                Some(Wish::Say(text))
            }
            Key::Tab if !is_answering => {
                if let Some(text) = complete(editor.text()) {
                    editor.set(&text);
                }
                None
            }
            key => {
                let by = if *key == Key::Up { -1 } else { 1 };
                if !editor.key(key, columns)
                    && matches!(key, Key::Up | Key::Down)
                    && !is_answering
                    && let Some(text) = self.past.step(editor.text(), by)
                {
                    editor.set(&text);
                }
                None
            }
        }
    }

    /// The window has another size. A terminal breaks rows that became too long, so what was drawn may take more of them.
    pub fn resized(&mut self) {
        self.measure();
        let columns = self.columns;
        let height = |row: &StyledLine| row.width().div_ceil(columns).max(1);
        let above: usize = self.drawn.iter().take(self.cursor.0).map(height).sum();
        self.cursor.0 = above + self.cursor.1 / columns;
        self.redraw();
    }

    /// Draws everything again, whatever stands there.
    pub fn redraw(&mut self) {
        self.is_dirty = true;
        self.drawn_at = None;
        self.drawn.clear();
    }

    /// When something has to be drawn next, if nothing happens before.
    pub fn wake(&self) -> Option<Instant> {
        let frame = self.is_dirty.then(|| self.drawn_at.map_or_else(Instant::now, |at| at + FRAME));
        let arming = (self.ask.is_some() && !self.is_armed)
            .then(|| self.last_key.map_or_else(Instant::now, |last| last + PAUSE));
        // The seconds of a turn.
        let tick = self.below.busy_since.map(|since| {
            let passed = since.elapsed();
            Instant::now() + Duration::from_secs(passed.as_secs() + 1).saturating_sub(passed)
        });
        [frame, arming, tick].into_iter().flatten().min()
    }

    /// Draws what has changed, unless that was done a moment ago.
    pub fn draw(&mut self) -> io::Result<()> {
        self.has_answered = false;
        self.arm();
        if self.drawn_at.is_some_and(|at| at.elapsed() < FRAME) {
            return Ok(());
        }
        self.draw_now(true)
    }

    fn draw_now(&mut self, with_input: bool) -> io::Result<()> {
        let last = self.transcript.take();
        let (rows, cursor) = if with_input { self.live() } else { (Vec::new(), (0, 0)) };
        self.is_dirty = false;
        self.drawn_at = Some(Instant::now());
        if last.is_empty() && rows == self.drawn && cursor == self.cursor {
            return Ok(());
        }
        // Terminals that know it show all of it at once.
        let mut out = "\x1b[?2026h\x1b[?25l\r".to_owned();
        out += &up(self.cursor.0);
        out += "\x1b[J";
        for row in &last {
            out += &row.paint(self.style);
            out += "\r\n";
        }
        let painted: Vec<String> = rows.iter().map(|row| row.paint(self.style)).collect();
        out += &painted.join("\r\n");
        if with_input {
            out.push('\r');
            out += &up(rows.len().saturating_sub(1).saturating_sub(cursor.0));
            out += &moved(cursor.1, 'C');
        }
        out += "\x1b[?25h\x1b[?2026l";
        (self.drawn, self.cursor) = (rows, cursor);
        write_now(&mut io::stdout().lock(), out.as_bytes())
    }

    /// Takes away what is live, for somebody else who uses the terminal.
    pub fn withdraw(&mut self) -> io::Result<()> {
        self.draw_now(false)
    }

    /// The window is left: what is final stays, and nothing else.
    pub fn finish(&mut self) -> io::Result<()> {
        self.transcript.end_speech(self.columns);
        self.draw_now(false)
    }

    fn input_columns(&self) -> usize {
        self.columns.saturating_sub(self.input_mark().width()).max(2)
    }

    fn input_mark(&self) -> StyledLine {
        match &self.ask {
            Some(ask) if self.is_armed => {
                let mark = StyledLine::of(Look::YELLOW, &ask.prompt);
                // In a narrow window the question's name leaves room for an answer.
                if mark.width() * 2 > self.columns { mark.fit(self.columns / 2) } else { mark }
            }
            _ => StyledLine::of(Look::BOLD.cyan(), "> "),
        }
    }

    /// The rows below what is final, and where the cursor stands in them.
    fn live(&self) -> (Vec<StyledLine>, (usize, usize)) {
        let columns = self.columns;
        let mut rows = self.transcript.live(columns);
        let mut own = Vec::new();
        if let Some(ask) = &self.ask {
            own.extend(ask.lines.iter().skip(self.ask_scrolled).flat_map(|line| line.wrap(columns, QUESTION_HANG)));
        }
        let hidden = self.below.queued.len().saturating_sub(QUEUED_ROWS);
        for text in self.below.queued.iter().take(QUEUED_ROWS) {
            let first = prose(text.lines().next().unwrap_or_default());
            own.push(StyledLine::of(Look::DIM, format!("queued: {first}")).fit(columns));
        }
        if hidden > 0 {
            own.push(StyledLine::of(Look::DIM, format!("… {hidden} more queued")).fit(columns));
        }
        let (input, (row, column)) = self.input_rows();
        let mut below: Vec<StyledLine> = self
            .below
            .suggestions
            .iter()
            .take(SUGGESTIONS)
            .map(|it| StyledLine::of(Look::CYAN, &it.text).and(Look::DIM, &format!("  {}", it.about)).fit(columns))
            .collect();
        below.push(self.status_row().fit(columns));
        // What is typed always has its place; of the rest the newest.
        let room = self.rows.saturating_sub(1 + input.len() + below.len());
        let room_above = room.saturating_sub(own.len().min(room));
        let skip = rows.len().saturating_sub(room_above);
        rows.drain(..skip);
        own.drain(..own.len().saturating_sub(room));
        rows.extend(own);
        let cursor = (rows.len() + row, column);
        rows.extend(input);
        rows.extend(below);
        (rows, cursor)
    }

    /// What is typed, with what stands before it.
    fn input_rows(&self) -> (Vec<StyledLine>, (usize, usize)) {
        let mark = self.input_mark();
        let editor = if self.is_answering() { &self.answer } else { &self.prompt };
        let layout = editor.layout(self.input_columns());
        let most = INPUT_ROWS.min(self.rows / 2).max(1);
        let first = (layout.cursor.0 + 1).saturating_sub(most);
        let mut rows = Vec::new();
        for (at, text) in layout.rows.iter().enumerate().skip(first).take(most) {
            let mut row = if at == 0 { mark.clone() } else { StyledLine::plain(" ".repeat(mark.width())) };
            row.push(Look::PLAIN, text);
            rows.push(row);
        }
        if layout.rows.len() > most {
            let text = format!("  {} lines, line {}", layout.rows.len(), layout.cursor.0 + 1);
            rows.push(StyledLine::of(Look::DIM, text).fit(self.columns));
        }
        (rows, (layout.cursor.0 - first, mark.width() + layout.cursor.1))
    }

    fn status_row(&self) -> StyledLine {
        let Some(since) = self.below.busy_since else { return StyledLine::of(Look::DIM, &self.below.status) };
        let seconds = format!("● {} s ", since.elapsed().as_secs());
        StyledLine::of(Look::YELLOW, seconds).and(Look::DIM, &self.below.status)
    }
}

fn up(rows: usize) -> String {
    moved(rows, 'A')
}

fn moved(by: usize, direction: char) -> String {
    if by == 0 { String::new() } else { format!("\x1b[{by}{direction}") }
}
