//! Images of real programs' screens. `FLIGHTDECK_IMAGES=<folder>` keeps them: look at them after a change here.

use std::fs;
use std::path::Path;

use super::{Pixels, fed, theme};
use crate::image::{Options, Rgb, draw};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../screen/tests/golden");

#[test]
fn recordings_are_small() {
    let mut found = 0;
    for entry in fs::read_dir(FOLDER).expect("the recordings") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "bytes") {
            continue;
        }
        found += 1;
        let screen = fed(24, 80, fs::read(&path).expect("a recording"));
        let png = draw(&screen, &Options::default()).png;
        assert!(png.len() < 20_000, "{}: {} bytes", path.display(), png.len());
        let pixels = Pixels::decode(&png);
        let text = (0..24).any(|row| (0..80).any(|col| pixels.ink(row, col) > 0));
        assert!(text, "{} shows nothing", path.display());
        if let Some(folder) = std::env::var_os("FLIGHTDECK_IMAGES") {
            let name = path.with_extension("png");
            fs::write(Path::new(&folder).join(name.file_name().expect("a name")), png).expect("an image is kept");
        }
    }
    assert!(found >= 6, "only {found} recordings");
}

/// More than a palette has.
#[test]
fn many_colors_stay_exact() {
    let color = |at: u8| Rgb(at, 255 - at, 77);
    let colors = |from: u8, to: u8| (from..=to).map(|at| format!("\x1b[48;2;{};{};77m ", at, 255 - at));
    let output: String = colors(0, 255).chain(["\x1b[mtext".to_owned()]).collect();
    let pixels = Pixels::of(&fed(4, 80, format!("\x1b[?25l{output}")));
    for at in 0..=255 {
        assert!(pixels.is_plain(u32::from(at) / 80, u32::from(at) % 80, color(at)), "colour {at}");
    }
    assert!(pixels.ink(3, 16) > 0 && pixels.at(799, 79) == theme().background);
}

#[test]
fn a_whole_palette_stays_exact() {
    let output: String = (0..=255).map(|at| format!("\x1b[48;2;0;0;{at}m ")).collect();
    let pixels = Pixels::of(&fed(2, 128, format!("\x1b[?25l{output}")));
    for at in 0..=255 {
        assert!(pixels.is_plain(u32::from(at) / 128, u32::from(at) % 128, Rgb(0, 0, at)), "colour {at}");
    }
}
