//! Reid's invitation: distances to other subgroups as lower bounds.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::ida::{Ida, IdaLimits, LowerBound};
use crate::korf::Korf;
use crate::lab::Lab;
use crate::reid::Reid;
use crate::thistlethwaite::Stage;
use cosette::cube::{Cube, Face, Metric, Move, Symmetry, random_positions};

/// The distances to one subgroup, along one axis or along all three.
struct Subgroup {
    stage: Stage,
    /// What carries each axis to that of U and D, or only the identity.
    views: Vec<Symmetry>,
}

impl Subgroup {
    fn new(stage: Stage, axes: usize) -> Subgroup {
        let carries = |face: Face| {
            Symmetry::all().find(move |s| s.face(face) == Face::U).expect("a symmetry carries each face to U")
        };
        let views = [Face::U, Face::R, Face::F].into_iter().take(axes).map(carries).collect();
        Subgroup { stage, views }
    }
}

impl LowerBound for Subgroup {
    type Node = Cube;

    fn node(&self, position: &Cube) -> Cube {
        *position
    }

    fn turned(&self, node: &Cube, m: Move) -> Cube {
        node.turned(m)
    }

    fn bound(&self, node: &Cube, _: u8, probes: &mut u64) -> u8 {
        *probes += self.views.len() as u64;
        let distance = |&s: &Symmetry| self.stage.distance(&node.conjugate(s)).expect("all moves lead to all cosets");
        self.views.iter().map(distance).max().unwrap_or(0)
    }
}

/// What is compared: the subgroup in words, its cosets, the bytes of its table by symmetry, the mean of the bound, and nodes.
struct Row {
    name: String,
    cosets: u64,
    entries: u64,
    mean: f64,
    nodes: f64,
}

/// How deep positions are searched, and how many.
const fn size(effort: Effort) -> (u8, usize) {
    match effort {
        Effort::Quick => (9, 5),
        Effort::Full => (11, 10),
    }
}

/// How many random positions the mean of a bound is taken over.
const SAMPLE: usize = 20_000;

/// Tables of several subgroups: mean, bytes, nodes.
pub fn subgroups(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (threshold, count) = size(request.effort);
    let seed = request.seed_or(1);
    let positions: Vec<Cube> = random_positions(seed).take(count).collect();
    let mut rows = Vec::new();
    let subgroups = Stage::subgroups();
    let count_of_rows = 2 * subgroups.len() as u64;
    for (name, mut stage) in subgroups {
        lab.step("distances to subgroups", rows.len() as u64, count_of_rows);
        for axes in [1, 3] {
            let bound = Subgroup::new(stage, axes);
            let along = if axes == 1 { "one axis" } else { "three axes" };
            rows.push(measured(lab, format!("{name}, {along}"), &bound, bound.stage.cosets(), threshold, &positions)?);
            stage = bound.stage;
        }
    }
    let korf = Korf::new(lab, &[])?;
    rows.push(measured(lab, "corners solved (Korf)".into(), korf.databases(), 88_179_840, threshold, &positions)?);
    let reid = Reid::new(lab, Metric::Htm)?;
    let by_reid =
        reid.trace(|ida| measured(lab, "Reid's, three axes".into(), ida.bound, 2_217_093_120, threshold, &positions));
    rows.push(Row { entries: 140_908_410, ..by_reid? });
    rows.sort_by(|a, b| b.nodes.total_cmp(&a.nodes));
    let mut table = Table::headed(
        format!("A complete iteration of threshold {threshold}, the mean of {count} random positions (seed {seed})"),
        "right in the subgroup | cosets | bytes at half an entry | mean of the bound | nodes | nodes × bytes",
    );
    for Row { name, cosets, entries, mean, nodes } in rows {
        let bytes = entries.div_ceil(2);
        table.row([
            Cell::text(name),
            Cell::Count(cosets),
            Cell::Count(bytes),
            Cell::Number(mean, 3),
            Cell::Count(nodes.round() as u64),
            Cell::Estimate(nodes * bytes as f64),
        ]);
    }
    Ok(Experiment::new("subgroups", "Other subgroups", "Reid 1997, the last paragraph")
        .text(format!(
            "Reid invites others to try distances to other subgroups. Each row is one: what has to be right in it is named, and the more that \
             is, the more cosets there are. Only Reid's table is stored by symmetry; the means are over {SAMPLE} random positions, or exact.",
        ))
        .tables([table])
        .remark(
            "The mean grows with the logarithm of the number of cosets: each factor of b is worth about a move. One table read along three \
             axes cuts the nodes some dozens of times, and costs no memory. Korf's law says that nodes times bytes is constant; with one axis \
             and without symmetry it is, within a factor of four over five orders of magnitude of memory. Axes and symmetry are what beats it.",
        ))
}

fn measured<B: LowerBound>(
    lab: &Lab<'_>,
    name: String,
    bound: &B,
    cosets: u64,
    threshold: u8,
    positions: &[Cube],
) -> Result<Row, LabError> {
    let of = |position: &Cube| f64::from(bound.bound(&bound.node(position), u8::MAX, &mut 0));
    let mean = random_positions(1).take(SAMPLE).map(|position| of(&position)).sum::<f64>() / SAMPLE as f64;
    let ida = Ida { bound, metric: Metric::Htm };
    let mut nodes = 0.0;
    for position in positions {
        let limits = IdaLimits::only(threshold);
        let found = ida.search(position, &limits, &mut |_| {}, &lab.control);
        nodes += found.iterations.first().map_or(0, |iteration| iteration.nodes) as f64;
        lab.check()?;
    }
    Ok(Row { name, cosets, entries: cosets, mean, nodes: nodes / positions.len() as f64 })
}
