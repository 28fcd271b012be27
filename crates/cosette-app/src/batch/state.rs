//! The results of a list, in a journal if there is one, and the remaining positions.
//!
//! The settings of the journal are those of the request and the number of texts in the list. Each
//! record holds the number of a position, the hash of its text and its result. Texts without a
//! result may therefore change: invalid positions can be corrected. A result is shown only after
//! its commit, so no shown result is lost.
//!
//! For a symmetry s, the conjugate s⁻¹·p·s has the same distance from the solved cube as p, and the
//! conjugates of the moves of a solution solve it. The moves a of a solution of p have the effect
//! p⁻¹, so a⁻¹ solves p⁻¹. The 48 conjugates of p and those of p⁻¹ therefore form one class, of
//! which only one position has to be solved. The minimum of these 96 positions represents the
//! class.

use super::list::{ListEntry, PositionList};
use crate::goal_engine::cost;
use crate::journal::{
    Journal, JournalError, JournalErrorKind, JournalRecord, Offset, check_settings,
};
use crate::journal_error::quoted;
use crate::request::{GoalRequest, Request};
use crate::solve_result::{EngineInfo, InvalidSolution, checked_result, known_solution};
use cosette::cube::{
    Cube, DisplayMoves, Input, Move, ParseOptions, Symmetry, canonical, inverse, parse_moves,
};
use cosette::search::Explanation;
use cosette::search::Report;
use cosette::search::SolveResult;
use cosette::search::StopReason;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// The setting that holds the number of texts in the list.
pub const LIST: &str = "list";

/// A record of a journal: the result of a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BatchRecord {
    /// The number of the position in its list, counted from one.
    pub number: usize,
    /// The hash of the text.
    text: u64,
    /// The result.
    pub answer: SolveResult,
}

impl JournalRecord for BatchRecord {
    const KIND: &'static str = "batch";
    const VERSION: u32 = 5;
    const STANDS_ALONE: bool = true;
}

/// Creates the error for an invalid result of the position with this number, counted from one.
fn invalid(number: usize, what: &str) -> JournalErrorKind {
    JournalErrorKind::Invalid {
        place: format!("the answer to position {number}"),
        what: what.to_owned(),
    }
}

/// Error that ends a batch.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The search returned a sequence that does not solve its position.
    #[error(transparent)]
    Mismatch(#[from] InvalidSolution),
    /// No thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(std::io::Error),
    /// A result is wrong.
    #[error("internal error: wrong answer to `{text}`: {what}")]
    Wrong {
        /// The text of the position.
        text: String,
        /// The fault of the result.
        what: String,
    },
}

/// A position that remains to be solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PendingPosition {
    /// The index in the list.
    pub number: usize,
    /// The position.
    pub cube: Cube,
    /// A known solution: the inverse of the input moves.
    pub known: Option<Vec<Move>>,
}

/// The result of the search of a position.
pub struct SearchedPosition {
    /// The index in the list.
    pub number: usize,
    /// The report of the search.
    pub report: Report,
}

/// A list of positions with their results. Entries are numbered by their index in the list.
pub struct Batch {
    list: PositionList,
    request: Request,
    /// The goal; `None` for searches of the whole cube.
    goal: Option<GoalRequest>,
    /// The position to reach instead of the solved cube, if one is given.
    target: Option<Cube>,
    classes: PositionClasses,
    journal: Option<Journal<BatchRecord>>,
    /// The offset of the record of each entry in the journal, if it has one.
    records: Vec<Option<Offset>>,
    /// Results to return at the next commit.
    pending: Vec<(usize, SolveResult)>,
}

