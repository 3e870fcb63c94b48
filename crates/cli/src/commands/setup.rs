//! A new terminal as the caller wants it: with the caller's own folder, environment and window.

use std::collections::BTreeMap;

use anyhow::Context;
use flightdeck_contract::terminal::New;

use crate::args::Setup;
use crate::window;

/// The request for a new terminal. It gets the environment of the caller, not the hub's, which may be days old.
pub fn request(setup: Setup) -> anyhow::Result<New> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    let cwd = setup.cwd.map_or_else(|| here.clone(), |cwd| here.join(cwd));
    let cwd = cwd.to_str().with_context(|| format!("{} is not UTF-8", cwd.display()))?.to_owned();
    // Names and values that are not UTF-8 can't be said in JSON; they are rare and left out.
    let own =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let env: BTreeMap<_, _> = own.chain(setup.env).collect();
    Ok(New {
        cwd: Some(cwd),
        env,
        clear_env: true,
        title: setup.title,
        size: setup.size.or_else(window::size),
        log_bytes: setup.log_limit,
        ..New::default()
    })
}
