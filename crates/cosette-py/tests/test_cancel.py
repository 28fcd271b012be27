"""Stopping calls: by a token from another thread and from asyncio, by ``close``, and by the end of a ``with`` block."""

from __future__ import annotations

import asyncio
import operator
import pathlib
import threading
import time
import warnings
from typing import Any, Callable

import pytest

import cosette
from cosette import Cancel, CancelledError

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def calls(solver: cosette.Solver, folder: pathlib.Path) -> dict[str, Callable[[Cancel], object]]:
    """Calls that take minutes, each with a token."""
    hard = cosette.to_array([SUPERFLIP])
    return {
        "solve": lambda cancel: cosette.solve(SUPERFLIP, solver=solver, cancel=cancel),
        "solve_all": lambda cancel: solver.solve_all(SUPERFLIP, cancel=cancel),
        "goal": lambda cancel: cosette.solve(SUPERFLIP, goal="f2l", cancel=cancel),
        "solve_many": lambda cancel: list(solver.solve_many(hard, cancel=cancel)),
        "journal": lambda cancel: list(
            solver.solve_many(hard, cancel=cancel, journal=folder / "journal")
        ),
        "distances": lambda cancel: cosette.distances(hard, solver=solver, cancel=cancel),
        "optimal_moves": lambda cancel: cosette.optimal_moves(hard, solver=solver, cancel=cancel),
        "dataset": lambda cancel: cosette.dataset(
            folder / "hard.npz", positions=hard, solver=solver, cancel=cancel
        ),
        "fmc": lambda cancel: cosette.fmc(
            SUPERFLIP, "eo[max=8] > dr[max=16]", count=None, timeout=None, cancel=cancel
        ),
        "review": lambda cancel: cosette.review(SUPERFLIP, "R", solver=solver, cancel=cancel),
        "generate_table": lambda cancel: cosette.generate_table(
            "1.5G", tables=folder, cancel=cancel
        ),
        "Solver": lambda cancel: cosette.Solver("qtm-190M", tables=folder, cancel=cancel),
    }


def test_another_kind_of_token_is_refused() -> None:
    event: Any = threading.Event()
    with pytest.raises(TypeError, match="cancel=<.*>: pass a cosette.Cancel, or None"):
        cosette.solve("R", cancel=event)


NAMES = list(calls(None, pathlib.Path()))  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:generating")
@pytest.mark.parametrize("name", NAMES)
def test_a_token_of_another_thread(
    name: str, solver: cosette.Solver, tmp_path: pathlib.Path
) -> None:
    call = calls(solver, tmp_path)[name]
    cancel = Cancel()
    asked: list[float] = []

    def stop() -> None:
        asked.append(time.monotonic())
        cancel.cancel()

    threading.Timer(0.4, stop).start()
    with pytest.raises(CancelledError, match="the call was cancelled"):
        call(cancel)
    assert time.monotonic() - asked[0] < 1.5 and cancel.is_cancelled
    # A cancelled token stops later calls at once.
    with pytest.raises(CancelledError):
        call(cancel)
    assert solver.solve("R U").length == 2


def test_a_token_of_the_callback(solver: cosette.Solver) -> None:
    cancel = Cancel()
    assert not cancel.is_cancelled and repr(cancel) == "<cosette.Cancel>"
    with pytest.raises(CancelledError):
        solver.solve(SUPERFLIP, on_event=lambda event: cancel.cancel(), cancel=cancel)
    assert repr(cancel) == "<cosette.Cancel, cancelled>"


def test_a_task_of_asyncio(solver: cosette.Solver) -> None:
    async def solve(position: str) -> cosette.Answer:
        with Cancel() as cancel:
            return await asyncio.to_thread(solver.solve, position, cancel=cancel)

    async def in_time() -> None:
        assert (await solve("R U F")).length == 3
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(solve(SUPERFLIP), 0.2)
        task = asyncio.create_task(solve(SUPERFLIP))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = time.monotonic()
    # It waits for the threads of both searches.
    asyncio.run(in_time())
    assert time.monotonic() - begun < 2


def test_close_of_another_thread(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    for journal in (None, tmp_path / "journal"):
        answers = solver.solve_many(["R", SUPERFLIP], journal=journal)
        assert operator.length_hint(answers) == 2 and next(answers).length == 1
        assert operator.length_hint(answers) == 1
        threading.Timer(0.3, answers.close).start()
        begun = time.monotonic()
        assert list(answers) == [] and 0.2 < time.monotonic() - begun < 1.5
    assert operator.length_hint(solver.solve_many(iter(["R"])), 7) == 7

    def closing() -> Any:
        yield "R"
        positions.close()
        yield "U"

    positions = solver.solve_many(closing())
    assert [answer.length for answer in positions] in ([], [1])


def test_the_end_of_a_block(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    with solver.solve_many(["R", SUPERFLIP], journal=tmp_path / "journal") as answers:
        assert next(answers).length == 1
    assert list(answers) == []
    with solver.solve_many(["R", SUPERFLIP], journal=tmp_path / "journal") as answers:
        assert next(answers).length == 1
    with cosette.Solver("24M", threads=1) as other:
        assert other.solve("R").length == 1 and not other.closed
    assert other.closed and (other.table, other.threads, other.metric) == ("htm-24M", 1, "htm")
    assert repr(other) == "<cosette.Solver htm-24M threads=1, closed>"
    uses: list[Callable[[], object]] = [
        lambda: other.solve("R"),
        lambda: other.solve_many(["R"]),
        lambda: cosette.distances([cosette.Cube("R").__array__()], solver=other),
        lambda: cosette.dataset(tmp_path / "a.npz", 2, walk_length=1, solver=other),
        lambda: cosette.insertions("D2 R U R' D2 R U' R2", "R", solver=other),
        lambda: cosette.review("R", "R'", solver=other),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="this solver is closed"):
            use()
    # The functions of the module open another one.
    cosette.default_solver().close()
    assert cosette.solve("R U").length == 2 and not cosette.default_solver().closed


def test_a_long_generation_is_announced(tmp_path: pathlib.Path) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.warns(UserWarning, match="generating qtm-190M takes about .* s; it is saved in"):
        with pytest.raises(CancelledError):
            cosette.Solver("qtm-190M", tables=tmp_path, threads=1, cancel=cancel)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shown in ({"progress": True}, {"on_progress": lambda *step: None}):
            with pytest.raises(CancelledError):
                cosette.Solver("qtm-190M", tables=tmp_path, cancel=cancel, **shown)
        cosette.Solver("24M")
