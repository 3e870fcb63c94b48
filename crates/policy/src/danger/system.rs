//! Rights, processes, the machine itself, and what stays after the session.

use super::{Call, Here, Search};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    match call.name {
        "sudo" | "doas" | "su" | "pkexec" | "runuser" | "gsudo" | "sudoedit" | "run0" | "please" | "visudo" | "sg"
        | "newgrp"
            if !only_version(call) =>
        {
            search.add(DangerKind::Privilege, here, format!("{} acts with the rights of somebody else", call.name));
        }
        "chroot" | "nsenter" | "setcap" | "setpriv" | "capsh" => {
            search.add(DangerKind::Privilege, here, format!("{} changes what rights a program has", call.name));
        }
        "passwd" | "usermod" | "useradd" | "userdel" | "groupadd" | "groupdel" | "gpasswd" | "chpasswd" | "adduser"
        | "deluser" | "vipw" | "chsh" => {
            search.add(DangerKind::Privilege, here, format!("{} changes users and their rights", call.name));
        }
        "insmod" | "rmmod" | "modprobe" | "sysctl" | "mount" | "umount" | "iptables" | "nft" | "ufw" | "ip6tables"
        | "swapoff" | "setenforce" | "firewall-cmd" | "csrutil" | "spctl" | "kexec" => machine(search, call, here),
        "flightdeck" => self_approval(search, call, here),
        _ => {}
    }
    permissions(search, call, here);
    processes(search, call, here);
    later(search, call, here);
}

fn only_version(call: &Call<'_>) -> bool {
    let texts = call.texts;
    texts.len() == 1 && matches!(texts[0], "--version" | "-V" | "--help" | "-h")
}

fn machine(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let shows = match call.name {
        "mount" => call.args.0.is_empty() || call.texts == ["-l"],
        "sysctl" => {
            !call.args.short('w') && !call.args.short('p') && !call.args.0.iter().any(|arg| arg.text.contains('='))
        }
        "iptables" | "ip6tables" => call.args.short('L') || call.args.short('S'),
        "nft" | "ufw" | "firewall-cmd" => call.args.any(&["list", "status", "--state", "--list-all"]),
        "csrutil" | "spctl" => call.args.any(&["status", "--status"]),
        _ => false,
    };
    if !shows && !only_version(call) {
        search.add(DangerKind::Privilege, here, format!("{} changes the machine", call.name));
    }
}

/// An agent must not answer for a person.
fn self_approval(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let words = call.args.subcommands();
    let all = call.texts;
    let approves = all.iter().any(|word| matches!(*word, "approve" | "consent" | "approvals"));
    let changes = words.first() == Some(&"policy")
        && words
            .get(1)
            .is_some_and(|word| matches!(*word, "add" | "set" | "remove" | "edit" | "allow" | "accept" | "reject"));
    let leases = words.first() == Some(&"lease") || words.first() == Some(&"leases");
    let for_people = ["approve", "consent", "policy.add", "policy.accept", "policy.reject", "lease"];
    let by_call =
        words.first() == Some(&"call") && all.iter().any(|word| for_people.iter().any(|name| word.contains(name)));
    if approves || changes || by_call || (leases && words.len() > 1 && words.get(1) != Some(&"list")) {
        search.never(DangerKind::SelfApproval, here, "only a person may approve, consent or change the policy");
    }
}

fn permissions(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let recursive = || call.args.short('R') || call.args.long("recursive");
    match call.name {
        "chmod" | "gchmod" => {
            let mode = call
                .args
                .0
                .iter()
                .map(|arg| arg.text.as_str())
                .find(|text| !(text.starts_with("--") || text.starts_with('-') && text.contains('R')));
            let mode = mode.unwrap_or_default();
            if open_mode(mode) {
                search.add(DangerKind::Permissions, here, format!("chmod {mode} gives rights to everybody"));
            } else if special_mode(mode) {
                search.add(
                    DangerKind::Permissions,
                    here,
                    format!("chmod {mode} lets a program act with its owner's rights"),
                );
            } else if recursive() {
                search.add(DangerKind::Permissions, here, "chmod -R changes the rights of everything below a folder");
            }
        }
        "chown" | "chgrp" | "chattr" | "setfacl" | "gchown"
            if (recursive() || call.name == "setfacl" || (call.name == "chattr" && !call.args.0.is_empty())) =>
        {
            search.add(DangerKind::Permissions, here, format!("{} gives files away", call.name));
        }
        "umask"
            if call.texts.first().is_some_and(|mask| mask.trim_start_matches('0').is_empty())
                && !call.args.0.is_empty() =>
        {
            search.add(DangerKind::Permissions, here, "umask 0 lets everybody write to new files");
        }
        "icacls" | "takeown" | "cacls" if !call.args.0.is_empty() => {
            search.add(DangerKind::Permissions, here, format!("{} changes who may use files", call.name));
        }
        _ => {}
    }
}

