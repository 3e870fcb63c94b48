//! The colours, from the one file that the page of the browser has them from too.

use std::collections::BTreeMap;

/// The page's tokens, as they were when this was built.
const CSS: &str = include_str!("../../../web/src/styles/tokens.css");
/// Where those begin that differ in the light theme.
const LIGHT: &str = ":root[data-theme='light']";

/// Red, green and blue, a byte each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rgb(pub u32);

/// The colours of one theme by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    colours: BTreeMap<String, Rgb>,
}

/// What a terminal is painted with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    pub ground: Rgb,
    pub text: Rgb,
    pub selection: Rgb,
    pub ansi: [Rgb; 16],
}

const ANSI: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

impl Theme {
    pub fn dark() -> Self {
        Theme { colours: colours(CSS.split(LIGHT).next().unwrap_or(CSS)) }
    }

    pub fn light() -> Self {
        let mut theme = Theme::dark();
        theme.colours.extend(colours(CSS.split(LIGHT).nth(1).unwrap_or_default()));
        theme
    }

    /// The colour of this name; that of text for one that is not there, so that nothing is ever invisible.
    pub fn colour(&self, name: &str) -> Rgb {
        let text = || self.colours.get("text").copied().unwrap_or(Rgb(0x80_80_80));
        self.colours.get(name).copied().unwrap_or_else(text)
    }

    pub fn palette(&self) -> Palette {
        let ground = self.colour("ground");
        Palette {
            ground,
            text: self.colour("text"),
            selection: mix(self.colour("person"), ground, 30),
            ansi: std::array::from_fn(|index| {
                let bright = if index < 8 { "" } else { "bright-" };
                self.colour(&format!("term-{bright}{}", ANSI[index % 8]))
            }),
        }
    }

    /// All of it as JSON, `{"ground": "#0f1216", …}`, for QML.
    pub fn json(&self) -> String {
        let named = self.colours.iter().map(|(name, colour)| (name.replace('-', "_"), format!("#{:06x}", colour.0)));
        serde_json::to_string(&named.collect::<BTreeMap<_, _>>()).unwrap_or_default()
    }
}

/// So many parts in a hundred of one colour over another.
pub fn mix(over: Rgb, under: Rgb, percent: u32) -> Rgb {
    let part = |shift: u32| {
        let (a, b) = (over.0 >> shift & 255, under.0 >> shift & 255);
        ((a * percent + b * (100 - percent)) / 100) << shift
    };
    Rgb(part(16) | part(8) | part(0))
}

/// The plain colours of a block: `--name: #rrggbb;`.
fn colours(css: &str) -> BTreeMap<String, Rgb> {
    let declared = |line: &str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(':')?;
        let digits = value.trim().strip_suffix(';')?.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        Some((name.to_owned(), Rgb(u32::from_str_radix(digits, 16).ok()?)))
    };
    css.lines().filter_map(declared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_themes_have_all_that_a_window_needs() {
        let names = "ground surface raised line line-strong text dim person agent agent-2 agent-3 agent-4 ok warn danger on-accent";
        for theme in [Theme::dark(), Theme::light()] {
            for name in names.split(' ') {
                assert!(theme.colours.contains_key(name), "{name}");
            }
            let palette = theme.palette();
            assert!(palette.ansi.iter().all(|colour| *colour != palette.ground), "{palette:?}");
        }
        assert_eq!(Theme::dark().colour("ground"), Rgb(0x000f_1216));
        assert_eq!(Theme::light().colour("ground"), Rgb(0xff_ff_ff));
        assert!(Theme::light().json().contains(r##""on_accent":"#ffffff""##));
    }

    #[test]
    fn colours_mix() {
        assert_eq!(mix(Rgb(0x00ff_0064), Rgb(0x00_00_00), 50), Rgb(0x007f_0032));
        assert_eq!(mix(Rgb(0x12_34_56), Rgb(0xff_ff_ff), 100), Rgb(0x12_34_56));
    }
}
