from __future__ import annotations

import gc
import itertools
import os
import pathlib
import random
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any, Callable

import pytest

import cosette
from conftest import MOVES
from cosette import Answer, Cube, InvalidCubeError


def walks(count: int, length: int = 8) -> list[str]:
    generator = random.Random(3)
    return [" ".join(generator.choices(MOVES, k=length)) for _ in range(count)]


def test_lengths_are_those_of_single_searches(solver: cosette.Solver) -> None:
    texts = walks(60)
    expected = [solver.solve(text).length for text in texts]
    assert [answer.length for answer in solver.solve_many(texts)] == expected
    answers = {answer.index: answer for answer in cosette.solve_many(texts)}
    assert [answers[index].length for index in range(60)] == expected
    assert [answers[index].input for index in range(60)] == texts
    assert answers[3].to_dict()["line"] == 4 and answers[3].to_dict()["index"] == 3
    assert Answer.from_dict(answers[3].to_dict()) == answers[3]


def test_names_are_in_the_answers(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    texts = ["T-perm: R U F\n", "R U\n", "Aa\tx R'\n"]
    for more in (
        {},
        {"journal": tmp_path / "journal"},
        {"journal": tmp_path / "journal"},
        {"goal": "cross:D"},
    ):
        answers = list(solver.solve_many(texts, **more))
        assert [answer.name for answer in answers] == ["T-perm", None, "Aa"], more
    assert (
        solver.solve("T-perm: R U F").to_dict()["name"] == "T-perm"
        and "name" not in solver.solve("R").to_dict()
    )
    with pytest.raises(InvalidCubeError, match="may be a name"):
        list(solver.solve_many(["F,R U R'"]))


def test_an_endless_generator(solver: cosette.Solver) -> None:
    read = 0

    def endless() -> Iterator[Cube]:
        nonlocal read
        for text in itertools.cycle(walks(10)):
            read += 1
            yield Cube(text)

    answers = solver.solve_many(endless())
    first = list(itertools.islice(answers, 25))
    assert len(first) == 25 and all(answer.optimal for answer in first)
    # Only a few are read ahead.
    assert 25 <= read <= 25 + 8 * solver.threads
    answers.close()
    assert list(answers) == []


def test_easy_positions_overtake_hard_ones(solver: cosette.Solver, hard: str) -> None:
    answers = solver.solve_many([Cube(hard), "R", "U", "F"], ordered=False)
    assert [next(answers).index for _ in range(3)] == [1, 2, 3]
    answers.close()
    ordered = solver.solve_many([Cube(hard), "R", "U", "F"], timeout=0.3)
    assert [(answer.index, answer.stop_reason) for answer in ordered] == [
        (0, "timeout"),
        (1, None),
        (2, None),
        (3, None),
    ]


def test_a_search_that_may_end_early_has_a_solution(
    solver: cosette.Solver, hard: str, tmp_path: pathlib.Path
) -> None:
    for journal in (None, tmp_path / "journal"):
        answer = next(solver.solve_many([Cube(hard)], max_length=5, journal=journal))
        assert answer.best_known is not None and answer.upper_bound == len(
            answer.best_known.split()
        )


def test_an_iterator_that_its_positions_refer_to_is_freed(solver: cosette.Solver) -> None:
    class Seen(set[int]):
        pass

    def positions(seen: Seen, answers: list[Any]) -> Iterator[str]:
        while True:
            seen.add(len(answers))
            yield "R"

    seen = Seen()
    answers: list[Any] = []
    answers.append(solver.solve_many(positions(seen, answers)))
    next(answers[0])
    freed = weakref.ref(seen)
    del seen, answers
    gc.collect()
    assert freed() is None


def test_an_exception_of_the_positions_is_that_exception(solver: cosette.Solver) -> None:
    class Broken:
        def __iter__(self) -> Iterator[str]:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        solver.solve_many(Broken())
    with pytest.raises(TypeError, match="an iterable of strings or Cubes"):
        solver.solve_many(5)  # type: ignore[call-overload]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_random_positions_differ_in_forked_processes() -> None:
    Cube.random()
    reads = []
    for _ in range(2):
        read, write = os.pipe()
        if os.fork() == 0:
            os.write(
                write, Cube.random().facelets().encode() + next(cosette.random_walks(20)).encode()
            )
            os._exit(0)
        os.close(write)
        with open(read, "rb") as pipe:
            reads.append(pipe.read())
        os.wait()
    assert len(reads[0]) > 54 and reads[0][:54] != reads[1][:54] and reads[0][54:] != reads[1][54:]


def test_a_bad_text_raises_and_the_rest_goes_on(solver: cosette.Solver) -> None:
    answers = solver.solve_many(["R", "Q", "R U"])
    assert next(answers).length == 1
    with pytest.raises(InvalidCubeError, match="`Q` is not a valid move"):
        next(answers)
    assert next(answers).length == 2
    assert list(answers) == []


def test_bad_texts_are_returned_on_request(solver: cosette.Solver) -> None:
    answers = list(solver.solve_many(["R", "Q", "R U"], errors="return"))
    assert [type(answer) for answer in answers] == [Answer, InvalidCubeError, Answer]
    assert [answer.index for answer in answers] == [0, 1, 2]


def test_what_is_not_a_text_is_an_error_of_its_position(solver: cosette.Solver) -> None:
    positions: Any = ["R", float("nan"), None, "R U"]
    answers = list(solver.solve_many(positions, errors="return"))
    assert [type(answer) for answer in answers] == [
        Answer,
        InvalidCubeError,
        InvalidCubeError,
        Answer,
    ]
    assert [answer.index for answer in answers] == [0, 1, 2, 3]
    said = "positions[1]=nan is not a position; pass a string or a Cube, or a row of 54 integers"
    assert str(answers[1]) == said
    raising = solver.solve_many(positions)
    assert next(raising).length == 1
    for index in (1, 2):
        with pytest.raises(TypeError, match=rf"positions\[{index}\]=.*: pass a string or a Cube"):
            next(raising)
    assert [answer.length for answer in raising] == [2]


def test_one_of_all_solutions_is_preferred(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    # Six half turns, or the same with quarter turns where opposite faces turn together.
    pattern = "U2 D2 F2 B2 L2 R2"
    chosen = solver.solve(pattern, prefer="qtm").solutions
    for journal in (None, tmp_path / "journal"):
        answers = list(solver.solve_many([pattern, "R"], prefer="qtm", journal=journal))
        assert [len(answer.solutions) for answer in answers] == [1, 1] and answers[0].length == 6
    assert len(chosen) == 1
    with pytest.raises(ValueError, match="remove count="):
        solver.solve_many(["R"], prefer="qtm", count=2)


def test_an_exception_of_the_generator_comes_last(solver: cosette.Solver) -> None:
    def failing() -> Iterator[str]:
        yield from walks(5)
        raise RuntimeError("no more")

    lengths = []
    with pytest.raises(RuntimeError, match="no more"):
        for answer in solver.solve_many(failing()):
            lengths.append(answer.length)
    assert len(lengths) == 5


def test_one_thread_at_a_time(solver: cosette.Solver, hard: str) -> None:
    def feedback() -> Iterator[str]:
        yield "R"
        with pytest.raises(RuntimeError, match="this iterator is in use"):
            next(answers)
        yield "U"

    answers = solver.solve_many(feedback())
    assert [answer.length for answer in answers] == [1, 1]
    waiting = solver.solve_many([hard], timeout=1.0)
    thread = threading.Thread(target=lambda: next(waiting))
    thread.start()
    time.sleep(0.3)
    with pytest.raises(RuntimeError, match="in use by another thread"):
        next(waiting)
    thread.join()
    assert list(waiting) == []


def test_nothing_to_solve(solver: cosette.Solver) -> None:
    assert list(solver.solve_many([])) == []
    with pytest.raises(TypeError):
        solver.solve_many(3)  # type: ignore[call-overload]


def test_an_iterator_is_dropped_at_once(solver: cosette.Solver, hard: str) -> None:
    answers = solver.solve_many([Cube(hard)] * 4 + ["R"], max_length=17)
    start = time.monotonic()
    del answers
    assert time.monotonic() - start < 0.1


def test_limits_hold_for_each(solver: cosette.Solver) -> None:
    texts = walks(4, 25)
    answers = list(solver.solve_many(map(Cube, texts), max_length=3))
    assert [answer.stop_reason for answer in answers] == ["max-length"] * 4
    counts = [
        len(answer.solutions) for answer in solver.solve_many(["R2 L2 U2 D2 F2 B2", "R"], count=3)
    ]
    assert counts == [3, 1]


def test_a_data_frame_is_refused(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    class DataFrame(dict[str, list[str]]):
        columns = ["scramble"]

    frame = DataFrame(scramble=["R U"])
    calls: list[Callable[[], object]] = [
        lambda: solver.solve_many(frame),
        lambda: cosette.to_array(frame),
        lambda: cosette.dataset(tmp_path / "a.csv", positions=frame),
    ]
    for call in calls:
        with pytest.raises(
            TypeError, match=r'type DataFrame: pass .* columns, as df\["scramble"\]'
        ):
            call()
