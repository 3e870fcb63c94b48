//! Which dangers a rule can allow: those that its words show.
//!
//! A pattern sees words. It does not see a redirection, a variable in front of a command or what a pipe brings, so a rule
//! that allows `echo *` says nothing about `echo x > /etc/hosts`.

use crate::pattern::Pattern;
use crate::rules::{Effect, Rule, Rules};
use crate::{Assessment, Danger, DangerKind, Piece, RuleId, Severity, Word};

/// The rule that covers a danger.
pub(super) fn covering(a: &Assessment, danger: &Danger, rules: &Rules) -> Option<RuleId> {
    rules.with(Effect::Allow).find(|rule| covers(&rule.patterns, a, danger)).map(Rule::id)
}

/// Whether one of the patterns covers a danger.
pub(crate) fn covers(patterns: &[Pattern], a: &Assessment, danger: &Danger) -> bool {
    let Some(piece) = coverable(a, danger) else { return false };
    let outer: Vec<_> = a.pieces.iter().filter(|outer| outer.depth < piece.depth && within(piece, outer)).collect();
    // `rm -rf build` on another machine, or with what a pipe brings, is not what a rule for `rm -rf build` is about.
    let as_itself = outer.iter().all(|outer| is_transparent(outer));
    patterns.iter().any(|pattern| {
        let covers = |piece: &Piece| is_bare(piece) && pattern.allows_piece(&piece.words);
        // Who wrote out every word of `ssh host 'rm -rf build'` has seen what is nested in it.
        let seen = |outer: &&Piece| outer.text.contains(&piece.text) && covers(outer);
        (as_itself && covers(piece)) || (pattern.is_exact() && outer.iter().any(seen))
    })
}

/// Whether it runs a command just as it would run without it.
fn is_transparent(piece: &Piece) -> bool {
    const TRANSPARENT: [&str; 8] = ["timeout", "nice", "nohup", "time", "stdbuf", "setsid", "ionice", "command"];
    matches!(piece.words.first(), Some(Word::Literal(program)) if TRANSPARENT.contains(&program.as_str()))
        && is_bare(piece)
}

/// The piece of a danger that words can cover.
pub(crate) fn coverable<'a>(a: &'a Assessment, danger: &Danger) -> Option<&'a Piece> {
    let hidden = matches!(danger.kind, DangerKind::RunsInput | DangerKind::Environment | DangerKind::Unreadable);
    if hidden || danger.severity == Severity::Never {
        return None;
    }
    danger.piece.and_then(|at| a.pieces.get(at))
}

fn within(inner: &Piece, outer: &Piece) -> bool {
    outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

/// Whether its words are all of it: no redirection, and no variable in front. In doubt it is not.
fn is_bare(piece: &Piece) -> bool {
    let Some(Word::Literal(program)) = piece.words.first() else { return false };
    piece.text.starts_with(program.as_str()) && !piece.text.contains(['<', '>'])
}
