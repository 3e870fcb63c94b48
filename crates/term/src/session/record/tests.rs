use super::*;

fn start(seq: u64) -> Mark {
    Mark::CommandStart { seq, text: Some(format!("command {seq}")), at: Some(100.0) }
}

fn end(seq: u64, exit: i32) -> Mark {
    Mark::CommandEnd {
        seq,
        run: None,
        exit,
        stages: vec![exit],
        cwd: Some("/tmp".into()),
        text: None,
        at: Some(101.5),
        duration_ms: None,
    }
}

/// The marks of a shell that is at its prompt after them.
fn feed(tracker: &mut Tracker, marks: Vec<Mark>) {
    print(tracker, marks, false);
    settle(tracker);
}

fn print(tracker: &mut Tracker, marks: Vec<Mark>, live: bool) {
    for (i, mark) in marks.into_iter().enumerate() {
        let start = 10 * i as u64;
        tracker.take(ScannedMark { start, end: start + 5, mark }, live);
    }
}

fn settle(tracker: &mut Tracker) {
    tracker.claimed().into_iter().for_each(|claimed| tracker.settle(claimed.teller, Offset(u64::MAX)));
}

#[test]
fn a_typed_command() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptStart, Mark::PromptEnd, start(1), end(1, 3), Mark::PromptEnd]);
    let record = &tracker.records()[0];
    assert_eq!((record.start, record.end, record.exit), (Offset(25), Some(Offset(30)), Some(3)));
    assert_eq!(record.duration, Some(Duration::from_millis(1500)));
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false });
    assert_eq!(tracker.take_ended().len(), 1);
    assert!(tracker.take_ended().is_empty());
}

#[test]
fn lines_that_were_typed_are_followed_by_prompts() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd]);
    tracker.note_input(b"half");
    assert!(!tracker.is_entered());
    tracker.note_input(b" a line\rand another\r");
    feed(&mut tracker, vec![start(1), end(1, 0), Mark::PromptEnd]);
    assert!(tracker.is_entered(), "the second one is still to come");
    feed(&mut tracker, vec![start(2), end(2, 0), Mark::PromptEnd]);
    assert!(!tracker.is_entered());
    tracker.note_input(b"one more\r\x03");
    assert!(!tracker.is_entered(), "it was dropped");
}

#[test]
fn a_question_is_open_until_a_line_was_typed_or_the_command_ended() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd, Mark::Question]);
    assert_eq!(tracker.question(), None, "no command asks");
    feed(&mut tracker, vec![start(1), Mark::Question]);
    tracker.note_input(b"half");
    assert_eq!(tracker.question(), Some(Question::Open));
    tracker.note_input(b" an answer\r");
    assert_eq!(tracker.question(), Some(Question::Answered));
    feed(&mut tracker, vec![Mark::Question]);
    assert_eq!(tracker.question(), Some(Question::Open), "it asks again");
    feed(&mut tracker, vec![end(1, 0)]);
    assert_eq!(tracker.question(), None);
}

#[test]
fn what_may_hide_something_is_known_however_it_came() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd]);
    for letter in ["re", "ad ", "-s x"] {
        tracker.note_input(letter.as_bytes());
    }
    assert!(tracker.may_hide(), "also before it is run");
    tracker.note_input(b"\x03ls\r");
    assert!(!tracker.may_hide(), "it was dropped");
    tracker.note_input(b"read -s x\r");
    feed(&mut tracker, vec![start(1)]);
    tracker.note_input(b"a secret\r");
    assert!(tracker.may_hide());
    feed(&mut tracker, vec![end(1, 0)]);
    assert!(!tracker.may_hide());
    let run = PendingRun { run: RunId::random().unwrap(), text: "read -s x".into(), actor: None, from: Offset(0) };
    feed(&mut tracker, vec![start(2)]);
    tracker.expect_inside(run);
    assert!(tracker.may_hide(), "our own shell's command was closed for it");
}

#[test]
fn what_is_typed_behind_a_command_is_known() {
    let typed = |inputs: &[&[u8]]| {
        let mut tracker = Tracker::new(Vec::new(), None);
        feed(&mut tracker, vec![Mark::PromptEnd]);
        for input in inputs {
            tracker.note_input(input);
        }
        tracker.take(ScannedMark { start: 20, end: 25, mark: start(1) }, true);
        tracker
    };
    // A shell that is started by a line that was typed alone has an empty prompt.
    let mut tracker = typed(&[b"z", b"sh\r"]);
    assert!(tracker.is_untouched());
    tracker.note_input(b"l");
    assert!(!tracker.is_untouched());
    for ahead in [&[b"zsh\rrm -rf x \\\r".as_slice()][..], &[b"zsh\rl"], &[b"zsh\r", b"l"]] {
        assert!(!typed(ahead).is_untouched(), "{ahead:?}");
    }
    let run = RunId::parse("0123456789abcdef").expect("run id");
    tracker.expect_inside(PendingRun { run, text: "ls".into(), actor: None, from: Offset(30) });
    tracker.note_input(b" . file\r");
    assert!(tracker.is_untouched(), "nothing but the line of the run");
    tracker.note_input(b"l");
    assert!(!tracker.is_untouched());
}

