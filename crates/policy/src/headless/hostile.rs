//! What looks like looking around and is hostile: none of it runs, whatever is on the disk.

use super::everyday::decided;
use crate::drawn::Drawn;
use crate::{Place, Verdict};

fn blocked(commands: &[&str], place: &Place) {
    let opened: Vec<&&str> =
        commands.iter().filter(|command| decided(command, place).verdict != Verdict::Blocked).collect();
    assert!(opened.is_empty(), "they run: {opened:#?}");
}

#[test]
fn names_that_become_options() {
    let options = Drawn::everyday()
        .file("-exec", "")
        .file("-oout", "")
        .file("--files0-from=names.txt", "")
        .file("-fsrc", "")
        .file("--compress-program=sh", "")
        .file("deep/-delete", "");
    let place = options.place();
    blocked(
        &[
            "find *",
            "sort *",
            "wc *",
            "grep x *",
            "grep -n x -*",
            "ls *",
            "cat *",
            "file *",
            "cd deep && find *",
            "sort -*",
            "du -sh *",
            "sed p *",
            "awk 1 *",
            "jq . *",
            "tar tf *",
            "git log *",
            "uniq *",
        ],
        &place,
    );
    // In front of these stands a folder, or a sign that no option comes behind.
    for command in ["cat ./*.md", "wc -l src/*.rs", "wc -l -- *.md", "sort -- names.txt"] {
        assert_eq!(decided(command, &place).verdict, Verdict::Allowed, "{command}");
    }
}

#[test]
fn names_that_hold_secrets() {
    let place = Drawn::everyday()
        .file(".env", "TOKEN=x")
        .file("config/secrets.json", "{}")
        .file("keys/server.pem", "")
        .file("src/.env.local", "")
        .place();
    blocked(
        &[
            "cat config/*",
            "jq . config/*.json",
            "cat keys/*",
            "cat .e*",
            "cat .*",
            "cat src/.*",
            "cat */*.json",
            "head -1 k*/*",
            "grep -rn TOKEN .",
            "grep -rn TOKEN",
            "grep -rn TOKEN src",
            "grep -rn --include='.*' TOKEN .",
            "grep -rn --include='*' TOKEN .",
            "grep -rn --exclude=.env TOKEN .",
            "grep -rn --exclude-dir=.git TOKEN .",
            "grep -rn --exclude='[.]env*' --exclude-dir=config --exclude-dir=keys TOKEN .",
            "cat < .env",
            "wc -c < keys/server.pem",
            "cd keys && cat server.pem",
            "cd src && cat ../.env",
            "awk 1 .env",
            "jq . .env",
            "sed p .env",
            "git grep TOKEN -- .env",
            "git -C . show HEAD:.env",
            "tar tf keys/server.pem",
        ],
        &place,
    );
    for command in [
        "ls -a",
        "test -f .env && echo yes",
        "grep -rn --include='*.rs' TODO .",
        "grep -rn --exclude='.env*' --exclude=secrets.json --exclude='*.pem' TODO .",
        "cat config/a*.json",
    ] {
        assert_eq!(
            decided(command, &place).verdict,
            Verdict::Allowed,
            "{command}: {}",
            decided(command, &place).reason
        );
    }
}

#[test]
fn links_that_lead_elsewhere() {
    let place = Drawn::everyday()
        .file("/etc/shadow", "x")
        .file("/home/dev/.ssh/id_ed25519", "x")
        .file(".env", "x")
        .link("out", "/etc")
        .link("notes", ".env")
        .link("loop", "loop")
        .link("up", "..")
        .link("inside", "src")
        .place();
    blocked(
        &[
            "cat out/shadow",
            "cat notes",
            "cat loop",
            "ls out",
            "ls up",
            "cat up/x",
            "cat inside/../../x",
            "cat out/*",
            "cat */shadow",
            "ls */",
            "head -1 out/sha*",
            "cd out && ls",
            "cd up && ls",
            "cd inside && cat ../README.md",
            "git -C out status",
            "git -C up status",
            "grep -rn x out",
            "grep x notes",
            "wc -l < notes",
            "find out -name x",
            "test -f out/shadow",
            "awk 1 notes",
            "tar tf out/x.tar",
            "diff notes README.md",
        ],
        &place,
    );
    assert_eq!(decided("cat inside/main.rs", &place).verdict, Verdict::Allowed);
}

