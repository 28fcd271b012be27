//! Texts that mean the same, text as it is pasted, what is wrong with bad text, addresses, and limits.

use crate::notation::{GROUPS, error, position, read};
use cosette::cube::{Face, Fault, Move, MoveFault, ReadOptions, Turn, parse_moves};
use proptest::prelude::*;

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,40}", niss: bool) {
        let _ = parse_moves(&text, &ReadOptions { niss });
    }

    #[test]
    fn no_address_panics(query in "[RUF2_'&=%0-9A-Fa-f;#+ é-]{0,40}", site in prop::sample::select(&["alg.cubing.net", "twizzle.net"][..])) {
        let text = format!("https://{site}/?{query}&alg={query}");
        if let Err(error) = parse_moves(&text, &GROUPS) {
            prop_assert!(text.get(error.span()).is_some());
        }
    }

    #[test]
    fn no_text_of_the_signs_panics(text in "[URFDLBurfdlbMESxyzw0-9'’^,:/* ()\\[\\]\u{a0}#._…`\"{}i²⁻Ｒ２%&=?-]{0,60}", niss: bool) {
        if let Err(error) = parse_moves(&text, &ReadOptions { niss }) {
            prop_assert!(text.get(error.span()).is_some());
            prop_assert!(!error.message().is_empty() && !error.help().is_empty());
        }
    }
}

#[test]
fn single_moves_are_read_and_written() {
    for m in Move::ALL {
        assert_eq!(m.to_string().parse(), Ok(m));
    }
    assert_eq!("R3".parse(), Ok(Move::new(Face::R, Turn::Counterclockwise)));
    assert_eq!("F2'".parse(), Ok(Move::new(Face::F, Turn::Half)));
    for text in ["", "R U", "Rw", "M", "x", "R^4", "R U'"] {
        let error = text.parse::<Move>().unwrap_err();
        assert_eq!(error.fault(), &Fault::Moves(MoveFault::NotOneTurn(text.to_owned())));
    }
}

#[test]
fn equal_texts() {
    for (text, plain) in [
        ("RU2F'", "R U2 F'"),
        ("R3 U2' F'2 D^5 L^0 B^4", "R' U2 F2 D"),
        ("R’ U‘ F′ D` L´ B ’", "R' U' F' D' L' B'"),
        ("R\u{a0}U\u{200b}F\u{feff}\tD\n L", "R U F D L"),
        ("R U // the first pair: it's (nearly) free\nF", "R U F"),
        ("R /* ' ( */ U", "R U"),
        ("// nothing at all", ""),
        ("(R U)3", "R U R U R U"),
        ("(R U)^3", "R U R U R U"),
        ("(R U)'", "U' R'"),
        ("(R U)2'", "U' R' U' R'"),
        ("(R U)^-2", "U' R' U' R'"),
        ("(R)0 ()5 [] (U)1", "U"),
        ("[R, U]", "R U R' U'"),
        ("[R U: F]2", "R U F U' R' R U F U' R'"),
        ("[R, [U: F]]'", "U F U' R U F' U' R'"),
        ("x R x'", "R"),
        ("y R y'", "B"),
        ("M", "L' R x'"),
        ("r", "L x"),
        ("3Rw U", "x U"),
        ("2Fw2", "Fw2"),
        ("U2Rw", "U2 Rw"),
        ("rw 3rw' 2uw2", "Rw 3Rw' Uw2"),
        ("R U # the first pair\nF # (nearly) free", "R U F"),
        ("R, U, F', [R, U],", "R U F' [R, U]"),
        ("R_U2_F'", "R U2 F'"),
        ("R U. F . D. … L ... B.", "R U F D L B"),
        ("Ri U F2i Rwi", "R' U F2 Rw'"),
        ("R- U F2- (D L- )- B-", "R' U F2 (D L')' B'"),
        ("R_U-_F-", "R U' F'"),
        ("Ｒ　Ｕ２，Ｆ＇（Ｄ）２ ｘ", "R U2 F' D D x"),
        ("Rʻ U‛ F‵ Dˈ", "R' U' F' D'"),
        ("R\u{ad} U\u{200e} F\u{200f} D\u{202f}L", "R U F D L"),
        ("R² U³ F⁻¹ (D L)⁻²", "R2 U' F' (D L)^-2"),
        ("R^{-1} (U F)^{2} D^{3}", "R' (U F)2 D'"),
        ("(R U)*3 (F D) × 2 L*2", "(R U)3 (F D)2 L2"),
        ("R^−1 U^–1", "R' U'"),
        ("`R U F'`", "R U F'"),
        ("```\nR U\n```", "R U"),
        ("\"R U\"", "R U"),
        ("“R U F’”", "R U F'"),
        ("\u{feff}„R U“", "R U"),
        ("R U // one\rF", "R U F"),
        ("(R U)x2 F", "(R U) x2 F"),
        ("(R U)2 x3 F", "R U R U x' F"),
        ("[R] [r2 U]", "R Rw2 U"),
    ] {
        assert_eq!(read(text).moves_as_first_held(), read(plain).moves_as_first_held(), "{text}");
        assert_eq!(read(text).rotation(), read(plain).rotation(), "{text}");
    }
    assert!(position("x y2 z'").is_solved());
    assert!(!position("M").is_solved());
    assert_eq!(read("M").moves().len(), 2);
}