impl Batch {
    /// Opens a batch with the results of its journal. With `dedupe`, only one of the positions that
    /// are equivalent under symmetry and inversion is solved. This does not apply to goals, nor to
    /// requests for optimal moves: those of a position do not determine those of its inverse.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if the journal cannot be used.
    pub fn open(
        list: PositionList,
        request: Request,
        dedupe: bool,
        journal: Option<&Path>,
    ) -> Result<Batch, BatchError> {
        // A request with an invalid goal has been rejected before.
        let goal = request.parse_goal().ok().flatten();
        let is_deduplicated = dedupe && goal.is_none() && !request.optimal_moves;
        let mut batch = Batch {
            classes: PositionClasses::new(&list, is_deduplicated),
            goal,
            target: request.target(),
            request,
            journal: None,
            records: vec![None; list.entries().len()],
            list,
            pending: Vec::new(),
        };
        if let Some(path) = journal {
            batch.open_journal(path)?;
            batch.complete_classes()?;
        }
        Ok(batch)
    }

    /// Checks that a journal, if it exists, was started with this request, whose `list_length` is
    /// given. A mistake is thus reported before a table is generated.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if the file is not the journal of a batch, or of another request.
    pub fn check_journal(path: &Path, request: &Request) -> Result<(), JournalError> {
        check_settings::<BatchRecord>(path, request.settings())
    }

    /// Opens or creates the journal. Each of its results must be for the text in the list.
    fn open_journal(&mut self, path: &Path) -> Result<(), JournalError> {
        let entries = self.list.entries();
        let mut settings = self.request.settings();
        let length = entries.len().to_string();
        settings.entry(LIST.to_owned()).or_insert(length);
        let journal = Journal::open(path, settings, &mut |offset, record: BatchRecord| {
            let index = record.number.wrapping_sub(1);
            // A list of this length, of which other texts were searched.
            let Some(entry) = entries.get(index) else {
                return Err(JournalErrorKind::Mismatch {
                    setting: "positions".to_owned(),
                    found: record.number.to_string(),
                    expected: entries.len().to_string(),
                });
            };
            if entry.hash() != record.text {
                return Err(JournalErrorKind::OtherText {
                    line: entry.line,
                    was: quoted(&record.answer.input),
                    now: quoted(&entry.text),
                });
            }
            // Only the first record of a position counts.
            self.records[index].get_or_insert(offset);
            Ok(())
        })?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Returns the list.
    pub fn list(&self) -> &PositionList {
        &self.list
    }

    /// Returns `true` if the request has a goal, which [`run_goal`](super::run_goal) searches.
    pub fn has_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// Returns the request for each position.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the result of an entry from the journal, with its solutions checked again.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if the journal cannot be read, or holds a wrong result.
    pub fn answer(&self, number: usize) -> Result<Option<SolveResult>, JournalError> {
        let (Some(journal), Some(offset)) = (&self.journal, self.records[number]) else {
            return Ok(None);
        };
        let entry = &self.list.entries()[number];
        let record = journal.read_back(offset)?;
        let invalid = |what: &str| journal.error(invalid(number + 1, what));
        let record = record.filter(|record| record.number == number + 1);
        let mut answer = record
            .ok_or_else(|| invalid("its line has changed"))?
            .answer;
        self.check(&answer, entry).map_err(|what| invalid(&what))?;
        answer.line = Some(entry.line);
        answer.name = entry.name.clone();
        Ok(Some(answer))
    }

    /// Returns the number of entries with a result in the journal.
    pub fn answered(&self) -> usize {
        self.records.iter().flatten().count()
    }

    /// Returns the entries to solve, one for each class without a result, in the order of the list.
    pub fn remaining(&self) -> Vec<usize> {
        let classes = self.classes.members.iter();
        classes
            .filter(|members| members.iter().all(|&number| self.records[number].is_none()))
            .map(|members| members[0])
            .collect()
    }

    /// Returns the positions of the [remaining](Batch::remaining) entries.
    pub fn remaining_positions(&self) -> Vec<PendingPosition> {
        let position = |number: usize| {
            let input = self.list.entries()[number].input.as_ref().ok()?;
            Some(PendingPosition {
                number,
                cube: input.cube,
                known: known_solution(input, self.request.face_metric()),
            })
        };
        self.remaining().into_iter().filter_map(position).collect()
    }

    /// Returns the goal; `None` for searches of the whole cube.
    pub(super) fn goal(&self) -> Option<&GoalRequest> {
        self.goal.as_ref()
    }

    /// Returns the original position for a position relative to the target.
    fn absolute(&self, position: &Cube) -> Cube {
        self.target.map_or(*position, |target| target * *position)
    }

    /// Records the result of an entry, and derives the results of its class. They may be shown
    /// after the next [`commit`](Batch::commit). The result of a search that was interrupted, or
    /// that ran out of time or memory, is not stored in the journal: the next run searches again.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if the result is wrong.
    pub fn record(&mut self, number: usize, answer: SolveResult) -> Result<(), BatchError> {
        self.append(number, answer.clone())?;
        self.carry_over(&answer, number)
    }

    /// Records the result of a search.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if a solution is wrong.
    pub fn record_search(
        &mut self,
        searched: SearchedPosition,
        engine: &EngineInfo,
    ) -> Result<(), BatchError> {
        let SearchedPosition { number, report } = searched;
        let Some(position) = self.list.entries()[number].position() else {
            return Ok(());
        };
        let options = self.request.batch_options();
        let result = checked_result(&position, &self.request, &options, report, engine)?;
        self.record(number, result)
    }

    /// Checks the result of an entry, and adds it to the next commit.
    fn append(&mut self, number: usize, mut answer: SolveResult) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        self.check(&answer, entry)
            .map_err(|what| self.wrong(number, what))?;
        answer.name = entry.name.clone();
        let is_final = matches!(answer.stop_reason, None | Some(StopReason::MaxLength));
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            self.records[number] = Some(journal.append(&BatchRecord {
                number: number + 1,
                text: entry.hash(),
                answer: answer.clone(),
            }));
        }
        self.pending.push((number, answer));
        Ok(())
    }

    /// Returns `true` if results are stored in a journal.
    pub(super) fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    fn wrong(&self, number: usize, what: String) -> BatchError {
        BatchError::Wrong {
            text: self.list.entries()[number].text.clone(),
            what,
        }
    }

    /// Writes the recorded results to the disk, and returns them. They may then be shown.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn commit(&mut self) -> Result<Vec<(usize, SolveResult)>, JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.commit()?;
        }
        Ok(std::mem::take(&mut self.pending))
    }
}

