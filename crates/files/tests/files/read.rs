//! Reading: encodings, ranges, limits, and what is refused.

use flightdeck_files::{Encoding, FileError, LineEnding, ReadRequest, Truncation};

use super::desk::{Desk, code};

#[test]
fn encodings() {
    let desk = Desk::new();
    let utf16le: Vec<u8> = "\u{feff}hé😀\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16be: Vec<u8> = "\u{feff}hé😀\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let table: [(&[u8], &str, Encoding, LineEnding); 7] = [
        (b"", "", Encoding::Utf8, LineEnding::None),
        ("hé😀\n".as_bytes(), "hé😀\n", Encoding::Utf8, LineEnding::Lf),
        (b"\xef\xbb\xbfa\r\nb\r\n", "a\r\nb\r\n", Encoding::Utf8Bom, LineEnding::Crlf),
        (b"a\r\nb\n", "a\r\nb\n", Encoding::Utf8, LineEnding::Mixed),
        (&utf16le, "hé😀\r\n", Encoding::Utf16Le, LineEnding::Crlf),
        (&utf16be, "hé😀\r\n", Encoding::Utf16Be, LineEnding::Crlf),
        (b"\xef\xbb\xbf", "", Encoding::Utf8Bom, LineEnding::None),
    ];
    for (bytes, text, encoding, ending) in table {
        desk.put("f", bytes);
        let read = desk.read("f").unwrap();
        assert_eq!((&*read.content, read.encoding, read.line_ending), (text, encoding, ending));
        assert_eq!(read.size, bytes.len() as u64);
        assert_eq!(read.truncated, None);
    }
}

#[test]
fn what_is_no_text_is_said_and_never_mangled() {
    let desk = Desk::new();
    let table: [(&[u8], &str, &str); 8] = [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary", "PNG image, 16 bytes"),
        (b"\x7fELF\x02\x01\0", "binary", "ELF program"),
        (b"text\0text", "binary", "unknown type"),
        (b"\x1f\x8b\x08\xff", "binary", "gzip data"),
        (b"caf\xe9\n", "encoding", "byte 0xe9 at offset 3"),
        (b"\xef\xbb\xbfab\xff", "encoding", "byte 0xff at offset 5"),
        (b"\xff\xfea\0b", "encoding", "not UTF-16LE: byte 0x62 at offset 4"),
        (b"\xff\xfe\0\xd8a\0", "encoding", "not UTF-16LE: byte 0x00 at offset 2"),
    ];
    for (bytes, code, says) in table {
        desk.put("f", bytes);
        let error = desk.read("f").unwrap_err();
        assert_eq!(error.code(), code, "{bytes:?}: {error}");
        assert!(error.to_string().contains(says), "{error} does not say {says}");
    }
}

#[test]
fn ranges_and_limits() {
    let desk = Desk::new();
    desk.put("f", "one\ntwo\nthree\nfour");
    let at = |next_line| Some(Truncation::AtLine { next_line });
    let inside = |line, offset| Some(Truncation::InLine { line, offset });
    // Start, end, limit; text, first and last line, what was cut.
    let table = [
        (None, None, 1000, "one\ntwo\nthree\nfour", 1, 4, None),
        (Some(2), None, 1000, "two\nthree\nfour", 2, 4, None),
        (Some(2), Some(3), 1000, "two\nthree\n", 2, 3, None),
        (None, Some(1), 1000, "one\n", 1, 1, None),
        (Some(4), Some(99), 1000, "four", 4, 4, None),
        (Some(0), Some(1), 1000, "one\n", 1, 1, None),
        (None, None, 8, "one\ntwo\n", 1, 2, at(3)),
        (None, None, 10, "one\ntwo\n", 1, 2, at(3)),
        (None, Some(2), 8, "one\ntwo\n", 1, 2, None),
        (Some(3), None, 4, "thre", 3, 3, inside(3, 4)),
        (Some(3), Some(2), 1000, "", 0, 0, None),
    ];
    for (start_line, end_line, max_bytes, text, first, last, truncated) in table {
        let request = ReadRequest { start_line, end_line, max_bytes, ..ReadRequest::new("f") };
        let read = desk.files.read(&request).unwrap();
        let got = (&*read.content, read.first_line, read.last_line, read.truncated, read.total_lines);
        assert_eq!(got, (text, first, last, truncated, 4), "{request:?}");
    }
    let error = desk.files.read(&ReadRequest { start_line: Some(5), ..ReadRequest::new("f") }).unwrap_err();
    assert_eq!(error.code(), "bad_range");
    assert!(error.to_string().contains("has 4 lines"), "{error}");
}