#[test]
fn what_sheets_write_around_a_scramble_is_left_out() {
    for text in [
        "1. R U' F2",
        "12) R U' F2",
        "1.R U' F2",
        "Scramble: R U' F2",
        "SCRAMBLE 3: R U' F2",
        "scramble 3: R U' F2",
        "2. Scramble: R U' F2",
        "**R U' F2**",
        "*R U' F2*",
        "**Scramble:** R U' F2",
        "**Scramble**: R U' F2",
        "7) **setup:** R U' F2",
        "R U&#39; F2",
        "R U&rsquo; F2",
        "R U&#x27; F2",
        "R U&PRIME; F2",
        "Moves:\nR U' F2",
        "  \"Alg: R U' F2\"",
    ] {
        assert_eq!(read(text), read("R U' F2"), "{text}");
        let input = cosette::cube::read_position(text, None, &GROUPS).unwrap();
        assert_eq!(input.sequence, Some(read("R U' F2")), "{text}");
    }
    for (text, pointed_at) in [
        ("1.. R", "1"),
        ("1 R", "1"),
        ("1. R\n2. U", "2"),
        ("R 1.", "1"),
        ("1. 2. R", "2"),
        ("**Scramble: R", "*"),
        ("R: U", ":"),
        ("R**2", "*"),
        ("R U Scramble: F", "Scramble"),
        ("Solution: R", "Solution"),
        ("R&#38; U", "&"),
        ("Scramble R", "Scramble"),
        ("R U [3]", "3"),
        ("R (4/4)", "4"),
    ] {
        let error = error(text);
        assert_eq!(&text[error.span()], pointed_at, "{text}");
    }
}

