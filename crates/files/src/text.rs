//! Bytes to text and back, without ever mangling either.

use serde::Serialize;

/// How a file holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "utf-8-bom")]
    Utf8Bom,
    #[serde(rename = "utf-16le")]
    Utf16Le,
    #[serde(rename = "utf-16be")]
    Utf16Be,
}

/// How lines end in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineEnding {
    /// There is no line end at all.
    None,
    Lf,
    Crlf,
    Mixed,
}

/// Why bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    Binary { guess: &'static str },
    Encoding { expected: &'static str, byte: u8, offset: u64 },
}

const MARK: char = '\u{feff}';

impl Encoding {
    /// By the mark at the start; UTF-8 where there is none.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Self::Utf8Bom,
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            _ => Self::Utf8,
        }
    }

    /// Its name, as in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf8Bom => "utf-8-bom",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
        }
    }

    pub(crate) fn mark_len(self) -> usize {
        match self {
            Self::Utf8 => 0,
            Self::Utf8Bom => 3,
            Self::Utf16Le | Self::Utf16Be => 2,
        }
    }

    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        // A text that brings its own mark does not get a second one.
        let text = if self == Self::Utf8 { text } else { text.strip_prefix(MARK).unwrap_or(text) };
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8Bom => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            Self::Utf16Le => [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect(),
            Self::Utf16Be => [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect(),
        }
    }
}

impl LineEnding {
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (mut lf, mut crlf) = (false, false);
        for at in memchr::memchr_iter(b'\n', bytes) {
            if at > 0 && bytes[at - 1] == b'\r' {
                crlf = true;
            } else {
                lf = true;
            }
            if lf && crlf {
                return Self::Mixed;
            }
        }
        match (lf, crlf) {
            (false, false) => Self::None,
            (true, _) => Self::Lf,
            (false, true) => Self::Crlf,
        }
    }
}

/// The text with every line end as CRLF.
pub(crate) fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Decodes a whole file.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Encoding, String), NotText> {
    let encoding = Encoding::of(bytes);
    let body = &bytes[encoding.mark_len()..];
    let text = match encoding {
        Encoding::Utf8 | Encoding::Utf8Bom => utf8(body, encoding.mark_len() as u64)?.to_owned(),
        Encoding::Utf16Le => utf16(body, u16::from_le_bytes, "UTF-16LE")?,
        Encoding::Utf16Be => utf16(body, u16::from_be_bytes, "UTF-16BE")?,
    };
    if text.contains('\0') {
        return Err(NotText::Binary { guess: guess(bytes) });
    }
    Ok((encoding, text))
}

/// Decodes a part of a file that begins at `offset`.
pub(crate) fn utf8(bytes: &[u8], offset: u64) -> Result<&str, NotText> {
    if memchr::memchr(0, bytes).is_some() {
        return Err(NotText::Binary { guess: guess(bytes) });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        match guess(bytes) {
            UNKNOWN => NotText::Encoding { expected: "UTF-8", byte: bytes[at], offset: offset + at as u64 },
            guess => NotText::Binary { guess },
        }
    })
}

fn utf16(body: &[u8], unit: fn([u8; 2]) -> u16, expected: &'static str) -> Result<String, NotText> {
    let mut text = String::with_capacity(body.len());
    let mut at = 2;
    let bad = |at: usize, byte: u8| NotText::Encoding { expected, byte, offset: at as u64 };
    let (units, rest) = body.as_chunks::<2>();
    for char in char::decode_utf16(units.iter().map(|pair| unit(*pair))) {
        let char = char.map_err(|_| bad(at, body[at - 2]))?;
        at += char.len_utf16() * 2;
        text.push(char);
    }
    match rest {
        [] => Ok(text),
        [byte, ..] => Err(bad(at, *byte)),
    }
}

const UNKNOWN: &str = "unknown type";

/// What a file is by its first bytes.
pub(crate) fn guess(bytes: &[u8]) -> &'static str {
    const TABLE: [(&[u8], &str); 18] = [
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff", "JPEG image"),
        (b"GIF8", "GIF image"),
        (b"%PDF-", "PDF document"),
        (b"PK\x03\x04", "ZIP archive"),
        (b"\x1f\x8b", "gzip data"),
        (b"BZh", "bzip2 data"),
        (b"\xfd7zXZ\0", "xz data"),
        (b"\x28\xb5\x2f\xfd", "zstd data"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
        (b"\x7fELF", "ELF program"),
        (b"MZ", "Windows program"),
        (b"\0asm", "WebAssembly module"),
        (b"\xca\xfe\xba\xbe", "Java class"),
        (b"SQLite format 3\0", "SQLite database"),
        (b"OggS", "Ogg media"),
        (b"ID3", "MP3 audio"),
        (b"wOF", "web font"),
    ];
    if bytes.len() > 12 && bytes.starts_with(b"RIFF") {
        return if &bytes[8..12] == b"WEBP" { "WebP image" } else { "RIFF media" };
    }
    if bytes.len() > 262 && &bytes[257..262] == b"ustar" {
        return "tar archive";
    }
    TABLE.iter().find(|(magic, _)| bytes.starts_with(magic)).map_or(UNKNOWN, |(_, name)| name)
}
