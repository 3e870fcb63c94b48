//! What the machine is doing: processes, without their environments.

use super::flags::Flags;

const PGREP: Flags = Flags {
    short: "laficnvxo",
    valued: "uP",
    long: &["list-name", "list-full", "count", "exact", "full", "newest", "oldest"],
    long_valued: &[],
    number: false,
};

/// Columns of `ps -o`.
const COLUMNS: &[&str] = &[
    "pid", "ppid", "pgid", "sid", "user", "uid", "group", "gid", "comm", "cmd", "args", "command", "ucmd", "pcpu",
    "%cpu", "pmem", "%mem", "rss", "vsz", "sz", "stat", "state", "s", "start", "lstart", "etime", "etimes", "time",
    "cputime", "tty", "tt", "nice", "ni", "pri", "psr", "nlwp", "wchan",
];

/// Whether a program tells nothing but what runs.
pub(super) fn proven(program: &str, args: &[&str]) -> bool {
    match program {
        "ps" => ps(args),
        "pgrep" => PGREP.parse(args).is_some(),
        _ => false,
    }
}

/// Flags come in two styles. Without a dash an `e` shows the environments of processes, in which secrets are, and where one
/// flag of the other style is wrong, all are read in this one: so each must be right.
fn ps(args: &[&str]) -> bool {
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let fine = match *arg {
            "-o" | "-eo" | "-Ao" | "-axo" | "o" | "axo" | "--format" => rest.next().is_some_and(|value| columns(value)),
            "-p" | "-u" | "-C" | "--pid" | "--ppid" | "-t" => rest.next().is_some_and(|value| listed(value)),
            "--forest" | "--no-headers" => true,
            "--sort" => rest.next().is_some_and(|value| sorted(value)),
            arg => match (arg.strip_prefix("--sort="), arg.strip_prefix('-')) {
                (Some(value), _) => sorted(value),
                (None, Some(flags)) => !flags.is_empty() && flags.chars().all(|c| "efAadlFjHLTwy".contains(c)),
                (None, None) => !arg.is_empty() && arg.chars().all(|c| "auxfwjl".contains(c)),
            },
        };
        if !fine {
            return false;
        }
    }
    true
}

fn columns(value: &str) -> bool {
    value.split(',').all(|column| COLUMNS.contains(&column.trim_end_matches('=')))
}

fn sorted(value: &str) -> bool {
    value.split(',').all(|column| COLUMNS.contains(&column.trim_start_matches(['-', '+'])))
}

fn listed(value: &str) -> bool {
    !value.is_empty()
        && value.chars().all(|c| c.is_ascii_alphanumeric() || ",_./-".contains(c))
        && !value.starts_with('-')
}
