//! Closed lists of flags. What is not in the list proves nothing.

/// The flags of a program that are known to be harmless.
pub(super) struct Flags {
    /// Short flags without a value.
    pub short: &'static str,
    /// Short flags with a value.
    pub valued: &'static str,
    /// Long flags without a value.
    pub long: &'static [&'static str],
    /// Long flags with a value: `--flag value` or `--flag=value`.
    pub long_valued: &'static [&'static str],
    /// Whether `-5` stands for a number.
    pub number: bool,
}

/// What is left of the arguments.
pub(super) struct Parsed<'a> {
    pub operands: Vec<&'a str>,
    /// How many of the operands stand before `--`; all, when there is none.
    pub before: usize,
    /// The flags that were given, as `-x` or `--long`, with their values.
    pub given: Vec<(String, Option<&'a str>)>,
}

impl Parsed<'_> {
    pub(super) fn has(&self, flags: &[&str]) -> bool {
        self.given.iter().any(|(flag, _)| flags.contains(&flag.as_str()))
    }
}

impl Flags {
    /// Divides arguments into flags and operands, or gives up at the first flag that is not known.
    pub(super) fn parse<'a>(&self, args: &[&'a str]) -> Option<Parsed<'a>> {
        let mut parsed = Parsed { operands: Vec::new(), before: 0, given: Vec::new() };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            if *arg == "--" {
                parsed.before = parsed.operands.len();
                parsed.operands.extend(rest);
                return Some(parsed);
            }
            if let Some(long) = arg.strip_prefix("--") {
                self.long_flag(long, &mut rest, &mut parsed)?;
            } else if arg.len() > 1 && arg.starts_with('-') {
                self.short_flags(&arg[1..], &mut rest, &mut parsed)?;
            } else {
                parsed.operands.push(arg);
            }
        }
        parsed.before = parsed.operands.len();
        Some(parsed)
    }

    fn long_flag<'a>(
        &self,
        long: &'a str,
        rest: &mut std::slice::Iter<'_, &'a str>,
        parsed: &mut Parsed<'a>,
    ) -> Option<()> {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        if self.long_valued.contains(&name) {
            let value = value.or_else(|| rest.next().copied())?;
            parsed.given.push((format!("--{name}"), Some(value)));
        } else if self.long.contains(&name) {
            parsed.given.push((format!("--{name}"), value));
        } else {
            return None;
        }
        Some(())
    }

    fn short_flags<'a>(
        &self,
        flags: &'a str,
        rest: &mut std::slice::Iter<'_, &'a str>,
        parsed: &mut Parsed<'a>,
    ) -> Option<()> {
        if self.number && flags.chars().all(|c| c.is_ascii_digit()) {
            return Some(());
        }
        for (at, flag) in flags.char_indices() {
            if self.valued.contains(flag) {
                let joined = &flags[at + flag.len_utf8()..];
                let value = if joined.is_empty() { rest.next().copied()? } else { joined };
                parsed.given.push((format!("-{flag}"), Some(value)));
                return Some(());
            }
            if !self.short.contains(flag) {
                return None;
            }
            parsed.given.push((format!("-{flag}"), None));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    const FLAGS: Flags = Flags { short: "ab", valued: "n", long: &["all"], long_valued: &["size"], number: true };

    #[test]
    fn flags_and_operands() {
        let table: &[(&[&str], Option<&[&str]>)] = &[
            (&["-ab", "x", "-n", "5", "y"], Some(&["x", "y"])),
            (&["-abn5", "x"], Some(&["x"])),
            (&["-5", "x"], Some(&["x"])),
            (&["--all", "--size", "3", "--size=4", "x"], Some(&["x"])),
            (&["-a", "--", "-z", "--what"], Some(&["-z", "--what"])),
            (&["-"], Some(&["-"])),
            (&["-z"], None),
            (&["-az"], None),
            (&["--al"], None),
            (&["-n"], None),
            (&["--size"], None),
        ];
        for (args, operands) in table {
            assert_eq!(FLAGS.parse(args).map(|parsed| parsed.operands), operands.map(<[&str]>::to_vec), "{args:?}");
        }
    }
}
