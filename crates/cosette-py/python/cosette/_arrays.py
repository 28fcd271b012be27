"""Arrays of positions; see ``layouts``."""

from __future__ import annotations

import os
import time
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Sequence,
    SupportsIndex,
    TypeVar,
    Union,
    overload,
)

from . import _cosette
from ._cosette import Answer, Answers, Cancel, Cube, Solver
from ._types import Layout, Metric, Position, Seed, WalkLength

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    _Integer = TypeVar("_Integer", bound=np.integer[Any])

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
    cubes = array if isinstance(array, (list, tuple)) else [array]
    if any(isinstance(cube, Cube) for cube in cubes):  # whose own arrays are in one layout
        raise TypeError(
            "array has strings or cubes, not facelets as numbers: pass cosette.to_array(array)"
        )
    if isinstance(array, numpy.ma.MaskedArray) and numpy.ma.is_masked(array):
        raise TypeError("array is masked: pass the rows to use, as in array.data[rows]")
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
    if array.dtype == object and not array.ndim:
        name = type(array.item()).__name__
        raise TypeError(f"array has the type {name}: pass an array with a row for each position")
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
    solver: Optional[Solver],
    metric: Optional[str],
    progress: Optional[bool],
    cancel: Optional[Cancel],
    table: str = "auto",
) -> Solver:
    """Returns ``solver``, or if it is None the shared solver for this metric and table."""
    from . import _shared_solver, _solver_for

    if solver is None:
        return _shared_solver("htm" if metric is None else metric, progress, cancel, table)
    if metric is not None and isinstance(solver, Solver) and metric != solver.metric:
        raise ValueError(
            f"metric={metric!r}: the table of solver= is for {solver.metric}; remove metric="
        )
    return _solver_for(solver, None, progress, cancel)


def _rows(data: bytes, rows: Any) -> bytes:
    """Selects rows of the positions."""
    chosen: bytes = _numpy().frombuffer(data, "uint8").reshape(-1, 54)[rows].tobytes()
    return chosen


_UNREACHED = -2
"""The label of a row that was not searched within the budget of a call."""


