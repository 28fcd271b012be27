"""Reviews of solutions."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import cosette
import pytest

HARD = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def test_each_move_has_a_distance(solver: cosette.Solver) -> None:
    heard: list[dict[str, Any]] = []
    text = "x2 // inspection\nR R' D' B2 U // cross\nU2"
    review = cosette.review("D F2 U", text, solver=solver, on_event=heard.append)
    assert [move.distance for move in review.moves] == [3, 4, 3, 2, 1, 1, 0]
    assert [move.change for move in review.moves] == [0, 1, -1, -1, -1, 0, -1]
    assert (review.lost, review.kept, review.length, review.is_solved) == (1, 1, 6, True)
    assert (review.table, review.metric, review.stop_reason) == ("htm-24M", "htm", None)
    assert review.start.continuation == "U' F2 D'" and review.start.distance == 3
    for index, move in enumerate(review.moves):
        moves = " ".join(move.move for move in review.moves[: index + 1])
        assert move.facelets == cosette.Cube(f"D F2 U {moves}").facelets()
    cross = review.steps[1]
    assert (cross.label, cross.line, cross.before, cross.after) == ("cross", 2, 3, 1)
    assert cross.best is not None and cross.best.length == 2
    assert review.steps[0].best is None and review.moves[0].step == 0
    assert heard[-1] == {
        "event": "progress",
        "done": 6,
        "total": 6,
        "length": 0,
        "lower_bound": 3,
        "upper_bound": 3,
    }
    fields = json.loads(json.dumps(dataclasses.asdict(review)))
    assert fields["moves"][1]["move"] == "R" and list(fields)[:2] == ["input", "solution"]


def test_a_write_up(solver: cosette.Solver) -> None:
    review = cosette.review(cosette.Cube("R U F D2"), "D2 F' // eo\n(R) // dr\nU'", solver=solver)
    assert review.niss and review.solution == "D2 F' U' R'" and review.moves[0].step is None
    assert [step.moves for step in review.steps] == ["D2 F'", "(R)", "U'"]


def test_limits_leave_bounds(solver: cosette.Solver) -> None:
    review = cosette.review(HARD, "R // unfinished", solver=solver, timeout=0)
    start = review.start
    assert (review.stop_reason, start.distance, review.is_solved) == ("timeout", None, False)
    assert start.lower_bound < start.upper_bound == 20
    assert review.moves[0].change is None and review.steps[0].before is None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"solution": "F\nU Q"}, ValueError, "solution: line 2: `Q` is not a valid move"),
        ({"solution": "// no moves"}, ValueError, "solution: there are no moves"),
        ({"solution": None}, TypeError, "'None' is not an instance of 'str'"),
        ({"timeout": -1}, ValueError, "timeout=-1: pass a non-negative number of seconds"),
        ({"metric": "qtm"}, ValueError, "metric='qtm': the table of solver= is for htm"),
        ({"on_event": 1}, TypeError, "on_event=1: pass a callable"),
        ({"scramble": "R Q"}, cosette.InvalidCubeError, "`Q` is not a valid move"),
    ],
)
def test_arguments_are_refused(
    arguments: dict[str, Any], error: type[Exception], message: str, solver: cosette.Solver
) -> None:
    valid: dict[str, Any] = {"scramble": "R", "solution": "R'", "solver": solver}
    with pytest.raises(error) as refused:
        cosette.review(**{**valid, **arguments})
    assert message in str(refused.value)
