//! The desk, by what a person would see and what the hub would be told.

use flightdeck_contract::ApprovalId;
use flightdeck_contract::approval::{
    AnswerApproval, Answered, Approval, ApprovalEvent, Choice, OfferedRule, Outcome, Scope,
};
use flightdeck_contract::consent::{CONSENT_TEXT, Consent, SetConsent};
use flightdeck_contract::{Error, ErrorCode};

use super::super::show::tests::sample;
use super::super::subject::tests::question;
use super::desk::{Act, Desk, Manner, Word};
use super::lines;
use crate::style;

fn id(number: u32) -> ApprovalId {
    ApprovalId::new(number)
}

fn desk(manner: Manner, waiting: Vec<Approval>) -> Desk {
    let mut desk = Desk::new(manner, style::plain());
    desk.event(ApprovalEvent::Snapshot { approvals: waiting });
    desk.armed();
    desk
}

fn press(desk: &mut Desk, letter: char) -> Vec<Act> {
    desk.word(Word { letter, rest: None })
}

fn approve(number: u32, scope: Scope) -> Act {
    let choice = Choice::Approve;
    Act::Answer(AnswerApproval {
        id: id(number),
        choice,
        scope: Some(scope),
        command: None,
        option: None,
        reason: None,
    })
}

fn decline(number: u32, reason: Option<&str>) -> Act {
    let reason = reason.map(str::to_owned);
    Act::Answer(AnswerApproval {
        id: id(number),
        choice: Choice::Decline,
        scope: None,
        command: None,
        option: None,
        reason,
    })
}

fn said(acts: &[Act]) -> String {
    let lines = acts.iter().filter_map(|act| if let Act::Say(lines) = act { Some(lines.join("\n")) } else { None });
    lines.collect::<Vec<_>>().join("\n")
}

fn settled(number: u32, outcome: Outcome, by: Option<&str>) -> ApprovalEvent {
    ApprovalEvent::Settled { id: id(number), outcome, by: by.map(str::to_owned), reason: None, edited: None }
}

fn approved(number: u32) -> Answered {
    Answered { id: id(number), outcome: Outcome::Approved, rule: None }
}

#[test]
fn keys_answer_what_is_shown() {
    for (key, act) in [('y', approve(1, Scope::Once)), ('s', approve(1, Scope::Session))] {
        assert_eq!(press(&mut desk(Manner::Keys, vec![sample(1), sample(2)]), key), [act]);
    }
    // What the request does not offer is not sent, and letters that mean nothing do nothing.
    let mut desk = desk(Manner::Keys, vec![sample(1)]);
    assert!(said(&press(&mut desk, 't')).contains("a1 can't be approved for terminal"));
    assert!(said(&press(&mut desk, 'a')).contains("a1 can't be approved for always"));
    for key in ['Y', 'A', ' ', 'x', '\x1b'] {
        assert_eq!(press(&mut desk, key), [], "{key:?}");
    }
    assert_eq!(press(&mut desk, 'q'), [Act::Quit]);
}

#[test]
fn an_agents_own_question_is_answered_by_number() {
    let chosen = |choice, option: &str| {
        let option = Some(option.to_owned());
        Act::Answer(AnswerApproval { id: id(1), choice, scope: None, command: None, option, reason: None })
    };
    for (key, act) in [('1', chosen(Choice::Approve, "o1")), ('3', chosen(Choice::Decline, "o3"))] {
        assert_eq!(press(&mut desk(Manner::Keys, vec![question(1)]), key), [act]);
    }
    let mut desk = desk(Manner::Lines, vec![question(1)]);
    assert_eq!(desk.prompt().unwrap(), "a1: [1] Allow  [2] Always allow  [3] Reject  [n]o  [v]iew  [q]uit > ");
    for key in ['y', 'e'] {
        assert!(matches!(press(&mut desk, key)[..], [Act::Say(_)]), "{key}");
    }
    for key in ['0', '4', '9'] {
        assert_eq!(press(&mut desk, key), [], "{key}");
    }
    let (_, word) = lines::parse("a1 2").unwrap().unwrap();
    assert_eq!(desk.word(word), [chosen(Choice::Approve, "o2")]);
}

