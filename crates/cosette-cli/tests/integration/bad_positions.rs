//! Texts that are not positions: exit code 3, what is wrong and where, and how to fix it. No table is needed for that.

use crate::support::{SOLVED, cosette, painted};
use predicates::prelude::*;
use predicates::str::contains;

/// Solves `text` and expects it to be refused with this message and this help.
#[track_caller]
fn refused(text: &str, message: &str, help: &str) {
    let folder = tempfile::TempDir::new().unwrap();
    let assert = cosette().arg("solve").arg("--tables").arg(folder.path()).arg(text).assert();
    assert.code(3).stdout("").stderr(contains(message)).stderr(contains("help: ").and(contains(help)));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "no table is generated for a text that is not a position");
}

#[test]
fn nothing() {
    refused("", "there is nothing to read", "give moves");
    refused(" // a comment", "there is nothing to read", "give moves");
}

#[test]
fn an_unknown_token_is_shown_in_its_place() {
    refused("R U Q F", "`Q` is not a valid move", "moves are U R F D L B");
    refused("R U Q F", "│ R U Q F", "moves are");
}

#[test]
fn an_unbalanced_bracket() {
    refused("(R U R'", "this `(` is never closed", "close it with `)`");
    refused("R U) R'", "this `)` was never opened", "leave it out");
}

#[test]
fn a_facelet_too_few_or_too_many() {
    refused(&SOLVED[1..], "there are 53 facelets", "give 54");
    refused(&format!("{SOLVED}B"), "there are 55 facelets", "give 54");
}

#[test]
fn seven_colours() {
    refused(&painted(&[(8, 'P')]), "`P` on facelet U9 is a seventh colour", "use the colours of the centres");
}

/// The facelet numbers below: U9 = 8 meets R1 = 9 and F3 = 20 in the corner URF; U6 = 5 meets R2 = 10 in the edge UR,
/// U8 = 7 meets F2 = 19 in UF; R8 = 16 meets D6 = 32 in DR.
#[test]
fn a_piece_that_does_not_exist() {
    // White and yellow on one edge; a yellow facelet elsewhere turned white to keep nine of each.
    refused(&painted(&[(10, 'Y'), (28, 'R')]), "shows the colours `WY`, which no edge has", "check this slot");
}

#[test]
fn a_piece_twice() {
    // UF shows the colours of UR, and DR those of DF.
    refused(&painted(&[(19, 'R'), (16, 'G')]), "appears twice", "must appear once");
}

#[test]
fn a_flipped_edge() {
    refused(&painted(&[(7, 'G'), (19, 'W')]), "an edge is flipped in place", "flip one edge");
}

#[test]
fn a_twisted_corner() {
    refused(&painted(&[(8, 'R'), (9, 'G'), (20, 'W')]), "a corner is twisted in place", "twist one corner");
}

#[test]
fn two_swapped_pieces() {
    // UF and UR exchanged.
    refused(&painted(&[(19, 'R'), (10, 'G')]), "two pieces are swapped", "swap two edges or two corners");
}

#[test]
fn json_says_what_is_wrong() {
    let output = cosette().args(["solve", "--json", "R U Q"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let [line] = &crate::support::json_lines(&output.stdout)[..] else { panic!("one line is written") };
    assert_eq!(line["input"], "R U Q");
    assert_eq!(line["error"], "`Q` is not a valid move");
    assert_eq!(line["span"], serde_json::json!([4, 5]));
}

#[test]
fn wrong_usage_has_its_own_code() {
    for arguments in [
        &["solve", "--metric", "stm", "R"][..],
        &["solve", "--format", "wca", "R"],
        &["solve", "--table", "3G", "R"],
        &["solve", "--memory", "much", "R"],
        &["solve", "--all", "-n", "2", "R"],
        &["solve", "--threads", "0", "R"],
        &["solve", "--timeout", "-1", "R"],
        &["solve", "--metric", "htm", "--table", "qtm-30M", "R"],
        &["solves"],
        &[],
    ] {
        cosette().args(arguments).assert().code(2).stdout("").stderr(contains("Usage").or(contains("--help")));
    }
}
