//! Acceptance: the last N lines exactly, streams by bytes that lose nothing, and a truth about what is gone.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, in_log, ok, printed, run, tab};

on_both_backends!(
    the_last_lines_are_exactly_as_many_as_asked_for,
    lines_too_long_for_one_answer_are_left_out_whole_and_counted,
    streaming_gives_every_byte_once_and_splits_no_character,
    bytes_that_are_no_text_are_replaced_and_offsets_stay_true,
    output_that_is_no_longer_kept_is_told,
);

fn the_last_lines_are_exactly_as_many_as_asked_for(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "PS1='> '");
    run(&mut agent, &id, "seq 1 2000");
    in_log(&deck, &mut agent, &id, "2000\n> ");
    deck.at_prompt("t1");
    for (lines, expected) in [(json!(1), 1), (json!(2), 2), (json!(10), 10), (json!(500.0), 500), (json!(null), 500)] {
        let read =
            ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": lines, "strip_ansi": true }));
        let content = read["content"].as_str().unwrap();
        // The prompt is the last line, although it has no newline.
        let wanted: Vec<_> = (2002 - expected..=2000).map(|n| n.to_string()).chain(["> ".to_owned()]).collect();
        assert_eq!(content.split('\n').collect::<Vec<_>>(), wanted, "{lines}");
        assert_eq!((&read["returned_lines"], &read["truncated"]), (&json!(expected), &json!(true)), "{lines}");
    }
    // More lines than there are: all of them, and nothing is truncated.
    let all = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": 100_000 }));
    let content = all["content"].as_str().unwrap();
    assert_eq!(all["truncated"], false);
    assert_eq!(all["returned_lines"], content.split('\n').count());
    // The line that gives the shell a file, and how it shows what is in it, are nobody's.
    let mut expected = printed(&deck, "t1").replace("\r\n", "\n");
    while let Some(at) = expected.find(" . $FLIGHTDECK_RUN/") {
        let end = at + expected[at..].find("▸ ").unwrap() + "▸ ".len();
        expected.replace_range(at..end, "");
        expected = expected.replacen("\u{1b}[22m", "", 1);
    }
    assert_eq!(content, expected, "raw is byte for byte what was printed");
}

fn lines_too_long_for_one_answer_are_left_out_whole_and_counted(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    // 30 lines of 100 kB: an answer holds ten of them.
    let command = "for i in $(seq 30); do printf '%s:%0100000d\\n' $i 0; done; echo last";
    run(&mut agent, &id, &format!("{{ {command}; }} | tail -c 4000000"));
    // The shell prints its prompt after the command has ended.
    deck.at_prompt("t1");
    let read = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": 25, "strip_ansi": true }));
    let content = read["content"].as_str().unwrap();
    assert_eq!(read["truncated"], true);
    assert_eq!(read["returned_lines"], content.split('\n').count());
    assert!(content.lines().next().unwrap().starts_with("21:0"), "{}", &content[..20]);
    assert_eq!(content.lines().next().unwrap().len(), 100_003, "a line is there whole or not at all");
}

