//! What is decided about: the tables of cases, long lines of daily work, and lines made to be slow.

use std::path::Path;

use anyhow::Context;

/// As long as a line is that the goal is about.
const LONG: usize = 4096;

/// A policy of the usual size.
pub const RULES: &str = r#"
[[rule]]
name = "tests"
allow = ["cargo test *", "npm test", "npm run *", "pytest *", "go test *"]
[[rule]]
name = "builds"
allow = ["cargo build *", "make", "make -j*", "docker build *"]
[[rule]]
name = "installs"
ask = ["cargo install *", "npm install -g *", "* --global"]
[[rule]]
name = "trunk"
block = ["git push * main", "git push --force *", "* --no-verify *"]
"#;

/// The commands of every table.
pub fn cases() -> anyhow::Result<Vec<String>> {
    let folder = folder();
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut all = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            all.extend(commands(&path)?);
        }
    }
    anyhow::ensure!(!all.is_empty(), "there are no cases in {}", folder.display());
    Ok(all)
}

/// Commands of daily work, joined to lines just below the limit.
pub fn daily() -> anyhow::Result<Vec<String>> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for command in commands(&folder().join("daily.txt"))? {
        let joined = command.replace('\n', " ");
        // A here-document or a comment would swallow what follows.
        if joined.contains("<<") || joined.contains('#') || joined.ends_with('&') {
            continue;
        }
        if line.len() + joined.len() + 4 > LONG {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push_str(" && ");
        }
        line.push_str(&joined);
    }
    // What is left is shorter: it takes the first again.
    while line.len() < LONG - 40 {
        line.push_str(" && cargo test --workspace");
    }
    lines.push(line);
    Ok(lines)
}

/// Lines just below the limit that are hard on some part of the analysis.
pub fn hostile() -> Vec<(&'static str, String)> {
    let fill = |part: &str| part.repeat((LONG - 1) / part.len());
    let closed = |open: &str, middle: &str, close: &str| {
        let depth = (LONG - 1 - middle.len()) / (open.len() + close.len());
        format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
    };
    vec![
        ("many commands", fill("ls;")),
        ("many dangerous commands", fill("rm -rf a;")),
        ("a long pipe", fill("cat|")),
        ("many words", fill("ls ").replace("ls ls", "ls -a")),
        ("many operands of rm", format!("rm -rf {}", "x ".repeat(2000))),
        ("many redirections", format!("ls {}", ">a ".repeat(1300))),
        ("many open redirections", fill("<")),
        ("many substitutions", format!("echo {}", "$(a)".repeat(1000))),
        ("nested substitutions", closed("$(", "ls", ")")),
        ("nested quoted substitutions", closed("\"$(", "ls", ")\"")),
        ("nested subshells", closed("(", "ls", ")")),
        ("nested braces", closed("{ ", "ls", ";}")),
        ("nested conditions", closed("if a;then ", "ls", ";fi")),
        ("nested parameters", closed("${a:-", "ls", "}")),
        ("open substitutions", fill("$(")),
        ("open parentheses", fill("(")),
        ("open arrays", fill("a=(")),
        ("open case", fill("case a in ")),
        ("open quotes", fill("\"$(\"")),
        ("nested shells", nested_shells()),
        ("nested eval", format!("{}rm -rf /", "eval ".repeat(800))),
        ("many wrappers", format!("{}rm -rf build", "sudo env A=1 nice timeout 5 ".repeat(140))),
        ("many variables", format!("{}$a$b", fill("a=b;b=$a;"))),
        ("variables that grow", format!("a=aaaaaaaa;{}rm -rf $a", "a=$a$a;".repeat(500))),
        ("brace expansion", fill("{a,b}")),
        ("many globs", format!("rm -rf {}", "*/".repeat(2000))),
        ("many here-documents", fill("cat <<A\nx\nA\n")),
        ("backslashes", fill("\\")),
        ("one long word", "a".repeat(LONG - 1)),
        ("one long quoted word", format!("echo '{}'", "rm -rf / ; ".repeat(370))),
        ("code of another language", format!("python3 -c '{}'", "os.system(\"ls\");".repeat(250))),
        ("functions", fill("f(){ g;};f;")),
    ]
}

/// `sh -c` in `sh -c`, each quoted again, as deep as the limit lets it.
fn nested_shells() -> String {
    let mut line = "rm -rf build".to_owned();
    loop {
        let outer = format!("sh -c '{}'", line.replace('\'', "'\\''"));
        if outer.len() >= LONG {
            return line;
        }
        line = outer;
    }
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/policy/tests/cases")
}

fn commands(table: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(table).with_context(|| table.display().to_string())?;
    let cases = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(cases.map(|(_, command)| command.replace('⏎', "\n")).collect())
}
