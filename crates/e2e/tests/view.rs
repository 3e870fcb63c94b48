//! What a window is made of, without one: the link to a real hub and a pane of a real terminal.

use std::sync::Arc;

use flightdeck_client::Hub;
use flightdeck_contract::terminal::WindowSize;
use flightdeck_contract::workspace::Workspace;
use flightdeck_e2e::{Agent, Deck, SOON};
use flightdeck_view::deck::List;
use flightdeck_view::keys::Held;
use flightdeck_view::link::{Connection, Link, News, Start};
use flightdeck_view::pane::{Pane, Told};
use flightdeck_view::tokens::Theme;
use parking_lot::Mutex;
use serde_json::{Value, json};

const ROOM: WindowSize = WindowSize { rows: 10, cols: 60 };
const ENTER: i32 = 0x0100_0004;

/// How a prompt of bash ends.
fn prompt() -> &'static str {
    if rustix::process::getuid().is_root() { "#" } else { "$" }
}

/// A link, and all that it told.
fn link(deck: &Deck) -> (Link, Arc<Mutex<Vec<News>>>) {
    let hub = Hub::at(Workspace::at(&deck.workspace()).unwrap(), deck.socket_path());
    let news = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&news);
    let link = Link::start(hub, "window:pilot", Start::Never, move |told| heard.lock().push(told)).unwrap();
    (link, news)
}

fn pane(link: &Link) -> (Pane, Arc<Mutex<Vec<Told>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let pane =
        Pane::open(link, "t1".parse().unwrap(), ROOM, Theme::dark().palette(), move |one| heard.lock().push(one));
    (pane, told)
}

#[track_caller]
fn shows(deck: &Deck, pane: &Pane, text: &str) {
    deck.wait_until(&format!("{text:?} is shown"), SOON, || pane.frame().text().contains(text).then_some(()));
}

fn type_in(pane: &Pane, text: &str) {
    for c in text.chars() {
        pane.key(c as i32, Held::default(), &c.to_string());
    }
    pane.key(ENTER, Held::default(), "\r");
}

fn heard(news: &Mutex<Vec<News>>, wanted: &News) -> bool {
    news.lock().contains(wanted)
}

/// The newest rows of a list.
fn rows(news: &Mutex<Vec<News>>, list: List) -> Vec<Value> {
    let news = news.lock();
    let last = news.iter().rev().find_map(|one| match one {
        News::Rows(of, rows) if *of == list => Some(rows.clone()),
        _ => None,
    });
    last.unwrap_or_default().iter().map(|row| serde_json::from_str(&row.json).unwrap()).collect()
}

#[test]
fn a_pane_shows_scrolls_copies_and_comes_back_after_a_crash() {
    let deck = Deck::new();
    deck.cli(&["new"]).expect(0);
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
    let (link, news) = link(&deck);
    deck.wait_until("live", SOON, || heard(&news, &News::Connection(Connection::Live)).then_some(()));
    let (pane, told) = pane(&link);
    shows(&deck, &pane, prompt());
    type_in(&pane, "seq 100 130; echo o''k");
    shows(&deck, &pane, "\nok");
    assert!(told.lock().iter().any(|one| matches!(one, Told::Frame(damage) if damage.to > damage.from)));

    // What scrolled off is above, and stays there while more comes.
    pane.scroll(1_000_000);
    shows(&deck, &pane, "100\n101");
    assert_eq!(pane.frame().cursor, None);
    deck.cli(&["send", "t1", "echo mo''re", "-e"]).expect(0);
    deck.wait_until("more was printed", SOON, || {
        deck.cli(&["screen", "t1"]).expect(0).text().contains("\nmore").then_some(())
    });
    assert!(pane.frame().text().contains("100\n101"), "{}", pane.frame().text());
    let row = pane.frame().text().lines().position(|line| line == "101").unwrap() as u16;
    pane.mark(1, 0, row);
    pane.mark_to(2, row + 1);
    assert_eq!(pane.marked().as_deref(), Some("101\n102"));

    deck.kill_hub();
    deck.wait_until("away", SOON, || heard(&news, &News::Connection(Connection::Away)).then_some(()));
    news.lock().clear();
    deck.cli(&["restart"]).expect(0);
    deck.wait_until("live again", SOON, || heard(&news, &News::Connection(Connection::Live)).then_some(()));
    deck.wait_until("typing works again", SOON, || {
        type_in(&pane, "echo aft''er");
        pane.frame().text().contains("\nafter").then_some(())
    });
}

#[test]
fn a_flood_does_not_hold_up_what_is_typed() {
    let deck = Deck::new();
    deck.cli(&["new"]).expect(0);
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
    let (link, _news) = link(&deck);
    let (pane, _told) = pane(&link);
    shows(&deck, &pane, prompt());
    type_in(&pane, "yes flood");
    shows(&deck, &pane, "flood\nflood");
    pane.key(0x43, Held { control: true, ..Held::default() }, "\x03");
    shows(&deck, &pane, "^C");
    type_in(&pane, "echo li''ves");
    shows(&deck, &pane, "\nlives");
}

#[test]
fn what_waits_is_a_row_until_it_is_answered() {
    let deck = Deck::new();
    let (link, news) = link(&deck);
    deck.wait_until("live", SOON, || heard(&news, &News::Connection(Connection::Live)).then_some(()));
    let mut agent = Agent::new(&deck, "codex");
    let asked = agent.begin("flightdeck.terminal.run", &json!({ "command": "rm -rf dist" }));
    let need = deck.wait_until("a row of what waits", SOON, || {
        rows(&news, List::Needs).into_iter().find(|row| row["kind"] == "approval")
    });
    assert_eq!((&need["text"], &need["actor"]["name"]), (&json!("rm -rf dist"), &json!("codex")));
    assert!(need["spans"][0]["danger"].as_str().is_some_and(|danger| !danger.is_empty()), "{need}");
    let id = need["id"].as_str().unwrap().parse().unwrap();
    link.answer(id, json!({ "id": need["id"], "choice": "decline", "reason": "no" }));
    assert_eq!(agent.result(asked)["success"], false);
    deck.wait_until("the row is gone", SOON, || {
        (!rows(&news, List::Needs).iter().any(|row| row["kind"] == "approval")).then_some(())
    });
    // What one did oneself is no news.
    assert!(!news.lock().iter().any(|one| matches!(one, News::Toast { .. })), "{:?}", news.lock());
    deck.wait_until("the log has it", SOON, || {
        rows(&news, List::Activity)
            .iter()
            .any(|row| row["deed"].as_str().is_some_and(|deed| deed.starts_with("denied")))
            .then_some(())
    });
}
