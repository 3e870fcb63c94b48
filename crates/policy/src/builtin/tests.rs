//! Tables of what is proven and what is not.

use super::builtin;
use crate::{BuiltinRule, Deed, Place, assess};

fn place() -> Place {
    Place {
        workspace: "/home/me/app".into(),
        cwd: Some("/home/me/app".into()),
        home: Some("/home/me".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
        disk: None,
    }
}

/// The rules of all commands of a text; `None` for a text that is not plain or holds something unproven.
fn proof(text: &str, place: &Place) -> Option<Vec<BuiltinRule>> {
    let commands = assess(&Deed::Line(text.to_owned()), place).plain.ok()?;
    commands.iter().map(|words| builtin(words, place)).collect()
}

#[test]
fn proven() {
    let table: &[(BuiltinRule, &[&str])] = &[
        (BuiltinRule::Shell, &["pwd", "echo hi", "true", "false", "printf '%s' x", "echo -n x", "echo 'rm -rf /'"]),
        (
            BuiltinRule::Read,
            &[
                "ls",
                "ls -la src",
                "ls --color=never",
                "cat README.md",
                "cat -n src/main.rs",
                "head -n 5 x",
                "head -20 x",
                "tail -n +3 x",
                "wc -l x",
                "stat x",
                "file x",
                "du -sh .",
                "du -d 1",
                "nl x",
                "cut -d, -f1 x",
                "sort -rn -k2 x",
                "sort -u x",
                "uniq -c x",
                "diff -u a b",
                "cmp a b",
                "basename /etc/x",
                "dirname a/b",
                "realpath x",
                "readlink -f x",
                "which ls",
                "uname -a",
                "date",
                "date -u +%s",
                "date -d yesterday",
                "id",
                "id -u",
                "whoami",
                "hostname",
                "sed -n 1,5p x",
                "sed 1p x",
                "awk 1 x",
                "cat ./src/../x",
                "cat /home/me/app/x",
                "tree -L 2",
                "cat -- -x",
                "cat -",
            ],
        ),
        (
            BuiltinRule::Search,
            &[
                "grep foo x",
                "grep -n foo x y",
                "grep -rn foo src",
                "grep -e a -e b x",
                "grep -C 3 foo x",
                "rg foo",
                "rg -n foo src",
                "rg -g '*.rs' foo",
                "rg -t rust foo",
                "find . -name '*.rs'",
                "find src -type f",
                "find . -maxdepth 2 -not -path './target/*' -print",
                "find",
            ],
        ),
        (
            BuiltinRule::Version,
            &[
                "rustc --version",
                "cargo -V",
                "node --version",
                "node -v",
                "npm --version",
                "python3 --version",
                "go version",
                "git --version",
                "java -version",
                "gcc --version",
                "make --version",
                "docker --version",
                "docker version",
            ],
        ),
        (
            BuiltinRule::GitRead,
            &[
                "git status",
                "git status -s",
                "git -C x status",
                "git status --porcelain=v2 --branch",
                "git log",
                "git log --oneline",
                "git log --oneline -10",
                "git log -n 5 --stat",
                "git log -p src",
                "git log --format='%h %s'",
                "git log --pretty=format:%h",
                "git diff",
                "git diff --cached",
                "git diff HEAD~1",
                "git diff main..HEAD",
                "git diff main...HEAD --stat",
                "git diff -- src/x",
                "git show",
                "git show HEAD",
                "git show HEAD:src/x",
                "git branch",
                "git branch -a",
                "git branch -vv",
                "git branch --show-current",
                "git branch --list 'x*'",
                "git branch --contains HEAD",
                "git rev-parse HEAD",
                "git rev-parse --show-toplevel",
                "git ls-files",
                "git ls-files -o --exclude-standard",
                "git blame src/x",
                "git blame -L 1,5 x",
                "git describe --tags",
                "git remote",
                "git remote -v",
                "git tag",
                "git tag -l 'v*'",
                "git tag --list",
                "git stash list",
                "git config --get user.name",
                "git --no-pager log",
                "git worktree list",
                "git reflog",
                "git shortlog -sn HEAD",
            ],
        ),
    ];
    let missed: Vec<String> = table
        .iter()
        .flat_map(|(rule, texts)| texts.iter().map(move |text| (*rule, *text)))
        .filter(|(rule, text)| proof(text, &place()) != Some(vec![*rule]))
        .map(|(rule, text)| {
            format!(
                "{text:?} is not {rule:?}: {:?}, {:?}",
                proof(text, &place()),
                assess(&Deed::Line(text.to_owned()), &place()).plain
            )
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert_eq!(proof("git status && ls | wc -l 2>/dev/null", &place()).map(|rules| rules.len()), Some(3));
}

#[test]
fn not_proven() {
    let table = [
        "ls /",
        "ls ..",
        "cat /etc/passwd",
        "cat ../x",
        "cat .env",
        "cat .env.local",
        "cat .git/config",
        "cat src/../.git/config",
        "cat id_rsa",
        "cat x.pem",
        "cat server.key",
        "cat credentials.json",
        "cat secrets.yaml",
        "cat .ENV",
        "cat a/.env/b",
        "head -n 1 /etc/shadow",
        "./ls",
        "/bin/ls",
        "ls --unknown",
        "tail -f x",
        "tail -F x",
        "tail --follow x",
        "sort -o x y",
        "sort -ox y",
        "sort --output=x y",
        "sort --compress-program=x y",
        "sort -T x y",
        "uniq a b",
        "date -s x",
        "date --set=x",
        "date 010203042020",
        "hostname x",
        "printf -v x y",
        "file -C x",
        "file -m x y",
        "wc --files0-from=x",
        "tree -o x",
        "diff -r a b",
        "grep -f x y",
        "grep -r foo",
        "grep -r foo .",
        "grep -R foo src",
        "grep foo .env",
        "grep foo /etc/passwd",
        "rg --pre x y",
        "rg --pre=x y",
        "rg -f x y",
        "rg --hidden x",
        "rg -uu x",
        "rg --no-ignore x",
        "rg -z x",
        "rg x /",
        "rg -g '.env' x",
        "rg --search-zip x",
        "rg --hostname-bin=x y",
        "find . -exec x ';'",
        "find . -delete",
        "find . -execdir x",
        "find . -ok x",
        "find . -fprint x",
        "find . -fls x",
        "find . -fprintf x y",
        "find /",
        "find -L .",
        "find . -name",
        "find . -newerXY x",
        "sed -n 1p /etc/passwd",
        "sed -n 'w x' y",
        "sed -i -n 1p x",
        "sed -n 1,2w x",
        "cargo build",
        "cargo --version x",
        "yarn --version",
        "mvn --version",
        "gradle --version",
        "node -e 1",
        "python3 -V x",
        "npm run x",
        "xyz --version",
        "env",
        "rm x",
        "test -v x",
        "sudo ls",
        "xargs ls",
        "awk '{print > 1}' x",
        "tee x",
        "git",
        "git commit -m x",
        "git -c a=b status",
        "git -C ../x status",
        "git --git-dir=x status",
        "git --work-tree=x status",
        "git --exec-path=x status",
        "git diff --output=x",
        "git diff --ext-diff",
        "git diff --textconv",
        "git diff --no-index a b",
        "git diff /etc/passwd /dev/null",
        "git diff ../x y",
        "git log --show-signature",
        "git log --format=%G?",
        "git log --format=%GS",
        "git log --pretty=mine",
        "git log --output=x",
        "git show HEAD:.env",
        "git show HEAD:a/.env",
        "git diff -- .env",
        "git diff .env",
        "git branch x",
        "git branch -d x",
        "git branch -D x",
        "git branch -m x",
        "git branch -f x y",
        "git branch -u x",
        "git branch --edit-description",
        "git tag x",
        "git tag -d x",
        "git tag -a x",
        "git remote add x y",
        "git remote show x",
        "git remote update",
        "git stash",
        "git stash drop",
        "git config x y",
        "git config --get http.extraheader",
        "git config --list",
        "git config --unset user.name",
        "git reflog expire",
        "git reflog delete x",
        "git fetch",
        "git checkout x",
        "git grep -O x",
        "git cat-file --textconv x",
        "git cat-file -p HEAD:.env",
        "git blame .env",
        "git tag --format='%(signature)'",
        "git for-each-ref",
        "git status --unknown",
        "git x",
        "git log -L 1,2:.env",
        "git worktree add x",
        "git archive HEAD",
    ];
    let wrong: Vec<&str> = table.into_iter().filter(|text| proof(text, &place()).is_some()).collect();
    assert!(wrong.is_empty(), "proven: {wrong:?}");
}

#[test]
fn the_place_counts() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let unknown = Place { cwd: None, ..place() };
    let outside = Place { cwd: Some("/home/me".into()), ..place() };
    for text in ["ls", "cat x", "git status", "rg x", "find", "grep x y", "du"] {
        assert_eq!(builtin(&words(text), &unknown), None, "{text}");
        assert_eq!(builtin(&words(text), &outside), None, "{text}");
    }
    assert!(builtin(&words("cat /home/me/app/x"), &unknown).is_some());
    assert!(builtin(&words("cat app/x"), &outside).is_some());
    assert!(builtin(&words("pwd"), &unknown).is_some());
    let with = |name: &str, value: &str| Place { env: vec![(name.to_owned(), value.to_owned())], ..place() };
    assert!(builtin(&words("ls"), &with("LANG", "C")).is_some());
    assert!(builtin(&words("ls"), &with("GIT_PAGER", "cat")).is_some());
    for (name, value) in [("PATH", "/x"), ("GIT_PAGER", "sh"), ("FOO", "bar"), ("LD_PRELOAD", "x"), ("GIT_DIR", "x")] {
        assert_eq!(builtin(&words("ls"), &with(name, value)), None, "{name}");
    }
    assert_eq!(builtin(&[], &place()), None);
    assert_eq!(builtin(&["cat".to_owned(), "a\0b".to_owned()], &place()), None);
}
