"""Cosette finds a shortest solution of any Rubik's Cube position and proves that no shorter one exists.

>>> import cosette
>>> answer = cosette.solve("R U2 F'")
>>> answer.length, answer.solutions
(3, ["F U2 R'"])

A position is a string (moves, 54 facelets, Reid's twenty pieces or Speffz cycles) or a ``Cube``. ``solve``,
``solve_all`` and ``solve_many`` share a solver, which is created on first use. It uses the largest pruning
table on disk that fits in memory. If there is no table of 190 MB or more, it generates the 190 MB table,
which takes a few seconds (a minute or two for the quarter-turn metric). To choose the table and the number
of threads, create a ``Solver``.

``fmc`` finds fewest-moves skeletons; ``insertions`` finds the best insertions to complete one.

``distances`` and ``optimal_moves`` label NumPy arrays of positions in the layouts of Kociemba, DeepCubeA,
CayleyPy, Santa 2023 and jumanji; ``dataset`` writes such labels to files. See ``help(cosette.distances)``,
``help(cosette.dataset)`` and ``help(cosette._arrays)``.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    List,
    Literal,
    Optional,
    SupportsIndex,
    Tuple,
    Union,
    cast,
    overload,
)

from ._arrays import (
    OptimalMoves,
    ValidityReport,
    apply_moves,
    distances,
    move_names,
    optimal_moves,
    random_array,
    representatives,
    to_array,
    to_cubes,
    validity,
)
from ._cosette import (
    CORNERS,
    EDGES,
    Answer,
    Answers,
    Cube,
    RandomPositions,
    RandomWalks,
    Scramble,
    Scrambles,
    Solver,
    Symmetry,
    __version__,
    random_positions,
    random_walks,
    scrambles,
    solve_goal,
)
from ._dataset import dataset
from ._errors import (
    CorruptedTableError,
    CosetteError,
    InternalError,
    InvalidCubeError,
    JournalError,
    OutOfMemoryError,
    TableError,
    UnknownTableError,
)
from ._files import LoadedPositions, read_positions
from ._fmc import fmc, insertions

__all__ = [
    "Answer",
    "Answers",
    "CORNERS",
    "CorruptedTableError",
    "CosetteError",
    "Cube",
    "EDGES",
    "InternalError",
    "InvalidCubeError",
    "JournalError",
    "LoadedPositions",
    "OptimalMoves",
    "OutOfMemoryError",
    "RandomPositions",
    "RandomWalks",
    "Scramble",
    "Scrambles",
    "Solver",
    "Symmetry",
    "TableError",
    "UnknownTableError",
    "ValidityReport",
    "__version__",
    "apply_moves",
    "dataset",
    "default_solver",
    "distances",
    "fmc",
    "insertions",
    "move_names",
    "optimal_moves",
    "random_array",
    "random_positions",
    "random_walks",
    "read_positions",
    "representatives",
    "scrambles",
    "solve",
    "solve_all",
    "solve_many",
    "to_array",
    "to_cubes",
    "validity",
]


def __dir__() -> List[str]:
    return __all__


if TYPE_CHECKING:
    from ._cosette import _Metric, _OnEvent, _Position, _SolveAllOptions, _SolveOptions, _TurnMetric
    from typing_extensions import Unpack

_solvers: Dict[Tuple[str, str], Solver] = {}
_lock = threading.Lock()


def default_solver(metric: _Metric = "htm") -> Solver:
    """Returns the solver that the functions of this module share. There is one for each metric."""
    return _shared_solver(metric, None)


def _shared_solver(metric: str, progress: Optional[bool], table: str = "auto") -> Solver:
    if metric is None:
        raise TypeError("metric=None: pass 'htm' or 'qtm'")
    with _lock:
        solver = _solvers.get((metric, table)) if isinstance(metric, str) else None
        if solver is None:
            solver = Solver(table, metric=cast("_Metric", metric), progress=progress)
            # A small table may have been generated only for arrays.
            if table == "auto" and solver.table[4:] in ("24M", "47M", "94M"):
                with contextlib.suppress(TableError):
                    solver = Solver("190M", metric=cast("_Metric", metric), progress=progress)
            _solvers[metric, table] = solver
        return solver


def _split_metric(metric: str, options: _SolveOptions) -> Tuple[str, Any]:
    """Splits ``metric``: returns the metric of the solver, and the options, with ``metric`` if only goals have it."""
    if metric in ("stm", "qstm", "etm"):
        return "htm", {**options, "metric": metric}
    return metric, options


def solve(
    position: _Position,
    *,
    metric: _TurnMetric = "htm",
    on_event: Optional[_OnEvent] = None,
    progress: Optional[bool] = None,
    **options: Unpack[_SolveOptions],
) -> Answer:
    """Finds a shortest solution of a position and proves that no shorter one exists; see ``Solver.solve``.

    A goal that constrains only part of the cube needs no table.

    >>> import cosette
    >>> cosette.solve("R U2 F'", count=2).solution
    "F U2 R'"
    >>> cosette.solve("R U F", goal="2x2x2").length
    0
    """
    answer = solve_goal(position, False, on_event, progress, metric=metric, **options)
    if answer is not None:
        return answer
    solver_metric, options_of_solver = _split_metric(metric, options)
    return _shared_solver(solver_metric, progress).solve(
        position, on_event=on_event, progress=progress, **options_of_solver
    )


def solve_all(
    position: _Position,
    *,
    metric: _TurnMetric = "htm",
    on_event: Optional[_OnEvent] = None,
    progress: Optional[bool] = None,
    **options: Unpack[_SolveAllOptions],
) -> Answer:
    """Finds all shortest solutions of a position; see ``Solver.solve_all``.

    >>> import cosette
    >>> len(cosette.solve_all("R2 L2 U2 D2 F2 B2").solutions)
    6
    """
    answer = solve_goal(position, True, on_event, progress, metric=metric, **options)
    if answer is not None:
        return answer
    solver_metric, options_of_solver = _split_metric(metric, cast("_SolveOptions", options))
    return _shared_solver(solver_metric, progress).solve_all(
        position, on_event=on_event, progress=progress, **options_of_solver
    )


@overload
def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = ...,
    metric: _TurnMetric = ...,
    errors: Optional[Literal["raise"]] = ...,
    journal: Union[str, os.PathLike[str], None] = ...,
    progress: Optional[bool] = ...,
    **options: Unpack[_SolveOptions],
) -> Answers[Answer]: ...


@overload
def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = ...,
    metric: _TurnMetric = ...,
    errors: Literal["return"],
    journal: Union[str, os.PathLike[str], None] = ...,
    progress: Optional[bool] = ...,
    **options: Unpack[_SolveOptions],
) -> Answers[Union[Answer, InvalidCubeError]]: ...


def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = False,
    metric: _TurnMetric = "htm",
    errors: Any = "raise",
    journal: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    **options: Unpack[_SolveOptions],
) -> Any:
    """Solves many positions, each with one thread; see ``Solver.solve_many``.

    >>> import cosette
    >>> lengths = {answer.index: answer.length for answer in cosette.solve_many(["R", "R U"])}
    >>> sorted(lengths.items())
    [(0, 1), (1, 2)]
    """
    solver_metric, options_of_solver = _split_metric(metric, options)
    return _shared_solver(solver_metric, progress).solve_many(
        positions,
        ordered=ordered,
        errors=errors,
        journal=journal,
        progress=progress,
        **options_of_solver,
    )
