"""Data sets of positions with proven labels: the same for the same arguments, on any machine, however it is interrupted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Optional, SupportsIndex, Tuple, Union

from . import _cosette
from ._arrays import NEAR, SMALLEST, _solver
from ._cosette import Cube, Solver

if TYPE_CHECKING:
    from ._cosette import _Metric, _Order


def dataset(
    path: Union[str, os.PathLike[str]],
    n: Optional[SupportsIndex] = None,
    *,
    seed: SupportsIndex = 0,
    walks: Optional[Iterable[SupportsIndex]] = None,
    distance: Optional[SupportsIndex] = None,
    depth: Optional[SupportsIndex] = None,
    positions: Optional[Iterable[Union[str, Cube]]] = None,
    symmetry: Optional[str] = None,
    coset: Optional[Union[str, Cube]] = None,
    within: Optional[SupportsIndex] = None,
    shard: Tuple[SupportsIndex, SupportsIndex] = (1, 1),
    metric: Optional[_Metric] = None,
    order: _Order = "kociemba",
    optimal_moves: bool = False,
    progress: Optional[bool] = None,
    solver: Optional[Solver] = None,
) -> int:
    """Writes ``n`` positions with their proven lengths, and a solution of each, into a file ``.npz``, ``.parquet``, ``.csv`` or
    ``.jsonl``, and beside it, with ``.md`` behind the name, what is in it and how it was made. Returns the number of rows.

    The positions are uniformly random; or those after random ``walks`` of each of these lengths in turn, half turns as one move in
    either metric; random ones at a ``distance``; all at a ``depth``, up to 6, or random ones of them; those of a list; random ones that exactly a class of symmetries fixes (``symmetry="C2v (a1)"``,
    as the lab's page of symmetric positions names them); or random ones of the ``coset`` of a position, at most ``within`` moves from solved
    (15, or 18 quarter turns), with distances and without solutions, for which a search of some 20 seconds needs 5.7 GB of memory. With ``optimal_moves`` there are also the moves that begin a
    shortest solution, and the distance of each neighbour. ``shard=(3, 64)`` writes the third of 64 parts. Started again with the
    same arguments, an interrupted call continues. A file that is there is not replaced.

    ``.npz`` has the arrays ``facelets`` in the ``order`` (``jumanji``: of the shape (n, 6, 3, 3)), ``lengths``, ``solutions`` (moves as ``move_names`` numbers them, then
    -1), ``walks``, ``optimal`` and ``neighbours``. Parquet has them as columns, with a list in each row and solutions as text, and
    how it was made in the metadata ``cosette`` of its schema. Text has facelet strings. ``cosette dataset`` makes the same files.

    >>> import cosette, os, tempfile, numpy
    >>> path = os.path.join(tempfile.mkdtemp(), "walks.npz")
    >>> cosette.dataset(path, 6, seed=1, walks=range(1, 4))
    6
    >>> numpy.load(path)["lengths"].tolist()
    [1, 2, 3, 1, 2, 3]
    """
    if isinstance(walks, (str, int)):
        raise TypeError(f"walks={walks!r}: give a list of lengths, as in [4, 8] or range(1, 15)")
    lengths = None if walks is None else list(walks)
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise TypeError(f"shard={shard!r}: give the number of the shard and how many there are, as in (3, 64)")
    # Read as a list is, so that an error names the position.
    cubes = None if positions is None else _cosette.read_cubes(bytes(_cosette.write_cubes(positions, "kociemba")), "kociemba")
    is_short = lengths is not None and all(isinstance(length, int) and length <= NEAR for length in lengths)
    is_near = depth is not None or is_short or coset is not None
    if within is not None and coset is None:
        raise ValueError("within= is of a coset; give coset= too")
    of_coset = Cube(coset) if isinstance(coset, str) else coset
    by = _solver(solver, metric, progress, SMALLEST if is_near else "auto")
    return _cosette.write_dataset(
        by, path, n, seed, lengths, distance, depth, cubes, symmetry, of_coset, within, tuple(shard), order, optimal_moves, progress
    )
