//! `cosette-mpi coset`: the cosets of a list, one at a time on each host.
//!
//! The first rank reads the list and its journal, and gives each host a position when it has counted the coset of the one before. On
//! each host the first rank works, with all threads and some 6 GB; the others wait for the end. Messages are received by the main
//! thread, as MPI wants it, while another counts.

use crate::world::{FIRST, POLL_INTERVAL, World};
use clap::Args;
use cosette::Control;
use cosette::cube::{Cube, Format};
use cosette_app::cli::args::{journal_path, one_of};
use cosette_app::cli::coset_list::{CosetList, count_cosets};
use cosette_app::cli::cosets::{Counted, LevelArgs};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

/// Count whole cosets, one at a time on each host
///
/// FILE has one position per line. Each line of the output says how many positions of a coset are within how many moves, as
/// `cosette coset --batch` prints it; the journal is the same. A host needs 6 GB.
#[derive(Args)]
pub struct CosetArgs {
    /// The positions, one per line; - reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Keep the counts in this file, and do not repeat cosets that it has
    #[arg(long, value_name = "FILE", value_parser = journal_path())]
    journal: Option<PathBuf>,
    /// The format of the positions [default: recognised]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// Print JSON, a line for each coset
    #[arg(long)]
    json: bool,
    /// How far the levels go.
    #[command(flatten)]
    pub levels: LevelArgs,
}

/// What ranks send each other.
#[derive(Serialize, Deserialize)]
enum Message {
    /// Count the coset of the position with these facelets.
    Count(String),
    /// There is no more to do.
    End,
    /// What was counted of such a coset, or why it was not.
    Counted(Result<(String, Counted), ErrorReport>),
}

/// Runs the subcommand on this rank.
pub fn run(world: &World, args: &CosetArgs) -> Result<Exit, Failure> {
    let hosts: BTreeSet<usize> = world.first_on_host().into_iter().collect();
    if !world.is_first() {
        serve(world, &args.levels, &mut |_| Ok(true))?;
        return Ok(Exit::Solved);
    }
    let answered = coordinate(world, args, &hosts);
    world.send_to_others(&Message::End);
    answered
}

fn coordinate(world: &World, args: &CosetArgs, hosts: &BTreeSet<usize>) -> Result<Exit, Failure> {
    args.levels.check()?;
    let request = Request { format: args.format, ..Request::default() };
    let list = CosetList::open(&args.file, &request, &args.levels, args.journal.as_deref())?;
    list.answer(args.json, &mut anstream::stdout(), |remaining, on_counted| {
        let mut waiting = VecDeque::from(remaining);
        let mut give =
            |rank| waiting.pop_front().map(|cube| world.send(rank, &Message::Count(cube.facelets()))).is_some();
        let mut busy = hosts.iter().filter(|&&rank| give(rank)).count();
        if busy == 0 {
            return Ok(());
        }
        serve(world, &args.levels, &mut |(from, counted)| {
            let (facelets, counted) = counted.map_err(Failure::Other)?;
            on_counted(&cube_of(&facelets), counted)?;
            busy -= usize::from(!give(from));
            Ok(busy > 0)
        })
    })
}

/// The position with the facelets of a message.
fn cube_of(facelets: &str) -> Cube {
    Cube::from_facelets(facelets).expect("all ranks run the same program")
}

/// A reply and the rank that it comes from.
type Reply = (usize, Result<(String, Counted), ErrorReport>);

/// Counts cosets as this rank is told to, and gives each reply to `on_reply`, until that fails or says that it was the last, or there
/// is no more to do.
fn serve(
    world: &World,
    args: &LevelArgs,
    on_reply: &mut dyn FnMut(Reply) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let under_way = Interruptible::start();
    let (orders, ordered) = mpsc::channel();
    let (replies, replied) = mpsc::channel();
    thread::scope(|scope| {
        let work = || {
            let control = Control::new(args.solver.store.threads.count()).with_cancel(&under_way.cancel);
            // Nobody waits for a reply once the main thread has ended.
            let counted = count_cosets(args, ordered, &control, &mut |cube, counted| {
                let _ = replies.send(Ok((cube.facelets(), counted)));
                Ok(())
            });
            let _ = counted.map_err(|failure| replies.send(Err(failure.into())));
        };
        scope.spawn(work);
        let result = loop {
            match world.receive() {
                Some((_, Message::Count(facelets))) => {
                    let _ = orders.send(cube_of(&facelets));
                }
                Some((_, Message::End)) => break Ok(()),
                Some((from, Message::Counted(counted))) => match on_reply((from, counted)) {
                    Ok(true) => {}
                    Ok(false) => break Ok(()),
                    Err(failure) => break Err(failure),
                },
                None => thread::sleep(POLL_INTERVAL),
            }
            replied.try_iter().for_each(|reply| world.send(FIRST, &Message::Counted(reply)));
        };
        // What is being counted is not wanted any more.
        under_way.cancel.cancel();
        drop(orders);
        result
    })
}
