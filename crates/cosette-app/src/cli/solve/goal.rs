//! Human-readable results of goals: the solutions, and the proven statements.

use crate::cli::{BOLD, DIM};
use crate::json::SolveResult;
use crate::request::Request;
use crate::units::counted;
use cosette::search::SolutionCount;
use std::io::{self, Write};

/// Writes a result in several lines.
pub fn write(out: &mut impl Write, answer: &SolveResult, request: &Request) -> io::Result<()> {
    let SolveResult {
        lower_bound,
        nodes,
        seconds,
        ..
    } = answer;
    // With custom costs, the metric is not the unit of the total cost.
    let counted_in = |cost: u32| match request.costs {
        Some(_) => format!("cost {cost}"),
        None => format!("{cost} {}", answer.metric),
    };
    let goal = answer.goal.as_deref().unwrap_or_default();
    let lengths = answer.costs.iter().flatten();
    let places = answer.variants.iter().flatten();
    for ((moves, length), place) in answer.solutions.iter().zip(lengths).zip(places) {
        let is_longer = answer.length.is_none_or(|least| *length > least.into());
        let place = Some(place.clone())
            .filter(|place| !place.is_empty() && !goal.ends_with(&format!(":{place}")));
        let remarks: Vec<String> = place
            .into_iter()
            .chain(is_longer.then(|| counted_in(*length)))
            .collect();
        let remarks = if remarks.is_empty() {
            String::new()
        } else {
            format!("  // {}", remarks.join(", "))
        };
        if !moves.is_empty() || answer.solutions.len() > 1 {
            writeln!(out, "{BOLD}{moves}{BOLD:#}{remarks}")?;
        }
    }
    write!(out, "{}", super::text::label(answer.name.as_deref()))?;
    match (&answer.unreachable, answer.length) {
        (Some(reason), _) => writeln!(out, "no solution: {reason}")?,
        (None, Some(0)) => writeln!(out, "{goal}: already reached{}", where_met(answer))?,
        (None, Some(length)) => writeln!(
            out,
            "{} to {goal}, {}",
            counted_in(length.into()),
            how_many(answer, request)
        )?,
        (None, None) => writeln!(
            out,
            "not solved: {goal} needs at least {}",
            counted_in((*lower_bound).into())
        )?,
    }
    match answer.stop_reason.as_deref() {
        None | Some("max-length") => {}
        Some(_) if answer.length.is_some() => writeln!(
            out,
            "stopped after {seconds:.1} s: there may be more solutions"
        )?,
        Some(_) => writeln!(out, "stopped after {seconds:.1} s")?,
    }
    writeln!(
        out,
        "{DIM}{}, {seconds:.3} s{DIM:#}",
        counted(*nodes, "node")
    )?;
    out.flush()
}

/// Returns the variant reached by the first solution, e.g. ` (D)`.
fn where_met(answer: &SolveResult) -> String {
    let place = answer
        .variants
        .iter()
        .flatten()
        .next()
        .filter(|place| !place.is_empty());
    place.map(|place| format!(" ({place})")).unwrap_or_default()
}

fn how_many(answer: &SolveResult, request: &Request) -> String {
    let of_images = request.unique_up_to.as_ref().map(|images| {
        format!(
            " up to {}",
            images
                .split(',')
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" and ")
        )
    });
    let of_images = of_images.unwrap_or_default();
    let are_all = answer.complete && answer.solution_count < request.count.max();
    let most = request
        .max_length
        .zip(answer.length)
        .map(|(most, least)| most.saturating_sub(least));
    let slack = most.map_or(request.slack, |most| request.slack.min(most.into()));
    let count = match (answer.solution_count as u64, slack) {
        (1, _) if are_all => {
            format!("the only solution{of_images}")
        }
        (count, 0) => counted(count, "solution") + &of_images,
        (count, slack) => format!(
            "{} within {slack} of the shortest{of_images}",
            counted(count, "solution")
        ),
    };
    match request.count {
        SolutionCount::ONE => "proven shortest".into(),
        _ if are_all && answer.solution_count == 2 => {
            format!("proven shortest; both{}", &count[1..])
        }
        _ if are_all && answer.solution_count > 2 => format!("proven shortest; all {count}"),
        _ if are_all => format!("proven shortest; {count}"),
        _ => format!("proven shortest; {count}, possibly more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_solutions_within_a_limit_cost_no_more_than_it() {
        let answer = SolveResult {
            complete: true,
            length: Some(5),
            solution_count: 6,
            ..SolveResult::default()
        };
        let told = |slack, max_length| {
            how_many(
                &answer,
                &Request {
                    count: SolutionCount::All,
                    slack,
                    max_length,
                    ..Request::default()
                },
            )
        };
        assert_eq!(
            told(3, None),
            "proven shortest; all 6 solutions within 3 of the shortest"
        );
        assert_eq!(
            told(3, Some(6)),
            "proven shortest; all 6 solutions within 1 of the shortest"
        );
        assert_eq!(told(3, Some(5)), "proven shortest; all 6 solutions");
        let answer = SolveResult {
            solution_count: 2,
            ..answer
        };
        let request = Request {
            count: SolutionCount::All,
            slack: 1,
            ..Request::default()
        };
        assert_eq!(
            how_many(&answer, &request),
            "proven shortest; both solutions within 1 of the shortest"
        );
    }
}
