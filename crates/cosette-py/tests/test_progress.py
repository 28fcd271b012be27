from __future__ import annotations

import io
import os
import pathlib
import subprocess
import sys
import types

import pytest

import cosette
from conftest import HARD
from cosette import Cube, _progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress.Line, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress.Line, "INTERVAL", 0.0)


def test_off_unless_somebody_watches(
    solver: cosette.Solver, hard: str, capsys: pytest.CaptureFixture[str]
) -> None:
    solver.solve(Cube(hard), timeout=0.8)
    assert list(solver.solve_many(["R"] * 3))
    assert capsys.readouterr().err == ""


def test_on_where_standard_error_is_a_terminal(
    solver: cosette.Solver, hard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    solver.solve(Cube(hard), timeout=1.0)
    shown = terminal.getvalue()
    assert "moves or more, best known" in shown and "% of length" in shown
    # It is cleared at the end: the last line holds blanks only.
    assert shown.endswith("\r") and shown.rstrip("\r").rsplit("\r", 1)[1].strip() == ""
    # Searches that are done at once show nothing, nor do those that are told not to, or have a callback.
    terminal.truncate(0)
    solver.solve("R U")
    solver.solve(Cube(hard), timeout=0.8, progress=False)
    solver.solve(Cube(hard), timeout=0.8, on_event=lambda event: None)
    assert terminal.getvalue() == ""


def test_on_in_a_notebook(
    solver: cosette.Solver, hard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = types.SimpleNamespace(kernel=object())
    notebook = types.SimpleNamespace(get_ipython=lambda: shell)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    solver.solve_all(Cube(hard), timeout=1.0)
    assert "moves or more" in shown.getvalue()
    # IPython in a terminal is no notebook.
    monkeypatch.setattr(shell, "kernel", None)
    assert not _progress.is_watched()


@pytest.mark.usefixtures("no_patience")
def test_a_bar_of_tqdm_is_left_alone(
    solver: cosette.Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = types.SimpleNamespace(tqdm=types.SimpleNamespace(_instances={1}))
    monkeypatch.setitem(sys.modules, "tqdm", bar)
    assert len(list(solver.solve_many(["R"] * 3))) == 3
    assert terminal.getvalue() == ""
    bar.tqdm._instances = set()
    assert len(list(solver.solve_many(["R"] * 3))) == 3
    assert "3 of 3 answered" in terminal.getvalue()


@pytest.mark.usefixtures("no_patience")
def test_on_request(
    solver: cosette.Solver, not_loaded: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lengths = [answer.length for answer in solver.solve_many(["R"] * 12, progress=True)]
    assert len(lengths) == 12 and "12 of 12 answered" in capsys.readouterr().err
    assert len(list(solver.solve_many(iter(["R"] * 3), progress=True))) == 3
    assert "3 answered" in capsys.readouterr().err
    cosette.Solver(table="24M", tables=not_loaded, threads=1, progress=True)
    # Each text is a line of its own where nothing can be overwritten.
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "loading htm-24M: 100 %" and not any("\r" in line for line in lines)


@pytest.mark.usefixtures("no_patience")
def test_a_line_left_behind_is_cleared(
    solver: cosette.Solver, hard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    answers = solver.solve_many(["R", "U"] + [Cube(hard)], progress=True)
    next(answers)
    answers.close()
    assert terminal.getvalue().endswith("\r")
    with pytest.raises(RuntimeError):
        solver.solve(
            Cube(hard), on_event=lambda event: (_ for _ in ()).throw(RuntimeError()), progress=True
        )
    assert terminal.getvalue().rsplit("\r", 1)[-1] == ""


@pytest.mark.usefixtures("no_patience")
def test_a_dropped_iterator_keeps_the_exception(solver: cosette.Solver) -> None:
    with pytest.raises(cosette.InvalidCubeError):
        next(solver.solve_many(["Q"], progress=True))
    with pytest.raises(cosette.InvalidCubeError):
        list(solver.solve_many(["R", "Q"], progress=True))
    with pytest.raises(KeyError, match="mine"):
        for _ in solver.solve_many(["R"] * 3, progress=True):
            raise KeyError("mine")


@pytest.mark.usefixtures("no_patience")
def test_a_broken_standard_error_stops_nothing(
    solver: cosette.Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Terminal()
    closed.close()
    for broken in (closed, None):
        monkeypatch.setattr(sys, "stderr", broken)
        assert solver.solve("R U").length == 2
        assert [answer.length for answer in solver.solve_many(["R"], progress=True)] == [1]


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_on_a_real_terminal() -> None:
    import pty

    leader, follower = pty.openpty()
    program = (
        f"import cosette; print(cosette.solve(cosette.Cube({HARD!r}), timeout=1.2).stop_reason)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=follower
    ) as process:
        os.close(follower)
        assert process.stdout is not None
        assert process.stdout.read() == b"timeout\n"
    shown = os.read(leader, 10_000)
    os.close(leader)
    assert b"moves or more" in shown
