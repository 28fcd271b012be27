//! Facelets, Reid's pieces, Speffz cycles, and telling them apart.

use crate::positions;
use crate::texts::known_texts;
use cosette::cube::{
    Corner, Cube, Format, Input, ParseError, ParseOptions, parse_facelets, parse_moves,
    parse_position, parse_reid, parse_speffz,
};
use proptest::prelude::*;
use std::ops::Range;

const SOLVED_FACELETS: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
const SOLVED_PIECES: &str = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";
const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Positions in which most cubies are solved or turned in place.
fn nearly_solved() -> impl Strategy<Value = Cube> {
    (
        positions(),
        prop::sample::select(&["U", "R F", "[R, U]", "[R U R', D]", "M2"][..]),
        0..7u32,
    )
        .prop_map(|(p, text, n)| {
            let q = moves(text);
            let q = (0..n).fold(Cube::SOLVED, |power, _| power * q);
            p * q * p.inverse()
        })
}

fn moves(text: &str) -> Cube {
    parse_moves(text, &ParseOptions::default())
        .unwrap()
        .position()
}

fn read(text: &str) -> Result<Input, ParseError> {
    parse_position(text, None, &ParseOptions::default())
}

/// `text` with some of its characters replaced.
fn with(text: &str, changes: &[(usize, char)]) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    changes
        .iter()
        .for_each(|&(at, symbol)| symbols[at] = symbol);
    symbols.into_iter().collect()
}

fn assert_error(error: &ParseError, span: Range<usize>, message: &str, help: &str) {
    assert_eq!(
        (error.span(), error.message().as_str()),
        (span, message),
        "{error}"
    );
    assert!(error.help().starts_with(help), "{error}");
}

proptest! {
    #[test]
    fn every_format_reads_what_it_writes(p in prop_oneof![positions(), nearly_solved()]) {
        prop_assert_eq!(parse_facelets(&p.facelets()), Ok(p));
        prop_assert_eq!(parse_reid(&p.reid()), Ok(p));
        prop_assert_eq!(parse_speffz(&p.speffz()), Ok(p));
    }

    #[test]
    fn every_format_is_recognized(p in prop_oneof![positions(), nearly_solved()], text in "([URFDLB][2']? ){1,60}") {
        let texts = [(p.facelets(), Format::Facelets), (p.reid(), Format::Reid), (p.speffz(), Format::Speffz)];
        for (text, format) in texts {
            prop_assert_eq!(read(&text), Ok(Input { cube: p, format, sequence: None }));
        }
        prop_assert_eq!(read(&text).map(|input| (input.cube, input.format)), Ok((moves(&text), Format::Moves)));
    }

    #[test]
    fn any_six_symbols_will_do(p in positions(), symbols in prop::collection::hash_set("[a-zA-Z1-9#*.é🟥🟩]", 6)) {
        let symbols: Vec<String> = symbols.into_iter().collect();
        let symbol = |letter: char| symbols["URFDLB".find(letter).unwrap()].as_str();
        let text: String = p.facelets().chars().map(symbol).collect();
        prop_assert_eq!(parse_facelets(&text), Ok(p));
        let rows: String = text.chars().enumerate().map(|(i, c)| if i % 3 == 2 { format!("{c}\n ") } else { c.to_string() }).collect();
        prop_assert_eq!(parse_facelets(&rows), Ok(p));
    }

    /// Exchanging two facelets leaves nine of each, but rarely a cube; what is read as one is
    /// written back unchanged.
    #[test]
    fn exchanged_facelets_are_noticed(p in positions(), a in 0..54usize, b in 0..54usize) {
        let text = p.facelets();
        let x = text.chars().nth(a).unwrap();
        let y = text.chars().nth(b).unwrap();
        let exchanged = with(&text, &[(a, y), (b, x)]);
        match parse_facelets(&exchanged) {
            Ok(cube) => prop_assert_eq!(cube.facelets(), exchanged),
            Err(error) => prop_assert!(error.is_impossible()),
        }
    }
}

#[test]
fn solved_is_written_as_expected() {
    assert_eq!(Cube::SOLVED.facelets(), SOLVED_FACELETS);
    assert_eq!(Cube::SOLVED.reid(), SOLVED_PIECES);
    assert_eq!(Cube::SOLVED.speffz(), "corners: () edges: ()");
}

