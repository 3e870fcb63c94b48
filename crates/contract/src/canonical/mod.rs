//! The canonical terminal contract: one tool, `memory_terminal_interactive`, with the actions `execute`,
//! `read_output`, `terminate` and `list`, and the older forms of it.
//!
//! ```text
//!  raw JSON ── normalise ──┬─ Request ── carried out ──┬─ Context::succeed ── Response
//!   (compat, validate)     │                           │
//!                          └─ Error ───────────────────┴─ fail (pm_term, fallback) ── Response
//! ```
//!
//! Everything here is pure: the same request, error and identifier give the same answer, byte for byte. Older names
//! and forms are known to [`normalise`] alone; whoever carries a [`Request`] out sees the canonical one.
//!
//! Where the documents leave room, this holds:
//! - `execute` without `invocation.mode` is interactive. `invocation.intent` is required, because a command that was
//!   forgotten would otherwise open an empty terminal. An alias fills in both.
//! - `read_output`, `terminate` and `list` need no mode: the identity has one, and `list` without a mode lists both.
//!   `resolved.mode` then says the tool's default.
//! - `null` and an empty section are the same as absent.
//! - A field that an action has no use for is left out with a warning; only `list` forbids `execution` and `target`.
//! - `timeout` and `timeout_ms` are both milliseconds. More than the cap is the cap, with a warning.
//! - A missing `trace_id` is `trace_` and what follows `req_` in the request's id.
//! - `compat.legacy_action` moves to `resolved.legacy_action`; the canonical form of a request has none.
//! - `alias_applied` is true when an old action or an old tool was used; old places of fields are told in `compat`.

mod alias;
mod arguments;
mod compat;
mod context;
mod fallback;
mod pm_term;
mod request;
mod response;
mod section;
mod validate;
mod violation;
mod words;

pub use arguments::Arguments;
pub use compat::{Normalised, normalise};
pub use context::{Context, fail};
pub use fallback::{Class, Fallback, NextAction, State, fallback};
pub use pm_term::{Category, PmTerm, Strategy, is_passing, pm_term};
pub use request::{Compat, Correlation, Execution, Invocation, Request, Runtime, Target};
pub use response::{Authorization, CompatNote, Failure, Identity, Item, Moved, Outcome, Resolved, Response, Status};
pub use violation::Violation;
pub use words::{Action, AdapterOverride, CallerSurface, Intent, LegacyAction, Mode, Phase, ToolName};

/// How long a call waits when it does not say: half a minute.
pub const DEFAULT_TIMEOUT_MS: u64 = 30_000;
/// How long a call waits at most.
pub const LONGEST_TIMEOUT_MS: u64 = 300_000;
/// How many characters an id may have.
pub const LONGEST_ID: usize = 128;
