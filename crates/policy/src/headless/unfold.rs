//! What the commands of a headless text become: the folders that they may run in, and the names that patterns stand for.
//!
//! A `cd` joined by `&&` surely has happened for the commands behind it; with any other operator they may run in either
//! folder, so all of them must be fine in both.

use std::path::PathBuf;

use super::expand;
use crate::Place;
use crate::builtin::{hidden, is_secret, lexical};
use crate::plain::{Joint, Step};

/// A command as it may be run.
#[derive(Debug)]
pub(super) struct Act {
    /// Its words, patterns expanded.
    pub words: Vec<String>,
    /// Files that it gets as its input.
    pub inputs: Vec<String>,
    /// Where: the folder and the variables.
    pub place: Place,
    /// Whether it is nothing but literal words, so that a rule of the user can be about it.
    pub literal: bool,
}

/// In how many folders a command may run at most.
const FOLDERS: usize = 4;

/// All commands in all the folders that they may run in, or why that can't be said.
pub(super) fn unfold(steps: &[Step], place: &Place) -> Result<Vec<Act>, String> {
    let mut folders = vec![place.cwd.clone()];
    // Where the shell may be when a command in front of an `&&` has failed.
    let mut otherwise: Vec<Option<PathBuf>> = Vec::new();
    let mut acts = Vec::new();
    let mut piped = false;
    for step in steps {
        let in_pipeline = piped || step.joint == Joint::Pipe;
        piped = step.joint == Joint::Pipe;
        if step.words.first().is_some_and(|word| word.text == "cd") {
            let entered = entered(step, in_pipeline, &folders, place)?;
            otherwise.append(&mut folders);
            folders = entered;
        } else if hidden(&step.words) {
            return Err(
                "it does not say plainly what git is to do; write git and what it is to do in literal words".to_owned()
            );
        } else {
            for folder in &folders {
                let mut place = Place { cwd: folder.clone(), ..place.clone() };
                place.env.extend(step.env.iter().cloned());
                let words = expand::words(&step.words, &place)
                    .map_err(|reason| format!("{reason}; name the files themselves"))?;
                let literal = step.env.is_empty()
                    && step.inputs.is_empty()
                    && step.words.iter().all(|word| word.pattern.is_none());
                acts.push(Act { words, inputs: step.inputs.clone(), place, literal });
            }
        }
        if matches!(step.joint, Joint::Or | Joint::End) {
            folders.append(&mut otherwise);
            folders.sort();
            folders.dedup();
        }
        if folders.len() + otherwise.len() > FOLDERS {
            return Err("it changes its folder too often; send it in parts, each with its cwd".to_owned());
        }
    }
    Ok(acts)
}

/// Where a `cd` leads.
fn entered(
    step: &Step,
    in_pipeline: bool,
    folders: &[Option<PathBuf>],
    place: &Place,
) -> Result<Vec<Option<PathBuf>>, String> {
    let words: Vec<&str> = step.words.iter().map(|word| word.text.as_str()).collect();
    let plain = step.env.is_empty() && step.inputs.is_empty() && step.words.iter().all(|word| word.pattern.is_none());
    let target = match words.as_slice() {
        ["cd", target] | ["cd", "--", target] if !target.is_empty() && !target.starts_with('-') => *target,
        _ => return Err("`cd` has to have one literal folder behind it; name it, or give a cwd".to_owned()),
    };
    if in_pipeline || !plain {
        return Err("`cd` has to be a command of its own in front of an &&; write it so, or give a cwd".to_owned());
    }
    let mut entered = Vec::new();
    for folder in folders {
        let here = Place { cwd: folder.clone(), ..place.clone() };
        let path = lexical(target, &here).ok_or("the folder that it changes to is not known; give a cwd")?;
        if !path.starts_with(&place.workspace) {
            let workspace = place.workspace.display();
            return Err(format!("`cd {target}` leaves the workspace {workspace}, and headless commands stay in it"));
        }
        if is_secret(&path, &place.workspace) {
            return Err(format!(
                "`cd {target}` leads to what usually holds secrets, and headless commands stay out of it"
            ));
        }
        // Behind a link the shell and the programs that it starts would not agree on what `..` is.
        let linked = place.disk.as_ref().is_some_and(|disk| disk.real(&path).as_ref() != Some(&path));
        if linked {
            return Err(format!("`cd {target}` goes by a link; name the folder that it leads to"));
        }
        entered.push(Some(path));
    }
    Ok(entered)
}