/// Whether everybody may write.
fn open_mode(mode: &str) -> bool {
    if mode.chars().all(|c| c.is_digit(8)) && !mode.is_empty() {
        return mode.chars().last().is_some_and(|c| matches!(c, '2' | '3' | '6' | '7')) && mode.len() >= 3;
    }
    mode.split(',').any(|part| {
        part.split_once(['+', '='])
            .is_some_and(|(who, what)| what.contains('w') && (who.contains('o') || who.contains('a')))
    })
}

fn special_mode(mode: &str) -> bool {
    let digits = mode.chars().all(|c| c.is_digit(8));
    let special = mode.len() == 4 && matches!(mode.as_bytes().first(), Some(b'2' | b'4' | b'6' | b'7'));
    (digits && special)
        || mode.split(',').any(|part| {
            part.contains(['+', '=']) && part.contains('s') && part.chars().all(|c| "ugoa+=rwxstX".contains(c))
        })
}

fn processes(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let texts = call.texts;
    let reason = match call.name {
        "kill" => {
            let all = texts.iter().enumerate().any(|(index, text)| *text == "-1" && index > 0)
                || texts.ends_with(&["0"])
                || texts.contains(&"1");
            all.then(|| "it ends processes of the whole user or the machine".to_owned())
        }
        "killall5" => Some("killall5 ends every process".to_owned()),
        "pkill" | "killall" | "skill" => (!texts.is_empty() && !matches!(texts[0], "-l" | "--list" | "-0"))
            .then(|| format!("{} ends all programs with that name, whoever started them", call.name)),
        "shutdown" | "reboot" | "halt" | "poweroff" | "telinit" => {
            (!only_version(call)).then(|| format!("{} stops the machine", call.name))
        }
        "init" => texts
            .first()
            .is_some_and(|level| matches!(*level, "0" | "6" | "1"))
            .then(|| "init 0 stops the machine".to_owned()),
        "systemctl" | "loginctl" => call
            .args
            .subcommands()
            .first()
            .filter(|sub| {
                matches!(
                    **sub,
                    "stop"
                        | "disable"
                        | "mask"
                        | "kill"
                        | "reboot"
                        | "poweroff"
                        | "halt"
                        | "suspend"
                        | "hibernate"
                        | "isolate"
                        | "restart"
                        | "terminate-user"
                        | "terminate-session"
                        | "emergency"
                        | "rescue"
                )
            })
            .map(|sub| format!("systemctl {sub} stops something that others use")),
        "service" | "rc-service" => texts
            .iter()
            .any(|text| matches!(*text, "stop" | "restart"))
            .then(|| "it stops a service that others use".to_owned()),
        "fuser" => call.args.short('k').then(|| "fuser -k ends all programs that use a file".to_owned()),
        "xkill" | "tskill" | "taskkill" => Some(format!("{} ends programs, whoever started them", call.name)),
        "tmux" | "screen" => (texts.contains(&"kill-server") || texts.contains(&"quit"))
            .then(|| format!("{} ends all its sessions", call.name)),
        _ => None,
    };
    if let Some(reason) = reason {
        search.add(DangerKind::StopsOthers, here, reason);
    }
}

/// What runs after the session.
fn later(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let texts = call.texts;
    let stays = match call.name {
        "crontab" => !call.args.short('l'),
        "at" | "batch" => !texts.is_empty() || call.name == "batch",
        "systemd-run" | "launchctl" | "schtasks" | "anacron" => {
            !texts.iter().any(|text| matches!(*text, "list" | "/query" | "print"))
        }
        "systemctl" => call.args.subcommands().first().is_some_and(|sub| {
            matches!(*sub, "enable" | "edit" | "link" | "set-default" | "set-environment" | "import-environment")
        }),
        "update-rc.d" | "chkconfig" | "update-alternatives" | "ssh-copy-id" => true,
        _ => false,
    };
    if stays {
        search.add(DangerKind::Persists, here, format!("{} stays after this session", call.name));
    }
}
