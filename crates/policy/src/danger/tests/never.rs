//! What nobody can allow.

use super::{expect, look};
use crate::DangerKind::{DeletesRoot, ForkBomb, RawDevice, SelfApproval};
use crate::Severity::Never;

#[test]
fn deleting_what_is_vital() {
    expect(
        DeletesRoot,
        Never,
        &[
            "rm -rf /",
            "rm -fr /",
            "rm -r -f /",
            "rm -R /",
            "rm --recursive --force /",
            "rm --rec --f /",
            "rm -vrf /",
            "rm / -rf",
            "rm -rf -- /",
            "rm -rf //",
            "rm -rf /.",
            "rm -rf /*",
            "rm -rf / --no-preserve-root",
            "rm -rf --no-preserve-root x",
            "/bin/rm -rf /",
            "\\rm -rf /",
            "rm -rf ~",
            "rm -rf ~/",
            "rm -rf ~/*",
            "rm -rf ~/.*",
            "rm -rf $HOME",
            "rm -rf \"$HOME\"",
            "rm -rf ${HOME}/",
            "rm -rf \"${HOME}\"/*",
            "rm -rf /home/me",
            "rm -rf /home/me/work/app",
            "rm -rf .",
            "rm -rf ./",
            "rm -rf ..",
            "rm -rf ../..",
            "rm -rf *",
            "rm -rf ./*",
            "rm -rf .[!.]*",
            "rm -rf $PWD",
            "rm -rf \"$(pwd)\"",
            "rm -rf \"$PWD\"/*",
            "rm -rf {*,.*}",
            "rm -rf src/..",
            "rm -rf src/../*",
            "rm -rf ../app",
            "rm -rf /home/me/work",
            "rm -rf /home",
            "rm -rf /etc",
            "rm -rf /etc/",
            "rm -rf /etc/*",
            "rm -rf /usr",
            "rm -rf /bin /lib",
            "rm -rf /boot/*",
            "rm -rf /var",
            "rm -rf /root",
            "rm -rf /dev",
            "rm -rf /opt",
            "rm -rf /e*",
            "rm -rf /hom?",
            "rm -rf /{etc,usr}",
            "rm -rf x /",
            "rm -rf / 2>/dev/null",
            "rm -rf ~root",
            "cd / && rm -rf *",
            "cd ..; rm -rf ./app",
            "cd && rm -rf *",
            "cd /home/me; rm -r *",
            "find / -delete",
            "find . -delete",
            "find ~ -exec rm -rf {} +",
            "find / -exec rm {} \\;",
            "find -delete",
            "find $HOME -type f -delete",
            "mv / /x",
            "mv ~ /tmp/x",
            "mv /etc /tmp",
            "mv /home/me/work/app /tmp/",
            "mv * /tmp/x",
            "python3 -c 'import shutil; shutil.rmtree(\"/\")'",
            "python -c \"import shutil; shutil.rmtree('/home/me')\"",
            "node -e \"require('fs').rmSync('/', {recursive: true})\"",
            "ruby -e 'require \"fileutils\"; FileUtils.rm_rf(\"/etc\")'",
            "perl -e 'system(\"rm -rf /\")'",
            "python3 -c 'import os; os.system(\"rm -rf ~\")'",
            "Remove-Item -Recurse -Force C:\\",
            "rd /s /q C:\\",
            "rmdir /s /q C:\\",
            "remove-item -recurse -force ~",
            "pwsh -c 'Remove-Item -Recurse -Force /'",
            "cmd /c \"rd /s /q C:\\\"",
            "del /f /s /q C:\\*",
            "rimraf /",
            "npx rimraf /",
            "git rev-parse && rm -rf \"$(git rev-parse --show-toplevel)\"",
        ],
    );
}

#[test]
fn an_unknown_folder_can_be_the_workspace() {
    let place = crate::Place { cwd: None, ..super::place() };
    for text in ["rm -rf .", "rm -rf *", "rm -rf ./*", "rm -rf ..", "rm -rf ../..", "find . -delete"] {
        let dangers = crate::assess(&crate::Deed::Line(text.to_owned()), &place).dangers;
        assert!(dangers.iter().any(|danger| danger.severity == Never), "{text}: {dangers:?}");
    }
    for text in ["rm -rf build", "cd build && rm -rf *"] {
        let dangers = crate::assess(&crate::Deed::Line(text.to_owned()), &place).dangers;
        assert!(dangers.iter().all(|danger| danger.severity != Never) && !dangers.is_empty(), "{text}: {dangers:?}");
    }
}

