//! The HTTP API, asked as a client asks it: the server runs as a process of its own.

mod guard;
mod load;
mod positions;
mod solving;
mod stopping;
mod support;
mod tables;
