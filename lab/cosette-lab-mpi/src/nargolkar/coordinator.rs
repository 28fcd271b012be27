//! The coordinator, rank 0: assigns the pieces of a search until the goal is proven.

use super::plan::{LimitEnd, PieceResult, ProblemPlan, RankMessage, SearchOutcome, SearchProblem};
use super::rank::NargolkarRank;
use cosette::Cancel;
use cosette_mpi::world::FIRST;

/// The part of rank 0 in a search, beside handing out the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MasterRole {
    /// It searches, and answers requests meanwhile
    Searches,
    /// It answers one request and searches a limit, in turns: pseudo code 4.3 of the thesis (with
    /// --position)
    Alternates,
    /// It does not search
    Coordinates,
}

/// Rank 0.
pub struct RankZero<'s, 'e> {
    pub rank: NargolkarRank<'s, 'e>,
    pub role: MasterRole,
}

impl RankZero<'_, '_> {
    /// Returns the number of ranks.
    pub fn ranks(&self) -> usize {
        self.rank.world.size()
    }

    /// Returns the number of ranks that search.
    pub fn searching(&self) -> usize {
        self.ranks() - usize::from(self.role == MasterRole::Coordinates)
    }

    /// Solves the position on all ranks, up to the last limit, or until it is stopped; `on_end` is
    /// called as each limit ends.
    pub fn solve(
        &mut self,
        problem: &SearchProblem,
        stop: &Cancel,
        on_end: &mut dyn FnMut(LimitEnd),
    ) -> SearchOutcome {
        let ida = self.rank.reid.ida();
        let cut = |limit| {
            let cut = ida.cut(&problem.position, limit, &problem.ida_limits(limit));
            (cut.tasks(), cut.trunk)
        };
        let mut plan = ProblemPlan::new(*problem, self.ranks(), &cut);
        let mut open = vec![false; self.ranks()];
        let mut waiting = Vec::new();
        let mut is_stopped = false;
        // Rank 0 begins with a limit of its own.
        let mut has_answered = true;
        loop {
            if stop.is_cancelled() && !is_stopped {
                is_stopped = true;
                self.tell_all(&RankMessage::Goal(problem.number, 0));
            }
            if !is_stopped {
                self.hand_out(&mut plan, &mut open, &mut has_answered);
            }
            plan.ended.drain(..).for_each(&mut *on_end);
            if (is_stopped || plan.is_proven()) && !open.contains(&true) {
                return plan.outcome();
            }
            if let Some((rank, RankMessage::Done(done))) = self.rank.turn() {
                waiting.push((rank, done));
            }
            while let Some((rank, done)) = self.next_request(&mut waiting, &open) {
                open[rank] = false;
                plan.done(rank, done);
                if rank != FIRST {
                    has_answered = true;
                    break;
                }
            }
        }
    }

    /// Takes the next result with which a rank asks for work. A rank 0 that alternates takes none
    /// of the others' while it searches, and then that of the lowest rank. The log of appendix B
    /// has the same order.
    fn next_request(
        &self,
        waiting: &mut Vec<(usize, PieceResult)>,
        open: &[bool],
    ) -> Option<(usize, PieceResult)> {
        let is_busy = self.role == MasterRole::Alternates && open[FIRST];
        let requests = waiting.iter().enumerate();
        let (next, _) = requests
            .filter(|(_, (rank, _))| !is_busy || *rank == FIRST)
            .min_by_key(|(_, (rank, _))| *rank)?;
        Some(waiting.remove(next))
    }

    /// Assigns a piece to each rank without one, if one can be assigned now. A rank 0 that
    /// alternates comes last, and only after it has answered a request.
    fn hand_out(&self, plan: &mut ProblemPlan<'_>, open: &mut [bool], has_answered: &mut bool) {
        let others = FIRST + 1..open.len();
        let ranks: Vec<usize> = match self.role {
            MasterRole::Searches => (FIRST..open.len()).collect(),
            MasterRole::Alternates => others.chain(has_answered.then_some(FIRST)).collect(),
            MasterRole::Coordinates => others.collect(),
        };
        for rank in ranks {
            if !open[rank]
                && let Some(piece) = plan.next()
            {
                self.rank.world.send(rank, &RankMessage::Search(piece));
                open[rank] = true;
                *has_answered &= rank != FIRST;
            }
        }
    }

    /// Tells all ranks that there are no more problems.
    pub fn end(self) {
        self.tell_all(&RankMessage::End);
    }

    fn tell_all(&self, message: &RankMessage) {
        (0..self.ranks()).for_each(|rank| self.rank.world.send(rank, message));
    }
}
