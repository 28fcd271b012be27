//! Goals as text: names, pieces, facelets and positions. Names are case-insensitive and take
//! precedence: `F2L` is not a position, and `DR` alone is the domino subgroup. In a list (`DR UF`)
//! and in braces (`{DR}`), `DR` is the edge.

use super::definition::{
    ANY, AUF, Goal, GoalVariant, HTR, Mask, NAMED_GOALS, NamedGoal, PieceKind, named_piece,
};
use crate::cube::{
    Cube, Face, Format, Move, ParseError, ParseOptions, SEPARATORS, Slot, Symmetry, Turn,
    parse_position, parse_turns, quoted,
};
use std::str::FromStr;

/// An error in the text of a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum GoalError {
    /// The text is empty.
    #[error("the goal is empty; use, for example, cross, 2x2x2:DLF or `UF UR DFR`")]
    Empty,
    /// An unknown name: not a goal, piece or group.
    #[error(
        "`{0}` is not a goal, a piece or a position; use one of the goals {names}, or pieces such \
         as UF and DFR",
        names = NAMED_GOALS.map(|named| named.name).join(", ")
    )]
    Unknown(String),
    /// A step of a method instead of a goal, and the goal with which it ends.
    #[error("`{step}` is a step, not a goal; to solve through this step, use {ends}")]
    StepName { step: String, ends: &'static str },
    /// A word that is not a name, but could be moves without spaces.
    #[error(
        "`{0}` is not a goal or a piece; separate moves by spaces, and write goals such as cross, \
         2x2x2:DLF or `UF DFR`"
    )]
    UnspacedMoves(String),
    /// An unknown variant of a goal.
    #[error("{}; {variants}", no_variant(name, variant))]
    UnknownVariant {
        name: String,
        variant: String,
        variants: String,
    },
    /// An item that has several variants is combined with others, and does not name one.
    #[error(
        "`{name}` needs a variant if it is combined with other items; write, for example, \
         {name}:{default}"
    )]
    MissingVariant { name: String, default: String },
    /// A goal of the whole cube combined with other items.
    #[error("`{0}` is the whole cube, so it cannot be combined with other items; remove them")]
    WholeCube(String),
    /// Alternatives that are not variants of one goal.
    #[error(
        "`{0}` and `{1}` are different kinds of goals, but alternatives are variants of one goal, \
         or positions; search for each goal separately"
    )]
    Alternatives(String, String),
    /// Invalid facelets or moves of a position.
    #[error(transparent)]
    Position(#[from] ParseError),
    /// A goal in braces or parentheses, where pieces are expected.
    #[error(
        "`{0}` is a goal, but braces and parentheses may contain only pieces; write pieces such \
         as UF or DFR, edges or corners"
    )]
    GoalInBrackets(String),
    /// An unclosed parenthesis or brace.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// A number of facelets other than 54.
    #[error(
        "a painted goal has 54 facelets, but this one has {0}; write U, R, F, D, L, B or a dot \
         for each"
    )]
    Facelets(usize),
    /// An invalid character among facelets.
    #[error("`{0}` is not a facelet; use U, R, F, D, L, B or a dot")]
    InvalidFacelet(String),
    /// A combination of colors that no piece has.
    #[error("no piece has the colors on {0}; replace one of them by a dot")]
    ImpossibleColors(String),
    /// A center with another color than its face.
    #[error(
        "the center of face {0} has another color; give the facelets with every center on its own \
         face"
    )]
    Center(Face),
    /// The subgroup of half turns combined with more constraints on corners.
    #[error("htr already constrains all corners; remove the other constraints on corners")]
    HalfTurns,
    /// Constraints that no position satisfies.
    #[error(
        "no position satisfies this goal: some piece has no free slot, or a single one would be \
         flipped, twisted or swapped; remove a constraint"
    )]
    Impossible,
}

fn no_variant(name: &str, variant: &str) -> String {
    match variant {
        "" => format!("`{name}:` lacks a variant"),
        variant => format!("`{name}` has no variant `{variant}`"),
    }
}

