//! Browsers: one-time links that let them in, and the cookies by which they are known from then on.
//!
//! A hub that comes back lets the same browsers in, so that a page goes on by itself. Only hashes of the cookies are kept:
//! who reads the file can't be one of the browsers.

use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use crate::auth::{same, secret};
use crate::private;

/// How long a link can be used.
const LINK: Duration = Duration::from_mins(2);
/// How many links may be open, and how many browsers may be in; the oldest go first.
const LINKS: usize = 16;
const BROWSERS: usize = 64;
/// How long a cookie is good, here as in the browser: a month.
const COOKIE_SECONDS: u64 = 30 * 24 * 60 * 60;

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

#[derive(Debug)]
struct Browsers {
    file: PathBuf,
    last: u32,
    /// The oldest first.
    known: VecDeque<Known>,
}

#[derive(Debug)]
struct Known {
    browser: Browser,
    /// Of what its cookie holds.
    hash: String,
    /// In seconds since 1970.
    until: u64,
}

impl Logins {
    /// Logins to the server at this address, with the browsers that the file knows. Cookies don't know ports, so the port
    /// is in their name: otherwise the hubs of two workspaces would throw each other's browsers out.
    pub(crate) fn new(url: &str, port: u16, file: &Path) -> Self {
        Logins {
            url: url.to_owned(),
            cookie: format!("flightdeck-{port}"),
            codes: Mutex::default(),
            browsers: Mutex::new(Browsers::read(file)),
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
        self.browsers.lock().add(hash(&value));
        Some(cookie)
    }

    /// The browser that is in with this `Cookie` header.
    pub(crate) fn browser(&self, header: &str) -> Option<Browser> {
        let browsers = self.browsers.lock();
        let cookies = header.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let mut ours = cookies.filter(|(name, _)| *name == self.cookie).map(|(_, value)| hash(value));
        let now = now();
        let known = |hash: String| browsers.known.iter().find(|known| same(&known.hash, &hash) && now < known.until);
        ours.find_map(known).map(|known| known.browser)
    }
}

impl Browsers {
    /// A line for each: its number, the hash, and until when. What can't be read lets nobody in.
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let (number, hash, until) = (words.next()?, words.next()?, words.next()?);
            Some(Known { browser: Browser(number.parse().ok()?), hash: hash.to_owned(), until: until.parse().ok()? })
        });
        let known: VecDeque<_> = lines.collect();
        let last = known.iter().map(|known| known.browser.0).max().unwrap_or(0);
        Browsers { file: file.to_owned(), last, known }
    }

    fn add(&mut self, hash: String) {
        let now = now();
        self.known.retain(|known| now < known.until);
        if self.known.len() == BROWSERS {
            self.known.pop_front();
        }
        self.last += 1;
        self.known.push_back(Known { browser: Browser(self.last), hash, until: now + COOKIE_SECONDS });
        let lines = self.known.iter().map(|Known { browser, hash, until }| format!("{} {hash} {until}\n", browser.0));
        // One that can't be kept has to use a new link after a restart, and is told so.
        let _ = private::write(&self.file, lines.collect::<String>().as_bytes());
    }
}

fn hash(value: &str) -> String {
    Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(link: &str) -> &str {
        link.rsplit_once('=').unwrap().1
    }

    #[test]
    fn a_link_lets_one_browser_in() {
        let dir = tempfile::tempdir().unwrap();
        let logins = Logins::new("http://127.0.0.1:1234", 1234, &dir.path().join("browsers"));
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
        let dir = tempfile::tempdir().unwrap();
        let logins = Logins::new("http://x", 1, &dir.path().join("browsers"));
        let first = logins.new_link();
        let links: Vec<_> = (0..LINKS).map(|_| logins.new_link()).collect();
        assert_eq!(logins.redeem(code(&first)), None, "the oldest goes first");
        assert!(logins.redeem(code(&links[0])).is_some());
        let cookies: Vec<_> = (0..=BROWSERS).filter_map(|_| logins.redeem(code(&logins.new_link()))).collect();
        assert_eq!(logins.browser(&cookies[0]), None);
        assert!(logins.browser(&cookies[BROWSERS]).is_some());
    }

    #[test]
    fn the_next_hub_knows_them_by_their_hashes() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("browsers");
        let logins = Logins::new("http://x", 1, &file);
        let cookie = logins.redeem(code(&logins.new_link())).unwrap();
        let value = cookie.split(['=', ';']).nth(1).unwrap();
        assert!(!fs::read_to_string(&file).unwrap().contains(value));
        let next = Logins::new("http://x", 1, &file);
        assert_eq!(next.browser(&cookie).unwrap().to_string(), "web:1");
        let other = next.redeem(code(&next.new_link())).unwrap();
        assert_eq!(next.browser(&other).unwrap().to_string(), "web:2", "numbers are not given again");
        fs::write(&file, "1 nonsense\n\u{0}\n").unwrap();
        assert_eq!(Logins::new("http://x", 1, &file).browser(&cookie), None);
    }

    #[test]
    fn a_cookie_is_good_for_a_month() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("browsers");
        for (until, good) in [(now() + 1000, true), (now() - 1, false)] {
            fs::write(&file, format!("1 {} {until}\n", hash("x"))).unwrap();
            assert_eq!(Logins::new("http://x", 1, &file).browser("flightdeck-1=x").is_some(), good);
        }
    }
}
