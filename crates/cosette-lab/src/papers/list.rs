//! The list of the papers.

use super::{Entry, Paper, Request, fast};
use crate::experiment::Experiment;
use crate::ida::Limits;
use crate::korf::instances::Instances;
use crate::korf::{self, InstancesOptions, Korf, SIX};
use crate::lab::{Effort, Lab, LabError};
use crate::walks;
use crate::{fiat, kociemba, lee, manhattan, reid, searches, thistlethwaite};
use cosette::cube::{Cube, random_positions};
use std::time::Instant;

/// The papers, in the order of the report.
pub static PAPERS: &[Paper] = &[
    Paper {
        name: "korf",
        title: "Korf 1997",
        reference: "R. E. Korf, \"Finding Optimal Solutions to Rubik's Cube Using Pattern Databases\", AAAI 1997.",
        about: "IDA* guided by pattern databases of the corners and of six or seven edges.",
        experiments: &[
            Entry {
                name: "nodes",
                about: "Table 1: nodes by depth, and the branching factor",
                run: |lab, request| manhattan::nodes(lab, request.effort),
            },
            Entry {
                name: "manhattan",
                about: "bounds from the moves of single cubies",
                run: |lab, request| manhattan::manhattan(lab, request.effort),
            },
            Entry {
                name: "databases",
                about: "the pattern databases, and the mean of their maximum",
                run: |lab, request| korf::databases(lab, request.effort),
            },
            Entry { name: "instances", about: "Table 2: ten random instances", run: korf_instances },
            Entry { name: "law", about: "time times memory: t ≈ n/m", run: korf_law },
        ],
    },
    Paper {
        name: "fiat",
        title: "Fiat, Moses, Shamir, Shimshoni and Tardos 1989",
        reference: "A. Fiat, S. Moses, A. Shamir, I. Shimshoni and G. Tardos, \"Planning and learning in permutation \
                    groups\", FOCS 1989; after R. Schroeppel and A. Shamir, 1981.",
        about: "Bidirectional search that makes its products in lexicographic order and stores no frontier.",
        experiments: &[Entry {
            name: "products",
            about: "permutations a second and bytes a permutation, beside IDA*",
            run: fiat_products,
        }],
    },
    Paper {
        name: "reid",
        title: "Reid 1997",
        reference: "M. Reid's optimal cube solver, told of on the Cube-Lovers mailing list, 1997.",
        about: "Distances to a subgroup, reduced by symmetry, along three axes; all shortest solutions, in both metrics.",
        experiments: &[
            Entry {
                name: "cosets",
                about: "cosets and classes by distance",
                run: |lab, request| reid::cosets(lab, request.effort),
            },
            Entry {
                name: "mean",
                about: "the mean of the bound over random positions",
                run: |lab, request| reid::mean(lab, request.effort),
            },
            Entry {
                name: "target",
                about: "the target subgroup, and positions near it",
                run: |lab, request| reid::target_subgroup(lab, request.effort),
            },
            Entry {
                name: "speed",
                about: "nodes a second, and what three equal distances gain",
                run: |lab, request| reid::speed(lab, request.effort),
            },
            Entry { name: "korf-ten", about: "all shortest solutions of Korf's ten", run: korf_ten },
        ],
    },
    Paper {
        name: "thesis",
        title: "Nargolkar 2006",
        reference: "Nargolkar's thesis of 2006 on the parallel search over MPI.",
        about: "The plain searches of its second chapter, and the log of Reid's search in its appendix B.",
        experiments: &[
            Entry {
                name: "searches",
                about: "the plain searches of chapter 2",
                run: |lab, request| searches::searches(lab, request.effort),
            },
            Entry {
                name: "log",
                about: "the log of appendix B: threshold, nodes, tests, seconds",
                run: |lab, request| reid::log(lab, request.effort),
            },
        ],
    },
    Paper {
        name: "thistlethwaite",
        title: "Thistlethwaite 1981",
        reference: "M. B. Thistlethwaite, as printed in D. Singmaster, *Notes on Rubik's Magic Cube*, 1981.",
        about: "Four stages through nested subgroups, the exact diameter of each computed.",
        experiments: &[Entry {
            name: "stages",
            about: "the cosets and the diameter of each stage, and how long its solutions are",
            run: |lab, request| thistlethwaite::stages(lab, request.effort),
        }],
    },
    Paper {
        name: "kociemba",
        title: "Kociemba 1992",
        reference: "H. Kociemba, \"Close to God's algorithm\", *Cubism For Fun* 28, 1992.",
        about: "Two-phase search: good solutions within milliseconds.",
        experiments: &[Entry {
            name: "times",
            about: "the length of solutions against time",
            run: |lab, request| kociemba::kociemba(lab, request.effort),
        }],
    },
    Paper {
        name: "lee",
        title: "Lee 2013",
        reference: "\"Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and Partial \
                    Problem-based Informed Heuristic Generations\", 2013.",
        about: "Bidirectional A* over all positions near solved, which are stored on disk.",
        experiments: &[
            Entry {
                name: "space",
                about: "all positions within some moves, on disk",
                run: |lab, request| lee::space::stored(lab, request.effort),
            },
            Entry {
                name: "absence",
                about: "the hashing schemes that confirm absence fast",
                run: |lab, request| lee::absence::absence(lab, request.effort, request.seed),
            },
            Entry {
                name: "filters",
                about: "what one would use today to confirm absence",
                run: |lab, request| lee::absence::today(lab, request.effort, request.seed),
            },
            Entry {
                name: "partial",
                about: "heuristics from partial problems",
                run: |lab, request| lee::partial::partial(lab, request.effort),
            },
            Entry {
                name: "search",
                about: "bidirectional A*: states stored by length",
                run: |lab, request| lee::search::experiment(lab, request.effort),
            },
            Entry {
                name: "today",
                about: "the same idea by iterative deepening, with a filter and the fast engine's bound",
                run: |lab, request| lee::search::today(lab, request.effort),
            },
        ],
    },
];

