//! Where the binaries under test are.

use std::path::PathBuf;

/// `$FLIGHTDECK_BIN`, or the binary that cargo put beside the running test.
pub(crate) fn flightdeck() -> PathBuf {
    beside_test("flightdeck", "FLIGHTDECK_BIN", "cargo build -p flightdeck")
}

/// The same for the desktop window, which is built apart.
pub(crate) fn window() -> PathBuf {
    beside_test("interactive-terminal", "INTERACTIVE_TERMINAL_BIN", "make desktop")
}

/// The program that plays an agent's client.
pub(crate) fn client() -> PathBuf {
    beside_test("flightdeck-client", "FLIGHTDECK_CLIENT_BIN", "cargo build -p flightdeck-e2e")
}

/// Where pictures of the window are kept: `$FLIGHTDECK_SHOTS`, or `window` in cargo's target folder.
pub(crate) fn pictures() -> PathBuf {
    let test = || std::env::current_exe().expect("the test knows its own path");
    // target/debug/deps/TEST-0123456789abcdef -> target/window
    let target = || test().ancestors().nth(3).map(|target| target.join("window")).unwrap_or_default();
    std::env::var_os("FLIGHTDECK_SHOTS").map_or_else(target, PathBuf::from)
}

fn beside_test(name: &str, variable: &str, make: &str) -> PathBuf {
    if let Some(given) = std::env::var_os(variable).map(PathBuf::from) {
        assert!(given.is_file(), "{variable}={} is no file", given.display());
        return given;
    }
    // target/debug/deps/TEST-0123456789abcdef -> target/debug/flightdeck
    let test = std::env::current_exe().expect("the test knows its own path");
    let built = test.parent().and_then(|deps| deps.parent()).map(|dir| dir.join(name)).unwrap_or_default();
    assert!(built.is_file(), "{} is not there: run `{make}` first, or set {variable}", built.display());
    built
}