#[test]
fn a_key_that_was_on_its_way_answers_nothing() {
    let mut desk = Desk::new(Manner::Keys, style::plain());
    assert_eq!(desk.prompt(), None, "nothing is said before the hub has counted this one in");
    desk.event(ApprovalEvent::Snapshot { approvals: Vec::new() });
    assert_eq!(desk.prompt().unwrap(), "nothing waits  [q]uit > ");
    let shown = desk.event(ApprovalEvent::Pending { approval: Box::new(sample(1)) });
    assert!(said(&shown).contains("rm -rf y") && desk.is_fresh() && desk.prompt().is_none());
    assert_eq!(press(&mut desk, 'y'), []);
    desk.armed();
    assert_eq!(press(&mut desk, 'y'), [approve(1, Scope::Once)]);
    // Nor does a second press answer the next one.
    desk.event(ApprovalEvent::Pending { approval: Box::new(sample(2)) });
    assert_eq!(press(&mut desk, 'y'), []);
    assert!(said(&desk.answered(Ok(approved(1)))).contains("a2  codex#1"));
    assert_eq!(press(&mut desk, 'y'), []);
}

#[test]
fn always_shows_the_rule_and_asks_again() {
    let mut approval = sample(1);
    approval.scopes = Scope::ALL.to_vec();
    approval.offer =
        Some(OfferedRule { words: "allow rm with any words".into(), toml: "[[rule]]\nname = \"rm\"".into() });
    let mut desk = desk(Manner::Keys, vec![approval]);
    let shown = said(&press(&mut desk, 'a'));
    assert!(shown.contains("allow rm with any words") && shown.contains("name = \"rm\""), "{shown}");
    assert!(desk.prompt().unwrap().contains("add this rule?"));
    assert_eq!(press(&mut desk, 'n'), []);
    press(&mut desk, 'a');
    assert_eq!(press(&mut desk, 'y'), [approve(1, Scope::Always)]);
}

#[test]
fn a_no_has_a_reason_or_none() {
    for (line, act) in [("not on Friday", decline(1, Some("not on Friday"))), ("  ", decline(1, None))] {
        let mut desk = desk(Manner::Keys, vec![sample(1)]);
        assert_eq!(press(&mut desk, 'n'), []);
        assert!(desk.wants_line());
        assert_eq!(desk.reason(None), [], "Esc goes back");
        press(&mut desk, 'n');
        assert_eq!(desk.reason(Some(line.into())), [act]);
    }
}

#[test]
fn whoever_was_first_is_named_and_the_next_one_is_shown() {
    for (event, words) in [
        (settled(1, Outcome::Declined, Some("cli:bo")), "a1 was declined by cli:bo first"),
        (settled(1, Outcome::Expired, None), "a1 has expired"),
        (settled(1, Outcome::Withdrawn, None), "a1 was withdrawn"),
    ] {
        for key in [None, Some('n'), Some('e')] {
            let mut desk = desk(Manner::Keys, vec![sample(1), sample(2)]);
            key.map(|key| press(&mut desk, key));
            let text = said(&desk.event(event.clone()));
            assert!(text.contains(words) && text.contains("a2  codex#1"), "{text}");
            assert!(said(&desk.edited(Some("ls".into()))).contains("nothing was answered"));
        }
    }
    let mut desk = desk(Manner::Keys, vec![sample(1), sample(2)]);
    press(&mut desk, 'y');
    let late = Error::new(ErrorCode::ApprovalSettled, "a1 was approved already by cli:bo");
    assert!(said(&desk.answered(Err(late))).contains("already by cli:bo"));
    assert_eq!(desk.current(), Some(id(2)));
}