#[test]
fn folders_that_it_changes_to() {
    let place = Drawn::everyday().place();
    blocked(
        &[
            "cd",
            "cd ~",
            "cd -",
            "cd ..",
            "cd / && ls",
            "cd /tmp && ls",
            "cd src/../.. && ls",
            "cd .git && cat config",
            "cd -P src && ls",
            "cd $X && ls",
            "cd * && ls",
            "cd src docs && ls",
            "cd src | ls",
            "cd src < README.md && ls",
            "CDPATH=/etc cd src && ls",
            "LANG=C cd src && ls",
            "cd src && cat ../../x",
            // It may not have happened.
            "cd src; cat ../README.md",
            "cd src || cat ../README.md",
            "cd src && ls; cat ../README.md",
            "cd src\ncat ../README.md",
            "cd src && cd net && cd .. && cd .. && cd .. && ls",
            "cd src && (ls)",
            "pushd src && ls",
            "cd src && rm main.rs",
            "cd src && ./run",
            "cd src",
        ],
        &place,
    );
    for command in ["cd src; ls", "cd src && cat ../README.md", "cd src && ls; ls", "cd -- src && ls"] {
        assert_eq!(decided(command, &place).verdict, Verdict::Allowed, "{command}");
    }
}

#[test]
fn settings_of_a_project() {
    let hostile = [
        ("rust-toolchain.toml", "[toolchain]\npath = \"evil\"\n"),
        ("rust-toolchain", "[toolchain]\npath = \"evil\"\n"),
        ("rust-toolchain", "/evil\n"),
        (".cargo/config.toml", "[build]\nrustc = \"./evil\"\n"),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"./evil\"\n"),
        (".cargo/config.toml", "[target.x86_64-unknown-linux-gnu]\nrunner = \"./evil\"\n"),
        (".cargo/config", "[build]\nrustc = \"./evil\"\n"),
        (".cargo/config.toml", "include = \"evil.toml\"\n"),
        (".cargo/config.toml", "[registry]\nglobal-credential-providers = [\"./evil\"]\n"),
        (".cargo/config.toml", "[build]\nrustflags = [\"-Zcodegen-backend=x.so\"]\n"),
        (".cargo/config.toml", "not toml"),
    ];
    for (path, text) in hostile {
        let place = Drawn::everyday().file(path, text).place();
        blocked(&["cargo tree --locked --offline", "cd src && cargo tree --locked --offline"], &place);
        if path.starts_with("rust") {
            blocked(&["cargo --version", "rustc --version", "cd sub && cargo -V"], &place);
        }
    }
    let place = Drawn::everyday().file("sub/.npmrc", "onload-script=./evil.js\n").place();
    blocked(
        &["cd sub && npm ls", "npm ls -g", "npm ls --prefix /tmp", "npm ls --userconfig=x", "npm run", "npm ls ../x"],
        &place,
    );
    assert_eq!(decided("npm ls", &place).verdict, Verdict::Allowed);
    blocked(
        &[
            "cargo tree",
            "cargo tree --locked",
            "cargo tree --offline",
            "cargo tree --frozen --config build.rustc=evil",
            "cargo --config x tree --frozen",
            "cargo +evil tree --frozen",
            "cargo tree --frozen --manifest-path /tmp/Cargo.toml",
            "cargo tree --frozen --target x.json",
            "cargo tree --frozen -Z unstable",
            "RUSTC=evil cargo tree --frozen",
            "RUSTC_WRAPPER=evil cargo tree --frozen",
            "cargo metadata",
            "cargo run",
            "cargo build",
        ],
        &Drawn::everyday().place(),
    );
    let usual = Drawn::everyday()
        .file("rust-toolchain.toml", "[toolchain]\nchannel = \"1.90\"\ncomponents = [\"clippy\"]\n")
        .file(".cargo/config.toml", "[alias]\nx = \"run\"\n[build]\njobs = 2\n")
        .place();
    assert_eq!(decided("cargo tree --frozen", &usual).verdict, Verdict::Allowed);
}

