//! Recorded output of real programs and the screen it leaves. `UPDATE_GOLDEN=1` writes the screens anew: look at them.

use std::fs;
use std::path::Path;

use super::fed;
use super::state::{Breaks, state};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

#[test]
fn recordings() {
    let mut found = 0;
    let mut paths: Vec<_> =
        fs::read_dir(FOLDER).expect("the recordings").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "bytes")) {
        found += 1;
        check(path);
    }
    assert!(found >= 6, "only {found} recordings");
}

fn check(path: &Path) {
    let bytes = fs::read(path).expect("a recording");
    let screen = fed(24, 80, &bytes);
    let mut plain = super::screen(24, 80);
    plain.feed_plainly(&bytes);
    assert_eq!(state(&screen, Breaks::Compared), state(&plain, Breaks::Compared), "{}", path.display());
    let restored = fed(24, 80, &screen.snapshot_ansi());
    assert_eq!(super::styled_rows(&restored), super::styled_rows(&screen), "{}", path.display());

    let expected = path.with_extension("screen");
    let cursor = screen.cursor();
    let (row, col) = (cursor.row, cursor.col);
    let text = format!("{}\n-- cursor {row},{col} title {:?}\n", screen.text(), screen.title());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&expected, &text).expect("a screen is written");
    }
    let expected = fs::read_to_string(&expected).expect("the expected screen");
    assert_eq!(text, expected, "{}", path.display());
}
