"""Data sets of positions with proven labels: the same on any machine, even after interruptions."""

from __future__ import annotations

import os
from typing import Any, Iterable, List, Optional, SupportsIndex, Tuple, Union

from . import _cosette
from ._arrays import MAX_SMALL_TABLE_DISTANCE, SMALLEST_TABLE, _bytes, _solver
from ._cosette import Cancel, Cube, Solver
from ._types import Layout, Metric, Position, WalkLength


def dataset(
    path: Union[str, os.PathLike[str]],
    n: Optional[SupportsIndex] = None,
    *,
    seed: SupportsIndex = 0,
    walk_length: Optional[WalkLength] = None,
    distance: Optional[SupportsIndex] = None,
    all_at_distance: Optional[SupportsIndex] = None,
    positions: Optional[Iterable[Position]] = None,
    symmetry: Optional[str] = None,
    coset: Optional[Position] = None,
    max_distance: Optional[SupportsIndex] = None,
    shard: Tuple[SupportsIndex, SupportsIndex] = (1, 1),
    metric: Optional[Metric] = None,
    layout: Layout = "kociemba",
    optimal_moves: bool = False,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> int:
    """Writes a data set of positions with proven lengths to a file, and returns the number of rows written.

    ``path`` ends in ``.npz``, ``.parquet``, ``.csv`` or ``.jsonl``. Each row has a position, its proven length and a
    shortest solution. A data card, which describes the contents and their origin, is written to the same path plus
    ``.md``.

    ``seed`` gives the same file on every machine. Each row has its own random sequence, so that shards can be written
    independently: the positions are not those of ``random_array`` with that seed.

    ``n`` counts the rows of all shards; 0 writes a file without rows. It may be None with ``all_at_distance`` and
    ``positions``, which then write all positions. By default, positions are uniformly random. One of these arguments
    selects others:

    - ``walk_length``: positions after random walks of this length, or of several, such as ``range(1, 15)``, which
      alternate. A half turn is one move in either metric.
    - ``distance``: random positions at exactly this distance, at most 19 (23 in qtm). Up to 16 they are sampled by
      walks, which favors positions with many shortest solutions; beyond, uniformly.
    - ``all_at_distance``: every position at this distance (at most 6), or with ``n`` a random sample of them.
    - ``positions``: these positions: an array in the layout ``layout``, or strings and ``Cube`` objects.
    - ``symmetry``: random positions whose symmetry group is exactly of this class, such as ``"C2v (a1)"``. The class
      names are those of docs/lab/symmetric.md.
    - ``coset``: random positions of the coset of this position, at most ``max_distance`` moves from solved (default
      15, at most 16; in qtm, default 18, at most 19). They have distances but no solutions. Each call searches the
      coset, which takes half a minute on two cores and 5.7 GB of memory, and starts over after an interruption.

    ``optimal_moves=True`` adds the moves that begin a shortest solution and the distance after each move.
    ``metric`` and ``layout`` are as in ``distances``; ``solver`` chooses the table and the number of threads, and
    ``cancel``, a ``Cancel``, stops the searches.

    ``shard=(3, 64)`` writes the third of 64 shards; shards are numbered from 1. An interrupted call resumes when it is
    repeated with the same arguments; until the file is complete, finished rows are stored at its path plus
    ``.journal``. If the file already exists and was made with the same arguments, the call returns at once. Any other
    existing file is left as it is, and the call raises ``ValueError``.

    The columns are ``facelets``, ``length``, ``solution``, with ``walk_length=`` also ``walk_length``, and with
    ``optimal_moves=True`` also ``optimal_moves`` and ``neighbor_distances``.

    - ``.npz``: one array per column. ``facelets`` is ``uint8`` of shape (n, 54), or (n, 6, 3, 3) for ``jumanji``;
      ``length`` is ``int8``; ``solution`` is ``int8`` and holds the moves as numbered by ``move_names``, padded with
      -1; ``walk_length`` is ``int32``; ``optimal_moves`` is ``bool`` and ``neighbor_distances`` ``int8``, both of
      shape (n, 18), or (n, 12) in qtm. The array ``about`` is the JSON of the data card.
    - ``.parquet``: the same columns and ``index``, the row number in the whole set. Array-valued columns are lists,
      and solutions are strings. The JSON of the data card is in the schema metadata, under the key ``cosette``.
    - ``.csv`` and ``.jsonl``: ``index``, ``metric`` and the same columns. Positions are facelet strings, so ``layout``
      must be the default, and ``optimal_moves`` lists the moves. With ``coset``, ``length`` is written as
      ``lower_bound`` and ``upper_bound``.

    The command ``cosette dataset`` writes the same files.

    >>> import cosette, os, tempfile, numpy
    >>> path = os.path.join(tempfile.mkdtemp(), "walks.npz")
    >>> cosette.dataset(path, 6, seed=1, walk_length=range(1, 4))
    6
    >>> numpy.load(path)["length"].tolist()
    [1, 2, 3, 1, 2, 3]
    """
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise TypeError(
            f"shard={shard!r}: pass the number of the shard and the total, such as (3, 64)"
        )
    if isinstance(walk_length, Iterable):
        walk_length = list(walk_length)
    lengths = walk_length if isinstance(walk_length, list) else [walk_length]
    is_short = all(
        isinstance(length, int) and length <= MAX_SMALL_TABLE_DISTANCE for length in lengths
    )
    is_near = all_at_distance is not None or is_short or coset is not None
    if max_distance is not None and coset is None:
        raise ValueError("max_distance= applies only to a coset; pass coset= as well")
    of_coset = None if coset is None else Cube(coset)
    cubes = None if positions is None else _cubes(positions, layout)

    def opened() -> Solver:
        return _solver(solver, metric, progress, cancel, SMALLEST_TABLE if is_near else "auto")

    return _cosette.write_dataset(
        metric if solver is None else opened().metric,
        opened,
        path,
        n,
        seed,
        walk_length,
        distance,
        all_at_distance,
        cubes,
        symmetry,
        of_coset,
        max_distance,
        tuple(shard),
        layout,
        optimal_moves,
        progress,
        cancel,
    )


def _cubes(positions: Iterable[Position], layout: Layout) -> List[Cube]:
    """Returns the positions of an array, or of a list of strings and cubes. An error includes the index."""
    # The list of a string or of a data frame is not one of positions, which `write_cubes` explains.
    if not isinstance(positions, str) and not hasattr(positions, "columns"):
        positions = list(positions)
        if positions and not any(isinstance(position, (str, Cube)) for position in positions):
            rows: Any = positions
            return _cosette.read_cubes(_bytes(rows, layout), layout)
    return _cosette.read_cubes(bytes(_cosette.write_cubes(positions, "kociemba")), "kociemba")
