//! The papers, and the experiments that reproduce their figures.

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::korf;
use crate::lab::Lab;
use crate::page::{Page, Records};
use crate::record::{Record, source_file};
use crate::{
    distances, engines, fiat, kociemba, lee, manhattan, nargolkar, reid, symmetric, thistlethwaite,
    uninformed,
};
use std::fs;

/// A paper, or a system that was announced in one.
pub struct Paper {
    /// Its name in the command and that of its page: `korf`.
    pub name: &'static str,
    /// Description, in a few words.
    pub about: &'static str,
    /// Its experiments.
    pub experiments: &'static [PaperExperiment],
}

/// An experiment by its name.
pub struct PaperExperiment {
    /// Its name.
    pub name: &'static str,
    /// Description, in a few words.
    pub about: &'static str,
    /// Names of the results of long runs that it shows ([`crate::stored_results::FILES`]). If there
    /// are none, the page shows the stored record, `results/PAPER-EXPERIMENT.json`.
    pub kept: &'static [&'static str],
    /// The options of the command that it respects, of `instances`, `max-nodes` and `timeout`.
    pub options: &'static [&'static str],
    /// Computes its record.
    run: fn(&Lab<'_>, &ExperimentOptions) -> Result<Record, LabError>,
}

impl PaperExperiment {
    /// Computes its record.
    ///
    /// # Errors
    /// Returns an error on cancellation, and where files or tables that it needs cannot be read,
    /// generated or written.
    pub fn record(&self, lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
        lab.check()?;
        (self.run)(lab, request)
    }
}

const fn experiment(
    name: &'static str,
    about: &'static str,
    kept: &'static [&'static str],
    options: &'static [&'static str],
    run: fn(&Lab<'_>, &ExperimentOptions) -> Result<Record, LabError>,
) -> PaperExperiment {
    PaperExperiment {
        name,
        about,
        kept,
        options,
        run,
    }
}

impl Paper {
    /// Returns the stored records of its experiments.
    ///
    /// # Errors
    /// Returns an error if a record cannot be read.
    pub fn records(&self, lab: &Lab<'_>) -> Result<Records, LabError> {
        let options = ExperimentOptions::default();
        let mut records = Records::new();
        for entry in self.experiments {
            let record = match entry.kept {
                [] => Record::read(self.name, entry.name)?,
                _ => (entry.run)(lab, &options)?,
            };
            records.insert(entry.name, record);
        }
        Ok(records)
    }

    /// Renders its page from the stored records.
    ///
    /// # Errors
    /// Returns an error if a record or its template cannot be read.
    pub fn page(&self, lab: &Lab<'_>) -> Result<Page, LabError> {
        let records = self.records(lab)?;
        Ok(Page::render(self.name, &self.template()?, &records))
    }

    /// Reads the template of its page.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn template(&self) -> Result<String, LabError> {
        read_template(self.name)
    }

    /// The paper of this name.
    pub fn named(name: &str) -> Option<&'static Paper> {
        PAPERS.iter().find(|paper| paper.name == name)
    }
}

/// Renders the index of the pages.
///
/// # Errors
/// Returns an error if its template cannot be read.
pub fn index() -> Result<Page, LabError> {
    let template = read_template("README")?;
    Ok(Page::render("README", &template, &Records::new()))
}

fn read_template(name: &str) -> Result<String, LabError> {
    let path = source_file(&format!("pages/{name}.md"));
    fs::read_to_string(&path).map_err(LabError::io("read", &path))
}