class _Labels:
    """The labels of rows, -1 in rows that are not labeled."""

    def __init__(self, data: bytes, layout: str, shape: Sequence[int]) -> None:
        numpy = _numpy()
        self.data = data
        self.layout = layout
        self.values = numpy.full((len(data) // 54, *shape), -1, numpy.int8)
        self.left = numpy.arange(len(self.values))
        """The rows that are not searched yet."""

    def search(self, label: Callable[[bytes], bytearray]) -> None:
        """Labels the rows that are left. Those that ``label`` did not search are left again."""
        if not len(self.left):
            return
        numpy = _numpy()
        found = numpy.frombuffer(label(_rows(self.data, self.left)), numpy.int8)
        found = found.reshape(len(self.left), *self.values.shape[1:])
        self.values[self.left] = numpy.maximum(found, -1)
        self.left = self.left[found.reshape(len(self.left), -1)[:, 0] == _UNREACHED]

    def search_far(
        self,
        label: Callable[[Solver, Optional[float], bytes], bytearray],
        near: Solver,
        seconds: float,
        far: Callable[[], Solver],
    ) -> None:
        """Labels the rows that are left with the solver ``far``.

        If that takes ``seconds`` to generate its table, the solver ``near`` searches first, while it is expected to
        need less time than that: at most for as long as generating takes.
        """
        for budget in (seconds / 10, seconds):
            count = len(self.left)
            if not count or not budget:
                break
            begun = time.monotonic()
            self.search(lambda data: label(near, budget, data))
            spent = time.monotonic() - begun
            if len(self.left) * spent > seconds * (count - len(self.left)):
                break
        if len(self.left):
            solver = far()
            self.search(lambda data: label(solver, None, data))


def _seconds_to_generate(solver: Optional[Solver], near: Solver) -> float:
    """Returns the estimated time to generate the table of the shared solver, 0 if it is there."""
    from . import _solvers

    shared = _solvers.get((near.metric, "auto"))
    is_open = shared is not None and not shared.closed
    return 0.0 if solver or is_open else _cosette.generation_seconds(near.metric)


def distances(
    array: ArrayLike,
    *,
    metric: Optional[Metric] = None,
    layout: Layout = "kociemba",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    journal: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> NDArray[np.int8]:
    """Returns the proven distance of each position from solved, as an ``int8`` array of shape (n,).

    A distance is -1 if it exceeds ``max_length``, or was not proven within ``timeout`` seconds (per position).

    - ``metric``: ``"htm"`` (default) or ``"qtm"``. Omit it with ``solver``, which has its own metric.
    - ``layout``: the layout of ``array``; see ``help(cosette.layouts)``.
    - ``solver``: chooses the table and the number of threads. By default, positions within eleven moves of solved
      use the 24 MB table, and farther ones the table of the shared solver. If that table has to be generated, the
      24 MB table is used for all positions, unless they are expected to take longer than generating the other one, or
      a ``journal`` is given. A ``UserWarning`` announces the generation where no progress is shown. For many random
      positions, use a larger table, ``solver=cosette.Solver("1.5G")``: with the default of 190 MB, each takes several
      seconds on two cores.
    - ``journal``: the path of a file. Positions farther than eleven moves are stored there as they are solved, and the
      same call resumes after an interruption, as in ``solve_many``; nearer positions are recomputed.
    - ``cancel``: a ``Cancel``, which stops the searches.

    Each position is solved with one thread, and as many in parallel as the solver has threads. A row that is not a
    valid position raises ``InvalidCubeError`` with its ``index``; use ``validity`` to filter such rows out.

    >>> import cosette
    >>> cubes = cosette.random_array(3, seed=1, walk_length=5, layout="deepcubea")
    >>> cubes.shape, cosette.distances(cubes, layout="deepcubea").tolist()
    ((3, 54), [5, 5, 5])
    """
    labels = _Labels(_bytes(array, layout), layout, ())
    at_most = 255

    def label(by: Solver, budget: Optional[float], data: bytes) -> bytearray:
        # The positions left for the journal must not depend on a clock: near positions take negligible time.
        limit = None if at_most == MAX_SMALL_TABLE_DISTANCE and journal is not None else timeout
        return _cosette.distances(
            by, data, layout, max_length, at_most, limit, budget, progress, cancel
        )

    near = _solver(solver, metric, progress, cancel, SMALLEST_TABLE)
    at_most = MAX_SMALL_TABLE_DISTANCE
    labels.search(lambda data: label(near, None, data))
    at_most = 255
    if max_length is not None and max_length.__index__() <= MAX_SMALL_TABLE_DISTANCE:
        return labels.values  # type: ignore[no-any-return]
    labels.left = _numpy().flatnonzero(labels.values < 0)

    _label_far(
        labels,
        label,
        lambda answer: answer.length,
        near,
        solver=solver,
        metric=metric,
        max_length=max_length,
        timeout=timeout,
        journal=journal,
        progress=progress,
        cancel=cancel,
        optimal_moves=False,
    )
    return labels.values  # type: ignore[no-any-return]


def _label_far(
    labels: _Labels,
    label: Callable[[Solver, Optional[float], bytes], bytearray],
    value: Callable[[Answer], Any],
    near: Solver,
    *,
    solver: Optional[Solver],
    metric: Optional[Metric],
    max_length: Optional[SupportsIndex],
    timeout: Optional[float],
    journal: Union[str, os.PathLike[str], None],
    progress: Optional[bool],
    cancel: Optional[Cancel],
    optimal_moves: bool,
) -> None:
    """Labels the rows that are left by ``label``, or with a journal by the ``value`` of each answer."""

    def far() -> Solver:
        return _solver(solver, metric, progress, cancel)

    if journal is None:
        labels.search_far(label, near, _seconds_to_generate(solver, near), far)
        return
    if not len(labels.left):
        return
    count = len(labels.values)
    settings = {
        "metric": near.metric,
        "max_length": max_length,
        "optimal_moves": optimal_moves,
    }
    _cosette.check_journal(journal, count, **settings)
    # Two keywords are not for users: their answers would have the moves only as a dictionary.
    solve_many: Callable[..., Answers[Answer]] = far().solve_many
    answers = solve_many(
        _cosette.read_cubes(_rows(labels.data, labels.left), labels.layout),
        timeout=timeout,
        journal=journal,
        progress=progress,
        cancel=cancel,
        list_length=count,
        **settings,
    )
    for answer in answers:
        if _is_within(answer, max_length):
            labels.values[labels.left[answer.index]] = value(answer)


def _is_within(answer: Answer, max_length: Optional[SupportsIndex]) -> bool:
    """Returns True if the length is proven. A known solution that is one move longer than the limit may be proven."""
    return answer.length is not None and (
        max_length is None or answer.length <= max_length.__index__()
    )


class OptimalMoves(NamedTuple):
    """The result of ``optimal_moves``: two arrays with a row per position and a column per move.

    ``optimal`` is True where the move begins a shortest solution. ``neighbor_distances`` holds the distance from
    solved after the move. Columns are in the order of ``move_names``. In the row of a position that was not solved
    within the limits, they hold False and -1.
    """

    optimal: NDArray[np.bool_]
    neighbor_distances: NDArray[np.int8]


def optimal_moves(
    array: ArrayLike,
    *,
    metric: Optional[Metric] = None,
    layout: Layout = "kociemba",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    journal: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> OptimalMoves:
    """Returns, for each position, which moves begin a shortest solution, and the proven distance after each move.

    Both arrays have 18 columns, or 12 in the quarter-turn metric, in the order of ``move_names(layout, metric)``.
    The arguments are those of ``distances``; a position is not labeled if its own distance exceeds ``max_length``, and
    ``journal`` stores the positions farther than nine moves. In htm, random positions take 20 to 50 times as long as
    in ``distances``.

    >>> import cosette
    >>> labels = cosette.optimal_moves(cosette.to_array(["R U"], layout="cayleypy"), layout="cayleypy", metric="qtm")
    >>> [move for move, is_optimal in zip(cosette.move_names("cayleypy", "qtm"), labels.optimal[0]) if is_optimal]
    ["U'"]
    >>> labels.neighbor_distances[0].tolist()
    [3, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3]
    """
    numpy = _numpy()
    near = _solver(solver, metric, progress, cancel, SMALLEST_TABLE)
    names = move_names(layout, near.metric)
    labels = _Labels(_bytes(array, layout), layout, (len(names),))
    near_length = MAX_SMALL_TABLE_DISTANCE - 2
    near_distances = _cosette.distances(
        near, labels.data, layout, max_length, near_length, None, None, progress, cancel
    )
    is_near = numpy.frombuffer(near_distances, numpy.int8) >= 0

    def label(by: Solver, budget: Optional[float], data: bytes) -> bytearray:
        return _cosette.neighbor_distances(
            by, data, layout, max_length, timeout, budget, progress, cancel
        )

    labels.left = numpy.flatnonzero(is_near)
    labels.search(lambda data: label(near, None, data))
    is_limited = max_length is not None and max_length.__index__() <= near_length
    labels.left = numpy.flatnonzero(~is_near & (not is_limited))

    listed = move_names("kociemba", near.metric)
    columns = [listed.index(name) for name in names]
    _label_far(
        labels,
        label,
        lambda answer: numpy.array(answer.to_dict()["neighbor_distances"])[columns],
        near,
        solver=solver,
        metric=metric,
        max_length=max_length,
        timeout=timeout,
        journal=journal,
        progress=progress,
        cancel=cancel,
        optimal_moves=True,
    )
    found = labels.values
    # Some move reduces the distance, except at the solved cube, the only position whose neighbors are all at 1.
    nearest = (found == found.min(axis=1, keepdims=True)) & (found >= 0)
    return OptimalMoves(nearest & (found != 1).any(axis=1, keepdims=True), found)


class ValidityReport(NamedTuple):
    """The result of ``validity``.

    ``mask`` is True for valid rows. ``reasons`` maps the index of each invalid row to the error.
    """

    mask: NDArray[np.bool_]
    reasons: Dict[int, str]


def validity(array: ArrayLike, *, layout: Layout = "kociemba") -> ValidityReport:
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


def _permutations(moves: Iterable[str], layout: str) -> Any:
    """Returns a row for each string of moves: for each index the index from which a facelet moves there."""
    return _numpy().array([list(_cosette.facelets_after(each, layout)) for each in moves])


@overload
def apply_moves(
    array: NDArray[_Integer],
    moves: Union[str, Sequence[str], ArrayLike],
    *,
    metric: Metric = ...,
    layout: Layout = ...,
) -> NDArray[_Integer]: ...


@overload
def apply_moves(
    array: ArrayLike,
    moves: Union[str, Sequence[str], ArrayLike],
    *,
    metric: Metric = ...,
    layout: Layout = ...,
) -> NDArray[np.integer[Any]]: ...


def apply_moves(
    array: ArrayLike,
    moves: Union[str, Sequence[str], ArrayLike],
    *,
    metric: Metric = "htm",
    layout: Layout = "kociemba",
) -> NDArray[np.integer[Any]]:
    """Returns the positions after ``moves``.

    ``moves`` is a string or an index into ``move_names(layout, metric)``, which is applied to every row; a list with
    a string for each row; or an integer array of shape (n,) or (n, k) with the moves of each row as indices. The index
    -1 is no move, as in the column ``solution`` of ``dataset``. The result has the dtype of ``array`` and, like it,
    holds colors or facelet indices: values are moved and not checked. Rotations and slices in a string, such as ``x``
    and ``M``, also move the centers.

    >>> import cosette
    >>> solved = cosette.to_array([cosette.Cube(), cosette.Cube()])
    >>> [cube.facelets()[:9] for cube in cosette.to_cubes(cosette.apply_moves(solved, [0, 17]))]
    ['UUUUUUUUU', 'LLLUUUUUU']
    """
    numpy = _numpy()
    given = _rows_of(array, layout)
    rows = given.reshape(-1, 54)
    names = move_names(layout, metric)
    numbers = numpy.asarray(moves)
    allowed = "pass a string, or one integer, row of integers or string for each position"
    if numbers.size and numbers.dtype.kind not in "iuU":
        raise TypeError(f"moves has the type {numbers.dtype}: {allowed}")
    if numbers.ndim == 0:
        numbers = numpy.broadcast_to(numbers, len(rows))
    if numbers.shape[:1] != rows.shape[:1] or numbers.ndim > (
        1 if numbers.dtype.kind == "U" else 2
    ):
        raise ValueError(f"moves has the shape {numbers.shape}: {allowed}")
    if numbers.dtype.kind == "U":
        names, numbers = numpy.unique(numbers, return_inverse=True)
    wrong = numbers[(numbers < -1) | (numbers >= len(names))]
    if wrong.size:
        raise ValueError(
            f"moves has {wrong.flat[0]}: pass integers from 0 to {len(names) - 1}, or -1 for no move"
        )
    # The last row is that of the index -1.
    of_moves = _permutations([*map(str, names), ""], layout)
    columns = numbers[:, None] if numbers.ndim == 1 else numbers
    for column in columns.astype(int).T:
        rows = numpy.take_along_axis(rows, of_moves[column], axis=1)
    return rows.reshape(given.shape)  # type: ignore[no-any-return]


@overload
def neighbors(
    array: NDArray[_Integer], *, metric: Metric = ..., layout: Layout = ...
) -> NDArray[_Integer]: ...


@overload
def neighbors(
    array: ArrayLike, *, metric: Metric = ..., layout: Layout = ...
) -> NDArray[np.integer[Any]]: ...


def neighbors(
    array: ArrayLike, *, metric: Metric = "htm", layout: Layout = "kociemba"
) -> NDArray[np.integer[Any]]:
    """Returns the positions after each move, as an array of shape (n, 18, 54), or (n, 12, 54) in qtm.

    The moves are in the order of ``move_names(layout, metric)``, as in ``optimal_moves``. With ``layout="jumanji"``,
    the shape is (n, 18, 6, 3, 3). The result has the dtype of ``array``, whose values are moved and not checked.

    >>> import cosette
    >>> cubes = cosette.random_array(5, seed=1, walk_length=4)
    >>> after = cosette.neighbors(cubes)
    >>> after.shape
    (5, 18, 54)
    >>> labels = cosette.optimal_moves(cubes)
    >>> bool((cosette.distances(after.reshape(-1, 54)).reshape(5, 18) == labels.neighbor_distances).all())
    True
    """
    given = _rows_of(array, layout)
    of_moves = _permutations(move_names(layout, metric), layout)
    found = given.reshape(-1, 54)[:, of_moves]
    return found.reshape(len(given), len(of_moves), *given.shape[1:])  # type: ignore[no-any-return]


def random_array(
    n: SupportsIndex,
    seed: Optional[Seed] = None,
    *,
    walk_length: Optional[WalkLength] = None,
    layout: Layout = "kociemba",
) -> NDArray[np.uint8]:
    """Returns ``n`` random positions as a ``uint8`` array.

    They are uniformly random or, with ``walk_length``, reached by random walks of that many face turns (a half turn
    is one). ``walk_length`` may also be a range or an array of lengths, which alternate: row i has the length
    ``walk_length[i % len(walk_length)]``. A seed gives the same positions on every machine: those of
    ``random_positions(seed)`` or ``random_walks(walk_length, seed)``, but not those of ``dataset``. It may be a
    generator, such as ``numpy.random.default_rng(1)``.

    >>> import cosette
    >>> cosette.random_array(2, seed=7, layout="jumanji").shape
    (2, 6, 3, 3)
    >>> cosette.distances(cosette.random_array(6, seed=1, walk_length=range(1, 4))).tolist()
    [1, 2, 3, 1, 2, 3]
    """
    return _array(_cosette.random_facelets(n, walk_length, seed, layout), layout)  # type: ignore[no-any-return]


def representatives(array: ArrayLike, *, layout: Layout = "kociemba") -> NDArray[np.uint8]:
    """Replaces each position by the representative of its symmetry class, i.e. of its 48 conjugates.

    The result has as many rows as ``array``. To remove positions that are equivalent under symmetry, apply
    ``numpy.unique(..., axis=0)`` to it.
    """
    return to_array(
        (cube.representative() for cube in to_cubes(array, layout=layout)), layout=layout
    )


def to_array(positions: Iterable[Position], *, layout: Layout = "kociemba") -> NDArray[np.uint8]:
    """Converts positions, each a string, a ``Cube`` or a row in the layout ``kociemba``, to a ``uint8`` array.

    >>> import cosette
    >>> cosette.to_array(["R"], layout="santa")[0, 2::3].tolist()
    [1, 1, 1, 5, 5, 5, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3]
    """
    return _array(_cosette.write_cubes(positions, layout), layout)  # type: ignore[no-any-return]


def to_cubes(array: ArrayLike, *, layout: Layout = "kociemba") -> List[Cube]:
    """Converts an array of positions to a list of ``Cube`` objects."""
    return _cosette.read_cubes(_bytes(array, layout), layout)


def move_names(layout: Layout = "kociemba", metric: Metric = "htm") -> List[str]:
    """Returns the moves in the order in which ``optimal_moves``, ``apply_moves`` and ``dataset`` number them.

    There are 18 in htm, and the 12 quarter turns in qtm.

    >>> import cosette
    >>> cosette.move_names("jumanji")[:6]
    ['U', "U'", 'U2', 'F', "F'", 'F2']
    """
    return _cosette.move_names(layout, metric)
