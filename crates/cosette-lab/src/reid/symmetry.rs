//! The symmetry of a position in words.

use cosette::cube::{Cube, Face, Symmetry};

/// What a search for this position can say of its symmetry: `asymmetric position`, or how many symmetries fix it and where
/// each but the identity carries the faces, as in `2 symmetries: U↔D R↔L`. Opposite faces that change places are joined by ↔;
/// other faces by arrows, in cycles.
pub fn symmetry_in_words(position: &Cube) -> String {
    match &position.stabilizer()[..] {
        [_] => "asymmetric position".into(),
        all if all.len() == Symmetry::COUNT => "all 48 symmetries".into(),
        [_, others @ ..] => {
            let others: Vec<String> = others.iter().map(|&s| cycles(s)).collect();
            format!("{} symmetries: the identity; {}", others.len() + 1, others.join("; "))
        }
        [] => unreachable!("the identity fixes every position"),
    }
}

/// The cycles of the faces, without those that stay.
fn cycles(s: Symmetry) -> String {
    let mut seen = Vec::new();
    let mut words = Vec::new();
    for face in Face::ALL {
        let next = |&last: &Face| Some(s.face(last)).filter(|&next| next != face);
        let cycle: Vec<Face> = std::iter::successors(Some(face), next).collect();
        if !seen.contains(&face) && cycle.len() > 1 {
            seen.extend(&cycle);
            words.push(match cycle[..] {
                [first, second] => format!("{first}↔{second}"),
                _ => cycle.iter().chain([&face]).map(Face::to_string).collect::<Vec<_>>().join("→"),
            });
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Move;

    #[test]
    fn symmetries_are_told() {
        let after = |text: &str| {
            let find = |word: &str| Move::ALL.into_iter().find(|m| m.to_string() == word).expect("a move");
            Cube::from_moves(&text.split(' ').map(find).collect::<Vec<_>>())
        };
        assert_eq!(symmetry_in_words(&Cube::SOLVED), "all 48 symmetries");
        assert_eq!(symmetry_in_words(&after("R U F2")), "asymmetric position");
        assert_eq!(symmetry_in_words(&after("U R")), "asymmetric position");
        assert_eq!(symmetry_in_words(&after("U R2 D2")).split(':').next(), Some("asymmetric position"));
        assert_eq!(symmetry_in_words(&after("R")), "4 symmetries: the identity; U↔D F↔B; U→B→D→F→U; U→F→D→B→U");
    }
}
