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
    /// Its experiments.
    pub experiments: &'static [PaperExperiment],
}

/// An experiment by its name.
pub struct PaperExperiment {
    /// Its name.
    pub name: &'static str,
    /// Description, in a few words.
    pub about: &'static str,
    /// Names of the stored results that it shows ([`crate::stored_results::FILES`]).
    pub kept: &'static [&'static str],
    /// `true` if the experiment searches the instances of the request.
    pub takes_instances: bool,
    /// `true` if the experiment respects the maximum number of nodes of the request.
    pub takes_max_nodes: bool,
    /// `true` if the experiment respects the time limit of the request.
    pub takes_time: bool,
    /// Its function.
    pub run: RunExperiment,
}

/// The function of an experiment.
#[derive(Clone, Copy)]
pub enum RunExperiment {
    /// Computes a record; the page shows the stored one, `results/PAPER-EXPERIMENT.json`.
    Record(fn(&Lab<'_>, &ExperimentOptions) -> Result<Record, LabError>),
    /// Computes a record of results of long runs, which are part of the program.
    Results(fn(&Lab<'_>, &ExperimentOptions) -> Result<Record, LabError>),
}

impl PaperExperiment {
    /// Computes its record.
    ///
    /// # Errors
    /// Returns an error on cancellation, and where files or tables that it needs cannot be read,
    /// generated or written.
    pub fn record(&self, lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
        lab.check()?;
        match self.run {
            RunExperiment::Record(run) | RunExperiment::Results(run) => run(lab, request),
        }
    }
}

const fn entry(name: &'static str, about: &'static str, run: RunExperiment) -> PaperExperiment {
    PaperExperiment {
        name,
        about,
        kept: &[],
        takes_instances: false,
        takes_max_nodes: false,
        takes_time: false,
        run,
    }
}

/// An experiment that shows results of long runs.
const fn long(
    name: &'static str,
    about: &'static str,
    kept: &'static [&'static str],
    run: RunExperiment,
) -> PaperExperiment {
    PaperExperiment {
        kept,
        ..entry(name, about, run)
    }
}

/// An experiment whose searches end after the time of the request.
const fn timed(
    name: &'static str,
    about: &'static str,
    kept: &'static [&'static str],
    run: RunExperiment,
) -> PaperExperiment {
    PaperExperiment {
        takes_time: true,
        ..long(name, about, kept, run)
    }
}

/// An experiment whose long runs are searches of the instances of the request, within its limits.
const fn search(
    name: &'static str,
    about: &'static str,
    kept: &'static [&'static str],
    run: RunExperiment,
) -> PaperExperiment {
    PaperExperiment {
        takes_instances: true,
        takes_max_nodes: true,
        ..timed(name, about, kept, run)
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
            let record = match entry.run {
                RunExperiment::Record(_) => Record::read(self.name, entry.name)?,
                RunExperiment::Results(run) => run(lab, &options)?,
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
        experiments: &[timed(
            "all",
            "the cost of each engine, and its limits",
            &["engines"],
            RunExperiment::Results(engines::engines),
        )],
    },
    Paper {
        name: "korf",
        experiments: &[
            entry(
                "nodes",
                "Table 1: nodes of the search tree by depth",
                RunExperiment::Record(manhattan::nodes),
            ),
            entry(
                "manhattan",
                "section 3.1: Manhattan-type bounds and their cost",
                RunExperiment::Record(manhattan::manhattan),
            ),
            entry(
                "databases",
                "the pattern databases: sizes and mean values",
                RunExperiment::Record(korf::databases),
            ),
            search(
                "instances",
                "Table 2: ten random instances",
                &["korf-instances"],
                RunExperiment::Results(korf::instances),
            ),
            entry(
                "speed",
                "nodes per second",
                RunExperiment::Record(korf::speed),
            ),
            entry(
                "formula",
                "nodes of an iteration, predicted from the bound, and the bounds of its nodes",
                RunExperiment::Record(korf::formula),
            ),
            entry(
                "law",
                "time times memory: the law t = n/m for Korf's tables and ours",
                RunExperiment::Record(korf::law),
            ),
        ],
    },
    Paper {
        name: "fiat",
        experiments: &[entry(
            "products",
            "products and bytes of both forms of the search, by length",
            RunExperiment::Record(fiat::products),
        )],
    },
    Paper {
        name: "reid",
        experiments: &[
            entry(
                "cosets",
                "cosets of the subgroup by distance, in both metrics",
                RunExperiment::Record(reid::cosets),
            ),
            entry(
                "mean",
                "the mean of the lower bound over random positions",
                RunExperiment::Record(reid::mean),
            ),
            entry(
                "target",
                "the target subgroup T, and positions near it",
                RunExperiment::Record(reid::target_subgroup),
            ),
            entry(
                "speed",
                "nodes per second",
                RunExperiment::Record(reid::speed),
            ),
            long(
                "korf-ten",
                "all shortest solutions of Korf's ten",
                &["fast-korf-ten"],
                RunExperiment::Results(reid::korf_ten),
            ),
            search(
                "korf-ten-by-reid",
                "Korf's ten by the engines of Reid and of Korf",
                &["reid-korf-ten", "korf-instances"],
                RunExperiment::Results(reid::korf_ten_by_reid),
            ),
            PaperExperiment {
                takes_max_nodes: true,
                ..timed(
                    "superflip",
                    "the superflip by Reid's engine",
                    &["reid-superflip-htm", "reid-superflip-qtm"],
                    RunExperiment::Results(reid::superflip),
                )
            },
            entry(
                "subgroups",
                "distances to other subgroups",
                RunExperiment::Record(reid::subgroups),
            ),
        ],
    },
    Paper {
        name: "nargolkar",
        experiments: &[
            entry(
                "searches",
                "chapter 2: the plain searches on random walks",
                RunExperiment::Record(uninformed::searches),
            ),
            entry(
                "fifty-hours",
                "section 2.3.2: the cost of limit 14 with the Manhattan distance",
                RunExperiment::Record(nargolkar::fifty_hours),
            ),
            entry(
                "log",
                "appendix B: the log of a search in quarter turns",
                RunExperiment::Record(reid::log),
            ),
            entry(
                "path",
                "appendix A: a path of twelve moves",
                RunExperiment::Record(nargolkar::path),
            ),
            entry(
                "symmetry",
                "section 4.1: searches with and without symmetry",
                RunExperiment::Record(nargolkar::symmetry),
            ),
        ],
    },
    Paper {
        name: "thistlethwaite",
        experiments: &[entry(
            "stages",
            "the exact diameters of the stages, and lengths",
            RunExperiment::Record(thistlethwaite::stages),
        )],
    },
    Paper {
        name: "kociemba",
        experiments: &[
            entry(
                "example",
                "the solutions of one position, in the order in which they are found",
                RunExperiment::Record(kociemba::example),
            ),
            entry(
                "times",
                "solution length over time",
                RunExperiment::Record(kociemba::times),
            ),
        ],
    },
    Paper {
        name: "lee",
        experiments: &[
            long(
                "space",
                "Tables I and II: the stored backward space",
                &["lee-space"],
                RunExperiment::Results(lee::experiments::space),
            ),
            long(
                "absence",
                "Tables III to VIII: schemes that confirm absence",
                &["lee-hashing"],
                RunExperiment::Results(lee::experiments::absence),
            ),
            long(
                "times",
                "compared with Table VII: confirming absence, measured",
                &["lee-times"],
                RunExperiment::Results(lee::experiments::times),
            ),
            long(
                "partial",
                "Tables IX and X: bounds from partial problems",
                &["lee-partial"],
                RunExperiment::Results(lee::experiments::partial),
            ),
            long(
                "search",
                "Figure 1 and Table XI: bidirectional A*",
                &["lee-search"],
                RunExperiment::Results(lee::experiments::search),
            ),
        ],
    },
    Paper {
        name: "distances",
        experiments: &[timed(
            "distances",
            "random positions by their distance",
            &["distances"],
            RunExperiment::Results(distances::distances),
        )],
    },
    Paper {
        name: "symmetric",
        experiments: &[timed(
            "symmetric",
            "positions by their symmetry",
            &["symmetric"],
            RunExperiment::Results(symmetric::symmetric),
        )],
    },
];
