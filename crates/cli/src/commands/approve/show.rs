//! A request as a person sees it: everything that is needed to decide, and nothing that the agent could have faked.

use std::ops::Range;
use std::time::{Duration, SystemTime};

use flightdeck_contract::approval::{Approval, ApprovalPiece, OfferedRule, Origin, Scope, Subject};

use super::subject;
use crate::commands::visible::{Line, block, hidden, visible};
use crate::style::Style;
use crate::window;

/// How much of a long command is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// All of it.
    Whole,
    /// The beginning, the end, and what is dangerous.
    Short,
}

/// Lines of a command that are shown at its beginning and end when it is cut short.
const BEGINNING: usize = 14;
const END: usize = 4;
/// What stands before everything that belongs to a request.
const INDENT: &str = "    ";

/// A request in lines.
pub fn request(approval: &Approval, length: Length, style: Style) -> Vec<String> {
    let id = approval.id.to_string();
    let verb = match &approval.subject {
        Subject::Command(_) if approval.dangerous => "wants to run something dangerous",
        Subject::Command(_) => "wants to run",
        Subject::Permission(_) => "asks",
        Subject::FileWrite(_) => "wants to write a file",
    };
    let mut lines = vec![format!("{}  {} {verb}", style.bold(&id), style.bold(&visible(&approval.agent)))];
    let body = match &approval.subject {
        Subject::Command(subject) => command(&subject.text, &subject.pieces, length, style),
        Subject::Permission(subject) => subject::permission(subject, length, style),
        Subject::FileWrite(subject) => subject::file_write(subject, length, style),
    };
    lines.extend(body.iter().map(|line| format!("{INDENT}{line}")));
    let mut field = |name: &str, text: &str| lines.push(format!("{INDENT}{} {text}", style.dim(&format!("{name:<7}"))));
    if let Some(Origin { container, workspace, address }) = &approval.origin {
        let from = format!("container {} ({}, {})", visible(container), visible(workspace), visible(address));
        field("from", &style.yellow(&format!("{from}; it would run on this machine")));
    }
    let terminal = approval.terminal.map_or_else(String::new, |terminal| format!(" (in {terminal})"));
    if let Some(command) = approval.subject.command() {
        let unseen = hidden(&command.text);
        if unseen > 0 {
            field(
                "beware",
                &style.yellow(&format!("it holds {unseen} characters that can't be seen, shown as \\x… and \\u{{…}}")),
            );
        }
        field("where", &format!("{}{terminal}", visible(&command.cwd)));
        for variable in &command.env {
            field("with", &visible(variable));
        }
    }
    field("why", &visible(&approval.reason));
    for piece in approval.subject.command().map_or(&[][..], |command| &command.pieces) {
        let untold = piece.danger.as_ref().filter(|why| !approval.reason.contains(why.as_str()));
        if let Some(why) = untold {
            field("", &format!("{}: {}", style.red(&short(&visible(&piece.text))), visible(why)));
        }
    }
    field("rule", &visible(&approval.rule));
    match approval.subject.options() {
        [] => field("yes", &reach(&approval.scopes)),
        options => subject::options(options).iter().for_each(|option| field("answer", option)),
    }
    if let Some(offer) = &approval.offer {
        field("always", &visible(&offer.words));
        lines.extend(rule(offer, style));
    }
    let left = Duration::from_millis(u64::try_from(approval.expires_at_ms - now_ms()).unwrap_or(0));
    lines.push(format!("{INDENT}{} {}", style.dim("waits  "), span(left) + " more"));
    lines
}

/// A command in lines, with carets below what is dangerous.
pub fn command(text: &str, pieces: &[ApprovalPiece], length: Length, style: Style) -> Vec<String> {
    let marked: Vec<Range<usize>> =
        pieces.iter().filter(|piece| piece.danger.is_some()).map(|piece| piece.start..piece.end).collect();
    let width = window::size().map(|size| usize::from(size.cols).saturating_sub(INDENT.len()));
    let all = block(text, &marked, width, style);
    let kept = match length {
        Length::Short => keep(&all),
        Length::Whole => vec![true; all.len()],
    };
    let mut lines = Vec::new();
    let mut left_out = 0;
    for (line, kept) in all.into_iter().zip(kept) {
        if !kept {
            left_out += 1;
            continue;
        }
        lines.extend(gap(&mut left_out, style));
        lines.extend([Some(line.text), line.carets].into_iter().flatten());
    }
    lines.extend(gap(&mut left_out, style));
    lines
}

/// The rule that `always` would add, as it would stand in the file.
pub fn rule(offer: &OfferedRule, style: Style) -> Vec<String> {
    offer.toml.trim().lines().map(|line| format!("{INDENT}        {}", style.dim(&visible(line)))).collect()
}

