//! Programs that ask their terminal something: those who wait for the answer get it, and nobody else does.

use flightdeck_e2e::{Agent, Deck, SOON, in_each_shell};
use serde_json::json;

in_each_shell![
    no_answer_stands_in_the_next_command,
    a_program_that_waits_for_its_answer_gets_it,
    what_a_program_leaves_unread_does_not_spoil_the_next_command,
    what_a_program_leaves_unread_does_not_spoil_what_an_agent_types,
    what_is_asked_in_the_background_is_not_typed_at_the_prompt,
];

/// Everything that this terminal or another one answers to.
const QUESTIONS: [&str; 24] = [
    r"\033[c",
    r"\033[>c",
    r"\033[=c",
    r"\033Z",
    r"\033[5n",
    r"\033[6n",
    r"\033[?6n",
    r"\033[?2026$p",
    r"\033[4$p",
    r"\033[>q",
    r"\033[?u",
    r"\033[11t",
    r"\033[13t",
    r"\033[14t",
    r"\033[16t",
    r"\033[18t",
    r"\033[19t",
    r"\033[21t",
    r"\033]4;1;?\007",
    r"\033]10;?\007",
    r"\033]11;?\033\\",
    r"\033]12;?\007",
    r"\033P$qm\033\\",
    r"\033P+q544e\033\\",
];

fn no_answer_stands_in_the_next_command(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    for question in QUESTIONS {
        for program in ["printf", "/usr/bin/printf", "sh -c 'printf \"$1\"' sh"] {
            let asked = deck.run_in(&id, &format!("{program} '{question}'"));
            assert_eq!(asked.exit_code, Some(0), "{shell}: {program} {question}");
            let ran = deck.run_in(&id, "echo ok");
            assert_eq!((ran.exit_code, ran.output.as_str()), (Some(0), "ok\n"), "{shell}: {program} {question}");
        }
    }
}

/// Asks in the way of a full-screen program and prints what it is told, up to the answer to the last question.
const ASKER: &str = r#"
import os, sys, termios, tty
before = termios.tcgetattr(0)
if sys.argv[2] == "first":
    tty.setraw(0)
os.write(1, sys.argv[1].encode().decode("unicode_escape").encode("latin1") + b"\x1b[5n")
if sys.argv[2] == "then":
    tty.setraw(0)
told = b""
while not told.endswith(b"\x1b[0n"):
    told += os.read(0, 100)
termios.tcsetattr(0, termios.TCSADRAIN, before)
print(repr(told[:-4].decode("latin1")))
"#;

fn a_program_that_waits_for_its_answer_gets_it(shell: &str) {
    let deck = Deck::new();
    std::fs::write(deck.workspace().join("asker.py"), ASKER).unwrap();
    let id = deck.shell(shell);
    for (question, answer) in
        [(r"\033[c", r"\x1b[?62;22c"), (r"\033]11;?\007", r"\x1b]11;rgb:1818/1818/1818\x07"), (r"\033[?u", r"\x1b[?0u")]
    {
        // Some ask before they set up their terminal.
        for order in ["first", "then"] {
            let ran = deck.run_in(&id, &format!("/usr/bin/python3 asker.py '{question}' {order}"));
            // The kernel may show an answer that comes before that.
            assert!(ran.exit_code == Some(0) && ran.output.contains(answer), "{shell}: {question} {order}: {ran:?}");
            let next = deck.run_in(&id, "echo ok");
            assert_eq!((next.exit_code, next.output.as_str()), (Some(0), "ok\n"), "{shell}: after {question}");
        }
    }
    if shell == "bash" {
        // The shell itself may ask, with a builtin.
        let ran = deck.run_in(&id, "IFS=';' read -r -s -d R -p $'\\e[6n' row col; echo \"col $col\"");
        assert_eq!(ran.output, "col 1\n");
    }
}

/// Asks, and leaves without having read anything.
const RUDE: &str = r"
import os, sys, termios, tty, select
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b'\x1b[c\x1b[6n\x1b]10;?\x07')
select.select([0], [], [])
termios.tcsetattr(0, termios.TCSANOW, before)
";

fn what_a_program_leaves_unread_does_not_spoil_the_next_command(shell: &str) {
    let deck = Deck::new();
    std::fs::write(deck.workspace().join("rude.py"), RUDE).unwrap();
    let id = deck.shell(shell);
    for round in 0..5 {
        assert_eq!(deck.run_in(&id, "/usr/bin/python3 rude.py").exit_code, Some(0), "{shell}");
        let ran = deck.run_in(&id, "echo ok");
        assert_eq!((ran.exit_code, ran.output.as_str()), (Some(0), "ok\n"), "{shell}, round {round}");
    }
}

fn what_a_program_leaves_unread_does_not_spoil_what_an_agent_types(shell: &str) {
    let deck = Deck::new();
    std::fs::write(deck.workspace().join("rude.py"), RUDE).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let made = agent.ok("flightdeck.terminal.new", &json!({ "shell": shell }));
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&id);
    for round in 0..5 {
        agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "/usr/bin/python3 rude.py" }));
        let typed = format!("echo round-{round} >>said\n");
        agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": typed }));
        let said = deck.workspace().join("said");
        let wanted = format!("round-{round}\n");
        deck.wait_until(&format!("{shell} says {wanted}"), SOON, || {
            std::fs::read_to_string(&said).is_ok_and(|said| said.ends_with(&wanted)).then_some(())
        });
        deck.at_prompt(&id);
    }
}

fn what_is_asked_in_the_background_is_not_typed_at_the_prompt(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let ask = "until [ -e go ]; do sleep 0.02; done; printf \"\\033[c\\033[6n\"; : >asked";
    assert_eq!(deck.run_in(&id, &format!("sh -c '{ask}' &")).exit_code, Some(0), "{shell}");
    deck.at_prompt(&id);
    std::fs::write(deck.workspace().join("go"), "").unwrap();
    let asked = deck.workspace().join("asked");
    deck.wait_until("it asks", SOON, || asked.exists().then_some(()));
    let ran = deck.run_in(&id, "echo ok");
    assert_eq!((ran.exit_code, ran.output.as_str()), (Some(0), "ok\n"), "{shell}");
}
