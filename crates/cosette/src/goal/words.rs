//! What the turns of a solution may be one after the other: how they begin and end, and what is not in them.
//!
//! A solution stands for all sequences that are the same run by run (`turns`): those that cost as much, and in which the turns about
//! one axis that follow each other do the same together. `U D R` stands for `D U R` as well. It counts if *one* of these sequences
//! begins and ends as it should and has nothing in it that it should not, and this one is shown.
//!
//! # How it is searched
//!
//! A sequence is read turn by turn by an automaton. Its state is how much of the beginning was read, and the longest part of the
//! other words that was read last. A run can be read in several orders, so a node has a *set* of states: those in which the
//! sequences for its finished runs end. The sets that occur, and what each run makes of each set, are found before the search. A
//! node is cut if no run that begins as its last one leads on from its set.

use super::turns::{Run, Runs, START, Sequences, Sum, added, runs_of};
use crate::cube::{Axis, LayerTurn};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The words that are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    pub starts: Vec<LayerTurn>,
    pub ends: Vec<LayerTurn>,
    pub avoid: Vec<Vec<LayerTurn>>,
}

/// How much of the beginning was read, and the last turns that are the beginning of another word.
type State = (usize, Vec<LayerTurn>);

impl Words {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty() && self.ends.is_empty() && self.avoid.is_empty()
    }

    /// Why there is no solution, if without the words there may be one.
    pub fn reason(&self, turns: &[(LayerTurn, u8)]) -> String {
        let mut asked = self.starts.iter().chain(&self.ends);
        match asked.find(|turn| turns.iter().all(|(allowed, _)| allowed != *turn)) {
            Some(turn) => format!("{turn} is not one of the turns, so no solution begins or ends with it"),
            None => "no solution begins and ends as it should, without what it should avoid".to_owned(),
        }
    }

    /// The state after a turn; `None` if the sequence is not wanted.
    fn read(&self, (begun, last): &State, turn: LayerTurn) -> Option<State> {
        if self.starts.get(*begun).is_some_and(|&wanted| wanted != turn) {
            return None;
        }
        let read = [&last[..], &[turn]].concat();
        if self.avoid.iter().any(|word| read.ends_with(word)) {
            return None;
        }
        let is_kept = |from: &usize| self.avoid.iter().chain([&self.ends]).any(|word| word.starts_with(&read[*from..]));
        let from = (0..=read.len()).find(is_kept).unwrap_or(read.len());
        Some((self.starts.len().min(begun + 1), read[from..].to_vec()))
    }

    fn is_end(&self, (begun, last): &State) -> bool {
        *begun == self.starts.len() && last.ends_with(&self.ends)
    }
}

/// The sets of states, and what runs make of them.
pub(super) struct Reading<'a> {
    words: &'a Words,
    sequences: &'a Sequences,
    /// By set and state of the automaton of sequences: the set after that run, if any state is in it; whether the sequence may end
    /// there; and whether it may go on there, or after more turns about the same axis.
    after: Vec<Vec<Read>>,
}

#[derive(Clone, Copy, Default)]
struct Read {
    next: Option<u32>,
    is_end: bool,
    goes_on: bool,
}

/// The set in which nothing was read.
pub(super) const UNREAD: u32 = 0;

