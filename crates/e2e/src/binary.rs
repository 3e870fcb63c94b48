//! Where the `flightdeck` binary is.

use std::path::PathBuf;

/// `$FLIGHTDECK_BIN`, or the binary that cargo put beside the running test.
pub(crate) fn flightdeck() -> PathBuf {
    if let Some(given) = std::env::var_os("FLIGHTDECK_BIN").map(PathBuf::from) {
        assert!(given.is_file(), "FLIGHTDECK_BIN={} is no file", given.display());
        return given;
    }
    // target/debug/deps/TEST-0123456789abcdef -> target/debug/flightdeck
    let test = std::env::current_exe().expect("the test knows its own path");
    let built = test.parent().and_then(|deps| deps.parent()).map(|dir| dir.join("flightdeck")).unwrap_or_default();
    assert!(
        built.is_file(),
        "{} is not there: run `cargo build -p flightdeck` first, or set FLIGHTDECK_BIN",
        built.display()
    );
    built
}
