"""Ctrl-C, tested in a separate process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from conftest import HARD

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="this system cannot send SIGINT to a single process"
)

SOLVE = "solver.solve(hard)"
MANY = "list(solver.solve_many([hard] * 4))"
ARRAYS = "cosette.distances(cosette.to_array([hard] * 4), solver=solver)"
LABELS = "cosette.optimal_moves(cosette.to_array([hard]), solver=solver)"
GENERATE = "cosette.Solver(table='1.5G', tables=sys.argv[1])"


@pytest.mark.parametrize("work", [SOLVE, MANY, ARRAYS, LABELS, GENERATE])
def test_ctrl_c(work: str, tmp_path: os.PathLike[str]) -> None:
    program = f"""
import cosette, signal, sys, time
# Ctrl-C may be ignored if the tests run in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
solver = cosette.Solver(table='24M')
hard = cosette.Cube({HARD!r})
print('begun', flush=True)
try:
    {work}
except KeyboardInterrupt:
    print('interrupted', time.time(), flush=True)
# The solver still works.
print(solver.solve('R U').length)
"""
    arguments = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        # A failing test must not wait for hours of work.
        timer = threading.Timer(30, process.kill)
        timer.start()
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        asked = time.time()
        process.send_signal(signal.SIGINT)
        word, when = process.stdout.readline().split()
        assert word == "interrupted"
        # Generating a table stops at the end of a class of corner paintings.
        assert float(when) - asked < (1.0 if work == GENERATE else 0.4)
        assert process.stdout.readline() == "2\n"
        timer.cancel()
    assert process.returncode == 0


def test_another_handler_may_let_it_continue(hard: str) -> None:
    program = f"""
import cosette, signal
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.1)
answer = cosette.Solver(table='24M').solve(cosette.Cube({hard!r}), timeout=0.4)
print(answer.stop_reason, seen)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout == "timeout [1]\n"