#[test]
fn an_own_answer_is_told_once() {
    let mut before = desk(Manner::Keys, vec![sample(1)]);
    press(&mut before, 'y');
    assert_eq!(before.event(settled(1, Outcome::Approved, Some("cli:anna"))), []);
    assert_eq!(said(&before.answered(Ok(approved(1)))), "a1 approved");
    let mut after = desk(Manner::Keys, vec![sample(1)]);
    press(&mut after, 'y');
    after.answered(Ok(approved(1)));
    assert_eq!(after.event(settled(1, Outcome::Approved, Some("cli:anna"))), []);
}

#[test]
fn an_answer_that_could_not_be_taken_leaves_the_question() {
    let mut desk = desk(Manner::Keys, vec![sample(1)]);
    press(&mut desk, 's');
    assert_eq!(said(&desk.answered(Err(Error::invalid("scope", "no")))), "scope: no");
    assert_eq!(press(&mut desk, 'y'), [approve(1, Scope::Once)]);
}

#[test]
fn another_hub_asks_other_questions() {
    let mut desk = desk(Manner::Keys, vec![sample(1)]);
    press(&mut desk, 'e');
    assert!(said(&desk.gone()).contains("the hub has ended"));
    desk.back();
    desk.event(ApprovalEvent::Snapshot { approvals: vec![sample(1)] });
    assert!(said(&desk.edited(Some("rm".into()))).contains("nothing was answered"));
}

#[test]
fn how_many_more_wait() {
    let prompt = |count: u32| desk(Manner::Keys, (1..=count).map(sample).collect()).prompt().unwrap();
    assert_eq!(prompt(1), "a1: [y]es once  [s]ession  [e]dit  [n]o  [v]iew  [q]uit > ");
    assert!(prompt(2).contains("(1 more waits)") && prompt(3).contains("(2 more wait)"));
}

#[test]
fn consent_is_asked_first_and_once() {
    let consent = Consent { ask: true, allowed: None, by: None, at_ms: None, version: 1, text: CONSENT_TEXT.into() };
    let mut desk = Desk::new(Manner::Keys, style::plain());
    assert!(said(&desk.begin(&consent)).contains("control your IDE"));
    assert_eq!(desk.event(ApprovalEvent::Snapshot { approvals: vec![sample(1)] }), [], "one question at a time");
    assert!(desk.prompt().unwrap().contains("[x] don't show this again"));
    press(&mut desk, 'd');
    assert!(desk.prompt().unwrap().contains("[ ] don't show this again"));
    let set = SetConsent { allow: false, version: 1, remember: false };
    assert_eq!(press(&mut desk, 'n'), [Act::Consent(set)]);
    let text = said(&desk.consented(Ok(Consent { ask: false, allowed: Some(false), ..consent.clone() })));
    assert!(text.contains("declined") && text.contains("a1  codex#1"), "{text}");
    assert_eq!(Desk::new(Manner::Keys, style::plain()).begin(&Consent { ask: false, ..consent }), []);
}

#[test]
fn lines_are_answers() {
    let line = |text| lines::parse(text).map(|line| line.map(|(id, word)| (id, word.letter, word.rest)));
    assert_eq!(line(" y "), Ok(Some((None, 'y', None))));
    assert_eq!(line("a2 no  it is late "), Ok(Some((Some(id(2)), 'n', Some("it is late".into())))));
    assert_eq!(line("e rm  -r x"), Ok(Some((None, 'e', Some("rm  -r x".into())))));
    assert_eq!(line(""), Ok(None));
    for text in ["yep", "y but not now", "a2", "yn", "Y"] {
        assert!(line(text).is_err(), "{text}");
    }
    let mut desk = desk(Manner::Lines, vec![sample(1)]);
    assert_eq!(desk.word(Word { letter: 'n', rest: Some("late".into()) }), [decline(1, Some("late"))]);
}
