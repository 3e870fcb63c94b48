//! What can't be undone in the world outside: registries, clouds, clusters, databases, packages.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Call, Here, Search};
use crate::DangerKind;

/// Programs with the subcommands that can't be undone. Each word of a row must be among the first words, in this order.
const ROWS: &[(&str, &[&[&str]])] = &[
    ("npm", &[&["publish"], &["unpublish"], &["deprecate"], &["owner", "rm"], &["access"], &["token", "revoke"]]),
    ("yarn", &[&["publish"], &["npm", "publish"]]),
    ("pnpm", &[&["publish"], &["unpublish"]]),
    ("bun", &[&["publish"]]),
    ("cargo", &[&["publish"], &["yank"], &["owner"]]),
    ("twine", &[&["upload"]]),
    ("poetry", &[&["publish"]]),
    ("uv", &[&["publish"]]),
    ("flit", &[&["publish"]]),
    ("hatch", &[&["publish"]]),
    ("gem", &[&["push"], &["yank"]]),
    ("mvn", &[&["deploy"], &["release:perform"]]),
    ("dotnet", &[&["nuget", "push"], &["nuget", "delete"]]),
    ("nuget", &[&["push"], &["delete"]]),
    ("mix", &[&["hex.publish"]]),
    ("docker", &[&["push"], &["volume", "rm"], &["volume", "prune"], &["compose", "down", "-v"]]),
    ("podman", &[&["push"], &["volume", "rm"], &["volume", "prune"]]),
    ("terraform", &[&["destroy"], &["apply"], &["state", "rm"], &["workspace", "delete"], &["force-unlock"]]),
    ("tofu", &[&["destroy"], &["apply"], &["state", "rm"]]),
    ("terragrunt", &[&["destroy"], &["apply"], &["run-all", "destroy"]]),
    ("pulumi", &[&["destroy"], &["up"], &["stack", "rm"]]),
    ("cdk", &[&["destroy"], &["deploy"]]),
    ("serverless", &[&["remove"], &["deploy"]]),
    ("kubectl", &[&["delete"], &["drain"], &["replace"], &["cordon"]]),
    ("oc", &[&["delete"]]),
    ("helm", &[&["delete"], &["uninstall"], &["rollback"]]),
    (
        "gh",
        &[
            &["repo", "delete"],
            &["release", "delete"],
            &["repo", "archive"],
            &["secret", "delete"],
            &["run", "delete"],
            &["issue", "delete"],
            &["cache", "delete"],
        ],
    ),
    ("glab", &[&["repo", "delete"], &["release", "delete"]]),
    ("heroku", &[&["apps:destroy"], &["pg:reset"], &["destroy"]]),
    ("flyctl", &[&["destroy"], &["apps", "destroy"]]),
    ("fly", &[&["destroy"], &["apps", "destroy"]]),
    ("vercel", &[&["remove"], &["rm"]]),
    ("netlify", &[&["sites:delete"]]),
    ("firebase", &[&["deploy"], &["firestore:delete"]]),
    ("vault", &[&["delete"], &["kv", "destroy"], &["secrets", "disable"]]),
    ("etcdctl", &[&["del"]]),
    ("consul", &[&["kv", "delete"]]),
    ("apt", &[&["remove"], &["purge"], &["autoremove"]]),
    ("apt-get", &[&["remove"], &["purge"], &["autoremove"], &["dist-upgrade"]]),
    ("dnf", &[&["remove"], &["erase"]]),
    ("yum", &[&["remove"], &["erase"]]),
    ("brew", &[&["uninstall"], &["remove"]]),
    ("snap", &[&["remove"]]),
    ("flatpak", &[&["uninstall"]]),
    ("pacman", &[]),
    ("winget", &[&["uninstall"]]),
    ("choco", &[&["uninstall"]]),
    ("zfs", &[&["destroy"], &["rollback"]]),
    ("zpool", &[&["destroy"]]),
    ("virsh", &[&["undefine"], &["destroy"]]),
    ("vagrant", &[&["destroy"]]),
    ("ollama", &[&["rm"]]),
];

/// The rows by their programs.
static BY_NAME: LazyLock<HashMap<&str, &[&[&str]]>> = LazyLock::new(|| ROWS.iter().copied().collect());

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let texts = call.texts;
    if texts.iter().any(|text| matches!(*text, "--dry-run" | "--help" | "--dry-run=client" | "--dry-run=server" | "-h"))
        && call.name != "psql"
        && call.name != "mysql"
    {
        return;
    }
    let row = BY_NAME.get(call.name).and_then(|rows| {
        let words: Vec<&str> = texts.iter().copied().filter(|text| !text.starts_with("--")).take(8).collect();
        rows.iter().find(|row| in_order(&words, row))
    });
    if let Some(row) = row {
        return search.add(DangerKind::Irreversible, here, format!("{} {} can't be undone", call.name, row.join(" ")));
    }
    if other(call, texts) {
        search.add(DangerKind::Irreversible, here, format!("what {} does here can't be undone", call.name));
    }
    if let Some(statement) = sql(call, here) {
        search.add(DangerKind::Irreversible, here, format!("the statement deletes data: {statement}"));
    }
}

