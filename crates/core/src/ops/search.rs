//! `flightdeck.terminal.search`: a regular expression over what terminals printed.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::terminal::{Found, Match, Search};
use flightdeck_contract::{Error, TerminalId};
use flightdeck_term::log::Offset;
use flightdeck_term::printed::{Commands, Line, Lines};
use flightdeck_term::screen::plain;
use flightdeck_term::session::Session;
use regex::{Regex, RegexBuilder};

use crate::actor::Actor;
use crate::agents::visible::is_visible;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::plumbing::Plumbing;

const DEFAULT_MATCHES: usize = 50;
const MOST_MATCHES: usize = 1000;
const MOST_CONTEXT: usize = 20;
/// A pattern that needs more than this is not worth its memory.
const PATTERN_LIMIT: usize = 1 << 20;
/// A line that is longer is looked at in pieces.
const LONGEST_LINE: usize = 64 * 1024;
/// How much of a line is shown.
const SHOWN: usize = 500;
/// How many terminals are named that a search did not come to.
const NAMED: usize = 10;
/// How long a search may take before it gives what it has.
const TIME: Duration = Duration::from_secs(10);

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.search",
        Effects::READS,
        "Search output",
        "Finds lines that match a regular expression in what one terminal, or every terminal, has printed so far, with \
         lines around them and the cursor of each. The short way to the error in a long log.",
    )
    .aside(|hub, request, search| call(hub, &request.caller.actor, &search))
}

fn call(hub: &Arc<Hub>, actor: &Actor, search: &Search) -> Result<Found, Error> {
    let context = search.context.unwrap_or(0);
    if context > MOST_CONTEXT {
        return Err(Error::invalid("context", format!("{context} is more than {MOST_CONTEXT}")));
    }
    let matches = search.max_matches.unwrap_or(DEFAULT_MATCHES);
    if matches == 0 || matches > MOST_MATCHES {
        return Err(Error::invalid("maxMatches", format!("{matches} is not between 1 and {MOST_MATCHES}")));
    }
    if search.from.is_some() && search.id.is_none() {
        return Err(Error::invalid("from", "a cursor belongs to one terminal: give its `id`"));
    }
    let source = if search.literal { regex::escape(&search.pattern) } else { search.pattern.clone() };
    let pattern = RegexBuilder::new(&source)
        .case_insensitive(search.ignore_case)
        .size_limit(PATTERN_LIMIT)
        .build()
        .map_err(|error| Error::invalid("pattern", error))?;
    let ids = match search.id {
        Some(id) => vec![id],
        None => hub.ids_of_terminals().into_iter().filter(|id| is_visible(hub, *id, actor)).collect(),
    };
    let mut look = Look { pattern, context, matches, deadline: Instant::now() + TIME, found: Found::default() };
    for (at, id) in ids.iter().copied().enumerate() {
        // One that was removed meanwhile has nothing to find; one that was asked for has to be there.
        let session = match (hub.session(id), search.id) {
            (Ok(session), _) => session,
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => continue,
        };
        let next = look
            .terminal(id, &session, Offset(search.from.unwrap_or(0)))
            .map_err(|error| convert::io_error("the log can't be read", &error))?;
        if look.found.truncated {
            look.found.next = search.id.map(|_| next.0);
            look.found.hint = Some(match search.id {
                Some(_) => format!("there is more: search on with `from`: {}", next.0),
                None => elsewhere(id, next, &ids[at + 1..]),
            });
            break;
        }
    }
    Ok(look.found)
}

/// How to go on with a search of all terminals: with the one that it ended in, and then with those that it did not come to.
fn elsewhere(id: TerminalId, next: Offset, left: &[TerminalId]) -> String {
    let mut hint = format!("there is more: search on with `id`: \"{id}\" and `from`: {}", next.0);
    let named: Vec<_> = left.iter().take(NAMED).map(ToString::to_string).collect();
    if !named.is_empty() {
        let _ = write!(hint, ", and then with the `id` of {}", named.join(", "));
    }
    if left.len() > NAMED {
        let _ = write!(hint, " and {} more", left.len() - NAMED);
    }
    hint
}

/// A search under way.
struct Look {
    pattern: Regex,
    context: usize,
    matches: usize,
    deadline: Instant,
    found: Found,
}

