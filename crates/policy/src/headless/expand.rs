//! What a shell puts in place of patterns: the names that are there, as the disk has them now.
//!
//! So a name that would be an option is seen, and one that holds secrets is seen as what it is.

use std::path::PathBuf;

use crate::Place;
use crate::builtin::readable;
use crate::plain::{Sign, Term};

/// More words than these are not judged one by one.
const MOST: usize = 2000;

/// The words of a command, with names in place of patterns.
pub(super) fn words(terms: &[Term], place: &Place) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for term in terms {
        match &term.pattern {
            None => words.push(term.text.clone()),
            Some(signs) => {
                let mut found =
                    names(signs, place).map_err(|why| format!("it holds the pattern {}{why}", term.text))?;
                // It would be an option. Which word it takes as its value depends on the order of names, which is not the same
                // in every language.
                if let Some(option) = found.iter().find(|name| name.starts_with('-')) {
                    return Err(format!("the pattern {} stands for {option}, which begins with a dash", term.text));
                }
                // Without a match the pattern stays as it is.
                if found.is_empty() {
                    found.push(term.text.clone());
                }
                words.append(&mut found);
            }
        }
        if words.len() > MOST {
            return Err(format!("its patterns stand for more than {MOST} names"));
        }
    }
    Ok(words)
}

/// The names that a pattern stands for, in order.
fn names(pattern: &[Sign], place: &Place) -> Result<Vec<String>, &'static str> {
    let Some(disk) = &place.disk else { return Err(", and the disk is not known") };
    let mut found = vec![String::new()];
    let parts: Vec<&[Sign]> = pattern.split(|sign| *sign == Sign::Just('/')).collect();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let literal: Option<String> =
            part.iter().map(|sign| if let Sign::Just(c) = sign { Some(*c) } else { None }).collect();
        let mut next = Vec::new();
        for begin in found {
            let folder = if begin.is_empty() { "." } else { begin.as_str() };
            let whole = |name: &str| format!("{begin}{name}{}", if last { "" } else { "/" });
            match &literal {
                // An empty part is the root, a doubled slash, or one at the end that only folders have.
                Some(name) if name.is_empty() || name == "." || name == ".." => next.push(whole(name)),
                Some(name) => {
                    let listed = disk.names(&absolute(folder, place)?);
                    if listed.is_some_and(|names| names.contains(name)) {
                        next.push(whole(name));
                    }
                }
                None => {
                    if !readable(folder, place) {
                        return Err(", which reaches where nothing can be proven");
                    }
                    let Some(mut names) = disk.names(&absolute(folder, place)?) else { continue };
                    // Some shells count bytes, others characters.
                    if part.contains(&Sign::One) && !names.iter().all(|name| name.is_ascii()) {
                        return Err(", which shells read in several ways");
                    }
                    names.sort();
                    let hidden = part.first() == Some(&Sign::Just('.'));
                    let fits = |name: &&String| hidden == name.starts_with('.') && matches(part, name);
                    let within = absolute(folder, place)?;
                    let ends_in_folder = |name: &&String| last || disk.is_folder(&within.join(name.as_str()));
                    next.extend(names.iter().filter(fits).filter(ends_in_folder).map(|name| whole(name)));
                }
            }
            if next.len() > MOST {
                return Err(", which stands for too many names");
            }
        }
        found = next;
    }
    Ok(found)
}

fn absolute(folder: &str, place: &Place) -> Result<PathBuf, &'static str> {
    match &place.cwd {
        _ if folder.starts_with('/') => Ok(folder.into()),
        Some(cwd) => Ok(cwd.join(folder)),
        None => Err(", and its folder is not known"),
    }
}

/// Whether a name fits a part of a pattern.
pub(crate) fn matches(signs: &[Sign], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // The place behind the last `*`, and how much of the name it has taken.
    let (mut at, mut of, mut star) = (0, 0, None);
    while of < name.len() {
        match signs.get(at) {
            Some(Sign::Any) => {
                at += 1;
                star = Some((at, of));
            }
            Some(Sign::One) => (at, of) = (at + 1, of + 1),
            Some(Sign::Just(c)) if *c == name[of] => (at, of) = (at + 1, of + 1),
            _ => match &mut star {
                Some((behind, taken)) => {
                    *taken += 1;
                    (at, of) = (*behind, *taken);
                }
                None => return false,
            },
        }
    }
    signs[at.min(signs.len())..].iter().all(|sign| *sign == Sign::Any)
}

/// A pattern as it is given to a program: `*` and `?` alone mean something.
pub(crate) fn signs(text: &str) -> Vec<Sign> {
    let sign = |c| match c {
        '*' => Sign::Any,
        '?' => Sign::One,
        c => Sign::Just(c),
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::{matches, signs};

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("*", "", true),
            ("*", "abc", true),
            ("*.rs", "main.rs", true),
            ("*.rs", "main.rs.bak", false),
            ("a*b*c", "aXbXbXc", true),
            ("a*b*c", "aXc", false),
            ("?", "x", true),
            ("?", "", false),
            ("??*", "x", false),
            ("main.rs", "main.rs", true),
            ("main.rs", "main", false),
            ("main", "main.rs", false),
        ] {
            assert_eq!(matches(&signs(pattern), name), fits, "{pattern} {name}");
        }
    }
}
