//! Every error says what happened, and apart from that what to do.

use flightdeck_files::{FileError, Hindrance, Kind, Oddity, Outside};

fn all() -> Vec<FileError> {
    // A path that looks like a text with advice.
    let path = || "x; y".to_owned();
    let oddities = [
        Oddity::Empty,
        Oddity::Control,
        Oddity::Long,
        Oddity::Links,
        Oddity::Root,
        Oddity::Slash,
        Oddity::Dangling,
        Oddity::NotUtf8,
        Oddity::Name,
    ];
    let mut all: Vec<_> = oddities.into_iter().map(|why| FileError::BadPath { path: path(), why }).collect();
    let hindrances = [Hindrance::Mode, Hindrance::Mount];
    all.extend(hindrances.into_iter().map(|why| FileError::ReadOnly { path: path(), why }));
    let source = || std::io::Error::other("broken");
    all.extend([
        FileError::NotFound { path: path() },
        FileError::NoFolder { path: path(), folder: path() },
        FileError::OutsideWorkspace { path: path(), why: Outside::Link },
        FileError::Sensitive { path: path(), rule: ".env".to_owned() },
        FileError::Protected { path: path(), rule: ".git/".to_owned() },
        FileError::IsAFolder { path: path() },
        FileError::NotAFolder { path: path() },
        FileError::NotAFile { path: path(), kind: Kind::Pipe },
        FileError::Binary { path: path(), size: 1, guess: "PNG image" },
        FileError::Encoding { path: path(), expected: "UTF-8", byte: 0xe9, offset: 3 },
        FileError::TooLarge { path: path(), size: 2, limit: 1, advice: "ask for less" },
        FileError::Stale { path: path(), current: None },
        FileError::Exists { path: path(), current: None },
        FileError::BadRange { path: path(), line: 2, total_lines: 1 },
        FileError::NoSpace { path: path() },
        FileError::Permission { path: path() },
        FileError::BadPattern { pattern: path(), why: "it is empty".to_owned() },
        FileError::BadContent { path: path(), offset: 1 },
        FileError::NothingToUndo { what: path() },
        FileError::Busy { path: path(), why: "it keeps changing" },
        FileError::Cancelled,
        FileError::Io { path: path(), source: source(), kept: None },
    ]);
    all
}

#[test]
fn advice_is_never_missing_and_never_in_the_text() {
    for error in all() {
        let (text, advice) = (error.to_string(), error.advice());
        assert!(advice.len() > 5, "{text}: no advice");
        assert!(!advice.contains("; ") && !advice.ends_with('.'), "{advice}");
        assert!(!text.contains(advice), "{text}");
        // Only the path has one.
        assert!(!text.replace("x; y", "").contains("; "), "{text}");
        let claims = text.contains("nothing was changed");
        assert_eq!(claims, matches!(error, FileError::NoSpace { .. }), "{text}");
    }
}

#[test]
fn work_that_could_not_be_put_back_is_named() {
    let desk = super::desk::Desk::new();
    let kept = desk.files.root().parse("src/.flightdeck-0123456789abcdef.tmp").unwrap();
    let source = std::io::Error::other("broken");
    let error = FileError::Io { path: "src/f".to_owned(), source, kept: Some(kept) };
    assert!(error.to_string().ends_with("is now in src/.flightdeck-0123456789abcdef.tmp"), "{error}");
    assert!(error.advice().contains("compare"), "{}", error.advice());
}
