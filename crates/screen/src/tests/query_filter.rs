//! Questions go, everything else stays as it is.

use proptest::collection::vec;
use proptest::prelude::*;

use super::grammar::{any_size, chunks, stream};
use super::{cases, screen};
use crate::QueryFilter;

fn stripped<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut filter = QueryFilter::default();
    let mut out = Vec::new();
    for part in parts {
        filter.strip(part, &mut out);
    }
    out
}

#[test]
fn takes_questions_out() {
    for question in [
        "\x1b[c",
        "\x1b[0c",
        "\x1b[>c",
        "\x1b[=c",
        "\x1b[5n",
        "\x1b[6n",
        "\x1b[?6n",
        "\x1b[?996n",
        "\x1b[?2026$p",
        "\x1b[4$p",
        "\x1b[>q",
        "\x1b[>0q",
        "\x1b]4;1;?\x07",
        "\x1b]10;?\x07",
        "\x1b]11;?\x1b\\",
        "\x1b]12;?\x1b\\",
        "\x1b]10;?;?\x07",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544E\x1b\\",
        "\x1b[?u",
        "\x1b[14t",
        "\x1b[16t",
        "\x1b[18t",
        "\x1b[19t",
        "\x1b[20t",
        "\x1b[21t",
        "\x05",
        "\x1bZ",
        "\x1b]52;c;?\x07",
        "\x1b_Gi=1,a=q;AAAA\x1b\\",
        "\x1b[?4m",
        "\x1b[6\x05n",
    ] {
        let text = format!("before{question}after");
        let out = stripped([text.as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), "beforeafter", "{}", question.escape_debug());
    }
}

#[test]
fn passes_everything_else() {
    for text in [
        "plain\r\n",
        "\x1b[31mred\x1b[m",
        "\x1b]2;title\x07",
        "\x1b]2;what?\x07",
        "\x1b]8;;http://a/?\x1b\\",
        "\x1b]4;1;#ffffff\x07",
        "\x1b[?25h",
        "\x1b[22;0t",
        "\x1b[8;24;80t",
        "\x1b[>4;1m",
        "\x1b[>1u",
        "\x1bP1;2qsixel\x1b\\",
        "\x1b(B",
        "\x1b[!p",
        "\x1b[u",
        "\x1b]133;A\x07",
        "\x1b]52;c;aGk=\x07",
        "\x1b[?1c",
        "\x1b[2 q",
        "漢字 \u{9b}6n",
        "\x1b[6",
        "\x1b[31;6\x18n",
    ] {
        let out = stripped([format!("{text}k\x18").as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), format!("{text}k\x18"));
    }
    let long = format!("\x1b]2;{}\x07", "x".repeat(10_000));
    assert_eq!(stripped([long.as_bytes()]), long.as_bytes());
}

/// What is cut short does nothing, and does not come between a character and its repetition.
#[test]
fn drops_what_is_cut_short() {
    for cut in ["\x1b[3", "\x1b(", "\x1b", "\x1bP", "\x1bP1", "\x1bP$0a", "\x1b_text"] {
        let out = stripped([format!("A{cut}\x1b[b").as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), "A\x1b[b", "{}", cut.escape_debug());
    }
    assert_eq!(stripped([&b"\x1b]2;title\x1b[6nA"[..]]), b"\x1b]2;title\x1b\\A");
}

/// A question inside of a sequence keeps a character and its repetition apart, as one between them does.
#[test]
fn keeps_apart_what_a_question_inside_a_sequence_kept_apart() {
    for (text, passed) in [
        ("0\x1b\x05\x1b[1b", "0\0\x1b[1b"),
        ("0\x1b[\x051b", "0\0\x1b[1b"),
        ("0\x1b\x05P\x1b[1b", "0\0\x1b[1b"),
        ("0\x1b[3\x05\x07\x1b[1b", "0\x07\x1b[1b"),
    ] {
        let out = stripped([text.as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), passed, "{}", text.escape_debug());
    }
}

/// Who comes back for what was held gets it from the beginning of its sequence.
#[test]
fn counts_what_it_holds() {
    for (held, rest) in [("\x1b[3", "1m"), ("\x1b[3\x05", "1m"), ("\x1b\x05[\x053\x05", "1m"), ("\x1b(\x05", "B")] {
        let bytes = format!("text{held}");
        let mut filter = QueryFilter::default();
        let mut out = Vec::new();
        filter.strip(bytes.as_bytes(), &mut out);
        assert_eq!((out.as_slice(), filter.held()), (&b"text"[..], held.len()), "{}", held.escape_debug());
        let whole = format!("{held}{rest}");
        let passed = whole.replace('\x05', "");
        assert_eq!(String::from_utf8_lossy(&stripped([whole.as_bytes()])), passed);
        filter.strip(rest.as_bytes(), &mut out);
        assert_eq!((String::from_utf8_lossy(&out), filter.held()), (format!("text{passed}").into(), 0));
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn chunks_do_not_matter(bytes in stream(), cuts in vec(any::<prop::sample::Index>(), 0..12)) {
        let parts = chunks(&bytes, &cuts);
        prop_assert_eq!(stripped(parts.iter().map(Vec::as_slice)), stripped([&bytes[..]]));
    }

    /// A stream that was cut off goes on with a new filter, from what the first had passed.
    #[test]
    fn resumes((rows, cols) in any_size(), bytes in stream(), cut in any::<prop::sample::Index>()) {
        let bytes = [&bytes[..], b"\x18x"].concat();
        let cut = cut.index(bytes.len() + 1);
        let mut filter = QueryFilter::default();
        let mut out = Vec::new();
        filter.strip(&bytes[..cut], &mut out);
        out.extend(stripped([&bytes[cut - filter.held()..]]));
        let mut resumed = screen(rows, cols);
        resumed.feed_plainly(&out);
        let mut straight = screen(rows, cols);
        straight.feed_plainly(&stripped([&bytes[..]]));
        prop_assert_eq!(super::styled_rows(&resumed), super::styled_rows(&straight), "{}", out.escape_ascii());
    }

    /// The purpose: what comes out gets no answer from a terminal, and looks the same.
    #[test]
    fn leaves_nothing_to_answer((rows, cols) in any_size(), bytes in stream()) {
        // This ends what is unfinished and would be held back.
        let bytes = [&bytes[..], b"\x18x"].concat();
        let out = stripped([&bytes[..]]);
        let mut filtered = screen(rows, cols);
        filtered.feed_plainly(&out);
        prop_assert_eq!(filtered.take_replies().escape_ascii().to_string(), "");
        let mut original = screen(rows, cols);
        original.feed_plainly(&bytes);
        prop_assert_eq!(filtered.text(), original.text());
        prop_assert_eq!(super::styled_rows(&filtered), super::styled_rows(&original));
    }
}
