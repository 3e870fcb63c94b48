//! What a conversation has used, and whether it may use more.

use flightdeck_contract::chat::{Budget, Cost, Level, Usage};
use flightdeck_contract::{Error, ErrorCode};

use super::connection::Connection;

/// From here on a warning is shown.
const WARNING: f64 = 0.8;

/// What an agent tells of its use.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Used {
    /// How many tokens its context holds, and can hold.
    pub context: Option<(u64, u64)>,
    /// What it cost so far.
    pub cost: Option<(f64, String)>,
    /// How many tokens a turn took.
    pub turn_tokens: Option<u64>,
}

impl Connection {
    /// Notes what was used, warns, and stops.
    pub(super) fn used(&mut self, used: Used) {
        let usage = self.write(|draft| {
            let usage = draft.chat().usage.get_or_insert_default();
            if let Some((context, size)) = used.context {
                (usage.context, usage.size) = (Some(context), Some(size));
            }
            if let Some((amount, currency)) = used.cost {
                usage.cost = Some(Cost { amount, currency });
            }
            if let Some(tokens) = used.turn_tokens {
                usage.tokens = Some(usage.tokens.unwrap_or(0) + tokens);
            }
            usage.clone()
        });
        let Some(budget) = self.seat.chat().budget else { return };
        let share = share(&usage, budget);
        if share >= 1.0 && self.memory.turn().is_some() && self.memory.cancelled.is_none() {
            let used = words(&usage, budget);
            self.note(Level::Warning, &format!("The budget is used up ({used}): the agent is told to stop."));
            // It works, so there is something to cancel.
            let _ = self.cancel(used);
        } else if share >= WARNING && !self.memory.warned {
            self.memory.warned = true;
            self.note(
                Level::Warning,
                &format!("{:.0} % of the budget is used ({}).", share * 100.0, words(&usage, budget)),
            );
        }
    }

    pub(super) fn check_budget(&mut self) -> Result<(), Error> {
        let chat = self.seat.chat();
        let (Some(usage), Some(budget)) = (chat.usage, chat.budget) else { return Ok(()) };
        let share = share(&usage, budget);
        if share < WARNING {
            self.memory.warned = false;
        }
        if share < 1.0 {
            return Ok(());
        }
        let text = format!("the budget of {} is used up: {}", chat.id, words(&usage, budget));
        Err(Error::new(ErrorCode::BudgetExhausted, text)
            .hint("raise it: Budget… in the conversation's menu, or flightdeck.chat.budget"))
    }
}

/// How much of the budget is used, of whatever is used most. An agent that tells only what its context holds is counted by
/// that.
fn share(usage: &Usage, budget: Budget) -> f64 {
    let tokens = usage.tokens.into_iter().chain(usage.context).max();
    let of_tokens = budget.tokens.zip(tokens).map_or(0.0, |(limit, used)| used as f64 / (limit.max(1)) as f64);
    let cost = usage.cost.as_ref().map(|cost| cost.amount);
    let of_cost = budget.cost.zip(cost).map_or(0.0, |(limit, used)| used / limit.max(f64::MIN_POSITIVE));
    of_tokens.max(of_cost)
}

fn words(usage: &Usage, budget: Budget) -> String {
    let tokens = usage.tokens.into_iter().chain(usage.context).max();
    let tokens = budget.tokens.zip(tokens).map(|(limit, used)| format!("{used} of {limit} tokens"));
    let cost = budget
        .cost
        .zip(usage.cost.as_ref())
        .map(|(limit, used)| format!("{:.2} of {limit:.2} {}", used.amount, used.currency));
    tokens.into_iter().chain(cost).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_share_counts() {
        let usage = Usage {
            context: Some(500),
            size: Some(1000),
            tokens: Some(900),
            cost: Some(Cost { amount: 0.5, currency: "USD".into() }),
        };
        for (tokens, cost, expected) in
            [(Some(1000), None, 0.9), (None, Some(1.0), 0.5), (Some(10_000), Some(0.5), 1.0), (None, None, 0.0)]
        {
            let share = share(&usage, Budget { tokens, cost });
            assert!((share - expected).abs() < 1e-9, "{tokens:?} {cost:?}: {share}");
        }
    }
}
