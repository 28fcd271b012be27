"""Cosette finds a shortest solution of any Rubik's Cube position and proves that no shorter one exists.

>>> import cosette
>>> answer = cosette.solve("R U2 F'")
>>> answer.length, answer.solutions
(3, ["F U2 R'"])

A position is a string (moves, 54 facelets, Reid's twenty pieces or Speffz cycles), a ``Cube``, or a row of an
array. ``solve``, ``solve_all`` and ``solve_many`` share a solver, which is created on first use. It uses the largest
pruning table on disk that fits in memory. If there is no table of 190 MB or more, it generates the 190 MB table,
which takes a few seconds (a minute or two for the quarter-turn metric). To choose the table and the number
of threads, create a ``Solver``, and pass it as ``solver`` or call its methods. ``tables`` lists the tables on disk.

Ctrl-C stops any call, and so does a ``Cancel``, passed as ``cancel``, from another thread or from ``asyncio``.

``fmc`` finds fewest-moves skeletons; ``insertions`` finds the best insertions to complete one. ``review`` proves the
distance to solved after each move of a solution.

``distances`` and ``optimal_moves`` label NumPy arrays of positions in the layouts of Kociemba, DeepCubeA,
CayleyPy, Santa 2023 and jumanji; ``dataset`` writes such labels to files. ``benchmark`` is a fixed set of
positions with proven distances, and ``evaluate`` compares any solver with it. See ``help(cosette.distances)``,
``help(cosette.dataset)`` and ``help(cosette.layouts)``.
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
    Iterator,
    List,
    Literal,
    Optional,
    Sized,
    SupportsIndex,
    Tuple,
    Union,
    overload,
)

from . import layouts
from ._arrays import (
    OptimalMoves,
    ValidityReport,
    apply_moves,
    distances,
    move_names,
    neighbors,
    optimal_moves,
    random_array,
    representatives,
    to_array,
    to_cubes,
    validity,
)
from ._benchmark import BenchmarkPosition, Evaluation, benchmark, evaluate
from ._cosette import (
    CORNERS,
    EDGES,
    Answer,
    Answers,
    Cancel,
    Cube,
    RandomPositions,
    RandomWalks,
    Scramble,
    Scrambles,
    Solver,
    Symmetry,
    __version__,
    check_journal,
    random_positions,
    random_walks,
    scrambles,
    solve_goal,
)
from ._dataset import dataset
from ._errors import (
    CancelledError,
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
from ._review import CheapestStep, Review, ReviewedMove, ReviewedPosition, ReviewedStep, review
from ._tables import TableFile, generate_table, remove_table, tables
from ._types import Metric, OnEvent, Position, TurnMetric

__all__ = [
    "Answer",
    "Answers",
    "BenchmarkPosition",
    "CORNERS",
    "Cancel",
    "CancelledError",
    "CheapestStep",
    "CorruptedTableError",
    "CosetteError",
    "Cube",
    "EDGES",
    "Evaluation",
    "InternalError",
    "InvalidCubeError",
    "JournalError",
    "LoadedPositions",
    "OptimalMoves",
    "OutOfMemoryError",
    "RandomPositions",
    "RandomWalks",
    "Review",
    "ReviewedMove",
    "ReviewedPosition",
    "ReviewedStep",
    "Scramble",
    "Scrambles",
    "Solver",
    "Symmetry",
    "TableError",
    "TableFile",
    "UnknownTableError",
    "ValidityReport",
    "__version__",
    "apply_moves",
    "benchmark",
    "dataset",
    "default_solver",
    "distances",
    "evaluate",
    "fmc",
    "generate_table",
    "insertions",
    "layouts",
    "move_names",
    "neighbors",
    "optimal_moves",
    "random_array",
    "random_positions",
    "random_walks",
    "read_positions",
    "remove_table",
    "representatives",
    "review",
    "scrambles",
    "solve",
    "solve_all",
    "solve_many",
    "tables",
    "to_array",
    "to_cubes",
    "validity",
]


def __dir__() -> List[str]:
    return __all__


if TYPE_CHECKING:
    _Path = Union[str, os.PathLike[str]]

_solvers: Dict[Tuple[str, str], Solver] = {}
_lock = threading.Lock()


def default_solver(metric: Metric = "htm") -> Solver:
    """Returns the solver that the functions of this module share. There is one for each metric."""
    if metric is None:
        raise TypeError("metric=None: pass 'htm' or 'qtm'")
    return _shared_solver(metric, None, None)


def _shared_solver(
    metric: Any, progress: Optional[bool], cancel: Optional[Cancel], table: str = "auto"
) -> Solver:
    # Another thread may hold the lock while it generates a table.
    while not _lock.acquire(timeout=0.1):
        if cancel is not None and cancel.is_cancelled:
            raise CancelledError("the call was cancelled")
    try:
        solver = _solvers.get((metric, table)) if isinstance(metric, str) else None
        if solver is None or solver.closed:
            solver = Solver(table, metric=metric, progress=progress, cancel=cancel)
            # A small table may have been generated only for arrays.
            if table == "auto" and solver.table[4:] in ("24M", "47M", "94M"):
                with contextlib.suppress(TableError):
                    solver = Solver("190M", metric=metric, progress=progress, cancel=cancel)
            _solvers[metric, table] = solver
        return solver
    finally:
        _lock.release()


def _solver_for(
    solver: Optional[Solver],
    metric: Optional[TurnMetric],
    progress: Optional[bool],
    cancel: Optional[Cancel],
) -> Solver:
    """Returns ``solver``, or if it is None the shared solver; goals in the other metrics use that for htm."""
    if isinstance(solver, Solver):
        return solver
    if solver is not None:
        try:
            given = repr(solver)
        except ValueError:  # Python writes no number of five thousand digits
            given = f"<{type(solver).__name__}>"
        raise TypeError(f"solver={given}: pass a Solver, such as cosette.Solver({given}), or None")
    is_for_goals = metric is None or metric in ("stm", "qstm", "etm")
    return _shared_solver("htm" if is_for_goals else metric, progress, cancel)


def _solve(
    is_for_all: bool,
    position: Position,
    metric: Optional[TurnMetric],
    on_event: Optional[OnEvent],
    progress: Optional[bool],
    cancel: Optional[Cancel],
    solver: Optional[Solver],
    **options: Any,
) -> Answer:
    if solver is None:
        # A goal for part of the cube needs no table.
        answer = solve_goal(
            position, is_for_all, on_event, progress, cancel, metric=metric, **options
        )
        if answer is not None:
            return answer
    by = _solver_for(solver, metric, progress, cancel)
    search = by.solve_all if is_for_all else by.solve
    return search(
        position, metric=metric, on_event=on_event, progress=progress, cancel=cancel, **options
    )


def solve(
    position: Position,
    *,
    count: SupportsIndex = 1,
    prefer: Optional[Metric] = None,
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    goal: Optional[Position] = None,
    moves: Optional[str] = None,
    costs: Optional[str] = None,
    slack: SupportsIndex = 0,
    starts_with: Optional[str] = None,
    ends_with: Optional[str] = None,
    avoid: Optional[str] = None,
    unique_up_to: Optional[str] = None,
    metric: Optional[TurnMetric] = None,
    on_event: Optional[OnEvent] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> Answer:
    """Finds a shortest solution of a position and proves that no shorter one exists; see ``Solver.solve``.

    ``solver`` chooses the table and the number of threads; without it, the functions of the module share one. A goal
    that constrains only part of the cube needs no table.

    >>> import cosette
    >>> cosette.solve("R U2 F'", count=2).solution
    "F U2 R'"
    >>> cosette.solve("R U F", goal="2x2x2").length
    0
    """
    return _solve(
        False,
        position,
        metric,
        on_event,
        progress,
        cancel,
        solver,
        count=count,
        prefer=prefer,
        max_length=max_length,
        timeout=timeout,
        goal=goal,
        moves=moves,
        costs=costs,
        slack=slack,
        starts_with=starts_with,
        ends_with=ends_with,
        avoid=avoid,
        unique_up_to=unique_up_to,
    )


def solve_all(
    position: Position,
    *,
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    goal: Optional[Position] = None,
    moves: Optional[str] = None,
    costs: Optional[str] = None,
    slack: SupportsIndex = 0,
    starts_with: Optional[str] = None,
    ends_with: Optional[str] = None,
    avoid: Optional[str] = None,
    unique_up_to: Optional[str] = None,
    metric: Optional[TurnMetric] = None,
    on_event: Optional[OnEvent] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> Answer:
    """Finds all shortest solutions of a position; see ``Solver.solve_all``.

    >>> import cosette
    >>> len(cosette.solve_all("R2 L2 U2 D2 F2 B2").solutions)
    6
    """
    return _solve(
        True,
        position,
        metric,
        on_event,
        progress,
        cancel,
        solver,
        max_length=max_length,
        timeout=timeout,
        goal=goal,
        moves=moves,
        costs=costs,
        slack=slack,
        starts_with=starts_with,
        ends_with=ends_with,
        avoid=avoid,
        unique_up_to=unique_up_to,
    )


@overload
def solve_many(
    positions: Iterable[Position],
    *,
    ordered: bool = ...,
    errors: Optional[Literal["raise"]] = ...,
    journal: Optional[_Path] = ...,
    count: SupportsIndex = ...,
    prefer: Optional[Metric] = ...,
    max_length: Optional[SupportsIndex] = ...,
    timeout: Optional[float] = ...,
    goal: Optional[Position] = ...,
    moves: Optional[str] = ...,
    costs: Optional[str] = ...,
    slack: SupportsIndex = ...,
    starts_with: Optional[str] = ...,
    ends_with: Optional[str] = ...,
    avoid: Optional[str] = ...,
    unique_up_to: Optional[str] = ...,
    metric: Optional[TurnMetric] = ...,
    progress: Optional[bool] = ...,
    cancel: Optional[Cancel] = ...,
    solver: Optional[Solver] = ...,
) -> Answers[Answer]: ...


@overload
def solve_many(
    positions: Iterable[Position],
    *,
    ordered: bool = ...,
    errors: Literal["return"],
    journal: Optional[_Path] = ...,
    count: SupportsIndex = ...,
    prefer: Optional[Metric] = ...,
    max_length: Optional[SupportsIndex] = ...,
    timeout: Optional[float] = ...,
    goal: Optional[Position] = ...,
    moves: Optional[str] = ...,
    costs: Optional[str] = ...,
    slack: SupportsIndex = ...,
    starts_with: Optional[str] = ...,
    ends_with: Optional[str] = ...,
    avoid: Optional[str] = ...,
    unique_up_to: Optional[str] = ...,
    metric: Optional[TurnMetric] = ...,
    progress: Optional[bool] = ...,
    cancel: Optional[Cancel] = ...,
    solver: Optional[Solver] = ...,
) -> Answers[Union[Answer, InvalidCubeError]]: ...


def solve_many(
    positions: Iterable[Position],
    *,
    ordered: bool = True,
    errors: Optional[Literal["raise", "return"]] = "raise",
    journal: Optional[_Path] = None,
    count: SupportsIndex = 1,
    prefer: Optional[Metric] = None,
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    goal: Optional[Position] = None,
    moves: Optional[str] = None,
    costs: Optional[str] = None,
    slack: SupportsIndex = 0,
    starts_with: Optional[str] = None,
    ends_with: Optional[str] = None,
    avoid: Optional[str] = None,
    unique_up_to: Optional[str] = None,
    metric: Optional[TurnMetric] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> Union[Answers[Answer], Answers[Union[Answer, InvalidCubeError]]]:
    """Solves many positions, each with one thread; see ``Solver.solve_many``.

    >>> import cosette
    >>> lengths = {answer.index: answer.length for answer in cosette.solve_many(["R", "R U"])}
    >>> sorted(lengths.items())
    [(0, 1), (1, 2)]
    """
    options: Dict[str, Any] = dict(
        count=count,
        prefer=prefer,
        max_length=max_length,
        timeout=timeout,
        goal=goal,
        moves=moves,
        costs=costs,
        slack=slack,
        starts_with=starts_with,
        ends_with=ends_with,
        avoid=avoid,
        unique_up_to=unique_up_to,
        metric=metric,
    )
    if journal is not None and solver is None:
        if isinstance(positions, Iterator):
            positions = list(positions)
        if isinstance(positions, Sized):
            check_journal(journal, len(positions), **options)
    found: Answers[Any] = _solver_for(solver, metric, progress, cancel).solve_many(
        positions,
        ordered=ordered,
        errors=errors,
        journal=journal,
        progress=progress,
        cancel=cancel,
        **options,
    )
    return found