/// The check of results.
impl Batch {
    /// Checks a result: applies every solution to the position of the entry, and compares the other
    /// fields with the entry and the request.
    ///
    /// # Errors
    ///
    /// Returns the fault of the result.
    pub fn check(&self, answer: &SolveResult, entry: &ListEntry) -> Result<(), String> {
        let Ok(input) = &entry.input else {
            return Err(format!("`{}` is not a position", entry.text));
        };
        self.check_claims(answer, input)?;
        let mut costs = answer.costs.iter().flatten();
        for text in answer.solutions.iter().chain(&answer.best_known) {
            let (reaches, has_length) = match &self.goal {
                Some(goal) => {
                    let cost = cost(text, input, goal)?;
                    (cost.is_some(), cost.as_ref() == costs.next())
                }
                None => {
                    let moves = moves(text)?;
                    let length = self.request.face_metric().length(&moves);
                    let is_equal = |expected: u8| usize::from(expected) == length;
                    let is_solved = input.cube.apply_moves(&moves).is_solved();
                    (is_solved, answer.length.is_none_or(is_equal))
                }
            };
            if !reaches {
                return Err(format!("`{}` does not reach the goal", quoted(text)));
            }
            if !has_length {
                return Err(format!("`{}` has another length", quoted(text)));
            }
        }
        Ok(())
    }

