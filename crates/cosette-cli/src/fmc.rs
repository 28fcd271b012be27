//! `cosette fmc`: fewest-moves skeletons, step by step.

use crate::scramble::search_with_bar;
use clap::Args;
use cosette::Control;
use cosette::cube::{DisplayMoves, Input, Metric, Move, ParseOptions, parse_position};
use cosette::search::{Outcome, SolutionCount, Solver};
use cosette_app::cli::args::{SolverArgs, exit_with_usage_error, seconds, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::{self, Interruptible};
use cosette_app::cli::lines;
use cosette_app::cli::solve::joined;
use cosette_app::cli::stderr::hint;
use cosette_app::engine::ShortSolutions;
use cosette_app::events::write_line;
use cosette_app::name::written_name;
use cosette_app::remedies::split_help;
use cosette_app::units::counted;
use cosette_fmc::insertions::{Insertion, InsertionsResult, OpenSkeleton, shortest_solutions};
use cosette_fmc::pipeline::DEFAULT_STEPS;
use cosette_fmc::report::{FmcResult, SearchReport, Skeleton};
use cosette_fmc::request::{FieldError, FmcRequest, InsertionsRequest, ParsedRequest};
use cosette_fmc::step_solvers::StepSolvers;
use serde::Serialize;
use std::cell::OnceCell;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Find fewest-moves skeletons: eo > dr > htr > finish, on the scramble and its inverse (NISS)
///
/// Each step preserves the earlier ones, and all solutions of a step are tried in order of length.
/// The best skeletons are printed in the notation of competitors: one step per line, moves on the
/// inverse in parentheses. The output can be given to --from. `// dr:UD (3/8)` means 3 moves in
/// this step, 8 in total.
///
/// Steps are eo, dr, htr and finish, in this order; any may be left out. eo and dr may have an
/// axis, e.g. eo:FB and dr:UD. The first step may use all moves, whatever is solved already;
/// 'eo[max=0] > dr' preserves edge orientation, 'dr[max=0] > htr' preserves a domino reduction.
///
/// Options of a step follow in square brackets. max=5: at most 5 moves; n=20: continue with the 20
/// shortest step solutions from each position; niss=none: stay on the side of the previous step;
/// niss=linear (default): all moves on one side, either one; niss=mixed: some moves on each side;
/// triggers=R,RU2R: only domino reductions that end with one of these, in any orientation, written
/// as for eo:FB > dr:UD.
///
/// Alternatives are in parentheses, e.g. '(eo[max=4] > dr | dr[max=8]) > htr > finish'.
#[derive(Args)]
pub struct FmcArgs {
    /// Scramble; if omitted or -, scrambles are read from standard input, one per line
    #[arg(value_name = "SCRAMBLE")]
    scramble: Vec<String>,
    /// Steps of the skeleton
    #[arg(long, value_name = "STEPS", default_value = DEFAULT_STEPS, help_heading = "Search")]
    steps: String,
    /// Continue from MOVES, with moves on the inverse in parentheses, e.g. 'U (F R) D'; comments
    /// are ignored
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        help_heading = "Search"
    )]
    from: String,
    /// Print the COUNT best skeletons, best last
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        default_value_t = NonZeroUsize::MIN,
        value_parser = whole_number::<NonZeroUsize>(1..=u64::MAX),
        help_heading = "Output"
    )]
    count: NonZeroUsize,
    /// Print all skeletons, e.g. with --steps 'eo[max=4]': one for each solution, with one of its
    /// shortest finishes, unless finish has n=
    #[arg(long, conflicts_with = "count", help_heading = "Output")]
    all: bool,
    /// Stop the search after SECONDS, or when all skeletons have been tried
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10",
        value_parser = seconds,
        help_heading = "Search"
    )]
    timeout: Duration,
    /// Instead of steps, find insertions for the skeleton of --from, which leaves three corners,
    /// three edges or two swaps: all shortest sequences are tried at every point of the skeleton
    #[arg(long, conflicts_with_all = ["steps", "timeout", "optimal"], help_heading = "Search")]
    insert: bool,
    /// Afterwards, find a shortest solution of the scramble and prove it optimal, without a time
    /// limit
    #[arg(long, help_heading = "Search")]
    optimal: bool,
    /// Print results as JSON Lines, one object per scramble
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

