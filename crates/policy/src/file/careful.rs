//! The part of a policy file that only forbids and asks: what may count of a text that no person is known to have accepted.

use crate::Stance;
use crate::rules::{Effect, Rules, SurfaceKind};

impl Rules {
    /// The file's text without the rules that allow, and without what makes a surface less careful than it is without
    /// a file. Of a text that can't be read, or not be taken apart, nothing is left.
    pub fn careful_part(text: &str) -> String {
        careful(text).unwrap_or_default()
    }
}

fn careful(text: &str) -> Option<String> {
    let rules = Rules::parse(text).ok()?;
    let usual = Rules::default();
    let mut part = text.to_owned();
    for rule in rules.with(Effect::Allow) {
        part = Rules::remove(&part, &rule.name).ok()??;
    }
    for surface in SurfaceKind::ALL {
        let (given, without) = (rules.defaults().stance(surface), usual.defaults().stance(surface));
        if given != without && care(given) < care(without) {
            part = without_default(&part, surface.name());
        }
    }
    let left = Rules::parse(&part).ok()?;
    let is_careful = |surface| care(left.defaults().stance(surface)) >= care(usual.defaults().stance(surface));
    (left.with(Effect::Allow).next().is_none() && SurfaceKind::ALL.into_iter().all(is_careful)).then_some(part)
}

/// The text without the line that says how careful a surface is.
fn without_default(text: &str, surface: &str) -> String {
    let mut in_defaults = false;
    let stays = |line: &&str| {
        let line = line.trim();
        if line.starts_with('[') {
            in_defaults = line.starts_with("[defaults]");
        }
        let names = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.trim().trim_matches('"') == surface);
        !(in_defaults && names(line))
    };
    text.split_inclusive('\n').filter(stays).collect()
}

fn care(stance: Stance) -> u8 {
    match stance {
        Stance::Open => 0,
        Stance::Guard => 1,
        Stance::Ask => 2,
        Stance::Strict => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_allows_is_left_out_and_what_forbids_stays() {
        let text = "# Mine.\n[defaults]\nterminal = \"strict\"\ntabs = \"open\"\ninteractive = \"guard\"\ndestructive = \"block\"\n\n\
                    [[rule]]\nname = \"tests\"\nallow = [\"cargo test *\"]\n\n\
                    [[rule]]\nname = \"push\"\nblock = [\"git push *\"]\nreason = \"by hand\"\n\n\
                    [[rule]]\nname = \"deploy\"\nask = [\"make deploy\"]\n";
        let part = Rules::parse(&Rules::careful_part(text)).unwrap();
        let names: Vec<_> = part.rules().iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(names, ["push", "deploy"]);
        let stance = |surface| part.defaults().stance(surface);
        assert_eq!(stance(SurfaceKind::Terminal), Stance::Strict);
        assert_eq!(stance(SurfaceKind::Tabs), Stance::Guard);
        assert_eq!(stance(SurfaceKind::Interactive), Stance::Ask);
        assert_eq!(part.defaults().destructive(), crate::Destructive::Block);
        for none in ["", "[[rule]]\nname = \"tests\"\nallow = [\"cargo test *\"]\n", "not a policy"] {
            assert_eq!(Rules::parse(&Rules::careful_part(none)).unwrap(), Rules::default(), "{none}");
        }
    }
}