impl<'a> Reading<'a> {
    pub fn new(words: &'a Words, sequences: &'a Sequences) -> Reading<'a> {
        // With the axis of the run before, as no run follows one about the same axis.
        let mut sets: Vec<(Option<Axis>, BTreeSet<State>)> = vec![(None, BTreeSet::from([(0, Vec::new())]))];
        let mut numbers = HashMap::from([(sets[0].clone(), UNREAD)]);
        let mut after: Vec<Vec<Read>> = Vec::new();
        let runs: Vec<Run> = sequences.runs.keys().copied().collect();
        while let Some((last, set)) = sets.get(after.len()).cloned() {
            // State 0 is that of no run.
            let mut row = vec![Read { next: None, is_end: set.iter().any(|state| words.is_end(state)), goes_on: true }];
            for &(axis, sum) in &runs {
                if last == Some(axis) {
                    row.push(Read::default());
                    continue;
                }
                let read = (Some(axis), read_run(words, sequences, axis, sum, &set));
                let is_end = read.1.iter().any(|state| words.is_end(state));
                let next = (!read.1.is_empty()).then(|| {
                    *numbers.entry(read.clone()).or_insert_with(|| {
                        sets.push(read);
                        sets.len() as u32 - 1
                    })
                });
                row.push(Read { next, is_end, goes_on: false });
            }
            after.push(row);
        }
        // From which sets a wanted sequence comes: those with an end, and those that lead to one of these.
        let mut is_alive: Vec<bool> = after.iter().map(|row| row.iter().any(|read| read.is_end)).collect();
        let leads = |read: &Read, is_alive: &[bool]| read.next.is_some_and(|next| is_alive[next as usize]);
        while let Some(set) =
            (0..after.len()).find(|&set| !is_alive[set] && after[set].iter().any(|read| leads(read, &is_alive)))
        {
            is_alive[set] = true;
        }
        // A run that is a beginning of another has a smaller number of turns: the longest ones first.
        let mut states: Vec<usize> = (1..=runs.len()).collect();
        states.sort_by_key(|&state| std::cmp::Reverse(sequences.runs[&runs[state - 1]].1));
        for row in &mut after {
            for &state in &states {
                let goes_on = sequences.after(state as u8).iter().flatten().any(|&longer| {
                    let longer = usize::from(longer);
                    runs[longer - 1].0 == runs[state - 1].0 && row[longer].goes_on
                });
                row[state].goes_on = goes_on || row[state].is_end || leads(&row[state], &is_alive);
            }
        }
        Reading { words, sequences, after }
    }

    /// The set of a node that is reached by a turn: that before its last run, if a wanted sequence may come of it.
    #[inline(always)]
    pub fn after_turn(&self, set: u32, state: u8, turn: usize, next: u8) -> Option<u32> {
        let row = &self.after[set as usize];
        let continues = state == START || self.sequences.axis_of(state) == Some(self.sequences.turns[turn].0.axis());
        let set = if continues { set } else { row[usize::from(state)].next? };
        self.after[set as usize][usize::from(next)].goes_on.then_some(set)
    }

    /// Whether the sequence may end in this node.
    pub fn is_end(&self, set: u32, state: u8) -> bool {
        self.after[set as usize][usize::from(state)].is_end
    }

    /// The sequence that is wanted, of those for which this one stands.
    pub fn wanted(&self, path: &[usize]) -> Option<Vec<usize>> {
        let turns: Vec<LayerTurn> = path.iter().map(|&turn| self.sequences.turns[turn].0).collect();
        let runs = runs_of(&turns);
        let mut wanted = Vec::new();
        let is_there = self.extend(&runs, [0; 3], &(0, Vec::new()), &mut wanted, &mut HashSet::new());
        is_there.then_some(wanted)
    }

    /// Adds turns to `wanted` that read the runs, of the first of which the part `done` was read. `failed` has what was tried.
    fn extend(
        &self,
        runs: &[Run],
        done: Sum,
        state: &State,
        wanted: &mut Vec<usize>,
        failed: &mut HashSet<(usize, Sum, State)>,
    ) -> bool {
        let Some(&(axis, whole)) = runs.first() else { return self.words.is_end(state) };
        if !failed.insert((runs.len(), done, state.clone())) {
            return false;
        }
        for (turn, part) in steps(self.sequences, axis, done, whole) {
            let Some(state) = self.words.read(state, self.sequences.turns[turn].0) else { continue };
            wanted.push(turn);
            let (rest, part) = if part == whole { (&runs[1..], [0; 3]) } else { (runs, part) };
            if self.extend(rest, part, &state, wanted, failed) {
                return true;
            }
            wanted.pop();
        }
        false
    }
}

/// The turns that may come next in a cheapest sequence of the run `whole` of which `done` was done, and what is done then.
fn steps(sequences: &Sequences, axis: Axis, done: Sum, whole: Sum) -> impl Iterator<Item = (usize, Sum)> {
    let runs: &Runs = &sequences.runs;
    let cost = move |sum: Sum| if sum == [0; 3] { Some(0) } else { runs.get(&(axis, sum)).map(|run| run.0) };
    let rest = move |sum: Sum| cost(std::array::from_fn(|layer| (4 + whole[layer] - sum[layer]) % 4));
    let left = rest(done);
    sequences.turns.iter().enumerate().filter(move |(_, (turn, _))| turn.axis() == axis).filter_map(
        move |(number, &(turn, spent))| {
            let part = added(done, turn.layer_quarters());
            (rest(part).map(|rest| rest + u32::from(spent)) == left).then_some((number, part))
        },
    )
}

/// The states in which the sequences of a run end that begin in one of these.
fn read_run(words: &Words, sequences: &Sequences, axis: Axis, whole: Sum, set: &BTreeSet<State>) -> BTreeSet<State> {
    let mut open: Vec<(Sum, State)> = set.iter().map(|state| ([0; 3], state.clone())).collect();
    let (mut seen, mut ends): (HashSet<(Sum, State)>, _) = (open.iter().cloned().collect(), BTreeSet::new());
    while let Some((done, state)) = open.pop() {
        for (turn, part) in steps(sequences, axis, done, whole) {
            let Some(state) = words.read(&state, sequences.turns[turn].0) else { continue };
            if part == whole {
                ends.insert(state);
            } else if seen.insert((part, state.clone())) {
                open.push((part, state));
            }
        }
    }
    ends
}