/// Names of steps that may be mistaken for goals or for moves (`fb` for f b), each with the goal in
/// which the step ends.
const STEPS: [(&str, &str); 8] = [
    ("pll", SOLVED_OR_AUF),
    ("zbll", SOLVED_OR_AUF),
    ("ll", SOLVED_OR_AUF),
    ("lse", "solved (the whole cube)"),
    ("fb", "1x2x3"),
    ("f2b", "blocks"),
    ("sb", "blocks"),
    ("f2l1", "f2l-1"),
];
const SOLVED_OR_AUF: &str = "auf:U (the whole cube up to a turn of U) or solved";

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        if !text.contains('|') {
            return parse_alternative(text);
        }
        let mut alternatives = text
            .split('|')
            .map(|text| parse_alternative(text).map(name_variants));
        let first = alternatives.next().unwrap_or(Err(GoalError::Empty))?;
        let goal = alternatives.try_fold(first, |goal, other| union(goal, &other?))?;
        Ok(Goal {
            text: text.trim().to_owned(),
            ..goal
        })
    }
}

/// Prefixes the name of each variant with the text of the goal.
fn name_variants(mut goal: Goal) -> Goal {
    let has_several = goal.variants().count() > 1;
    for variant in &mut goal.variants {
        variant.name = if has_several {
            format!("{}:{}", goal.text, variant.name)
        } else {
            goal.text.clone()
        };
    }
    goal
}

/// Adds to a goal the variants of another, which must be its image under a rotation.
fn union(mut goal: Goal, other: &Goal) -> Result<Goal, GoalError> {
    let leads_to_goal = |s: &Symmetry| !s.is_mirror() && other.mask.conjugate(*s) == goal.mask;
    let different = || GoalError::Alternatives(goal.text.clone(), other.text.clone());
    let to_goal = Symmetry::all().find(leads_to_goal).ok_or_else(different)?;
    for variant in &other.variants {
        let variant = GoalVariant {
            rotation: variant.rotation.then(to_goal),
            ..variant.clone()
        };
        let is_same = |known: &GoalVariant| {
            known.target == variant.target && known.mask(&goal.mask) == variant.mask(&goal.mask)
        };
        if !goal.variants.iter().any(is_same) {
            goal.variants.push(variant);
        }
    }
    Ok(goal)
}

/// Parses an alternative of a goal.
fn parse_alternative(text: &str) -> Result<Goal, GoalError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(GoalError::Empty);
    }
    reject_step(text)?;
    if is_painted(text) {
        return goal_of_mask(text, parse_painted(text)?, vec![GoalVariant::base()]);
    }
    if is_facelets(text) {
        return Ok(parse_position_goal(text, None)?);
    }
    // A list of all 20 pieces is a position: it states which piece is in each slot.
    if text.split_whitespace().count() == Slot::all().count()
        && let Ok(goal) = parse_position_goal(text, Some(Format::Reid))
    {
        return Ok(goal);
    }
    if let Some((_, mask, variants)) = parse_named_goal(text)? {
        return goal_of_mask(text, mask, variants);
    }
    match parse_items(text) {
        Ok(mask) => goal_of_mask(text, mask, vec![GoalVariant::base()]),
        Err(GoalError::Unknown(word)) => match parse_position_goal(text, None) {
            Ok(_) if is_word(text) => Err(GoalError::UnspacedMoves(quoted(text))),
            Ok(goal) => Ok(goal),
            // If the word is a move itself, the error is elsewhere in the text.
            Err(error) if parse_position(&word, None, &ParseOptions::default()).is_ok() => {
                Err(error.into())
            }
            Err(_) => Err(GoalError::Unknown(word)),
        },
        Err(error) => Err(error),
    }
}

fn reject_step(text: &str) -> Result<(), GoalError> {
    let name = text.split(':').next().unwrap_or(text);
    let mut steps = STEPS.iter();
    match steps.find(|(step, _)| step.eq_ignore_ascii_case(name)) {
        Some(&(_, ends)) => Err(GoalError::StepName {
            step: quoted(text),
            ends,
        }),
        None => Ok(()),
    }
}

/// Returns `true` for facelets with at least one dot. A long word with dots counts as well: it
/// probably has other letters for the colors, which `parse_painted` rejects.
fn is_painted(text: &str) -> bool {
    let is_one_word = !text.contains(|c: char| c.is_whitespace() || ":/".contains(c));
    text.contains('.') && (text.chars().all(is_facelet) || is_one_word && text.len() >= 40)
}