fn streaming_gives_every_byte_once_and_splits_no_character(backend: Backend) {
    let deck = backend.deck();
    // Tiny chunks make many calls.
    deck.settings("[limits]\nburst = 1000000.0\n");
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "for i in $(seq 100); do printf 'é日本🦀\\033[1;31mrot\\033[0m%s\\n' $i; done");
    // The shell prints its prompt after the command has ended.
    deck.at_prompt("t1");
    for max_bytes in [5, 7, 64, 1000] {
        let (mut text, mut from) = (String::new(), 0);
        loop {
            let args = json!({ "window_id": id, "from_byte": from, "max_bytes": max_bytes });
            let read = ok(&mut agent, "stream_logs_from_tab", &args);
            let chunk = read["chunk"].as_str().unwrap();
            assert!(!chunk.contains('\u{fffd}'), "a character was split at {from}: {chunk:?}");
            let next = read["next_byte"].as_u64().unwrap() as usize;
            assert!(next >= from + chunk.len() && (next > from || read["eof"] == true), "{read}");
            text.push_str(chunk);
            from = next;
            if read["eof"] == true {
                break;
            }
        }
        assert!(text.contains("🦀\u{1b}[1;31mrot\u{1b}[0m100\n"));
        // The same as is read at once: without the lines by which the command came to the shell.
        let whole = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": 100_000 }));
        assert_eq!(text, whole["content"].as_str().unwrap(), "{max_bytes}");
        assert!(!text.contains("FLIGHTDECK_RUN") && text.contains("for i in $(seq 100)"), "{text}");
        let others = printed(&deck, "t1").replace("\r\n", "\n");
        let others: Vec<_> =
            others.lines().filter(|line| !line.contains("FLIGHTDECK_RUN") && !line.contains('▸')).collect();
        assert!(others.iter().all(|line| text.contains(line)), "as it was printed: {others:?}");
        assert_eq!(from, deck.log_on_disk("t1").len(), "offsets are bytes of the log");
        if max_bytes < 64 {
            continue;
        }
        // Sequences that lie across two chunks are removed all the same.
        let (mut plain, mut from) = (String::new(), 0);
        loop {
            let args = json!({ "window_id": id, "from_byte": from, "max_bytes": max_bytes, "strip_ansi": true });
            let read = ok(&mut agent, "stream_logs_from_tab", &args);
            plain.push_str(read["chunk"].as_str().unwrap());
            from = read["next_byte"].as_u64().unwrap();
            if read["eof"] == true {
                break;
            }
        }
        assert!(plain.contains("é日本🦀rot99\né日本🦀rot100\n") && !plain.contains('\u{1b}'), "{plain}");
    }
    // At the end there is nothing, again and again, until something is printed.
    let end = deck.log_on_disk("t1").len();
    let at_end = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": id, "from_byte": end }));
    assert_eq!(at_end, json!({ "chunk": "", "next_byte": end, "eof": true }));
}

fn bytes_that_are_no_text_are_replaced_and_offsets_stay_true(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, r"printf 'a\377b\xf0\x9f\n'");
    deck.at_prompt("t1");
    let all = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": id }));
    assert!(all["chunk"].as_str().unwrap().contains("a\u{fffd}b\u{fffd}\n"), "{all}");
    assert_eq!(all["next_byte"], deck.log_on_disk("t1").len());
}

fn output_that_is_no_longer_kept_is_told(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    // 512 lines of 256 bytes: the least.
    let limit = ok(&mut agent, "set_history_limit", &json!({ "lines": 512 }));
    assert_eq!(limit, json!({ "lines": 512, "bytes": 131_072 }));
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "seq 1 200000 | tail -n 150000");
    let first = ok(&mut agent, "stream_logs_from_tab", &json!({ "window_id": id, "max_bytes": 1000 }));
    let gap = first["gap_bytes"].as_u64().unwrap();
    assert!(gap > 500_000, "{first}");
    // A page ends before an end of line that it would cut in two.
    let log = deck.log_on_disk("t1");
    let cut = u64::from(log[999] == b'\r' && log[1000] == b'\n');
    assert_eq!(first["next_byte"].as_u64().unwrap(), gap + 1000 - cut);
    let size = log.len();
    assert!(size <= 300_000, "the log is bounded: {size}");
    let lines = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": 100_000 }));
    assert_eq!(lines["truncated"], true, "what is gone counts as more lines");
    // The limit outlives the server, and those that were there before keep theirs.
    deck.cli(&["restart"]).expect(0);
    let later = tab(&mut agent, "later");
    run(&mut agent, &later, "seq 1 200000 | tail -n 150000");
    assert!(deck.log_on_disk("t2").len() <= 300_000);
}
