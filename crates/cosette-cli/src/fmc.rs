//! `cosette fmc`: skeletons of fewest moves, step by step.

use clap::Args;
use cosette::Control;
use cosette::cube::{Cube, Input, Metric, Move, Moves, ReadOptions, read_position};
use cosette::search::{Event, Options, Outcome, SolutionCount, Solver, TwoPhaseUse};
use cosette_app::cli::args::{SolverArgs, seconds, usage, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::{self, Interruptible};
use cosette_app::cli::lines;
use cosette_app::cli::solve::joined;
use cosette_app::cli::stderr::{Bound, hint};
use cosette_app::fewest::insert::{self, Inserted, Unfinished};
use cosette_app::fewest::pipeline::USUAL;
use cosette_app::fewest::request::{Asked, Refused, Request, Searched};
use cosette_app::fewest::skeleton::{Report, Skeleton};
use cosette_app::fewest::steps::Steps;
use cosette_app::fewest::write;
use cosette_app::json::write_line;
use cosette_app::name::written_name;
use cosette_app::short::Short;
use cosette_app::words::counted;
use serde::Serialize;
use std::cell::OnceCell;
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Find skeletons of fewest moves: eo > dr > htr > finish, on the scramble and on its inverse
///
/// Each step is made with the turns that keep what the ones before it have reached, and all ways to it are found, by their
/// number of moves. The best skeletons through all steps are printed as competitors write them, one step a line, with moves on
/// the inverse in brackets; what is printed can be given to --from again. In `// dr:UD (3/8)`, the step has three moves, and
/// there are eight by then.
///
/// Steps are eo, dr, htr and finish, in this order; any may be left out. eo and dr may have an axis, as in eo:FB and dr:UD. The
/// first step may use all turns, whatever holds already; 'eo[max=0] > dr' keeps edges oriented, 'dr[max=0] > htr' a domino
/// reduction.
///
/// Options stand in square brackets: max=5, at most so many moves; n=20, go on with so many ways from each position; niss=none,
/// stay on the side of the last step, niss=before (usual), begin on either side, niss=always, some moves on each side;
/// triggers=R,RU2R, only domino reductions that end like this in any orientation, written as for eo:FB > dr:UD.
/// Alternatives stand in round brackets, as in '(eo[max=4] > dr | dr[max=8]) > htr > finish'.
#[derive(Args)]
pub struct FmcArgs {
    /// The scramble; if it is missing or -, scrambles are read from standard input, one per line
    #[arg(value_name = "SCRAMBLE")]
    scramble: Vec<String>,
    /// The steps
    #[arg(long, value_name = "STEPS", default_value = USUAL)]
    steps: String,
    /// Go on from these moves, with those on the inverse in round brackets, as in 'U (F R) D'; comments are left out
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    from: String,
    /// Print so many skeletons, the best ones; the best is the last
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = NonZeroUsize::MIN, value_parser = whole_number::<NonZeroUsize>(1..=u64::MAX))]
    count: NonZeroUsize,
    /// Print all skeletons, as with --steps 'eo[max=4]': of those that make one solution, one, and one of the shortest
    /// finishes of each, unless finish has n=
    #[arg(long, conflicts_with = "count")]
    all: bool,
    /// Search for so long, unless all is tried before
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Instead of steps: finish the skeleton of --from, which leaves three corners, three edges or two swaps, by a sequence
    /// somewhere in it; all shortest sequences are tried at all places
    #[arg(long, conflicts_with_all = ["steps", "timeout", "optimum"])]
    insert: bool,
    /// Then prove the shortest solution of the scramble, however long it takes
    #[arg(long)]
    optimum: bool,
    /// Print one JSON object per scramble
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

/// An answer, and the shortest solution of the scramble if it was asked for and proven.
#[derive(Serialize)]
struct WithOptimum {
    #[serde(flatten)]
    answer: write::Answer,
    optimum: Option<u8>,
    optimal_solution: Option<String>,
}

