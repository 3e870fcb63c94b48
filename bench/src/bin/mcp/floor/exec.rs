//! A command in a shell of its own, on a pipe.

use std::io::{PipeReader, Read, pipe};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{Bounded, Ended};

#[derive(Debug)]
pub struct Exec {
    id: Value,
    child: Child,
    from: PipeReader,
    output: Bounded,
}

impl Exec {
    pub fn start(id: Value, command: &str) -> anyhow::Result<Self> {
        let (from, to) = pipe()?;
        let shell = std::env::var_os("SHELL").unwrap_or_else(|| "bash".into());
        let child = Command::new(shell)
            .args(["-c", command])
            .stdin(Stdio::null())
            .stdout(to.try_clone()?)
            .stderr(to)
            .spawn()?;
        Ok(Exec { id, child, from, output: Bounded::default() })
    }

    pub fn descriptor(&self) -> &PipeReader {
        &self.from
    }

    /// Reads what there is. True at the end of the output.
    pub fn advance(&mut self, chunk: &mut [u8]) -> anyhow::Result<bool> {
        let read = self.from.read(chunk)?;
        self.output.push(&chunk[..read]);
        Ok(read == 0)
    }

    pub fn end(mut self) -> anyhow::Result<Ended> {
        let status = self.child.wait()?;
        let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
        Ok(Ended { id: self.id, output: self.output, code })
    }
}
