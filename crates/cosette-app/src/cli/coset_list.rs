//! The cosets of a list of positions, counted one after the other, with a journal.

use crate::batch::PositionList;
use crate::cli::batch::report;
use crate::cli::cosets::{CosetCounts, LevelArgs, failed};
use crate::cli::failure::{Exit, Failure};
use crate::cli::lines;
use crate::events::write_line;
use crate::journal::{Journal, JournalRecord};
use crate::request::Request;
use crate::units::grouped;
use cosette::Control;
use cosette::coset::{CosetSearch, CosetTables, MEMBER_COUNT, coset_class};
use cosette::cube::Cube;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

/// A record of the journal: the counts of a coset. Its settings are the metric and the depth of all
/// searches.
#[derive(Serialize, Deserialize)]
struct CosetRecord {
    /// The class of the coset.
    class: u64,
    counted: CosetCounts,
}

impl JournalRecord for CosetRecord {
    const KIND: &'static str = "cosets";
    const VERSION: u32 = 3;
    const STANDS_ALONE: bool = true;
}

/// A position of the list.
struct CosetPosition {
    text: String,
    cube: Cube,
    /// The class of its coset.
    class: u64,
}

/// The cosets of a list of positions.
pub struct CosetList {
    metric: String,
    positions: Vec<CosetPosition>,
    counted: BTreeMap<u64, CosetCounts>,
    journal: Option<Journal<CosetRecord>>,
    /// Exit code of the command, unless an error follows.
    exit: Exit,
}

/// A result as JSON.
#[derive(Serialize)]
struct CosetAnswer<'a> {
    input: &'a str,
    facelets: String,
    metric: &'a str,
    #[serde(flatten)]
    counted: &'a CosetCounts,
}

impl CosetList {
    /// Reads a list, and a journal with the counts of some of its cosets. Invalid lines are
    /// reported.
    ///
    /// # Errors
    ///
    /// Returns an error if either cannot be read, or if the journal has other settings.
    pub fn open(
        file: &Path,
        request: &Request,
        args: &LevelArgs,
        journal: Option<&Path>,
    ) -> Result<CosetList, Failure> {
        let list = PositionList::read(lines::of_file(file)?.0, request);
        report(&list);
        let read = list
            .entries()
            .iter()
            .filter_map(|entry| Some((&entry.text, entry.input.as_ref().ok()?.cube)));
        let positions: Vec<CosetPosition> = read
            .map(|(text, cube)| CosetPosition {
                text: text.clone(),
                cube,
                class: coset_class(&cube),
            })
            .collect();
        let exit = if positions.len() == list.entries().len() {
            Exit::Success
        } else {
            Exit::NotACube
        };
        let metric = args.metric().name().to_owned();
        let settings = [
            ("metric", metric.clone()),
            ("max-distance", args.last().to_string()),
            ("exact", args.exact.to_string()),
        ];
        let mut counted = BTreeMap::new();
        let mut add = |_, record: CosetRecord| {
            counted.insert(record.class, record.counted);
            Ok(())
        };
        let journal = journal
            .map(|path| Journal::open(path, settings, &mut add))
            .transpose()?;
        Ok(CosetList {
            metric,
            positions,
            counted,
            journal,
            exit,
        })
    }

    /// Returns one position of each coset that is not counted yet.
    pub fn remaining(&self) -> Vec<Cube> {
        let mut seen: BTreeSet<u64> = self.counted.keys().copied().collect();
        self.positions
            .iter()
            .filter(|position| seen.insert(position.class))
            .map(|position| position.cube)
            .collect()
    }

    /// Prints the counts of the known cosets, and of each other coset once `count` has counted it
    /// and it is in the journal.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal or the output cannot be written, or an error of `count`.
    pub fn answer(
        mut self,
        as_json: bool,
        out: &mut impl Write,
        count: impl FnOnce(
            Vec<Cube>,
            &mut dyn FnMut(&Cube, CosetCounts) -> Result<(), Failure>,
        ) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        for class in self.counted.keys().copied().collect::<Vec<_>>() {
            self.write(class, as_json, out)?;
        }
        let remaining = self.remaining();
        count(remaining, &mut |cube, counted| {
            let class = coset_class(cube);
            if let Some(journal) = &mut self.journal {
                journal.append(&CosetRecord {
                    class,
                    counted: counted.clone(),
                });
                journal.commit()?;
            }
            self.counted.insert(class, counted);
            Ok(self.write(class, as_json, out)?)
        })?;
        Ok(self.exit)
    }

    /// Prints the counts of the positions whose cosets have this class.
    fn write(&self, class: u64, as_json: bool, out: &mut impl Write) -> io::Result<()> {
        for CosetPosition { text, cube, .. } in self
            .positions
            .iter()
            .filter(|position| position.class == class)
        {
            let counted = &self.counted[&class];
            if as_json {
                write_line(
                    out,
                    &CosetAnswer {
                        input: text,
                        facelets: cube.facelets(),
                        metric: &self.metric,
                        counted,
                    },
                )?;
                continue;
            }
            let levels = counted.within.iter().filter(|&(_, &count)| count > 0);
            let is_exact =
                |moves: u8, count: u64| moves <= counted.exact_to || count == MEMBER_COUNT;
            let sign = |moves, count| if is_exact(moves, count) { "" } else { "≥" };
            let levels = levels.map(|(&moves, &count)| {
                format!("{moves}: {}{}", sign(moves, count), grouped(count))
            });
            let levels = levels.collect::<Vec<_>>();
            let left = counted
                .left
                .iter()
                .map(|(moves, &count)| format!(", {} in {moves}", grouped(count)));
            writeln!(
                out,
                "{text}  {}{}",
                levels.join(", "),
                left.collect::<String>()
            )?;
        }
        out.flush()
    }
}

/// Counts the cosets of these positions one after the other, and calls `on_counted` with each.
///
/// # Errors
///
/// Returns an error if memory is insufficient, on cancellation, or an error of `on_counted`.
pub fn count_cosets(
    args: &LevelArgs,
    positions: impl IntoIterator<Item = Cube>,
    control: &Control<'_>,
    on_counted: &mut dyn FnMut(&Cube, CosetCounts) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut positions = positions.into_iter().peekable();
    let Some(first) = positions.peek() else {
        return Ok(());
    };
    let tables = CosetTables::generate(args.metric(), control).map_err(failed)?;
    let mut search = CosetSearch::new(&tables, first).map_err(failed)?;
    for position in positions {
        if search.level().is_some() {
            search.restart(&position, control).map_err(failed)?;
        }
        on_counted(&position, CosetCounts::of(args, &mut search, control)?)?;
    }
    Ok(())
}
