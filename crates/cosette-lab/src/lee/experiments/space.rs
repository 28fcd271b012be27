//! The stored backward space as an experiment.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::MAX_DEPTH;
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Layout, StoredSpace};
use std::time::Instant;

/// The size of the stored backward space, level by level, and what building it takes; d_back is 6, or 7 with full
/// effort. The space stays in the lab's folder.
pub fn space(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let depth = if request.effort == Effort::Full { 7 } else { 6 };
    let (path, paper_path) =
        (StoredSpace::path_in(lab, depth), lab.folder.path().join(format!("lee-space-{depth}-paper")));
    let start = Instant::now();
    let classes = Perimeter::new(depth, lab)?;
    let classing = start.elapsed().as_secs_f64();

    let mut levels = Table::new(
        "Positions by distance, half-turn metric. The paper itself states 40 bytes a position, 4.36 GB within seven \
         moves.",
        &["within", "positions", "classes on the level", "MB, 9 bytes each", "MB, 40 bytes each", "paper, MB", "ratio"],
    );
    let megabytes = |distance, layout| StoredSpace::file_size(distance, layout) as f64 / 1e6;
    for distance in 0..=MAX_DEPTH {
        let paper = megabytes(distance, Layout::Paper);
        let figure = (distance == 7).then_some(4360.0);
        levels.row([
            Cell::Count(distance.into()),
            Cell::Count(StoredSpace::level(distance).end),
            Cell::count(classes.counts().get(usize::from(distance)).copied()),
            Cell::Number(megabytes(distance, Layout::Compact), 2),
            Cell::Number(paper, 2),
            figure.map_or(Cell::Nothing, |figure| Cell::Number(figure, 0)),
            figure.map_or(Cell::Nothing, |figure| Cell::ratio(paper, figure)),
        ]);
    }

    let mut building = Table::new(
        format!("Building the positions within {depth} moves with {} threads.", lab.control.threads()),
        &["what", "bytes a position", "bytes", "seconds to build", "seconds to check"],
    );
    for (layout, path) in [(Layout::Compact, &path), (Layout::Paper, &paper_path)] {
        let what = format!("storing the positions within {depth} moves, {} bytes each", layout.bytes());
        let start = Instant::now();
        let space = StoredSpace::build(path, depth, layout, &lab.control.step(&what));
        if layout == Layout::Paper && space.is_err() {
            // It is not needed again.
            StoredSpace::remove(path)?;
        }
        let (space, seconds) = (space?, start.elapsed().as_secs_f64());
        let start = Instant::now();
        space.verify(&lab.control.silent())?;
        building.row([
            Cell::text(layout.name()),
            Cell::Count(layout.bytes() as u64),
            Cell::Count(StoredSpace::file_size(depth, layout)),
            Cell::Seconds(seconds),
            Cell::Seconds(start.elapsed().as_secs_f64()),
        ]);
    }
    StoredSpace::remove(&paper_path)?;
    building.row([
        Cell::text("classes, in memory"),
        Cell::Number(classes.bytes() as f64 / StoredSpace::level(depth).end as f64, 2),
        Cell::Count(classes.bytes()),
        Cell::Seconds(classing),
        Cell::Nothing,
    ]);

    Ok(Experiment::new("space", "The stored backward space", "Lee 2013, the backward space")
        .text(
            "All positions within d_back moves of solved, in breadth-first order, each with a move that leads one \
             level closer to solved. A position takes 72 bits here: 27 for the arrangement of the corners, 40 for \
             that of the edges, 5 for the move. The paper takes 40 bytes and does not say how they are used: we \
             assume a byte for each of the twenty slots, one for the move, and padding.",
        )
        .text(
            "The space is built from its symmetry classes and written in order, block by block, with checksums; \
             the seconds to build include syncing it to disk. It was checked right afterwards, while it was in the \
             page cache.",
        )
        .tables([levels, building]))
}
