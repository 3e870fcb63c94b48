//! What the person sees: text that scrolls, and a prompt below it that is drawn anew when it changes.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::desk::Manner;
use crate::window;

#[derive(Debug)]
pub struct Page {
    manner: Manner,
    /// What stands in the last line.
    drawn: Option<String>,
}

impl Page {
    pub fn new(manner: Manner) -> Self {
        Page { manner, drawn: None }
    }

    /// Shows lines above the prompt.
    pub fn say(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = self.cleared();
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        put(&text)
    }

    /// Shows the prompt and what was typed so far, unless it stands there already.
    pub fn draw(&mut self, prompt: Option<String>) -> io::Result<()> {
        if prompt == self.drawn {
            return Ok(());
        }
        let mut text = self.cleared();
        if let Some(prompt) = &prompt {
            text.push_str(prompt);
            if self.manner == Manner::Lines {
                text.push('\n');
            }
        }
        self.drawn = prompt;
        put(&text)
    }

    /// Takes the prompt away. Where lines are read it has scrolled on, and nothing can be taken back.
    fn cleared(&mut self) -> String {
        match self.drawn.take() {
            Some(drawn) if self.manner == Manner::Keys => {
                let cols = window::size().map_or(80, |size| usize::from(size.cols));
                let up = drawn.width().saturating_sub(1) / cols;
                let up = if up == 0 { String::new() } else { format!("\x1b[{up}A") };
                format!("{up}\r\x1b[J")
            }
            _ => String::new(),
        }
    }
}

fn put(text: &str) -> io::Result<()> {
    crate::out::write_now(&mut io::stdout().lock(), text.as_bytes())
}
