//! The papers, and the experiments that reproduce what they print.

use crate::error::LabError;
use crate::experiment::{Effort, Experiment, Request};
use crate::fast;
use crate::ida::IdaLimits;
use crate::korf::{self, Instances, Korf, SIX};
use crate::lab::Lab;
use crate::report::Figure;
use crate::walks;
use crate::{engines, fiat, kociemba, lee, manhattan, nargolkar, reid, searches, thistlethwaite};
use cosette::cube::{Cube, random_positions};

/// A paper, or a system that was announced in one.
pub struct Paper {
    /// Its name in the command and that of its page: `korf`.
    pub name: &'static str,
    /// Who and when: `Korf 1997`.
    pub title: &'static str,
    /// What of it is reproduced, in a sentence or two.
    pub about: &'static str,
    /// The text of its page, in Markdown, with a place for each experiment: see [`crate::report::Page`].
    pub page: &'static str,
    /// The pictures of the page that are not plots.
    pub figures: &'static [Figure],
    /// Its experiments.
    pub experiments: &'static [Entry],
}

/// An experiment by its name.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    run: Run,
}

type Run = fn(&Lab<'_>, &Request) -> Result<Experiment, LabError>;

impl Entry {
    /// Computes it.
    ///
    /// # Errors
    /// On cancellation, and where files or tables that it needs cannot be read, generated or written.
    pub fn compute(&self, lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
        lab.check()?;
        (self.run)(lab, request)
    }
}

const fn entry(name: &'static str, run: Run) -> Entry {
    Entry { name, run }
}

impl Paper {
    /// The paper of this name.
    pub fn named(name: &str) -> Option<&'static Paper> {
        PAPERS.iter().find(|paper| paper.name == name)
    }
}

/// The papers, in the order of the report.
pub static PAPERS: &[Paper] = &[
    Paper {
        name: "engines",
        title: "All engines on the same positions",
        about: "Nodes, probes, seconds and memory of every engine here beside this program's own.",
        page: include_str!("../pages/engines.md"),
        figures: &[],
        experiments: &[entry("all", engines::engines)],
    },
    Paper {
        name: "korf",
        title: "Korf 1997",
        about: "IDA* guided by pattern databases of the corners and of six or seven edges.",
        page: include_str!("../pages/korf.md"),
        figures: &[Figure { name: "korf-databases", svg: include_str!("../pages/korf-databases.svg") }],
        experiments: &[
            entry("example", korf::example),
            entry("nodes", manhattan::nodes),
            entry("manhattan", manhattan::manhattan),
            entry("databases", korf::databases),
            entry("instances", korf::instances),
            entry("formula", korf::formula),
            entry("law", korf_law),
            entry("claims", korf::claims),
        ],
    },
    Paper {
        name: "fiat",
        title: "Fiat and others 1989",
        about: "Bidirectional search that generates its products in lexicographic order and stores no frontier.",
        page: include_str!("../pages/fiat.md"),
        figures: &[Figure { name: "fiat-merge", svg: include_str!("../pages/fiat-merge.svg") }],
        experiments: &[entry("example", fiat::example), entry("products", fiat_products)],
    },
    Paper {
        name: "reid",
        title: "Reid 1997",
        about: "Distances to a subgroup, reduced by symmetry, along three axes; all shortest solutions, in both \
                metrics.",
        page: include_str!("../pages/reid.md"),
        figures: &[Figure { name: "reid-coset", svg: include_str!("../pages/reid-coset.svg") }],
        experiments: &[
            entry("example", reid::example),
            entry("cosets", reid::cosets),
            entry("mean", reid::mean),
            entry("target", reid::target_subgroup),
            entry("speed", reid::speed),
            entry("korf-ten", korf_ten),
            entry("korf-ten-by-reid", reid::korf_ten_by_reid),
            entry("superflip", reid::superflip),
            entry("subgroups", reid::subgroups),
        ],
    },
    Paper {
        name: "nargolkar",
        title: "Nargolkar 2006",
        about: "The plain searches, the log of Reid's search and the other figures of a thesis on the parallel search.",
        page: include_str!("../pages/nargolkar.md"),
        figures: &[Figure { name: "deepening", svg: include_str!("../pages/deepening.svg") }],
        experiments: &[
            entry("example", nargolkar::example),
            entry("searches", searches::searches),
            entry("fifty-hours", nargolkar::fifty_hours),
            entry("stages", nargolkar::stages),
            entry("cosets", nargolkar::cosets),
            entry("log", reid::log),
            entry("path", nargolkar::path),
            entry("symmetry", nargolkar::symmetry),
        ],
    },
    Paper {
        name: "thistlethwaite",
        title: "Thistlethwaite 1981",
        about: "Four stages through nested subgroups, the exact diameter of each computed.",
        page: include_str!("../pages/thistlethwaite.md"),
        figures: &[Figure { name: "thistlethwaite-groups", svg: include_str!("../pages/thistlethwaite-groups.svg") }],
        experiments: &[entry("example", thistlethwaite::example), entry("stages", thistlethwaite::stages)],
    },
    Paper {
        name: "kociemba",
        title: "Kociemba 1992",
        about: "Two-phase search: good solutions within milliseconds.",
        page: include_str!("../pages/kociemba.md"),
        figures: &[Figure { name: "kociemba-phases", svg: include_str!("../pages/kociemba-phases.svg") }],
        experiments: &[entry("example", kociemba::example), entry("times", kociemba::kociemba)],
    },
    Paper {
        name: "lee",
        title: "Lee 2013",
        about: "Bidirectional A* over all positions near solved, which are stored on disk.",
        page: include_str!("../pages/lee.md"),
        figures: &[Figure { name: "lee-frontiers", svg: include_str!("../pages/lee-frontiers.svg") }],
        experiments: &[
            entry("example", lee::experiments::example),
            entry("space", lee::experiments::space),
            entry("absence", lee::experiments::absence),
            entry("times", lee::experiments::times),
            entry("filters", lee::experiments::filters),
            entry("partial", lee::experiments::partial),
            entry("search", lee::experiments::search),
            entry("today", lee::experiments::today),
        ],
    },
];

/// The fast engine's smaller tables are generated for it, where they are not on disk.
fn korf_law(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    fast::generate(lab, &["24M", "47M", "94M", "190M"])?;
    korf::law(lab, request.effort)
}

/// Beside the speed of IDA* with Korf's databases, by one iteration from a random position.
fn fiat_products(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    const DEPTH: u8 = 13;
    let korf = Korf::new(lab, &SIX)?;
    let position = random_positions(request.seed).next().expect("they have no end");
    let (iteration, _) = korf.iterate(&position, DEPTH, &IdaLimits::default(), &lab.control);
    lab.check()?;
    fiat::fiat(lab, request.effort, iteration.nodes as f64 / iteration.elapsed.as_secs_f64())
}

/// Without a file, the quick experiment uses walks that the fast engine solves within a second with any table.
fn korf_ten(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let positions = match (&request.instances, request.effort) {
        (None, Effort::Quick) => {
            walks::random_walks(request.seed, 15).take(10).map(|walk| Cube::from_moves(&walk)).collect()
        }
        _ => Instances::of(request).positions()?,
    };
    reid::korf_ten(lab, &positions, &fast::solver(lab)?, request.effort)
}
