from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import pathlib
import pickle
import threading
import time
from typing import Any

import pytest

import cosette
from conftest import walk
from cosette import Cube


def test_solutions_solve(solver: cosette.Solver) -> None:
    for seed in range(40):
        text = walk(seed, 11)
        answer = solver.solve(text)
        assert answer.optimal and answer.complete and answer.stop_reason is None
        assert answer.length is not None and answer.length <= 11
        assert (
            answer.lower_bound
            == answer.upper_bound
            == answer.length
            == len(answer.solutions[0].split())
        )
        assert answer.solution == answer.solutions[0]
        assert Cube(text).apply(answer.solutions[0]).is_solved
        assert answer.cube == Cube(text) and answer.input == text
        # The inverse and the conjugates have the same length.
        other = (~Cube(text)).conjugate(cosette.Symmetry(seed))
        assert solver.solve(other).length == answer.length


def test_all_solutions(solver: cosette.Solver) -> None:
    answer = cosette.solve_all("R2 L2 U2 D2")
    assert answer.length == 4 and len(set(answer.solutions)) == len(answer.solutions)
    assert all(Cube("R2 L2 U2 D2").apply(solution).is_solved for solution in answer.solutions)
    assert len(solver.solve("R2 L2 U2 D2", count=2).solutions) == 2
    assert cosette.solve_all(Cube()).solutions == [""]


def test_fewest_quarter_turns_among_the_shortest(solver: cosette.Solver) -> None:
    def quarter_turns(moves: str) -> int:
        return sum(2 if "2" in move else 1 for move in moves.split())

    scramble = "D U2 B2 U2 L2 U2"
    assert {quarter_turns(solution) for solution in solver.solve_all(scramble).solutions} == {9, 11}
    assert [
        quarter_turns(solution) for solution in solver.solve(scramble, prefer="qtm").solutions
    ] == [9]
    with pytest.raises(ValueError, match="remove count="):
        solver.solve("R", prefer="qtm", count=2)


def test_what_is_special() -> None:
    superflip = Cube("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2")
    explanation = cosette.solve(superflip, max_length=3).explanation
    assert explanation is not None
    assert (explanation["rotations"], explanation["mirrors"], explanation["order"]) == (24, 24, 2)
    explanation = cosette.solve_all("R U").explanation
    assert explanation is not None and explanation["solutions"]["first_moves"] == ["U'"]


def test_the_fields_of_an_answer(solver: cosette.Solver) -> None:
    answer = solver.solve("R U2 F' L")
    fields = answer.to_dict()
    assert json.loads(answer.to_json()) == fields
    # Python has an attribute for each field of the JSON.
    for name, value in fields.items():
        if name not in ("solution_count", "engine"):  # these have no attribute
            assert getattr(answer, name) == value, name
    assert fields["solution_count"] == 1 and answer.index is None
    assert answer.nodes > 0 and answer.seconds > 0 and answer.table == "htm-24M"
    assert answer.iterations[-1]["exhausted"] and answer.iterations[-1]["length"] == 3
    assert cosette.Answer.from_dict(fields) == pickle.loads(pickle.dumps(answer)) == answer
    assert repr(answer) == "<cosette.Answer 4 htm, proven: L' F U2 R'>"


def test_limits(solver: cosette.Solver, hard: str) -> None:
    answer = solver.solve(Cube(hard), max_length=10)
    assert not answer.optimal and answer.stop_reason == "max-length" and answer.lower_bound == 11
    assert answer.length is None and answer.solutions == []
    assert answer.best_known is not None and answer.best_known == answer.solution
    assert Cube(hard).apply(answer.best_known).is_solved
    start = time.monotonic()
    answer = solver.solve(Cube(hard), timeout=0.3)
    assert 0.3 <= time.monotonic() - start < 0.5
    assert answer.upper_bound is not None
    assert answer.stop_reason == "timeout" and 10 < answer.lower_bound <= answer.upper_bound <= 20
    # The inverse of the given moves is a solution too.
    stopped = solver.solve("R U F D L B R U F D", timeout=0)
    assert stopped.upper_bound is not None and stopped.upper_bound <= 10
    assert "to" in repr(answer)


def test_events(solver: cosette.Solver, hard: str) -> None:
    events: list[dict[str, Any]] = []
    answer = solver.solve(Cube(hard), timeout=0.6, on_event=events.append)
    kinds = {event["event"] for event in events}
    assert {"solution", "iteration-started", "progress", "iteration-finished"} <= kinds
    lengths = [event["length"] for event in events if event["event"] == "solution"]
    assert lengths == sorted(lengths, reverse=True) and lengths[-1] == answer.upper_bound
    started = [event["length"] for event in events if event["event"] == "iteration-started"]
    assert started == sorted(started) and started[-1] == answer.lower_bound
    assert all(json.dumps(event) for event in events)


def test_an_exception_of_the_callback_stops_the_search(solver: cosette.Solver, hard: str) -> None:
    def refuse(event: dict[str, Any]) -> None:
        raise RuntimeError(event["event"])

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="solution"):
        solver.solve(Cube(hard), on_event=refuse)
    assert time.monotonic() - start < 0.5


def test_quarter_turns(not_loaded: pathlib.Path) -> None:
    steps: list[str] = []
    solver = cosette.Solver(
        table="qtm-24M", tables=not_loaded, on_progress=lambda what, done, total: steps.append(what)
    )
    assert solver.metric == "qtm" and solver.table == "qtm-24M"
    assert any("loading qtm-24M" in step for step in steps)
    assert solver.solve("R2 U").length == 3


def test_the_shared_solver() -> None:
    # A small table that is there for arrays is not enough for all.
    assert cosette.distances(cosette.to_array(["R2 U"])).tolist() == [2]
    assert (
        cosette.default_solver() is cosette.default_solver()
        and cosette.default_solver().table == "htm-190M"
    )


def test_other_threads_continue(solver: cosette.Solver, hard: str) -> None:
    """While a search runs, Python runs too."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.005):
            ticks += 1

    ticking = threading.Thread(target=tick)
    ticking.start()
    solver.solve(Cube(hard), timeout=0.5)
    done.set()
    ticking.join()
    assert ticks > 20


def test_a_solver_serves_many_threads(solver: cosette.Solver) -> None:
    texts = [walk(seed, 9) for seed in range(30)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(solver.solve, texts))
    assert [answer.input for answer in answers] == texts
    assert all(answer.optimal for answer in answers)


def test_threads_share_the_solvers_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosette, "_solvers", {})
    for table in ("auto", "24M"):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            made = list(
                pool.map(lambda _: cosette._shared_solver("htm", None, None, table), range(8))
            )
        assert len({id(solver) for solver in made}) == 1


def test_a_solver_can_be_pickled(solver: cosette.Solver) -> None:
    again = pickle.loads(pickle.dumps(solver))
    assert (again.table, again.threads) == (solver.table, solver.threads)
    assert again.solve("R U").length == 2


def test_methods_of_a_solver_in_other_processes(solver: cosette.Solver) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answers = pool.map(solver.solve, ["R", "R U", Cube("R U F").facelets()])
    assert [answer.length for answer in answers] == [1, 2, 3]


def solved_in_child(text: str) -> cosette.Answer:
    return cosette.solve(text)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork"
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_solver_survives_a_fork() -> None:
    cosette.solve("R")
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(solved_in_child, ("R U F",)).length == 3