/// The papers, in the order of the report.
pub static PAPERS: &[Paper] = &[
    Paper {
        name: "engines",
        about: "All engines on the same positions: nodes, probes, seconds, memory",
        experiments: &[experiment(
            "all",
            "the cost of each engine, and its limits",
            &["engines"],
            &["timeout"],
            engines::engines,
        )],
    },
    Paper {
        name: "korf",
        about: "Korf 1997: IDA* with pattern databases, and the law t = n/m",
        experiments: &[
            experiment(
                "nodes",
                "Table 1: nodes of the search tree by depth",
                &[],
                &[],
                manhattan::nodes,
            ),
            experiment(
                "manhattan",
                "section 3.1: Manhattan-type bounds and their cost",
                &[],
                &[],
                manhattan::manhattan,
            ),
            experiment(
                "databases",
                "the pattern databases: sizes and mean values",
                &[],
                &[],
                korf::databases,
            ),
            experiment(
                "instances",
                "Table 2: ten random instances",
                &["korf-instances"],
                &["instances", "max-nodes", "timeout"],
                korf::instances,
            ),
            experiment("speed", "nodes per second", &[], &[], korf::speed),
            experiment(
                "formula",
                "nodes of an iteration, predicted from the bound, and the bounds of its nodes",
                &[],
                &[],
                korf::formula,
            ),
            experiment(
                "law",
                "time times memory: the law t = n/m for Korf's tables and ours",
                &[],
                &[],
                korf::law,
            ),
        ],
    },
    Paper {
        name: "fiat",
        about: "Fiat et al. 1989: bidirectional search without a stored frontier",
        experiments: &[experiment(
            "products",
            "products and bytes of both forms of the search, by length",
            &[],
            &[],
            fiat::products,
        )],
    },
    Paper {
        name: "reid",
        about: "Reid 1997: distances to a subgroup along three axes, all shortest solutions",
        experiments: &[
            experiment(
                "cosets",
                "cosets of the subgroup by distance, in both metrics",
                &[],
                &[],
                reid::cosets,
            ),
            experiment(
                "mean",
                "the mean of the lower bound over random positions",
                &[],
                &[],
                reid::mean,
            ),
            experiment(
                "target",
                "the target subgroup T, and positions near it",
                &[],
                &[],
                reid::target_subgroup,
            ),
            experiment("speed", "nodes per second", &[], &[], reid::speed),
            experiment(
                "korf-ten",
                "all shortest solutions of Korf's ten",
                &["fast-korf-ten"],
                &[],
                reid::korf_ten,
            ),
            experiment(
                "korf-ten-by-reid",
                "Korf's ten by the engines of Reid and of Korf",
                &["reid-korf-ten", "korf-instances"],
                &["instances", "max-nodes", "timeout"],
                reid::korf_ten_by_reid,
            ),
            experiment(
                "superflip",
                "the superflip by Reid's engine",
                &["reid-superflip-htm", "reid-superflip-qtm"],
                &["max-nodes", "timeout"],
                reid::superflip,
            ),
            experiment(
                "subgroups",
                "distances to other subgroups",
                &[],
                &[],
                reid::subgroups,
            ),
        ],
    },
    Paper {
        name: "nargolkar",
        about: "Nargolkar 2006: uninformed searches, and the log of Reid's search",
        experiments: &[
            experiment(
                "searches",
                "chapter 2: the plain searches on random walks",
                &[],
                &[],
                uninformed::searches,
            ),
            experiment(
                "fifty-hours",
                "section 2.3.2: the cost of limit 14 with the Manhattan distance",
                &[],
                &[],
                nargolkar::fifty_hours,
            ),
            experiment(
                "log",
                "appendix B: the log of a search in quarter turns",
                &[],
                &[],
                reid::log,
            ),
            experiment(
                "path",
                "appendix A: a path of twelve moves",
                &[],
                &[],
                nargolkar::path,
            ),
            experiment(
                "symmetry",
                "section 4.1: searches with and without symmetry",
                &[],
                &[],
                nargolkar::symmetry,
            ),
        ],
    },
    Paper {
        name: "thistlethwaite",
        about: "Thistlethwaite 1981: four stages through nested subgroups",
        experiments: &[experiment(
            "stages",
            "the exact diameters of the stages, and lengths",
            &[],
            &[],
            thistlethwaite::stages,
        )],
    },
    Paper {
        name: "kociemba",
        about: "Kociemba 1992: two-phase search",
        experiments: &[
            experiment(
                "example",
                "the solutions of one position, in the order in which they are found",
                &[],
                &[],
                kociemba::example,
            ),
            experiment(
                "times",
                "solution length over time",
                &[],
                &[],
                kociemba::times,
            ),
        ],
    },
    Paper {
        name: "lee",
        about: "Lee 2013: bidirectional A* over positions stored on disk",
        experiments: &[
            experiment(
                "space",
                "Tables I and II: the stored backward space",
                &[],
                &[],
                lee::experiments::space,
            ),
            experiment(
                "absence",
                "Tables III to VIII: schemes that confirm absence",
                &[],
                &[],
                lee::experiments::absence,
            ),
            experiment(
                "times",
                "compared with Table VII: confirming absence, measured",
                &[],
                &[],
                lee::experiments::times,
            ),
            experiment(
                "partial",
                "Tables IX and X: bounds from partial problems",
                &["lee-partial"],
                &[],
                lee::experiments::partial,
            ),
            experiment(
                "search",
                "Figure 1 and Table XI: bidirectional A*",
                &["lee-search"],
                &[],
                lee::experiments::search,
            ),
        ],
    },
    Paper {
        name: "distances",
        about: "Distances of random positions, compared with the published numbers",
        experiments: &[experiment(
            "distances",
            "random positions by their distance",
            &["distances"],
            &["timeout"],
            distances::distances,
        )],
    },
    Paper {
        name: "symmetric",
        about: "Symmetric positions: the 33 classes, and the farthest positions of the small ones",
        experiments: &[experiment(
            "symmetric",
            "positions by their symmetry",
            &["symmetric"],
            &["timeout"],
            symmetric::symmetric,
        )],
    },
];
