//! Drives the real `flightdeck` binary as people and programs do: over its command line, its socket, and a terminal.
//!
//! A [`Deck`] is a workspace of its own with everything that belongs to it in one temporary folder. When it goes, it
//! ends its hub and checks that nothing is left: no process, no socket.

mod agent;
mod binary;
mod bus;
mod command;
mod deck;
mod display;
mod http;
mod intruder;
mod network;
mod person;
pub mod processes;
mod pty;
mod socket;
mod terminals;
mod wait;
mod window;

pub use agent::{Agent, by_client};
pub use bus::Bus;
pub use command::{Invocation, Outcome};
pub use deck::Deck;
pub use display::Display;
pub use http::{Http, Response, browser};
pub use intruder::intrude;
pub use network::{Direction, Network, Side, Tap};
pub use person::Person;
pub use pty::Pty;
pub use socket::{Event, Socket};
pub use wait::{try_until, wait_until};
pub use window::{Launcher, Window, window_command};

/// Makes each function that takes the name of a shell a test in bash, zsh, fish and dash.
#[macro_export]
macro_rules! in_each_shell {
    ($($test:ident),* $(,)?) => {
        mod bash { $(#[test] fn $test() { super::$test("bash"); })* }
        mod zsh { $(#[test] fn $test() { super::$test("zsh"); })* }
        mod fish { $(#[test] fn $test() { super::$test("fish"); })* }
        mod dash { $(#[test] fn $test() { super::$test("dash"); })* }
    };
}

/// How long anything may take that should take a moment: the machine may be busy. It is well below the minute that tests
/// give to what must not be waited out.
pub const SOON: std::time::Duration = std::time::Duration::from_secs(40);
