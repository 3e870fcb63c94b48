//! The end-to-end tests: each module drives the real binary, in a process of its own (nextest).
#![allow(clippy::unwrap_used)]

#[path = "../clients/programs.rs"]
mod programs;

mod acp;
mod adapters;
mod advice;
mod agents;
mod answers;
mod approve;
mod approve_watch;
mod attach;
mod audit;
mod bad_frames;
mod bad_input;
mod bridge;
mod canonical;
mod canonical_troubles;
mod clients;
mod compat_tools;
mod completions;
mod consent;
mod doors;
mod elicitation;
mod everyday;
mod forged_marks;
mod full_disk;
mod held_input;
mod hidden_input;
mod hub_watch;
mod identity;
mod idle;
mod inside;
mod interactive;
mod interrupt;
mod keeper_loss;
mod keeper_socket;
mod kill;
mod leases;
mod leaving;
mod limits;
mod logs;
mod long_commands;
mod long_results;
mod lost_database;
mod manners;
mod many_terminals;
mod mcp_clients;
mod mcp_conformance;
mod mcp_hostile;
mod mcp_http;
mod mcp_resources;
mod mcp_stdio;
mod openspace;
mod order;
mod page;
mod plumbing;
mod policy;
mod policy_accept;
mod resize;
mod restart;
mod run;
mod run_asks;
mod run_fresh;
mod run_input;
mod run_limits;
mod run_output;
mod shell_edges;
mod shell_history;
mod shell_run;
mod silent_hub;
mod streams;
mod survive;
mod survive_callers;
mod survive_records;
mod survive_screen;
mod tabs;
mod tools;
mod types;
mod typing;
mod under_load;
mod upgrade;
mod view;
mod wait;
mod web_socket;
mod whole_commands;
mod window;
mod workspaces;

/// A file that is not named above would never run.
#[test]
fn every_file_is_a_module() {
    let named = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(
            module == "main" || named.contains(&format!("\nmod {module};\n")),
            "tests/main.rs does not name {name}"
        );
    }
}
