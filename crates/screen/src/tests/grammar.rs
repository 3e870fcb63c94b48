//! Streams as terminals get them: text, lines, sequences of all kinds, and garbage.

use std::fmt;
use std::ops::Deref;

use proptest::collection::vec;
use proptest::prelude::*;

/// Bytes that print as one reads them.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Bytes(Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Screens from the smallest up; small ones make little output enough to scroll everything away.
pub(super) fn any_size() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![4 => (1u16..8, 1u16..16), 1 => (1u16..30, 1u16..100), 1 => Just((24, 80))]
}

pub(super) fn stream() -> impl Strategy<Value = Bytes> {
    vec(item(), 0..24).prop_map(|items| Bytes(items.concat()))
}

/// Any bytes, with those that matter more often.
pub(super) fn raw() -> impl Strategy<Value = Bytes> {
    let byte = prop_oneof![6 => any::<u8>(), 1 => Just(0x1b), 1 => Just(b'\n'), 1 => Just(b'['), 1 => Just(b']')];
    vec(byte, 0..400).prop_map(Bytes)
}

/// Mostly floods of lines, with things between and inside them.
pub(super) fn flood() -> impl Strategy<Value = Bytes> {
    vec(prop_oneof![2 => lines(), 3 => item(), 1 => styled_lines(), 1 => long_line()], 1..8)
        .prop_map(|items| Bytes(items.concat()))
}

fn item() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => text(),
        3 => control(),
        2 => lines(),
        4 => sgr(),
        4 => csi(),
        3 => common(),
        1 => erased(),
        1 => confined(),
        2 => escape(),
        2 => osc(),
        1 => string(),
        1 => vec(any::<u8>(), 0..12),
        1 => saved(),
        1 => truncated(),
    ]
}

fn bytes(text: impl Into<String>) -> Vec<u8> {
    text.into().into_bytes()
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "[ -~]{0,30}",
        2 => "[a-z ]{1,4}[äöüé漢字かな👍🎉]{1,4}[ -~]{0,5}",
        1 => "(e\u{301}|n\u{303}|漢\u{301}|\u{301}){1,4}",
        1 => "[\u{80}-\u{9f}\u{7f}]{1,3}",
    ]
    .prop_map(bytes)
}

fn control() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => Just("\r\n"),
        2 => Just("\n"),
        2 => Just("\r"),
        2 => Just("\x08"),
        2 => Just("\t"),
        1 => Just("\x07"),
        1 => Just("\x0b"),
        1 => Just("\x0c"),
        1 => Just("\x0e"),
        1 => Just("\x0f"),
        1 => Just("\x05"),
        1 => Just("\x00"),
        1 => Just("\x18"),
        1 => Just("\x1b"),
    ]
    .prop_map(bytes)
}

fn lines() -> impl Strategy<Value = Vec<u8>> {
    (text(), 1usize..70, prop_oneof![8 => Just("\r\n"), 1 => Just("\n")]).prop_map(|(text, count, end)| {
        (0..count).flat_map(|number| [number.to_string().as_bytes(), &text, end.as_bytes()].concat()).collect()
    })
}

fn styled_lines() -> impl Strategy<Value = Vec<u8>> {
    let inside =
        prop_oneof![3 => sgr(), 1 => common(), 1 => Just(bytes("\x1b[K")), 1 => Just(bytes("\x07")), 1 => osc()];
    vec((text(), inside, text()), 1..4).prop_flat_map(|parts| {
        (Just(parts), 1usize..60, any::<bool>()).prop_map(|(parts, count, reset)| {
            let mut out = Vec::new();
            for _ in 0..count {
                for (before, inside, after) in &parts {
                    out.extend_from_slice(&[&before[..], inside, after].concat());
                }
                out.extend_from_slice(if reset { b"\x1b(B\x1b[m\r\n" } else { b"\r\n" });
            }
            out
        })
    })
}

fn long_line() -> impl Strategy<Value = Vec<u8>> {
    (text(), "[ -~]{1,20}", 1usize..200).prop_map(|(start, text, count)| [start, bytes(text.repeat(count))].concat())
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        8 => (0u32..12).prop_map(|number| number.to_string()),
        2 => (0u32..200).prop_map(|number| number.to_string()),
        1 => prop_oneof![Just(65535u32), Just(65536), Just(4_000_000_000)].prop_map(|number| number.to_string()),
    ]
}

fn params() -> impl Strategy<Value = String> {
    (vec(number(), 0..4), prop_oneof![9 => Just(";"), 1 => Just(":")])
        .prop_map(|(numbers, between)| numbers.join(between))
}