impl Look {
    /// Searches one log; gives where to go on.
    fn terminal(&mut self, id: TerminalId, session: &Session, from: Offset) -> std::io::Result<Offset> {
        let plumbing = Plumbing::of(session);
        let (start, end) = session.log().bounds()?;
        let mut lines = Lines::new(session, (from.max(start), end), LONGEST_LINE, Commands::Shown);
        let mut before: VecDeque<String> = VecDeque::new();
        // The match of this terminal that still wants lines after it.
        let mut open: Option<usize> = None;
        while let Some(Line { from: cursor, to, bytes, .. }) = lines.read()? {
            self.found.searched_bytes += to.since(cursor);
            // What has one cursor is told together: who goes on from there would find the first of it again.
            let is_enough = self.found.matches.len() >= self.matches || Instant::now() > self.deadline;
            let text = plumbing.remove(plain(&bytes));
            let count = text.lines().count();
            for (number, line) in text.lines().enumerate() {
                if let Some(hit) = self.pattern.find(line) {
                    if is_enough {
                        self.found.truncated = true;
                        return Ok(cursor);
                    }
                    let before = before.drain(..).collect();
                    let begin = if number == 0 { cursor.0 } else { to.0 - length_from_end(&bytes, count - number) };
                    let line = around(line, hit.start());
                    let found = Match { id, cursor: begin, line, before, after: Vec::new() };
                    self.found.matches.push(found);
                    open = (self.context > 0).then(|| self.found.matches.len() - 1);
                } else if let Some(index) = open {
                    // A line is told once, although it may be near two matches.
                    let after = &mut self.found.matches[index].after;
                    after.push(shown(line));
                    open = open.filter(|_| after.len() < self.context);
                } else if self.context > 0 {
                    if before.len() == self.context {
                        before.pop_front();
                    }
                    before.push_back(shown(line));
                }
            }
            if Instant::now() > self.deadline {
                self.found.truncated = true;
                return Ok(to);
            }
        }
        Ok(end)
    }
}

/// The part of a long line in which a match begins.
fn around(line: &str, hit: usize) -> String {
    let before = line[..hit].chars().count();
    // Most of the room is for what comes after: a match is longer than nothing.
    match before.checked_sub(SHOWN / 2) {
        Some(left_out @ 1..) => {
            let rest: String = line.chars().skip(left_out).collect();
            format!("…{}", shown(&rest))
        }
        _ => shown(line),
    }
}

/// How long the last line is, the last two, … What comes to a shell before a command's output is shown otherwise than it is in
/// the log, so that only the end has its place there.
fn length_from_end(bytes: &[u8], lines: usize) -> u64 {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let ends = text.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
    let begin = ends.map(|(at, _)| at + 1).nth(lines - 1).unwrap_or(0);
    (bytes.len() - begin) as u64
}

fn shown(line: &str) -> String {
    if line.chars().nth(SHOWN).is_none() { line.to_owned() } else { line.chars().take(SHOWN).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_where_it_matches() {
        let line = format!("{}NEEDLE{}", "ü".repeat(5000), "y".repeat(5000));
        let shown = around(&line, line.find("NEEDLE").unwrap());
        assert!(shown.starts_with("…ü") && shown.contains("NEEDLEy") && shown.ends_with("y…"), "{shown}");
        assert!(shown.chars().count() <= SHOWN + 2, "{}", shown.chars().count());
        assert_eq!(around("a short one", 2), "a short one");
    }

    #[test]
    fn lines_of_one_piece_are_counted_from_its_end() {
        let bytes = b"typed\r\nshown\r\nfirst\r\nsecond\r\n";
        let lengths = [1, 2, 9].map(|lines| length_from_end(bytes, lines));
        assert_eq!(lengths, [8, 15, bytes.len() as u64]);
    }

    #[test]
    fn a_search_that_was_cut_says_where_to_go_on() {
        let ids: Vec<_> = (2..=13).map(TerminalId::new).collect();
        let hint = |left: &[TerminalId]| elsewhere(TerminalId::new(1), Offset(7), left);
        assert_eq!(hint(&[]), "there is more: search on with `id`: \"t1\" and `from`: 7");
        assert!(hint(&ids[..2]).ends_with("`from`: 7, and then with the `id` of t2, t3"), "{}", hint(&ids[..2]));
        assert!(hint(&ids).ends_with("t10, t11 and 2 more"), "{}", hint(&ids));
    }
}
