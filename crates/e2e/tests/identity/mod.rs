//! Who is a person: what the kernel says of the process that calls decides, however an agent hides.

mod attacks;
mod pairing;
mod pid_reuse;
mod places;
mod protect;
mod shell;
mod ssh;