fn sgr() -> impl Strategy<Value = Vec<u8>> {
    let code = prop_oneof![
        3 => Just("0".to_owned()),
        1 => Just(String::new()),
        4 => (1u16..10).prop_map(|code| code.to_string()),
        2 => (21u16..30).prop_map(|code| code.to_string()),
        6 => (30u16..50).prop_map(|code| code.to_string()),
        2 => (90u16..108).prop_map(|code| code.to_string()),
        1 => (0u16..6).prop_map(|style| format!("4:{style}")),
        2 => (prop_oneof![Just(38), Just(48), Just(58)], 0u16..300).prop_map(|(code, index)| format!("{code};5;{index}")),
        2 => (prop_oneof![Just(38), Just(48), Just(58)], 0u8..255).prop_map(|(code, r)| format!("{code};2;{r};2;3")),
        1 => (prop_oneof![Just(38), Just(48), Just(58)], 0u8..255).prop_map(|(code, r)| format!("{code}:2::{r}:2:3")),
        1 => Just("59".to_owned()),
    ];
    prop_oneof![
        4 => vec(code, 1..4).prop_map(|codes| bytes(format!("\x1b[{}m", codes.join(";")))),
        2 => Just(bytes("\x1b[m")),
        1 => Just(bytes("\x1b[0m")),
        1 => Just(bytes("\x1b(B\x1b[m")),
    ]
}

fn csi() -> impl Strategy<Value = Vec<u8>> {
    let marker = prop_oneof![10 => Just(""), 2 => Just("?"), 1 => Just(">"), 1 => Just("="), 1 => Just("<")];
    let between =
        prop_oneof![12 => Just(""), 1 => Just("$"), 1 => Just(" "), 1 => Just("!"), 1 => Just("\n"), 1 => Just("#")];
    (marker, params(), between, "[@-~]")
        .prop_map(|(marker, params, between, end)| bytes(format!("\x1b[{marker}{params}{between}{end}")))
}

/// The sequences that programs really use, in proportion.
fn common() -> impl Strategy<Value = Vec<u8>> {
    let mode = prop_oneof![
        Just(1),
        Just(3),
        Just(6),
        Just(7),
        Just(12),
        Just(25),
        Just(47),
        Just(1000),
        Just(1002),
        Just(1003),
        Just(1004),
        Just(1005),
        Just(1006),
        Just(1007),
        Just(1047),
        Just(1048),
        Just(1049),
        Just(1049),
        Just(2004),
        Just(2026)
    ];
    prop_oneof![
        4 => (mode, prop_oneof![Just('h'), Just('l')]).prop_map(|(mode, end)| format!("\x1b[?{mode}{end}")),
        4 => (0u16..30, 0u16..100).prop_map(|(row, col)| format!("\x1b[{row};{col}H")),
        2 => (0u16..12, 0u16..12).prop_map(|(top, bottom)| format!("\x1b[{top};{bottom}r")),
        2 => (1u16..5, "[ABCDEFGdKJLMPX@STIZb]").prop_map(|(count, end)| format!("\x1b[{count}{end}")),
        2 => "[ABCDEFGdKJLMPX@STIZ]".prop_map(|end| format!("\x1b[{end}")),
        1 => prop_oneof![Just("4h"), Just("4l"), Just("20h"), Just("20l")].prop_map(|mode| format!("\x1b[{mode}")),
        1 => prop_oneof![Just("\x1b[s"), Just("\x1b[u"), Just("\x1b7"), Just("\x1b8")].prop_map(str::to_owned),
        1 => prop_oneof![Just("c"), Just(">c"), Just("=c"), Just("5n"), Just("6n"), Just("?6n"), Just("18t"), Just("14t"),
            Just("?25$p"), Just("4$p"), Just(">q"), Just("?u"), Just("21t")].prop_map(|query| format!("\x1b[{query}")),
        1 => prop_oneof![Just(">1u"), Just(">5u"), Just("<u"), Just("<2u"), Just("=3;2u"), Just("=7u")].prop_map(|keys| format!("\x1b[{keys}")),
        1 => (0u16..8).prop_map(|style| format!("\x1b[{style} q")),
        1 => prop_oneof![Just("22;0t"), Just("23;0t"), Just("22;1t"), Just("22t"), Just("23t")].prop_map(|stack| format!("\x1b[{stack}")),
        1 => prop_oneof![Just("\x1b[g"), Just("\x1b[3g"), Just("\x1bH"), Just("\x1b[?5W")].prop_map(str::to_owned),
        1 => "[a-z]{1,3}".prop_map(|text| format!("{text}\x1b[3b")),
    ]
    .prop_map(bytes)
}

