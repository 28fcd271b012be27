from __future__ import annotations

import os
import pathlib
import pickle
import shutil

import pytest

import cosette
from conftest import TABLES


def test_a_text_that_is_not_a_position() -> None:
    with pytest.raises(cosette.InvalidCubeError) as caught:
        cosette.solve("R é Q U")
    error = caught.value
    assert error.text == "R é Q U" and error.span is not None
    assert error.text[slice(*error.span)] in ("é", "Q")
    assert error.help and str(error).splitlines()[2].index("^") == error.span[0] + 2
    assert isinstance(error, ValueError) and isinstance(error, cosette.CosetteError)
    assert type(error).__module__ == "cosette"
    with pytest.raises(cosette.InvalidCubeError, match=r"or choose with `Cube\(text, format='fac"):
        cosette.solve("UUUUUUUUU")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.help, again.text, again.span) == (
        error.message,
        error.help,
        error.text,
        error.span,
    )


def test_impossible_cubes_say_why() -> None:
    facelets = cosette.Cube().facelets()
    twisted = (
        facelets[:8] + "R" + facelets[9].replace("R", "F") + facelets[10:20] + "U" + facelets[21:]
    )
    with pytest.raises(cosette.InvalidCubeError, match="corner is twisted"):
        cosette.Cube(twisted)
    with pytest.raises(cosette.InvalidCubeError, match="nothing to read"):
        cosette.Cube("  // nothing")


@pytest.mark.parametrize("position", [None, 1, b"R", ["R"]])
def test_other_types(position: object) -> None:
    with pytest.raises(TypeError, match="a string or a Cube"):
        cosette.solve(position)  # type: ignore[arg-type]


def test_arguments_out_of_range(solver: cosette.Solver) -> None:
    with pytest.raises(ValueError, match="count"):
        solver.solve("R", count=0)
    for timeout in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="timeout"):
            solver.solve("R", timeout=timeout)
    assert solver.solve("R", timeout=float("inf")).length == 1
    with pytest.raises(ValueError, match="max_length=-1: "):
        solver.solve("R", max_length=-1)
    with pytest.raises(TypeError, match="callable"):
        solver.solve("R", on_event=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list of strings"):
        solver.solve_many("R U")
    with pytest.raises(ValueError, match="errors"):
        solver.solve_many([], errors="ignore")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="'speffz'"):
        cosette.Cube("R", format="wca")  # type: ignore[arg-type]


def test_solvers_that_cannot_be_made() -> None:
    with pytest.raises(cosette.UnknownTableError, match="24M"):
        cosette.Solver(table="31M")
    with pytest.raises(ValueError, match="metric='stm': pass 'htm'"):
        cosette.Solver(metric="stm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="metric="):
        cosette.Solver(table="qtm-24M", metric="htm")
    for threads in (0, 100_000):
        with pytest.raises(ValueError, match=f"^threads={threads}: pass an integer from 1 to "):
            cosette.Solver(table="24M", threads=threads)
    with pytest.raises(ValueError, match="2G"):
        cosette.Solver(table="24M", memory="much")
    with pytest.raises(TypeError, match="memory"):
        cosette.Solver(table="24M", memory=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("memory", [1000, "1K"])
def test_too_little_memory(memory: object) -> None:
    with pytest.raises(cosette.OutOfMemoryError, match="memory=") as caught:
        cosette.Solver(table="24M", memory=memory)  # type: ignore[arg-type]
    assert isinstance(caught.value, (MemoryError, cosette.TableError))
    assert caught.value.help and "--" not in str(caught.value)


def test_a_damaged_table(tmp_path: pathlib.Path) -> None:
    shutil.copy(TABLES / "htm-24M.table", tmp_path)
    with open(tmp_path / "htm-24M.table", "r+b") as file:
        file.seek(5_000_000)
        file.write(b"\0" * 100)
    with pytest.raises(cosette.CorruptedTableError, match="block") as caught:
        cosette.Solver(table="24M", tables=tmp_path)
    assert (
        caught.value.help
        and "remove it with `cosette.remove_table`" in caught.value.help
        and f'cosette.Solver(table="htm-24M", tables="{tmp_path}")' in caught.value.help
    )


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders of this system always take files")
def test_a_folder_that_is_named_must_take_tables(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(cosette.TableError, match="cannot create the folder"):
        cosette.Solver(table="24M", tables=tmp_path / "file")