impl FmcArgs {
    fn solution_count(&self) -> SolutionCount {
        match self.all {
            true => SolutionCount::All,
            false => SolutionCount::AtMost(self.count),
        }
    }
}

/// A result, with a shortest solution of the scramble if that was requested and proven.
#[derive(Serialize)]
struct FmcResultWithOptimum {
    #[serde(flatten)]
    result: FmcResult,
    /// The length of a shortest solution.
    optimum: Option<u8>,
    optimal_solution: Option<String>,
}

/// The request, which is answered for each scramble, and the solvers.
struct FmcCommand<'a> {
    args: &'a FmcArgs,
    request: ParsedRequest,
    step_solvers: StepSolvers,
    /// The optimal solver ([`FmcCommand::solver`]).
    solver: OnceCell<Solver>,
}

/// Returns the failure of a scramble with which an option is invalid.
fn failure(FieldError { field, message, .. }: FieldError) -> Failure {
    let (wrong, help) = split_help(&message);
    Failure::new(format!("--{field}: {wrong}"), help)
}

/// Runs the subcommand.
pub fn run(args: &FmcArgs) -> Result<Exit, Failure> {
    let request = FmcRequest {
        position: String::new(),
        steps: args.steps.clone(),
        from: args.from.clone(),
        count: args.solution_count(),
        timeout: Some(args.timeout),
    };
    let request = request
        .parse()
        .unwrap_or_else(|FieldError { field, message, .. }| {
            exit_with_usage_error(&format!("--{field}: {message}"))
        });
    args.solver.check().unwrap_or_else(|error| error.exit());
    if args.solver.require_table_metric() != Metric::Htm {
        exit_with_usage_error(
            "`fmc` supports only the metric htm; remove --metric (or COSETTE_METRIC)",
        );
    }
    let command = FmcCommand {
        args,
        request,
        step_solvers: StepSolvers::default(),
        solver: OnceCell::new(),
    };
    let text = joined(&args.scramble).unwrap_or_else(|error| error.exit());
    match args.scramble.is_empty() || text == "-" {
        true => lines::answer_each(|_| Ok(()), |text| command.answer(text)),
        false => command.answer(&InputText::from(text)),
    }
}