/// Returns `true` for the 54 facelets of a position.
fn is_facelets(text: &str) -> bool {
    let is_color = |c: &char| Face::from_letter(*c).is_some();
    text.chars().all(is_facelet) && text.chars().filter(is_color).count() == 54
}

fn is_facelet(c: char) -> bool {
    c == '.' || Face::from_letter(c).is_some() || c.is_whitespace() || SEPARATORS.contains(&c)
}

fn parse_position_goal(text: &str, format: Option<Format>) -> Result<Goal, ParseError> {
    let input = parse_position(text, format, &ParseOptions::default())?;
    Ok(Goal {
        text: text.to_owned(),
        ..Goal::from_position(&input.cube)
    })
}

fn goal_of_mask(text: &str, mask: Mask, variants: Vec<GoalVariant>) -> Result<Goal, GoalError> {
    if mask.is_unconstrained() {
        return Err(GoalError::Empty);
    }
    if mask.half_turn_corners && !mask.corners_need_only_tetrads() {
        return Err(GoalError::HalfTurns);
    }
    if mask.is_empty() {
        return Err(GoalError::Impossible);
    }
    Ok(Goal {
        text: text.to_owned(),
        mask,
        variants,
    })
}

/// Parses the name of a goal. Returns the variant that follows the name, or all variants if none
/// does; `None` if the text is not the name of a goal.
fn parse_named_goal(text: &str) -> Result<Option<(NamedGoal, Mask, Vec<GoalVariant>)>, GoalError> {
    let (name, variant) = text
        .split_once(':')
        .map_or((text, None), |(name, variant)| (name, Some(variant)));
    // `edges` and `corners`, without a variant, are parsed as groups of pieces.
    let is_named = |named: &&NamedGoal| {
        let is_group = named.definition == named.name && variant.is_none();
        named.name.eq_ignore_ascii_case(name) && !is_group && !text.contains(char::is_whitespace)
    };
    let Some(&named) = NAMED_GOALS.iter().find(is_named) else {
        return Ok(None);
    };
    let mut mask = parse_items(named.definition)?;
    if named.name == HTR {
        mask.require_half_turn_corners();
    }
    if named.name == AUF {
        return Ok(Some((named, mask, auf_variants(variant)?)));
    }
    let all = rotated_variants(named.default_variant, &mask);
    let variants = select_variants(name, variant, all)?;
    Ok(Some((named, mask, variants)))
}

/// A variant of a named goal.
struct NamedVariant {
    /// Its names: for each rotation that carries the default variant to it, the images of the
    /// letters of the default variant.
    names: Vec<String>,
    /// A rotation that carries it to the default variant.
    rotation: Symmetry,
}

/// Returns the variants of a goal: one for each image of its mask under a rotation. Images with the
/// same name count as one: for `oll`, they differ in the axis along which the edges are oriented,
/// but in their layer edges are oriented along both axes or along neither.
fn rotated_variants(default_variant: &str, mask: &Mask) -> Vec<NamedVariant> {
    let mut variants: Vec<(Mask, NamedVariant)> = Vec::new();
    for rotation in Symmetry::all().filter(|rotation| !rotation.is_mirror()) {
        let rotated = mask.conjugate(rotation);
        let name: String = default_variant
            .chars()
            .filter_map(Face::from_letter)
            .map(|face| rotation.face(face).letter())
            .collect();
        let mut known = variants.iter_mut();
        match known.find(|(mask, known)| *mask == rotated || known.names.contains(&name)) {
            Some((_, known)) => known.names.push(name),
            None => {
                let variant = NamedVariant {
                    names: vec![name],
                    rotation: rotation.inverse(),
                };
                variants.push((rotated, variant));
            }
        }
    }
    variants.into_iter().map(|(_, variant)| variant).collect()
}

