//! A line that a shell edits while its window changes.

use flightdeck_keeper::Size;

use crate::Screen;

fn size(cols: u16) -> Size {
    Size::new(10, cols).expect("a size")
}

#[test]
fn the_line_editor_takes_no_output_away() {
    let mut screen = Screen::new(size(40));
    let line = "echo 345678901234567890123456789";
    let long: String = (0..40).map(|column| char::from(b'a' + column % 26)).collect();
    screen.feed(format!("{long}out 1\r\nout 2\r\n\x1b]7733;n;A\x07$ \x1b]7733;n;B\x07{line}").as_bytes());
    // Readline moves up by the rows that it has drawn, takes them away, and draws the line in the new window.
    screen.resize(size(20));
    screen.feed(format!("\r\x1b[K$ {line}").as_bytes());
    assert!(screen.text().ends_with("out 1\nout 2\n$ echo 3456789012345\n67890123456789"), "{screen:?}");
    screen.resize(size(40));
    screen.feed(format!("\r\x1b[K\x1b[A\r\x1b[K$ {line}").as_bytes());
    assert_eq!(screen.text(), format!("{long}\nout 1\nout 2\n$ {line}"));
    // What a command prints is wrapped anew as before.
    screen.feed(format!("\r\n\x1b]7733;n;C;n=1\x07{line}").as_bytes());
    screen.resize(size(20));
    assert!(screen.text().ends_with("echo 345678901234567\n890123456789"), "{screen:?}");
}

#[test]
fn a_narrow_window_takes_nothing_away_that_has_room() {
    let mut screen = Screen::new(size(40));
    let long = "x".repeat(38);
    screen.feed(format!("out 1\r\nout 2\r\n{long}\r\n{long}\r\n$ ").as_bytes());
    let before = screen.text();
    screen.resize(size(20));
    assert!(screen.text().starts_with("out 1\nout 2\nxxxx"), "{screen:?}");
    assert_eq!(screen.cursor().row, 6);
    screen.resize(size(40));
    assert_eq!((screen.text(), screen.cursor().row), (before, 4));
    // What has no room goes off at the top.
    screen.resize(size(5));
    assert!(screen.text().ends_with("xxx\n$"), "{screen:?}");
    assert_eq!(screen.cursor().row, 9);
}
