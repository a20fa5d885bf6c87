//! RON texts as people write them: read without losing a byte, and changed only where something changed.
//!
//! ```text
//!   text ──parse──▶ Tree + faults of signs ──read──▶ values + every other fault, each at its byte
//! ```
//!
//! `lex` finds tokens, `literal` knows what numbers and texts mean, `parse` makes the `tree`; `sequence` takes what
//! stands between two brackets apart and puts it together again, comments with what they belong to. The `ron` crate is their
//! measure: the tests hold them to accept what it accepts, and to read the same values.

mod lex;
mod literal;
mod parse;
mod sequence;
mod tree;

use super::fault::Fault;
use super::format::read::{Misread, Misreadings, found_at, unknown_name};
pub(super) use literal::{OutOfBounds, float, whole};
pub(super) use parse::{Found, parse};
pub(super) use sequence::{Arranged, NewLine, Piece, Sequence, sequence};
pub(super) use tree::{Kind, Node, Tree};

/// Every fault with its line and column, in the order of the text.
pub(super) fn placed(text: &str, found: Vec<Found>) -> Vec<Fault> {
    let mut misreadings = Misreadings::of(text);
    found.into_iter().for_each(|(offset, fault)| misreadings.push(Misread { offset, fault }));
    misreadings.in_order()
}

/// Where a merge of two versions has left both in the text: one fault for each such place. To be told instead of what
/// the lines that mark them look like.
pub(super) fn conflicts(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.strip_prefix("<<<<<<<").is_some_and(|rest| !rest.starts_with('<')) {
            let message = "a merge has left both versions here: keep one, or what is right of both, and take out the \
                           lines with <<<<<<<, ======= and >>>>>>>";
            found.push((at, Fault::new(message)));
        }
        at += line.len();
    }
    found
}

/// The comments in a text of whole tokens, in order.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    lex::comments(text).map(|(_, comment)| comment)
}

/// The tokens of a text, without what stands between them.
#[cfg(test)]
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut at = lex::skip_trivia(text, 0).expect("closed comments");
    while at < text.len() {
        let token = lex::token(text, at);
        tokens.push(&text[token.start..token.end]);
        at = lex::skip_trivia(text, token.end).expect("closed comments");
    }
    tokens
}

#[cfg(test)]
mod tests;
