//! Text as Qt has it: the one type of Qt that Rust holds by value. A library of all of them would cost ten minutes of C++.

use std::fmt;
use std::mem::MaybeUninit;

use cxx::{ExternType, type_id};

#[cxx::bridge(namespace = "text")]
mod ffi {
    unsafe extern "C++" {
        include!("text.h");
        #[namespace = ""]
        type QString = super::QString;

        fn make(words: &str) -> QString;
        fn words(text: &QString) -> String;
        fn copy(text: &QString) -> QString;
        fn same(one: &QString, other: &QString) -> bool;
        fn end(text: &mut QString);
    }
}

/// A `QString` of Qt 6: what is shared, its characters, and how many. It is made and ended by C++ only.
#[repr(C)]
pub struct QString {
    parts: MaybeUninit<[usize; 3]>,
}

// SAFETY: cpp/text.h checks that size and alignment are those of Qt, and that Qt allows it to be moved.
unsafe impl ExternType for QString {
    type Id = type_id!("QString");
    type Kind = cxx::kind::Trivial;
}

impl Drop for QString {
    fn drop(&mut self) {
        ffi::end(self);
    }
}

impl Clone for QString {
    fn clone(&self) -> Self {
        ffi::copy(self)
    }
}

impl PartialEq for QString {
    fn eq(&self, other: &Self) -> bool {
        ffi::same(self, other)
    }
}

impl Default for QString {
    fn default() -> Self {
        ffi::make("")
    }
}

impl From<&str> for QString {
    fn from(words: &str) -> Self {
        ffi::make(words)
    }
}

impl From<&String> for QString {
    fn from(words: &String) -> Self {
        ffi::make(words)
    }
}

impl fmt::Display for QString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ffi::words(self))
    }
}
