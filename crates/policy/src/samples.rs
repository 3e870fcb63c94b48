//! Assessments built by hand, and at random, for tests of what is decided about them.

use proptest::prelude::*;

use crate::plain::Step;
use crate::{Assessment, Danger, DangerKind, NotPlain, Piece, Place, Rules, Severity, Word};

/// The workspace, and a folder in it.
pub(crate) fn place() -> Place {
    Place {
        workspace: "/w".into(),
        cwd: Some("/w/sub".into()),
        home: Some("/home/dev".into()),
        temp: vec!["/tmp".into()],
        env: Vec::new(),
        disk: None,
    }
}

/// Plain commands, one a text.
pub(crate) fn plain(commands: &[&str]) -> Assessment {
    let split = |text: &&str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut start = 0;
    let pieces = commands.iter().map(|text| {
        let span = start..start + text.len();
        start = span.end + 1;
        let words = split(text).into_iter().map(Word::Literal).collect();
        Piece { text: (*text).to_owned(), span, depth: 0, words }
    });
    let words: Vec<Vec<String>> = commands.iter().map(split).collect();
    let steps = Ok(words.iter().map(|words| Step::literal(words)).collect());
    Assessment { pieces: pieces.collect(), plain: Ok(words), steps, dangers: Vec::new() }
}

impl Assessment {
    /// With a danger in a piece.
    pub(crate) fn danger(mut self, kind: DangerKind, severity: Severity, piece: Option<usize>) -> Assessment {
        let span = piece.and_then(|at| self.pieces.get(at)).map_or(0..0, |piece| piece.span.clone());
        self.dangers.push(Danger { kind, severity, piece, span, reason: format!("it is {}", kind.rule()) });
        self.dangers.sort_by_key(|danger| std::cmp::Reverse(danger.severity));
        self
    }

    /// With text that nothing can be proven of.
    pub(crate) fn not_plain(mut self) -> Assessment {
        let refused = NotPlain { reason: "it holds the expansion $X".to_owned(), span: 0..1 };
        (self.plain, self.steps) = (Err(refused.clone()), Err(refused));
        self
    }

    /// With a piece inside of another.
    pub(crate) fn nested(mut self, outer: usize, text: &str) -> Assessment {
        let (span, depth) = (self.pieces[outer].span.clone(), self.pieces[outer].depth + 1);
        let words = text.split(' ').map(|word| Word::Literal(word.to_owned())).collect();
        self.pieces.push(Piece { text: text.to_owned(), span, depth, words });
        self
    }
}

/// Rules of every effect.
pub(crate) fn rules() -> Rules {
    Rules::parse(
        r#"
        [[rule]]
        name = "ok"
        allow = ["ok *"]
        [[rule]]
        name = "seen"
        allow = ["seen *"]
        headless = false
        [[rule]]
        name = "asked"
        ask = ["asked *"]
        [[rule]]
        name = "never"
        block = ["never *"]
        reason = "it broke things"
        "#,
    )
    .expect("the rules are right")
}

/// Any assessment, consistent or not: what is decided may not depend on being told the truth.
pub(crate) fn any_assessment() -> impl Strategy<Value = Assessment> {
    let program = prop::sample::select(vec!["ok", "seen", "asked", "never", "other", "pwd", "sudo", "bash", "rm"]);
    let argument = prop::sample::select(vec!["-rf", "x", "*", "a b", "", "it's", "--", "build", "-c", "\u{202e}"]);
    let command = (program, prop::collection::vec(argument, 0..4)).prop_map(|(program, arguments)| {
        std::iter::once(program).chain(arguments).map(str::to_owned).collect::<Vec<_>>()
    });
    let danger = (prop::sample::select(DangerKind::ALL.to_vec()), any::<bool>(), prop::option::of(0..5usize));
    let parts = (prop::collection::vec(command, 0..5), prop::collection::vec(danger, 0..3), any::<bool>());
    parts.prop_map(|(commands, dangers, is_plain)| {
        let mut start = 0;
        let pieces = commands.iter().map(|words| {
            let text = words.join(" ");
            let span = start..start + text.len();
            start = span.end + 1;
            Piece { text, span, depth: 0, words: words.iter().cloned().map(Word::Literal).collect() }
        });
        let pieces = pieces.collect();
        let steps = Ok(commands.iter().map(|words| Step::literal(words)).collect());
        let mut a = Assessment { pieces, plain: Ok(commands), steps, dangers: Vec::new() };
        for (kind, never, piece) in dangers {
            a = a.danger(kind, if never { Severity::Never } else { Severity::Ask }, piece);
        }
        if is_plain { a } else { a.not_plain() }
    })
}
