//! The scanner against vte itself: it must never believe in ground state when the parser is elsewhere.

use alacritty_terminal::vte::{Parser, Perform};
use proptest::prelude::*;

use super::super::tokens::{Place, Token, Tracker, token};
use super::cases;
use super::grammar::{raw, stream};

/// Tells ground state by its only sign from outside: a character is printed at once.
#[derive(Default)]
struct Printed(u32);

impl Perform for Printed {
    fn print(&mut self, _: char) {
        self.0 += 1;
    }
}

fn prints(bytes: &[u8], probe: u8) -> bool {
    let mut parser = Parser::new();
    let mut before = Printed::default();
    parser.advance(&mut before, bytes);
    let mut after = Printed::default();
    parser.advance(&mut after, &[probe]);
    after.0 > 0
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn agrees_with_vte(bytes in prop_oneof![stream(), raw()]) {
        let mut place = Place::default();
        let mut tracker = Tracker::default();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let len = if tracker.in_osc() { tracker.advance_osc(rest).0 } else { 0 };
            rest = &rest[len..];
            let len = tracker.advance(rest);
            rest = &rest[len..];
        }
        for byte in bytes.iter() {
            place = place.next(*byte);
        }
        prop_assert!(!tracker.is_clean() || place == Place::Ground);
        // A space is printed in ground state and nowhere else.
        let ground = prints(&bytes, b' ');
        prop_assert_eq!(place == Place::Ground, ground);
        if tracker.is_clean() {
            prop_assert!(ground);
        }
    }

    /// A whole token, fed to vte, ends in ground state and prints nothing.
    #[test]
    fn whole_tokens_are_whole(bytes in stream()) {
        for at in memchr::memchr_iter(0x1b, &bytes) {
            if let Token::Whole(_, len) = token(&bytes[at..]) {
                let mut printed = Printed::default();
                Parser::new().advance(&mut printed, &bytes[at..at + len]);
                prop_assert_eq!(printed.0, 0);
                prop_assert!(prints(&bytes[at..at + len], b' '));
            }
        }
    }
}