/// Bad text: the span, what is wrong, and the first words of the remedy.
#[test]
fn bad_text_is_pointed_at() {
    let deep = "(".repeat(101);
    let says_both = "this `-` may mean an inverse or stand between two moves";
    let dots = "these dots may be a pause or stand for moves that are left out";
    let quotes = "the text begins and ends with `'`: quotation marks, or the last one an inverse";
    let layers = "`2R` may mean several layers, an inner one or a half turn";
    let cases: [(&str, std::ops::Range<usize>, &str, &str); 64] = [
        (
            "R U Q",
            4..5,
            "`Q` is not a valid move",
            "moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z",
        ),
        ("R’ é", 5..7, "`é` is not a valid move", "moves are"),
        ("R - U", 2..3, says_both, "write R' for the inverse, and a blank"),
        ("R-U-F", 1..2, says_both, "write R'"),
        ("R – U", 2..5, says_both, "write R'"),
        ("U-1", 1..2, says_both, "write R'"),
        ("- R", 0..1, says_both, "write R'"),
        ("R U …", 4..7, dots, "write all moves"),
        ("...R", 0..3, dots, "write all moves"),
        ("(R U ...) F", 5..8, dots, "write all moves"),
        ("'R U F'", 0..1, quotes, "leave out the first"),
        ("‘R U’", 0..3, quotes, "leave out the first"),
        ("i R", 0..1, "`i` is not a valid move", "moves are"),
        ("R i", 2..3, "`i` is not a valid move", "moves are"),
        ("R U*", 3..4, "`*` is not a valid move", "moves are"),
        ("R^{2", 1..2, "no number follows this `^`", "write it directly after"),
        ("DNF", 0..3, "`N` in `DNF` is not a valid move", "put // before what is not moves"),
        ("R U (skeleton)", 5..13, "`k` in `skeleton` is not a valid move", "put //"),
        ("solved", 0..6, "`o` in `solved` is not a valid move", "put //"),
        ("R sem", 2..3, "`s` is not a valid move", "write S:"),
        ("R90", 0..3, "`R90` is more than three quarter turns", "write R, R2, R3 or R': the number counts"),
        ("U R180 F", 2..6, "`R180` is more than three quarter turns", "write R"),
        (
            "R x21\u{c}\u{c}'",
            2..8,
            r"`x21\u{c}\u{c}'` is more than three quarter turns",
            "write x, x2, x3 or x': the number counts",
        ),
        ("R4", 0..2, "`R4` is more than three quarter turns", "write R"),
        ("R Uw'5", 2..6, "`Uw'5` is more than three quarter turns", "write Uw, Uw2, Uw3 or Uw'"),
        ("Ｕ９０ R", 0..9, "`U90` is more than three quarter turns", "write U, U2"),
        ("U0", 0..2, "`U0` turns nothing", "write U, U2 or U' for a turn"),
        ("R Uw0'", 2..6, "`Uw0'` turns nothing", "write U"),
        ("Ｕ０ R", 0..6, "`U0` turns nothing", "write U"),
        ("[r2] U", 0..4, "`[r2]` may be a rotation, as in older notes, or a wide turn", "write x, y or z"),
        ("(R U)x3", 5..7, "this `x3` may be a rotation or say how often the brackets are repeated", "write (R U)3"),
        ("(R U) x12", 6..9, "this `x12` may be a rotation or say how often the brackets are repeated", "write"),
        ("(R, U)", 2..3, "this `,` is outside square brackets", "write [A, B]"),
        ("“R U Q”", 7..8, "`Q` is not a valid move", "moves are"),
        ("R U // …\nQ", 11..12, "`Q` is not a valid move", "moves are"),
        ("Mw", 1..2, "`w` is not a valid move", "moves are"),
        ("U X", 2..3, "`X` is not a valid move", "write x: slices are M E S, rotations x y z"),
        ("U m2", 2..3, "`m` is not a valid move", "write M:"),
        ("U 2R", 2..4, layers, "write Rw for two layers"),
        ("U 4Rw", 2..5, "`4Rw` turns layers that do not exist", "the cube has three"),
        ("0r", 0..2, "`0r` turns layers that do not exist", "the cube has three"),
        ("99999999999999999999r", 0..21, "`99999999999999999999r` turns layers that do not exist", "the cube"),
        ("R 2", 2..3, "the number 2 belongs to no move", "write it directly after a move or a bracket"),
        ("2 Rw", 0..1, "the number 2 belongs to no move", "write it"),
        ("2x", 0..1, "the number 2 belongs to no move", "write it"),
        ("(R U) 3", 6..7, "the number 3 belongs to no move", "write it"),
        ("' R", 0..1, "this `'` follows no move", "write it after a move"),
        ("R''", 2..3, "this `'` follows no move", "write it after"),
        ("(R)^", 3..4, "no number follows this `^`", "write it directly after"),
        ("(R)^ 3", 3..4, "no number follows this `^`", "write it directly after"),
        ("(R)^-'", 3..4, "no number follows this `^`", "write it directly after"),
        ("^2", 0..1, "this `^` follows no move", "write it after"),
        ("R1000001", 1..8, "the number 1000001 is too large", "the largest is 1000000"),
        ("(R)99999999999999999999", 3..23, "the number 99999999999999999999 is too large", "the largest"),
        ("R (U F", 2..3, "this `(` is never closed", "close it with `)`"),
        ("[R, (U F]", 4..5, "this `(` is never closed", "close it with `)`"),
        ("[R, U", 0..1, "this `[` is never closed", "close it with `]`"),
        ("R U) F", 3..4, "this `)` was never opened", "open it with `(` or leave it out"),
        ("(R U] F", 4..5, "this `]` was never opened", "open it with `[`"),
        ("[(R: U)]", 3..4, "this `:` is outside square brackets", "write [A, B]"),
        ("[R: U, F]", 5..6, "this `,` is the second in its brackets", "put the inner pair"),
        (&deep, 100..101, "the brackets are nested more than 100 deep", "leave out"),
        ("(R U)600000", 0..5, "written out, this is longer than 1000000 turns", "use smaller exponents"),
        ("R /* U", 2..4, "this `/*` is never closed", "end the comment with `*/`"),
    ];
    for (text, span, message, help) in cases {
        let error = error(text);
        assert_eq!((error.span(), error.message().as_str()), (span, message), "{text}");
        assert!(error.help().starts_with(help), "{text}: {}", error.help());
        assert!(!error.is_impossible());
    }
}

