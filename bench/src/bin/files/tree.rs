//! A tree like that of a large project: many small files in many folders, some of them ignored.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context;

/// Files in one folder.
const PER_FOLDER: usize = 50;
/// One file in so many holds what is searched for.
const RARE: usize = 500;

/// Words that stand in about so many files, on one line of each.
pub const NEEDLE: &str = "flight_recorder_entry";

/// Makes it.
pub fn make(root: &Path, files: usize) -> anyhow::Result<()> {
    std::fs::write(root.join(".gitignore"), "ignored/\n*.tmp\n")?;
    for number in 0..files {
        let folder = root.join(format!("package{}/src/module{}", number / (PER_FOLDER * 20), number / PER_FOLDER % 20));
        if number.is_multiple_of(PER_FOLDER) {
            std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        std::fs::write(folder.join(format!("file{number}.rs")), text(number))?;
    }
    Ok(())
}

/// How many files hold what is searched for.
pub fn with_needle(files: usize) -> usize {
    files.div_ceil(RARE)
}

/// About 1.5 kB of something that looks like source.
fn text(number: usize) -> String {
    let mut text = String::with_capacity(2000);
    for line in 0..30 {
        // Writing into a string can't fail.
        let _ = writeln!(
            text,
            "    let value_{line} = compute(input_{number}, {}, \"some words of text\");",
            line * number
        );
    }
    if number.is_multiple_of(RARE) {
        let _ = writeln!(text, "    {NEEDLE}(value_1);");
    }
    text
}
