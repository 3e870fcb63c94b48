//! Searching.

use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use flightdeck_files::{Cancel, Found, SearchRequest, Stopped};

use super::desk::{Desk, code};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("src/main.rs", "fn main() {\n    // Needle here\n}\n");
    desk.put("src/lib.rs", "needle\r\nno\r\n  größe needle needle\r\n");
    desk.put("notes.txt", "a needle in a haystack");
    desk.put("target/out.txt", "needle");
    desk.put(".gitignore", "target/\n");
    desk.put(".env", "needle=1");
    desk.put(".git/config", "needle");
    desk.put(".github/ci.yml", "needle");
    desk.put("binary", b"needle\n\0\n");
    desk.put("wide.txt", "\u{feff}x needle\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    desk.link("again.rs", "src/lib.rs");
    desk.link("out", "../outside");
    desk
}

/// A request, and path, line and column of each match.
type Case = (SearchRequest, &'static [(&'static str, u64, u64)]);

#[test]
fn what_is_found() {
    let desk = desk();
    let plain = || SearchRequest::new("needle");
    let table: Vec<Case> = vec![
        (
            plain(),
            &[
                (".github/ci.yml", 1, 1),
                ("notes.txt", 1, 3),
                ("src/lib.rs", 1, 1),
                ("src/lib.rs", 3, 9),
                ("src/main.rs", 2, 8),
                ("wide.txt", 1, 3),
            ],
        ),
        (
            SearchRequest { case_sensitive: true, path: Some("src".into()), ..SearchRequest::new("Needle") },
            &[("src/main.rs", 2, 8)],
        ),
        (SearchRequest { path: Some("src/main.rs".into()), ..plain() }, &[("src/main.rs", 2, 8)]),
        (SearchRequest { include: Some("*.yaml,*.txt".into()), ..plain() }, &[("notes.txt", 1, 3), ("wide.txt", 1, 3)]),
        (
            SearchRequest { include: Some("src/**/*.rs".into()), exclude: Some("lib.*".into()), ..plain() },
            &[("src/main.rs", 2, 8)],
        ),
        (SearchRequest { regex: true, ..SearchRequest::new(r"^\s+größe\s") }, &[("src/lib.rs", 3, 1)]),
        (SearchRequest { regex: true, ..SearchRequest::new(r"haystack$") }, &[("notes.txt", 1, 15)]),
        (
            SearchRequest { regex: true, path: Some("src".into()), ..SearchRequest::new(r"needle$") },
            &[("src/lib.rs", 1, 1), ("src/lib.rs", 3, 16)],
        ),
        (SearchRequest::new("needle.*"), &[]),
        (SearchRequest { path: Some("target".into()), ..plain() }, &[("target/out.txt", 1, 1)]),
    ];
    for (request, expected) in table {
        let result = desk.search(&request).unwrap();
        let got: Vec<_> = result.matches.iter().map(|found| (found.path.as_str(), found.line, found.column)).collect();
        assert_eq!(got, expected, "{request:?}");
        assert_eq!(result.truncated, None);
    }
    let lib = desk.search(&SearchRequest { path: Some("src/lib.rs".into()), ..plain() }).unwrap();
    assert_eq!(lib.matches[1].text, "  größe needle needle");
    let all = desk.search(&plain()).unwrap();
    // `.env`, `.git` and the binary file.
    assert_eq!(all.files_skipped, 3);
    assert_eq!(all.files_searched, 6, "{all:?}");
}

#[test]
fn what_is_refused() {
    let desk = desk();
    let table = [
        (SearchRequest::new(""), "bad_pattern"),
        (SearchRequest::new("a\nb"), "bad_pattern"),
        (SearchRequest { regex: true, ..SearchRequest::new("a(b") }, "bad_pattern"),
        (SearchRequest { regex: true, ..SearchRequest::new("(a{1000}){1000}{1000}") }, "bad_pattern"),
        (SearchRequest::new("ä".repeat(4097)), "bad_pattern"),
        (SearchRequest { regex: true, ..SearchRequest::new(r"\pL{800}") }, "bad_pattern"),
        (SearchRequest { include: Some("a[".into()), ..SearchRequest::new("x") }, "bad_pattern"),
        (SearchRequest { path: Some(".git".into()), ..SearchRequest::new("x") }, "sensitive"),
        (SearchRequest { path: Some(".env".into()), ..SearchRequest::new("x") }, "sensitive"),
        (SearchRequest { path: Some("out".into()), ..SearchRequest::new("x") }, "outside_workspace"),
        (SearchRequest { path: Some("nowhere".into()), ..SearchRequest::new("x") }, "not_found"),
    ];
    for (request, expected) in table {
        assert_eq!(code(&desk.search(&request)), expected, "{request:?}");
    }
    let error = desk.search(&SearchRequest { regex: true, ..SearchRequest::new("a(b") }).unwrap_err();
    assert!(error.to_string().contains("unclosed group"), "{error}");
}

