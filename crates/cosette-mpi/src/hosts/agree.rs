//! All ranks exchange the result of a step.

use super::Hosts;
use crate::world::World;
use cosette_app::cli::failure::{ErrorReport, Failure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

impl Hosts {
    /// Waits until every rank has called this, and returns the results of all.
    ///
    /// # Errors
    /// The error of one of the ranks, with its host named; the same on all of them.
    pub fn agree<T>(&self, world: &World, found: Result<T, Failure>) -> Result<Vec<T>, Failure>
    where
        T: Serialize + DeserializeOwned,
    {
        let text = serde_json::to_string(&found.map_err(ErrorReport::from)).expect("plain values have a JSON text");
        let read = |text: &String| serde_json::from_str(text).expect("all ranks run the same program");
        world.barrier();
        let outcomes: Vec<Result<T, ErrorReport>> = world.all_gather(&text).iter().map(read).collect();
        match self.failure(&outcomes) {
            Some(told) => Err(Failure::Other(told)),
            None => Ok(outcomes.into_iter().flatten().collect()),
        }
    }

    /// Waits until every rank has called this, and returns its own result and what all ranks tell of theirs.
    ///
    /// # Errors
    /// As for [`Hosts::agree`].
    pub fn agree_on<T, U>(
        &self,
        world: &World,
        own: Result<T, Failure>,
        tell: impl FnOnce(&T) -> U,
    ) -> Result<(T, Vec<U>), Failure>
    where
        U: Serialize + DeserializeOwned,
    {
        let (own, told) = match own {
            Ok(own) => {
                let told = tell(&own);
                (Some(own), Ok(told))
            }
            Err(failure) => (None, Err(failure)),
        };
        let told = self.agree(world, told)?;
        Ok((own.expect("all ranks have agreed that they have theirs"), told))
    }

    /// What went wrong, if anything did: the first error on each host.
    fn failure<T>(&self, outcomes: &[Result<T, ErrorReport>]) -> Option<ErrorReport> {
        let mut errors: BTreeMap<usize, &ErrorReport> = BTreeMap::new();
        for (rank, outcome) in outcomes.iter().enumerate() {
            if let Err(told) = outcome {
                errors.entry(self.first_beside(rank)).or_insert(told);
            }
        }
        let mut errors = errors.into_iter();
        let (first, told) = errors.next()?;
        if self.count() == 1 {
            return Some(told.clone());
        }
        let others: Vec<&str> = errors.map(|(rank, _)| self.name(rank)).collect();
        let others = if others.is_empty() { "".into() } else { format!("; also refused: {}", others.join(", ")) };
        Some(ErrorReport { message: format!("on host {}: {}{others}", self.name(first), told.message), ..told.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::greeting::Greeting;
    use super::*;
    use cosette_app::cli::failure::Exit;

    fn hosts(firsts: &[usize]) -> Hosts {
        let greeting = |rank: usize| Greeting { host: format!("n{rank}"), ..Greeting::default() };
        let greetings = (0..firsts.len()).map(greeting).collect();
        Hosts { rank: 0, firsts: firsts.to_vec(), greetings }
    }

    fn missing() -> Result<(), ErrorReport> {
        Err(ErrorReport { message: "no table".into(), help: Some("fill it".into()), exit: Exit::Error })
    }

    #[test]
    fn trouble_is_told_once_with_its_hosts() {
        let message = |firsts: &[usize], outcomes: &[Result<(), ErrorReport>]| {
            hosts(firsts).failure(outcomes).map(|told| told.message)
        };
        assert_eq!(message(&[0, 0], &[Ok(()), Ok(())]), None);
        assert_eq!(message(&[0, 0], &[missing(), missing()]).unwrap(), "no table");
        assert_eq!(message(&[0, 1], &[Ok(()), missing()]).unwrap(), "on host n1: no table");
        let all = [Ok(()), missing(), missing(), missing()];
        assert_eq!(message(&[0, 1, 2, 2], &all).unwrap(), "on host n1: no table; also refused: n2");
    }
}
