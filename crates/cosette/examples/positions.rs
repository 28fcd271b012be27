//! Positions as values: formats, products, inverses, symmetry. No table is needed.

use cosette::cube::{DisplayMoves, Metric, Symmetry};
use cosette::{Cube, Sequence};

fn main() -> Result<(), cosette::ParseError> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: positions");
        return Ok(());
    }
    // Any format is read by itself; `Display` writes facelets.
    let commutator: Cube = "R U R' U'".parse()?;
    assert_eq!(commutator.to_string().parse(), Ok(commutator));

    // A sequence keeps its rotations: the position is the cube as it is held at the end.
    let wide: Sequence = "Rw U x'".parse()?;
    println!(
        "{wide} turns {} faces: {}",
        wide.moves().len(),
        DisplayMoves(wide.moves())
    );

    // Products are read left to right, and every position has an inverse.
    let order = (1..).find(|&n| {
        std::iter::repeat_n(commutator, n)
            .fold(Cube::SOLVED, |product, p| product * p)
            .is_solved()
    });
    println!(
        "R U R' U' has order {}",
        order.expect("every position has an order")
    );
    assert!((commutator * commutator.inverse()).is_solved());

    // 48 symmetries: conjugates are equally far from solved, and the lowest of them stands for all.
    let mirrored = commutator.conjugate(
        Symmetry::all()
            .find(|s| s.is_mirror())
            .expect("24 are mirrors"),
    );
    assert_eq!(mirrored.representative(), commutator.representative());
    let superflip: Cube = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse()?;
    println!(
        "the superflip is fixed by {} symmetries",
        superflip.symmetries().len()
    );

    // Lengths depend on the metric.
    let half: Sequence = "R2 U".parse()?;
    println!(
        "R2 U: length {} in half turns, {} in quarter turns",
        Metric::Htm.length(half.moves()),
        Metric::Qtm.length(half.moves())
    );
    Ok(())
}
