//! The grammar's reading beside the reader's: what either sees is searched.

use std::collections::HashSet;

use super::value::Scope;
use super::{Here, Search};
use crate::shell::{self, tree};
use crate::{DangerKind, Piece};

impl Search<'_> {
    /// What the grammar thinks of a text; commands that only the grammar sees are followed too.
    pub(super) fn second_reading(
        &mut self,
        (text, tokens): (&str, usize),
        scope: &mut Scope,
        here: &Here,
        before: usize,
    ) {
        // A nested text is judged by the reader alone: it may be meant for another shell. So is one that would take long.
        if here.fixed.is_some() || text.len() > shell::MAX_CONFIRMED || tokens > shell::MAX_TOKENS {
            return;
        }
        let tree = tree::parse(text, tokens);
        let error = match &tree {
            Ok(tree) => tree::error(tree),
            Err(fault) => Some(fault.span.clone()),
        };
        if let Some(span) = error.filter(|_| !tree::misread(text)) {
            let reason = "it can't be read as shell text: the grammar does not allow this";
            self.add(DangerKind::Unreadable, &here.at(&span), reason);
        }
        let Ok(tree) = tree else { return };
        let starts: HashSet<usize> = self.pieces[before..].iter().map(|piece| piece.span.start).collect();
        for span in tree::commands(&tree) {
            let covered = |piece: &Piece| piece.span.start <= span.start && span.end <= piece.span.end;
            if !starts.contains(&span.start) && !self.pieces[before..].iter().any(covered) {
                let inner = shell::read(&text[span.clone()]);
                let here = Here { fixed: Some(span.clone()), span, ..here.clone() };
                self.list(&inner.list, scope, &here);
            }
        }
    }
}
