//! Constraints on the turn sequence of a solution: a required prefix, a required suffix, and
//! forbidden sequences of consecutive turns.
//!
//! A solution represents all sequences that equal it run by run (`turns`): those of the same cost
//! in which consecutive turns about one axis have the same total effect. `U D R` also represents `D
//! U R`. A solution satisfies the constraints if *one* of these sequences has the prefix and the
//! suffix and contains no forbidden sequence; this one is reported.
//!
//! # Algorithm
//!
//! An automaton reads a sequence turn by turn. Its state consists of the number of turns of the
//! prefix that were read, and the longest beginning of another constraint that was read last. The
//! turns of a run can be read in several orders, so a node has a *set* of states: all states that
//! its finished runs may lead to. The sets that occur, and the transitions of each set under each
//! run, are computed before the search. A node is pruned if no accepted sequence continues from its
//! set with its last run, or with a run about the same axis that extends it.

use super::turns::{AxisRun, LayerAngles, RunAutomaton, START, runs_of};
use crate::cube::{Axis, LayerTurn};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The required prefix and suffix, and the forbidden sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct SequenceConstraints {
    pub prefix: Vec<LayerTurn>,
    pub suffix: Vec<LayerTurn>,
    pub forbidden: Vec<Vec<LayerTurn>>,
}

/// Number of turns of the prefix that were read, and the last turns that begin another constraint.
type ConstraintState = (usize, Vec<LayerTurn>);

impl SequenceConstraints {
    /// Returns `true` if there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty() && self.forbidden.is_empty()
    }

    /// Returns the reason why no solution satisfies the constraints; without them there may be one.
    pub fn reason(&self, turns: &[(LayerTurn, u8)]) -> String {
        let mut required = self.prefix.iter().chain(&self.suffix);
        match required.find(|turn| turns.iter().all(|(allowed, _)| allowed != *turn)) {
            Some(turn) => format!(
                "{turn} is not one of the allowed moves, so no solution begins or ends with it"
            ),
            None => {
                "no solution has the required prefix and suffix without the forbidden sequences"
                    .to_owned()
            }
        }
    }

    /// Returns the state after a turn; `None` if the sequence violates a constraint.
    fn after(&self, state: &ConstraintState, turn: LayerTurn) -> Option<ConstraintState> {
        let (prefix_read, last) = state;
        let required = self.prefix.get(*prefix_read);
        if required.is_some_and(|&required| required != turn) {
            return None;
        }
        let read = [&last[..], &[turn]].concat();
        if self.forbidden.iter().any(|word| read.ends_with(word)) {
            return None;
        }
        let begins_constraint = |from: &usize| {
            let mut words = self.forbidden.iter().chain([&self.suffix]);
            words.any(|word| word.starts_with(&read[*from..]))
        };
        let from = (0..=read.len()).find(begins_constraint);
        let last = read[from.unwrap_or(read.len())..].to_vec();
        Some((self.prefix.len().min(prefix_read + 1), last))
    }

    /// Returns `true` if the sequence may end in this state.
    fn is_end(&self, (prefix_read, last): &ConstraintState) -> bool {
        *prefix_read == self.prefix.len() && last.ends_with(&self.suffix)
    }
}

/// The sets of states, and the transitions between them.
pub(super) struct ConstraintAutomaton<'a> {
    constraints: &'a SequenceConstraints,
    sequences: &'a RunAutomaton,
    /// By set and state of the run automaton.
    transitions: Vec<Vec<Transition>>,
}

/// The effect of a run on a set.
#[derive(Clone, Copy, Default)]
struct Transition {
    /// The set after the run, if any state is in it.
    next: Option<u32>,
    /// `true` if the sequence may end after the run.
    is_end: bool,
    /// `true` if an accepted sequence ends or continues after the run, or after more turns about
    /// the same axis.
    can_continue: bool,
}

/// The set before any turn.
pub(super) const INITIAL_SET: u32 = 0;

