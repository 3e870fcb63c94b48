//! All of a screen's state in a form that can be compared and printed.

use alacritty_terminal::grid::{Cursor, Dimensions, Grid};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};

use super::super::Screen;

/// What a snapshot cannot carry: where a line of text was broken, when something else was written over the break; and the
/// character that may be repeated, when other terminals would print another one for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    Compared,
    Ignored,
}

#[derive(Debug, PartialEq)]
pub(super) struct State {
    text: String,
    details: Vec<String>,
    grids: Vec<Vec<String>>,
}

pub(super) fn state(screen: &Screen, breaks: Breaks) -> State {
    let terminal = &screen.engine.terminal;
    let carried = |c: &char| breaks == Breaks::Compared || terminal.charsets.prints_everywhere(*c);
    let mut details = vec![
        format!("{:?}", screen.cursor()),
        format!("{:?}", screen.modes()),
        format!("{:?}", terminal.title),
        format!("{:?}", terminal.region),
        format!("{:?}", terminal.charsets),
        format!("{:?}", terminal.tabs),
        format!("{:?}", terminal.keyboards),
        format!("{:?}", terminal.last_print.filter(carried)),
        format!("pending {:?}", String::from_utf8_lossy(&screen.engine.unfinished())),
        format!(
            "{:?}",
            (0..269).filter_map(|index| terminal.term.colors()[index].map(|rgb| (index, rgb))).collect::<Vec<_>>()
        ),
    ];
    for saved in &terminal.saved {
        details.push(format!("saved {} {:?} origin {}", cursor(&saved.cursor), saved.charsets, saved.origin));
    }
    let mut grids = Vec::new();
    for grid in std::iter::once(terminal.grid()).chain(terminal.parked.as_deref()) {
        details.push(cursor(&grid.cursor));
        grids.push(rows(grid, breaks));
    }
    State { text: screen.text(), details, grids }
}

/// Where two states first differ, in few words.
pub(super) fn difference(a: &State, b: &State) -> Option<String> {
    let pairs = a.details.iter().zip(&b.details).chain(a.grids.iter().flatten().zip(b.grids.iter().flatten()));
    let found: Vec<String> = pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("\n  {a}\n  {b}")).take(4).collect();
    (a != b).then(|| found.concat())
}

fn cursor(cursor: &Cursor<Cell>) -> String {
    let Cursor { point, template, input_needs_wrap, .. } = cursor;
    let look = look(template, Flags::empty());
    format!("{point:?} {look} wrap {input_needs_wrap}")
}

fn rows(grid: &Grid<Cell>, breaks: Breaks) -> Vec<String> {
    let ignored = match breaks {
        Breaks::Compared => Flags::empty(),
        Breaks::Ignored => Flags::WRAPLINE | Flags::LEADING_WIDE_CHAR_SPACER,
    };
    (0..grid.screen_lines())
        .map(|line| {
            let row = &grid[Line(line as i32)];
            let mut text = String::new();
            let mut last = String::new();
            for col in 0..row.len() {
                let cell = &row[Column(col)];
                let look = look(cell, ignored);
                if look != last {
                    text.push_str(&look);
                    last = look;
                }
                text.push(cell.c);
                text.extend(cell.zerowidth().into_iter().flatten());
            }
            text
        })
        .collect()
}

fn look(cell: &Cell, ignored: Flags) -> String {
    let (fg, bg, flags) = (cell.fg, cell.bg, cell.flags - ignored);
    let underline = cell.underline_color();
    let link = cell.hyperlink().map(|link| format!("{} {}", link.id(), link.uri()));
    format!("<{fg:?},{bg:?},{flags:?},{underline:?},{link:?}>")
}
