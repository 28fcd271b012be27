//! Scrambles of a case: the request and its result, as JSON.

use crate::position::hint;
use crate::request::values;
use cosette::cube::{self, DisplayMoves, Move, ParseError, ParseOptions, parse_position};
use cosette::twophase::{self, ScrambleOptions};
use serde::{Deserialize, Serialize};

/// A request for scrambles of a case.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScrambleRequest {
    /// The position after each scramble, in any format. For the case that an algorithm ALG solves,
    /// `(ALG)'`.
    #[cfg_attr(feature = "openapi", schema(example = "R U R' U'"))]
    pub case: String,
    /// The number of scrambles, 1 to 100.
    #[serde(
        default = "values::scramble_count::default",
        deserialize_with = "values::scramble_count::deserialize"
    )]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 100, default = 1))]
    pub count: usize,
    /// The minimum number of moves. No scramble has fewer than 21.
    #[serde(default, deserialize_with = "values::length::deserialize")]
    #[cfg_attr(feature = "openapi", schema(maximum = 255, default = 21))]
    pub min_length: Option<u8>,
    /// `true` to add a random turn of U, or none, before the solution of the case, which is then
    /// seen from a random angle.
    #[serde(default)]
    pub pre_auf: bool,
    /// `true` to add a random turn of U, or none, after the solution of the case.
    #[serde(default)]
    pub post_auf: bool,
    /// The random seed. The same seed gives the same scrambles on every machine.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(format = "uint64"))]
    pub seed: Option<u64>,
}

/// Scrambles of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleList {
    /// The 54 facelets of the case.
    pub facelets: String,
    /// Another possible reading of the text of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The scrambles, all different.
    pub scrambles: Vec<ScrambleResult>,
}

/// A scramble of a case. If A solves the case, then `pre_auf` A `post_auf` solves the cube after
/// `moves`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleResult {
    /// The moves.
    pub moves: String,
    /// The turn of U before the solution of the case, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_auf: Option<String>,
    /// The turn of U after the solution of the case, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_auf: Option<String>,
}

impl From<twophase::Scramble> for ScrambleResult {
    fn from(
        twophase::Scramble {
            moves,
            pre_auf,
            post_auf,
        }: twophase::Scramble,
    ) -> ScrambleResult {
        let text = |auf: Option<Move>| auf.map(|turn| turn.to_string());
        ScrambleResult {
            moves: DisplayMoves(&moves).to_string(),
            pre_auf: text(pre_auf),
            post_auf: text(post_auf),
        }
    }
}

impl ScrambleRequest {
    /// Draws the scrambles, from `drawn_seed` if the request has no seed.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the text of the case is not a position.
    pub fn answer(&self, drawn_seed: u64) -> Result<ScrambleList, ParseError> {
        let input: cube::Input = parse_position(&self.case, None, &ParseOptions::default())?;
        let options = ScrambleOptions {
            min_length: self.min_length.unwrap_or(ScrambleOptions::MIN_LENGTH),
            pre_auf: self.pre_auf,
            post_auf: self.post_auf,
        };
        let scrambles = twophase::scrambles(input.cube, self.seed.unwrap_or(drawn_seed), options);
        Ok(ScrambleList {
            facelets: input.cube.facelets(),
            hint: hint(&self.case, &input),
            scrambles: scrambles
                .take(self.count)
                .map(ScrambleResult::from)
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Cube;

    fn request(json: &str) -> Result<ScrambleRequest, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn scrambles_lead_to_the_case() {
        let list = request(r#"{"case": "R U R' U'", "count": 3, "seed": 1}"#)
            .unwrap()
            .answer(2)
            .unwrap();
        assert_eq!(list.scrambles.len(), 3);
        for scramble in &list.scrambles {
            assert_eq!(
                scramble.moves.parse::<Cube>().unwrap().facelets(),
                list.facelets
            );
            assert_eq!((&scramble.pre_auf, &scramble.post_auf), (&None, &None));
        }
        let drawn = request(r#"{"case": "R U R' U'", "count": 3}"#).unwrap();
        assert_eq!(drawn.answer(1).unwrap(), list);
    }

    #[test]
    fn values_have_limits() {
        for (field, expected) in [
            (r#""count": 0"#, "expected a whole number from 1 to 100"),
            (r#""count": 101"#, "expected a whole number from 1 to 100"),
            (
                r#""min_length": 256"#,
                "expected a whole number of moves from 0 to 255",
            ),
            (r#""auf": true"#, "unknown field `auf`"),
        ] {
            let refused = request(&format!(r#"{{"case": "R", {field}}}"#)).unwrap_err();
            assert!(refused.contains(expected), "{refused}");
        }
        assert_eq!(request(r#"{"case": "R"}"#).unwrap().count, 1);
    }
}
