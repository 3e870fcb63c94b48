//! Compiles the bridges' C++ and puts the QML files into the program.

use cxx_qt_build::{CxxQtBuilder, QmlFile, QmlModule};

const QML: [&str; 24] = [
    "ActivityPage",
    "Answers",
    "ApprovalDialog",
    "Asked",
    "Bar",
    "Button",
    "ChangesDialog",
    "Choice",
    "ConsentDialog",
    "Field",
    "HeadBar",
    "Main",
    "NeedsPanel",
    "NoHub",
    "Overlay",
    "Passage",
    "PolicyPage",
    "RuleCard",
    "RuleForm",
    "Scroller",
    "Sidebar",
    "StatusBar",
    "TerminalPage",
    "Toasts",
];

const BRIDGES: [&str; 5] = ["deck", "platform", "rows", "terminal", "text"];

fn main() {
    // Clippy reads Rust alone, and would have all of the C++ compiled once more.
    if std::env::var("RUSTC_WORKSPACE_WRAPPER").is_ok_and(|wrapper| wrapper.ends_with("clippy-driver")) {
        return;
    }
    // The builder looks after what it is given by name, which the headers are not.
    println!("cargo::rerun-if-changed=cpp");
    let module = QmlModule::new("flightdeck.window")
        .qml_file(QmlFile::from("qml/Theme.qml").singleton(true))
        .qml_files(QML.map(|name| format!("qml/{name}.qml")))
        .depend("QtQuick");
    CxxQtBuilder::new_qml_module(module)
        .qt_module("Quick")
        .qt_module("DBus")
        // Otherwise every C++ file is compiled again after any change of a Rust file.
        .crate_include_root(None)
        .include_dir("cpp")
        .files(BRIDGES.map(|name| format!("src/bridge/{name}.rs")))
        .build();
}
