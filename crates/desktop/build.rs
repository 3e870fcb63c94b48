//! Compiles the bridges' C++ and puts the QML files into the program.

use cxx_qt_build::{CxxQtBuilder, QmlFile, QmlModule};

const QML: [&str; 14] = [
    "ActivityPage",
    "Answers",
    "ApprovalDialog",
    "Asked",
    "Button",
    "ConsentDialog",
    "Field",
    "Main",
    "NeedsPanel",
    "Overlay",
    "PolicyPage",
    "Sidebar",
    "TerminalPage",
    "Toasts",
];

fn main() {
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
        .files(["src/bridge/deck.rs", "src/bridge/platform.rs", "src/bridge/rows.rs", "src/bridge/terminal.rs"])
        .build();
}
