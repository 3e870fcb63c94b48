//! What is generated from the commands is up to date. `make generate` writes it anew.

use std::path::Path;

use flightdeck_core::Registry;

#[test]
fn the_reference_and_the_types_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let registry = Registry::new();
    let update = std::env::var_os("FLIGHTDECK_GENERATE").is_some();
    for (file, wanted) in
        [("docs/commands.md", registry.markdown()), ("web/src/commands.ts", registry.typescript().unwrap())]
    {
        let path = root.join(file);
        if update {
            std::fs::write(&path, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let first = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert!(found == wanted, "{file} is old: run `make generate`. The first line that differs: {first:?}");
    }
}
