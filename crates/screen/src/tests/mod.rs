//! Tests of the screen. The properties are over streams from a grammar of what terminals get to see.

mod alacritty;
mod behaviour;
mod equivalence;
mod golden;
mod grammar;
mod history;
mod hostile;
mod plain;
mod query_filter;
mod resized;
mod snapshot;
mod state;
mod tokens;
mod xterm;

use flightdeck_keeper::Size;
use proptest::test_runner::Config;

use super::{Screen, StyledRow};

/// How many cases a property gets; more with `FLIGHTDECK_CASES` for a longer search.
fn cases(usual: u32) -> Config {
    let cases = std::env::var("FLIGHTDECK_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual);
    Config { cases, failure_persistence: None, ..Config::default() }
}

fn size(rows: u16, cols: u16) -> Size {
    Size::new(rows, cols).expect("a size")
}

fn screen(rows: u16, cols: u16) -> Screen {
    Screen::new(size(rows, cols))
}

fn fed(rows: u16, cols: u16, bytes: &[u8]) -> Screen {
    let mut screen = screen(rows, cols);
    screen.feed(bytes);
    screen
}

fn styled_rows(screen: &Screen) -> Vec<StyledRow> {
    (0..screen.size().rows()).map(|row| screen.styled_row(row)).collect()
}

/// Numbered lines, or what else `line` makes of a number.
fn numbered(count: u32, line: impl Fn(u32) -> String) -> String {
    (0..count).map(line).collect()
}
