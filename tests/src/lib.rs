//! Drives the program from outside, and reads its sources: what the tests of this crate share.
//!
//! - [`sources`]: the Rust files of the workspace, comments and texts told apart from code, tests from the rest.
//! - [`imports`]: which of them takes names from which.
//! - [`licence`]: licence expressions against a list of accepted ones.

pub mod imports;
pub mod licence;
pub mod sources;
