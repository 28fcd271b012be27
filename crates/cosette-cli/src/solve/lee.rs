//! What Lee's search is given.

use clap::{Args, value_parser};
use cosette_lab::lab::{Lab, LabError};
use cosette_lab::lee::classes::Classes;
use cosette_lab::lee::partial::forward::{ForwardDepth, ForwardDepthError};
use cosette_lab::lee::search::{Lee, Settings};

/// Options of the engine lee alone.
#[derive(Args)]
pub struct LeeArgs {
    /// With --engine lee: all positions within so many moves of solved are stored, 0 to 8 [default: 7]
    #[arg(long, value_name = "MOVES", value_parser = value_parser!(u8).range(0..=8))]
    d_back: Option<u8>,
    /// With --engine lee: how deep the forward spaces of a position are, 1 to 7 [default: 5]
    #[arg(long, value_name = "MOVES", value_parser = forward_depth)]
    d_for: Option<ForwardDepth>,
    /// With --engine lee: give up on a position once so many states are stored [default: 50000000]
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u32).range(1..=4_000_000_000))]
    states: Option<u32>,
}

/// Reads a depth of forward spaces.
fn forward_depth(text: &str) -> Result<ForwardDepth, String> {
    let depth = text.parse::<u8>().map_err(|_| "write a number, 1 to 7".to_owned())?;
    ForwardDepth::try_from(depth).map_err(|refused: ForwardDepthError| refused.to_string())
}

impl LeeArgs {
    /// Whether any of them is given.
    pub fn are_given(&self) -> bool {
        self.d_back.is_some() || self.d_for.is_some() || self.states.is_some()
    }

    /// Lee's search. The partial problems see as far back as the stored positions go, seven moves at most.
    ///
    /// # Errors
    /// On cancellation.
    pub fn engine(&self, lab: &Lab<'_>) -> Result<Lee<Classes>, LabError> {
        let d_back = self.d_back.unwrap_or(7);
        let d_for = self.d_for.unwrap_or_else(|| ForwardDepth::try_from(5).expect("it may be 1 to 7"));
        let states = self.states.map_or(Settings::default().states, u64::from);
        let settings = Settings { states, ..Settings::default() };
        Lee::new(Classes::new(d_back, lab)?, d_back.min(7), Some(d_for), settings, lab)
    }
}
