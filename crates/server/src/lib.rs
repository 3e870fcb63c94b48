//! The surfaces through which callers reach the hub. Each decodes, calls [`flightdeck_core::Hub::call`], and encodes.

pub mod acp;
pub mod auth;
pub mod bridge;
pub mod control;
pub mod http;
pub mod logins;
pub mod mcp;
mod origin;
mod private;
pub mod window;
