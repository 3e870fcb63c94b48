//! Hostile paths and hostile timing: nothing outside the root is ever read, listed or written.
#![allow(clippy::unwrap_used)]

mod casefold;
#[path = "../files/desk.rs"]
mod desk;
mod paths;
mod races;
