//! `flightdeck undo`: take back what was written through the hub.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flightdeck undo                  take back the last write of all
  flightdeck undo src/main.rs      the last one to this file
  flightdeck undo --list           what can be taken back
  flightdeck undo --id 12          just that one")]
pub struct Undo {
    /// The file whose last write is taken back.
    pub path: Option<String>,
    /// The write with this number.
    #[arg(long, conflicts_with = "path")]
    pub id: Option<u64>,
    /// List what can be taken back, and change nothing.
    #[arg(long, short, conflicts_with = "id")]
    pub list: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
