//! Any text as a policy file: it is read or refused without a panic, and what was read takes another rule.

#![no_main]

use flightdeck_policy::{NewRule, Pattern, Rules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Rules::parse(text) {
        Err(error) => assert!(error.line >= 1 && error.line <= text.lines().count() + 1),
        Ok(rules) => {
            let new = NewRule::allow(&["unheard-of 'two words' *"]).expect("the pattern is right");
            if let Ok(added) = Rules::add(text, &new) {
                let read = Rules::parse(&added).expect("what was added to can be read");
                assert!(added.starts_with(text) && read.rules().len() <= rules.rules().len() + 1);
                assert_eq!(Rules::add(&added, &new).as_deref(), Ok(added.as_str()));
            }
            assert_eq!(rules.merged(&Rules::default()), rules);
        }
    }
    if let Ok(pattern) = Pattern::parse(text) {
        assert_eq!(Pattern::parse(pattern.text()).as_ref(), Ok(&pattern));
        let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
        let _ = (pattern.overbroad(), pattern.allows(&words));
    }
});
