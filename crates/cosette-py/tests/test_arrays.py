"""Arrays of many positions: the layouts, labels, and what is refused."""

from __future__ import annotations

import functools
import json
import pathlib
import random
import subprocess
import sys
from typing import Any

import numpy
import numpy.typing
import pytest

import cosette
from cosette import Cube

LAYOUTS: list[Any] = ["kociemba", "deepcubea", "cayleypy", "santa", "jumanji"]

# Where R takes each facelet that moves from, as the projects define it: `Cube3` of environments/cube3.py, `R1`;
# generators/p054.json, `R`; generators/p001.json and Kaggle's puzzle_info.csv, `r0`.
DEEPCUBEA_R = {
    6: 51,
    7: 52,
    8: 53,
    15: 38,
    16: 37,
    17: 36,
    27: 33,
    28: 30,
    29: 27,
    30: 34,
    32: 28,
    33: 35,
    34: 32,
    35: 29,
    36: 8,
    37: 7,
    38: 6,
    51: 15,
    52: 16,
    53: 17,
}
# Both projects number the facelets alike.
CAYLEYPY_R = DEEPCUBEA_R
SANTA_R0 = {
    2: 11,
    5: 14,
    8: 17,
    11: 47,
    14: 50,
    17: 53,
    18: 24,
    19: 21,
    20: 18,
    21: 25,
    23: 19,
    24: 26,
    25: 23,
    26: 20,
    27: 8,
    30: 5,
    33: 2,
    47: 33,
    50: 30,
    53: 27,
}
# The middle layer beside it, `r1`.
SANTA_R1 = {
    1: 10,
    4: 13,
    7: 16,
    10: 46,
    13: 49,
    16: 52,
    28: 7,
    31: 4,
    34: 1,
    46: 34,
    49: 31,
    52: 28,
}


def after(move: dict[int, int]) -> numpy.ndarray[Any, Any]:
    """The facelets after a move of the solved cube."""
    return numpy.array([[move.get(place, place) for place in range(54)]], numpy.uint8)


def jumanji_r() -> numpy.ndarray[Any, Any]:
    """R as `generate_right_move` does it: the strips of U, B, D and F go round, their ids 0, 3, 5 and 1."""
    cube = numpy.repeat(numpy.arange(6, dtype=numpy.int8), 9).reshape(6, 3, 3)
    cube[3, :, 0], cube[5, :, 2], cube[1, :, 2], cube[0, :, 2] = 0, 3, 5, 1
    return cube[None]