impl FmcCommand<'_> {
    /// Searches for skeletons or insertions for a scramble, and prints them.
    fn answer(&self, text: &InputText) -> Result<Exit, Failure> {
        let input = match text.read(|text| parse_position(text, None, &ParseOptions::default())) {
            Ok(input) => input,
            Err(failure) => {
                if let Some(not_solved) = failure.solve_failure().filter(|_| self.args.json) {
                    write_line(&mut anstream::stdout(), &not_solved)?;
                }
                return Err(failure);
            }
        };
        if self.args.insert {
            return self.insert(text, &input);
        }
        let report = self.search(&input)?;
        if !self.args.json {
            self.write(text, &report)?;
        }
        let mut optimal = None;
        if self.args.optimal && !interrupt::is_requested() {
            optimal = self.optimum(&input, &report)?;
        }
        let mut out = anstream::stdout().lock();
        if self.args.json {
            let result = FmcResultWithOptimum {
                result: report.result(&text.text, text.line),
                optimum: optimal.as_ref().map(|moves| moves.len() as u8),
                optimal_solution: optimal.map(|moves| DisplayMoves(&moves).to_string()),
            };
            write_line(&mut out, &result)?;
        } else if let Some(optimal) = optimal {
            writeln!(
                out,
                "// the shortest solution has {}: {}",
                counted(optimal.len() as u64, "move"),
                DisplayMoves(&optimal)
            )?;
        }
        let is_limited = report.stop_reason.is_some() || !report.is_proven();
        Ok(if interrupt::is_requested() {
            Exit::Interrupted
        } else if report.skeletons.is_empty() && is_limited {
            Exit::Limit
        } else {
            Exit::Success
        })
    }

    /// Searches for skeletons, and shows each that is shorter than all found before.
    fn search(&self, input: &Input) -> Result<SearchReport<'_>, Failure> {
        let start = Instant::now();
        let work = Interruptible::start();
        let threads = self.args.solver.store.threads.count();
        let control = Control::new(threads).with_cancel(&work.cancel);
        let on_better = |skeleton: &Skeleton| {
            if !self.args.json {
                let length = counted(skeleton.total as u64, "move");
                let seconds = start.elapsed().as_secs_f64();
                hint(format_args!(
                    "{length} after {seconds:.1} s: {}",
                    skeleton.moves
                ));
            }
        };
        self.request
            .search(input.cube, &self.step_solvers, &on_better, &control)
            .map_err(failure)
    }

    /// Returns the optimal solver, which is created on first use.
    fn solver(&self) -> Result<&Solver, Failure> {
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        let solver = self.args.solver.solver()?;
        Ok(self.solver.get_or_init(|| solver))
    }

    /// Finds and prints the best insertions of a skeleton.
    fn insert(&self, text: &InputText, input: &Input) -> Result<Exit, Failure> {
        let request = InsertionsRequest {
            position: text.text.clone(),
            from: self.args.from.clone(),
            count: self.args.solution_count(),
        };
        let skeleton = request.parse(&input.cube).map_err(failure)?;
        let work = Interruptible::start();
        let mut solver_failure = None;
        let insertions = skeleton.insertions(|position| {
            if let Some(short) = ShortSolutions::find(position, Metric::Htm) {
                return Some(short.into_solutions());
            }
            match self.solver() {
                Ok(solver) => shortest_solutions(solver, position, &work.cancel),
                Err(failure) => {
                    solver_failure = Some(failure);
                    None
                }
            }
        });
        if let Some(failure) = solver_failure {
            return Err(failure);
        }
        let Some(insertions) = insertions else {
            return Ok(Exit::Interrupted);
        };
        let mut out = anstream::stdout().lock();
        if self.args.json {
            let result = InsertionsResult {
                line: text.line,
                ..request.result(&skeleton, &insertions)
            };
            write_line(&mut out, &result)?;
            return Ok(Exit::Success);
        }
        let max_count = insertions.len().min(request.count.max());
        for insertion in insertions[..max_count].iter().rev() {
            write_insertion(&mut out, insertion, &skeleton)?;
        }
        let case = skeleton.case.name();
        let points = counted(skeleton.moves.len() as u64 + 1, "place");
        let insertion_count = counted(insertions.len() as u64, "insertion");
        writeln!(
            out,
            "// {case} left: {insertion_count} of shortest sequences at {points}; proven: no such insertion \
                is shorter",
        )?;
        Ok(Exit::Success)
    }

    /// Writes the skeletons, shortest last, and the proven statements.
    fn write(&self, text: &InputText, report: &SearchReport<'_>) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if text.line.is_some() {
            let name = text.name.as_deref().map(written_name);
            let name = name.map_or(String::new(), |name| format!(" {name}"));
            writeln!(out, "// scramble{name}: {}", text.text)?;
        }
        for skeleton in report.skeletons.iter().rev() {
            writeln!(out, "{}", skeleton.format(&self.request.prior_moves))?;
        }
        for statement in report.statements() {
            writeln!(out, "// {statement}")?;
        }
        Ok(out.flush()?)
    }

    /// Returns a shortest solution. If the user stops the search, prints its lower bound, and
    /// returns `None`.
    fn optimum(
        &self,
        input: &Input,
        report: &SearchReport<'_>,
    ) -> Result<Option<Vec<Move>>, Failure> {
        // Without moves in `--from`, a complete skeleton is also a solution of the scramble.
        let best = report.skeletons.first();
        let known = best.and_then(|best| best.solution.as_deref());
        let optimum = search_with_bar(self.solver()?, &input.cube, known);
        if optimum.outcome == Outcome::Optimal {
            return Ok(optimum.solutions.into_iter().next());
        }
        hint(format_args!(
            "stopped: the shortest solution has at least {}",
            counted(optimum.lower_bound.into(), "move")
        ));
        Ok(None)
    }
}

fn write_insertion(
    out: &mut impl Write,
    insertion: &Insertion,
    skeleton: &OpenSkeleton,
) -> io::Result<()> {
    let own = counted(insertion.moves.len() as u64, "move");
    let cancelled = insertion.cancellations(&skeleton.moves);
    let text = insertion.format(&skeleton.moves);
    writeln!(out, "{text} // {own}, {cancelled} saved")?;
    let length = counted(insertion.solution.len() as u64, "move");
    writeln!(out, "// {length}: {}\n", DisplayMoves(&insertion.solution))
}