#[test]
fn known_positions() {
    let superflip = moves(SUPERFLIP);
    assert_eq!(
        superflip.facelets(),
        "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
    );
    assert_eq!(
        superflip.reid(),
        "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR"
    );
    assert_eq!(
        superflip.speffz(),
        "corners: () edges: (A Q)(B M)(C I)(D E)(F L)(G X)(H R)(J P)(K U)(N T)(O V)(S W)"
    );
    assert_eq!(
        moves("U").facelets(),
        "UUUUUUUUUBBBRRRRRRRRRFFFFFFDDDDDDDDDFFFLLLLLLLLLBBBBBB"
    );
    assert_eq!(
        moves("F").reid(),
        "LF UR UB UL RF DR DB DL FU FD BR BL LFU URB UBL LDF RUF RFD DLB DBR"
    );
}

#[test]
fn speffz_cycles_of_the_six_moves() {
    for (name, corners, edges) in [
        ("U", "(A B C D)", "(A B C D)"),
        ("L", "(A I U S)(E F G H)(D L X R)", "(D L X R)(E F G H)"),
        ("F", "(I J K L)", "(I J K L)"),
        ("R", "(M N O P)", "(M N O P)"),
        ("B", "(Q R S T)", "(Q R S T)"),
        ("D", "(U V W X)", "(U V W X)"),
    ] {
        assert_eq!(
            parse_speffz(&format!("corners: {corners} edges: {edges}")),
            Ok(moves(name)),
            "{name}"
        );
    }
    assert_eq!(moves("R").speffz(), "corners: (B T V J) edges: (B T V J)");
}

#[test]
fn speffz_cycles_in_all_their_forms() {
    // Two corners twisted in place, in three ways of writing.
    let twisted = parse_speffz("corners: (A E R)(B N Q)").unwrap();
    assert_eq!(twisted.speffz(), "corners: (A E R)(B N Q) edges: ()");
    for text in [
        "corners: (A E)(B N)",
        " EDGES:\n Corners:(RA)(QB) ",
        "corners: (E R A) (N Q B)(C)()",
    ] {
        assert_eq!(parse_speffz(text), Ok(twisted), "{text}");
    }
    // Two swapped corners, with a twist on the way: the other facelets implied, and written out.
    let short = parse_speffz("corners: (A B E)(U V L)").unwrap();
    assert_eq!(short.corner(Corner::Ubr), (Corner::Ulb, 0));
    assert_eq!(
        parse_speffz("corners: (A B E Q R N) (U V L P G K)"),
        Ok(short)
    );
    assert_eq!(parse_speffz(&short.speffz()), Ok(short));
    // Any facelets of the cubies will do.
    assert_eq!(
        parse_speffz("edges: (A B)(C D)"),
        parse_speffz("edges: (Q M) (I E)")
    );
    assert_eq!(parse_speffz("edges:"), Ok(Cube::SOLVED));
}

#[test]
fn facelets_in_a_mirror_say_so() {
    // L and R in each other's place, as if the order were U L F D R B.
    let p = moves("R U F' L2 D B");
    let faces: Vec<String> = p
        .facelets()
        .as_bytes()
        .chunks(9)
        .map(|f| String::from_utf8(f.to_vec()).unwrap())
        .collect();
    let text = [0, 4, 2, 3, 1, 5].map(|face| faces[face].as_str()).concat();
    let error = parse_facelets(&text).unwrap_err();
    assert!(error.is_impossible(), "{error}");
    let solved = parse_facelets(
        &"ULFDRB"
            .chars()
            .map(|c| c.to_string().repeat(9))
            .collect::<String>(),
    );
    assert_eq!(solved, Ok(Cube::SOLVED), "any scheme of centers is a cube");
    // Every row read from right to left.
    let mirrored: String = p
        .facelets()
        .as_bytes()
        .chunks(3)
        .flat_map(|row| row.iter().rev().map(|&b| char::from(b)))
        .collect();
    let error = parse_facelets(&mirrored).unwrap_err();
    assert!(
        error.message().contains("shows the mirror image"),
        "{error}"
    );
    assert!(error.help().contains("that none is mirrored"), "{error}");
}

