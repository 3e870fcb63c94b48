//! Who may use HTTP: whoever has the token, and a browser that came in by a one-time link.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::hint::black_box;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::private;

/// How long a link can be used.
const LINK: Duration = Duration::from_mins(2);
/// How many links may be open, and how many browsers may be in; the oldest go first.
const LINKS: usize = 16;
const BROWSERS: usize = 64;
/// Browsers drop the cookie after a month.
const COOKIE_SECONDS: u32 = 30 * 24 * 60 * 60;

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

    /// Whether this is the token, in a time that does not tell how much of it is right.
    pub fn is(&self, given: &str) -> bool {
        same(&self.0, given)
    }
}

/// A browser that came in by a link: the same number for as long as its cookie is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Browser(u32);

/// The name of the person at it: `web:2`.
impl fmt::Display for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "web:{}", self.0)
    }
}

/// One-time links for browsers, and the browsers that came in by them.
#[derive(Debug)]
pub struct Logins {
    url: String,
    cookie: String,
    codes: Mutex<VecDeque<(String, Instant)>>,
    browsers: Mutex<Browsers>,
}

#[derive(Debug, Default)]
struct Browsers {
    last: u32,
    /// What their cookies hold, the oldest first.
    secrets: VecDeque<(Browser, String)>,
}

impl Logins {
    /// Logins to the server at this address. Cookies don't know ports, so the port is in their name: otherwise the
    /// hubs of two workspaces would throw each other's browsers out.
    pub(crate) fn new(url: &str, port: u16) -> Self {
        Logins {
            url: url.to_owned(),
            cookie: format!("flightdeck-{port}"),
            codes: Mutex::default(),
            browsers: Mutex::default(),
        }
    }

    /// A link that lets one browser in, within two minutes.
    pub fn new_link(&self) -> String {
        let code = secret();
        let link = format!("{}/login?code={code}", self.url);
        let mut codes = self.codes.lock();
        codes.retain(|(_, made)| made.elapsed() < LINK);
        if codes.len() == LINKS {
            codes.pop_front();
        }
        codes.push_back((code, Instant::now()));
        link
    }

    /// Takes a code: the cookie to set, or `None` when the code is not, or no longer, good.
    pub(crate) fn redeem(&self, given: &str) -> Option<String> {
        {
            let mut codes = self.codes.lock();
            let place = codes.iter().position(|(code, made)| same(code, given) && made.elapsed() < LINK)?;
            codes.remove(place);
        }
        let value = secret();
        let cookie = format!("{}={value}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict", self.cookie);
        let mut browsers = self.browsers.lock();
        if browsers.secrets.len() == BROWSERS {
            browsers.secrets.pop_front();
        }
        browsers.last += 1;
        let browser = Browser(browsers.last);
        browsers.secrets.push_back((browser, value));
        Some(cookie)
    }

    /// The browser that is in with this `Cookie` header.
    pub(crate) fn browser(&self, header: &str) -> Option<Browser> {
        let browsers = self.browsers.lock();
        let cookies = header.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let mut ours = cookies.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value);
        let known = |value| browsers.secrets.iter().find(|(_, secret)| same(secret, value));
        ours.find_map(known).map(|(browser, _)| *browser)
    }
}

/// 32 random bytes in hex.
pub(crate) fn secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the kernel gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn same(secret: &str, given: &str) -> bool {
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

    fn code(link: &str) -> &str {
        link.rsplit_once('=').unwrap().1
    }

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

    #[test]
    fn a_link_lets_one_browser_in() {
        let logins = Logins::new("http://127.0.0.1:1234", 1234);
        let link = logins.new_link();
        assert!(link.starts_with("http://127.0.0.1:1234/login?code="));
        assert_eq!(logins.redeem("nonsense"), None);
        let cookie = logins.redeem(code(&link)).unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        assert_eq!(logins.redeem(code(&link)), None, "a link works once");
        let pair = cookie.split(';').next().unwrap();
        for header in [pair, &format!("a=b; {pair}; c=d"), pair] {
            assert_eq!(logins.browser(header).unwrap().to_string(), "web:1", "{header}");
        }
        let other = logins.redeem(code(&logins.new_link())).unwrap();
        assert_eq!(logins.browser(&other).unwrap().to_string(), "web:2");
        for other in ["", "flightdeck-1234=", "flightdeck-1234=0", &pair.replace("1234", "1235")] {
            assert_eq!(logins.browser(other), None, "{other:?}");
        }
    }

    #[test]
    fn links_and_browsers_are_bounded() {
        let logins = Logins::new("http://x", 1);
        let first = logins.new_link();
        let links: Vec<_> = (0..LINKS).map(|_| logins.new_link()).collect();
        assert_eq!(logins.redeem(code(&first)), None, "the oldest goes first");
        assert!(logins.redeem(code(&links[0])).is_some());
        let cookies: Vec<_> = (0..=BROWSERS).filter_map(|_| logins.redeem(code(&logins.new_link()))).collect();
        assert_eq!(logins.browser(&cookies[0]), None);
        assert!(logins.browser(&cookies[BROWSERS]).is_some());
    }
}