#[test]
fn a_huge_line_is_cut_between_characters() {
    let desk = Desk::new();
    desk.put("f", "ä".repeat(1000));
    let read = desk.files.read(&ReadRequest { max_bytes: 101, ..ReadRequest::new("f") }).unwrap();
    assert_eq!(read.content, "ä".repeat(50));
    assert_eq!(read.truncated, Some(Truncation::InLine { line: 1, offset: 100 }));
}

#[test]
fn following_the_answers_gives_the_whole_text() {
    let desk = Desk::new();
    let long = format!("{}\nb\r\n\n{}", "a€𝄞ä".repeat(300), "x".repeat(999));
    for text in ["aaaaa\nb\n", "aaaaa\nb", "a\nbbbbb\n", "aaaaa", "aaaaa\n\n", "", "\n", "€€€\n𝄞𝄞\n", &long]
    {
        desk.put("f", text);
        for max_bytes in [4, 5, 6, 7, 64, 1000] {
            let (mut whole, mut request) = (String::new(), ReadRequest { max_bytes, ..ReadRequest::new("f") });
            loop {
                let read = desk.files.read(&request).unwrap();
                let cut = request.cut(text);
                assert_eq!((cut.last_line, cut.truncated), (read.last_line, read.truncated), "{request:?}");
                assert_eq!(cut.text(), read.content, "of a text that is on no disk: {request:?}");
                whole.push_str(&read.content);
                let Some(truncated) = read.truncated else { break };
                assert!(!read.content.is_empty(), "it does not get on: {request:?}");
                let (start_line, offset) = (Some(truncated.next_line()), truncated.next_offset());
                request = ReadRequest { start_line, offset, ..request };
            }
            assert_eq!(whole, text, "in pieces of {max_bytes}");
        }
    }
}

#[test]
fn large_files_are_streamed() {
    let desk = Desk::new();
    let line = format!("{}\n", "x".repeat(1023));
    desk.put("big", line.repeat(66 * 1024));
    let error = desk.read("big").unwrap_err();
    assert_eq!(error.code(), "too_large");
    assert!(error.advice().contains("range of lines"), "{error}");
    let request = ReadRequest { start_line: Some(60_000), end_line: Some(60_001), ..ReadRequest::new("big") };
    let read = desk.files.read(&request).unwrap();
    assert_eq!((read.content, read.total_lines), (line.repeat(2), 66 * 1024));
    assert_eq!((read.first_line, read.last_line), (60_000, 60_001));
    std::fs::File::create(desk.at("huge")).unwrap().set_len(256 * 1024 * 1024 + 1).unwrap();
    let error = desk.files.read(&ReadRequest { end_line: Some(1), ..ReadRequest::new("huge") }).unwrap_err();
    assert_eq!(error.code(), "too_large");
    assert!(error.advice().contains("sed -n"), "{}", error.advice());
}

#[test]
fn the_version_is_of_the_bytes() {
    let desk = Desk::new();
    desk.put("f", "abc");
    let version = desk.read("f").unwrap().version;
    // The SHA-256 of "abc" is in the standard.
    assert_eq!(version.to_string(), "sha256:ba7816bf8f01cfea414140de5dae2223");
    assert_eq!(version.to_string().parse(), Ok(version));
    assert!("sha256:BA7816BF8F01CFEA414140DE5DAE2223".parse::<flightdeck_files::Version>().is_err());
    assert!("ba78".parse::<flightdeck_files::Version>().is_err());
}

#[test]
fn a_missing_file_is_named_first() {
    let desk = Desk::new();
    let error = desk.read("src/nothing.rs").unwrap_err();
    assert!(matches!(error, FileError::NotFound { .. }));
    assert!(error.to_string().starts_with("file not found: src/nothing.rs"), "{error}");
}

#[test]
fn rules_of_the_user() {
    let desk = Desk::with_rules(&["private/", "*.sqlite", "!fixtures/test.pem"], &["generated/**"]);
    for path in ["private/a", "Private/b/c", "x.SQLite", "fixtures/test.pem", "fixtures/real.pem", "generated/x"] {
        desk.put(path, "x");
    }
    let table = [
        ("private/a", "sensitive"),
        ("Private/b/c", "sensitive"),
        ("x.SQLite", "sensitive"),
        ("fixtures/test.pem", "ok"),
        ("fixtures/real.pem", "sensitive"),
        ("generated/x", "ok"),
    ];
    for (path, expected) in table {
        assert_eq!(code(&desk.read(path)), expected, "{path}");
    }
    let written = desk.write("generated/x", "y", flightdeck_files::Expected::Any);
    assert_eq!(code(&written), "protected");
    assert_eq!(code(&flightdeck_files::Rules::new(&["a[b"], &[])), "bad_pattern");
}