/// Whether the words of a row are there; the first must be the first word that is no flag or its value.
fn in_order(words: &[&str], row: &[&str]) -> bool {
    let mut words = words.iter().take(if row.len() == 1 { 3 } else { 6 });
    row.iter().all(|wanted| words.any(|word| word == wanted))
}

fn other(call: &Call<'_>, texts: &[&str]) -> bool {
    let sub = || call.args.subcommands();
    match call.name {
        "docker" | "podman" | "nerdctl" => {
            let prunes = texts.contains(&"prune")
                && (call.args.short('a')
                    || call.args.long("all")
                    || call.args.long("volumes")
                    || sub().first() == Some(&"system"));
            let removes =
                (texts.contains(&"rm") || texts.contains(&"rmi")) && (call.args.short('f') || call.args.long("force"));
            let compose = texts.contains(&"down") && (call.args.short('v') || call.args.long("volumes"));
            prunes || removes || compose
        }
        "docker-compose" => texts.contains(&"down") && (call.args.short('v') || call.args.long("volumes")),
        "aws" => {
            let s3 = texts.windows(2).any(|pair| matches!(pair, ["s3", "rm" | "rb"]));
            s3 || texts.get(1).or(texts.first()).is_some_and(|_| {
                texts.iter().take(4).any(|text| {
                    text.starts_with("delete-") || text.starts_with("terminate-") || text.starts_with("deregister-")
                })
            })
        }
        "gcloud" | "az" | "doctl" | "linode-cli" | "hcloud" | "oci" | "ibmcloud" => {
            sub().iter().any(|text| matches!(*text, "delete" | "destroy" | "purge")) || texts.contains(&"delete")
        }
        "gsutil" => texts.iter().any(|text| matches!(*text, "rm" | "rb")),
        "s3cmd" | "mc" | "rclone" => {
            sub().first().is_some_and(|text| matches!(*text, "del" | "rb" | "rm" | "purge" | "delete" | "deletefile"))
        }
        "dropdb" | "dropuser" | "pg_dropcluster" => true,
        "redis-cli" | "valkey-cli" => {
            texts.iter().any(|text| matches!(text.to_ascii_lowercase().as_str(), "flushall" | "flushdb" | "shutdown"))
        }
        "mongo" | "mongosh" => texts
            .iter()
            .any(|text| ["dropDatabase", ".drop(", "deleteMany", "remove({"].iter().any(|word| text.contains(word))),
        "gh" => {
            texts.first() == Some(&"api") && texts.windows(2).any(|pair| matches!(pair, ["-X" | "--method", "DELETE"]))
        }
        "pacman" => texts.first().is_some_and(|flag| flag.starts_with("-R")),
        "rails" | "rake" | "prisma" | "bin/rails" => {
            texts.iter().any(|text| matches!(*text, "db:drop" | "db:reset" | "db:purge"))
                || (texts.contains(&"reset") && texts.contains(&"migrate"))
        }
        "npx" => texts.contains(&"publish") || (texts.contains(&"prisma") && texts.contains(&"reset")),
        "manage.py" | "django-admin" => texts.contains(&"flush") || texts.contains(&"reset_db"),
        "artisan" => texts.contains(&"migrate:fresh") || texts.contains(&"db:wipe"),
        _ => false,
    }
}

/// A statement that deletes, given to a client of a database.
fn sql(call: &Call<'_>, here: &Here) -> Option<String> {
    if !matches!(
        call.name,
        "psql"
            | "mysql"
            | "mariadb"
            | "sqlite3"
            | "sqlcmd"
            | "cockroach"
            | "clickhouse-client"
            | "duckdb"
            | "sqlite"
            | "bq"
            | "snowsql"
            | "cqlsh"
    ) {
        return None;
    }
    let input = if let super::Input::Text(text) = &here.input { Some(&**text) } else { None };
    let texts = call.texts;
    texts.iter().copied().chain(input).flat_map(|text| text.split(';')).map(str::trim).find_map(|statement| {
        let words: Vec<String> = statement.split_whitespace().take(4).map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words
            .iter()
            .map(|word| {
                word.trim_start_matches("--command=")
                    .trim_start_matches("--execute=")
                    .trim_start_matches("-c")
                    .trim_start_matches("-e")
            })
            .collect();
        let lower = statement.to_ascii_lowercase();
        let deletes = match words.as_slice() {
            ["drop" | "truncate", ..] => words.len() > 1,
            ["delete", "from", ..] => !lower.contains(" where "),
            ["update", ..] => lower.contains(" set ") && !lower.contains(" where "),
            ["alter", "table", ..] => lower.contains(" drop "),
            _ => false,
        };
        deletes.then(|| statement.chars().take(60).collect())
    })
}