/// Returns the variant with the name `wanted`, or else the variants whose names begin with it; all
/// variants if there is no name. The letters may be in any order that does not name another
/// variant.
fn select_variants(
    goal: &str,
    wanted: Option<&str>,
    variants: Vec<NamedVariant>,
) -> Result<Vec<GoalVariant>, GoalError> {
    let first_names: Vec<&str> = variants
        .iter()
        .map(|variant| &variant.names[0][..])
        .collect();
    let unknown = unknown_variant(goal, wanted.unwrap_or_default(), &first_names);
    if wanted.is_some_and(|wanted| wanted.is_empty() || first_names == [""]) {
        return Err(unknown);
    }
    let wanted = wanted.unwrap_or_default().to_ascii_uppercase();
    let is_exact = |name: &str| name == wanted;
    let has_letters = |name: &str| sorted_letters(name) == sorted_letters(&wanted);
    // Names with the same first letter take precedence.
    let has_letters_and_first = |name: &str| has_letters(name) && name[..1] == wanted[..1];
    let meanings: [&dyn Fn(&str) -> bool; 3] = [&is_exact, &has_letters_and_first, &has_letters];
    let unique = meanings.into_iter().find_map(|is_meant| {
        let is_meant = |variant: &&NamedVariant| variant.names.iter().any(|name| is_meant(name));
        let mut meant = variants.iter().filter(is_meant);
        meant.next().filter(|_| meant.next().is_none())
    });
    if let Some(variant) = unique {
        return Ok(vec![GoalVariant::rotated(wanted, variant.rotation)]);
    }
    let with_prefix = |variant: NamedVariant| {
        let mut names = variant.names.into_iter();
        let name = names.find(|name| name.starts_with(&wanted))?;
        Some(GoalVariant::rotated(name, variant.rotation))
    };
    let selected: Vec<GoalVariant> = variants.into_iter().filter_map(with_prefix).collect();
    if selected.is_empty() {
        Err(unknown)
    } else {
        Ok(selected)
    }
}

fn unknown_variant(goal: &str, wanted: &str, names: &[&str]) -> GoalError {
    GoalError::UnknownVariant {
        name: goal.to_owned(),
        variant: quoted(wanted),
        variants: match names {
            [""] => format!("it has no variants, so write {goal}"),
            _ => format!("use one of {}", names.join(", ")),
        },
    }
}

fn sorted_letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters
}

/// Returns the variants of `auf`: the solved cube, and the cube after each turn of the wanted face,
/// or of every face.
fn auf_variants(wanted: Option<&str>) -> Result<Vec<GoalVariant>, GoalError> {
    let mut variants: Vec<GoalVariant> = Vec::new();
    for face in Face::ALL {
        let name = face.to_string();
        if wanted.is_some_and(|wanted| !wanted.eq_ignore_ascii_case(&name)) {
            continue;
        }
        let turned = Turn::ALL.map(|turn| *Cube::from_move(Move::new(face, turn)));
        for target in std::iter::once(Cube::SOLVED).chain(turned) {
            if variants.iter().all(|variant| variant.target != target) {
                variants.push(GoalVariant {
                    name: name.clone(),
                    target,
                    ..GoalVariant::base()
                });
            }
        }
    }
    if variants.is_empty() {
        let names = ["U", "R", "F", "D", "L", "B"];
        return Err(unknown_variant(AUF, wanted.unwrap_or_default(), &names));
    }
    Ok(variants)
}

/// Parses a list of items, which constrain the goal together.
fn parse_items(text: &str) -> Result<Mask, GoalError> {
    let mut mask = Mask::all();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let group = [("{", '}'), ("placed(", ')'), ("oriented(", ')')]
            .into_iter()
            .find(|(open, _)| rest.starts_with(open));
        let (constraint, length) = match group {
            Some((open, close)) => {
                let unclosed = || GoalError::Unclosed(open.to_owned(), close);
                let inside = &rest[open.len()..];
                let length = inside.find(close).ok_or_else(unclosed)?;
                let pieces = parse_pieces(&inside[..length]).map_err(|error| match error {
                    GoalError::Unknown(word) if is_goal_name(&word) => {
                        GoalError::GoalInBrackets(word)
                    }
                    error => error,
                })?;
                (constrain(open, &pieces), open.len() + length + 1)
            }
            None => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || c == '{')
                    .filter(|&end| end > 0)
                    .unwrap_or(rest.len());
                (parse_item(&rest[..end])?, end)
            }
        };
        mask = mask.intersect(&constraint);
        rest = rest[length..].trim_start();
    }
    Ok(mask)
}

fn is_goal_name(word: &str) -> bool {
    let name = word.split(':').next().unwrap_or(word);
    let mut goals = NAMED_GOALS.iter();
    goals.any(|named| named.name.eq_ignore_ascii_case(name))
}

