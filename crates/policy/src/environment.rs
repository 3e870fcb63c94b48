//! Which variables are harmless, and which change what programs are found, loaded or started.

/// Whether a variable only changes how a program speaks: its language, its colours, how much it logs.
#[must_use]
pub fn harmless_env(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "LANG",
        "LANGUAGE",
        "TERM",
        "COLORTERM",
        "TZ",
        "NO_COLOR",
        "FORCE_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CI",
        "COLUMNS",
        "LINES",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "RUST_TEST_THREADS",
        "CARGO_TERM_COLOR",
        "DEBUG",
        "NODE_ENV",
        "PYTHONUNBUFFERED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONIOENCODING",
        "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS",
        "SOURCE_DATE_EPOCH",
        "VERBOSE",
        "LOG_LEVEL",
        "LC_ALL",
    ];
    NAMES.contains(&name) || name.strip_prefix("LC_").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_uppercase()))
}

/// Whether setting a variable to this value only changes how a program speaks. Values count: a language can be the path of
/// a file that is loaded, and a time zone that of any file.
#[must_use]
pub fn harmless_setting(name: &str, value: &str) -> bool {
    const LONGEST: usize = 256;
    let made_of = |more: &str| value.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    let spoken = value.len() <= LONGEST && value.chars().all(|c| (' '..='~').contains(&c));
    harmless_env(name)
        && spoken
        && match name {
            "LANG" | "LANGUAGE" => made_of("_.@-:"),
            name if name.starts_with("LC_") => made_of("_.@-"),
            "TERM" => made_of("_.+-"),
            // A zone by its name, or the rules themselves; never a path.
            "TZ" => made_of("_+-/,.:<>") && !value.starts_with(['/', ':', '.']) && !value.contains(".."),
            "COLUMNS" | "LINES" | "RUST_TEST_THREADS" | "SOURCE_DATE_EPOCH" => made_of(""),
            "PYTHONIOENCODING" | "NODE_ENV" | "LOG_LEVEL" | "CARGO_TERM_COLOR" | "COLORTERM" => made_of("_.:-"),
            _ => true,
        }
}

/// Whether a variable lets other code run than the one that was named.
pub(crate) fn dangerous_env(name: &str) -> bool {
    DANGEROUS.contains(&name) || DANGEROUS_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Variables that name programs, or what programs load.
const DANGEROUS: &[&str] = &[
    "PATH",
    "BASH_ENV",
    "ENV",
    "IFS",
    "CDPATH",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PROMPT",
    "RPROMPT",
    "INPUTRC",
    "ZDOTDIR",
    "FPATH",
    "HISTFILE",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PYTHONINSPECT",
    "PYTHONWARNINGS",
    "PYTHONBREAKPOINT",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "PERLLIB",
    "RUBYOPT",
    "RUBYLIB",
    "LUA_INIT",
    "LUA_PATH",
    "LUA_CPATH",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "CLASSPATH",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "DOTNET_STARTUP_HOOKS",
    "PAGER",
    "MANPAGER",
    "SYSTEMD_PAGER",
    "EDITOR",
    "VISUAL",
    "FCEDIT",
    "SUDO_EDITOR",
    "SUDO_ASKPASS",
    "SSH_ASKPASS",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "LESSKEYIN",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "RES_OPTIONS",
    "TERMINFO",
    "MALLOC_TRACE",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "MAKEFLAGS",
    "GNUMAKEFLAGS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOC",
    "RUSTFLAGS",
    "CARGO_BUILD_RUSTC_WRAPPER",
    "GOFLAGS",
    "CC",
    "CXX",
    "LD",
    "AR",
    "TAR_OPTIONS",
    "RSYNC_RSH",
    "CVS_RSH",
    "XARGS",
    "GREP_OPTIONS",
    "RIPGREP_CONFIG_PATH",
    "VIMINIT",
    "EXINIT",
    "MYVIMRC",
    "npm_config_script_shell",
    "COMSPEC",
    "PATHEXT",
    "PSModulePath",
    "HOME",
    "XDG_CONFIG_HOME",
];

/// How the names of such variables begin.
const DANGEROUS_PREFIXES: &[&str] = &[
    "LD_",
    "DYLD_",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_ASKPASS",
    "GIT_PROXY",
    "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_ALTERNATE",
    "GIT_OBJECT",
    "GIT_TRACE",
    "BASH_FUNC_",
    "DOCKER_HOST",
    "KUBECONFIG",
];

/// Whether setting a variable to a value is dangerous. Some values of dangerous variables are daily work and run nothing
/// that would not run anyway: `GIT_PAGER=cat`, `PYTHONPATH=src`, `RUSTFLAGS="-D warnings"`.
pub(crate) fn dangerous_setting(name: &str, value: &str) -> bool {
    dangerous_env(name) && !mild(name, value)
}

fn mild(name: &str, value: &str) -> bool {
    const NODE: &[&str] = &[
        "--max-old-space-size",
        "--max_old_space_size",
        "--no-warnings",
        "--enable-source-maps",
        "--trace-warnings",
        "--no-deprecation",
        "--openssl-legacy-provider",
        "--stack-trace-limit",
        "--experimental-vm-modules",
        "--trace-deprecation",
        "--unhandled-rejections",
        "--max-http-header-size",
        "--dns-result-order",
        "--expose-gc",
    ];
    if matches!(name, "PS0" | "PS1" | "PS2" | "PS3" | "PS4" | "PROMPT" | "RPROMPT") {
        // A prompt is expanded like a command line.
        return !value.contains("$(") && !value.contains('`') && !value.contains("${");
    }
    if name == "IFS" {
        // `IFS= read` and `IFS=, read`: how lines are divided.
        return value.chars().all(|c| " \t\n,:;|".contains(c));
    }
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || " -_=.,:/+".contains(c));
    plain
        && match name {
            "PAGER" | "GIT_PAGER" | "MANPAGER" | "SYSTEMD_PAGER" => {
                matches!(value.split(' ').next(), Some("" | "cat" | "less" | "more"))
            }
            "EDITOR" | "VISUAL" | "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR" => {
                matches!(value, "" | "true" | ":" | "cat" | "vi" | "vim" | "nano")
            }
            "BROWSER" => matches!(value, "" | "none" | "true"),
            "HISTFILE" => matches!(value, "" | "/dev/null"),
            "NODE_OPTIONS" => value.split(' ').all(|flag| NODE.contains(&flag.split('=').next().unwrap_or_default())),
            "PYTHONPATH" | "NODE_PATH" | "PERL5LIB" | "RUBYLIB" => {
                value.split(':').all(|path| !path.starts_with('/') && !path.split('/').any(|part| part == ".."))
            }
            "RUSTFLAGS" => !value.contains("link"),
            "GOFLAGS" => !value.contains("exec"),
            "MAKEFLAGS" => value.starts_with("-j"),
            "CC" | "CXX" => {
                let stem = value.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
                matches!(stem, "cc" | "c++" | "gcc" | "g++" | "clang" | "clang++")
            }
            "PYTHONWARNINGS" => !value.contains('.'),
            name => name.starts_with("GIT_TRACE") && matches!(value, "0" | "1" | "true"),
        }
}

