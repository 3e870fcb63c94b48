//! Where Rust and Qt meet. Each file is one object, and does no more than hand over.

pub mod deck;
pub mod platform;
pub mod rows;
pub mod terminal;
pub mod text;
