//! Where a conversation is shown: as JSON lines, as plain text, or on the screen of a terminal.

use std::io;

use flightdeck_contract::chat::{ChatEvent, Entry};
use serde_json::json;

use super::ask::Ask;
use super::follow::TerminalNews;
use super::printer::Printer;
use super::screen::Screen;
use super::styled::{Look, StyledLine};
use crate::out::write_now;
use crate::style;

#[derive(Debug)]
pub enum Output {
    /// One event in a line, on standard output.
    Json,
    Plain(Printer),
    Screen(Box<Screen>),
}

impl Output {
    pub fn is_json(&self) -> bool {
        matches!(self, Output::Json)
    }

    /// An event came.
    pub fn event(&mut self, event: &ChatEvent) -> anyhow::Result<()> {
        if self.is_json() {
            outln!("{}", serde_json::to_string(event)?)?;
        }
        Ok(())
    }

    /// An entry is new, or has changed.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        match self {
            Output::Json => Ok(()),
            Output::Plain(printer) => printer.entry(entry),
            Output::Screen(screen) => {
                screen.entry(entry);
                Ok(())
            }
        }
    }

    /// A terminal in a tool call tells something.
    pub fn terminal(&mut self, news: &TerminalNews) -> io::Result<()> {
        match self {
            Output::Json => match news {
                TerminalNews::Printed { terminal, text, .. } => {
                    outln!("{}", json!({ "type": "terminal_output", "terminal": terminal, "text": text }))
                }
                TerminalNews::Ended { terminal, exit_code } => {
                    outln!("{}", json!({ "type": "terminal_ended", "terminal": terminal, "exitCode": exit_code }))
                }
                TerminalNews::Lost => Ok(()),
            },
            Output::Plain(printer) => printer.terminal(news),
            Output::Screen(screen) => {
                screen.terminal(news);
                Ok(())
            }
        }
    }

    /// Says something of ours.
    pub fn say(&mut self, lines: impl IntoIterator<Item = StyledLine>) -> io::Result<()> {
        self.end_line()?;
        if let Output::Screen(screen) = self {
            screen.say(lines);
            return Ok(());
        }
        let text: String = lines.into_iter().map(|line| line.paint(style::stderr()) + "\n").collect();
        write_now(&mut io::stderr().lock(), text.as_bytes())
    }

    /// Asks something.
    pub fn ask(&mut self, ask: &Ask) -> io::Result<()> {
        self.end_line()?;
        if let Output::Screen(screen) = self {
            screen.ask(Some(ask.clone()));
            return Ok(());
        }
        let lines: String = ask.lines.iter().map(|line| line.paint(style::stderr()) + "\n").collect();
        write_now(&mut io::stderr().lock(), (lines + &ask.prompt).as_bytes())
    }

    /// Asks the same again, and says what can be typed: the answer was none.
    pub fn ask_again(&mut self, ask: &Ask, hint: &str) -> io::Result<()> {
        let hint = StyledLine::of(Look::YELLOW, format!("  {hint}"));
        if let Output::Screen(screen) = self {
            screen.ask_again(ask.clone(), hint);
            return Ok(());
        }
        self.say([hint])?;
        self.ask(ask)
    }

    /// Asks for a prompt.
    pub fn ask_for_prompt(&mut self) -> io::Result<()> {
        match self {
            Output::Screen(screen) => {
                screen.ask(None);
                Ok(())
            }
            Output::Json | Output::Plain(_) => self.ask(&Ask { lines: Vec::new(), prompt: "> ".to_owned() }),
        }
    }

    /// What was asked needs no answer any more.
    pub fn answered(&mut self) {
        if let Output::Screen(screen) = self {
            screen.ask(None);
        }
    }

    /// What is said next begins a line.
    pub fn end_line(&mut self) -> io::Result<()> {
        match self {
            Output::Plain(printer) => printer.end_line(),
            Output::Json | Output::Screen(_) => Ok(()),
        }
    }
}