/// Which lines of a command are shown when there are too many. What is dangerous always is.
fn keep(lines: &[Line]) -> Vec<bool> {
    let short = lines.len() <= BEGINNING + END + 1;
    let shown = |(index, line): (usize, &Line)| {
        short || index < BEGINNING || index + END >= lines.len() || line.carets.is_some()
    };
    lines.iter().enumerate().map(shown).collect()
}

pub fn gap(left_out: &mut usize, style: Style) -> Option<String> {
    let count = std::mem::take(left_out);
    (count > 0).then(|| style.yellow(&format!("… {count} more lines")))
}

fn reach(scopes: &[Scope]) -> String {
    scopes.iter().map(|scope| scope.name()).collect::<Vec<_>>().join(", ")
}

fn short(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}

/// A time that a person reads: `9m58s`.
pub fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        3600..86400 => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        _ => format!("{}d{:02}h", seconds / 86400, seconds / 3600 % 24),
    }
}

/// Now, in milliseconds since 1970.
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use flightdeck_contract::ApprovalId;
    use flightdeck_contract::approval::CommandSubject;

    /// A request as a hub would send it.
    pub fn sample(number: u32) -> Approval {
        Approval {
            id: ApprovalId::new(number),
            agent: "codex#1".into(),
            origin: None,
            call: "flightdeck.terminal.run".into(),
            subject: Subject::Command(CommandSubject {
                text: "cd x && rm -rf y".into(),
                cwd: "/w".into(),
                env: Vec::new(),
                editable: true,
                pieces: vec![ApprovalPiece {
                    text: "rm -rf y".into(),
                    start: 8,
                    end: 16,
                    depth: 0,
                    danger: Some("it deletes a folder".into()),
                }],
            }),
            terminal: None,
            rule: "danger:deletes-tree".into(),
            reason: "it deletes a folder".into(),
            dangerous: true,
            scopes: vec![Scope::Once, Scope::Session],
            offer: None,
            asked_at_ms: 0,
            expires_at_ms: 0,
            trace: None,
        }
    }

    /// Changes the command of a sample.
    fn with_command(approval: &mut Approval, change: impl FnOnce(&mut CommandSubject)) {
        if let Subject::Command(command) = &mut approval.subject {
            change(command);
        }
    }

    #[test]
    fn a_request_says_all_that_is_needed() {
        let lines = request(&sample(1), Length::Whole, crate::style::plain());
        assert_eq!(
            lines,
            [
                "a1  codex#1 wants to run something dangerous",
                "    │ cd x && rm -rf y",
                "    │         ^^^^^^^^",
                "    where   /w",
                "    why     it deletes a folder",
                "    rule    danger:deletes-tree",
                "    yes     once, session",
                "    waits   0s more",
            ]
        );
    }

    #[test]
    fn an_agent_can_put_nothing_on_the_screen_by_any_field() {
        let evil = "\x1b[2J\u{202e}";
        let mut approval = sample(1);
        approval.agent = evil.into();
        with_command(&mut approval, |command| {
            command.text = format!("echo {evil}\nwhere /safe");
            command.cwd = evil.into();
            command.pieces[0].text = evil.into();
        });
        approval.reason = evil.into();
        approval.rule = evil.into();
        approval.offer = Some(OfferedRule { words: evil.into(), toml: format!("# {evil}\nallow = []") });
        let lines = request(&approval, Length::Short, crate::style::plain());
        let text = lines.join("\n");
        assert!(!text.contains('\x1b') && !text.contains('\u{202e}'), "{text:?}");
        assert!(text.contains("    │ where /safe") && text.contains("characters that can't be seen"), "{text}");
    }

    #[test]
    fn a_long_command_is_cut_but_never_where_it_is_dangerous() {
        let mut approval = sample(1);
        with_command(&mut approval, |command| {
            command.text = "true\n".repeat(20) + "rm -rf y\n" + &"true\n".repeat(20);
            (command.pieces[0].start, command.pieces[0].end) = (100, 108);
        });
        let text = request(&approval, Length::Short, crate::style::plain()).join("\n");
        assert!(text.contains("… 6 more lines\n    │ rm -rf y\n    │ ^^^^^^^^\n    … 17 more lines"), "{text}");
        let whole = request(&approval, Length::Whole, crate::style::plain()).join("\n");
        assert!(!whole.contains("more lines") && whole.matches("│ true").count() == 40, "{whole}");
    }

    #[test]
    fn spans() {
        for (seconds, text) in [(0, "0s"), (598, "9m58s"), (3700, "1h01m"), (90_000, "1d01h")] {
            assert_eq!(span(Duration::from_secs(seconds)), text);
        }
    }
}
