//! Keeping other processes of the same user out of this one: whoever may trace it or copy its descriptors could answer in a
//! person's place, by a connection that the hub has taken for a person's. For programs that speak for a person.

use std::{fs, io};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// From now on nobody but root can trace this process, or read its memory and open files. What it starts is free again.
pub fn keep_others_out() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Refuses to go on below a debugger, which was there before.
pub fn refuse_tracer() -> io::Result<()> {
    let status = fs::read_to_string("/proc/self/status")?;
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:")).map_or("0", str::trim);
    if tracer == "0" {
        return Ok(());
    }
    let text = format!("process {tracer} traces this one and could answer in your place: start it without a debugger");
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}
