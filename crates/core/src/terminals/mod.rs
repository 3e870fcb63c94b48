//! Terminals as the hub has them: where they run, what is kept of each, what is typed into them and what they print.

pub(crate) mod afterwards;
pub(crate) mod end;
pub(crate) mod ground;
pub(crate) mod guests;
pub(crate) mod info;
pub(crate) mod input;
pub(crate) mod known;
pub(crate) mod live;
pub(crate) mod meta;
pub(crate) mod named;
pub(crate) mod newlines;
pub(crate) mod output;
pub(crate) mod plumbing;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod run;
pub(crate) mod running;
pub(crate) mod sandbox;
pub(crate) mod servers;
pub(crate) mod settled;
pub(crate) mod start;
pub(crate) mod stream;
pub(crate) mod tabs;
pub(crate) mod tend;
pub(crate) mod typing;
pub(crate) mod viewers;
