//! Embeds the web workbench, `web/dist`, where it has been built. Without it the server says how to build it. A build for
//! development takes the page from there when it is asked for, so that a change to the page builds nothing here.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../web/dist");
    let mut files = Vec::new();
    if env::var("PROFILE")? == "debug" {
        println!("cargo::rerun-if-changed=build.rs");
    } else {
        println!("cargo::rerun-if-changed={}", dist.display());
        if dist.is_dir() {
            list(&dist, &mut files)?;
        }
    }
    files.sort();
    let mut table = String::from("[\n");
    for file in files {
        let path = file.strip_prefix(&dist)?.to_str().ok_or("a file of web/dist has a name that is no text")?;
        let beside = |extension: &str| format!("{}.{extension}", file.display());
        writeln!(
            table,
            "    Embedded {{ path: {:?}, gzip: include_bytes!({:?}), brotli: include_bytes!({:?}) }},",
            format!("/{path}"),
            beside("gz"),
            beside("br"),
        )?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("assets.rs"), table)?;
    Ok(())
}

/// The files that have both compressed forms; those are what is served.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
            continue;
        }
        let compressed = ["gz", "br"].iter().all(|extension| {
            let mut twin = path.clone().into_os_string();
            twin.push(".");
            twin.push(extension);
            Path::new(&twin).is_file()
        });
        if compressed {
            files.push(path);
        }
    }
    Ok(())
}
