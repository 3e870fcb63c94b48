//! The list is made from the commands that are generated for the page.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const SOURCE: &str = "web/src/commands.ts";

#[test]
fn the_list_is_that_of_the_commands() {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let commands = fs::read_to_string(crate_dir.join("../..").join(SOURCE)).unwrap();
    let file = crate_dir.join("src/reads.rs");
    let text = rendered(&commands);
    if std::env::var_os("FLIGHTDECK_GENERATE").is_some() {
        fs::write(&file, &text).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap() == text, "it is not that of {SOURCE}: run `make generate`");
}

fn rendered(commands: &str) -> String {
    let mut text =
        "//! Which commands only look, as their definitions say. `make generate` writes this file.\n".to_owned();
    for (name, about, kind) in [
        ("TOOLS", "Those that agents can call.", "effects: 'reads', tool: true"),
        (
            "INTERNAL",
            "What programs ask of the hub by themselves: no agent has a tool for it.",
            "effects: 'reads', tool: false",
        ),
    ] {
        let ids = commands.lines().filter(|line| line.contains(kind)).filter_map(|line| line.split('\'').nth(1));
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        assert!(ids.len() > 5, "{kind}: {ids:?}");
        write!(text, "\n/// {about}\npub(crate) const {name}: &[&str] = &[\n").unwrap();
        for id in ids {
            writeln!(text, "    \"{id}\",").unwrap();
        }
        text.push_str("];\n");
    }
    text + "\n#[cfg(test)]\nmod tests;\n"
}
