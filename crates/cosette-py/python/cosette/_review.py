"""Reviews of solutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from . import _cosette
from ._arrays import _solver
from ._cosette import Cancel, Solver
from ._types import Metric, OnEvent, Position


@dataclass(frozen=True)
class ReviewedPosition:
    """A position of a reviewed solution.

    ``distance`` is the proven distance to solved; None if it is not proven, but between ``lower_bound`` and
    ``upper_bound``. ``continuation`` is the shortest known solution. It and ``facelets`` are for the cube as it is held
    after the moves.
    """

    facelets: str
    distance: Optional[int]
    lower_bound: int
    upper_bound: int
    continuation: Optional[str]


@dataclass(frozen=True)
class ReviewedMove(ReviewedPosition):
    """A move of a reviewed solution, with the position after it.

    ``step`` is the index of its step (None in a solution on both sides), and ``length`` the number of moves up to this
    one. ``change`` is the change of the distance: -1 if the move gained ground, 1 if it lost ground.
    """

    move: str
    step: Optional[int]
    length: int
    change: Optional[int]


@dataclass(frozen=True)
class CheapestStep:
    """The shortest way to the ``goal`` of a step, such as ``cross:D``, with any face turns, proven."""

    goal: str
    length: int
    moves: str


@dataclass(frozen=True)
class ReviewedStep:
    """A line of a reviewed solution, with its comment as ``label``.

    ``before`` and ``after`` are the distances to solved. ``best`` is the shortest way to the goal that the step
    reached; None if it reached none that is compared.
    """

    line: int
    label: Optional[str]
    moves: str
    length: int
    before: Optional[int]
    after: Optional[int]
    best: Optional[CheapestStep]


@dataclass(frozen=True)
class Review:
    """The review of a solution; see ``review``. ``dataclasses.asdict`` returns the JSON of ``cosette review --json``.

    ``start`` is the position after the scramble; its ``distance`` is the length of a shortest solution. ``length`` is
    the number of ``moves`` without rotations, where a turn of a slice counts as two; ``kept`` of them kept the distance
    and ``lost`` lost ground. ``steps`` are the lines of the solution. If ``niss`` is True, moves in parentheses are on
    the inverse, and ``moves`` is the linearized solution.
    """

    input: str
    solution: str
    metric: str
    table: str
    niss: bool
    start: ReviewedPosition
    moves: List[ReviewedMove]
    steps: List[ReviewedStep]
    length: int
    is_solved: bool
    lost: int
    kept: int
    nodes: int
    seconds: float
    stop_reason: Optional[str]


def _step(values: Dict[str, Any]) -> ReviewedStep:
    best = values["best"]
    return ReviewedStep(**{**values, "best": None if best is None else CheapestStep(**best)})


def review(
    scramble: Position,
    solution: str,
    *,
    metric: Optional[Metric] = None,
    timeout: Optional[float] = None,
    on_event: Optional[OnEvent] = None,
    progress: Optional[bool] = None,
    cancel: Optional[Cancel] = None,
    solver: Optional[Solver] = None,
) -> Review:
    """Proves the distance to solved after each move of somebody's own solution: how far from optimal was it?

    ``solution`` is a reconstruction of a speedsolve (comments after ``//``, rotations, wide moves, slices, groups) or a
    fewest-moves write-up with moves on the inverse in parentheses, which are read as groups if that solves the
    scramble. Each line is a step, and its comment the label of the step. A step that reaches a cross, a 2x2x2 or 2x2x3
    block, or the EO, DR or HTR that its label names, is compared with the shortest way to that goal.

    - ``timeout``: maximum time in seconds. Positions that are not proven within this time have bounds.
    - ``on_event``: called for each position that has been searched, from the end on, with a dictionary
      ``{"event": "progress", "done": …, "total": …, "length": …, "lower_bound": …, "upper_bound": …}``: the numbers of
      positions that have been searched, and of all, the number of moves up to it, and its bounds. ``length`` is None
      for a position between the steps of a solution on both sides.
    - ``progress``: True or False turns the progress line on or off.
    - ``cancel``: a ``Cancel``, which stops the searches.
    - ``solver``: chooses the table and the number of threads, and has its own ``metric``.

    A review takes about as long as single solves of its positions.

    >>> import cosette
    >>> review = cosette.review("D F2 U", "R R' // hesitation\\nU' F2 D'")
    >>> review.start.distance, [move.distance for move in review.moves]
    (3, [4, 3, 2, 1, 0])
    >>> [move.move for move in review.moves if move.change == 1]
    ['R']
    """
    by = _solver(solver, metric, progress, cancel)
    values = _cosette.review(by, scramble, solution, timeout, on_event, progress, cancel)
    return Review(
        **{
            **values,
            "start": ReviewedPosition(**values["start"]),
            "moves": [ReviewedMove(**move) for move in values["moves"]],
            "steps": [_step(step) for step in values["steps"]],
        }
    )
