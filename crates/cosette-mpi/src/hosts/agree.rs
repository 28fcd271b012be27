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
            Some(report) => Err(Failure::Other(report)),
            None => Ok(outcomes.into_iter().flatten().collect()),
        }
    }

    /// Waits until every rank has called this, and returns its own result and what `describe` says of the result of each rank.
    ///
    /// # Errors
    /// As for [`Hosts::agree`].
    pub fn agree_on<T, U>(
        &self,
        world: &World,
        own: Result<T, Failure>,
        describe: impl FnOnce(&T) -> U,
    ) -> Result<(T, Vec<U>), Failure>
    where
        U: Serialize + DeserializeOwned,
    {
        let (own, described) = match own {
            Ok(own) => {
                let described = describe(&own);
                (Some(own), Ok(described))
            }
            Err(failure) => (None, Err(failure)),
        };
        let described = self.agree(world, described)?;
        Ok((own.expect("all ranks have agreed that they have theirs"), described))
    }

    /// What went wrong, if anything did: the first error on each host.
    fn failure<T>(&self, outcomes: &[Result<T, ErrorReport>]) -> Option<ErrorReport> {
        let mut errors: BTreeMap<usize, &ErrorReport> = BTreeMap::new();
        for (rank, outcome) in outcomes.iter().enumerate() {
            if let Err(report) = outcome {
                errors.entry(self.first_on_host(rank)).or_insert(report);
            }
        }
        let mut errors = errors.into_iter();
        let (first, report) = errors.next()?;
        if self.count() == 1 {
            return Some(report.clone());
        }
        let others: Vec<&str> = errors.map(|(rank, _)| self.name(rank)).collect();
        let others = if others.is_empty() { "".into() } else { format!("; also refused: {}", others.join(", ")) };
        Some(ErrorReport {
            message: format!("on host {}: {}{others}", self.name(first), report.message),
            ..report.clone()
        })
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
        Err(ErrorReport { message: "no table".into(), help: Some("generate it".into()), exit: Exit::Error })
    }

    #[test]
    fn an_error_is_reported_once_with_its_hosts() {
        let message = |firsts: &[usize], outcomes: &[Result<(), ErrorReport>]| {
            hosts(firsts).failure(outcomes).map(|report| report.message)
        };
        assert_eq!(message(&[0, 0], &[Ok(()), Ok(())]), None);
        assert_eq!(message(&[0, 0], &[missing(), missing()]).unwrap(), "no table");
        assert_eq!(message(&[0, 1], &[Ok(()), missing()]).unwrap(), "on host n1: no table");
        let all = [Ok(()), missing(), missing(), missing()];
        assert_eq!(message(&[0, 1, 2, 2], &all).unwrap(), "on host n1: no table; also refused: n2");
    }
}
