//! Sequences of moves in JSON as people write them.

use cosette::cube::{Move, Moves, ReadError};

fn read(text: &str) -> Result<Vec<Move>, ReadError> {
    text.split_whitespace().map(str::parse).collect()
}

/// One sequence: `"R U2 F'"`.
pub mod one {
    use super::{Move, Moves, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&Moves(moves))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Move>, D::Error> {
        read(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Several: `["R U2 F'","L"]`.
pub mod many {
    use super::{Move, Moves, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(sequences: &[Vec<Move>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(sequences.iter().map(|moves| Moves(moves).to_string()))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Vec<Move>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| read(text)).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}
