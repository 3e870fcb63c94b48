//! The two analyses of a command, side by side.

use crate::shell::MAX_LENGTH;
use crate::{Assessment, Deed, NotPlain, Place, danger, plain};

/// All that is known of a command. It never panics, and its time is bounded: texts above 1 MiB, nested deeper than 64
/// levels, with more than 2,000 commands or with more work in them than their length is worth are
/// [`Unreadable`](crate::DangerKind::Unreadable); what is found before that and in the open after it stays. Of texts with
/// more than 300 words nothing is proven.
#[must_use]
pub fn assess(deed: &Deed, place: &Place) -> Assessment {
    let (plain, steps, found) = match deed {
        Deed::Line(text) if text.len() > MAX_LENGTH => {
            let refused = NotPlain { reason: danger::too_long(text.len()), span: 0..text.len() };
            (Err(refused.clone()), Err(refused), danger::line(text, place, false))
        }
        Deed::Line(text) => {
            let plain = plain::plain(text);
            let agreed = plain.is_ok();
            (plain, plain::steps(text), danger::line(text, place, agreed))
        }
        Deed::Part(text) => {
            let reason = "it is not known whole".to_owned();
            let refused = NotPlain { reason, span: text.len()..text.len() };
            (Err(refused.clone()), Err(refused), danger::part(text, place))
        }
        Deed::Argv(words) => {
            let steps = plain::argv(words).map(|_| vec![plain::Step::literal(words)]);
            (plain::argv(words), steps, danger::argv(words, place))
        }
    };
    Assessment { pieces: found.pieces, plain, steps, dangers: found.dangers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::place;
    use crate::{DangerKind, Rules, Severity, Stance, Verdict, decide, headless, offer};

    #[test]
    fn what_is_not_known_whole_is_asked_about_and_never_proven() {
        let rules = Rules::parse("[[rule]]\nname = 'all'\nallow = ['ls', 'echo *']\n").expect("valid rules");
        for text in ["", "ls\n", "echo hi\n", "echo 'open"] {
            let assessed = assess(&Deed::Part(text.to_owned()), &place());
            assert!(assessed.plain.is_err(), "{text:?}");
            assert!(assessed.dangers.iter().any(|danger| danger.kind == DangerKind::Unreadable), "{text:?}");
            for stance in [Stance::Ask, Stance::Guard] {
                assert_eq!(decide(&assessed, &rules, &place(), stance).verdict, Verdict::NeedsApproval, "{text:?}");
            }
            assert_eq!(headless(&assessed, &rules, &place()).verdict, Verdict::Blocked, "{text:?}");
            assert_eq!(offer(&assessed, &place()), None, "{text:?}");
        }
    }

    #[test]
    fn a_part_is_searched_word_by_word_too() {
        // What stands before it may have opened the quote that is closed here.
        for text in ["rm -rf /\n", "' ; rm -rf / ; echo '\n", "\"; rm -rf /\"\n"] {
            let assessed = assess(&Deed::Part(text.to_owned()), &place());
            assert!(assessed.dangers.iter().any(|danger| danger.severity == Severity::Never), "{text:?}: {assessed:?}");
        }
    }
}
