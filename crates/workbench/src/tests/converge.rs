//! Clients that edit the same text at the same time end with the same text, however late their messages are, and an
//! edit that is sent again is applied once.

use std::collections::VecDeque;

use flightdeck_contract::workbench::{BufferVersion, Change, TextChange};
use proptest::prelude::*;

use super::{agent, anna, change, edit, text, with_text};
use crate::{Delta, Edit, Workbench};

/// What a front end does: it shows its own edits at once, sends one at a time, and transforms the others' over them.
struct Client {
    name: String,
    text: String,
    version: BufferVersion,
    /// Edits that the hub has not confirmed, each for the text after those before it; the first may be under way.
    pending: VecDeque<Delta>,
    seq: u64,
    under_way: bool,
    inbox: VecDeque<flightdeck_contract::workbench::AppliedEdit>,
}

fn patched(text: &str, changes: &[TextChange]) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for change in changes.iter().rev() {
        units.splice(change.from..change.to, change.insert.encode_utf16());
    }
    String::from_utf16(&units).expect("no edit cuts a character")
}

fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

impl Client {
    fn type_in(&mut self, from: u16, to: u16, insert: &str) {
        let bounds: Vec<usize> = self.text.char_indices().map(|(at, _)| length(&self.text[..at])).collect();
        let at = |number: u16| *bounds.get(number as usize % (bounds.len() + 1)).unwrap_or(&length(&self.text));
        let (from, to) = (at(from), at(to));
        let changes = [change(from.min(to), from.max(to).min(from.min(to) + 4), insert)];
        let changes = changes.map(|change| TextChange { to: floor(&bounds, change.to, change.from), ..change });
        self.pending.push_back(Delta::new(&changes, length(&self.text)).unwrap());
        self.text = patched(&self.text, &changes);
    }

    /// The edit that is to be sent, or sent again.
    fn request(&self) -> Option<Edit> {
        let changes = self.pending.front()?.changes();
        let (path, client) = ("a".to_owned(), self.name.clone());
        Some(Edit { path, base: self.version, changes, client, client_seq: self.seq })
    }

    fn receive(&mut self) {
        let Some(applied) = self.inbox.pop_front() else { return };
        assert_eq!(applied.version, self.version.next(), "{} missed an edit", self.name);
        self.version = applied.version;
        if applied.client.as_deref() == Some(&self.name) {
            assert_eq!(applied.client_seq, Some(self.seq));
            self.pending.pop_front();
            self.seq += 1;
            self.under_way = false;
            return;
        }
        let confirmed = self.pending.front().map_or_else(|| length(&self.text), Delta::before);
        let mut theirs = Delta::new(&applied.changes, confirmed).unwrap();
        for mine in &mut self.pending {
            let (mine_after, theirs_after) = Delta::transform(mine, &theirs);
            (*mine, theirs) = (mine_after, theirs_after);
        }
        self.text = patched(&self.text, &theirs.changes());
    }
}

/// The nearest boundary of a character that is not above, and not below the least.
fn floor(bounds: &[usize], at: usize, least: usize) -> usize {
    bounds.iter().copied().filter(|bound| *bound <= at).max().unwrap_or(least).max(least)
}

fn send(workbench: &mut Workbench, clients: &mut [Client], who: usize) {
    let Some(request) = clients[who].request() else { return };
    let repeated = clients[who].under_way;
    let done = workbench.edit(&anna(), &request).unwrap();
    assert_eq!(done.value.repeated, repeated, "an edit is applied exactly once");
    clients[who].under_way = true;
    deliver(clients, done.changes);
}

fn deliver(clients: &mut [Client], changes: Vec<flightdeck_contract::workbench::Numbered>) {
    for numbered in changes {
        if let Change::Edited { edit, .. } = numbered.change {
            for client in &mut *clients {
                client.inbox.push_back(edit.clone());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clients_and_hub_converge(
        start in prop::sample::select(super::random::TEXTS.to_vec()),
        steps in prop::collection::vec((0..5u8, 0..3usize, any::<u16>(), any::<u16>(), 0..5usize), 1..120),
    ) {
        let mut workbench = with_text("a", start);
        let version = workbench.document("a").unwrap().version;
        let client = |index: usize| Client {
            name: format!("client {index}"), text: start.to_owned(), version, pending: VecDeque::new(), seq: 1,
            under_way: false, inbox: VecDeque::new(),
        };
        let mut clients: Vec<Client> = (0..3).map(client).collect();
        for (kind, who, from, to, piece) in steps {
            match kind {
                0 | 1 => clients[who].type_in(from, to, ["a", "", "\n", "😀b", "zz"][piece]),
                // The answer may be on its way still: then this is the same edit again, which must change nothing.
                2 => send(&mut workbench, &mut clients, who),
                3 => clients[who].receive(),
                _ => {
                    let text = super::random::TEXTS[piece];
                    let disk = format!("v{from}");
                    let done = workbench.disk_changed("a", text, &disk).unwrap();
                    deliver(&mut clients, done.changes);
                }
            }
        }
        while clients.iter().any(|client| !client.pending.is_empty() || !client.inbox.is_empty()) {
            for who in 0..clients.len() {
                while !clients[who].inbox.is_empty() {
                    clients[who].receive();
                }
                send(&mut workbench, &mut clients, who);
            }
        }
        for client in &clients {
            prop_assert_eq!(&client.text, &text(&workbench, "a"), "{}", client.name);
        }
    }
}

#[test]
fn an_edit_that_comes_again_is_not_applied_again() {
    let mut workbench = with_text("a", "abc");
    let base = workbench.document("a").unwrap().version;
    let request =
        Edit { path: "a".into(), base, changes: vec![change(0, 0, "x")], client: "web:1".into(), client_seq: 5 };
    let first = workbench.edit(&anna(), &request).unwrap();
    edit(&mut workbench, &agent(), "a", vec![change(0, 0, "y")]);
    let again = workbench.edit(&anna(), &request).unwrap();
    assert!(again.value.repeated && again.changes.is_empty());
    assert_eq!((again.value.version, again.value.changes), (first.value.version, first.value.changes));
    assert_eq!(text(&workbench, "a"), "yxabc");

    // The hub was restarted before its answer arrived.
    let mut restarted = Workbench::restore(workbench.stored(), 2).workbench;
    assert!(restarted.edit(&anna(), &request).unwrap().value.repeated);
    assert_eq!(text(&restarted, "a"), "yxabc");
}

#[test]
fn late_edits_find_their_place() {
    // The text, what came first, what comes late for the same text, and the result.
    let cases = [
        ("abc", change(0, 0, "1"), change(0, 0, "2"), "12abc"),
        ("abc", change(0, 3, ""), change(1, 2, "x"), "x"),
        ("abc", change(1, 2, ""), change(0, 3, ""), ""),
        ("abc", change(0, 2, "XY"), change(1, 3, "Z"), "XYZ"),
        ("😀b", change(0, 2, ""), change(2, 3, "c"), "c"),
        ("abc", change(3, 3, "d"), change(3, 3, "e"), "abcde"),
    ];
    for (start, first, late, expected) in cases {
        let mut workbench = with_text("a", start);
        let base = workbench.document("a").unwrap().version;
        edit(&mut workbench, &anna(), "a", vec![first.clone()]);
        let request =
            Edit { path: "a".into(), base, changes: vec![late.clone()], client: "late".into(), client_seq: 1 };
        workbench.edit(&agent(), &request).unwrap();
        assert_eq!(text(&workbench, "a"), expected, "{start:?} {first:?} {late:?}");
    }
}