impl<'a> ConstraintAutomaton<'a> {
    pub fn new(
        constraints: &'a SequenceConstraints,
        sequences: &'a RunAutomaton,
    ) -> ConstraintAutomaton<'a> {
        let mut automaton = ConstraintAutomaton {
            constraints,
            sequences,
            transitions: Vec::new(),
        };
        automaton.find_sets();
        automaton.find_continuations();
        automaton
    }

    /// Fills in the sets that occur, with the transitions between them.
    fn find_sets(&mut self) {
        let is_end = |set: &BTreeSet<ConstraintState>| {
            set.iter().any(|state| self.constraints.is_end(state))
        };
        // Each set has the axis of its last run, because the next run is about another axis.
        let mut sets: Vec<(Option<Axis>, BTreeSet<ConstraintState>)> =
            vec![(None, BTreeSet::from([(0, Vec::new())]))];
        let mut numbers = HashMap::from([(sets[0].clone(), INITIAL_SET)]);
        let mut transitions: Vec<Vec<Transition>> = Vec::new();
        while let Some((last, set)) = sets.get(transitions.len()).cloned() {
            // State 0 of the run automaton is the empty sequence.
            let mut row = vec![Transition {
                next: None,
                is_end: is_end(&set),
                can_continue: true,
            }];
            for &(axis, angles) in self.sequences.runs.keys() {
                if last == Some(axis) {
                    row.push(Transition::default());
                    continue;
                }
                let after = (Some(axis), self.after_run(axis, angles, &set));
                let is_end = is_end(&after.1);
                let next = (!after.1.is_empty()).then(|| {
                    *numbers.entry(after.clone()).or_insert_with(|| {
                        sets.push(after);
                        sets.len() as u32 - 1
                    })
                });
                row.push(Transition {
                    next,
                    is_end,
                    can_continue: false,
                });
            }
            transitions.push(row);
        }
        self.transitions = transitions;
    }

    /// Fills in `can_continue` of the transitions.
    fn find_continuations(&mut self) {
        let is_alive = self.live_sets();
        let runs = self.sequences.runs.iter();
        let runs: Vec<(Axis, usize)> = runs.map(|(key, run)| (key.0, run.length)).collect();
        // A run depends on the runs that extend it, so the runs with the most turns come first.
        let mut states: Vec<usize> = (1..=runs.len()).collect();
        states.sort_by_key(|&state| Reverse(runs[state - 1].1));
        for row in &mut self.transitions {
            for &state in &states {
                let mut longer = self.sequences.after(state as u8).iter().flatten();
                let is_extended = longer.any(|&longer| {
                    let longer = usize::from(longer);
                    runs[longer - 1].0 == runs[state - 1].0 && row[longer].can_continue
                });
                row[state].can_continue =
                    is_extended || row[state].is_end || row[state].leads_to(&is_alive);
            }
        }
    }

    /// Returns for each set whether some sequence of runs from it, or the empty one, is accepted.
    fn live_sets(&self) -> Vec<bool> {
        let ends = |row: &Vec<Transition>| row.iter().any(|transition| transition.is_end);
        let mut is_alive: Vec<bool> = self.transitions.iter().map(ends).collect();
        let leads = |set: usize, is_alive: &[bool]| {
            let mut row = self.transitions[set].iter();
            !is_alive[set] && row.any(|transition| transition.leads_to(is_alive))
        };
        while let Some(set) = (0..is_alive.len()).find(|&set| leads(set, &is_alive)) {
            is_alive[set] = true;
        }
        is_alive
    }

    /// Returns the set of the node to which a turn leads: the set before the last run of that node,
    /// which has the state `next`. `None` if no accepted sequence continues from there.
    #[inline(always)]
    pub fn after_turn(&self, set: u32, state: u8, turn: usize, next: u8) -> Option<u32> {
        let continues = state == START
            || self.sequences.axis_of(state) == Some(self.sequences.turns[turn].0.axis());
        let set = if continues {
            set
        } else {
            self.transition(set, state).next?
        };
        self.transition(set, next).can_continue.then_some(set)
    }

    /// Returns `true` if the sequence may end in this node.
    pub fn is_accepting(&self, set: u32, state: u8) -> bool {
        self.transition(set, state).is_end
    }

    #[inline(always)]
    fn transition(&self, set: u32, state: u8) -> &Transition {
        &self.transitions[set as usize][usize::from(state)]
    }

    /// Returns a sequence that satisfies the constraints, among the sequences that `path`
    /// represents.
    pub fn matching_sequence(&self, path: &[usize]) -> Option<Vec<usize>> {
        let runs = runs_of(&self.sequences.turns_of(path));
        let start = (0, Vec::new());
        let mut sequence = Vec::new();
        self.extend(&runs, [0; 3], &start, &mut sequence, &mut HashSet::new())
            .then_some(sequence)
    }

    /// Extends `sequence`, which ends in `state`, by the turns of `runs`. The part `done` of the
    /// first run is finished. Returns `true` if the sequence then satisfies the constraints;
    /// otherwise nothing is added. `tried` holds the arguments of earlier calls, which failed.
    fn extend(
        &self,
        runs: &[AxisRun],
        done: LayerAngles,
        state: &ConstraintState,
        sequence: &mut Vec<usize>,
        tried: &mut HashSet<(usize, LayerAngles, ConstraintState)>,
    ) -> bool {
        let Some(&(axis, whole)) = runs.first() else {
            return self.constraints.is_end(state);
        };
        if !tried.insert((runs.len(), done, state.clone())) {
            return false;
        }
        for (turn, part) in self.sequences.steps((axis, whole), done) {
            let Some(state) = self.constraints.after(state, self.sequences.turns[turn].0) else {
                continue;
            };
            sequence.push(turn);
            let (runs, done) = if part == whole {
                (&runs[1..], [0; 3])
            } else {
                (runs, part)
            };
            if self.extend(runs, done, &state, sequence, tried) {
                return true;
            }
            sequence.pop();
        }
        false
    }

    /// Returns the states that the turns of a run, in any order, lead to from the states of a set.
    fn after_run(
        &self,
        axis: Axis,
        whole: LayerAngles,
        set: &BTreeSet<ConstraintState>,
    ) -> BTreeSet<ConstraintState> {
        let mut open: Vec<(LayerAngles, ConstraintState)> =
            set.iter().map(|state| ([0; 3], state.clone())).collect();
        let mut seen: HashSet<(LayerAngles, ConstraintState)> = open.iter().cloned().collect();
        let mut ends = BTreeSet::new();
        while let Some((done, state)) = open.pop() {
            for (turn, part) in self.sequences.steps((axis, whole), done) {
                let Some(state) = self.constraints.after(&state, self.sequences.turns[turn].0)
                else {
                    continue;
                };
                if part == whole {
                    ends.insert(state);
                } else if seen.insert((part, state.clone())) {
                    open.push((part, state));
                }
            }
        }
        ends
    }
}

impl Transition {
    /// Returns `true` if it leads to one of the sets that `is_alive` marks.
    fn leads_to(&self, is_alive: &[bool]) -> bool {
        self.next.is_some_and(|next| is_alive[next as usize])
    }
}