/// What is asked of each scramble.
struct Fmc<'a> {
    args: &'a FmcArgs,
    asked: Asked,
    steps: Steps,
    /// Made when it is needed first.
    solver: OnceCell<Solver>,
}

/// What is wrong with an option.
fn as_option(Refused { field, wrong, .. }: &Refused) -> String {
    format!("--{field}: {wrong}")
}

/// Of a scramble for which it is wrong.
fn failed(refused: impl Into<Refused>) -> Failure {
    let refused = refused.into();
    Failure::new(as_option(&refused), refused.help)
}

/// Runs the subcommand.
pub fn run(args: &FmcArgs) -> Result<Exit, Failure> {
    let request = Request {
        steps: args.steps.clone(),
        from: args.from.clone(),
        count: if args.all { SolutionCount::All } else { SolutionCount::AtMost(args.count) },
        timeout: Some(args.timeout),
    };
    let asked = request.read().unwrap_or_else(|refused| usage(&format!("{}; {}", as_option(&refused), refused.help)));
    args.solver.check().unwrap_or_else(|error| error.exit());
    if args.solver.metric() != Metric::Htm {
        usage("fewest moves are counted in htm; leave --metric (or COSETTE_METRIC) out");
    }
    let fmc = Fmc { args, asked, steps: Steps::default(), solver: OnceCell::new() };
    let text = joined(&args.scramble).unwrap_or_else(|error| error.exit());
    match args.scramble.is_empty() || text == "-" {
        true => lines::answer_each(|_| Ok(()), |text| fmc.answer(text)),
        false => fmc.answer(&InputText::from(text)),
    }
}

