//! Coming, going and what stays behind.

use super::*;

fn agents(grace: f64, idle: u64) -> Arc<Agents> {
    let mut settings = Settings::default();
    settings.agents.grace_seconds = grace;
    settings.agents.idle_seconds = idle;
    Agents::with(&settings, Numbers::default())
}

fn arrival(name: &str) -> Arrival {
    Arrival { name: name.into(), version: "1".into(), surface: Surface::McpStdio, key: None, pid: None }
}

#[test]
fn what_an_agent_started_ends_after_the_grace_period() {
    let agents = agents(60.0, 1);
    let agent = agents.arrive(&arrival("claude-code"));
    agents.own(TerminalId::new(1), &agent.caller().actor);
    let now = Instant::now();
    assert_eq!(agents.sweep(now + Duration::from_hours(1)), Swept::default(), "it is still here");
    drop(agent);
    let Swept { terminals, agents: left, next } = agents.sweep(Instant::now());
    assert_eq!((terminals, left), (vec![], vec![]));
    assert!(next.is_some_and(|next| next > now));
    assert_eq!(agents.sweep(Instant::now() + Duration::from_secs(61)).terminals, vec![TerminalId::new(1)]);
    assert_eq!(agents.sweep(Instant::now() + Duration::from_secs(61)).terminals, vec![], "once");
}

#[test]
fn who_comes_back_finds_its_terminals_and_others_do_not() {
    let agents = agents(60.0, 1);
    let agent = agents.arrive(&arrival("claude-code"));
    agents.own(TerminalId::new(1), &agent.caller().actor);
    drop(agent);
    let _other = agents.arrive(&arrival("codex"));
    let late = Instant::now() + Duration::from_secs(61);
    let again = agents.arrive(&arrival("claude-code"));
    assert_eq!(agents.sweep(late).terminals, vec![], "it came back");
    drop(again);
    assert_eq!(agents.sweep(Instant::now() + Duration::from_secs(61)).terminals, vec![TerminalId::new(1)]);
}

#[test]
fn a_new_connection_that_comes_before_the_old_one_ends_inherits_too() {
    let agents = agents(60.0, 1);
    let first = agents.arrive(&arrival("claude-code"));
    agents.own(TerminalId::new(1), &first.caller().actor);
    let second = agents.arrive(&arrival("claude-code"));
    drop(first);
    assert_eq!(agents.sweep(Instant::now() + Duration::from_secs(61)).terminals, vec![]);
    drop(second);
    assert_eq!(agents.sweep(Instant::now() + Duration::from_secs(61)).terminals, vec![TerminalId::new(1)]);
}

#[test]
fn one_that_comes_by_two_doors_is_one_whichever_is_first() {
    let agents = agents(60.0, 1);
    let one = one::OneAgent::default();
    assert_eq!(one.number(), None);
    let tools = one.arrive(&agents, &arrival("kimi"));
    let talk = one.arrive(&agents, &Arrival { surface: Surface::Acp, ..arrival("Kimi Code") });
    assert_eq!((tools.number(), one.number()), (talk.number(), Some(talk.number())));
    assert_eq!(agents.names(), ["kimi#1"]);
    drop(tools);
    assert_eq!(agents.count(), 1, "it is here while one of its doors is open");
    drop(talk);
    assert_eq!(agents.count(), 0);
    // Who is gone is not found again under its number, and neither is who has ended.
    let later = one.arrive(&agents, &arrival("kimi"));
    assert_eq!((later.number(), agents.count()), (2, 1));
    one.ended();
    assert_eq!(one.arrive(&agents, &arrival("kimi")).number(), 3);
}

#[test]
fn what_is_kept_stays() {
    let agents = agents(0.0, 1);
    let agent = agents.arrive(&arrival("a"));
    agents.own(TerminalId::new(1), &agent.caller().actor);
    agents.disown(TerminalId::new(1));
    drop(agent);
    assert_eq!(agents.sweep(Instant::now()).terminals, vec![]);
}

#[test]
fn a_visitor_is_one_agent_until_it_stays_away() {
    let agents = agents(0.0, 10);
    let number = agents.visit(&arrival("web")).id();
    assert_eq!(agents.visit(&arrival("web")).id(), number);
    agents.sweep(Instant::now() + Duration::from_secs(9));
    assert_eq!(agents.count(), 1);
    agents.sweep(Instant::now() + Duration::from_secs(11));
    assert_eq!(agents.count(), 0);
    assert_ne!(agents.visit(&arrival("web")).id(), number);
}

#[test]
fn names_can_stand_in_a_line() {
    assert_eq!(clean(" a\x1b[31m\nb#1 "), "a [31m b 1");
    assert_eq!(clean("cli:anna"), "cli anna", "no person");
    assert_eq!(clean(""), "agent");
    assert_eq!(clean(&"x".repeat(500)).len(), LONGEST_NAME);
}
