//! What a command would do, and what may be done: a pure library. It reads no file, starts nothing and waits for nothing,
//! so every decision can be tested, fuzzed and repeated. What it has to know of the disk it asks its caller ([`Disk`]).
//!
//! ```text
//!   Deed + Place ──► assess ──► Assessment ──► decide / headless ──► Decision
//!                    (parse,     pieces,        (rules, stance)        verdict, rules, reason
//!                     proof,     dangers,
//!                     danger)    plain words
//! ```
//!
//! Two analyses are kept apart. **Safe must be proven**: whatever is not understood is not safe. **Danger is searched
//! for**: through every wrapper that hands a command on, and what can't be read counts as dangerous.

mod assess;
mod assessment;
mod builtin;
mod complete;
mod danger;
mod decide;
mod decision;
mod disk;
#[cfg(test)]
mod drawn;
mod environment;
mod file;
mod headless;
mod offer;
mod pattern;
mod place;
mod plain;
mod rule_id;
mod rules;
#[cfg(test)]
mod samples;
mod secret;
mod shell;

pub use assess::assess;
pub use assessment::{Assessment, Danger, DangerKind, NotPlain, Piece, Severity, Word};
pub use builtin::{GIT_ENVIRONMENT, PACKAGES_ENVIRONMENT, builtin, without_diff_helpers};
pub use complete::{Dialect, Fault, FaultKind, Wholeness, wholeness};
pub use decide::{decide, reasons};
pub use decision::{Decision, Remedy, Stance, Verdict};
pub use disk::Disk;
pub use environment::{harmless_env, harmless_setting};
pub use file::{PolicyError, Problem};
pub use headless::headless;
pub use offer::{NewRule, offer};
pub use pattern::{Pattern, PatternError};
pub use place::{Deed, Place};
pub use plain::{Joint, Sign, Step, Term};
pub use rule_id::{BuiltinRule, RuleId};
pub use rules::{Defaults, Destructive, Effect, Examples, Rule, Rules, SurfaceKind};
pub use secret::{fold, secret, secret_rules};
