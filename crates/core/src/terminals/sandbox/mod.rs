//! What a headless command is confined to. Nobody watches it, so it writes where its work is and nowhere else.

mod stopped;

use std::fmt;
use std::path::{Path, PathBuf};

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::{NoSandbox, OsBytes, Sandbox, Support, sandbox_support};

use crate::settings::{SandboxSettings, Settings};
use flightdeck_contract::workspace::Workspace;

pub(crate) use stopped::{Failed, stopped};

/// Where programs keep what they need for a moment. The hub's own `TMPDIR` comes to these; one that a caller sets does
/// not, because it could be any folder.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// How one headless command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Confinement {
    Sandboxed(Sandbox),
    /// Without limits, and why. The command's result is to say so.
    Free(String),
}

impl Confinement {
    pub(crate) fn sandbox(&self) -> Option<&Sandbox> {
        match self {
            Confinement::Sandboxed(sandbox) => Some(sandbox),
            Confinement::Free(_) => None,
        }
    }
}

/// Whether a rule of the policy opens the network to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    AsSet,
    Allowed,
}

impl Network {
    /// As the gate's permit has it.
    pub(crate) fn of_permit(permit: &crate::approvals::permit::Permit) -> Self {
        if permit.network { Network::Allowed } else { Network::AsSet }
    }
}

/// How a headless command of this workspace runs; an error when it must not run at all.
pub(crate) fn confinement(
    workspace: &Workspace,
    settings: &SandboxSettings,
    network: Network,
) -> Result<Confinement, Error> {
    if !settings.enabled {
        return Ok(Confinement::Free("the sandbox is switched off in the settings".to_owned()));
    }
    if let Err(why) = sandbox_support() {
        if settings.required {
            return Err(Error::new(ErrorCode::NotAllowed, format!("headless commands need a sandbox: {why}"))
                .hint("run it in a terminal that people see, or take `required` from [sandbox] in settings.toml"));
        }
        return Ok(Confinement::Free(why.to_string()));
    }
    let write = folders(workspace, settings)
        .map_err(|problem| Error::new(ErrorCode::NotAllowed, problem).hint("`flightdeck doctor` checks it"))?;
    let network = settings.network || network == Network::Allowed;
    Ok(Confinement::Sandboxed(Sandbox { write: write.into_iter().map(OsBytes::from).collect(), network }))
}

/// The folders that can be written, the workspace first.
fn folders(workspace: &Workspace, settings: &SandboxSettings) -> Result<Vec<PathBuf>, String> {
    let mut folders = vec![workspace.root().to_owned()];
    let temporary = TEMPORARY.iter().map(PathBuf::from).chain(std::env::var_os("TMPDIR").map(PathBuf::from));
    // One that is a link to another is covered by the other, or was not meant.
    folders.extend(temporary.map(|folder| plain(&folder)).filter(|folder| is_itself(folder)));
    for named in &settings.write {
        let folder = plain(&at_home(named));
        match folder.canonicalize() {
            // A link could be changed by a command, if it is in a folder that commands write.
            Ok(real) if real != folder => {
                return Err(format!(
                    "{} in `write` of [sandbox] is or has a symbolic link: write {} instead in {}",
                    named.display(),
                    real.display(),
                    Settings::path().display()
                ));
            }
            Ok(real) => folders.push(real),
            // Nothing to write there yet; its own folder would have to be named for it to be made.
            Err(_) => {}
        }
    }
    let mut distinct: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !distinct.contains(&folder) {
            distinct.push(folder);
        }
    }
    Ok(distinct)
}

fn is_itself(folder: &Path) -> bool {
    folder.canonicalize().is_ok_and(|real| real == folder)
}

/// Without `.` parts and slashes at the end.
fn plain(path: &Path) -> PathBuf {
    path.components().collect()
}

fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// How it stands with the sandbox of a workspace, for people who want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Headless commands are confined.
    Active {
        /// By what.
        support: Support,
        /// Where they can write.
        folders: Vec<PathBuf>,
        /// Which of Flightdeck's own folders are among those.
        exposed: Vec<PathBuf>,
    },
    /// The user does not want it.
    Off,
    /// It can't be had, and headless commands run without.
    Missing(NoSandbox),
    /// Headless commands are refused, and why.
    Refusing(String),
}

