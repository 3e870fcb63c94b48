//! Who sees what an agent shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who sees it. Nothing that is shown in a workbench without a window is seen by anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Whether a window is open that shows it.
    #[serde(default)]
    pub shown: bool,
    /// The front ends that are open, or the external IDE.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen_by: Vec<String>,
}
