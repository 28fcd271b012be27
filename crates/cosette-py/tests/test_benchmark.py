"""The benchmark set, and the comparison of a solver with it."""

from __future__ import annotations

import math
import pathlib
from typing import List, Optional, Union

import pytest

import cosette
from cosette._types import Metric


def test_the_random_positions_have_distances_that_agree() -> None:
    positions = cosette.benchmark()
    assert len({each.cube for each in positions}) == 1000
    for each in positions:
        assert each.htm is None or each.htm in range(15, 21)
        assert (each.solution_count is None) == (each.htm is None)
        if each.qtm is not None:
            assert each.qtm % 2 == each.cube.parity
            assert each.htm is None or each.htm <= each.qtm <= 2 * each.htm


def test_there_are_twenty_positions_at_each_distance() -> None:
    positions = cosette.benchmark("distances")
    assert len({(each.cube, each.htm) for each in positions}) == len(positions)
    htm = [each.htm for each in positions if each.htm is not None]
    qtm = [each.qtm for each in positions if each.qtm is not None]
    assert [htm.count(distance) for distance in range(1, 16)] == [18] + 14 * [20]
    assert [qtm.count(distance) for distance in range(1, 19)] == [12] + 17 * [20]
    # Farther ones are random positions that are proven.
    assert all(htm.count(distance) <= 20 for distance in range(16, 20))
    assert all(qtm.count(distance) <= 20 for distance in range(19, 23))
    assert (max(htm), max(qtm)) <= (19, 22)


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
    with pytest.raises(ValueError, match="'x', which is not a face turn"):
        cosette.evaluate(lambda cube: "x", near)
    with pytest.raises(ValueError, match="no position has a distance in metric='qtm'"):
        cosette.evaluate(cosette.solve, near, metric="qtm")
