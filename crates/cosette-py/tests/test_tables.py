"""The list of the tables, their generation and removal, and the choice of one."""

from __future__ import annotations

import pathlib
from typing import Any

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
