//! Reading the settings. A file that is wrong stops nothing: the last good settings stay, and the problem is named.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Settings;

/// A longer file was not written by a person.
const LONGEST: u64 = 1 << 20;

/// How much of a wrong line is shown.
const SHOWN: usize = 80;

/// A file that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// It can't be read.
    #[error("the settings {path} can't be read: {source}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It says something that there is no sense in.
    #[error("the settings are not right: {place}: {problem}", place = place(path, *line))]
    Invalid {
        /// Which file.
        path: PathBuf,
        /// In which line, counted from one, where that is known.
        line: Option<usize>,
        /// Why.
        problem: String,
    },
}

/// As editors and compilers write it: `settings.toml:3`.
fn place(path: &Path, line: Option<usize>) -> String {
    line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()))
}

/// The settings that are in force, and what is wrong with the file if they are not those in it.
#[derive(Debug)]
pub struct Loaded {
    /// What counts.
    pub settings: Settings,
    /// What is wrong, where, and what counts instead.
    pub problem: Option<String>,
}

impl Settings {
    /// What the file says; the defaults when there is none.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        parse(path, &read(path)?)
    }

    /// What the file says, or what it said when it was last right, or the defaults. What is right is kept in `last_good`,
    /// a file of the hub's own.
    pub fn load_or_keep(path: &Path, last_good: &Path) -> Loaded {
        load_with(path, last_good, |text| {
            if std::fs::read_to_string(last_good).ok().as_deref() != Some(text) {
                // Without it the defaults count after the next mistake.
                let _ = keep(last_good, text);
            }
        })
    }

    /// The same for a look, which leaves nothing behind.
    pub fn look(path: &Path, last_good: &Path) -> Loaded {
        load_with(path, last_good, |_| ())
    }
}

fn load_with(path: &Path, last_good: &Path, keep_right: impl Fn(&str)) -> Loaded {
    let error = match read(path).and_then(|text| Ok((parse(path, &text)?, text))) {
        Ok((settings, text)) => {
            keep_right(&text);
            return Loaded { settings, problem: None };
        }
        Err(error) => error,
    };
    let kept = std::fs::read_to_string(last_good).ok().and_then(|text| parse(last_good, &text).ok());
    let instead = if kept.is_some() { "the last good ones stay in force" } else { "the defaults are in force" };
    Loaded { settings: kept.unwrap_or_default(), problem: Some(format!("{error}; {instead}")) }
}

fn read(path: &Path) -> Result<String, SettingsError> {
    let failed = |source| SettingsError::Read { path: path.to_owned(), source };
    match std::fs::metadata(path) {
        Ok(meta) if meta.len() > LONGEST => return Err(failed(io::ErrorKind::FileTooLarge.into())),
        _ => {}
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(source) => Err(failed(source)),
    }
}