#[test]
fn addresses_are_read() {
    let alg = "https://alg.cubing.net/";
    for (address, plain) in [
        // What `cosette solve --as link` prints: the setup is the position, the algorithm its solution.
        (format!("{alg}?setup=F_U2_R-&alg=R_U2_F-"), "F U2 R'"),
        (format!("{alg}?alg=R_U2_F-"), "R U2 F'"),
        (format!("{alg}?alg=(R_U)%26%2345%3B"), "(R U)-"),
        (format!("{alg}?alg=(R_U)%5E%26%2345%3B2&title=two%20moves&view=playback"), "(R U)^-2"),
        (format!("{alg}?type=alg&alg=R_U2_F-"), "F U2 R'"),
        (format!("{alg}?type=alg&setup=L&alg=R_U"), "L U' R'"),
        (format!("{alg}?type=reconstruction&setup=F%20U2%0A//_scramble%0AR-&alg=x_y"), "F U2 R'"),
        ("alg.cubing.net/?alg=R%2C_U".to_owned(), "R U"),
        ("<HTTP://www.Alg.Cubing.net/?alg=R_U>".to_owned(), "R U"),
        (format!("{alg}?alg=R_U#top"), "R U"),
        (format!("  {alg}?alg=R_U // mine\n"), "R U"),
        (format!("{alg}?setup=R_U&amp;alg=F"), "R U"),
        ("https://alpha.twizzle.net/edit/?alg=R+U2+F%27".to_owned(), "R U2 F'"),
        ("https://alpha.twizzle.net/edit/?alg=R+U&setup-alg=F+D%E2%80%99&puzzle=3x3x3".to_owned(), "F D'"),
        ("https://twizzle.net/edit/?alg=%5BR%2C+U%5D&experimental-setup-anchor=end".to_owned(), "[U, R]"),
        ("https://alpha.twizzle.net/explore/?puzzle=3x3x3&alg=Rw+.+M".to_owned(), "Rw M"),
    ] {
        assert_eq!(read(&address).moves_as_first_held(), read(plain).moves_as_first_held(), "{address}");
        assert_eq!(read(&address).rotation(), read(plain).rotation(), "{address}");
    }
}

#[test]
fn bad_addresses_are_pointed_at() {
    for (address, pointed_at, message, help) in [
        ("https://example.com/?alg=R", "example.com", "addresses of `example.com` are not read", "give one of"),
        ("https://", "", "addresses of `` are not read", "give one of"),
        ("https://alg.cubing.net/", "https://alg.cubing.net/", "the address holds no moves", "they are read from"),
        ("alg.cubing.net?alg=", "alg.cubing.net?alg=", "the address holds no moves", "they are read from"),
        (
            "https://alg.cubing.net/?puzzle=4x4x4&alg=R",
            "4x4x4",
            "the address is about the puzzle `4x4x4`",
            "give one about the 3x3x3",
        ),
        ("https://alg.cubing.net/?alg=R&alg=U", "alg=U", "the address has a second parameter `alg`", "leave one"),
        ("https://alpha.twizzle.net/?alg=R%FF%FEU", "%FF%FE", "these percent signs do not spell a text", "copy"),
        ("https://alg.cubing.net/?alg=R U F'", "U F'", "this follows an address", "give the address alone"),
        ("https://alg.cubing.net/?alg=R_%51_U", "%51", "`Q` is not a valid move", "moves are"),
        ("https://alg.cubing.net/?alg=R_%C3%A9_U", "%C3%A9", "`é` is not a valid move", "moves are"),
        ("https://alpha.twizzle.net/?alg=R-U", "-", "this `-` may mean an inverse or stand between two moves", "write"),
        ("https://alg.cubing.net/?alg=R%zz", "%", "`%` is not a valid move", "moves are"),
    ] {
        let error = error(address);
        assert_eq!((&address[error.span()], error.message().as_str()), (pointed_at, message), "{address}");
        assert!(error.help().starts_with(help), "{address}: {}", error.help());
    }
}

#[test]
fn errors_count_characters_and_lines() {
    assert_eq!(
        error("R’ U Q").to_string(),
        "character 6: `Q` is not a valid move; moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z"
    );
    assert_eq!(error("R U\nF 3").to_string().split(':').next(), Some("line 2, character 3"));
}

#[test]
fn long_texts_stop_at_the_limit() {
    assert_eq!(read("(R U)500000").moves().len(), 1_000_000);
    assert_eq!(read(&"R ".repeat(1_000_000)).moves().len(), 1_000_000);
    assert!(read("(((())1000000)1000000)1000000").moves().is_empty());
    let is_too_long = |text: &str| error(text).fault() == &Fault::Moves(MoveFault::TooLong);
    assert!(is_too_long(&"R ".repeat(1_000_001)));
    assert!(is_too_long("((((R U)1000000)1000000)1000000)1000000"));
    assert!(is_too_long(&"(R)1000000 ".repeat(2)));
    assert!(is_too_long(&"((R)1000)0 ".repeat(2000)));
    assert!(is_too_long(&format!("{}R{}", "[".repeat(60), ", U]".repeat(60))));
}

/// A search for the end of each would take hours.
#[test]
fn many_comments_without_an_end_take_no_time() {
    let text = "R/*a".repeat(1 << 20);
    assert!(cosette::cube::read_position(&text, None, &ReadOptions::default()).is_err());
    assert!(parse_moves(&text, &ReadOptions::default()).is_err());
}