#[test]
fn six_symbols_nine_times_each_are_facelets_even_with_digits_among_them() {
    let solved = Cube::default().facelets();
    // Ones for U, twos for R; then nearly so, which is moves as far as that can be.
    let mixed = solved.replace('U', "1").replace('R', "2");
    assert_eq!(Format::detect(&mixed), Format::Facelets);
    assert_eq!(mixed.parse(), Ok(Cube::default()));
    assert_eq!(Format::detect(&"R2U2".repeat(13)), Format::Moves);
}

#[test]
fn formats_are_recognized() {
    for (text, format) in [
        ("U R F", Format::Moves),
        ("URF", Format::Moves),
        ("UF UR", Format::Moves),
        (
            "Rw2 Uw2 Fw2 Rw2 Uw2 Fw2 Rw2 Uw2 Fw2 Rw2 Uw2 Fw2 Rw2 Uw2 Fw2 Rw2 Uw2 Fw2",
            Format::Moves,
        ),
        (
            "R2U2F2R2U2F2R2U2F2R2U2F2R2U2F2R2U2F2R2U2F2R2U2F2R2U2F2",
            Format::Moves,
        ),
        (
            "RUF'RUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRU",
            Format::Moves,
        ),
        ("(A B) // edges:", Format::Moves),
        ("hello", Format::Moves),
        (SOLVED_FACELETS, Format::Facelets),
        (
            "111111111222222222333333333444444444555555555666666666",
            Format::Facelets,
        ),
        (
            "WWWWWWWWWRRRRRRRRRGGGGGGGGGYYYYYYYYYOOOOOOOOOBBBBBBBB",
            Format::Facelets,
        ),
        (SOLVED_PIECES, Format::Reid),
        ("corners: (", Format::Speffz),
        ("\n Edges:", Format::Speffz),
    ] {
        assert_eq!(Format::detect(text), format, "{text}");
    }
    let rows = SOLVED_FACELETS
        .as_bytes()
        .chunks(3)
        .map(|row| std::str::from_utf8(row).unwrap())
        .collect::<Vec<_>>();
    assert_eq!(Format::detect(&rows.join(" ")), Format::Facelets);
    assert_eq!(Format::detect(SUPERFLIP), Format::Moves);
}

#[test]
fn a_named_format_is_obeyed() {
    let read = |text, format| parse_position(text, Some(format), &ParseOptions::default());
    assert_eq!(
        read(SOLVED_FACELETS, Format::Moves)
            .unwrap()
            .sequence
            .unwrap()
            .moves()
            .len(),
        54
    );
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
        assert_eq!(
            read(" \n", format).unwrap_err().message(),
            "there is nothing to read"
        );
    }
    assert_eq!(
        "kociemba".parse::<Format>().unwrap_err().to_string(),
        "`kociemba` is not a format; formats are moves, facelets, reid and speffz"
    );
}

#[test]
fn nothing_to_read_is_an_error() {
    for text in [
        "",
        " \u{a0}\n",
        "// later",
        "/* */",
        "# later",
        "\u{feff}\u{200e}",
        "` `",
        "\" \"",
        "1.",
        "** **",
        "Scramble:",
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.message(), "there is nothing to read");
        assert!(error.help().starts_with("give moves"));
    }
    assert!(read("R^4").unwrap().cube.is_solved());
}

#[test]
fn faces_may_be_divided() {
    let p = moves("R U2 F' L D");
    let faces = |by: &str| {
        p.facelets()
            .as_bytes()
            .chunks(9)
            .map(|f| String::from_utf8(f.to_vec()).unwrap())
            .collect::<Vec<_>>()
            .join(by)
    };
    for text in [
        faces("/"),
        faces(" / "),
        faces("|"),
        faces(","),
        faces(", "),
        faces("-"),
        faces("/") + "/",
    ] {
        assert_eq!(
            read(&text),
            Ok(Input {
                cube: p,
                format: Format::Facelets,
                sequence: None
            }),
            "{text}"
        );
        assert_eq!(parse_facelets(&text), Ok(p), "{text}");
    }
    let rows = p
        .facelets()
        .as_bytes()
        .chunks(3)
        .map(|r| String::from_utf8(r.to_vec()).unwrap())
        .collect::<Vec<_>>();
    assert_eq!(read(&rows.join("/")).unwrap().cube, p);
    let list = p
        .facelets()
        .chars()
        .map(String::from)
        .collect::<Vec<_>>()
        .join(",");
    assert_eq!(read(&list).unwrap().cube, p);
    // Nine slashes are a color.
    assert_eq!(parse_facelets(&p.facelets().replace('U', "/")), Ok(p));
    assert_eq!(read(&p.facelets().replace('U', "#")).unwrap().cube, p);
    // A missing facelet is counted without the signs between the faces.
    assert_error(
        &read(&faces("/")[1..]).unwrap_err(),
        0..58,
        "there are 53 facelets",
        "give 54",
    );
}