    /// Checks the fields other than the solutions.
    fn check_claims(&self, answer: &SolveResult, input: &Input) -> Result<(), String> {
        let is_lower_bound = |length| length == answer.lower_bound;
        let claims = [
            (
                "it has another position",
                answer.facelets == self.absolute(&input.cube).facelets(),
            ),
            (
                "it has another metric",
                answer.metric == self.request.metric.name(),
            ),
            (
                "`optimal` and `length` disagree",
                answer.optimal == answer.length.is_some(),
            ),
            (
                "`optimal` and `solutions` disagree",
                answer.optimal != answer.solutions.is_empty(),
            ),
            (
                "its length is not the lower bound",
                answer.length.is_none_or(is_lower_bound),
            ),
            (
                "it has no optimal moves",
                answer.stop_reason.is_some()
                    || answer.optimal_moves.is_some() == self.request.optimal_moves,
            ),
        ];
        match claims.into_iter().find(|(_, holds)| !holds) {
            Some((fault, _)) => Err(fault.to_owned()),
            None => Ok(()),
        }
    }
}

/// Parses a solution.
fn moves(text: &str) -> Result<Vec<Move>, String> {
    match parse_moves(text, &ParseOptions::default()) {
        Ok(sequence) => Ok(sequence.moves().to_vec()),
        Err(error) => Err(format!("`{}`: {}", quoted(text), error.message())),
    }
}

/// The results of positions that are equivalent to a solved one.
impl Batch {
    /// Adds the results of all positions that are equivalent to a solved one.
    fn complete_classes(&mut self) -> Result<(), BatchError> {
        let is_answered = |&number: &usize| self.records[number].is_some();
        // A member with a result, if another member has none.
        let answered_member = |members: &Vec<usize>| {
            let answered = members.iter().copied().find(is_answered)?;
            (!members.iter().all(is_answered)).then_some(answered)
        };
        let classes = self.classes.members.iter();
        let members: Vec<usize> = classes.filter_map(answered_member).collect();
        for number in members {
            if let Some(answer) = self.answer(number)? {
                self.carry_over(&answer, number)?;
            }
        }
        self.commit()?;
        Ok(())
    }

    /// Derives the results of all equivalent positions that have none from the result of entry
    /// `from`, and records them.
    fn carry_over(&mut self, answer: &SolveResult, from: usize) -> Result<(), BatchError> {
        let is_without_result = |&&other: &&usize| other != from && self.records[other].is_none();
        let members = self.classes.members_of(from).iter();
        let members_without_result: Vec<usize> =
            members.filter(is_without_result).copied().collect();
        for other in members_without_result {
            let derived = self.derive(answer, from, other);
            self.append(other, derived.map_err(|what| self.wrong(other, what))?)?;
        }
        Ok(())
    }

    /// Derives the result of entry `to` from that of entry `from` of the same class.
    fn derive(&self, answer: &SolveResult, from: usize, to: usize) -> Result<SolveResult, String> {
        let input_of = |number: usize| {
            let input = self.list.entries()[number].input.as_ref();
            input.map_err(|_| "it is not a position")
        };
        let entry = &self.list.entries()[to];
        let input = input_of(to)?;
        let map = SymmetryMap::between(&input_of(from)?.cube, &input.cube)
            .ok_or("it is not equivalent to the solved one")?;
        let carry = |text: &String| moves(text).map(|moves| map.apply(&moves));
        let solutions: Result<Vec<_>, String> = answer.solutions.iter().map(carry).collect();
        let mut solutions = solutions?;
        solutions.sort_unstable();
        let best_known = answer.best_known.as_ref().map(carry).transpose()?;
        let position = self.absolute(&input.cube);
        // Equivalent positions have different orders and symmetries in the fixed frame, so each is
        // explained on its own.
        let explain = |original: &Explanation| {
            let has_all = original.solutions.is_some();
            Explanation::new(&position, has_all.then_some(&solutions[..]))
        };
        let text = |moves: &Vec<Move>| DisplayMoves(moves).to_string();
        let mut derived = answer.clone();
        derived.input = entry.text.clone();
        derived.line = Some(entry.line);
        derived.format = input.format.name().to_owned();
        derived.facelets = position.facelets();
        derived.solutions = solutions.iter().map(text).collect();
        derived.best_known = best_known.as_ref().map(text);
        derived.optimal_moves = None;
        derived.neighbor_distances = None;
        derived.equivalent_to_line = answer.equivalent_to_line.or(answer.line);
        derived.explanation = answer.explanation.as_ref().map(explain);
        derived.symmetries = position.symmetries().len();
        Ok(derived)
    }
}

