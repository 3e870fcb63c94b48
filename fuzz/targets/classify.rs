//! Any text as a command: it is assessed and decided without a panic, in bounded time, and what holds for all decisions
//! holds for this one.

#![no_main]

use flightdeck_policy::{Deed, Place, Rules, Severity, Stance, Verdict, assess, decide, headless, offer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let place = Place {
        workspace: "/home/dev/project".into(),
        cwd: Some("/home/dev/project/src".into()),
        home: Some("/home/dev".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
    };
    let rules = Rules::default();
    let words = text.split(' ').map(str::to_owned).collect();
    for deed in [Deed::Line(text.to_owned()), Deed::Part(text.to_owned()), Deed::Argv(words)] {
        let a = assess(&deed, &place);
        for danger in &a.dangers {
            assert!(danger.piece.is_none_or(|piece| piece < a.pieces.len()));
        }
        let alone = headless(&a, &rules, &place);
        match alone.verdict {
            Verdict::Allowed => assert!(a.dangers.is_empty() && a.plain.is_ok()),
            verdict => assert_eq!(verdict, Verdict::Blocked),
        }
        let never = a.dangers.iter().any(|danger| danger.severity == Severity::Never);
        for stance in [Stance::Strict, Stance::Ask, Stance::Guard, Stance::Open] {
            let decision = decide(&a, &rules, &place, stance);
            assert_eq!(decision.fixed(), never);
            assert!(!never || decision.verdict == Verdict::Blocked);
        }
        if let Some(rule) = offer(&a, &place) {
            assert!(rule.covers(&a));
            let rules = Rules::parse(&Rules::add("", &rule).expect("an offer can be added")).expect("it can be read");
            let verdict = decide(&a, &rules, &place, Stance::Ask).verdict;
            assert!(matches!(verdict, Verdict::Allowed | Verdict::AllowedWithWarning));
        }
    }
});
