"""Files of positions: those of other projects, and what a data set becomes when it is read again."""

from __future__ import annotations

import pathlib
import pickle
import subprocess
import sys
import types
import zipfile
from typing import Any, Literal

import numpy
import pytest

import cosette


def cubes(layout: Any) -> Any:
    return cosette.random_array(3, seed=4, walk_length=4, layout=layout)


def lengths(path: pathlib.Path) -> Any:
    array, layout = cosette.read_positions(path)
    assert numpy.array_equal(
        cosette.to_array(cosette.to_cubes(array, layout=layout), layout=layout).reshape(
            array.shape
        ),
        array,
    )
    return cosette.distances(array, layout=layout).tolist()


def test_deepcubea(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Cube3State:
        def __init__(self, colors: Any) -> None:
            self.colors = colors

    Cube3State.__module__, Cube3State.__qualname__ = "environments.cube3", "Cube3State"
    path = tmp_path / "data_0.pkl"
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "environments", types.ModuleType("environments"))
        module = types.ModuleType("environments.cube3")
        module.Cube3State = Cube3State  # type: ignore[attr-defined]
        patched.setitem(sys.modules, "environments.cube3", module)
        states = [Cube3State(row) for row in cubes("deepcubea")]
        path.write_bytes(pickle.dumps({"states": states, "solutions": [[["U", numpy.int64(-1)]]]}))
    assert lengths(path) == [4, 4, 4]