/// Cells cleared in a colour, and the colour gone.
fn erased() -> impl Strategy<Value = Vec<u8>> {
    let color = prop_oneof![3 => (41u16..48).prop_map(|code| code.to_string()), 1 => Just("48:2:::".to_owned())];
    let how = prop_oneof![
        Just("\x1b[2J"),
        Just("\x1b[J"),
        Just("\x1b[1J"),
        Just("\x1b[?2J"),
        Just("\x1b[K"),
        Just("\x1b[2K"),
        Just("\x1b[?K"),
        Just("\x1b[3L"),
        Just("\x1b[3M"),
        Just("\x1b[4S"),
        Just("\x1b[4T"),
        Just("\x1b[3X"),
        Just("\x1b[3@"),
        Just("\x1b[3P"),
        Just("\x1b[?1049h"),
        Just("\n\n\n"),
        Just("\x1bM\x1bM"),
    ];
    (color, text(), how, prop_oneof![3 => Just("\x1b[m"), 1 => Just("")])
        .prop_map(|(color, text, how, end)| [bytes(format!("\x1b[{color}m")), text, bytes(how), bytes(end)].concat())
}

/// Origin mode within margins, and something done there.
fn confined() -> impl Strategy<Value = Vec<u8>> {
    (1u16..5, 1u16..8, prop_oneof![3 => text(), 1 => saved(), 1 => control()])
        .prop_map(|(top, height, inside)| [bytes(format!("\x1b[{top};{}r\x1b[?6h", top + height)), inside].concat())
}

/// Saved cursors with what goes with them, in either screen.
fn saved() -> impl Strategy<Value = Vec<u8>> {
    let state = prop_oneof![
        Just(""),
        Just("\x1b[?6h"),
        Just("\x1b)0\x0e"),
        Just("\x1b*A\x1bn"),
        Just("\x1b[2;3H"),
        Just("\x1b[99G#q#")
    ];
    let save =
        prop_oneof![Just("\x1b7"), Just("\x1b[s"), Just("\x1b[?1048h"), Just("\x1b[?1049h"), Just("\x1b[?47h\x1b7")];
    let back = prop_oneof![
        Just(""),
        Just("\x1b8"),
        Just("\x1b[?1048l"),
        Just("\x1b[?1049l"),
        Just("\x1b[?47l"),
        Just("\x1b[?1047l\x1b8")
    ];
    (state, save, text(), back)
        .prop_map(|(state, save, text, back)| [bytes(format!("{state}{save}")), text, bytes(back)].concat())
}

fn escape() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => "[()*+][B0A]".prop_map(|designation| format!("\x1b{designation}")),
        3 => "[DEHM78=>no]".prop_map(|end| format!("\x1b{end}")),
        1 => Just("\x1bc".to_owned()),
        1 => Just("\x1b#8".to_owned()),
        1 => "[ -/]{0,3}[0-~]".prop_map(|rest| format!("\x1b{rest}")),
    ]
    .prop_map(bytes)
}

fn osc() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![3 => Just("\x07"), 3 => Just("\x1b\\"), 1 => Just("\x1b"), 1 => Just("\x18")];
    let text = prop_oneof![
        3 => "[02];[ -~ä漢]{0,12}",
        2 => "8;(id=[a-c])?;(http://[a-z]{1,5})?",
        2 => "(4;[0-9]{1,3}|10|11|12);(\\?|#[0-9a-f]{6}|#[0-9a-f]{3}|rgb:[0-9a-f]{2}/[0-9a-f]{1}/[0-9a-f]{4}|junk)",
        1 => "10;\\?;\\?",
        1 => "1(04|10|11|12)(;[0-9]{1,2})?",
        1 => "(133;[ABCD]|633;E;ls|7;file:///tmp|50;CursorShape=[0-3]|52;c;\\?|52;c;aGk=)",
        1 => "[ -~]{0,20}",
        1 => "2;a\nb\r\n\tc",
    ];
    (text, end).prop_map(|(text, end)| bytes(format!("\x1b]{text}{end}")))
}

fn string() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![4 => Just(&b"\x1b\\"[..]), 1 => Just(&b"\x18"[..]), 1 => Just(&b"\x9c"[..]), 1 => Just(&b"\x1b"[..])];
    let text = prop_oneof![
        2 => "P\\$q(m|r| q|\"p|x)",
        1 => "P\\+q(544E|436F|FFFF);524742",
        1 => "P[0-9;?$ ]{0,6}[@-~][ -~\n]{0,10}",
        2 => "[X^_][ -~\n\x07]{0,10}",
    ];
    (text, end).prop_map(|(text, end)| [b"\x1b", text.as_bytes(), end].concat())
}

fn truncated() -> impl Strategy<Value = Vec<u8>> {
    (prop_oneof![csi(), osc(), string(), escape(), text()], any::<prop::sample::Index>())
        .prop_map(|(whole, at)| if whole.is_empty() { whole } else { whole[..at.index(whole.len())].to_vec() })
}

/// Cuts a stream at the given places.
pub(super) fn chunks(bytes: &[u8], cuts: &[prop::sample::Index]) -> Vec<Vec<u8>> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    at.sort_unstable();
    at.push(bytes.len());
    let mut start = 0;
    at.into_iter()
        .map(|end| {
            let chunk = bytes[start..end].to_vec();
            start = end;
            chunk
        })
        .collect()
}
