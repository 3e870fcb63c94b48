//! What the benchmark programs share: a private place to run in, what the kernel says of processes, and the report.

pub mod bare;
pub mod machine;
pub mod mcp;
pub mod process;
pub mod program;
pub mod report;
pub mod room;
pub mod stats;
pub mod table;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What the goals are about.
    Full,
    /// Enough to see that everything works, and roughly where it stands.
    Quick,
}

impl Extent {
    /// One of two sizes.
    pub fn of<T>(self, full: T, quick: T) -> T {
        match self {
            Extent::Full => full,
            Extent::Quick => quick,
        }
    }
}
