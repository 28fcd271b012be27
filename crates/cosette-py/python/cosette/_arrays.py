"""NumPy arrays of positions, in the layouts of machine-learning projects.

An array has one row per position, of the shape (54,), or (6, 3, 3) with ``layout="jumanji"``; for jumanji, rows
of 54 are accepted as well. The values are colors, 0 to 5, or facelet indices of the solved cube, 0 to 53. Functions
accept both in every layout, with any integer dtype; those that create positions return ``uint8`` arrays with the
kind of values listed in the column *values* below.

A layout defines the order of the facelets, which face each color number belongs to, and how moves are numbered:

| layout | faces | each face | values | moves |
|---|---|---|---|---|
| ``kociemba`` | U R F D L B | row by row | colors | U U2 U' R R2 R' … |
| ``deepcubea`` | U D L R B F | column by column, each from the bottom | facelet indices | U' U D' D L' L R' R B' B F' F |
| ``cayleypy`` | U D L R B F | as DeepCubeA | colors | U D L R B F U' D' L' R' B' F' |
| ``santa`` | U F R B L D | row by row | colors | f0 f2 r0 r2 d0 d2 (F B' R L' D U'), then -f0 … -d2 |
| ``jumanji`` | U F R B L D | row by row | colors | U U' U2 F F' F2 … |

If a project has no half turns, they are numbered after its own moves, in the order of the *faces* column: for
``santa``, U2 F2 R2 B2 L2 D2. The centers determine which color belongs to which face, so the cube may be in any
orientation.
"""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    SupportsIndex,
    Union,
)

from . import _cosette
from ._cosette import Cube, Solver

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._cosette import _Metric, _Layout

MAX_SMALL_TABLE_DISTANCE = 11
"""Up to this distance the smallest table is about as fast as a large one, 0.1 ms per position or less."""

SMALLEST_TABLE = "24M"
"""Name of the smallest table."""


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError("arrays need NumPy, which is not installed; pip install numpy") from error
    return numpy


def _rows_of(array: Any, layout: str) -> Any:
    """Returns the array as rows of integers in the shape of the layout; raises if that is not possible."""
    numpy = _numpy()
    shape = (6, 3, 3) if layout == "jumanji" else (54,)
    array = numpy.asarray(array)
    if array.shape == (0,):  # an empty list
        return numpy.empty((0, *shape), "uint8")
    if array.dtype.kind == "U" and array.ndim > 1:
        raise TypeError("array has numbers as strings: pass array.astype('uint8')")
    if (
        array.dtype.kind == "S"
        or array.dtype == object
        and array.size
        and isinstance(array.flat[0], bytes)
    ):
        raise TypeError(
            "array has bytes: pass numpy.frombuffer(data, 'uint8') in the shape of the layout"
        )
    if (
        array.dtype.kind == "U"
        or array.dtype == object
        and array.size
        and isinstance(array.flat[0], (str, Cube))
    ):
        raise TypeError(
            "array has strings or cubes, not facelets as numbers: pass cosette.to_array(array)"
        )
    if array.dtype == object and array.ndim == 2 and array.shape[1] == 1:  # a data frame
        raise TypeError(
            "array is a table of one column: pass the column itself, frame['facelets'], not frame[['facelets']]"
        )
    if array.dtype == object:  # a column of lists
        try:
            array = numpy.stack([numpy.asarray(row) for row in array])
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"array is a column of objects that are not rows of numbers: {error}"
            ) from error
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"array has the type {array.dtype}: pass integers, as in array.astype('uint8')"
        )
    if array.shape[1:] == (54,):  # also blocks stored as rows, as in a table
        array = array.reshape(-1, *shape)
    if array.shape[1:] != shape or array.ndim < 2:
        rows = ", ".join(map(str, ("n", *shape)))
        one = "; for one position, pass array[None]" if array.shape == shape else ""
        raise ValueError(
            f"array has the shape {array.shape}: layout='{layout}' takes ({rows}){one}"
        )
    return array


def _bytes(array: Any, layout: str) -> bytes:
    """Returns the rows as bytes. A number outside 0 to 255 becomes 255, which is not a facelet."""
    numpy = _numpy()
    array = _rows_of(array, layout)
    if array.dtype != numpy.uint8:
        array = numpy.where((array < 0) | (array > 255), 255, array).astype(numpy.uint8)
    data: bytes = array.tobytes()
    return data


