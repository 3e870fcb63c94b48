//! How a start can fail: each way has its code, and one sentence that says what to do.

use std::io::Write as _;

use crate::bridge::platform;

pub const DISPLAY: i32 = 69;
pub const QML: i32 = 72;
pub const TRANSIENT: i32 = 75;
pub const PROTOCOL: i32 = 76;
pub const USAGE: i32 = 64;
pub const NOT_ALONE: i32 = 77;

/// What has to be installed for the window to be drawn, on Debian.
const PACKAGES: &str = "qml6-module-qtquick qml6-module-qtquick-controls qml6-module-qtquick-templates \
                        qml6-module-qtquick-layouts qml6-module-qtquick-window qml6-module-qtqml-workerscript";

/// Ends the process with this code and these words, which are the last line of standard error.
pub fn because(code: i32, why: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "interactive-terminal: {}", why.trim().replace('\n', "; "));
    platform::leave(code);
    unreachable!("the process has ended")
}

/// Why the QML can't be loaded, from what Qt said.
pub fn qml_words(said: &str) -> String {
    let missing: Vec<_> = said
        .split('"')
        .enumerate()
        .filter(|(at, _)| at % 2 == 1)
        .map(|(_, quoted)| quoted)
        .filter(|quoted| quoted.starts_with("Qt"))
        .collect();
    if said.contains("is not installed") && !missing.is_empty() {
        return format!("the QML module {} is missing: `apt install {PACKAGES}`", missing.join(", "));
    }
    let told: Vec<_> = said.lines().filter(|line| !line.trim().is_empty()).take(6).collect();
    format!("the window's QML can't be loaded ({}): `apt install {PACKAGES}`", told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_module_is_named_with_its_package() {
        let said = "QQmlApplicationEngine failed to load component\nqrc:/Main.qml:2:1: module \"QtQuick.Controls.Basic\" is not installed\n";
        let words = qml_words(said);
        assert!(words.starts_with("the QML module QtQuick.Controls.Basic is missing"), "{words}");
        assert!(words.contains("qml6-module-qtquick-controls"));
        assert!(qml_words("Main.qml:9 syntax error").contains("syntax error"));
    }
}