impl Fmc<'_> {
    fn answer(&self, text: &InputText) -> Result<Exit, Failure> {
        let input = match text.read(|text| read_position(text, None, &ReadOptions::default())) {
            Ok(input) => input,
            Err(failure) => {
                if let Some(not_solved) = failure.not_solved().filter(|_| self.args.json) {
                    write_line(&mut anstream::stdout(), &not_solved)?;
                }
                return Err(failure);
            }
        };
        if self.args.insert {
            return self.insert(text, &input);
        }
        let (start, work) = (Instant::now(), Interruptible::start());
        let control = Control::new(self.args.solver.store.threads.count()).with_cancel(&work.cancel);
        let on_better = |skeleton: &Skeleton| {
            if !self.args.json {
                let (length, moves) = (counted(skeleton.total as u64, "move"), write::sides(&skeleton.moves));
                hint(format_args!("{length} after {:.1} s: {moves}", start.elapsed().as_secs_f64()));
            }
        };
        let searched = self.asked.search(input.cube, &self.steps, &on_better, &control).map_err(failed)?;
        let Searched { report, stopped, .. } = &searched;
        drop(work);
        if !self.args.json {
            self.write(text, report)?;
        }
        let is_wanted = self.args.optimum && !interrupt::is_requested();
        let optimal = if is_wanted { self.optimum(&input, report)? } else { None };
        let mut out = anstream::stdout().lock();
        if self.args.json {
            let optimum = optimal.as_ref().map(|moves| moves.len() as u8);
            let optimal_solution = optimal.map(|moves| Moves(&moves).to_string());
            let answer = searched.answer((&text.text, text.line));
            write_line(&mut out, &WithOptimum { answer, optimum, optimal_solution })?;
        } else if let Some(optimal) = optimal {
            writeln!(
                out,
                "// the shortest solution has {}: {}",
                counted(optimal.len() as u64, "move"),
                Moves(&optimal)
            )?;
        }
        Ok(match stopped {
            _ if interrupt::is_requested() => Exit::Interrupted,
            None if report.skeletons.is_empty() && !report.is_proven() => Exit::Limit,
            None => Exit::Solved,
            Some(_) if report.skeletons.is_empty() => Exit::Limit,
            Some(_) => Exit::Solved,
        })
    }

    fn solver(&self) -> Result<&Solver, Failure> {
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        let solver = self.args.solver.solver()?;
        Ok(self.solver.get_or_init(|| solver))
    }

    /// Finds the best places for what finishes a skeleton.
    fn insert(&self, text: &InputText, input: &Input) -> Result<Exit, Failure> {
        let skeleton = Unfinished::new(&input.cube, &self.asked.done).map_err(failed)?;
        let (work, mut failed) = (Interruptible::start(), None);
        let shortest = |position: &Cube| {
            if let Some(short) = Short::of(position, Metric::Htm) {
                return Some(short.into_solutions());
            }
            let solver = self.solver().map_err(|failure| failed = Some(failure)).ok()?;
            insert::shortest(solver, position, &work.cancel)
        };
        let found = skeleton.insertions(shortest);
        if let Some(failure) = failed {
            return Err(failure);
        }
        let Some(found) = found else { return Ok(Exit::Interrupted) };
        let most = if self.args.all { found.len() } else { found.len().min(self.args.count.get()) };
        let mut out = anstream::stdout().lock();
        if self.args.json {
            write_line(&mut out, &Inserted::new((&text.text, text.line), &skeleton, &found, most))?;
            return Ok(Exit::Solved);
        }
        let Unfinished { moves, left, .. } = &skeleton;
        for insertion in found[..most].iter().rev() {
            let (own, cancelled) = (insertion.moves.len() as u64, insertion.cancelled(moves));
            writeln!(out, "{} // {}, {cancelled} saved", insertion.written(moves), counted(own, "move"))?;
            writeln!(out, "// {}: {}\n", counted(insertion.solution.len() as u64, "move"), Moves(&insertion.solution))?;
        }
        let (places, all) = (counted(moves.len() as u64 + 1, "place"), counted(found.len() as u64, "insertion"));
        writeln!(
            out,
            "// {} left: {all} of shortest sequences at {places}; proven: none of them is shorter",
            left.name()
        )?;
        Ok(Exit::Solved)
    }

    /// Writes the skeletons, the shortest last, and what is proven.
    fn write(&self, text: &InputText, report: &Report) -> Result<(), Failure> {
        let mut out = anstream::stdout().lock();
        if text.line.is_some() {
            let name = text.name.as_deref().map(|name| format!(" {}", written_name(name))).unwrap_or_default();
            writeln!(out, "// scramble{name}: {}", text.text)?;
        }
        for skeleton in report.skeletons.iter().rev() {
            writeln!(out, "{}", write::skeleton(skeleton, &self.asked.done))?;
        }
        write::proven(report, &self.asked.pipeline, self.asked.done.iter().any(|moves| !moves.is_empty()))
            .iter()
            .try_for_each(|told| writeln!(out, "// {told}"))?;
        Ok(out.flush()?)
    }

    /// A shortest solution, unless the user stops the search of it; then the bound is told.
    fn optimum(&self, input: &Input, report: &Report) -> Result<Option<Vec<Move>>, Failure> {
        let solver = self.solver()?;
        let (work, bound) = (Interruptible::start(), Bound::show());
        // A skeleton without moves done before solves the scramble as well.
        let known = report.skeletons.first().and_then(|best| best.solution.as_deref());
        let options = Options { known, two_phase: TwoPhaseUse::AtOnce, ..Options::default() };
        let on_event = |event: Event<'_>| bound.follow(event, Metric::Htm);
        let found = solver.search(&input.cube).options(options).cancel(&work.cancel).on_event(&on_event).run();
        drop((work, bound));
        let shortest =
            found.solutions.first().filter(|_| found.outcome == Outcome::Optimal).map(|moves| moves.to_vec());
        if shortest.is_none() {
            hint(format_args!(
                "stopped: the shortest solution has at least {}",
                counted(found.lower_bound.into(), "move")
            ));
        }
        Ok(shortest)
    }
}