fn korf_instances(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let options = InstancesOptions {
        instances: instances(request),
        max_nodes: request.max_nodes.unwrap_or(u64::MAX),
        deadline: request.time.map(|time| Instant::now() + time),
        checkpoints: request.checkpoint.clone(),
        ..InstancesOptions::of(request.effort)
    };
    korf::instances(lab, &options)
}

/// The fast engine's smaller tables are filled for it, where they are not on disk.
fn korf_law(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    fast::fill(lab, &["30M", "60M", "120M", "240M"])?;
    korf::law(lab, request.effort, &[])
}

/// Beside the speed of IDA* with Korf's databases, by one iteration from a random position.
fn fiat_products(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    const DEPTH: u8 = 13;
    let korf = Korf::new(lab, &SIX)?;
    let position = random_positions(request.seed).next().expect("they have no end");
    let (iteration, _) = korf.iterate(&position, DEPTH, &Limits::default(), lab.cancel);
    lab.check()?;
    fiat::fiat(lab, request.effort, Some(iteration.nodes as f64 / iteration.elapsed.as_secs_f64()))
}

/// Without a file the quick experiment takes walks that the fast engine solves within a second, with any table.
fn korf_ten(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let positions = match (&request.instances, request.effort) {
        (None, Effort::Quick) => {
            walks::random_walks(request.seed, 15).take(10).map(|walk| Cube::from_moves(&walk)).collect()
        }
        _ => instances(request).positions()?,
    };
    reid::korf_ten(lab, &positions, &fast::solver(lab)?, request.effort)
}

/// The instances asked for: those of a file, or ten random walks.
fn instances(request: &Request) -> Instances {
    match &request.instances {
        Some(path) => Instances::File(path.clone()),
        None => Instances::Walks { count: 10, seed: request.seed },
    }
}
