//! Lines that read a command, as shells and their line editors draw them.

use super::*;
use crate::shell::ShellKind;

const BASH: &str = "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/0123456789abcdef\r\n\x1b[?2004l\r\
                    \x1b]7733;k;C;n=1\x07\x1b[2m▸ echo 'a\r\n  b'\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\nb\r\n";
// Broken and painted by a line editor that moves about.
const FISH: &str = "\x1b]7733;k;A\x07> \x1b]7733;k;B\x07\x1b[K\r\x1b[2C eval \r\n(string \x1b[A\r\r\n\x1b[2C\
                    <$FLIGHTDECK_R\r\nUN/0123456789abcdef)\x1b[A\r\n\r\n\x1b]7733;k;C;n=1;c=x\x07\x1b]0;t\x07\r\
                    \x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
const DASH: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/0123456789abcdef\r\n\x1b[2m▸ ls\x1b[22m\r\n\
                    \x1b]7733;k;R;n=1;r=0\x07a\r\n";
const ZSH: &str = "\x1b]7733;k;A\x07% \x1b]7733;k;B\x07\x1b[K\x1b[?2004h\x07 \x08 . $FLIGHTDECK_RUN/0123456789abcdef\r\r\n\
                   \x1b]7733;k;C;n=1;c= . $FLIGHTDECK_RUN/0123456789abcdef\x07\x1b[2m▸ ls\x1b[22m\r\n\
                   \x1b]7733;k;R;n=1;r=0\x07a\r\n";
// Something in the background prints at the prompt, also within the line that is typed.
const BACKGROUND: &str = "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07log 1\r\n42\r\nup . $FLIGHTDECK_RUN/0123456789abcdef\r\n\
                          \x1b]7733;k;C;n=1\x07log 3\r\n\x1b[2m▸ ls\x1b[22m\r\nlog 4\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
// The same where a line editor has set the terminal up behind its prompt.
const BEHIND: &str = "\x1b]7733;k;A\x07% \x1b]7733;k;B\x07\x1b[K\x1b[?2004hline 0\r\nline 1\r\n \x08 . $FLIGHTDECK_RUN/0123456789abcdef\
                      \x1b[?2004l\r\r\n\x1b]7733;k;C;n=1\x07\x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
// What was in the background has ended, which the shell tells when it has read the line.
const TOLD: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07tock\r\n . $FLIGHTDECK_RUN/0123456789abcdef\r\n[1] + Done\r\n\
                    \x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;n=1;r=0\x07a\r\n";
// A shell without a line editor, and one inside of it that has one.
const NESTED: &str = "\x1b]7733;k;A\x07# \x1b]7733;k;B\x07bash\r\n\x1b[?2004h$ echo mine\r\n\x1b[?2004l\rmine\r\n\
                      \x1b[?2004h$ x\r\n\x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;r=0\x07a\r\n";
const PERSON: &str =
    "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07make\r\n\x1b]7733;k;C;n=1\x07cc -o x\r\n\x1b]7733;k;D;n=1\x07";

// The same where ours paints its lines: zsh breaks them, and prints the first letter of a row twice.
const INSIDE: &str = "\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07zsh\r\n\x1b[?2004l\r\x1b]7733;k;C;n=1\x07\r\r\x1b[J% \x1b[K\
                      \x1b[?2004h \x08 . '/s/run/0123456789a \r\x1b[Kb\rbcdef'; . '/s/run/0123456789abcdef.end'\x1b[?2004l\
                      \r\r\n\x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;r=0\x07a\r\n\x1b]7733;k;X;r=0;x=0\x07% ";
// A program prints such a line, and then one is typed.
const HISTORY: &str = "\x1b]7733;k;B\x07bash\r\n\x1b]7733;k;C;n=1\x07$ history\r\n 1   . '/s/run/0123456789abcdef'; \
                       . '/s/run/0123456789abcdef.end'\r\n$  . '/s/run/0123456789abcdef'; . '/s/run/0123456789abcdef.end'\r\n\
                       \x1b[2m▸ ls\x1b[22m\r\n\x1b]7733;k;R;r=0\x07a\r\n";

use ShellKind::{Bash, Fish, Posix, Zsh};

fn lines(kind: ShellKind) -> TypedLines {
    let painted = (kind != Posix).then(|| Painted::by(kind));
    let echoes = Echoes::of(kind, std::path::Path::new("/s"));
    TypedLines::new(Marks::beginning(b"\x1b]7733;k;"), painted, echoes)
}

#[test]
fn commands_stand_where_they_would_if_they_had_been_typed() {
    let printed = " 1   . '/s/run/0123456789abcdef'; . '/s/run/0123456789abcdef.end'";
    for (kind, bytes, shown) in [
        (Bash, BASH, "$ echo 'a\n  b'\na\nb\n"),
        (Fish, FISH, "> ls\na\n"),
        (Zsh, ZSH, "% ls\na\n"),
        (Posix, DASH, "# ls\na\n"),
        (Bash, BACKGROUND, "$ log 1\n42\nup log 3\nls\nlog 4\na\n"),
        (Zsh, BEHIND, "% line 0\nline 1\nls\na\n"),
        (Posix, TOLD, "# tock\n[1] + Done\nls\na\n"),
        (Posix, NESTED, "# bash\n$ echo mine\nmine\n$ x\n▸ ls\na\n"),
        (Bash, INSIDE, "$ zsh\n% ls\na\n% "),
        (Bash, HISTORY, &format!("bash\n$ history\n{printed}\n$ ls\na\n")),
        (Bash, PERSON, "$ make\ncc -o x\n"),
        (Posix, PERSON, "$ make\ncc -o x\n"),
        (Bash, "\x1b]7733;k;B\x07 . $FLIGHTDECK_RUN/01", ""),
        (Bash, "\x1b]7733;k;B\x07 . env", " . env"),
    ] {
        assert_eq!(plain(&lines(kind).replace(bytes.as_bytes())), shown, "{bytes:?}");
        // In pieces of any size, and from any place on behind the prompt.
        for at in 0..bytes.len() {
            let (before, after) = bytes.as_bytes().split_at(at);
            let mut all = lines(kind);
            let mut kept = all.push(before);
            kept.extend(all.push(after));
            kept.extend(all.finish());
            // The blank that a line begins with may have been given before.
            let squeezed = |text: &str| text.replace(' ', "");
            assert_eq!(squeezed(&plain(&kept)), squeezed(shown), "{at} of {bytes:?}");
            let rest = plain(&lines(kind).behind(before).replace(after));
            let ours = ["RUN/0123456789abcdef", "run/0123456789abcdef.end"];
            assert!(
                !bytes.contains(";R;") || shown.contains(ours[1]) || !ours.iter().any(|ours| rest.contains(ours)),
                "{at} of {bytes:?}: {rest:?}"
            );
        }
    }
}

#[test]
fn only_what_programs_print_is_left_where_commands_are_not_wanted() {
    let typed = "\x1b]7733;k;B\x07make x\r\n\x1b]7733;k;C;n=1\x07cc x\r\n\x1b]7733;k;B\x07make y\r\n\x1b]7733;k;C;n=2\x07cc y\r\n";
    for (kind, bytes, printed) in
        [(Bash, BASH, "$ \na\nb\n"), (Posix, DASH, "# \na\n"), (Bash, typed, "\ncc x\nmake y\ncc y\n")]
    {
        let mut lines = lines(kind);
        lines.commands = Commands::Hidden { is_expected: false };
        let output = bytes.find("cc x").map(|at| (Offset(at as u64), "make x".to_owned()));
        lines.typed.extend(output);
        let mut kept: Vec<u8> =
            bytes.as_bytes().split_inclusive(|byte| *byte == b'\n').flat_map(|line| lines.push(line)).collect();
        kept.extend(lines.finish());
        assert_eq!(plain(&kept), printed, "{bytes:?}");
    }
}

#[test]
fn a_command_that_is_expected_is_not_taken_for_output() {
    let mut lines = lines(Bash);
    lines.commands = Commands::Hidden { is_expected: true };
    assert_eq!(plain(&lines.replace(b"\x1b]7733;k;B\x07make x\r\n\x1b[?2004l\r")), "");
}

#[test]
fn a_line_is_known_by_what_comes_next() {
    for (kind, bytes, ours) in
        [(Bash, BASH, true), (Fish, FISH, true), (Zsh, ZSH, true), (Posix, DASH, true), (Bash, PERSON, false)]
    {
        let prompt = bytes.find(";B\x07").unwrap() + 3;
        let run = bytes.find(";R;").map_or(bytes.len(), |at| at + bytes[at..].find('\x07').unwrap() + 1);
        for at in prompt + 1..prompt + 5 {
            let mut typed = lines(kind).behind(&bytes.as_bytes()[..prompt]);
            assert_eq!(typed.push(&bytes.as_bytes()[prompt..at]), b"");
            let found = typed.ours(&bytes.as_bytes()[at..]).map(|(length, _)| at + length);
            assert_eq!(found, ours.then_some(run), "{at} of {bytes:?}");
        }
    }
}

#[test]
fn what_is_printed_at_a_prompt_is_not_held_back() {
    let mut lines = lines(Fish);
    lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07");
    assert_eq!(plain(&lines.push(b"\r\nlistening on 3000\r\nGET /")), "\nlistening on 3000\n");
    assert_eq!(plain(&lines.push(b" 200\r\n")), "GET / 200\n");
    // This may become the line that reads a command.
    assert_eq!(plain(&lines.push(b" eval \r\n(string ")), "");
    assert_eq!(plain(&lines.push(b"evaluated\r\n\x1b]7733;k;A\x07")), " eval \n(string evaluated\n");
    assert!(!lines.is_holding());
}

#[test]
fn a_program_may_print_what_a_shell_shows_of_a_command() {
    let mut lines = lines(Bash);
    lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07deploy\r\n\x1b]7733;k;C;n=1\x07");
    let printed = lines.push("▸ Deploying …".as_bytes());
    assert!(plain(&printed).ends_with("▸ Deploying …") && !lines.is_holding(), "{lines:?}");
}

#[test]
fn a_read_from_within_a_command_has_its_rest() {
    let (before, after) = BASH.as_bytes().split_at(BASH.find("  b'").unwrap());
    assert_eq!(plain(&lines(Bash).behind(before).replace(after)), "  b'\na\nb\n");
}

#[test]
fn what_a_program_prints_is_not_held_back() {
    for kind in [Bash, Posix] {
        let mut lines = lines(kind);
        lines.push(b"\x1b]7733;k;A\x07$ \x1b]7733;k;B\x07sudo ls\r\n");
        let typed = if kind == Bash { b"\x1b]7733;k;C;n=1\x07".as_slice() } else { b"" };
        lines.push(typed);
        let asked = lines.push(b"\x1b[?2004lPassword: ");
        assert!(plain(&asked).ends_with("Password: ") && !lines.is_holding(), "{lines:?}");
    }
}
