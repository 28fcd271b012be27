//! `cosette-mpi coset`: the cosets of a list, one at a time on each host.
//!
//! The first rank reads the list and its journal, and sends each host a position when it has
//! counted the coset of the previous one. Counting takes all threads of the host and about 6 GB of
//! memory. The main thread receives messages, as MPI requires, while another thread counts.

use crate::hosts::Hosts;
use crate::world::{FIRST, POLL_INTERVAL};
use clap::Args;
use cosette::Control;
use cosette::cube::{Cube, Format};
use cosette_app::cli::args::{journal_path, one_of};
use cosette_app::cli::cosets::{CosetCounts, CosetList, LevelArgs, count_cosets};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

/// Count the positions of cosets by distance, one coset at a time on each host
///
/// FILE has one position per line. Each output line has the number of positions of a coset within
/// each number of moves, as `cosette coset --batch` prints it; the journal is the same. Each host
/// needs 6 GB of memory.
#[derive(Args)]
pub struct MpiCosetArgs {
    /// File of positions, one per line; - reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Store the counts in FILE, and skip cosets that it contains
    #[arg(long, value_name = "FILE", value_parser = journal_path())]
    journal: Option<PathBuf>,
    /// Input format [default: detected]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// Print JSON Lines, one object per coset
    #[arg(long)]
    json: bool,
    /// The options of the levels.
    #[command(flatten)]
    pub levels: LevelArgs,
}

/// A message between ranks.
#[derive(Serialize, Deserialize)]
enum CosetMessage {
    /// Count the coset of the position with these facelets.
    Count(String),
    /// End: there are no more cosets.
    End,
    /// The facelets of a position and the counts of its coset, or the error.
    Counted(Result<(String, CosetCounts), ErrorReport>),
}

/// Runs the subcommand on this rank.
pub fn run(hosts: &Hosts, args: &MpiCosetArgs) -> Result<Exit, Failure> {
    if !hosts.world.is_first() {
        serve(hosts, &args.levels, &mut |_| Ok(true))?;
        return Ok(Exit::Success);
    }
    let answered = coordinate(hosts, args);
    hosts.world.send_to_others(&CosetMessage::End);
    answered
}

fn coordinate(hosts: &Hosts, args: &MpiCosetArgs) -> Result<Exit, Failure> {
    args.levels.check()?;
    let request = Request {
        format: args.format,
        ..Request::default()
    };
    let list = CosetList::open(&args.file, &request, &args.levels, args.journal.as_deref())?;
    list.answer(
        args.json,
        &mut anstream::stdout(),
        |remaining, on_counted| {
            let mut waiting = VecDeque::from(remaining);
            // Sends the next position to a rank; returns `false` if there is none.
            let mut give = |rank| {
                waiting
                    .pop_front()
                    .map(|cube| {
                        let message = CosetMessage::Count(cube.facelets());
                        hosts.world.send(rank, &message);
                    })
                    .is_some()
            };
            let mut busy = (0..hosts.world.size()).filter(|&rank| give(rank)).count();
            if busy == 0 {
                return Ok(());
            }
            serve(hosts, &args.levels, &mut |(from, counted)| {
                let (facelets, counted) = counted.map_err(Failure::Other)?;
                on_counted(&cube_of(&facelets), counted)?;
                busy -= usize::from(!give(from));
                Ok(busy > 0)
            })
        },
    )
}

/// Returns the position with the facelets of a message.
fn cube_of(facelets: &str) -> Cube {
    Cube::from_facelets(facelets).expect("all ranks run the same program")
}

/// A reply and its source rank.
type CosetReply = (usize, Result<(String, CosetCounts), ErrorReport>);

/// Counts the cosets of the positions that arrive, and passes replies that arrive to `on_reply`.
/// Returns when `on_reply` returns an error or `false`, or when an end message arrives.
fn serve(
    hosts: &Hosts,
    args: &LevelArgs,
    on_reply: &mut dyn FnMut(CosetReply) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let under_way = Interruptible::start();
    let threads = hosts.threads(&args.solver);
    let world = &hosts.world;
    let (orders, ordered) = mpsc::channel();
    let (replies, replied) = mpsc::channel();
    thread::scope(|scope| {
        let work = || {
            let control = Control::new(threads).with_cancel(&under_way.cancel);
            // The receiver outlives this thread, so sending cannot fail.
            let counted = count_cosets(args, ordered, &control, &mut |cube, counted| {
                let _ = replies.send(Ok((cube.facelets(), counted)));
                Ok(())
            });
            let _ = counted.map_err(|failure| replies.send(Err(failure.into())));
        };
        scope.spawn(work);
        let result = loop {
            match world.receive() {
                Some((_, CosetMessage::Count(facelets))) => {
                    // Fails only if the counting thread has ended with an error, which it sends.
                    let _ = orders.send(cube_of(&facelets));
                }
                Some((_, CosetMessage::End)) => break Ok(()),
                Some((from, CosetMessage::Counted(counted))) => match on_reply((from, counted)) {
                    Ok(true) => {}
                    Ok(false) => break Ok(()),
                    Err(failure) => break Err(failure),
                },
                None => thread::sleep(POLL_INTERVAL),
            }
            replied
                .try_iter()
                .for_each(|reply| world.send(FIRST, &CosetMessage::Counted(reply)));
        };
        // The coset being counted is no longer needed.
        under_way.cancel.cancel();
        drop(orders);
        result
    })
}
