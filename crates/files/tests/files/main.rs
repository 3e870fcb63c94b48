//! Every operation, on real files.
#![allow(clippy::unwrap_used)]

mod branch;
mod crash;
mod desk;
mod errors;
mod full;
mod list;
mod model;
mod read;
mod real;
mod search;
mod undo;
mod watch;
mod write;
