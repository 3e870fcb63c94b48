//! What agents may run: the rules in force, and what they say of a call. The rules themselves and how commands are read
//! is a library of its own, which knows nothing of hubs; here are the files, the places, and the surfaces.

mod disk;
mod files;

#[cfg(test)]
mod everyday;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_contract::approval::{ApprovalPiece, OfferedRule};
use flightdeck_policy::{
    Assessment, DangerKind, Decision, Deed, NewRule, Place, RuleId, Rules, Severity, Stance, assess, decide, headless,
    offer, reasons,
};

pub(crate) use files::{FileState, Files, Whose, rule_shown};

use crate::approvals::intent::{Certainty, Intent, Sight};
use crate::store::Store;

/// The policy of a hub.
#[derive(Debug)]
pub(crate) struct Policy {
    files: Files,
    workspace: PathBuf,
    home: Option<PathBuf>,
    temp: Vec<PathBuf>,
}

/// What the policy says of an intent, with all that it was decided by.
#[derive(Clone, Debug)]
pub(crate) struct Ruling {
    pub decision: Decision,
    pub assessment: Assessment,
    /// The rule that "always" would add.
    pub offer: Option<NewRule>,
    /// Whether a headless run of it may use the network.
    pub network: bool,
    /// Where it would run, with links followed.
    pub cwd: Option<PathBuf>,
}

impl Policy {
    /// The policy of a workspace, from the user's file and the workspace's own.
    pub(crate) fn open(user: PathBuf, state: &Path, workspace: &Path, store: Arc<Store>) -> Self {
        let mut temp = vec![PathBuf::from("/tmp"), PathBuf::from("/var/tmp"), std::env::temp_dir()];
        temp.dedup();
        Policy {
            files: Files::open(user, state.join("policy.toml"), store),
            workspace: workspace.to_owned(),
            home: std::env::home_dir(),
            temp,
        }
    }

    /// The rules in force, as the files have them now.
    pub(crate) fn rules(&self) -> Arc<Rules> {
        self.files.rules()
    }

    /// The files.
    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// What the rules in force say of an intent.
    pub(crate) fn rule_on(&self, intent: &Intent) -> Ruling {
        self.rule_by(&self.rules(), intent)
    }

    /// What these rules say of an intent.
    pub(crate) fn rule_by(&self, rules: &Rules, intent: &Intent) -> Ruling {
        let place = Place {
            workspace: self.workspace.clone(),
            // Links are followed, so that what lies outside is seen to.
            cwd: intent.cwd.as_ref().map(|cwd| cwd.canonicalize().unwrap_or_else(|_| cwd.clone())),
            home: self.home.clone(),
            temp: self.temp.clone(),
            env: intent.env.clone(),
            disk: Some(Arc::new(disk::LocalDisk)),
        };
        if let (Certainty::Perhaps { raw }, Deed::Line(text)) = (intent.certainty, &intent.deed) {
            return perhaps(text, raw, rules, &place);
        }
        let assessment = assess(&intent.deed, &place);
        let decision = match intent.sight {
            Sight::Headless => headless(&assessment, rules, &place),
            Sight::Shared(kind) => decide(&assessment, rules, &place, rules.defaults().stance(kind)),
        };
        let network = rules.rules().iter().any(|rule| rule.network && decision.rules.contains(&rule.id()));
        // A rule that asks wins over one that allows: adding one would change nothing.
        let by_rule = matches!(decision.rules.first(), Some(RuleId::User(_)));
        let offer = offer(&assessment, &place).filter(|_| !by_rule);
        Ruling { decision, assessment, offer, network, cwd: place.cwd }
    }
}

/// How many ends of lines are looked at.
const ENDS: usize = 2000;

/// What the rules say of text that is typed into a program, which may leave it to the shell below: only what is dangerous
/// about it counts, because it is hardly a command. A program that takes single keys may leave any end of a line.
fn perhaps(text: &str, raw: bool, rules: &Rules, place: &Place) -> Ruling {
    let ends = |line: &str| -> Vec<String> {
        let cuts = line.char_indices().map(|(at, _)| at).take(if raw { ENDS } else { 1 });
        cuts.map(|at| line[at..].to_owned()).collect()
    };
    let whole = std::iter::once(text.to_owned());
    let mut worst: Option<Assessment> = None;
    for part in whole.chain(text.lines().flat_map(ends).take(ENDS)) {
        let mut assessment = assess(&Deed::Line(part), place);
        // Hardly any answer to a program is valid shell text.
        assessment.dangers.retain(|danger| !matches!(danger.kind, DangerKind::Unreadable | DangerKind::RunsInput));
        let severity = |assessment: &Assessment| assessment.dangers.iter().map(|danger| danger.severity).max();
        if worst.as_ref().is_none_or(|worst| severity(&assessment) > severity(worst)) {
            worst = Some(assessment);
        }
    }
    let assessment = worst.unwrap_or_else(|| assess(&Deed::Line(String::new()), place));
    let decision = decide(&assessment, rules, place, Stance::Guard);
    Ruling { decision, assessment, offer: None, network: false, cwd: place.cwd.clone() }
}

impl Ruling {
    /// What is dangerous about it, the worst first, for whoever has to know.
    pub(crate) fn warning(&self) -> Option<String> {
        self.assessment.dangers.first().map(|danger| danger.reason.clone())
    }

    /// Why it needs a person, without saying that it does.
    pub(crate) fn why(&self) -> String {
        if self.assessment.dangers.is_empty() { self.decision.reason.clone() } else { reasons(&self.assessment) }
    }

    /// Whether nobody can allow it.
    pub(crate) fn forbidden(&self) -> bool {
        self.assessment.dangers.iter().any(|danger| danger.severity == Severity::Never)
    }

    /// The pieces for a person, the dangerous ones marked.
    pub(crate) fn pieces(&self) -> Vec<ApprovalPiece> {
        let of = |index: usize| self.assessment.dangers.iter().find(|danger| danger.piece == Some(index));
        let piece = |(index, piece): (usize, &flightdeck_policy::Piece)| ApprovalPiece {
            text: piece.text.clone(),
            start: piece.span.start,
            end: piece.span.end,
            depth: piece.depth,
            danger: of(index).map(|danger| danger.reason.clone()),
        };
        self.assessment.pieces.iter().enumerate().map(piece).collect()
    }

    /// The rule that "always" would add, for a person.
    pub(crate) fn offered(&self) -> Option<OfferedRule> {
        self.offer.as_ref().map(|offer| OfferedRule { words: offer.words(), toml: offer.toml() })
    }
}

/// How careful each surface is, by name.
pub(crate) fn defaults(rules: &Rules) -> Vec<(&'static str, Stance)> {
    use flightdeck_policy::SurfaceKind;
    SurfaceKind::ALL.into_iter().map(|kind| (kind.name(), rules.defaults().stance(kind))).collect()
}
