//! What a project depends on, as its package managers tell it.
//!
//! They read settings from the folder, which can name programs to run. So a look at the disk has to show that those in the
//! workspace hold nothing of the kind; what lies above the workspace is the user's own.

use std::path::PathBuf;

use super::flags::Flags;
use super::paths::at_home;
use crate::Place;

const TREE: Flags = Flags {
    short: "deip",
    valued: "",
    long: &[
        "locked",
        "frozen",
        "offline",
        "duplicates",
        "workspace",
        "all-features",
        "no-default-features",
        "no-dedupe",
    ],
    long_valued: &["depth", "edges", "invert", "package", "prefix", "charset", "features", "color"],
    number: false,
};
const METADATA: Flags = Flags {
    short: "",
    valued: "",
    long: &["locked", "frozen", "offline", "no-deps", "all-features", "no-default-features"],
    long_valued: &["format-version", "color"],
    number: false,
};
const NPM: Flags = Flags {
    short: "al",
    valued: "",
    long: &["all", "json", "long", "parseable", "prod", "production", "dev"],
    long_valued: &["depth"],
    number: false,
};

/// The variables with which package managers stay off the network and leave no notes of their own.
pub const PACKAGES_ENVIRONMENT: &[(&str, &str)] = &[
    ("CARGO_NET_OFFLINE", "true"),
    ("RUSTUP_AUTO_INSTALL", "0"),
    ("npm_config_logs_max", "0"),
    ("npm_config_offline", "true"),
    ("npm_config_update_notifier", "false"),
];

/// Whether a package manager only tells what there is.
pub(super) fn proven(program: &str, args: &[&str], place: &Place) -> bool {
    match (program, args) {
        ("cargo", ["tree", rest @ ..]) => cargo(&TREE, rest, place),
        ("cargo", ["metadata", rest @ ..]) => cargo(&METADATA, rest, place),
        ("npm", ["ls" | "list", rest @ ..]) => {
            let known = NPM.parse(rest).is_some_and(|parsed| parsed.operands.iter().all(|name| is_package(name)));
            known && silent(place, &[".npmrc"], |_, text| text.is_empty())
        }
        _ => false,
    }
}

/// Without a lock that must stay as it is, cargo writes one, and asks the network for it.
fn cargo(flags: &Flags, args: &[&str], place: &Place) -> bool {
    let Some(parsed) = flags.parse(args) else { return false };
    let stays = parsed.has(&["--frozen"]) || (parsed.has(&["--locked"]) && parsed.has(&["--offline"]));
    stays && parsed.operands.iter().all(|name| is_package(name)) && usual_toolchain(place) && usual_cargo(place)
}

fn is_package(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "@/_-.".contains(c))
        && !name.contains("..")
}

/// Whether no file of the workspace makes `cargo` or `rustc` another program than the one that is installed.
pub(super) fn usual_toolchain(place: &Place) -> bool {
    silent(place, &["rust-toolchain", "rust-toolchain.toml"], |name, text| {
        let channel = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c));
        if name == "rust-toolchain" && !text.contains('[') {
            return channel(text.trim());
        }
        let Ok(file) = text.parse::<toml::Table>() else { return false };
        file.iter().all(|(key, value)| {
            let toolchain = value.as_table();
            key == "toolchain"
                && toolchain.is_some_and(|settings| {
                    settings.iter().all(|(key, value)| match key.as_str() {
                        "channel" => value.as_str().is_some_and(channel),
                        "components" | "targets" | "profile" => true,
                        _ => false,
                    })
                })
        })
    })
}

/// Whether no settings of cargo in the workspace name a program, or what one loads.
fn usual_cargo(place: &Place) -> bool {
    silent(place, &[".cargo/config", ".cargo/config.toml"], |_, text| {
        let Ok(file) = text.parse::<toml::Table>() else { return false };
        file.iter().all(|(key, value)| match key.as_str() {
            "alias" | "term" | "profile" => true,
            "build" => value.as_table().is_some_and(|build| {
                build.keys().all(|key| matches!(key.as_str(), "jobs" | "incremental" | "target-dir"))
            }),
            _ => false,
        })
    })
}

/// Whether such files, in each folder from that of the command up to the workspace, are silent. An empty text stands for a
/// file that is not there.
fn silent(place: &Place, names: &[&str], harmless: impl Fn(&str, &str) -> bool) -> bool {
    let (Some(disk), Some(cwd), true) = (&place.disk, &place.cwd, at_home(place)) else { return false };
    let folders = cwd.ancestors().take_while(|folder| folder.starts_with(&place.workspace));
    folders
        .map(PathBuf::from)
        .all(|folder| names.iter().all(|name| disk.text(&folder.join(name)).is_some_and(|text| harmless(name, &text))))
}