#[test]
fn fork_bombs() {
    expect(
        ForkBomb,
        Never,
        &[
            ":(){ :|:& };:",
            ":() { : | : & }; :",
            "bomb() { bomb | bomb & }; bomb",
            "function f { f | f & }; f",
            "f() { f & f; }; f",
            "f(){ f;f; };f",
            "f() ( f | f & ); f",
            "while true; do $0 & done",
            "while :; do sh x & done",
            "for ((;;)); do ./x & done",
            "perl -e 'fork while fork'",
            "perl -e 'fork while 1'",
            "python -c 'import os\nwhile True: os.fork()'",
            "python3 -c \"import os; [os.fork() for _ in iter(int, 1)]; \nwhile 1: os.fork()\"",
            "ruby -e 'loop { fork }'",
            "%0|%0",
            "$0 | $0 &",
            "$0 & $0",
            "bash -c ':(){ :|:& };:'",
            "f() { $(f) | f; }; f",
        ],
    );
}

#[test]
fn devices() {
    expect(
        RawDevice,
        Never,
        &[
            "dd if=/dev/zero of=/dev/sda",
            "dd of=/dev/nvme0n1 if=x bs=1M",
            "cat x > /dev/sda",
            "> /dev/sda",
            "echo x >> /dev/mmcblk0",
            "mkfs.ext4 /dev/sdb1",
            "mkfs -t ext4 /dev/sdb",
            "mke2fs /dev/sda1",
            "wipefs -a /dev/sda",
            "blkdiscard /dev/sda",
            "shred /dev/sda",
            "cp x /dev/nvme0n1",
            "tee /dev/sda < x",
            "cat x | sudo tee /dev/sdb",
            "fdisk /dev/sda",
            "parted /dev/sda mklabel gpt",
            "sgdisk -Z /dev/sda",
            "format C:",
            "FORMAT.COM C: /q",
            "Format-Volume -DriveLetter C",
            "Clear-Disk -Number 0",
            "diskpart",
            "diskutil eraseDisk JHFS+ x /dev/disk2",
            "dd if=x of=/dev/disk/by-id/x",
            "{ echo x; } > /dev/sda",
            "cryptsetup luksFormat /dev/sda1",
            "mkswap /dev/sda2",
            "hdparm --security-erase x /dev/sda",
        ],
    );
    assert!(look("fdisk -l /dev/sda").dangers.is_empty());
    assert!(look("dd if=/dev/zero of=disk.img").dangers.iter().all(|danger| danger.severity != Never));
}

#[test]
fn answering_for_a_person() {
    expect(
        SelfApproval,
        Never,
        &[
            "flightdeck approve 12",
            "./target/debug/flightdeck approve",
            "sudo flightdeck consent x",
            "flightdeck policy add 'rm *'",
            "sh -c 'flightdeck approve 1'",
            "flightdeck --json approve 1",
            "env X=1 flightdeck policy add x",
            "FLIGHTDECK_HOME=/x flightdeck consent",
            "echo 1 | xargs flightdeck approve",
            "tmux detach-client -s mine -E 'flightdeck approve --list; true'",
            "tmux -L u detach -E 'flightdeck policy add \"echo zz*\"'",
            "tmux set -t mine lock-command 'flightdeck approve 1' \\; lock-session -t mine",
            "tmux run-shell 'flightdeck lease t1 release'",
            "tmux new-window -d flightdeck approve 1",
            "tmux if-shell true 'run-shell \"flightdeck approve 1\"'",
            "tmux display-popup -E 'sh -c \"flightdeck consent x\"'",
            "tmux detach -E 'flightdeck stop --all'",
            "tmux send-keys -t @0 'flightdeck approve 1' Enter",
        ],
    );
    for text in [
        "flightdeck run ls",
        "flightdeck policy test 'rm x'",
        "flightdeck list",
        "echo flightdeck approve",
        "tmux list-panes -a -F '#{pane_id} (#{pane_pid}'",
        "tmux display-message -p '#{pane_id}'",
        "tmux new-window -d 'flightdeck list'",
        "tmux detach-client -s mine",
        "grep approve flightdeck",
    ] {
        assert!(look(text).dangers.is_empty(), "{text}: {:?}", look(text).dangers);
    }
}
