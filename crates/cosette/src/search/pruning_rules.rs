//! The pruning rules of the search, with their proofs. Rules 1 to 5 are applied in `explore.rs`,
//! rule 6 in `node.rs`.
//!
//! IDA* (Korf 1985) searches depth first to a *threshold*, and raises it by one until a solution is
//! found: then no shorter one exists. A table bounds the distance of every position from below, and
//! a node whose bound exceeds the remaining moves is pruned. A position p and its inverse q = p⁻¹
//! are equally far from solved, so a node has two bounds, those of the cosets T·p and T·q, and may
//! be expanded on either side: a move m on p gives p·m and m⁻¹·q; a move m on q gives q·m and
//! m⁻¹·p.
//!
//! The *target subgroup* T consists of the positions that look solved if opposite faces have the
//! same color (`coord`). It contains all half turns, and most pruning follows from that. Suppose a
//! node is expanded on the side of p, with r remaining and r′ = r − 1 for its children (half-turn
//! metric). For a quarter turn f let u(f) be the bound of T·f⁻¹·q, read by a *probe on the other
//! side*, and for a move m let w(m) be that of T·p·m, read by a *probe of the child*.
//!
//! 1. *Tight bound.* If the bound of q exceeds r′, no half turn on p leads to a solution within the
//!    remaining moves. Proof: for a half turn m, T·m⁻¹·q = T·q; so that bound holds for p·m as
//!    well.
//! 2. *Shared probe.* One probe on the other side serves both quarter turns of a face: at most six
//!    probes for eighteen children. They are made first, and only the children of moves with u(f) ≤
//!    r′ are probed on their own side. Proof: T·f·q = T·f²·f⁻¹·q = T·f⁻¹·q, since f² is in T.
//! 3. *Neighbors.* If u(f) > r + 1 the node itself is dropped; if u(f) > r, so is the half turn of
//!    f. Proof: u(f) is a bound of p·f, whose inverse is f⁻¹·q; p and p·f² are one move from p·f,
//!    so both are at least u(f) − 1 from solved.
//! 4. *Inheritance.* After a half turn, the bound of the other side is still the node's and is
//!    never probed; where the quarter turns of a face are ruled out, only the child of its half
//!    turn is probed. Proof: as for the tight bound.
//! 5. *Direction.* The side with fewer moves left after rules 1 and 6 is expanded; if both have
//!    equally many, the side whose own bound is larger. Proof: if p·s₁…s_k is solved, s₁ is a move
//!    on p and s_k⁻¹ is one on q, so the moves of one side reach every solution. This remains true
//!    with rule 6, because rule 6 looks only at the moves of one side: of two commuting turns at
//!    either end of a solution, the allowed order is always searched.
//! 6. *Sequences.* On each side, no face turns twice in a row. Of two opposite faces, say R and L,
//!    no turn of R follows one of L, and a turn of L follows one of R only if, at the node where R
//!    was turned, that turn of L was pushed as a child as well (step 4 of [the loop](super)).
//!    Proof: p·R·L = p·L·R; if L was pruned at p, p·L is further from solved than the remaining
//!    moves allow, and so is p·L·R.
//!
//! In the quarter-turn metric r′ = r − 2 for a half turn; so in rule 3 the half turn of f is
//! dropped if u(f) > r − 1.
