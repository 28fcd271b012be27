"""The benchmark set, and the comparison of a solver with it."""

from __future__ import annotations

import math
import pathlib
from collections import Counter
from typing import List, Optional, Union

import pytest

import cosette
from cosette import BenchmarkPosition
from cosette._types import Metric


def test_the_random_positions_have_distances_that_agree() -> None:
    positions = cosette.benchmark()
    assert len({each.cube for each in positions}) == 1000
    for each in positions:
        assert each.htm is not None and each.qtm is not None and each.solution_count is not None
        assert each.htm <= each.qtm <= 2 * each.htm
        assert each.qtm % 2 == each.cube.parity
        assert each.solution_count >= 1
    htm = Counter(each.htm for each in positions)
    qtm = Counter(each.qtm for each in positions)
    assert htm == {16: 30, 17: 262, 18: 685, 19: 23}
    assert qtm == {18: 6, 19: 64, 20: 330, 21: 427, 22: 173}


def test_there_are_twenty_positions_at_each_distance() -> None:
    positions = cosette.benchmark("distances")
    assert len({(each.cube, each.htm) for each in positions}) == len(positions)
    htm = [each.htm for each in positions if each.htm is not None]
    qtm = [each.qtm for each in positions if each.qtm is not None]
    assert [htm.count(distance) for distance in range(1, 20)] == [18] + 18 * [20]
    assert [qtm.count(distance) for distance in range(1, 23)] == [12] + 21 * [20]
    assert (max(htm), max(qtm)) == (19, 22)


@pytest.mark.parametrize("metric", ["htm", "qtm"])
def test_the_distances_of_near_positions_are_found_again(metric: Metric) -> None:
    near = [each for each in cosette.benchmark("distances") if (getattr(each, metric) or 99) <= 11]
    solver = cosette.Solver("24M", metric=metric)
    evaluation = cosette.evaluate(solver.solve, near, metric=metric)
    assert len(evaluation.excesses) == len(near)
    assert evaluation.optimal == 1


def test_the_positions_of_deepcubea_are_read_from_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("L D F' B' R U' B' U' B' U F U R B L D'\n")
    (position,) = cosette.benchmark("deepcubea", path)
    assert (position.htm, position.qtm, position.solution_count) == (None, 16, None)
    path.write_text("R U\n")
    with pytest.raises(ValueError, match="list.txt: position 0 is no test position of DeepCubeA"):
        cosette.benchmark("deepcubea", path)
    with pytest.raises(ValueError, match=r"data_0\.pkl"):
        cosette.benchmark("deepcubea")


def test_a_solver_is_judged_by_its_solutions() -> None:
    near = [each for each in cosette.benchmark("distances") if each.htm == 1][:4]
    answers = iter([None, "R L", ["R", "R'"], "U D2 U' D2"])

    def solve(cube: cosette.Cube) -> Optional[Union[str, List[str]]]:
        answer = next(answers)
        return answer if answer != "U D2 U' D2" else f"{cosette.solve(cube).solution} {answer}"

    evaluation = cosette.evaluate(solve, near)
    assert evaluation.lengths == [None, None, None, 5]
    assert evaluation.excesses == [None, None, None, 4]
    assert (evaluation.solved, evaluation.optimal, evaluation.mean_excess) == (0.25, 0, 4)
    assert "25.0% solved, 0.0% optimal" in str(evaluation)
    assert math.isnan(cosette.evaluate(lambda cube: None, near).mean_excess)
    with pytest.raises(ValueError, match=r"metric='qtm'; pass .*benchmark\('distances'\)"):
        cosette.evaluate(cosette.solve, near, metric="qtm")


def test_each_position_has_an_entry() -> None:
    distances = [(1, 1), (None, 1), (2, None)]
    listed = [
        BenchmarkPosition(cosette.Cube(moves), htm, qtm, None)
        for moves, (htm, qtm) in zip(["R", "U", "F2 D"], distances)
    ]
    evaluation = cosette.evaluate(cosette.solve, iter(listed))
    assert evaluation.lengths == [1, None, 2] and evaluation.excesses == [0, None, 0]
    assert [seconds is None for seconds in evaluation.seconds] == [False, True, False]
    assert (evaluation.solved, evaluation.optimal) == (1, 1) and evaluation.mean_seconds > 0
    assert str(evaluation).startswith("2 positions, htm: 100.0% solved")


def test_an_answer_that_cannot_be_read_is_none() -> None:
    listed = [BenchmarkPosition(cosette.Cube("R"), 1, 1, None)] * 2
    answers = iter(["F2 Rq", "R'"])
    with pytest.warns(
        UserWarning, match=r"positions\[0\]: the solver returned 'F2 Rq'.*`q` is not"
    ):
        evaluation = cosette.evaluate(lambda cube: next(answers), listed)
    assert evaluation.lengths == [None, 1]


@pytest.mark.parametrize(
    ("scramble", "answer", "htm", "qtm"),
    [
        ("L", "r'", 1, 1),
        ("R' L", "M", 2, 2),
        ("R2", "y F2 B B'", 3, 4),
        ("R U", ["U'", "R'"], 2, 2),
    ],
)
def test_moves_are_counted_as_face_turns(
    scramble: str, answer: Union[str, List[str]], htm: int, qtm: int
) -> None:
    listed = [BenchmarkPosition(cosette.Cube(scramble), 1, 1, None)]
    for metric, length in (("htm", htm), ("qtm", qtm)):
        evaluation = cosette.evaluate(lambda cube: answer, listed, metric=metric)  # type: ignore[arg-type]
        assert evaluation.lengths == [length]


def test_other_positions_are_refused() -> None:
    with pytest.raises(TypeError, match=r"positions\[0\]='R U': pass .* cosette.benchmark"):
        cosette.evaluate(cosette.solve, ["R U"])  # type: ignore[list-item]
