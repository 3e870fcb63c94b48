//! The token: the secret by which programs may use HTTP. Browsers come in by [links](crate::logins).

use std::fmt;
use std::fs;
use std::hint::black_box;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::private;

/// The secret that programs show with each request.
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Reads the token's file, or makes it. One that others could have read is replaced.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let (Ok(meta), Ok(text)) = (fs::symlink_metadata(path), fs::read_to_string(path)) {
            let own = meta.is_file() && meta.uid() == rustix::process::getuid().as_raw();
            let token = text.trim();
            if own
                && meta.mode() & 0o777 == 0o600
                && token.len() == 64
                && token.bytes().all(|byte| byte.is_ascii_hexdigit())
            {
                return Ok(Token(token.to_owned()));
            }
        }
        let token = secret();
        private::write(path, format!("{token}\n").as_bytes())?;
        Ok(Token(token))
    }

    /// The token itself, for what is derived from it.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is the token, in a time that does not tell how much of it is right.
    pub fn is(&self, given: &str) -> bool {
        same(&self.0, given)
    }
}

/// 32 random bytes in hex.
pub(crate) fn secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the kernel gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn same(secret: &str, given: &str) -> bool {
    let (secret, given) = (secret.as_bytes(), given.as_bytes());
    if secret.len() != given.len() {
        return false;
    }
    let difference = secret.iter().zip(given).fold(0, |difference, (one, other)| black_box(difference | (one ^ other)));
    difference == 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_token_is_made_once_and_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let token = Token::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let text = fs::read_to_string(&path).unwrap();
        assert!(token.is(text.trim()) && text.trim().len() == 64);
        assert!(Token::open(&path).unwrap().is(text.trim()), "the second hub uses the same token");
        for wrong in ["", "x", &text[1..], &text.replace(char::is_numeric, "x")] {
            assert!(!token.is(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_token_that_others_could_read_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        Token::open(&path).unwrap();
        let old = fs::read_to_string(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(!Token::open(&path).unwrap().is(old.trim()));
        fs::write(&path, "short").unwrap();
        assert!(!Token::open(&path).unwrap().is("short"));
    }
}