/// A map between equivalent positions: an optional inversion, followed by a symmetry.
#[derive(Clone, Copy)]
struct SymmetryMap {
    inverts: bool,
    symmetry: Symmetry,
}

impl SymmetryMap {
    /// Returns the 96 images of a position, with the maps to them.
    fn images(cube: &Cube) -> impl Iterator<Item = (Cube, SymmetryMap)> {
        let sides = [(false, *cube), (true, cube.inverse())];
        sides.into_iter().flat_map(|(inverts, side)| {
            Symmetry::all()
                .map(move |symmetry| (side.conjugate(symmetry), SymmetryMap { inverts, symmetry }))
        })
    }

    /// Returns a map from one position to another; `None` if they are not equivalent.
    fn between(from: &Cube, to: &Cube) -> Option<SymmetryMap> {
        let mut images = SymmetryMap::images(from);
        images.find(|(image, _)| image == to).map(|(_, map)| map)
    }

    /// Maps a solution of a position to a solution of its image, in canonical form.
    fn apply(self, moves: &[Move]) -> Vec<Move> {
        let moves = if self.inverts {
            inverse(moves)
        } else {
            moves.to_vec()
        };
        let moves = moves.iter().map(|&m| self.symmetry.conjugate_move(m));
        canonical(&moves.collect::<Vec<_>>())
    }
}

/// The classes of the positions of a list. Each position is given by its index in the list.
struct PositionClasses {
    /// The members of each class in the order of the list; the classes are in the order of their
    /// first members.
    members: Vec<Vec<usize>>,
    /// The class of each entry that is a position.
    class_of: HashMap<usize, usize>,
}

impl PositionClasses {
    /// Determines the classes of a list; without `dedupe`, each position has its own class.
    fn new(list: &PositionList, dedupe: bool) -> PositionClasses {
        let mut classes = PositionClasses {
            members: Vec::new(),
            class_of: HashMap::new(),
        };
        let mut class_of_representative = HashMap::new();
        for (number, entry) in list.entries().iter().enumerate() {
            let Ok(input) = &entry.input else { continue };
            let mut class = classes.members.len();
            if dedupe {
                let images = SymmetryMap::images(&input.cube).map(|(image, _)| image);
                class = *class_of_representative.entry(images.min()).or_insert(class);
            }
            if class == classes.members.len() {
                classes.members.push(Vec::new());
            }
            classes.members[class].push(number);
            classes.class_of.insert(number, class);
        }
        classes
    }

    /// Returns the members of the class of an entry.
    fn members_of(&self, number: usize) -> &[usize] {
        let class = self.class_of.get(&number);
        class.map_or(&[], |&class| &self.members[class])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn all_positions_of_a_class_have_the_same_representative() {
        let representative = |cube: &Cube| SymmetryMap::images(cube).map(|(image, _)| image).min();
        for cube in random_positions(3).take(5).chain([Cube::SOLVED]) {
            for (image, _) in SymmetryMap::images(&cube) {
                assert_eq!(representative(&image), representative(&cube));
            }
        }
    }

    #[test]
    fn mapped_solutions_solve_the_images() {
        let moves: Vec<Move> = [0, 5, 7, 12, 15, 3, 8, 1].map(Move::from_index).to_vec();
        let solution = inverse(&moves);
        let cube = Cube::from_moves(&moves);
        for (image, _) in SymmetryMap::images(&cube) {
            let mapped = SymmetryMap::between(&cube, &image)
                .unwrap()
                .apply(&solution);
            assert!(image.apply_moves(&mapped).is_solved());
            assert_eq!(mapped.len(), moves.len());
        }
    }
}
