//! Block devices, raw copies, and wiping.

use super::target::{Spot, written};
use super::value::{Scope, Value};
use super::{Call, Here, Search};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let to_device = |search: &Search<'_>, value: &Value| written(value, search.place, scope) == Spot::Device;
    match call.name {
        "dd" | "gdd" | "dcfldd" | "ddrescue" if call.args.0.iter().any(|arg| !arg.text.starts_with('-')) => {
            search.add(DangerKind::RawCopy, here, format!("{} copies raw data", call.name));
            for arg in call.args.0 {
                let target = arg.text.strip_prefix("of=").map(|text| arg.with(text));
                let target = target.or_else(|| (call.name == "ddrescue").then(|| arg.clone()));
                if target.is_some_and(|target| to_device(search, &target)) {
                    search.never(DangerKind::RawDevice, here, format!("dd {} overwrites a device", arg.text));
                }
            }
        }
        name if name == "mke2fs"
            || name == "mkfs"
            || name.starts_with("mkfs.")
            || name == "mkntfs"
            || name == "mkdosfs" =>
        {
            format(search, call, scope, here);
        }
        "mkswap" | "wipefs" | "blkdiscard" | "cryptsetup" | "hdparm" | "nvme" | "badblocks" | "e2fsck" | "tune2fs"
        | "pvcreate" | "vgremove" | "lvremove" | "zpool" | "mdadm" | "flashrom" | "partprobe" | "fstrim"
        | "losetup" | "dmsetup" | "newfs" => {
            if call.args.0.iter().any(|arg| to_device(search, arg)) && !lists(call) {
                search.never(DangerKind::RawDevice, here, format!("{} changes a device", call.name));
            } else if matches!(call.name, "wipefs" | "blkdiscard" | "lvremove" | "vgremove" | "newfs") {
                search.add(DangerKind::RawCopy, here, format!("{} wipes data", call.name));
            }
        }
        "fdisk" | "parted" | "sgdisk" | "gdisk" | "cfdisk" | "sfdisk" | "gparted"
            if call.args.0.iter().any(|arg| to_device(search, arg)) && !lists(call) =>
        {
            search.never(DangerKind::RawDevice, here, format!("{} changes the partitions of a device", call.name));
        }
        "diskutil"
            if call.args.0.first().is_some_and(|arg| {
                arg.text.starts_with("erase") || arg.text.starts_with("partition") || arg.text == "zeroDisk"
            }) =>
        {
            search.never(DangerKind::RawDevice, here, "diskutil erases a disk");
        }
        "shred" | "wipe" | "scrub" => {
            if call.args.operands().any(|arg| to_device(search, arg)) {
                search.never(DangerKind::RawDevice, here, format!("{} overwrites a device", call.name));
            }
            search.add(
                DangerKind::RawCopy,
                here,
                format!("{} overwrites files so that they can't be brought back", call.name),
            );
        }
        "truncate" if call.args.value("-s", "--size").is_some_and(|size| size.text.trim_matches(['=', '<']) == "0") => {
            search.add(DangerKind::RawCopy, here, "truncate -s 0 empties files");
        }
        _ => {}
    }
}

/// Flags that only show something.
fn lists(call: &Call<'_>) -> bool {
    let texts = call.texts;
    let writes =
        ["mklabel", "mkpart", "rm", "resizepart", "luksFormat", "erase", "format", "destroy", "create", "labelclear"];
    !texts.iter().any(|text| writes.contains(text))
        && texts.iter().any(|text| {
            matches!(
                *text,
                "-l" | "--list"
                    | "-p"
                    | "print"
                    | "--dump"
                    | "-d"
                    | "-n"
                    | "--no-act"
                    | "isLuks"
                    | "luksDump"
                    | "status"
                    | "list"
                    | "-I"
                    | "-i"
                    | "id-ctrl"
                    | "smart-log"
                    | "--detail"
                    | "-J"
            )
        })
}

/// `mkfs`, which also makes file systems in plain files.
fn format(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let files =
        call.args.operands().all(|arg| matches!(written(arg, search.place, scope), Spot::Inside | Spot::Temporary));
    let any = call.args.operands().next().is_some();
    if any && !files {
        search.never(
            DangerKind::RawDevice,
            here,
            format!("{} makes a file system and destroys what was there", call.name),
        );
    } else if any {
        search.add(DangerKind::RawCopy, here, format!("{} overwrites a file with a file system", call.name));
    }
}
