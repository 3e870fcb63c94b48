//! The screen as a person would see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::InputState;
use super::WindowSize;
use crate::TerminalId;

/// Looks at the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LookAtScreen {
    /// Of which terminal.
    pub id: TerminalId,
    /// As ANSI, with colours and cursor, instead of text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ansi: bool,
    /// A picture (PNG) as well, for colours and layouts that text can't show.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub image: bool,
}

streams!(LookAtScreen: "flightdeck.terminal.screen", Picture, ScreenShown);

/// The screen as a person would see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenShown {
    /// Its text, or ANSI.
    pub text: String,
    /// The row of the cursor, from 0.
    pub cursor_row: u16,
    /// The column of the cursor, from 0.
    pub cursor_col: u16,
    /// Whether the cursor is shown.
    pub cursor_visible: bool,
    /// The window.
    pub size: WindowSize,
    /// Whether a full-screen program is shown.
    pub alt_screen: bool,
    /// The title that the program set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the program waits for.
    pub input: InputState,
    /// The output that the screen stands for.
    pub cursor: u64,
    /// The picture that comes beside this, when one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Picture>,
}

/// A picture that is sent as data beside the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// `image/png`.
    pub mime_type: String,
    /// How large it is.
    pub bytes: u64,
}