#[test]
fn comments_and_quotation_marks_are_left_out_in_every_format() {
    let p = moves("R U2 F' L D");
    for (text, format) in [
        (p.facelets(), Format::Facelets),
        (p.reid(), Format::Reid),
        (p.speffz(), Format::Speffz),
    ] {
        for text in [
            format!("{text} # mine"),
            format!("# mine é\n{text}// RRR"),
            format!("/* mine */{text}"),
            format!("\"{text}\""),
            format!("“{text}”"),
            format!("`{text}`"),
        ] {
            assert_eq!(
                read(&text),
                Ok(Input {
                    cube: p,
                    format,
                    sequence: None
                }),
                "{text}"
            );
        }
    }
    let error = read("/* é */ corners: (A B Y) # no").unwrap_err();
    assert_eq!(
        (error.span(), &error.to_string()[..13]),
        (23..24, "character 23:")
    );
}

/// Two positions in one text are never moves.
#[test]
fn several_positions_are_refused() {
    let [p, q] = ["R U2 F' L D", "L"].map(moves);
    let (facelets, other) = (p.facelets(), q.facelets());
    let rows = |text: &str| {
        text.as_bytes()
            .chunks(9)
            .map(|row| std::str::from_utf8(row).unwrap())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let says = |text: &str, at: usize| {
        let error = read(text).expect_err(text);
        assert_eq!(
            (error.message().as_str(), error.span().start),
            ("there is more than one position here", at),
            "{text}: {error}"
        );
        assert!(error.help().starts_with("give one at a time"));
    };
    says(&format!("{facelets} {other}"), 55);
    says(&format!("{facelets}\n{other}\n"), 55);
    says(&format!("{} {}", rows(&facelets), rows(&other)), 60);
    says(&format!("{facelets} R"), 55);
    says(&format!("{facelets} {}", p.reid()), 55);
    says(&format!("{facelets} {}", p.speffz()), 55);
    says(&format!("R U F {facelets}"), 6);
    says(&format!("R U F {}", rows(&facelets)), 6);
    says(&format!("{} R U", p.reid()), 68);
    says(&format!("R U {}", p.reid()), 4);
    // One facelet too few in the first, one wrong in the second.
    says(
        &format!("{} {}", &facelets[1..], with(&other, &[(3, 'X')])),
        54,
    );
    // Whoever names the format is believed.
    let text = format!("{facelets} {other}");
    let named = parse_position(&text, Some(Format::Moves), &ParseOptions::default());
    assert_eq!(named.unwrap().sequence.unwrap().moves().len(), 108);
    assert!(
        read(&format!("{} {}", p.speffz(), q.speffz()))
            .unwrap_err()
            .message()
            .contains("appears twice")
    );
    assert!(read(&format!("{} {}", p.reid(), q.reid())).is_err());
    for divided in ["/", ", ", "|"] {
        let faces = |text: &str| rows(text).replace(' ', divided);
        says(
            &format!("{} {}", faces(&facelets), faces(&other)),
            faces(&facelets).len() + 1,
        );
    }
    // Moves in groups of six are moves.
    assert_eq!(read(&"RUFDLB ".repeat(18)).unwrap().format, Format::Moves);
}

/// `tests/texts/readings.txt`.
#[test]
fn texts_are_read_as_they_are_meant_or_refused() {
    let mut wrong = Vec::new();
    for [text, expected] in known_texts("readings") {
        let answer = read(&text).map(|input| input.cube);
        let is_right = match (expected.strip_prefix('='), &answer) {
            (Some(moves_to), Ok(cube)) => *cube == moves(moves_to),
            (None, Err(error)) => expected
                .strip_prefix('!')
                .is_some_and(|part| error.message().contains(part)),
            _ => false,
        };
        if !is_right {
            wrong.push(format!(
                "{text:?}: {}, not {expected}",
                answer.map_or_else(|e| e.to_string(), |c| c.facelets())
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
