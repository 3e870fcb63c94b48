//! Lines as they are typed, in pieces and with keys.

use super::*;

fn send(text: &str, keys: &[&str]) -> Send {
    Send {
        text: Some(text.into()).filter(|text: &String| !text.is_empty()),
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        ..Send::to(TerminalId::new(1))
    }
}

fn typed(inputs: &[(&str, &[&str])]) -> (String, bool) {
    let mut line = Line::default();
    let (mut run, mut obscure) = (String::new(), false);
    for (text, keys) in inputs {
        let typed = line.type_in(&send(text, keys));
        run.push_str(&typed.run);
        obscure |= typed.obscure;
        line = typed.rest;
    }
    (run, obscure)
}

#[test]
fn a_command_in_letters_is_a_command() {
    for (inputs, run) in [
        (&[("rm -rf /\n", &[][..])][..], "rm -rf /\n"),
        (&[("rm", &[]), (" -rf ", &[]), ("/", &["Enter"])], "rm -rf /\n"),
        (&[("rm -rf /x", &["Backspace"]), ("\r", &[])], "rm -rf /\n"),
        (&[("rm -rf /", &["C-c"])], ""),
        (&[("", &["C-c"]), ("ls\n", &[])], "ls\n"),
        (&[("rm -rf /", &["C-u"]), ("ls\n", &[])], "ls\n"),
        (&[("echo 1\necho 2\n", &[])], "echo 1\necho 2\n"),
        (&[("r\\\n", &[]), ("m -rf /\n", &[])], "r\\\nm -rf /\n"),
        (&[("echo a\\\\\n", &[])], "echo a\\\\\n"),
        (&[("[ ! -f x ] && echo y; test a != b\n", &[])], "[ ! -f x ] && echo y; test a != b\n"),
        (&[("echo", &[])], ""),
        (&[("", &["C-d"])], ""),
        (&[("", &["C-l"])], ""),
    ] {
        assert_eq!(typed(inputs), (run.to_owned(), false), "{inputs:?}");
    }
}

#[test]
fn what_only_the_shell_knows_is_not_known() {
    for inputs in [
        &[("ls", &["Up", "Enter"][..])][..],
        &[("", &["Up"])],
        &[("rm -rf /\u{f}", &[])],
        &[("rm -rf /", &["Home"]), ("", &["C-u"]), ("", &["Enter"])],
        &[("rm -rf / ;: \u{16}\u{15}\r", &[])],
        &[("echo $(rm -rf /)\u{1b}\u{5}", &[])],
        &[("rm -rf /\u{1b}[13u", &[])],
        &[("echo $(rm)", &["Tab"])],
        &[("!!:1-$\n", &[])],
        &[("echo x!rm\n", &[])],
        &[("^echo^rm\n", &[])],
        &[("#\u{301}\u{7f}rm -rf /\n", &[])],
        &[("ls", &["C-d"])],
        // Not every shell drops the line each time.
        &[("rm -rf /", &["C-c"]), ("ls\n", &[])],
    ] {
        assert!(typed(inputs).1, "{inputs:?}");
    }
}

#[test]
fn a_new_prompt_is_empty_only_if_nothing_was_left() {
    let ready = Prompt::Ready { typed: false };
    let after = |line: Line| line.now(9, ready).obscure;
    assert!(!after(Line::default()));
    assert!(after(Line { text: "rm -rf /".into(), ..Line::default() }), "typed ahead of the prompt");
    assert!(after(Line { obscure: true, ..Line::default() }));
    // Ctrl-C alone, and a new prompt after it: the line was dropped, whatever it was.
    let unknown = Line { obscure: true, ..Line::default() };
    let interrupted = unknown.type_in(&send("", &["C-c"]));
    assert!(!interrupted.obscure, "it runs nothing");
    assert!(interrupted.rest.obscure, "but until the prompt is there, nothing is known");
    assert!(!after(interrupted.rest.clone()));
    assert!(interrupted.rest.now(9, Prompt::Ready { typed: true }).obscure);
}