fn parse(path: &Path, text: &str) -> Result<Settings, SettingsError> {
    let invalid = |line, problem| SettingsError::Invalid { path: path.to_owned(), line, problem };
    let settings: Settings = toml::from_str(text).map_err(|error| {
        let problem = error.message().lines().collect::<Vec<_>>().join(" ");
        let line = error.span().map(|span| line_of(text, &span));
        let written = line.and_then(|line| text.lines().nth(line - 1)).map_or_else(String::new, |written| {
            let shown: String = written.trim().chars().filter(|c| !c.is_control()).take(SHOWN).collect();
            format!(" in `{shown}`")
        });
        invalid(line, problem + &written)
    })?;
    settings.check().map_err(|problem| invalid(line_named(text, &problem), problem))?;
    Ok(settings)
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

/// The line that sets the first value which a problem names, such as `limits.burst`.
fn line_named(text: &str, problem: &str) -> Option<usize> {
    let sets = |key: &str| {
        let is_it =
            |line: &str| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
        text.lines().position(is_it).map(|index| index + 1)
    };
    problem
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .filter_map(|word| word.trim_end_matches('.').rsplit('.').next().filter(|key| !key.is_empty()))
        .find_map(sets)
}

/// Written beside and moved into its place: a hub that starts at the same moment reads the old or the new one.
fn keep(path: &Path, text: &str) -> io::Result<()> {
    let fresh = path.with_extension(format!("new-{}", std::process::id()));
    std::fs::write(&fresh, text)?;
    std::fs::rename(fresh, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_by_its_line_and_the_last_good_settings_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (path, good) = (dir.path().join("settings.toml"), dir.path().join("good.toml"));
        std::fs::write(&path, "[limits]\nat_onse = 3\n").unwrap();
        let first = Settings::load_or_keep(&path, &good);
        assert_eq!(first.settings, Settings::default());
        let problem = first.problem.unwrap();
        assert!(problem.contains("settings.toml:2: unknown field `at_onse`"), "{problem}");
        assert!(problem.ends_with("the defaults are in force") && !problem.contains('\n'), "{problem}");
        std::fs::write(&path, "[limits]\nat_once = 3\n").unwrap();
        let right = Settings::load_or_keep(&path, &good);
        assert_eq!((right.settings.limits.at_once, right.problem), (3, None));
        for (text, place) in [
            ("[limits]\nat_once = 3\n\n[audit]\ndays = 0\n", "settings.toml:5: audit.days"),
            ("[limits]\nat_once = \n", "settings.toml:2: "),
            ("[files]\ndeny = [\"a[\"]\n", "settings.toml"),
            ("[limits]\nburst = nan\n", "settings.toml:2: limits.burst"),
        ] {
            std::fs::write(&path, text).unwrap();
            let wrong = Settings::load_or_keep(&path, &good);
            assert_eq!(wrong.settings.limits.at_once, 3, "{text}");
            let problem = wrong.problem.unwrap();
            assert!(problem.contains(place) && problem.ends_with("the last good ones stay in force"), "{problem}");
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Settings::load_or_keep(&path, &good).settings, Settings::default(), "none is no mistake");
    }

    fn load(text: &str) -> Result<Settings, SettingsError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        std::fs::write(&path, text).unwrap();
        Settings::load(&path)
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        assert_eq!(Settings::load(Path::new("/nowhere/settings.toml")).unwrap(), Settings::default());
        let settings = load("[limits]\nat_once = 3\n").unwrap();
        assert_eq!((settings.limits.at_once, settings.limits.queue, settings.audit.days), (3, 50, 90));
    }

    #[test]
    fn nonsense_is_refused_and_named() {
        for (text, named) in [
            ("[limits]\nat_onse = 3", "at_onse"),
            ("[limits]\nat_once = \"3\"", "at_once"),
            ("[limits]\nat_once = 0", "at_once"),
            ("[limits]\nburst = nan", "burst"),
            ("[limits]\nterminals = 0", "terminals"),
            ("[agents]\ngrace_seconds = -1", "grace_seconds"),
            ("[http]\naddress = \"localhost\"", "address"),
            ("[audit]\ndays = 0", "days"),
            ("[sandbox]\nenabled = false\nrequired = true", "sandbox.required"),
            ("[sandbox]\nwrite = [\"cache\"]", "sandbox.write"),
            ("[tabs]\nper_agent = 0", "per_agent"),
            ("[tabs]\nlog_bytes = 1000", "log_bytes"),
            ("[files]\ndeny = \"*.key\"", "deny"),
            ("[files]\nundo_entries = 0", "undo_entries"),
            ("[tabs]\nbackend = \"screen\"", "backend"),
            ("[tabs]\ntmux_attach = \"a:b\"", "tmux_attach"),
            ("[tabs]\ntmux_attach = \"a\"\nbackend = \"pty\"", "tmux_attach"),
            ("[tabs]\ntmux_socket = \"a/b\"", "tmux_socket"),
            ("limits = [", "limits"),
        ] {
            let error = load(text).unwrap_err().to_string();
            assert!(error.contains(named) && error.contains("settings.toml"), "{text}: {error}");
        }
    }
}
