//! Who does something in the workbench.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A person or an agent, by the name under which what they open belongs to them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A person at a front end.
    Person(String),
    /// An agent.
    Agent(String),
}

impl Actor {
    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Actor::Person(_))
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::Person(name) | Actor::Agent(name) => f.write_str(name),
        }
    }
}
