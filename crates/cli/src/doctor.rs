//! `flightdeck doctor`: what this machine has, what it lacks, and what follows.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use flightdeck_core::{Choice, Loaded, Settings, Standing, Workspace};
use flightdeck_view::shown::visible;
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};
use serde::Serialize;
use serde_json::Value;

use crate::{find, style};

/// Below this a flood of output would soon stall.
const LITTLE_SPACE: u64 = 1 << 30;
/// Each terminal takes two or three descriptors in the keeper.
const FEW_FILES: u64 = 4096;

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Level {
    Ok,
    Note,
    Problem,
}

#[derive(Debug, Serialize)]
struct Finding {
    name: &'static str,
    level: Level,
    text: String,
}

pub async fn run(workspace: &Workspace, json: bool) -> anyhow::Result<ExitCode> {
    let mut findings = vec![Finding { name: "version", level: Level::Ok, text: env!("CARGO_PKG_VERSION").to_owned() }];
    let status = status(workspace).await;
    findings.push(hub(workspace, &status));
    findings.push(database(&status));
    findings.push(folders(workspace));
    findings.push(space(workspace));
    findings.push(files());
    let Loaded { settings, problem } = Settings::look(&Settings::path(), &workspace.good_settings());
    findings.push(settings_file(problem));
    findings.push(sandbox(workspace, &settings));
    findings.push(tabs(&settings));
    for (name, integrated) in [("bash", true), ("zsh", true), ("fish", true), ("dash", true), ("tmux", false)] {
        findings.push(tool(name, integrated));
    }
    findings.push(pseudo_terminals());
    let failed = findings.iter().any(|finding| matches!(finding.level, Level::Problem));
    if json {
        outln!("{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        let style = style::stdout();
        for finding in &findings {
            let sign = match finding.level {
                Level::Ok => style.green("ok  "),
                Level::Note => style.yellow("note"),
                Level::Problem => style.red("FAIL"),
            };
            outln!("{sign}  {:<10} {}", finding.name, finding.text)?;
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What the hub says of itself; `None` when none runs.
async fn status(workspace: &Workspace) -> anyhow::Result<Option<Value>> {
    let client = find::running(workspace).await?;
    let Some(client) = &client else { return Ok(None) };
    Ok(Some(client.call::<Value>("flightdeck.hub.status", &serde_json::json!({})).await?))
}

fn hub(workspace: &Workspace, status: &anyhow::Result<Option<Value>>) -> Finding {
    let (level, text) = match status {
        Ok(Some(status)) => (
            Level::Ok,
            format!(
                "process {} serves {}, keeper process {}, {} terminals running",
                status["pid"],
                workspace.root().display(),
                status["keeperPid"],
                status["running"]
            ),
        ),
        Ok(None) => (Level::Ok, format!("none serves {} yet: it is started when needed", workspace.root().display())),
        Err(error) => (Level::Problem, format!("{error:#}")),
    };
    Finding { name: "hub", level, text }
}

/// What has happened to the database. The hub looks when it starts; no other program may open the file.
fn database(status: &anyhow::Result<Option<Value>>) -> Finding {
    let problems: Vec<String> = match status {
        Ok(Some(status)) => status["database"].as_array().into_iter().flatten().map(problem).collect(),
        Ok(None) | Err(_) => {
            return Finding {
                name: "database",
                level: Level::Ok,
                text: "checked when the hub starts, and none answers now".to_owned(),
            };
        }
    };
    if problems.is_empty() {
        Finding { name: "database", level: Level::Ok, text: "the one that the hub has written".to_owned() }
    } else {
        Finding { name: "database", level: Level::Problem, text: problems.join("; ") }
    }
}

fn problem(problem: &Value) -> String {
    let part = |name: &str| visible(problem[name].as_str().unwrap_or_default());
    format!("{}: {}", part("text"), part("hint"))
}

fn settings_file(problem: Option<String>) -> Finding {
    let path = Settings::path();
    let (level, text) = match problem {
        Some(problem) => (Level::Problem, problem),
        None if path.exists() => (Level::Ok, path.display().to_string()),
        None => (Level::Ok, format!("the defaults: there is no {}", path.display())),
    };
    Finding { name: "settings", level, text }
}

fn folders(workspace: &Workspace) -> Finding {
    let both = || format!("{} and {}", workspace.runtime().display(), workspace.state().display());
    let (level, text) = match workspace.check() {
        Ok(true) => (Level::Ok, both()),
        Ok(false) => (Level::Ok, format!("{}: made when needed", both())),
        Err(error) => (Level::Problem, error.to_string()),
    };
    Finding { name: "folders", level, text }
}

fn space(workspace: &Workspace) -> Finding {
    // The folder may not be there yet.
    let there = workspace.state().ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let (level, text) = match statvfs(there) {
        Ok(stat) => {
            let free = stat.f_bavail * stat.f_frsize;
            let text = format!("{} MiB free for logs", free >> 20);
            if free < LITTLE_SPACE {
                (Level::Note, format!("{text}: when it is full, programs wait until there is room"))
            } else {
                (Level::Ok, text)
            }
        }
        Err(error) => (Level::Problem, format!("the disk of {} can't be asked: {error}", there.display())),
    };
    Finding { name: "disk", level, text }
}

fn files() -> Finding {
    let limit = getrlimit(Resource::Nofile).maximum;
    match limit {
        Some(limit) if limit < FEW_FILES => Finding {
            name: "files",
            level: Level::Note,
            text: format!("at most {limit} open files: room for about {} terminals (ulimit -Hn)", limit / 3),
        },
        limit => Finding {
            name: "files",
            level: Level::Ok,
            text: limit.map_or("no limit".to_owned(), |limit| format!("at most {limit} open files")),
        },
    }
}

fn sandbox(workspace: &Workspace, settings: &Settings) -> Finding {
    let standing = Standing::of(workspace, settings);
    let level = match &standing {
        Standing::Active { exposed, .. } if exposed.is_empty() => Level::Ok,
        Standing::Active { .. } | Standing::Off | Standing::Missing(_) => Level::Note,
        Standing::Refusing(_) => Level::Problem,
    };
    Finding { name: "sandbox", level, text: standing.to_string() }
}

fn tabs(settings: &Settings) -> Finding {
    let choice = Choice::of(&settings.tabs);
    let level = match &choice {
        Choice::Tmux(_) | Choice::Pty => Level::Ok,
        Choice::Instead(_) => Level::Note,
        Choice::Nowhere(_) => Level::Problem,
    };
    Finding { name: "tabs", level, text: choice.to_string() }
}

fn tool(name: &'static str, integrated: bool) -> Finding {
    let Some(path) = find_program(name) else {
        let text = if integrated { "not installed: nothing needs it" } else { "not installed: tabs run without it" };
        return Finding { name, level: Level::Note, text: text.to_owned() };
    };
    let version = match name {
        // It has no way to tell.
        "dash" => String::new(),
        "tmux" => first_line(&path, "-V"),
        _ => first_line(&path, "--version"),
    };
    Finding { name, level: Level::Ok, text: format!("{} {version}", path.display()).trim_end().to_owned() }
}

fn pseudo_terminals() -> Finding {
    let number = |path: &str| std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<u64>().ok());
    let used = number("/proc/sys/kernel/pty/nr").unwrap_or(0);
    match number("/proc/sys/kernel/pty/max") {
        Some(max) if Path::new("/dev/ptmx").exists() => {
            Finding { name: "ptys", level: Level::Ok, text: format!("{used} of {max} in use") }
        }
        _ => Finding {
            name: "ptys",
            level: Level::Problem,
            text: "/dev/ptmx is missing: mount devpts on /dev/pts".to_owned(),
        },
    }
}

fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|candidate| candidate.is_file())
}

fn first_line(program: &Path, flag: &str) -> String {
    let Ok(output) = Command::new(program).arg(flag).output() else { return String::new() };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().unwrap_or_default().to_owned()
}
