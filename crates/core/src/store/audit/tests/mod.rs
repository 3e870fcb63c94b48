//! Tests of the audit log: tampering, pruning, listing.

mod listing;
mod pruning;
mod tampering;