#[test]
fn the_end_of_a_shell_inside_ends_what_was_typed_to_it() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd, start(1)]);
    let run = RunId::random().unwrap();
    let from = Offset(15);
    tracker.expect_inside(PendingRun { run: run.clone(), text: "exit 5".into(), actor: None, from });
    let mark = |start: u64, mark: Mark| ScannedMark { start, end: start + 5, mark };
    tracker.take(mark(20, Mark::RunStart { run: run.clone(), seq: None, at: None }), false);
    assert_eq!(tracker.prompt(), Prompt::Busy);
    tracker.take(mark(30, end(1, 5)), false);
    settle(&mut tracker);
    let record = tracker.of_run(&run).unwrap();
    assert_eq!((record.exit, record.end), (Some(5), Some(Offset(30))));
    tracker.take(mark(40, Mark::PromptEnd), false);
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false });
    // One that went before it took the command.
    feed(&mut tracker, vec![start(2)]);
    tracker.expect_inside(PendingRun { run, text: "ls".into(), actor: None, from });
    feed(&mut tracker, vec![end(2, 0), Mark::PromptEnd]);
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false });
}

#[test]
fn old_marks_in_the_output_end_nothing() {
    let mut tracker = Tracker::new(Vec::new(), None);
    let replay = vec![start(1), end(1, 0), Mark::PromptEnd, start(2), start(1), end(1, 0), Mark::PromptEnd];
    feed(&mut tracker, replay);
    assert_eq!(tracker.prompt(), Prompt::Busy);
    assert_eq!(tracker.records().len(), 2);
    feed(&mut tracker, vec![end(2, 7)]);
    assert_eq!(tracker.records()[1].exit, Some(7));
}

#[test]
fn a_run_by_file_begins_at_its_own_mark() {
    let mut tracker = Tracker::new(Vec::new(), None);
    let run = RunId::random().unwrap();
    tracker.expect(PendingRun { run: run.clone(), text: "a\nb".into(), actor: Some("agent".into()), from: Offset(0) });
    assert_eq!(tracker.prompt(), Prompt::Busy);
    let begin = Mark::RunStart { run: run.clone(), seq: Some(1), at: None };
    feed(&mut tracker, vec![start(1), begin.clone(), begin, end(1, 0)]);
    let record = tracker.of_run(&run).unwrap();
    assert_eq!((record.start, record.end), (Offset(15), Some(Offset(30))));
    assert_eq!(record.actor.as_deref(), Some("agent"));
}

#[test]
fn a_shell_that_announces_no_command_lines() {
    let mut tracker = Tracker::new(Vec::new(), None);
    let run = RunId::random().unwrap();
    tracker.expect(PendingRun { run: run.clone(), text: "a".into(), actor: None, from: Offset(0) });
    let begin = Mark::RunStart { run: run.clone(), seq: None, at: None };
    feed(&mut tracker, vec![Mark::PromptEnd, begin, Mark::RunEnd { run: run.clone(), exit: 4 }]);
    assert_eq!(tracker.of_run(&run).unwrap().exit, Some(4));
}

#[test]
fn an_end_that_a_program_prints_holds_only_at_the_prompt() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd]);
    tracker.note_input(b"evil\r");
    print(&mut tracker, vec![start(1), end(1, 0), Mark::PromptStart, Mark::PromptEnd], true);
    assert_eq!((tracker.prompt(), tracker.records()[0].exit), (Prompt::Busy, None));
    // A start of its own, too: nobody has typed anything behind the command.
    print(&mut tracker, vec![start(2), end(2, 0), Mark::PromptEnd], true);
    assert_eq!((tracker.prompt(), tracker.records().len()), (Prompt::Busy, 1));
    tracker.take(ScannedMark { start: 70, end: 75, mark: end(1, 3) }, true);
    tracker.take(ScannedMark { start: 80, end: 85, mark: Mark::PromptEnd }, true);
    settle(&mut tracker);
    assert_eq!((tracker.records()[0].exit, tracker.records()[0].end), (Some(3), Some(Offset(70))));
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false });
    print(&mut tracker, vec![start(u64::MAX)], true);
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false }, "nothing was typed at the prompt");
}

