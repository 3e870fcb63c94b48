//! Data that leaves, and doors that open.

use super::value::Value;
use super::write::remote;
use super::{Call, Here, Search};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    if let Some(reason) = sends(call, here).or_else(|| publishes(call)) {
        search.add(DangerKind::Exposes, here, reason);
    }
    pipes(search, call, here);
}

/// Programs that send data or let others in.
fn sends(call: &Call<'_>, here: &Here) -> Option<String> {
    let texts = call.texts;
    match call.name {
        "curl" => uploads(call).then(|| "curl sends a file".to_owned()),
        "wget" => texts
            .iter()
            .any(|text| text.starts_with("--post-file") || text.starts_with("--body-file"))
            .then(|| "wget sends a file".to_owned()),
        "http" | "https" | "xh" => texts
            .iter()
            .any(|text| text.contains("@/") || text.contains("@.") || text.contains("@~"))
            .then(|| format!("{} sends a file", call.name)),
        "nc" | "ncat" | "netcat" | "socat" => {
            let opens = call.name == "socat"
                || call.args.short('l')
                || call.args.short('e')
                || call.args.short('c')
                || call.args.long("exec")
                || call.args.long("listen");
            let sends = !matches!(here.input, super::Input::Open);
            let scans = call.args.short('z');
            ((opens || sends) && !scans && !texts.is_empty())
                .then(|| format!("{} sends data or lets others in", call.name))
        }
        "ssh" | "autossh" => {
            call.args.0.iter().any(|arg| arg.text.starts_with("-R")).then(|| "ssh -R lets others in".to_owned())
        }
        "scp" | "rsync" | "sftp" | "rclone" => {
            let last = call.args.operands().last();
            let rclone = call.name == "rclone"
                && call
                    .args
                    .subcommands()
                    .first()
                    .is_some_and(|sub| matches!(*sub, "copy" | "sync" | "move" | "copyto"));
            (last.is_some_and(|to| call.name != "sftp" && remote(&to.text)) || rclone)
                .then(|| format!("{} sends files to another machine", call.name))
        }
        "ngrok" | "cloudflared" | "localtunnel" | "lt" | "bore" | "frpc" | "tailscale" => {
            let opens = call.name != "tailscale" || call.args.any(&["funnel", "serve"]);
            (opens && !texts.is_empty() && !call.args.any(&["--version", "version", "help"]))
                .then(|| format!("{} lets others in", call.name))
        }
        "ftp" | "tftp" | "lftp" | "mail" | "sendmail" | "mutt" | "telnet" => {
            (!matches!(here.input, super::Input::Open)).then(|| format!("{} sends data", call.name))
        }
        _ => None,
    }
}

/// Programs that put files where others see them.
fn publishes(call: &Call<'_>) -> Option<String> {
    let texts = call.texts;
    match call.name {
        "gh" => (call.args.subcommands().starts_with(&["gist", "create"]))
            .then(|| "gh gist create publishes files".to_owned()),
        "aws" => (texts.windows(2).any(|pair| matches!(pair, ["s3", "cp" | "sync" | "mv"]))
            && texts.last().is_some_and(|to| to.starts_with("s3://")))
        .then(|| "aws s3 cp sends files".to_owned()),
        "gsutil" => (texts.iter().any(|text| matches!(*text, "cp" | "rsync" | "mv"))
            && texts.last().is_some_and(|to| to.starts_with("gs://")))
        .then(|| "gsutil cp sends files".to_owned()),
        name if name.starts_with("python") => {
            http_server(texts).then(|| "http.server shows the folder to the whole network".to_owned())
        }
        _ => None,
    }
}

fn http_server(texts: &[&str]) -> bool {
    let serves = texts.windows(2).any(|pair| matches!(pair, ["-m", "http.server" | "SimpleHTTPServer"]));
    let own = texts.windows(2).any(|pair| matches!(pair, ["-b" | "--bind", "127.0.0.1" | "localhost" | "::1"]));
    serves && !own
}

/// Whether curl sends what is in a file, or what another program prints.
fn uploads(call: &Call<'_>) -> bool {
    const DATA: &[&str] =
        &["-d", "--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json", "-F", "--form"];
    let args = call.args.0;
    let from_file = |value: &Value, flag: &str| {
        let text = value.text.as_str();
        match flag {
            "--data-raw" => false,
            "-F" | "--form" | "--data-urlencode" => {
                text.contains("=@")
                    || text.contains("=<")
                    || text.starts_with('@')
                    || (flag == "--data-urlencode" && text.contains('@'))
            }
            _ => text.starts_with('@'),
        }
    };
    args.iter().enumerate().any(|(index, arg)| {
        let text = arg.text.as_str();
        if text == "-T" || text.starts_with("--upload-file") || (text.starts_with("-T") && !text.starts_with("--")) {
            return true;
        }
        if DATA.contains(&text) {
            return args.get(index + 1).is_some_and(|value| from_file(value, text));
        }
        DATA.iter().any(|flag| {
            let joined = if flag.starts_with("--") {
                text.strip_prefix(flag).and_then(|rest| rest.strip_prefix('='))
            } else {
                text.strip_prefix(flag)
            };
            joined.is_some_and(|joined| !text.is_empty() && from_file(&Value::literal(joined), flag))
        })
    })
}

/// A private key or a secret that is piped to a program of the network is sent by the program behind it; the reading side is
/// noted here, where the name of the file is known.
fn pipes(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let reads = matches!(call.name, "cat" | "base64" | "xxd" | "head" | "tail" | "openssl" | "gpg");
    let key = || {
        call.args.0.iter().any(|arg| {
            let name = arg.text.rsplit('/').next().unwrap_or_default();
            matches!(name, "id_rsa" | "id_ed25519" | "id_ecdsa" | "id_dsa") || arg.text.ends_with("/etc/shadow")
        })
    };
    if reads && key() {
        search.add(DangerKind::Exposes, here, format!("{} shows a private key", call.name));
    }
}
