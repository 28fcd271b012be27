"""The list of the tables, their generation and removal, and the choice of one."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy
import pytest

import cosette


def test_tables_on_disk(tmp_path: pathlib.Path) -> None:
    tables = cosette.tables(tmp_path)
    assert len(tables) == 20 and {table.state for table in tables} == {"missing"}
    assert tables[0] == ("htm-24M", tmp_path / "htm-24M.table", 23669568, "missing", None, None)
    for name in ("24M", "htm-24M"):
        cosette.generate_table(name, tables=tmp_path, threads=1)
        assert cosette.tables(tmp_path)[0].state == "complete"
    cosette.Solver("24M", tables=tmp_path).close()
    tables[1].path.write_bytes(b"another file")
    damaged = cosette.tables(tmp_path)[1]
    assert damaged.state == "corrupted" and damaged.error and "htm-47M" in damaged.error
    with pytest.raises(cosette.TableError, match="move that file away"):
        cosette.generate_table("47M", tables=tmp_path)
    cosette.remove_table("24M", tables=tmp_path)
    with pytest.raises(cosette.TableError, match="htm-24M"):
        cosette.remove_table("24M", tables=tmp_path)
    with pytest.raises(cosette.UnknownTableError, match="table='5G'"):
        cosette.remove_table("5G")
    with pytest.raises(ValueError, match="table='auto': pass the name of a table"):
        cosette.generate_table("auto")
    default = cosette.tables()[0]
    assert default.state == "complete" and default.path.is_file()


def test_the_smallest_table_serves_where_another_takes_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cubes = cosette.random_array(40, seed=1, walk_length=12)
    expected = cosette.distances(cubes, solver=cosette.default_solver())
    labels = cosette.optimal_moves(cubes[:8], solver=cosette.default_solver())
    assert expected.max() > 11
    opened: list[str] = []
    shared = cosette._shared_solver

    def share(metric: Any, progress: Any, cancel: Any, table: str = "auto") -> cosette.Solver:
        opened.append(table)
        return shared(metric, progress, cancel, table)

    monkeypatch.setattr(cosette, "_shared_solver", share)
    monkeypatch.setattr(cosette, "_solvers", {})
    for seconds, chosen in ((60.0, ["24M"]), (1e-9, ["24M", "auto"])):
        monkeypatch.setattr(cosette._cosette, "generation_seconds", lambda metric: seconds)
        cosette._solvers.clear()
        opened.clear()
        assert (cosette.distances(cubes) == expected).all() and opened == chosen
        cosette._solvers.clear()
        opened.clear()
        assert (cosette.optimal_moves(cubes[:8]).neighbor_distances == labels[1]).all()
        assert opened == chosen


def test_the_time_of_a_generation_is_none_where_the_table_is() -> None:
    cosette.default_solver()
    assert cosette._cosette.generation_seconds("htm") == 0
    assert cosette._cosette.generation_seconds("qtm") >= 0


def test_arrays_are_positions(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    texts = ["R", "R U", "F2 D"]
    cubes = [cosette.Cube(text) for text in texts]
    rows = cosette.to_array(texts)
    assert [cosette.Cube(row) for row in rows] == cubes
    assert [cosette.Cube.from_facelets(row.astype(numpy.int64)) for row in rows] == cubes
    assert cosette.Cube(rows[1].tolist()) == cubes[1]
    assert (numpy.asarray(cubes[1]) == rows[1]).all() and numpy.asarray(cubes).shape == (3, 54)
    assert numpy.asarray(cubes[1], dtype=numpy.int32).dtype == numpy.int32
    assert cosette.solve(rows[1]).length == 2 and solver.solve_all(rows[0]).solution == "R'"
    assert cosette.solve("R U F2", goal=rows[1], solver=solver).solution == "F2"
    given: list[Any] = [rows, list(rows), [*rows[:2], "F2 D"]]
    for positions in given:
        answers = solver.solve_many(positions, ordered=True)
        assert [answer.facelets for answer in answers] == [cube.facelets() for cube in cubes]
    journal = tmp_path / "rows.journal"
    for _ in range(2):
        answers = solver.solve_many(rows, ordered=True, journal=journal)
        assert [answer.length for answer in answers] == [1, 2, 2]
    layouts: list[Any] = ["kociemba", "deepcubea", "jumanji"]
    for layout in layouts:
        array = cosette.to_array(rows, layout=layout)
        sources: list[Any] = [array, list(array), cubes]
        for number, positions in enumerate(sources):
            path = tmp_path / f"{layout}-{number}.npz"
            assert cosette.dataset(path, positions=positions, layout=layout, solver=solver) == 3
            with numpy.load(path) as columns:
                assert (columns["facelets"] == array).all()
                assert columns["length"].tolist() == [1, 2, 2]
    wrong = cosette.to_array(texts, layout="santa")
    with pytest.raises(
        cosette.InvalidCubeError,
        match=r"it is a position in santa and jumanji; to_cubes reads it with layout=",
    ):
        cosette.solve(wrong[1])
    with pytest.raises(cosette.InvalidCubeError) as raised:
        list(solver.solve_many([rows[0], wrong[1]], ordered=True))
    assert raised.value.index == 1
    others: list[Any] = [rows, rows[0, :53], rows[0] / 2, numpy.zeros((6, 3, 3), int)]
    for other in others:
        with pytest.raises(TypeError, match="position.*=.*: pass a"):
            cosette.solve(other)
    masked: Any = numpy.ma.masked_array(rows, rows == 1)
    with pytest.raises(TypeError, match="array is masked"):
        cosette.distances(masked)


def test_random_generators_draw_seeds() -> None:
    import random

    def generators() -> tuple[Any, ...]:
        return (numpy.random.default_rng(1), random.Random(1))

    for one, same in zip(generators(), generators()):
        assert cosette.Cube.random(one) == cosette.Cube.random(same)
        # The next one differs.
        assert cosette.Cube.random(one) != cosette.Cube.random(1)
        walks = cosette.random_array(3, one, walk_length=5)
        assert not (walks == cosette.random_array(3, one, walk_length=5)).all()


def test_walks_of_mixed_length() -> None:
    lengths = numpy.array([3, 1, 4])
    mixed = cosette.random_array(9, seed=2, walk_length=lengths)
    walks = cosette.random_walks(lengths.tolist(), seed=2)
    texts = [next(walks) for _ in range(9)]
    assert [len(text.split()) for text in texts] == [3, 1, 4] * 3
    assert (cosette.to_array(texts) == mixed).all()
    one = cosette.random_array(9, seed=2, walk_length=[5])
    assert (one == cosette.random_array(9, seed=2, walk_length=5)).all()


def test_neighbors(solver: cosette.Solver) -> None:
    metrics: list[Any] = ["htm", "qtm"]
    layouts: list[Any] = ["deepcubea", "jumanji"]
    for layout in layouts:
        array: Any = cosette.random_array(4, seed=1, layout=layout).astype(numpy.int16)
        for metric in metrics:
            after = cosette.neighbors(array, metric=metric, layout=layout)
            names = cosette.move_names(layout, metric)
            assert after.shape == (4, len(names), *array.shape[1:]) and after.dtype == numpy.int16
            for number in range(len(names)):
                moved = cosette.apply_moves(array, number, metric=metric, layout=layout)
                assert (after[:, number] == moved).all()
    # One text for each row.
    array = cosette.random_array(3, seed=1)
    texts = ["R U", "x", ""]
    each = [cosette.apply_moves(array[[row]], text)[0] for row, text in enumerate(texts)]
    assert (cosette.apply_moves(array, texts) == numpy.array(each)).all()


@pytest.mark.parametrize("metric", ["htm", "qtm"])
def test_limits_and_a_journal_of_optimal_moves(metric: Any, tmp_path: pathlib.Path) -> None:
    by = cosette.Solver("24M", metric=metric)
    layout: Any = "cayleypy"
    array = cosette.random_array(10, seed=3, walk_length=[2, 11], layout=layout)
    plain = cosette.optimal_moves(array, layout=layout, solver=by)
    here = cosette.distances(array, layout=layout, solver=by)
    assert here.max() > 9
    for _ in range(2):
        path = tmp_path / "labels.journal"
        stored = cosette.optimal_moves(array, layout=layout, solver=by, journal=path)
        assert (stored.optimal == plain.optimal).all()
        assert (stored.neighbor_distances == plain.neighbor_distances).all()
    for limit in (3, 10):
        is_within = here <= limit
        for journal in (None, tmp_path / f"{limit}.journal"):
            labels = cosette.optimal_moves(
                array, layout=layout, solver=by, max_length=limit, journal=journal
            )
            assert (labels.optimal[is_within] == plain.optimal[is_within]).all()
            assert not labels.optimal[~is_within].any()
            assert (labels.neighbor_distances[~is_within] == -1).all()
    late = cosette.optimal_moves(array, layout=layout, solver=by, timeout=0)
    assert (late.neighbor_distances == -1).all() and not late.optimal.any()
    with pytest.raises(cosette.JournalError):
        by.solve_many(cosette.to_cubes(array[here > 9], layout=layout), journal=path)
