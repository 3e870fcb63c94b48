//! The program's own part of Qt.

#[cxx::bridge(namespace = "platform")]
mod ffi {
    unsafe extern "C++" {
        include!("platform.h");

        fn run(url: &str, verbose: bool) -> i32;
        fn leave(code: i32);
        fn listen() -> bool;
        fn said() -> String;
        fn copy(words: &str, selection: bool);
        fn copied(selection: bool) -> String;
        fn notify(title: &str, body: &str);
    }
}

pub use ffi::{copied, copy, leave, listen, notify, run, said};