/// Parses the constraint of one item.
fn parse_item(text: &str) -> Result<Mask, GoalError> {
    // In a list `DR` is a piece, and `dr` a goal.
    let named = match parse_piece(text) {
        Some(_) => None,
        None => parse_named_goal(text)?,
    };
    match named {
        Some((named, ..)) if named.name == AUF => Err(GoalError::WholeCube(AUF.to_owned())),
        Some((_, mask, variants)) if variants.len() == 1 => Ok(variants[0].mask(&mask)),
        Some((named, ..)) => Err(GoalError::MissingVariant {
            name: named.name.to_owned(),
            default: named.default_variant.to_owned(),
        }),
        None => Ok(constrain("", &parse_pieces(text)?)),
    }
}

/// Returns the constraint that `open`, the text before the pieces, puts on them.
fn constrain(open: &str, pieces: &[Slot]) -> Mask {
    let mut mask = Mask::all();
    for &piece in pieces {
        mask.restrict(piece, |slot| match open {
            "placed(" => ANY * u8::from(slot == piece),
            "oriented(" => 1,
            "{" => pieces.contains(&slot).into(),
            _ => (slot == piece).into(),
        });
    }
    mask
}

/// Parses pieces by their names, or by `edges` and `corners`.
fn parse_pieces(text: &str) -> Result<Vec<Slot>, GoalError> {
    let mut pieces = Vec::new();
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    for word in words.filter(|word| !word.is_empty()) {
        match &word.to_ascii_lowercase()[..] {
            "edges" => pieces.extend(Slot::edges()),
            "corners" => pieces.extend(Slot::corners()),
            _ => pieces.push(parse_piece(word).ok_or_else(|| GoalError::Unknown(quoted(word)))?),
        }
    }
    Ok(pieces)
}

/// Returns the piece whose faces have these letters, in any order.
fn parse_piece(word: &str) -> Option<Slot> {
    let faces: Option<Vec<Face>> = word.chars().map(Face::from_letter).collect();
    Slot::touching(&faces?)
}

/// Returns `true` if moves look like a name: several moves in one word of letters and digits,
/// unless each is a capital and a digit, as in `R2F1U3`.
fn is_word(moves: &str) -> bool {
    let is_numbered =
        |pair: &[u8]| pair.len() == 2 && pair[0].is_ascii_uppercase() && pair[1].is_ascii_digit();
    moves.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !moves.as_bytes().chunks(2).all(is_numbered)
        && parse_turns(moves, &ParseOptions::default()).is_ok_and(|turns| turns.len() > 1)
}

/// Parses a painted goal: 54 facelets, in which a dot matches any color.
fn parse_painted(text: &str) -> Result<Mask, GoalError> {
    let facelets: Vec<char> = text
        .chars()
        .filter(|&c| !c.is_whitespace() && !SEPARATORS.contains(&c))
        .collect();
    if let Some(other) = facelets.iter().find(|&&c| !is_facelet(c)) {
        return Err(GoalError::InvalidFacelet(quoted(&other.to_string())));
    }
    if facelets.len() != 54 {
        return Err(GoalError::Facelets(facelets.len()));
    }
    for face in Face::ALL {
        if !['.', face.letter()].contains(&facelets[9 * face.index() + 4]) {
            return Err(GoalError::Center(face));
        }
    }
    let mut mask = Mask::all();
    for piece in Slot::all() {
        mask.restrict(piece, |slot| matching_orientations(piece, slot, &facelets));
    }
    for slot in Slot::all() {
        let mut pieces = PieceKind::of(slot).slots();
        if pieces.all(|piece| mask.allowed(piece, slot) == 0) {
            return Err(GoalError::ImpossibleColors(named_piece(slot)));
        }
    }
    Ok(mask)
}

/// Returns the orientations, as bits, in which a piece in a slot has the colors of the facelets.
fn matching_orientations(piece: Slot, slot: Slot, facelets: &[char]) -> u8 {
    let mut faces = piece.faces().to_vec();
    (0..faces.len()).fold(0, |bits, orientation| {
        let mut shown = slot.places().iter().zip(&faces);
        let is_match = shown.all(|(&index, face)| ['.', face.letter()].contains(&facelets[index]));
        faces.rotate_right(1);
        bits | u8::from(is_match) << orientation
    })
}
