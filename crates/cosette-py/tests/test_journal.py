from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Any, Callable

import pytest

import cosette
from conftest import HARD, walk
from cosette import Cube, JournalError, InvalidCubeError

TEXTS = [walk(seed, 9) for seed in range(30)]


def test_answers_are_those_without_a_journal(
    solver: cosette.Solver, tmp_path: pathlib.Path
) -> None:
    journal = tmp_path / "run.journal"
    expected = [(answer.index, answer.input, answer.length) for answer in solver.solve_many(TEXTS)]
    for _ in range(2):
        answers = list(solver.solve_many(TEXTS, journal=journal))
        assert [(answer.index, answer.input, answer.length) for answer in answers] == expected
        assert all(Cube(answer.input).apply(answer.solutions[0]).is_solved for answer in answers)
        assert all(answer.explanation is not None for answer in answers)
    unordered = {
        answer.index: answer.length
        for answer in cosette.solve_many(TEXTS, ordered=False, journal=str(journal))
    }
    assert [(index, TEXTS[index], unordered[index]) for index in range(30)] == expected


def test_a_run_continues_where_it_was_left(
    solver: cosette.Solver, hard: str, tmp_path: pathlib.Path
) -> None:
    journal = tmp_path / "run.journal"
    positions: list[str | Cube] = ["R", "Q", Cube("R U"), hard]
    first = solver.solve_many(positions, journal=journal, errors="return")
    assert sorted(next(first).index or 0 for _ in range(3)) == [0, 1, 2]
    # The file is free again at once, and what was returned is in it.
    first.close()
    assert list(first) == []
    answers = solver.solve_many(positions, journal=journal, errors="return", timeout=0.3)
    start = time.monotonic()
    lengths = [
        answer.length if isinstance(answer, cosette.Answer) else type(answer) for answer in answers
    ]
    assert lengths == [1, InvalidCubeError, 2, None] and time.monotonic() - start < 2
    # What ran out of time is tried again; here it does once more.
    again = list(solver.solve_many(positions, journal=journal, errors="return", timeout=0.1))
    assert isinstance(again[3], cosette.Answer) and again[3].stop_reason == "timeout"


def test_a_dropped_iterator_frees_the_journal(
    solver: cosette.Solver, hard: str, tmp_path: pathlib.Path
) -> None:
    for _ in range(3):
        answers = solver.solve_many(["R", hard], journal=tmp_path / "journal")
        assert next(answers).length == 1
        del answers


def test_bad_texts_are_raised_in_their_turn(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    answers = solver.solve_many(["R", "Q", "U"], journal=tmp_path / "journal")
    assert next(answers).length == 1
    with pytest.raises(InvalidCubeError, match="`Q`") as caught:
        next(answers)
    assert caught.value.index == 1
    assert [answer.length for answer in answers] == [1]
    mixed: Any = ["R", None, "U"]
    for _ in range(2):
        returned = list(solver.solve_many(mixed, errors="return", journal=tmp_path / "mixed"))
        assert [getattr(answer, "length", None) for answer in returned] == [1, None, 1]
        assert isinstance(returned[1], InvalidCubeError) and returned[1].index == 1


def test_a_journal_of_the_lines_of_a_file(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    journal = tmp_path / "journal"
    assert len(list(solver.solve_many(["R", "U"], journal=journal))) == 2
    written = journal.read_bytes()
    assert len(list(solver.solve_many(["R\n", "U \n"], journal=journal))) == 2
    assert journal.read_bytes() == written
    with pytest.raises(JournalError, match="cannot") as caught:
        solver.solve_many(["R"], journal=tmp_path / "none" / "journal")
    assert caught.value.help == "create its folder first, or pass another file as journal="


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit files")
def test_a_journal_on_a_full_disk_is_continued(
    solver: cosette.Solver, tmp_path: pathlib.Path
) -> None:
    import resource

    journal, positions = tmp_path / "journal", ["R", "U F", "F2 D L", "B U L2 D"]
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, unlimited[1]))
    try:
        with pytest.raises(JournalError, match="cannot write the journal") as caught:
            list(solver.solve_many(positions, journal=journal))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert caught.value.help is not None and "free disk space" in caught.value.help
    assert [answer.length for answer in solver.solve_many(positions, journal=journal)] == [
        1,
        2,
        3,
        4,
    ]


