//! The generated types, read by the real TypeScript compiler: they are valid, say what they should, and refuse what they
//! should (`clients/commands.check.ts`).

use std::process::Command;
use std::time::Duration;

use crate::programs::{Programs, run};

#[test]
fn typescript_takes_the_generated_types() {
    let programs = Programs::installed();
    let mut compiler = Command::new(programs.folder.join("node"));
    compiler.arg(programs.folder.join("node_modules/typescript/bin/tsc"));
    compiler.args("--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess".split(' '));
    compiler.args("--target es2022 --module esnext --moduleResolution bundler".split(' '));
    compiler.arg(Programs::source("commands.check.ts"));
    let ran = run(compiler, Duration::from_secs(100));
    assert_eq!(ran.code, Some(0), "{ran}");
}