/// Ends of the first command, each printed with what comes after its `D`; at `|` the shell begins to wait.
fn forged(told: &str) -> Option<i32> {
    let again = |seq, exit| Mark::EndAgain { seq, run: None, exit, stages: vec![exit] };
    let mut tracker = Tracker::new(Vec::new(), None);
    print(&mut tracker, vec![again(0, 0), Mark::PromptEnd], true);
    tracker.note_input(b"evil\r");
    let marks = told.split(' ').map(|mark| match mark.split_at(1) {
        ("D", exit) => end(1, exit.parse().expect("an exit code")),
        ("F", exit) => again(1, exit.parse().expect("an exit code")),
        _ => Mark::PromptEnd,
    });
    print(&mut tracker, [start(1)].into_iter().chain(marks).collect(), true);
    settle(&mut tracker);
    let record = &tracker.records()[0];
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false }, "{told}");
    record.exit
}

#[test]
fn the_end_that_the_prompt_tells_again_holds() {
    for told in
        ["D4 F4 B", "D4 D0 D0 F4 B", "D0 F0 B D4 D0 F0 B F4 B", "D4 D0 F4 B D0 D0", "D0 F0 B D4 F4 B", "D0 B F4 B"]
    {
        assert_eq!(forged(told), Some(4), "{told}");
    }
}

#[test]
fn a_shell_that_tells_no_end_again_is_believed_at_last() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd, start(1), end(1, 0), end(1, 4), Mark::PromptEnd]);
    assert_eq!(tracker.records()[0].exit, Some(4));
    let forged = Mark::EndAgain { seq: 2, run: None, exit: 0, stages: vec![0] };
    feed(&mut tracker, vec![start(2), end(2, 0), forged, end(2, 4), Mark::PromptEnd]);
    assert_eq!(tracker.records()[1].exit, Some(4));
}

#[test]
fn an_end_holds_only_if_it_was_told_before_the_shell_waited() {
    let mut tracker = Tracker::new(Vec::new(), None);
    print(&mut tracker, vec![start(1), end(1, 4)], false);
    let teller = Teller::Own { seq: 1, left: false };
    tracker.settle(teller, Offset(10));
    assert_eq!(tracker.prompt(), Prompt::Busy);
    tracker.settle(teller, Offset(15));
    assert_eq!(tracker.records()[0].exit, Some(4));
}

#[test]
fn what_is_told_once_the_shell_waits_is_not_its_end() {
    let mut tracker = Tracker::new(Vec::new(), None);
    print(&mut tracker, vec![start(1), end(1, 4)], false);
    assert!(!tracker.is_contested());
    tracker.hold();
    let told = |tracker: &mut Tracker, at: u64, exit| {
        tracker.take(ScannedMark { start: at, end: at + 5, mark: end(1, exit) }, true);
    };
    told(&mut tracker, 30, 0);
    assert!(tracker.is_contested());
    // It did not wait, and has told something since.
    tracker.release();
    told(&mut tracker, 40, 5);
    tracker.hold();
    told(&mut tracker, 50, 0);
    tracker.settle(Teller::Own { seq: 1, left: false }, Offset(45));
    assert_eq!((tracker.records()[0].exit, tracker.claimed()), (Some(5), None));
}

#[test]
fn a_command_that_was_typed_behind_another_one_ends_it() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd]);
    tracker.note_input(b"false\r");
    print(&mut tracker, vec![start(1)], true);
    tracker.note_input(b"sleep 10\r");
    print(&mut tracker, vec![end(1, 1), Mark::PromptEnd, start(2)], true);
    assert_eq!((tracker.prompt(), tracker.records().len()), (Prompt::Busy, 2));
    assert_eq!(tracker.records()[0].exit, Some(1));
}

#[test]
fn a_prompt_that_is_drawn_anew_is_not_empty() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd]);
    tracker.note_input(b"rm -rf ");
    feed(&mut tracker, vec![Mark::PromptStart, Mark::PromptEnd]);
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: true });
    tracker.note_input(b"\x03");
    feed(&mut tracker, vec![Mark::PromptStart, Mark::PromptEnd]);
    assert_eq!(tracker.prompt(), Prompt::Ready { typed: false });
}

#[test]
fn no_program_opens_the_prompt_of_the_shell_below_another_one() {
    let mut tracker = Tracker::new(Vec::new(), None);
    feed(&mut tracker, vec![Mark::PromptEnd, start(1)]);
    let run = RunId::random().unwrap();
    tracker.expect_inside(PendingRun { run: run.clone(), text: "ls".into(), actor: None, from: Offset(15) });
    let begin = Mark::RunStart { run: run.clone(), seq: None, at: None };
    print(&mut tracker, vec![begin, Mark::RunEnd { run, exit: 0 }], true);
    settle(&mut tracker);
    print(&mut tracker, vec![Mark::PromptStart, Mark::PromptEnd], true);
    assert_eq!(tracker.prompt(), Prompt::Busy);
}
