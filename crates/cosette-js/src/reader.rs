//! Requests of readers and cube models, which have neither a table nor a search. They use the
//! module without threads; the other one lacks them, which makes it smaller.

use crate::requests::{parse, parse_cube};
use crate::session::EngineError;
use cosette::cube::{LayerTurn, ParseOptions, parse_moves, parse_turns, random_positions};
use cosette_app::position::{ScrambleRequest, ScrambledPosition};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A request from JavaScript.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
pub enum ReaderRequest {
    /// Returns a random position.
    Random { seed: u64 },
    /// Returns scrambles of a case. The request always has a seed.
    Scrambles { request: Map<String, Value> },
    /// Applies moves to a position.
    Apply { position: String, moves: String },
    /// Returns the inverse of a sequence of moves.
    Inverse { moves: String },
    /// Returns `true` if a position is the solved cube.
    IsSolved { position: String },
}

impl ReaderRequest {
    /// Returns the result.
    ///
    /// # Errors
    ///
    /// Returns an error if a text is not a position or not moves, or if an option is invalid.
    pub fn answer(self) -> Result<Value, EngineError> {
        let options = ParseOptions::default();
        Ok(match self {
            Self::Random { seed } => {
                let mut positions = random_positions(seed);
                let position = positions.next().expect("the positions do not end");
                json!(ScrambledPosition::from(&position))
            }
            Self::Scrambles { request } => {
                let request: ScrambleRequest = parse(request, "no others")?;
                let list = request.answer(0);
                json!(list.map_err(|error| EngineError::position(&request.case, &error))?)
            }
            Self::Apply { position, moves } => {
                let cube = parse_cube(&position)?;
                let sequence = parse_moves(&moves, &options);
                let sequence = sequence.map_err(|error| EngineError::moves(&moves, &error))?;
                // The rotation of the moves also turns the cube that they are applied to.
                let rotated = cube.conjugate(sequence.rotation());
                json!({"facelets": rotated.apply_moves(sequence.moves()).facelets()})
            }
            Self::Inverse { moves } => {
                let turns = parse_turns(&moves, &options);
                let turns = turns.map_err(|error| EngineError::moves(&moves, &error))?;
                let inverse = turns.into_iter().rev().map(LayerTurn::inverse);
                let inverse: Vec<String> = inverse.map(|turn| turn.to_string()).collect();
                json!({"moves": inverse.join(" ")})
            }
            Self::IsSolved { position } => {
                json!({"solved": parse_cube(&position)?.is_solved()})
            }
        })
    }
}
