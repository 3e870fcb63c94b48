//! Old contents, each once, in files named by their hash.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::version::Digest;

#[derive(Debug)]
pub(super) struct Blobs {
    dir: PathBuf,
    kept: HashMap<Digest, Kept>,
    bytes: u64,
}

#[derive(Debug)]
struct Kept {
    size: u64,
    /// How many entries of the journal need it.
    uses: usize,
}

const PARTIAL: &str = "partial";

impl Blobs {
    /// `used` are the hashes that the journal names, one for each use; whatever else is there goes.
    pub fn open(dir: &Path, used: impl Iterator<Item = Digest>) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let mut blobs = Self { dir: dir.to_owned(), kept: HashMap::new(), bytes: 0 };
        let mut uses: HashMap<Digest, usize> = HashMap::new();
        for digest in used {
            *uses.entry(digest).or_default() += 1;
        }
        for file in fs::read_dir(dir)? {
            let file = file?;
            let digest = file.file_name().to_str().and_then(|name| name.parse().ok());
            match digest.and_then(|digest: Digest| Some((digest, *uses.get(&digest)?))) {
                Some((digest, uses)) => {
                    let size = file.metadata()?.len();
                    blobs.bytes += size;
                    blobs.kept.insert(digest, Kept { size, uses });
                }
                None => fs::remove_file(file.path())?,
            }
        }
        Ok(blobs)
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Keeps a content for one more entry, durably.
    pub fn keep(&mut self, digest: &Digest, bytes: &[u8]) -> io::Result<()> {
        if let Some(kept) = self.kept.get_mut(digest) {
            kept.uses += 1;
            return Ok(());
        }
        let partial = self.dir.join(PARTIAL);
        let written = write_durably(&partial, bytes).and_then(|()| fs::rename(&partial, self.path(digest)));
        if let Err(error) = written {
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
        File::open(&self.dir)?.sync_all()?;
        self.bytes += bytes.len() as u64;
        self.kept.insert(*digest, Kept { size: bytes.len() as u64, uses: 1 });
        Ok(())
    }

    /// One entry needs it no longer. The file to remove is returned when that was the last.
    pub fn release(&mut self, digest: &Digest) -> Option<PathBuf> {
        let kept = self.kept.get_mut(digest)?;
        kept.uses -= 1;
        if kept.uses > 0 {
            return None;
        }
        self.bytes -= kept.size;
        self.kept.remove(digest);
        Some(self.path(digest))
    }

    pub fn read(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let bytes = fs::read(self.path(digest))?;
        if Digest::of(&bytes) != *digest {
            return Err(io::Error::other("the kept content is damaged, so it was not restored"));
        }
        Ok(bytes)
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.dir.join(digest.to_string())
    }
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