def _array(data: bytearray, layout: str) -> Any:
    numpy = _numpy()
    array = numpy.frombuffer(data, numpy.uint8)
    return array.reshape((-1, 6, 3, 3) if layout == "jumanji" else (-1, 54))


def _solver(
    solver: Optional[Solver], metric: Optional[str], progress: Optional[bool], table: str = "auto"
) -> Solver:
    """Returns ``solver``, or if it is None the shared solver for this metric and table."""
    from . import _shared_solver

    if not isinstance(solver, (Solver, type(None))):
        raise TypeError(
            f"solver={solver!r}: pass a Solver, such as cosette.Solver({solver!r}), or None"
        )
    if solver is None:
        return _shared_solver("htm" if metric is None else metric, progress, table)
    if metric is not None and metric != solver.metric:
        raise ValueError(
            f"metric={metric!r}: the table of solver= is for {solver.metric}; remove metric="
        )
    return solver


def _rows(data: bytes, rows: Any) -> bytes:
    """Selects rows of the positions."""
    chosen: bytes = _numpy().frombuffer(data, "uint8").reshape(-1, 54)[rows].tobytes()
    return chosen


def distances(
    array: ArrayLike,
    *,
    metric: Optional[_Metric] = None,
    layout: _Layout = "kociemba",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    journal: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    solver: Optional[Solver] = None,
) -> NDArray[np.int8]:
    """Returns the proven distance of each position from solved, as an ``int8`` array of shape (n,).

    A distance is -1 if it exceeds ``max_length``, or was not proven within ``timeout`` seconds (per position).

    - ``metric``: ``"htm"`` (default) or ``"qtm"``. Omit it with ``solver``, which has its own metric.
    - ``layout``: the layout of ``array``; see ``help(cosette._arrays)``.
    - ``solver``: chooses the table and the number of threads. By default, positions within eleven moves of solved
      use the 24 MB table, and the shared solver loads a larger table only if there are positions farther away. For
      many random positions, use a larger table, as in ``solver=cosette.Solver("1.5G")``: with the default of 190 MB,
      each takes several seconds on two cores.
    - ``journal``: the path of a file. Positions farther than eleven moves are stored there as they are solved, and the
      same call resumes after an interruption, as in ``solve_many``; nearer positions are recomputed.

    Each position is solved with one thread, and as many in parallel as the solver has threads. A row that is not a
    valid position raises ``InvalidCubeError`` with its ``index``; use ``validity`` to filter such rows out.

    >>> import cosette
    >>> cubes = cosette.random_array(3, seed=1, walk_length=5, layout="deepcubea")
    >>> cubes.shape, cosette.distances(cubes, layout="deepcubea").tolist()
    ((3, 54), [5, 5, 5])
    """
    numpy = _numpy()
    data = _bytes(array, layout)
    found = numpy.full(len(data) // 54, -1, numpy.int8)
    left = numpy.arange(len(found))

    def solve(by: Solver, at_most: int) -> None:
        nonlocal left
        # The positions left for the journal must not depend on a clock: near positions take negligible time.
        limit = None if at_most == MAX_SMALL_TABLE_DISTANCE and journal is not None else timeout
        lengths = _cosette.distances(
            by, _rows(data, left), layout, max_length, at_most, limit, progress
        )
        found[left] = numpy.frombuffer(lengths, numpy.int8)
        left = numpy.flatnonzero(found < 0)

    solve(_solver(solver, metric, progress, SMALLEST_TABLE), MAX_SMALL_TABLE_DISTANCE)
    if (
        not len(left)
        or max_length is not None
        and max_length.__index__() <= MAX_SMALL_TABLE_DISTANCE
    ):
        return found  # type: ignore[no-any-return]
    solver = _solver(solver, metric, progress)
    if journal is None:
        solve(solver, 255)
        return found  # type: ignore[no-any-return]
    cubes = _cosette.read_cubes(_rows(data, left), layout)
    answers = solver.solve_many(
        cubes, max_length=max_length, timeout=timeout, journal=journal, progress=progress
    )
    for answer in answers:
        assert answer.index is not None
        # A known solution that is one move longer than the limit may be proven.
        if answer.length is not None and (
            max_length is None or answer.length <= max_length.__index__()
        ):
            found[left[answer.index]] = answer.length
    return found  # type: ignore[no-any-return]


class OptimalMoves(NamedTuple):
    """The result of ``optimal_moves``: two arrays with a row per position and a column per move.

    ``optimal`` is True where the move begins a shortest solution. ``neighbor_distances`` holds the distance from
    solved after the move. Columns are in the order of ``move_names``.
    """

    optimal: NDArray[np.bool_]
    neighbor_distances: NDArray[np.int8]


def optimal_moves(
    array: ArrayLike,
    *,
    metric: Optional[_Metric] = None,
    layout: _Layout = "kociemba",
    progress: Optional[bool] = None,
    solver: Optional[Solver] = None,
) -> OptimalMoves:
    """Returns, for each position, which moves begin a shortest solution, and the proven distance after each move.

    Both arrays have 18 columns, or 12 in the quarter-turn metric, in the order of ``move_names(layout, metric)``.
    ``metric``, ``layout`` and ``solver`` are as in ``distances``. In htm, random positions take 20 to 50 times as long
    as in ``distances``. There is no time limit and no journal: to resume after an interruption, use ``dataset`` with
    ``positions`` and ``optimal_moves=True``.

    >>> import cosette
    >>> labels = cosette.optimal_moves(cosette.to_array(["R U"], layout="cayleypy"), layout="cayleypy", metric="qtm")
    >>> [move for move, is_optimal in zip(cosette.move_names("cayleypy", "qtm"), labels.optimal[0]) if is_optimal]
    ["U'"]
    >>> labels.neighbor_distances[0].tolist()
    [3, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3]
    """
    numpy = _numpy()
    data = _bytes(array, layout)
    near = _solver(solver, metric, progress, SMALLEST_TABLE)
    labels = _cosette.distances(
        near, data, layout, None, MAX_SMALL_TABLE_DISTANCE - 2, None, progress
    )
    lengths = numpy.frombuffer(labels, numpy.int8)
    found = numpy.empty((len(lengths), 18 if near.metric == "htm" else 12), numpy.int8)
    for is_near in (True, False):
        rows = numpy.flatnonzero((lengths >= 0) == is_near)
        if len(rows):
            by = near if is_near else _solver(solver, metric, progress)
            labels = _cosette.neighbor_distances(by, _rows(data, rows), layout, progress)
            found[rows] = numpy.frombuffer(labels, numpy.int8).reshape(len(rows), -1)
    # Some move reduces the distance, except at the solved cube, the only position whose neighbors are all at 1.
    nearest = found == found.min(axis=1, keepdims=True)
    return OptimalMoves(nearest & (found != 1).any(axis=1, keepdims=True), found)


class ValidityReport(NamedTuple):
    """The result of ``validity``.

    ``mask`` is True for valid rows. ``reasons`` maps the index of each invalid row to the error.
    """

    mask: NDArray[np.bool_]
    reasons: Dict[int, str]


def validity(array: ArrayLike, *, layout: _Layout = "kociemba") -> ValidityReport:
    """Checks which rows are valid positions, and why the others are not. ``array[report.mask]`` keeps the valid rows.

    >>> import cosette
    >>> cubes = cosette.random_array(3, seed=1)
    >>> cubes[1, 0] = 77
    >>> cosette.validity(cubes)
    ValidityReport(mask=array([ True, False,  True]), reasons={1: 'the number 77 at place 0 is neither ...
    """
    faults = _cosette.faults(_bytes(array, layout), layout)
    reasons = {row: fault for row, fault in enumerate(faults) if fault is not None}
    return ValidityReport(_numpy().array([fault is None for fault in faults], bool), reasons)


def apply_moves(
    array: ArrayLike,
    moves: Union[str, ArrayLike],
    *,
    metric: _Metric = "htm",
    layout: _Layout = "kociemba",
) -> NDArray[np.integer[Any]]:
    """Returns the positions after ``moves``.

    ``moves`` is a string, which is applied to every row, or an integer array of shape (n,) or (n, k) with the moves
    of each row as indices into ``move_names(layout, metric)``. The result has the dtype of ``array`` and, like it,
    holds colors or facelet indices. Rotations and slices in a string, such as ``x`` and ``M``, also move the centers.

    >>> import cosette
    >>> solved = cosette.to_array([cosette.Cube(), cosette.Cube()])
    >>> [cube.facelets()[:9] for cube in cosette.to_cubes(cosette.apply_moves(solved, [0, 17]))]
    ['UUUUUUUUU', 'LLLUUUUUU']
    """
    numpy = _numpy()
    given = _rows_of(array, layout)
    rows = given.reshape(-1, 54)
    names = move_names(layout, metric)
    if isinstance(moves, str):
        sources = list(_cosette.facelets_after(moves, layout))
        return rows[:, sources].reshape(given.shape)  # type: ignore[no-any-return]
    numbers = numpy.asarray(moves)
    allowed = "pass a string, or one integer or row of integers for each position"
    if numbers.size and numbers.dtype.kind not in "iu":
        raise TypeError(f"moves has the type {numbers.dtype}: {allowed}")
    if numbers.shape[:1] != rows.shape[:1] or numbers.ndim > 2:
        raise ValueError(f"moves has the shape {numbers.shape}: {allowed}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(names):
        raise ValueError(
            f"moves={numbers.min()}…{numbers.max()}: pass integers from 0 to {len(names) - 1}"
        )
    of_moves = numpy.array([list(_cosette.facelets_after(name, layout)) for name in names])
    columns = numbers[:, None] if numbers.ndim == 1 else numbers
    for column in columns.astype(int).T:
        rows = numpy.take_along_axis(rows, of_moves[column], axis=1)
    return rows.reshape(given.shape)  # type: ignore[no-any-return]


def random_array(
    n: SupportsIndex,
    seed: Optional[SupportsIndex] = None,
    *,
    walk_length: Optional[SupportsIndex] = None,
    layout: _Layout = "kociemba",
) -> NDArray[np.uint8]:
    """Returns ``n`` random positions as a ``uint8`` array.

    They are uniformly random or, with ``walk_length``, reached by random walks of that many face turns (a half turn
    is one). A seed gives the same positions on every machine: those of ``random_positions(seed)`` or
    ``random_walks(walk_length, seed)``.

    >>> import cosette
    >>> cosette.random_array(2, seed=7, layout="jumanji").shape
    (2, 6, 3, 3)
    """
    return _array(_cosette.random_facelets(n, walk_length, seed, layout), layout)  # type: ignore[no-any-return]


def representatives(array: ArrayLike, *, layout: _Layout = "kociemba") -> NDArray[np.uint8]:
    """Replaces each position by the representative of its symmetry class, i.e. of its 48 conjugates.

    The result has as many rows as ``array``. To remove positions that are equivalent under symmetry, apply
    ``numpy.unique(..., axis=0)`` to it.
    """
    return to_array(
        (cube.representative() for cube in to_cubes(array, layout=layout)), layout=layout
    )


def to_array(
    positions: Iterable[Union[str, Cube]], *, layout: _Layout = "kociemba"
) -> NDArray[np.uint8]:
    """Converts positions, each a string or a ``Cube``, to a ``uint8`` array.

    >>> import cosette
    >>> cosette.to_array(["R"], layout="santa")[0, 2::3].tolist()
    [1, 1, 1, 5, 5, 5, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3]
    """
    return _array(_cosette.write_cubes(positions, layout), layout)  # type: ignore[no-any-return]


def to_cubes(array: ArrayLike, *, layout: _Layout = "kociemba") -> List[Cube]:
    """Converts an array of positions to a list of ``Cube`` objects."""
    return _cosette.read_cubes(_bytes(array, layout), layout)


def move_names(layout: _Layout = "kociemba", metric: _Metric = "htm") -> List[str]:
    """Returns the moves in the order in which ``optimal_moves``, ``apply_moves`` and ``dataset`` number them.

    There are 18 in htm, and the 12 quarter turns in qtm.

    >>> import cosette
    >>> cosette.move_names("jumanji")[:6]
    ['U', "U'", 'U2', 'F', "F'", 'F2']
    """
    return _cosette.move_names(layout, metric)