#[test]
fn what_stands_next_to_the_everyday() {
    blocked(
        &[
            // Git runs what its settings and flags name.
            "git -c core.pager=evil log",
            "git -c alias.x='!evil' x",
            "git -C / status",
            "git -C .. status",
            "git -C sub -c core.fsmonitor=evil status",
            "git -C .git log",
            "git -C --git-dir=x status",
            "git -C",
            "git --git-dir=sub log",
            "git grep -O x",
            "git grep -Ovim x",
            "git grep --open-files-in-pager=evil x",
            "git grep -nO x",
            "git grep --no-index x /etc",
            "git grep -f /etc/shadow",
            "git grep --textconv x",
            "git grep --ext-grep x",
            "git grep x -- /etc/passwd",
            "git grep x -- .git/config",
            "git grep -e x /etc",
            "git grep",
            "git diff --ext-diff",
            "git log -p --textconv",
            "git stash show --ext-diff",
            "git stash pop",
            "git branch --sort=signature:key",
            "git x",
            // Programs inside of programs.
            "awk 'BEGIN{system(\"id\")}'",
            "awk '{print > \"x\"}' names.txt",
            "awk '{print | \"sh\"}' names.txt",
            "awk 'BEGIN{\"id\" | getline x; print x}'",
            "awk -f prog names.txt",
            "awk -v x=1 -f prog",
            "awk '{print}' -f prog",
            "awk -i inplace '{print}' names.txt",
            "awk -l x 1 names.txt",
            "awk --exec x",
            "awk 1 /etc/shadow",
            "awk 'BEGIN{print ENVIRON[\"TOKEN\"]}'",
            "awk 'BEGIN{ARGV[1]=\"/etc/shadow\"}1' names.txt",
            "gawk 1 names.txt",
            "jq env package.json",
            "jq '$ENV.TOKEN' package.json",
            "jq -n '\"\\(env.TOKEN)\"'",
            "jq input_filename package.json",
            "jq --rawfile x /etc/shadow . package.json",
            "jq --slurpfile x /etc/shadow . package.json",
            "jq -L /tmp 'import \"x\" as x; .' package.json",
            "jq 'include \"x\"; .' package.json",
            "jq -f prog package.json",
            "jq -rf prog package.json",
            "jq --from-file prog package.json",
            "jq . /etc/passwd",
            "sed -i s/a/b/ names.txt",
            "sed -n -i p names.txt",
            "sed s/a/b/w\\ out names.txt",
            "sed 's/a/b/e' names.txt",
            "sed -f prog names.txt",
            "sed --in-place p names.txt",
            "sed 'r /etc/shadow' names.txt",
            "sed '1e id' names.txt",
            "tar tf x.tar --to-command=evil",
            "tar -I evil -tf x.tar",
            "tar tf x.tar --checkpoint=1 --checkpoint-action=exec=evil",
            "tar tf x.tar -T list",
            "tar tf host:x.tar",
            "tar tf x.tar --rsh-command=evil",
            "tar -tf x.tar -F evil",
            "tar xf x.tar",
            "tar -xtf x.tar",
            "tar tfz x.tar",
            "tar cf x.tar src",
            "tar tf /etc/x.tar",
            "tar tf x.tar -f y.tar",
            "unzip x.zip",
            "unzip -o x.zip",
            "unzip -p x.zip",
            "gzip README.md",
            "gzip -d x.gz",
            // Search, sorting and their ways out.
            "find . -exec evil {} +",
            "find . -delete",
            "find . -fprint out",
            "find . -name '*.rs' -exec cat {} \\;",
            "find . \\( -name x -o -delete \\)",
            "sort -o out names.txt",
            "sort --compress-program=evil names.txt",
            "sort < /etc/passwd",
            "grep -f /etc/shadow names.txt",
            "grep -r x /etc",
            "grep -R x src",
            "grep -rn x ..",
            "grep x < /etc/passwd",
            "xxd -r x out",
            "xxd README.md out",
            "base64 -d x y",
            "iconv -f utf8 -o out README.md",
            "column -c",
            // Environments, also of others.
            "ps e",
            "ps auxe",
            "ps aux e",
            "ps auxeww",
            "ps eaux",
            "ps -ef e",
            "ps -o environ",
            "ps -eo pid,env",
            "ps -xyz e",
            "env",
            "printenv",
            "printenv SECRET_TOKEN",
            "printenv HOME TOKEN",
            "export",
            "set",
            // Conditions that do more.
            "test -v x",
            "[ -v 'a[$(id)]' ]",
            "test -R x",
            "[ -f x",
            "[ -f x ] && rm x",
            "test 'a[0]' -eq 1",
            "test -f /etc/shadow",
            "[ -f ../x ]",
            "test -f x -o -v y",
            "command ls",
            "command -p ls",
            "command -v",
            "command -v x; command rm x",
            "type -f",
            // Variables in front.
            "PATH=/tmp ls",
            "LD_PRELOAD=x ls",
            "GIT_PAGER=evil git log",
            "IFS=x ls",
            "FOO=1 ls",
            "LANG=/tmp/evil ls",
            "TZ=/etc/shadow date",
            "LANG=$(id) ls",
            "LANG='C' ls",
            "LANG=C",
            "LANG=C PATH=x ls",
            // Input, output and signs of the shell.
            "cat <> README.md",
            "cat <<< hi",
            "cat << E\nhi\nE",
            "cat < *.md",
            "cat < /etc/passwd",
            "cat 3< README.md",
            "cat <&3",
            "cat < README.md > out",
            "cat <(id)",
            "ls > src/*.rs",
            "ls [a-z]*",
            "ls src/[lm]*.rs",
            "ls {src,docs}",
            "ls \"$X\"",
            "ls \"`id`\"",
            "ls \\\n-l",
            "*",
            "src/*",
            "l* -l",
            "! ls",
            "ls &",
            "ls # x",
            "cat *&& rm x",
        ],
        &Drawn::everyday().place(),
    );
}
