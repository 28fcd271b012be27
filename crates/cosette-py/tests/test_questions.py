"""The questions that every front end is asked."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import cosette

QUESTIONS = (
    pathlib.Path(__file__).resolve().parents[2]
    / "cosette-app"
    / "tests"
    / "questions"
    / "questions.json"
)


@pytest.fixture(scope="session")
def solvers(solver: cosette.Solver) -> dict[str, cosette.Solver]:
    return {"htm": solver, "qtm": cosette.Solver(table="24M", metric="qtm", threads=2)}


def ask(
    solvers: dict[str, cosette.Solver], position: str, metric: str = "htm", **request: Any
) -> cosette.Answer:
    """The answer to a request in the words of the JSON."""
    reading = {
        name: request.pop(name) for name in ("format", "face_order", "niss") if name in request
    }
    solver = solvers.get(metric, solvers["htm"])
    if metric not in solvers:
        request["metric"] = metric
    # An answer always says what is special about the position.
    if request.pop("explain", False) or request.get("count") == "all":
        request.pop("count", None)
        return solver.solve_all(position, **request)
    return solver.solve(cosette.Cube(position, **reading) if reading else position, **request)


@pytest.mark.parametrize(
    "question", json.loads(QUESTIONS.read_text()), ids=lambda question: question["about"]
)
def test_each_question_has_its_answer(
    question: dict[str, Any], solvers: dict[str, cosette.Solver]
) -> None:
    request = question["request"]
    if {"explain", "count"} <= request.keys():
        pytest.skip("in Python this cannot be asked")
    if "refused" in question:
        error = {"position": cosette.InvalidCubeError, "request": ValueError}[question["refused"]]
        with pytest.raises(error, match=question["says"]):
            ask(solvers, **request)
        return
    answer = ask(solvers, **request).to_dict()
    for name, expected in question["answer"].items():
        found = answer[name]
        if isinstance(expected, list):
            found, expected = sorted(found), sorted(expected)
        assert found == expected, f"{name} of {answer}"