def tensor(first: int, rows: int, columns: int = 54) -> bytes:
    """What torch writes of a tensor of int8."""
    storage = b"(X\x07\0\0\0storagectorch\nCharStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x09tQ"
    numbers = b"K%cK%cK%c\x86K%cK\x01\x86" % (first, rows, columns, columns)
    return (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n("
        + storage
        + numbers
        + b"\x89ccollections\nOrderedDict\n)RtR."
    )


def test_cayleypy_and_santa(tmp_path: pathlib.Path) -> None:
    for name, layout in (("p054-t000.pt", "cayleypy"), ("p001-t000.pt", "santa")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("archive/data.pkl", tensor(first=54, rows=3))
            # Numbers before and after those of the tensor belong to others that share its storage.
            archive.writestr(
                "archive/data/0", bytes(54) + cubes(layout).astype("int8").tobytes() + bytes(54)
            )
        assert lengths(tmp_path / name) == [4, 4, 4]
    solved = ";".join(letter for letter in "ABCDEF" for _ in range(9))
    puzzles = [
        f"{i},cube_3/3/3,{solved}," + ";".join("ABCDEF"[n] for n in row)
        for i, row in enumerate(cubes("santa"))
    ]
    numbered = ",".join(["9", "cube_3/3/3"] + 2 * [";".join(f"N{i}" for i in range(54))])
    head = "id,puzzle_type,solution_state,initial_state"
    (tmp_path / "puzzles.csv").write_text("\n".join([head, *puzzles, numbered]))
    assert lengths(tmp_path / "puzzles.csv") == [4, 4, 4]


@pytest.mark.parametrize("name", ["a.npz", "a.parquet", "a.csv", "a.jsonl"])
def test_data_sets(tmp_path: pathlib.Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    is_text = name.endswith(("csv", "jsonl"))
    if is_text:
        with pytest.raises(ValueError, match="the layout jumanji is only for arrays"):
            cosette.dataset(tmp_path / name, 4, seed=1, walk_length=[1], layout="jumanji")
    layouts: list[Literal["kociemba", "deepcubea", "jumanji"]] = (
        ["kociemba"] if is_text else ["deepcubea", "jumanji"]
    )
    for layout in layouts:
        path = tmp_path / f"{layout}-{name}"
        cosette.dataset(path, 4, seed=1, walk_length=[1, 2], layout=layout, optimal_moves=True)
        assert lengths(path) == [1, 2, 1, 2]
        if is_text:
            # As a spreadsheet or an editor saves it.
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n")
            assert lengths(path) == [1, 2, 1, 2]


def test_what_is_no_such_file_is_told_and_not_run(tmp_path: pathlib.Path) -> None:
    class Evil:
        def __reduce__(self) -> Any:
            return (print, ("run",))

    (tmp_path / "evil.pkl").write_bytes(pickle.dumps({"states": [Evil()]}))
    (tmp_path / "short.pkl").write_bytes(b"\x80\x04")
    (tmp_path / "text.pt").write_text("R U F")
    with zipfile.ZipFile(tmp_path / "p000.pt", "w") as archive:
        archive.writestr("a/data.pkl", tensor(first=0, rows=9, columns=24))
        archive.writestr("a/data/0", bytes(9 * 24))
    (tmp_path / "list.pkl").write_bytes(pickle.dumps([1]))
    (tmp_path / "list.txt").write_text("R U\nR X\n")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "bad.csv").write_text("index,facelets\n\n0,R\n1,R X\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "line.jsonl").write_text("R U F")
    (tmp_path / "bytes.txt").write_bytes(b"\xff")
    numpy.save(tmp_path / "array.npy", cubes("kociemba"))
    numpy.savez(tmp_path / "other.npz", cubes=cubes("kociemba"))
    for name, what in {
        "evil.pkl": "it contains builtins.print, which a list of positions does not need",
        "p000.pt": "positions need rows of 54",
        "list.txt": "line 2: `X` is not a valid move",
        "bad.csv": "line 4: `X` is not a valid move",
        "array.npy": "read it with numpy.load",
        "short.pkl": "a .pkl file must be a DeepCubeA pickle",
        "list.pkl": "a .pkl file must be",
        "text.pt": "a .pt file must be",
        "other.csv": "a .csv file must be a table with a column 'facelets'",
        "empty.csv": "a .csv file must be",
        "line.jsonl": "line 1 is not an object with 'facelets'",
        "other.npz": "a .npz file must be",
        "bytes.txt": "another file must be a text",
    }.items():
        with pytest.raises(ValueError) as raised:
            cosette.read_positions(tmp_path / name)
        said = str(raised.value)
        assert (
            said.startswith(f"{tmp_path / name}: {what}") or name == "p000.pt" and what in said
        ), said
        assert said.endswith("pass other arrays to distances directly") == ("must be" in what), said


def test_lists_have_names(tmp_path: pathlib.Path) -> None:
    lists = {
        "list.txt": "T-perm: R U\n- Aa - x R'\nR U F\n",
        "list.csv": "name,alg\nT-perm,R U\nAa,x R'\n,R U F\n",
        "list.tsv": "T-perm\tR U\nAa\tx R'\nR U F\n",
        "list.json": '[{"name": "T-perm", "alg": "R U"}, {"name": "Aa", "alg": "x R\'"}, {"alg": "R U F"}]',
    }
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
        assert lengths(tmp_path / name) == [2, 1, 3], name
        assert cosette.read_positions(tmp_path / name).names == ["T-perm", "Aa", None], name
    (tmp_path / "list.txt").write_text("R U\n")
    assert cosette.read_positions(tmp_path / "list.txt").names == []
    for text, said in {
        "F,R U R'\n": "line 1: `F` may be a name",
        "%PDF-1.4\n": "this is a PDF document",
    }.items():
        (tmp_path / "list.txt").write_text(text)
        with pytest.raises(ValueError, match=said):
            cosette.read_positions(tmp_path / "list.txt")


def test_the_script_proves_both_metrics(tmp_path: pathlib.Path) -> None:
    (tmp_path / "list.txt").write_text("// two\n#1 R2F1\n[R | U] L D\n")
    script = pathlib.Path(__file__).parents[1] / "examples" / "proven_lengths.py"
    subprocess.run(
        [sys.executable, str(script), "list.txt", "proven.csv"], check=True, cwd=tmp_path
    )
    assert [line.split(",")[1:] for line in (tmp_path / "proven.csv").read_text().splitlines()] == [
        ["htm", "qtm"],
        ["2", "3"],
        ["3", "3"],
        ["3", "3"],
    ]