def test_journals_that_cannot_be_continued(
    solver: cosette.Solver, hard: str, tmp_path: pathlib.Path
) -> None:
    journal = tmp_path / "journal"
    assert len(list(solver.solve_many(["R", "U"], journal=journal))) == 2
    for other, what in (
        ({"positions": ["R"]}, "2 positions, not 1 position;"),
        ({"positions": ["R", "F"]}, "other positions;"),
        ({"count": 2}, "count=1, not count=2;"),
        ({"max_length": 5}, "max_length=None, not max_length=5;"),
        ({"prefer": "qtm"}, "prefer=None, not prefer='qtm';"),
    ):
        with pytest.raises(JournalError, match=f"was started with {what}") as caught:
            solver.solve_many(**{"positions": ["R", "U"], "journal": journal, **other})  # type: ignore[call-overload]
        assert (
            caught.value.help is not None
            and "journal=" in caught.value.help
            and "--" not in str(caught.value)
        )
    running = solver.solve_many([hard], journal=tmp_path / "other")
    with pytest.raises(JournalError, match="in use"):
        solver.solve_many([hard], journal=tmp_path / "other")
    running.close()
    (tmp_path / "text").write_text("R U F\n")
    with pytest.raises(JournalError, match="not a journal"):
        solver.solve_many(["R"], journal=tmp_path / "text")
    with pytest.raises(JournalError):
        solver.solve_many(["R"], journal=tmp_path)
    journal.write_bytes(journal.read_bytes().replace(b"htm", b"qtm", 1))
    with pytest.raises(JournalError, match="corrupted") as caught:
        solver.solve_many(["R", "U"], journal=journal)
    assert caught.value.help == "delete the file and start again"
    assert issubclass(JournalError, cosette.CosetteError)


def test_a_journal_of_other_settings_is_refused_before_a_table_is_needed(
    solver: cosette.Solver, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = cosette.random_array(1, seed=1, walk_length=13)
    names = ("many", "distances", "optimal_moves", "rows.npz")
    many, lengths, moves, rows = (tmp_path / name for name in names)
    list(solver.solve_many(["R"], journal=many))
    cosette.distances(array, journal=lengths, solver=solver, max_length=12)
    cosette.optimal_moves(array, journal=moves, solver=solver, max_length=12)
    cancel = cosette.Cancel()
    cancel.cancel()
    with pytest.raises(cosette.CancelledError):
        cosette.dataset(rows, 3, solver=solver, cancel=cancel)

    def shared(metric: Any, progress: Any, cancel: Any, table: str = "auto") -> cosette.Solver:
        assert table != "auto", "a table is loaded"
        return cosette.Solver(table, metric=metric)

    monkeypatch.setattr(cosette, "_shared_solver", shared)
    calls: list[Callable[[], object]] = [
        lambda: cosette.solve_many(["R"], journal=many, metric="qtm"),
        lambda: cosette.solve_many(iter(["R"]), journal=many, metric="qtm"),
        lambda: cosette.distances(array, journal=lengths, metric="qtm", max_length=12),
        lambda: cosette.optimal_moves(array, journal=moves, metric="qtm", max_length=12),
        lambda: cosette.dataset(rows, 3, metric="qtm"),
    ]
    for call in calls:
        with pytest.raises(JournalError, match="htm.* not .*qtm"):
            call()
    with pytest.raises(JournalError, match="with 1 position, not 2 positions"):
        cosette.solve_many(["R", "U"], journal=many)


@pytest.mark.skipif(os.name == "nt", reason="this system cannot send SIGINT to a single process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_killed_run_continues(
    solver: cosette.Solver, tmp_path: pathlib.Path, number: signal.Signals
) -> None:
    journal = tmp_path / "journal"
    texts = [*TEXTS[:10], HARD]
    program = f"""
import cosette, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
for answer in cosette.Solver(table='24M').solve_many({texts!r}, journal={str(journal)!r}):
    print(answer.index, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        seen = sorted(int(process.stdout.readline()) for _ in range(10))
        process.send_signal(number)
    assert seen == list(range(10)) and process.returncode != 0
    answers = solver.solve_many(texts, journal=journal)
    assert sorted(next(answers).index or 0 for _ in range(10)) == seen
    answers.close()