#[cfg(test)]
mod tests {
    use super::{dangerous_env, dangerous_setting, harmless_env, harmless_setting};

    #[test]
    fn values_count() {
        for (name, value) in [
            ("GIT_PAGER", "cat"),
            ("PAGER", "less -R"),
            ("GIT_EDITOR", "true"),
            ("PYTHONPATH", "src"),
            ("RUSTFLAGS", "-D warnings"),
            ("NODE_OPTIONS", "--max-old-space-size=4096"),
            ("CC", "clang-17"),
            ("MAKEFLAGS", "-j8"),
            ("IFS", ""),
            ("IFS", ","),
        ] {
            assert!(!dangerous_setting(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("GIT_PAGER", "sh x"),
            ("PAGER", "cat; x"),
            ("PAGER", "cat $(x)"),
            ("PYTHONPATH", "/x"),
            ("PYTHONPATH", "../x"),
            ("RUSTFLAGS", "-C linker=x"),
            ("NODE_OPTIONS", "--require=x"),
            ("NODE_OPTIONS", "--no-warnings -r x"),
            ("CC", "./x"),
            ("PATH", ""),
            ("LD_PRELOAD", "x"),
        ] {
            assert!(dangerous_setting(name, value), "{name}={value}");
        }
    }

    #[test]
    fn harmless_values() {
        for (name, value) in [
            ("LANG", "de_AT.UTF-8"),
            ("LC_ALL", "C"),
            ("TZ", "Europe/Vienna"),
            ("TZ", "CET-1CEST,M3.5.0,M10.5.0/3"),
            ("TERM", "xterm-256color"),
            ("COLUMNS", "120"),
            ("NO_COLOR", ""),
            ("CI", "true"),
            ("FORCE_COLOR", "1"),
            ("RUST_BACKTRACE", "full"),
            ("RUST_LOG", "app=debug,hyper::client=off"),
        ] {
            assert!(harmless_setting(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("LANG", "/tmp/evil"),
            ("LC_ALL", "../../tmp/evil"),
            ("LANGUAGE", "../x"),
            ("TZ", "/etc/shadow"),
            ("TZ", ":/etc/shadow"),
            ("TZ", "../../../etc/shadow"),
            ("TERM", "../x"),
            ("TERM", "x\u{1b}[2J"),
            ("COLUMNS", "$(id)"),
            ("CI", "a\nb"),
            ("FOO", "1"),
            ("PATH", "/usr/bin"),
            ("LD_PRELOAD", ""),
            ("GIT_DIR", "x"),
            ("PAGER", "cat"),
            ("EDITOR", "true"),
            ("PYTHONPATH", "src"),
            ("NODE_OPTIONS", ""),
            ("BASH_ENV", "x"),
            ("IFS", ","),
            ("CDPATH", "."),
            ("ENV", "x"),
            ("MAKEFLAGS", "-j8"),
        ] {
            assert!(!harmless_setting(name, value), "{name}={value}");
        }
    }

    #[test]
    fn no_variable_is_both() {
        for name in ["LANG", "LC_ALL", "LC_CTYPE", "TERM", "RUST_LOG", "NODE_ENV", "CI"] {
            assert!(harmless_env(name) && !dangerous_env(name), "{name}");
        }
        for name in
            ["PATH", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "GIT_SSH_COMMAND", "NODE_OPTIONS", "PAGER"]
        {
            assert!(dangerous_env(name) && !harmless_env(name), "{name}");
        }
        for name in ["FOO", "MY_TOKEN", "LC_", "LC_all;x", ""] {
            assert!(!dangerous_env(name), "{name}");
        }
        assert!(!harmless_env("LC_all") && !harmless_env("PATHX"));
    }
}
