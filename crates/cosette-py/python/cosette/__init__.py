"""Cosette proves the shortest solution of any Rubik's Cube position.

>>> import cosette
>>> answer = cosette.solve("R U2 F'")
>>> answer.length, answer.solutions
(3, ["F U2 R'"])

A position is a text (moves, 54 facelets, Reid's twenty pieces, Speffz cycles) or a ``Cube``. ``solve``, ``solve_all`` and
``solve_many`` share a solver, which is made on first use. It takes the largest table on disk that fits in memory, or, if
none has 190 MB, generates that one: in a few seconds, for quarter turns in a minute or two. To choose the table and the number of threads, make a ``Solver``.

``fewest`` finds skeletons of fewest moves, ``insertions`` the best places for what finishes one. ``distances`` and ``optimal_moves`` label NumPy arrays of many positions, in Kociemba's order of facelets or in those of
DeepCubeA, CayleyPy, Santa 2023 and jumanji: ``help(cosette.distances)``, ``help(cosette._arrays)``.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Literal, Optional, SupportsIndex, Tuple, Union, cast, overload

from ._arrays import (
    OptimalMoves,
    Validity,
    apply_moves,
    distances,
    move_names,
    optimal_moves,
    random_cubes,
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
    Positions,
    Scramble,
    Scrambles,
    Solver,
    Symmetry,
    Walks,
    __version__,
    random_positions,
    random_walks,
    scrambles,
    solve_goal,
)
from ._dataset import dataset
from ._errors import (
    CosetteError,
    DamagedTableError,
    InternalError,
    JournalError,
    NotACubeError,
    OutOfMemoryError,
    TableError,
    UnknownTableError,
)
from ._fewest import fewest, insertions
from ._files import Loaded, read_positions

__all__ = [
    "Answer",
    "Answers",
    "CORNERS",
    "CosetteError",
    "Cube",
    "DamagedTableError",
    "EDGES",
    "InternalError",
    "JournalError",
    "Loaded",
    "NotACubeError",
    "OptimalMoves",
    "OutOfMemoryError",
    "Positions",
    "Scramble",
    "Scrambles",
    "Solver",
    "Symmetry",
    "TableError",
    "UnknownTableError",
    "Validity",
    "Walks",
    "__version__",
    "apply_moves",
    "dataset",
    "default_solver",
    "distances",
    "fewest",
    "insertions",
    "move_names",
    "optimal_moves",
    "random_cubes",
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
    from ._cosette import _Goal, _Metric, _OnEvent, _Position, _TurnMetric
    from typing_extensions import Unpack

_solvers: Dict[Tuple[str, str], Solver] = {}
_lock = threading.Lock()


def default_solver(metric: _Metric = "htm") -> Solver:
    """The solver that the functions of this module share, one for each metric."""
    return _shared_solver(metric, None)


def _shared_solver(metric: str, progress: Optional[bool], table: str = "auto") -> Solver:
    if metric is None:
        raise TypeError("metric=None: metrics are 'htm' and 'qtm'")
    with _lock:
        solver = _solvers.get((metric, table)) if isinstance(metric, str) else None
        if solver is None:
            solver = Solver(table, metric=cast("_Metric", metric), progress=progress)
            # A small one may be there for arrays alone.
            if table == "auto" and solver.table[4:] in ("24M", "47M", "94M"):
                with contextlib.suppress(TableError):
                    solver = Solver("190M", metric=cast("_Metric", metric), progress=progress)
            _solvers[metric, table] = solver
        return solver


def _of_faces(metric: str, goal: _Goal) -> Tuple[str, Any]:
    """The metric of a solver for these keywords, and the keywords that say what is counted."""
    if metric in ("stm", "qstm", "etm"):
        return "htm", {**goal, "metric": metric}
    return metric, goal


def solve(
    position: _Position,
    *,
    count: SupportsIndex = 1,
    prefer: Optional[_Metric] = None,
    metric: _TurnMetric = "htm",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    on_event: Optional[_OnEvent] = None,
    progress: Optional[bool] = None,
    **goal: Unpack[_Goal],
) -> Answer:
    """Proves the shortest solution of a position; see ``Solver.solve``. A part of the cube needs no solver.

    >>> import cosette
    >>> cosette.solve("R U2 F'", count=2).solution
    "F U2 R'"
    >>> cosette.solve("R U F", to="2x2x2").length
    0
    """
    if goal or metric not in ("htm", "qtm"):
        answer = solve_goal(position, count, prefer, max_length, timeout, on_event, progress, metric=metric, **goal)
        if answer is not None:
            return answer
    metric_of_table, asked = _of_faces(metric, goal)
    return _shared_solver(metric_of_table, progress).solve(
        position,
        count=count,
        prefer=prefer,
        max_length=max_length,
        timeout=timeout,
        on_event=on_event,
        progress=progress,
        **asked,
    )


def solve_all(
    position: _Position,
    *,
    metric: _TurnMetric = "htm",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    on_event: Optional[_OnEvent] = None,
    progress: Optional[bool] = None,
    **goal: Unpack[_Goal],
) -> Answer:
    """Finds all shortest solutions of a position; see ``Solver.solve_all``.

    >>> import cosette
    >>> len(cosette.solve_all("R2 L2 U2 D2 F2 B2").solutions)
    6
    """
    if goal or metric not in ("htm", "qtm"):
        answer = solve_goal(position, None, None, max_length, timeout, on_event, progress, metric=metric, **goal)
        if answer is not None:
            return answer
    metric_of_table, asked = _of_faces(metric, goal)
    return _shared_solver(metric_of_table, progress).solve_all(
        position, max_length=max_length, timeout=timeout, on_event=on_event, progress=progress, **asked
    )


@overload
def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = ...,
    count: SupportsIndex = ...,
    prefer: Optional[_Metric] = ...,
    metric: _TurnMetric = ...,
    max_length: Optional[SupportsIndex] = ...,
    timeout: Optional[float] = ...,
    errors: Literal["raise"] = ...,
    journal: Union[str, os.PathLike[str], None] = ...,
    progress: Optional[bool] = ...,
    **goal: Unpack[_Goal],
) -> Answers[Answer]: ...


@overload
def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = ...,
    count: SupportsIndex = ...,
    prefer: Optional[_Metric] = ...,
    metric: _TurnMetric = ...,
    max_length: Optional[SupportsIndex] = ...,
    timeout: Optional[float] = ...,
    errors: Literal["return"],
    journal: Union[str, os.PathLike[str], None] = ...,
    progress: Optional[bool] = ...,
    **goal: Unpack[_Goal],
) -> Answers[Union[Answer, NotACubeError]]: ...


def solve_many(
    positions: Iterable[_Position],
    *,
    ordered: bool = False,
    count: SupportsIndex = 1,
    prefer: Optional[_Metric] = None,
    metric: _TurnMetric = "htm",
    max_length: Optional[SupportsIndex] = None,
    timeout: Optional[float] = None,
    errors: Any = "raise",
    journal: Union[str, os.PathLike[str], None] = None,
    progress: Optional[bool] = None,
    **goal: Unpack[_Goal],
) -> Any:
    """Solves many positions, each with one thread; see ``Solver.solve_many``.

    >>> import cosette
    >>> lengths = {answer.index: answer.length for answer in cosette.solve_many(["R", "R U"])}
    >>> sorted(lengths.items())
    [(0, 1), (1, 2)]
    """
    metric_of_table, asked = _of_faces(metric, goal)
    return _shared_solver(metric_of_table, progress).solve_many(
        positions,
        ordered=ordered,
        count=count,
        prefer=prefer,
        max_length=max_length,
        timeout=timeout,
        errors=errors,
        journal=journal,
        progress=progress,
        **asked,
    )
