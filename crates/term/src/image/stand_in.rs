//! Emoji and newer symbols that the fonts lack and that programs like to use, by characters that look alike.

/// What to draw instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StandIn {
    pub c: char,
    /// Of the theme's 16, where the colour is the meaning; otherwise the colour of the text.
    pub color: Option<u8>,
}

const RED: Option<u8> = Some(9);
const GREEN: Option<u8> = Some(10);
const YELLOW: Option<u8> = Some(11);
const ORANGE: Option<u8> = Some(3);
const BLUE: Option<u8> = Some(12);
const PURPLE: Option<u8> = Some(13);
const TEXT: Option<u8> = None;

pub(super) fn of(c: char) -> Option<StandIn> {
    let (c, color) = match c {
        '✅' => ('✔', GREEN),
        '❌' | '❎' => ('✖', RED),
        '❗' => ('!', RED),
        '❓' => ('?', RED),
        '❕' => ('!', TEXT),
        '❔' => ('?', TEXT),
        '➕' => ('+', TEXT),
        '➖' => ('−', TEXT),
        '➗' => ('÷', TEXT),
        '⭐' | '🌟' => ('★', YELLOW),
        '✨' => ('✦', YELLOW),
        '⏺' => ('●', TEXT),
        '🔴' => ('●', RED),
        '🟠' => ('●', ORANGE),
        '🟡' => ('●', YELLOW),
        '🟢' => ('●', GREEN),
        '🔵' => ('●', BLUE),
        '🟣' => ('●', PURPLE),
        '🟥' => ('■', RED),
        '🟧' => ('■', ORANGE),
        '🟨' => ('■', YELLOW),
        '🟩' => ('■', GREEN),
        '🟦' => ('■', BLUE),
        '🟪' => ('■', PURPLE),
        '⬛' | '⏹' => ('■', TEXT),
        '⬜' => ('□', TEXT),
        '🔶' | '🔸' => ('◆', ORANGE),
        '🔷' | '🔹' => ('◆', BLUE),
        '💚' => ('♥', GREEN),
        '💙' => ('♥', BLUE),
        '💜' => ('♥', PURPLE),
        '💛' => ('♥', YELLOW),
        '⏵' | '⯈' => ('▶', TEXT),
        '⏴' | '⯇' => ('◀', TEXT),
        '⏶' | '⯅' => ('▲', TEXT),
        '⏷' | '⯆' => ('▼', TEXT),
        '⏸' => ('‖', TEXT),
        '⏩' => ('»', TEXT),
        '⏪' => ('«', TEXT),
        '⎿' => ('└', TEXT),
        '\u{e0a0}' => ('⎇', TEXT),
        _ => return None,
    };
    Some(StandIn { c, color })
}
