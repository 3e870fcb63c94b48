//! `flightdeck consent`: whether agents may control panes and editors.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flightdeck consent               how it stands; asks when nobody has answered yet
  flightdeck consent --allow       agents may
  flightdeck consent --decline     they may not; terminals and files still work")]
pub struct Consent {
    /// Agents may control panes and editors.
    #[arg(long, conflicts_with = "decline")]
    pub allow: bool,
    /// They may not.
    #[arg(long)]
    pub decline: bool,
    /// The answer counts until the hub ends, and then it is asked again.
    #[arg(long)]
    pub for_now: bool,
    /// Print JSON, and ask nothing.
    #[arg(long)]
    pub json: bool,
}