#[test]
fn limits_and_batches() {
    let desk = Desk::new();
    for at in 0..300 {
        desk.put(&format!("d{}/f{at}", at % 7), "needle\n".repeat(10));
    }
    let seen = Mutex::new(Vec::new());
    let request = SearchRequest { max_results: 100_000, ..SearchRequest::new("needle") };
    let result = desk
        .files
        .search(&request, &Cancel::default(), &|batch| seen.lock().unwrap().extend_from_slice(batch))
        .unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort();
    assert_eq!((result.matches.len(), result.truncated, result.files_searched), (3000, None, 300));
    assert_eq!(seen, result.matches, "the batches are the result");
    for limit in [1, 7, 2999] {
        let result = desk.search(&SearchRequest { max_results: limit, ..SearchRequest::new("needle") }).unwrap();
        assert_eq!((result.matches.len(), result.truncated), (limit, Some(Stopped::ResultLimit)));
    }
    let exact = desk.search(&SearchRequest { max_results: 3000, ..SearchRequest::new("needle") }).unwrap();
    assert_eq!(exact.truncated, None, "a limit that is just reached cuts nothing");
    let none = desk.search(&SearchRequest { time_limit: Duration::ZERO, ..SearchRequest::new("needle") }).unwrap();
    assert_eq!(none.truncated, Some(Stopped::TimeLimit));
}

#[test]
fn the_longest_query_and_the_longest_line() {
    let desk = Desk::new();
    let long = "ä".repeat(4096);
    desk.put("f", &long);
    let line = "x".repeat(5 * 1024 * 1024);
    desk.put("one-line", &line);
    desk.put("after-a-match", format!("{long}\n{line}"));
    let found = desk.search(&SearchRequest::new(long)).unwrap();
    assert_eq!(found.matches.len(), 2);
    assert_eq!((found.files_searched, found.files_skipped), (1, 2), "what was left out is counted");
}

/// Two searches are held up, so the third one waits; it can be ended, and it ends by itself.
#[test]
fn a_search_that_waits_for_others() {
    let desk = Desk::new();
    desk.put("f", "needle");
    let (held, go_on, cancel) = (Barrier::new(3), Barrier::new(3), Cancel::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let hold = |_: &[Found]| {
                    held.wait();
                    go_on.wait();
                };
                desk.files.search(&SearchRequest::new("needle"), &Cancel::default(), &hold).unwrap();
            });
        }
        held.wait();
        let short = SearchRequest { time_limit: Duration::from_millis(1), ..SearchRequest::new("needle") };
        let late = desk.search(&short);
        let third = scope.spawn(|| desk.files.search(&SearchRequest::new("needle"), &cancel, &|_| {}));
        cancel.cancel();
        let third = third.join();
        go_on.wait();
        let late = late.unwrap();
        assert_eq!((late.matches.len(), late.truncated), (0, Some(Stopped::TimeLimit)));
        assert_eq!(code(&third.unwrap()), "cancelled");
    });
    assert_eq!(desk.search(&SearchRequest::new("needle")).unwrap().matches.len(), 1);
}

#[test]
fn a_search_can_be_ended() {
    let desk = Desk::new();
    // One huge file: the end has to be noticed within it.
    desk.put("big", "haystack haystack\n".repeat(6_000_000));
    let cancel = Cancel::default();
    let begun = Instant::now();
    let result = std::thread::scope(|scope| {
        let search = scope.spawn(|| desk.files.search(&SearchRequest::new("needle"), &cancel, &|_| {}));
        cancel.cancel();
        search.join().unwrap()
    });
    assert_eq!(code(&result), "cancelled");
    assert!(begun.elapsed() < Duration::from_secs(5));
}
