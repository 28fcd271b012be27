//! `cosette solve`: positions in, proven shortest solutions out.

mod engine;
mod form;
mod lee;
mod net;
mod output;
mod text;

use crate::args::{AskArgs, SolverArgs, metric_parser, seconds};
use crate::bars::Bound;
use crate::exit::Exit;
use crate::failure::{Failure, Quoted};
use crate::interrupt::{self, Work};
use crate::lines::Lines;
use clap::Args;
use cosette::cube::{Input, Metric, ReadOptions, read_position};
use cosette::search::{Event, Options, SolutionCount, TwoPhaseUse};
use cosette_app::answer::{Answer, SolvedBy, Stop};
use cosette_lab::engine::Engine;
use engine::EngineName;
use form::Form;
use lee::LeeArgs;
use output::Output;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// Prove the shortest solution of positions
///
/// A position is given as moves that make it (`R U2 F'`, wide turns, slices, rotations, groups), as 54 facelets in any
/// colours (faces in the order U R F D L B), as Reid's twenty pieces or as Speffz cycles.
///
/// Standard input gives one position a line; blank lines and those that begin with # or // are skipped, and each
/// position is answered with one line.
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// What solves
    #[arg(long, value_enum, default_value_t = EngineName::Cosette, value_name = "NAME")]
    engine: EngineName,
    #[command(flatten)]
    lee: LeeArgs,
}

/// Positions, what is asked of them, and how they are answered.
#[derive(Args)]
pub struct QuestionArgs {
    /// The position; with - or without any, positions are read from standard input
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    #[command(flatten)]
    ask: AskArgs,
    /// Give up on a position after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Find all shortest solutions and print one that is shortest in this metric too
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), conflicts_with_all = ["all", "count"])]
    prefer: Option<Metric>,
    /// Say what is special about the position: its symmetries, its order, what all its shortest solutions share; finds them
    /// all, as --all does
    #[arg(long, conflicts_with_all = ["count", "prefer"])]
    explain: bool,
    /// Show the position as a coloured net
    #[arg(long, conflicts_with_all = ["json", "events"])]
    show: bool,
    /// How solutions are printed
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM", conflicts_with_all = ["json", "events"])]
    form: Form,
    /// Answer with one JSON object a line
    #[arg(long)]
    json: bool,
    /// Tell all that happens, one JSON object a line; the answers are among them
    #[arg(long, conflicts_with = "json")]
    events: bool,
    /// What a solver needs.
    #[command(flatten)]
    pub solver: SolverArgs,
}

impl QuestionArgs {
    fn search_options(&self) -> Options<'static> {
        let wanted = if self.explain || self.prefer.is_some() { SolutionCount::All } else { self.ask.wanted() };
        Options { wanted, max_length: self.ask.max_length, known: None, two_phase: TwoPhaseUse::AtOnce }
    }

    /// Whether positions are read from standard input.
    pub fn reads_lines(&self) -> bool {
        self.position.is_empty() || self.position == ["-"]
    }
}

/// Runs the subcommand.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    answer(&args.question, &|_| engine::engine(args))
}

/// Makes an engine, when the first position has been read: this one.
pub type MakeEngine<'a> = dyn Fn(&Input) -> Result<Box<dyn Engine + 'a>, Failure> + 'a;

/// Answers positions with an engine.
///
/// # Errors
/// If the one position of the command line is none, or if there can be no engine or no output.
pub fn answer<'a>(args: &'a QuestionArgs, make_engine: &'a MakeEngine<'a>) -> Result<Exit, Failure> {
    let solving = Solving { args, make_engine, engine: OnceCell::new(), output: Output::new(args) };
    if args.reads_lines() { solving.lines() } else { solving.one() }
}

struct Solving<'a> {
    args: &'a QuestionArgs,
    make_engine: &'a MakeEngine<'a>,
    /// Made when the first position has been read: an error in the text should not wait for a table.
    engine: OnceCell<Box<dyn Engine + 'a>>,
    output: Output,
}

impl Solving<'_> {
    /// Answers the position of the command line.
    fn one(self) -> Result<Exit, Failure> {
        self.answer(&Quoted { text: self.args.position.join(" "), line: None })
    }

    /// Answers each line of standard input; those that show no position are reported, and the others go on.
    fn lines(self) -> Result<Exit, Failure> {
        let mut worst = Exit::Solved;
        for text in Lines::of_standard_input() {
            let exit = match self.answer(&text.map_err(Failure::Input)?) {
                Err(failure @ Failure::NotACube { .. }) => {
                    let exit = failure.exit();
                    failure.report();
                    exit
                }
                exit => exit?,
            };
            worst = worst.max(exit);
            if exit == Exit::Interrupted {
                break;
            }
        }
        Ok(worst)
    }

    fn answer(&self, text: &Quoted) -> Result<Exit, Failure> {
        let input = match self.read(text) {
            Ok(input) => input,
            Err(error) => {
                let failure = Failure::NotACube { error, text: text.clone() };
                self.output.failure(&failure)?;
                return Err(failure);
            }
        };
        let answer = self.solve(text, &input)?;
        self.output.answer(&answer)?;
        Ok(Exit::from(&answer))
    }

    fn read(&self, text: &Quoted) -> Result<Input, cosette::cube::ReadError> {
        read_position(&text.text, self.args.ask.format, &ReadOptions { niss: self.args.ask.niss })
    }

    fn engine(&self, first: &Input) -> Result<&dyn Engine, Failure> {
        if self.engine.get().is_none() {
            let engine = (self.make_engine)(first)?;
            return Ok(self.engine.get_or_init(|| engine).as_ref());
        }
        Ok(self.engine.get().expect("it was made before").as_ref())
    }

    fn solve<'a>(&self, text: &'a Quoted, input: &'a Input) -> Result<Answer<'a>, Failure> {
        let engine = self.engine(input)?;
        self.output.begins(text, input)?;
        let start = Instant::now();
        let work = Work::begin(self.args.timeout);
        let options = self.args.search_options();
        let metric = engine.metric();
        let (bound, output) = (Bound::show(), &self.output);
        let on_event = |event: Event<'_>| {
            bound.follow(event, metric);
            output.follow(event, metric);
        };
        let mut report = engine.solve(&input.cube, &options, &on_event, &work.cancel);
        let asked = match work.cancel.is_cancelled() {
            _ if interrupt::is_asked() => Some(Stop::Interrupt),
            was_stopped => was_stopped.then_some(Stop::Timeout),
        };
        drop((work, bound));
        report.elapsed = start.elapsed();
        for threshold in &report.thresholds {
            let &cosette::search::Threshold { length, nodes, probes, elapsed, exhausted } = threshold;
            tracing::debug!(length, nodes, probes, ?elapsed, exhausted, "threshold");
        }
        let by = SolvedBy {
            engine: engine.name(),
            metric: engine.metric(),
            tables: engine.tables(),
            is_optimal: engine.is_optimal(),
        };
        let answer = Answer::new((&text.text, text.line, input), report, &options, by, asked)?;
        let answer = if self.args.explain { answer.explained() } else { answer };
        Ok(match self.args.prefer {
            Some(metric) => answer.preferring(metric),
            None => answer,
        })
    }
}