def test_r_is_that_of_the_projects() -> None:
    known: list[tuple[Any, Any]] = [
        ("deepcubea", after(DEEPCUBEA_R)),
        ("deepcubea", after(DEEPCUBEA_R) // 9),
        ("cayleypy", after(CAYLEYPY_R) // 9),
        ("cayleypy", after(CAYLEYPY_R)),
        ("santa", after(SANTA_R0) // 9),
        ("santa", after(SANTA_R0)),
        ("jumanji", jumanji_r()),
    ]
    for layout, array in known:
        assert cosette.to_cubes(array, layout=layout) == [Cube("R")], layout
        assert cosette.distances(array, layout=layout).tolist() == [1]
    assert (cosette.to_array(["R"], layout="deepcubea") == after(DEEPCUBEA_R)).all()
    assert (cosette.to_array(["R"], layout="cayleypy") == after(CAYLEYPY_R) // 9).all()
    assert (cosette.to_array(["R"], layout="santa") == after(SANTA_R0) // 9).all()
    assert (cosette.to_array(["R"], layout="jumanji") == jumanji_r()).all()


def test_moves_are_numbered_as_the_projects_do() -> None:
    names = {layout: " ".join(cosette.move_names(layout, "qtm")) for layout in LAYOUTS}
    assert names["deepcubea"] == "U' U D' D L' L R' R B' B F' F"
    assert names["cayleypy"] == "U D L R B F U' D' L' R' B' F'"
    assert names["santa"] == "F B' R L' D U' F' B R' L D' U"
    assert " ".join(cosette.move_names("jumanji")).startswith("U U' U2 F F' F2 R R' R2 B")
    assert " ".join(cosette.move_names("deepcubea")) == names["deepcubea"] + " U2 D2 L2 R2 B2 F2"
    assert " ".join(cosette.move_names()).startswith("U U2 U' R R2")


def test_the_middle_layers_turn_the_centers() -> None:
    # R1 is `r0 r2` seen from another side, two moves from solved.
    for array in (after(SANTA_R1), after(SANTA_R1) // 9):
        assert cosette.distances(array, layout="santa").tolist() == [2]
        [cube] = cosette.to_cubes(array, layout="santa")
        assert cube.representative() == Cube("R L'").representative()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_round_trips(layout: Any) -> None:
    array = cosette.random_array(50, seed=3, layout=layout)
    cubes = cosette.to_cubes(array, layout=layout)
    positions = cosette.random_positions(seed=3)
    assert cubes == [next(positions) for _ in range(50)]
    assert (cosette.to_array(cubes, layout=layout) == array).all()
    for other in (
        array.astype(numpy.int64),
        numpy.asfortranarray(array),
        array[::-1][::-1],
        array.tolist(),
    ):
        assert cosette.to_cubes(other, layout=layout) == cubes
    colors = array // 9 if layout == "deepcubea" else array
    assert cosette.to_cubes(colors.astype(numpy.int8), layout=layout) == cubes
    assert cosette.to_cubes(cosette.representatives(array, layout=layout), layout=layout) == [
        p.representative() for p in cubes
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_moves_are_applied(layout: Any) -> None:
    cubes = [Cube.random(seed=5)] * 18
    array = cosette.to_array(cubes, layout=layout)
    metrics: list[Any] = ["htm", "qtm"]
    for metric in metrics:
        names = cosette.move_names(layout, metric)
        moved = cosette.apply_moves(
            array[: len(names)], numpy.arange(len(names)), layout=layout, metric=metric
        )
        assert cosette.to_cubes(moved, layout=layout) == [
            cube.apply(name) for cube, name in zip(cubes, names)
        ]
    two = cosette.apply_moves(array[:1].astype(numpy.int16), [[3, 4]], layout=layout)
    names = cosette.move_names(layout)
    assert two.dtype == numpy.int16
    assert cosette.to_cubes(two, layout=layout) == [cubes[0].apply(f"{names[3]} {names[4]}")]
    text = cosette.apply_moves(array, "R U2 F'", layout=layout)
    assert cosette.to_cubes(text, layout=layout) == [cube.apply("R U2 F'") for cube in cubes]
    # Turned as a whole, the cube is held otherwise from then on.
    for moves in [
        "x",
        "x U",
        "Rw U",
        "M y U",
        "x R' U R' D2 R U' R' D2 R2",
        "x R' U R' D2 R U' R' D2 R2 x'",
    ]:
        at_once = cosette.apply_moves(array, moves, layout=layout)
        assert cosette.to_cubes(at_once, layout=layout) == [cube.apply(moves) for cube in cubes]
        one_by_one: Any = array
        for move in moves.split():
            one_by_one = cosette.apply_moves(one_by_one, move, layout=layout)
        assert (one_by_one == at_once).all()


@pytest.mark.parametrize("metric", ["htm", "qtm"])
def test_distances_are_those_of_solve(metric: Any, solver: cosette.Solver) -> None:
    arrays = [
        cosette.random_array(12, seed=length, walk_length=length, layout="santa")
        for length in range(14)
    ]
    array = numpy.concatenate(arrays)
    by = solver if metric == "htm" else cosette.Solver("24M", metric="qtm")
    array = array if metric == "htm" else array[: 12 * 9]
    expected = [answer.length for answer in by.solve_many(cosette.to_cubes(array, layout="santa"))]
    found = cosette.distances(array, metric=metric, layout="santa")
    assert found.dtype == numpy.int8
    assert found.tolist() == expected
    assert cosette.distances(array, layout="santa", solver=by).tolist() == expected
    limited = [-1 if length is None or length > 5 else length for length in expected]
    assert cosette.distances(array, layout="santa", metric=metric, max_length=5).tolist() == limited
    assert cosette.distances(array[:0], layout="santa").tolist() == []


def test_a_journal_continues(solver: cosette.Solver, tmp_path: pathlib.Path) -> None:
    array = cosette.random_array(6, seed=2, walk_length=12)
    path = tmp_path / "labels.journal"
    found = cosette.distances(array, solver=solver, journal=path)
    assert found.tolist() == cosette.distances(array, solver=solver).tolist()
    before = path.read_bytes()
    assert cosette.distances(array, solver=solver, journal=path).tolist() == found.tolist()
    assert path.read_bytes() == before
    # With a limit as without a journal, though a search may prove a known solution that is a move longer.
    walks, limited = cosette.random_array(6, seed=1, walk_length=13), tmp_path / "limited.journal"
    lengths = cosette.distances(walks, solver=solver, max_length=12).tolist()
    assert (
        cosette.distances(walks, solver=solver, max_length=12, journal=limited).tolist()
        == lengths
        == [-1, -1, -1, 12, -1, -1]
    )
    assert 13 in [
        answer.length for answer in solver.solve_many(cosette.to_cubes(walks), max_length=12)
    ]
    with pytest.raises(cosette.JournalError, match="other positions"):
        cosette.distances(array[::-1], solver=solver, journal=path)


def test_errors_of_journals_are_those_of_arrays(
    solver: cosette.Solver, tmp_path: pathlib.Path
) -> None:
    # Only positions beyond eleven moves, or nine, are in the journals.
    near = cosette.random_array(5, seed=1, walk_length=2)
    far = cosette.random_array(3, seed=1, walk_length=13)
    array = numpy.concatenate([near[:3], far])
    lengths, moves = tmp_path / "lengths.journal", tmp_path / "moves.journal"
    cosette.distances(array, solver=solver, journal=lengths)
    cosette.optimal_moves(array[2:4], solver=solver, max_length=12, journal=moves)
    fewer_far = numpy.concatenate([near, far[:1]])
    limited = functools.partial(cosette.distances, max_length=12)
    calls: list[tuple[Any, Any, pathlib.Path, str]] = [
        (cosette.distances, array[:4], lengths, "with 6 positions, not 4 positions"),
        (cosette.distances, array[::-1], lengths, "with other positions"),
        (cosette.distances, fewer_far, lengths, "with other positions"),
        (cosette.optimal_moves, array, lengths, "with distances or solve_many, not optimal_moves"),
        (limited, array[2:4], moves, "with optimal_moves, not distances or solve_many"),
    ]
    for call, rows, journal, words in calls:
        with pytest.raises(cosette.JournalError, match=f"was started {words}"):
            call(rows, solver=solver, journal=journal)


@pytest.mark.parametrize("metric", ["htm", "qtm"])
def test_policy_labels_are_those_of_eighteen_solves(metric: Any) -> None:
    walks = [
        cosette.random_array(3, seed=length, walk_length=length, layout="jumanji")
        for length in range(8)
    ]
    array = numpy.concatenate(
        [*walks, cosette.to_array(["R L", "U2 D2", "R2 L2 U2 D2"], layout="jumanji")]
    )
    solver = cosette.Solver("24M", metric=metric)
    labels = cosette.optimal_moves(array, layout="jumanji", solver=solver)
    here = cosette.distances(array, layout="jumanji", solver=solver)
    for number in range(len(cosette.move_names("jumanji", metric))):
        moved = cosette.apply_moves(
            array, numpy.full(len(array), number), layout="jumanji", metric=metric
        )
        there = cosette.distances(moved, layout="jumanji", solver=solver)
        assert labels.neighbor_distances[:, number].tolist() == there.tolist()
        assert labels.optimal[:, number].tolist() == (there < here).tolist()


def test_what_is_no_position_is_named() -> None:
    array = cosette.random_array(10, seed=1, layout="deepcubea")
    good = cosette.validity(array, layout="deepcubea")
    assert good.mask.all() and good.reasons == {}
    array[2, 7] = 200
    array[4] = array[4][::-1]
    array[5, [0, 2]] = array[5, [2, 0]]
    array[7] //= 9
    array[7, 0] = (array[7, 0] + 1) % 6
    mask, reasons = cosette.validity(array, layout="deepcubea")
    assert numpy.flatnonzero(~mask).tolist() == list(reasons) == [2, 4, 5, 7]
    assert (
        "the number 200 at place 7 is neither a" in reasons[2] and "nine facelets" in reasons[7]
    ), reasons
    calls: list[Any] = [
        cosette.distances,
        cosette.optimal_moves,
        cosette.to_cubes,
        cosette.representatives,
    ]
    for call in calls:
        with pytest.raises(
            cosette.InvalidCubeError, match="row 2: the number 200 at place 7"
        ) as raised:
            call(array, layout="deepcubea")
        assert raised.value.index == 2
    other = cosette.random_array(1, seed=1, layout="santa")
    with pytest.raises(
        cosette.InvalidCubeError, match="another layout: it is a position in santa and jumanji"
    ) as raised:
        cosette.distances(other)
    assert "face" not in (raised.value.help or "")
    with pytest.raises(
        cosette.InvalidCubeError,
        match="row 0: the numbers are 1 to 6; colou?rs are 0 to 5: subtract 1",
    ):
        cosette.distances(other + 1)
    negative = numpy.zeros((1, 54), numpy.int64) - 1
    assert not cosette.validity(negative).mask.any()


@pytest.mark.parametrize(
    ("array", "layout", "error", "words"),
    [
        (numpy.zeros(54, numpy.uint8), "kociemba", ValueError, "array\\[None\\]"),
        (numpy.zeros((3, 53), numpy.uint8), "santa", ValueError, "takes \\(n, 54\\)"),
        (numpy.zeros((3, 53), numpy.uint8), "jumanji", ValueError, "takes \\(n, 6, 3, 3\\)"),
        (
            numpy.zeros((3, 54), numpy.uint8).astype(str),
            "santa",
            TypeError,
            "array.astype\\('uint8'\\)",
        ),
        (bytes(54), "santa", TypeError, "numpy.frombuffer"),
        (numpy.zeros((3, 54)), "kociemba", TypeError, "float64: pass integers"),
        (numpy.zeros((3, 54), bool), "kociemba", TypeError, "bool"),
        ("R U", "kociemba", TypeError, "pass cosette.to_array"),
        (None, "kociemba", TypeError, "array has the type NoneType: pass an array"),
        ([cosette.Cube()], "kociemba", TypeError, "pass cosette.to_array"),
        (
            numpy.zeros((3, 54), numpy.uint8),
            "korf",
            ValueError,
            "layout='korf': layouts are kociemba",
        ),
        (numpy.zeros((3, 54), numpy.uint8), None, TypeError, "layout=None: layouts are kociemba"),
    ],
)
def test_wrong_arrays(array: Any, layout: Any, error: type[Exception], words: str) -> None:
    calls: list[Any] = [
        cosette.distances,
        cosette.validity,
        cosette.to_cubes,
        cosette.optimal_moves,
    ]
    for call in calls:
        with pytest.raises(error, match=words):
            call(array, layout=layout)


def test_wrong_arguments(solver: cosette.Solver) -> None:
    array = cosette.random_array(2, seed=1, walk_length=3)
    calls: list[tuple[Any, str]] = [
        (lambda: cosette.distances(array, metric="stm"), "pass 'htm' or 'qtm'"),  # type: ignore[arg-type]
        (
            lambda: cosette.distances(array, metric="qtm", solver=solver),
            "is for htm; remove metric=",
        ),
        (lambda: cosette.distances(array, max_length=-1), "max_length=-1"),
        (lambda: cosette.distances(array, timeout=-1.0), "timeout=-1"),
        (
            lambda: cosette.apply_moves(array, [0]),
            "moves has the shape .*: pass a string, or one integer, row of integers",
        ),
        (lambda: cosette.apply_moves(array, [0, 18]), "moves has 18: .* from 0 to 17, or -1"),
        (lambda: cosette.apply_moves(array, -2), "moves has -2: .* from 0 to 17, or -1"),
        (lambda: cosette.apply_moves(array, [0, 12], metric="qtm"), "from 0 to 11"),
        (lambda: cosette.random_array(-1), "n=-1"),
        (lambda: cosette.random_array(1, walk_length=-1), "walk_length=-1"),
        (lambda: cosette.move_names("korf"), "layouts are"),  # type: ignore[arg-type]
    ]
    for call, words in calls:
        with pytest.raises(ValueError, match=words):
            call()
    wrong: list[Any] = [[0.0, 1.0], [None, None]]
    for moves in wrong:
        with pytest.raises(
            TypeError,
            match="moves has the type .*: pass a string, or one integer, row of integers",
        ):
            cosette.apply_moves(array, moves)
    with pytest.raises(TypeError, match=r"positions\[1\]=None: pass a string or a Cube"):
        cosette.to_array(["R", None, "U"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="positions='RUF': pass a list of strings, not one string"):
        cosette.to_array("RUF")
    with pytest.raises(cosette.InvalidCubeError) as raised:
        cosette.to_array(["R", "Q"])
    assert raised.value.index == 1 and "positions[1]: `Q` is not a valid move" in str(raised.value)
    with pytest.raises(TypeError, match="solver='24M': pass a Solver, such as"):
        cosette.distances(array, solver="24M")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="prefer"):
        cosette.solve("R U F", goal="cross:D", prefer="qtm")


def test_an_empty_list_has_no_positions() -> None:
    assert cosette.distances([]).shape == (0,)
    assert cosette.apply_moves([], [], layout="jumanji").shape == (0, 6, 3, 3)
    blocks = cosette.random_array(2, seed=1, layout="jumanji")
    assert cosette.to_cubes(blocks.reshape(-1, 54), layout="jumanji") == cosette.to_cubes(
        blocks, layout="jumanji"
    )
    assert cosette.to_cubes(cosette.to_array([])) == []


def test_without_numpy_the_rest_works() -> None:
    program = """
import sys
sys.modules["numpy"] = None
import cosette
assert cosette.solve("R").length == 1
try:
    cosette.random_array(1)
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install numpy" in done.stdout, done.stdout + done.stderr


def test_data_sets_in_files(tmp_path: pathlib.Path) -> None:
    def rows(name: str, **arguments: Any) -> dict[str, Any]:
        assert (
            cosette.dataset(
                tmp_path / name, 50, seed=5, walk_length=range(6), layout="cayleypy", **arguments
            )
            == 50
        )
        with numpy.load(tmp_path / name) as columns:
            return dict(columns)

    whole = rows("whole.npz", optimal_moves=True)
    about = json.loads(whole["about"].item())
    assert about["rows"] == 50 and about["optimal-moves"] is True
    labels = cosette.optimal_moves(whole["facelets"], layout="cayleypy")
    assert (whole["length"] == cosette.distances(whole["facelets"], layout="cayleypy")).all()
    assert (whole["optimal_moves"] == labels.optimal).all() and (
        whole["neighbor_distances"] == labels.neighbor_distances
    ).all()
    assert (whole["length"] <= whole["walk_length"]).all() and whole["walk_length"][
        :7
    ].tolist() == [0, 1, 2, 3, 4, 5, 0]
    solved = cosette.to_array(["R R'"], layout="cayleypy")[0]
    ends = cosette.apply_moves(whole["facelets"], whole["solution"], layout="cayleypy")
    assert whole["solution"].min() == -1 and (ends == solved).all()
    before = (tmp_path / "whole.npz").read_bytes()
    rows("whole.npz", optimal_moves=True)
    assert (tmp_path / "whole.npz").read_bytes() == before
    with pytest.raises(ValueError, match="already exists"):
        rows("whole.npz")
    assert (
        cosette.dataset(
            tmp_path / "list.jsonl",
            positions=["R U", cosette.Cube("F")],
            solver=cosette.Solver("24M", metric="qtm"),
        )
        == 2
    )
    assert [
        json.loads(line)["length"] for line in (tmp_path / "list.jsonl").read_text().splitlines()
    ] == [2, 1]
    assert cosette.dataset(tmp_path / "all.csv", all_at_distance=2) == 243
    assert cosette.dataset(tmp_path / "none.csv", 0) == 0
    assert (tmp_path / "none.csv").read_text().count("\n") == 1


def test_wrong_data_sets(tmp_path: pathlib.Path) -> None:
    for arguments, error, words in (
        ({"path": tmp_path / "a.feather"}, ValueError, "use a name that ends in"),
        ({"path": tmp_path / "none" / "a.npz"}, ValueError, "does not exist"),
        ({"shard": (4, 3)}, ValueError, "shard="),
        ({"shard": 3}, TypeError, "shard=3"),
        ({"shard": ("1", 4)}, TypeError, "shard='1'"),
        ({"n": -1}, ValueError, "n=-1"),
        ({"n": 1e3}, TypeError, "n=1000.0"),
        ({"n": None}, ValueError, "n=None"),
        ({"walk_length": "5"}, TypeError, "walk_length\\[0\\]='5'"),
        ({"walk_length": []}, ValueError, "walk_length=\\[\\]: pass an integer"),
        ({"walk_length": [1.5]}, TypeError, "walk_length\\[0\\]=1.5"),
        ({"walk_length": [1001]}, ValueError, "from 0 to 1000"),
        ({"seed": None}, TypeError, "from 0 to 2\\*\\*64 - 1$"),
        ({"all_at_distance": 2}, ValueError, "one of"),
        ({"walk_length": None, "all_at_distance": 7}, ValueError, "too many"),
        ({"walk_length": None, "distance": 21}, ValueError, "too rare"),
        ({"symmetry": "Cs"}, ValueError, "the symmetry classes are C1, Ci, Cs \\(a\\)"),
        (
            {"walk_length": None, "symmetry": "Td"},
            ValueError,
            "no position has exactly the symmetry Td",
        ),
        ({"max_distance": 3}, ValueError, "max_distance= applies only to a coset"),
        (
            {"walk_length": None, "coset": "R U F", "max_distance": 17},
            ValueError,
            "only up to distance 16",
        ),
        ({"layout": "korf"}, ValueError, "layouts are"),
        ({"metric": "stm"}, ValueError, "pass 'htm' or 'qtm'"),
    ):
        given: dict[str, Any] = {
            "path": tmp_path / "a.npz",
            "n": 3,
            "seed": 1,
            "walk_length": [1],
            **arguments,
        }
        with pytest.raises(error, match=words):
            cosette.dataset(**given)
    assert not list(tmp_path.iterdir()), "nothing is left behind"
    for name, words in (
        ("a.csv.md", "not written by Cosette"),
        ("a.csv.journal", "delete it, or use"),
    ):
        (tmp_path / name).write_text("precious")
        with pytest.raises((ValueError, cosette.JournalError), match=words):
            cosette.dataset(tmp_path / "a.csv", 2, walk_length=[1])
        assert (tmp_path / name).read_text() == "precious"
        (tmp_path / name).unlink()


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
        answers = solver.solve_many(positions)
        assert [answer.facelets for answer in answers] == [cube.facelets() for cube in cubes]
    journal = tmp_path / "rows.journal"
    for _ in range(2):
        answers = solver.solve_many(rows, journal=journal)
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
        list(solver.solve_many([rows[0], wrong[1]]))
    assert raised.value.index == 1
    others: list[Any] = [rows, rows[0, :53], rows[0] / 2, numpy.zeros((6, 3, 3), int)]
    for other in others:
        with pytest.raises(TypeError, match="position.*=.*: pass a"):
            cosette.solve(other)
    masked: Any = numpy.ma.masked_array(rows, rows == 1)
    with pytest.raises(TypeError, match="array is masked"):
        cosette.distances(masked)


def test_random_generators_draw_seeds() -> None:
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
    # The type of the elements is kept, also for type checkers.
    kept: numpy.typing.NDArray[numpy.uint8] = cosette.apply_moves(array, "R")
    around: numpy.typing.NDArray[numpy.uint8] = cosette.neighbors(array)
    assert kept.dtype == around.dtype == numpy.uint8
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
