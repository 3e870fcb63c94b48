//! The page of the workbench: who gets its files, with which rules, and who is known after a restart.

use flightdeck_e2e::{Deck, Http, SOON, browser};

const GZIP: (&str, &str) = ("Accept-Encoding", "gzip, br");

#[test]
fn the_page_lets_nothing_run_that_was_not_built_with_it() {
    let deck = Deck::new();
    // It holds nothing secret.
    let stranger = Http::of(&deck).without("Authorization");
    let page = stranger.request("GET", "/", &[GZIP], b"");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(rule), "{rule}: {policy}");
    }
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let framed = stranger.request("GET", "/", &[GZIP, ("Host", "evil.example")], b"");
    assert_eq!(framed.status, 403, "by another name it is not there");
}

#[test]
fn nothing_but_the_page_is_served_from_its_folder() {
    let deck = Deck::new();
    let http = Http::of(&deck);
    for path in [
        "/assets/none.js",
        "/assets/../index.html",
        "/assets/..%2f..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/package.json",
        "/assets//etc/passwd",
        "/index.html.gz",
        "/src/main.tsx",
    ] {
        let answer = http.request("GET", path, &[GZIP], b"");
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["error"]["code"], "not_found", "{path}");
    }
}

#[test]
fn a_browser_learns_whether_it_is_let_in_and_is_known_to_the_next_hub() {
    let deck = Deck::new();
    let known = browser(&deck);
    let stranger = known.clone().without("Cookie");
    assert_eq!((known.get("/session").status, stranger.get("/session").status), (204, 401));
    deck.cli(&["restart"]).expect(0);
    assert_eq!((known.get("/session").status, stranger.get("/session").status), (204, 401));
}

#[test]
fn serve_ends_with_a_link_on_a_line_of_its_own() {
    let deck = Deck::new();
    let mut window = deck.window(&["serve"]);
    window.wait_for("/login?code=");
    let seen = window.seen();
    let line = seen.lines().find(|line| line.contains("/login?code=")).unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{seen}");
    window.type_in(b"\x03");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn alone_it_says_what_is_there_and_how_to_open_it() {
    let deck = Deck::new();
    let window = deck.window(&[]);
    window.wait_for("flightdeck --help");
    let seen = window.seen();
    assert!(seen.contains("does not serve") && seen.contains("flightdeck open"), "{seen}");
    // A script is told the same.
    let script = deck.cli(&[]).expect(0);
    assert!(script.text().contains("does not serve") && script.text().contains("flightdeck open"), "{script:?}");
}
