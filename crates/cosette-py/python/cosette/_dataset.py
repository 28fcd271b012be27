"""Data sets of positions with proven labels, reproducible on any machine, even after interruptions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Optional, SupportsIndex, Tuple, Union

from . import _cosette
from ._arrays import MAX_SMALL_TABLE_DISTANCE, SMALLEST_TABLE, _solver
from ._cosette import Cube, Solver

if TYPE_CHECKING:
    from ._cosette import _Metric, _Layout


def dataset(
    path: Union[str, os.PathLike[str]],
    n: Optional[SupportsIndex] = None,
    *,
    seed: SupportsIndex = 0,
    walks: Optional[Iterable[SupportsIndex]] = None,
    distance: Optional[SupportsIndex] = None,
    all_at_distance: Optional[SupportsIndex] = None,
    positions: Optional[Iterable[Union[str, Cube]]] = None,
    symmetry: Optional[str] = None,
    coset: Optional[Union[str, Cube]] = None,
    max_distance: Optional[SupportsIndex] = None,
    shard: Tuple[SupportsIndex, SupportsIndex] = (1, 1),
    metric: Optional[_Metric] = None,
    layout: _Layout = "kociemba",
    optimal_moves: bool = False,
    progress: Optional[bool] = None,
    solver: Optional[Solver] = None,
) -> int:
    """Writes ``n`` positions with their proven lengths, and a solution of each, to a file ``.npz``, ``.parquet``,
    ``.csv`` or ``.jsonl``, and a description of its contents and origin to a file of the same name with ``.md``
    appended. Returns the number of rows.

    The source of the positions is one of these; by default they are uniformly random:

    - ``walks``: random walks, cycling through these lengths; a half turn is one move in either metric;
    - ``distance``: random positions at this distance;
    - ``all_at_distance``: all positions at this distance, up to 6, or ``n`` random ones of them;
    - ``positions``: a list;
    - ``symmetry``: random positions whose stabilizer belongs to exactly this class, such as ``"C2v (a1)"``, with
      the names of the lab's page of symmetric positions;
    - ``coset``: random positions of the coset of a position, at most ``max_distance`` moves from solved (15, or
      18 quarter turns), with distances but without solutions. The search takes some 20 seconds and 5.7 GB of
      memory.

    ``optimal_moves`` adds the moves that begin a shortest solution, and the distance of each neighbor.
    ``shard=(3, 64)`` writes the third of 64 shards. An interrupted call resumes when it is repeated with the same
    arguments. An existing file is never replaced.

    The columns are ``facelets``, ``length``, ``solution``, ``walk_length`` (with ``walks``), and ``optimal_moves``
    and ``neighbor_distances`` (with ``optimal_moves=True``).

    - ``.npz``: one array per column. ``facelets`` has the shape (n, 54) in the given ``layout``, or (n, 6, 3, 3) for
      ``jumanji``; ``solution`` holds the moves as numbered by ``move_names``, padded with -1.
    - ``.parquet``: the same columns and ``index``. Array-valued columns are lists, and solutions are strings. The
      data card is also in the schema metadata, under the key ``cosette``.
    - ``.csv`` and ``.jsonl``: positions are facelet strings, and ``optimal_moves`` lists the moves.

    The command ``cosette dataset`` writes the same files.

    >>> import cosette, os, tempfile, numpy
    >>> path = os.path.join(tempfile.mkdtemp(), "walks.npz")
    >>> cosette.dataset(path, 6, seed=1, walks=range(1, 4))
    6
    >>> numpy.load(path)["length"].tolist()
    [1, 2, 3, 1, 2, 3]
    """
    if isinstance(walks, (str, int)):
        raise TypeError(f"walks={walks!r}: pass a list of lengths, such as [4, 8] or range(1, 15)")
    lengths = None if walks is None else list(walks)
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise TypeError(f"shard={shard!r}: pass the number of the shard and the total, such as (3, 64)")
    # Read like a list, so that an error includes the index of the position.
    cubes = None if positions is None else _cosette.read_cubes(bytes(_cosette.write_cubes(positions, "kociemba")), "kociemba")
    is_short = lengths is not None and all(isinstance(length, int) and length <= MAX_SMALL_TABLE_DISTANCE for length in lengths)
    is_near = all_at_distance is not None or is_short or coset is not None
    if max_distance is not None and coset is None:
        raise ValueError("max_distance= applies only to a coset; pass coset= as well")
    of_coset = Cube(coset) if isinstance(coset, str) else coset
    by = _solver(solver, metric, progress, SMALLEST_TABLE if is_near else "auto")
    return _cosette.write_dataset(
        by, path, n, seed, lengths, distance, all_at_distance, cubes, symmetry, of_coset, max_distance, tuple(shard), layout,
        optimal_moves, progress,
    )