impl Standing {
    /// As the kernel and the settings have it.
    pub fn of(workspace: &Workspace, settings: &Settings) -> Self {
        let sandbox = &settings.sandbox;
        if !sandbox.enabled {
            return Standing::Off;
        }
        let support = match sandbox_support() {
            Ok(support) => support,
            Err(why) if sandbox.required => return Standing::Refusing(why.to_string()),
            Err(why) => return Standing::Missing(why),
        };
        match folders(workspace, sandbox) {
            Ok(folders) => {
                let own = [workspace.state().to_owned(), workspace.runtime().to_owned(), Settings::folder()];
                let real = |own: PathBuf| own.canonicalize().unwrap_or(own);
                let exposed = own.into_iter().map(real).filter(|own| is_below(own, &folders)).collect();
                Standing::Active { support, folders, exposed }
            }
            Err(problem) => Standing::Refusing(problem),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Active { support, folders, exposed } => {
                write!(f, "{support}; headless commands write below {}", listed(folders))?;
                if !exposed.is_empty() {
                    write!(f, ", and so could change Flightdeck's own {}", listed(exposed))?;
                }
                Ok(())
            }
            Standing::Off => f.write_str("switched off in the settings: headless commands may do all that you may"),
            Standing::Missing(why) => write!(f, "headless commands run without one: {why}"),
            Standing::Refusing(why) => write!(f, "headless commands are refused: {why}"),
        }
    }
}

/// Whether a path lies in one of the folders. It must have no links.
fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_workspace_and_what_the_user_names_can_be_written() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        for folder in ["root", "cache"] {
            std::fs::create_dir(base.join(folder)).unwrap();
        }
        symlink("cache", base.join("link")).unwrap();
        let workspace = Workspace::at(&base.join("root")).unwrap();
        let with = |folder: PathBuf| SandboxSettings { write: vec![folder], ..SandboxSettings::default() };
        let found = folders(&workspace, &with(base.join("cache/."))).unwrap();
        assert_eq!(found[0], base.join("root"));
        assert!(found.contains(&base.join("cache")) && found.contains(&PathBuf::from("/tmp")), "{found:?}");
        assert!(!folders(&workspace, &with(base.join("none"))).unwrap().contains(&base.join("none")));
        let problem = folders(&workspace, &with(base.join("link"))).unwrap_err();
        assert!(problem.contains("symbolic link") && problem.contains("cache"), "{problem}");
    }

    #[test]
    fn the_settings_decide() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(dir.path()).unwrap();
        let off = SandboxSettings { enabled: false, ..SandboxSettings::default() };
        let free = confinement(&workspace, &off, Network::AsSet).unwrap();
        assert!(matches!(&free, Confinement::Free(why) if why.contains("settings")) && free.sandbox().is_none());
        if sandbox_support().is_err() {
            let required = SandboxSettings { required: true, ..SandboxSettings::default() };
            confinement(&workspace, &required, Network::AsSet).unwrap_err();
            return;
        }
        for (set, asked, expected) in
            [(false, Network::AsSet, false), (false, Network::Allowed, true), (true, Network::AsSet, true)]
        {
            let settings = SandboxSettings { network: set, ..SandboxSettings::default() };
            let found = confinement(&workspace, &settings, asked).unwrap();
            assert_eq!(found.sandbox().map(|sandbox| sandbox.network), Some(expected), "{set} {asked:?}");
        }
    }

    #[test]
    fn how_it_stands_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(dir.path()).unwrap();
        let mut settings = Settings::default();
        if let Standing::Active { folders, .. } = Standing::of(&workspace, &settings) {
            assert_eq!(folders[0], workspace.root());
        }
        settings.sandbox.enabled = false;
        assert!(Standing::of(&workspace, &settings).to_string().contains("switched off"));
        let support = Support { abi: 7, devices: true, signals: true };
        let folders = vec![PathBuf::from("/w"), PathBuf::from("/tmp")];
        let active = Standing::Active { support, folders, exposed: vec![PathBuf::from("/w/state")] };
        assert_eq!(
            active.to_string(),
            "files, sockets, devices, signals (Landlock ABI 7); headless commands write below /w and /tmp, and so \
             could change Flightdeck's own /w/state"
        );
        assert!(Standing::Missing(NoSandbox::TooOld(2)).to_string().contains("run without one: Landlock ABI 2"));
    }
}
