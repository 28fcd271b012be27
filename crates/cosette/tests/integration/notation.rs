//! The meaning of texts, proved against the geometry of `cosette-check`: facelets at points in
//! space. Texts that mean the same, formats, and what is wrong with bad ones.

use crate::texts::known_texts;
use crate::{position, positions};
use cosette::cube::{
    Cube, DisplayMoves, Face, FaceOrder, Format, Input, Move, NissSequence, ParseError,
    ParseOptions, Sequence, Symmetry, parse_facelets, parse_moves, parse_position, parse_reid,
    parse_speffz,
};
use cosette_check::geometry::{LayerRotation, after, solved};
use proptest::prelude::*;

const NISS: ParseOptions = ParseOptions {
    niss: true,
    face_order: FaceOrder::URFDLB,
};

fn sequence(text: &str) -> Sequence {
    parse_moves(text, &ParseOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> ParseError {
    parse_moves(text, &ParseOptions::default()).expect_err(text)
}

fn parse(text: &str) -> Result<Input, ParseError> {
    parse_position(text, None, &ParseOptions::default())
}

/// The names of all turns: faces, two layers, slices, and the whole cube.
const NAMES: [&str; 24] = [
    "U", "R", "F", "D", "L", "B", "Uw", "Rw", "Fw", "Dw", "Lw", "Bw", "u", "r", "f", "d", "l", "b",
    "M", "E", "S", "x", "y", "z",
];

/// Names, and how often the quarter turn of each is done.
type NamedTurns = Vec<(&'static str, usize)>;

fn turns(longest: usize) -> impl Strategy<Value = NamedTurns> {
    prop::collection::vec((prop::sample::select(&NAMES[..]), 0..5usize), 0..longest)
}

fn text_of(turns: &NamedTurns) -> String {
    let texts = turns.iter().map(|(name, times)| format!("{name}^{times} "));
    texts.collect()
}

fn inverse_of(turns: &NamedTurns) -> NamedTurns {
    let backward = turns.iter().rev();
    backward.map(|&(name, times)| (name, 4 - times)).collect()
}

/// Asserts that the text means these turns: the same position, and the same centers on top, in
/// front and so on.
fn assert_means(text: &str, options: &ParseOptions, turns: &[(&str, usize)]) {
    let sequence = parse_moves(text, options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let quarters: Vec<_> = turns
        .iter()
        .flat_map(|&(name, times)| std::iter::repeat_n(LayerRotation::read(name).unwrap(), times))
        .collect();
    let facelets = String::from_utf8(after(&solved(), &quarters).to_vec()).unwrap();
    let shown = parse_facelets(&facelets).unwrap();
    assert_eq!(sequence.position(), shown, "{text}");
    for face in Face::ALL {
        let center = facelets.as_bytes()[sequence.rotation().face(face).index() * 9 + 4];
        assert_eq!(char::from(center), face.letter(), "{text}");
    }
    let begun = Cube::from_moves(&sequence.moves_in_initial_frame());
    assert_eq!(begun.conjugate(sequence.rotation()), shown, "{text}");
}

#[test]
fn each_turn_by_itself_agrees_with_the_model() {
    let options = ParseOptions::default();
    for name in NAMES {
        for (sign, times) in [("", 1), ("2", 2), ("'", 3)] {
            assert_means(&format!("{name}{sign}"), &options, &[(name, times)]);
        }
        let between = [("R", 1), ("U", 1), (name, 1), ("F", 1)];
        assert_means(&format!("R U {name} F"), &options, &between);
    }
}

/// Positions, also with most cubies solved or turned in place.
fn all_positions() -> impl Strategy<Value = Cube> {
    let nearly_solved = prop::sample::select(&["U", "R F", "[R, U]", "[R U R', D]", "M2"][..]);
    let nearly = (positions(), nearly_solved, 0..7i64)
        .prop_map(|(p, text, n)| p * position(text).power(n) * p.inverse());
    prop_oneof![positions(), nearly]
}

proptest! {
    #[test]
    fn texts_agree_with_the_model(turns in turns(30)) {
        let text = text_of(&turns);
        assert_means(&text, &ParseOptions::default(), &turns);
        let sequence = sequence(&text);
        prop_assert_eq!(self::sequence(&sequence.to_string()), sequence.clone());
        let written = self::sequence(&DisplayMoves(sequence.moves()).to_string());
        prop_assert_eq!(written.moves(), sequence.moves());
        prop_assert_eq!(written.rotation(), Symmetry::IDENTITY);
    }

    #[test]
    fn groups_are_written_out(a in turns(6), b in turns(6), n in 0..5usize) {
        let [ta, tb] = [&a, &b].map(text_of);
        let [a_back, b_back] = [&a, &b].map(inverse_of);
        for (text, turns) in [
            (format!("[{ta}, {tb}]"), [&a[..], &b, &a_back, &b_back].concat()),
            (format!("[{ta}: {tb}]"), [&a[..], &b, &a_back].concat()),
            (format!("({ta}){n} {tb}"), [a.repeat(n), b.clone()].concat()),
            (format!("[{ta} ()]^-{n} {tb}"), [a_back.repeat(n), b.clone()].concat()),
            (format!("[({ta})': {tb}]'"), [&a_back[..], &b_back, &a].concat()),
        ] {
            assert_means(&text, &ParseOptions::default(), &turns);
        }
    }

    #[test]
    fn premoves_are_done_on_the_inverse(
        a in turns(6), b in turns(6), c in turns(6), d in turns(6)
    ) {
        let [ta, tb, tc, td] = [&a, &b, &c, &d].map(text_of);
        let text = format!("{ta} ({tb}) {tc} ({td})");
        assert_means(&text, &NISS, &[&inverse_of(&d)[..], &inverse_of(&b), &a, &c].concat());
        assert_means(&text, &ParseOptions::default(), &[&a[..], &b, &c, &d].concat());
        let [a, b] = [ta, tb].map(|text| sequence(&text).moves().to_vec());
        let written = NissSequence { normal: &a, inverse: &b }.to_string();
        let expected = Cube::from_moves(&b).inverse() * Cube::from_moves(&a);
        prop_assert_eq!(parse_moves(&written, &NISS).unwrap().position(), expected);
    }

    #[test]
    fn every_format_reads_what_it_writes(
        p in all_positions(),
        // A half turn tells the text from facelets, which are letters alone.
        text in "[URFDLB]2 ([URFDLB][2']? ){0,59}",
    ) {
        prop_assert_eq!(parse_facelets(&p.facelets()), Ok(p));
        prop_assert_eq!(parse_reid(&p.reid()), Ok(p));
        prop_assert_eq!(parse_speffz(&p.speffz()), Ok(p));
        for (text, format) in [
            (p.facelets(), Format::Facelets),
            (p.reid(), Format::Reid),
            (p.speffz(), Format::Speffz),
        ] {
            let input = Input { cube: p, format, sequence: None };
            for text in [
                text.clone(),
                format!("{text} # mine"),
                format!("# mine é\n{text}// RRR"),
                format!("/* mine */{text}"),
                format!("\"{text}\""),
                format!("“{text}”"),
                format!("`{text}`"),
            ] {
                prop_assert_eq!(parse(&text), Ok(input.clone()));
            }
        }
        let input = parse(&text).unwrap();
        prop_assert_eq!((input.cube, input.format), (position(&text), Format::Moves));
    }

    #[test]
    fn any_six_symbols_will_do(
        p in positions(), symbols in prop::collection::hash_set("[a-zA-Z1-9#*.é🟥🟩]", 6)
    ) {
        let symbols: Vec<String> = symbols.into_iter().collect();
        let symbol = |letter: char| symbols["URFDLB".find(letter).unwrap()].as_str();
        let text: String = p.facelets().chars().map(symbol).collect();
        prop_assert_eq!(parse_facelets(&text), Ok(p));
        let symbols: Vec<char> = text.chars().collect();
        let rows: Vec<String> = symbols.chunks(3).map(String::from_iter).collect();
        prop_assert_eq!(parse_facelets(&rows.join("\n ")), Ok(p));
    }

    /// Exchanging two facelets leaves nine of each, but rarely a cube; what is read as one is
    /// written back unchanged.
    #[test]
    fn exchanged_facelets_are_noticed(p in positions(), a in 0..54usize, b in 0..54usize) {
        let mut symbols = p.facelets().into_bytes();
        symbols.swap(a, b);
        let exchanged = String::from_utf8(symbols).unwrap();
        match parse_facelets(&exchanged) {
            Ok(cube) => prop_assert_eq!(cube.facelets(), exchanged),
            Err(error) => prop_assert!(error.is_impossible()),
        }
    }
}

#[test]
fn sequences_are_written_as_the_cube_was_held() {
    // The face that turned on top is at the back after x.
    let turned = sequence("U x");
    assert_eq!(turned.moves(), sequence("B").moves());
    assert_eq!(turned.moves_in_initial_frame(), sequence("U").moves());
    assert_eq!(turned.to_string(), "U x");
    assert_eq!(sequence("M").moves().len(), 2);
}

/// `tests/texts/premoves.txt`.
#[test]
fn premoves_follow_their_rule() {
    for [text, expected] in known_texts("premoves") {
        let read = parse_moves(&text, &NISS);
        match expected.strip_prefix('!') {
            None => assert_eq!(read.unwrap().position(), position(&expected), "{text}"),
            Some(repeated) => {
                let error = read.unwrap_err();
                let message =
                    format!("`{repeated}` may be moves on the inverse or a repeated group");
                let start = text.find(repeated).unwrap();
                assert_eq!(error.message(), message);
                assert_eq!(error.span(), start..start + repeated.len());
            }
        }
    }
}

#[test]
fn single_moves_are_read_and_written() {
    for m in Move::ALL {
        assert_eq!(m.to_string().parse(), Ok(m));
    }
    assert_eq!("R3".parse::<Move>(), "R'".parse());
    assert_eq!("F2'".parse::<Move>(), "F2".parse());
    let empty = "".parse::<Move>().unwrap_err();
    assert_eq!(empty.message(), "an empty text is not a single face turn");
    for text in ["R U", "Rw", "M", "x", "R^4", "R U'"] {
        let error = text.parse::<Move>().unwrap_err();
        assert_eq!(
            error.message(),
            format!("`{text}` is not a single face turn")
        );
    }
}

/// `tests/texts/equal.txt`.
#[test]
fn texts_that_mean_the_same_are_read_alike() {
    for [text, plain] in known_texts("equal") {
        let plain = sequence(&plain);
        assert_eq!(sequence(&text), plain, "{text}");
        // They are also recognized as moves, unless there are none.
        if !plain.moves().is_empty() {
            assert_eq!(parse(&text).unwrap().sequence, Some(plain), "{text}");
        }
    }
}

/// `tests/texts/faults.txt`.
#[test]
fn bad_texts_are_pointed_at() {
    let mut wrong = String::new();
    for [format, text, span, message, help] in known_texts("faults") {
        let name = format.trim_end_matches('!');
        let named = (name != "any").then(|| name.parse().unwrap());
        let error = parse_position(&text, named, &ParseOptions::default()).expect_err(&text);
        let sign = if error.is_impossible() { "!" } else { "" };
        let found = format!("{name}{sign}\t{:?}\t{}", error.span(), error.message());
        if found != format!("{format}\t{span}\t{message}") || !error.help().starts_with(&help) {
            wrong += &format!("{text:?}: {found}\t{}\n", error.help());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let deep = error(&"(".repeat(101));
    assert_eq!(deep.span(), 100..101);
    assert_eq!(deep.message(), "brackets are nested more than 100 deep");
}

/// `tests/texts/readings.txt`.
#[test]
fn texts_are_read_as_they_are_meant_or_refused() {
    let mut wrong = String::new();
    for [text, expected] in known_texts("readings") {
        let found = parse(&text).map(|input| input.cube);
        let is_right = match (&found, expected.split_at(1)) {
            (Ok(cube), ("=", meant)) => *cube == position(meant),
            (Err(error), ("!", part)) => error.message().contains(part),
            _ => false,
        };
        if !is_right {
            wrong += &format!("{text:?}: {found:?}, not {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// `tests/texts/formats.txt`.
#[test]
fn formats_are_recognized_and_obeyed_where_they_are_named() {
    for [format, text] in known_texts("formats") {
        let format: Format = format.parse().unwrap();
        assert_eq!(Format::detect(&text), format, "{text}");
        assert_eq!(format.to_string().parse(), Ok(format));
        let nothing = parse_position(" \n", Some(format), &ParseOptions::default());
        assert_eq!(nothing.unwrap_err().message(), "there is nothing to read");
    }
    let text = Cube::SOLVED.facelets();
    let named = parse_position(&text, Some(Format::Moves), &ParseOptions::default());
    assert_eq!(named.unwrap().sequence.unwrap().moves().len(), 54);
    let unknown = "kociemba".parse::<Format>().unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "`kociemba` is not a format; formats are moves, facelets, reid and speffz"
    );
}

#[test]
fn positions_are_written_as_expected() {
    let superflip = position("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
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
        position("R").speffz(),
        "corners: (B T V J) edges: (B T V J)"
    );
    let twisted = "corners: (A E R)(B N Q) edges: ()";
    assert_eq!(position(twisted).speffz(), twisted);
}

#[test]
fn errors_count_characters_and_lines() {
    assert!(
        error("R’ U Q")
            .to_string()
            .starts_with("character 6: `Q` is not a valid move; moves")
    );
    assert!(
        error("R U\nF 3")
            .to_string()
            .starts_with("line 2, character 3:")
    );
    let error = parse("/* é */ corners: (A B Y) # no").unwrap_err();
    assert!(error.to_string().starts_with("character 23:"));
}

#[test]
fn long_texts_stop_at_the_limit() {
    for (text, count) in [
        ("(R U)500000".to_owned(), 1_000_000),
        ("R ".repeat(1_000_000), 1_000_000),
        ("(((())1000000)1000000)1000000".to_owned(), 0),
    ] {
        assert_eq!(sequence(&text).moves().len(), count);
    }
    for text in [
        "R ".repeat(1_000_001),
        "((((R U)1000000)1000000)1000000)1000000".to_owned(),
        "(R)1000000 ".repeat(2),
        "((R)1000)0 ".repeat(2000),
        format!("{}R{}", "[".repeat(60), ", U]".repeat(60)),
    ] {
        assert_eq!(error(&text).help(), "use smaller exponents");
    }
    // A search for the end of each comment would take hours.
    let text = "R/*a".repeat(1 << 20);
    assert!(parse(&text).is_err());
    error(&text);
}
