"""Every argument of every function, given what it does not take: the error names it, and of a value says what is allowed."""

from __future__ import annotations

import decimal
import inspect
import pathlib
from typing import Any, Callable

import numpy
import pytest

import cosette
from cosette import Answer, Cube, Symmetry

HUGE = 10**40
VALUES: list[Any] = [
    -1,
    0,
    float("nan"),
    float("inf"),
    "",
    None,
    True,
    HUGE,
    10**5000,
    1.5,
    b"R",
    [],
    {},
    object(),
    "Q",
]

WHOLE = "integer"
SECONDS = "number of seconds"
FLAG = "True or False"
TEXT = "a string"
FUNCTION = "a callable"
METRICS = "pass 'htm' or 'qtm'"
METRICS_OF_GOALS = "pass 'htm', 'qtm', 'stm', 'qstm' or 'etm'"
PATH = "a path"


def keyword(call: Callable[..., object], name: str, *positional: object) -> Callable[[Any], object]:
    return lambda value: call(*positional, **{name: value})


def all_of(call: Callable[..., Any]) -> Callable[[Any], object]:
    return lambda value: list(call(value))


def good_arrays() -> list[Any]:
    p = Cube("R U")
    return [p.corners, p.twists, p.edges, p.flips]


def with_array(number: int) -> Callable[[Any], object]:
    def call(value: Any) -> object:
        arrays = good_arrays()
        arrays[number] = value
        return Cube.from_arrays(*arrays)

    return call


def cases() -> dict[str, tuple[Callable[[Any], object], str, str]]:
    """Each argument by a label: the call, its name, and words of what is allowed."""
    solver = cosette.Solver(table="24M", threads=1)

    def make(name: str) -> Callable[[Any], object]:
        given: dict[str, Any] = {"table": "24M", "threads": 1}
        return lambda value: cosette.Solver(**{**given, name: value})

    def many(call: Callable[..., Any], name: str) -> Callable[[Any], object]:
        return lambda value: list(call(["R"], **{name: value}))

    found: dict[str, tuple[Callable[[Any], object], str, str]] = {
        "Cube(position)": (Cube, "position", "a string or a Cube"),
        "Cube(format)": (keyword(Cube, "format", "R"), "format", "'speffz'"),
        "Cube(niss)": (keyword(Cube, "niss", "R"), "niss", FLAG),
        "Cube(face_order)": (keyword(Cube, "face_order", "R"), "face_order", "ULFRBD"),
        "Cube.from_moves(moves)": (Cube.from_moves, "moves", TEXT),
        "Cube.from_moves(niss)": (keyword(Cube.from_moves, "niss", "R"), "niss", FLAG),
        "Cube.from_facelets(facelets)": (Cube.from_facelets, "facelets", TEXT),
        "Cube.from_facelets(face_order)": (
            keyword(Cube.from_facelets, "face_order", Cube().facelets()),
            "face_order",
            "ULFRBD",
        ),
        "Cube.from_reid(pieces)": (Cube.from_reid, "pieces", TEXT),
        "Cube.from_speffz(cycles)": (Cube.from_speffz, "cycles", TEXT),
        "Cube.from_arrays(corners)": (with_array(0), "corners", "8 numbers"),
        "Cube.from_arrays(twists)": (with_array(1), "twists", "8 numbers"),
        "Cube.from_arrays(edges)": (with_array(2), "edges", "12 numbers"),
        "Cube.from_arrays(flips)": (with_array(3), "flips", "12 numbers"),
        "Cube.random(seed)": (Cube.random, "seed", WHOLE),
        "Cube.apply(moves)": (Cube().apply, "moves", TEXT),
        "Cube.conjugate(symmetry)": (Cube().conjugate, "symmetry", "a Symmetry"),
        "Symmetry(index)": (Symmetry, "index", "0 to 47"),
        "random_positions(seed)": (cosette.random_positions, "seed", WHOLE),
        "random_walks(walk_length)": (cosette.random_walks, "walk_length", WHOLE),
        "random_walks(seed)": (keyword(cosette.random_walks, "seed", 5), "seed", WHOLE),
        "Answer.from_dict(values)": (Answer.from_dict, "values", "a dictionary"),
        "default_solver(metric)": (cosette.default_solver, "metric", METRICS),
        "Solver(table)": (make("table"), "table", "'auto'"),
        "Solver(threads)": (make("threads"), "threads", WHOLE),
        "Solver(metric)": (make("metric"), "metric", METRICS),
        "Solver(tables)": (make("tables"), "tables", PATH),
        "Solver(memory)": (make("memory"), "memory", "a number of bytes"),
        "Solver(on_progress)": (make("on_progress"), "on_progress", FUNCTION),
        "Solver(progress)": (make("progress"), "progress", FLAG.replace(" or", ",")),
        "Solver(cancel)": (make("cancel"), "cancel", "Cancel"),
    }
    for place, owner in (("", cosette), ("Solver.", solver)):
        for function in ("solve", "solve_all"):
            call = getattr(owner, function)
            arguments = {
                "position": "a string or a Cube",
                "max_length": WHOLE,
                "timeout": SECONDS,
                "on_event": FUNCTION,
                "progress": "True, False",
                "cancel": "Cancel",
            }
            if owner is cosette:
                arguments["solver"] = "a Solver"
            if function == "solve":
                arguments |= {"count": WHOLE, "prefer": METRICS}
            for name, allowed in arguments.items():
                given = keyword(call, name) if name == "position" else keyword(call, name, "R")
                found[f"{place}{function}({name})"] = (given, name, allowed)
        call = getattr(owner, "solve_many")
        arguments = {
            "ordered": FLAG,
            "count": WHOLE,
            "prefer": METRICS,
            "max_length": WHOLE,
            "timeout": SECONDS,
            "errors": "'raise' or 'return'",
            "journal": PATH,
            "progress": "True, False",
            "cancel": "Cancel",
        }
        if owner is cosette:
            arguments["solver"] = "a Solver"
        for name, allowed in arguments.items():
            found[f"{place}solve_many({name})"] = (many(call, name), name, allowed)
        found[f"{place}solve_many(positions)"] = (all_of(call), "positions", "strings")
        for function in ("solve", "solve_all", "solve_many"):
            call = getattr(owner, function)
            positions: Any = ["R"] if function == "solve_many" else "R"
            is_shared = function == "solve_many" and owner is cosette
            allowed = METRICS if is_shared else METRICS_OF_GOALS
            given = keyword(call, "metric", positions)
            found[f"{place}{function}(metric)"] = (given, "metric", allowed)
    return found


CASES = cases()


def is_taken(name: str, value: Any, label: str) -> bool:
    """Whether the argument takes this value."""
    if value is None:
        required = {
            "moves",
            "facelets",
            "pieces",
            "cycles",
            "corners",
            "twists",
            "edges",
            "flips",
            "symmetry",
            "index",
            "walk_length",
        }
        required |= {"values", "count", "niss", "ordered", "positions"}
        may_miss = name == "position" and label == "Cube(position)"
        return (
            may_miss
            or name not in required | {"position"}
            and not (name == "metric" and label.startswith("default_solver"))
        )
    if value is True:
        return name in ("niss", "ordered", "progress", "timeout")
    if isinstance(value, (list, dict)) and name == "positions":
        return True
    if isinstance(value, int):
        taken = {"seed": 0, "walk_length": 0, "index": 0, "max_length": 0, "timeout": 0}
        return name in taken and (value == 0 or name == "timeout" and 0 < value <= HUGE)
    if isinstance(value, float):
        return name == "timeout" and value > 0
    if isinstance(value, str):
        return name == "moves" and not value or name in ("tables", "journal") and value == "Q"
    return False


@pytest.mark.parametrize("label", CASES)
def test_bad_values(label: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.chdir(tmp_path)
    call, name, allowed = CASES[label]
    for value in VALUES:
        if is_taken(name, value, label):
            if not (name == "tables"):
                call(value)
            continue
        with pytest.raises((TypeError, ValueError, OverflowError, cosette.CosetteError)) as caught:
            call(value)
        error = caught.value
        if isinstance(error, cosette.InvalidCubeError) and name != "positions":
            # It is about the text, which it shows, or the pieces.
            assert error.help and (error.text == value or error.text is None), (
                label,
                value,
                str(error),
            )
            continue
        said = str(error)
        if not said.startswith((f"{name}=", f"{name}[0]=")):
            # A wrong type, in the words of Python; the name of the argument is a note of its own since Python 3.11. Not so of numbers.
            assert allowed not in (WHOLE, SECONDS), (label, value, said)
            assert isinstance(error, (TypeError, OverflowError)), (label, value, said)
            named = "\n".join([said, *getattr(error, "__notes__", [])])
            assert f"'{name}'" in named or name in (
                "corners",
                "twists",
                "edges",
                "flips",
                "timeout",
            ), (label, value, named)
            continue
        try:
            written = repr(value)
        except ValueError:  # Python writes no number of five thousand digits
            written = "<int>"
        assert written[:30] in said or name == "positions", (label, value, said)
        # An element of the argument has a place of its own in the error.
        assert allowed in said or said.startswith(f"{name}[0]="), (label, value, said)


# Goals have their own test.
GOALS = "goal moves costs slack starts_with ends_with avoid unique_up_to".split()


def test_every_argument_is_walked() -> None:
    """The signatures and the cases name the same arguments."""
    owners: dict[str, Callable[..., object]] = {
        "Cube": Cube,
        "Symmetry": Symmetry,
        "Solver": cosette.Solver,
        "default_solver": cosette.default_solver,
        "random_positions": cosette.random_positions,
        "random_walks": cosette.random_walks,
        "solve": cosette.solve,
        "solve_all": cosette.solve_all,
        "solve_many": cosette.solve_many,
    }
    methods: list[tuple[type, tuple[str, ...]]] = [
        (
            Cube,
            (
                "from_moves",
                "from_facelets",
                "from_reid",
                "from_speffz",
                "from_arrays",
                "random",
                "apply",
                "conjugate",
            ),
        ),
        (cosette.Solver, ("solve", "solve_all", "solve_many")),
        (Answer, ("from_dict",)),
    ]
    for owner, names in methods:
        owners |= {f"{owner.__name__}.{name}": getattr(owner, name) for name in names}
    expected = {
        f"{label}({name})"
        for label, function in owners.items()
        for name in inspect.signature(function).parameters
        if name != "self" and not (name in GOALS and "solve" in label)
    }
    assert expected == set(CASES)
    for label, function in owners.items():
        if label.split(".")[-1].startswith("solve"):
            parameters = inspect.signature(function).parameters
            assert set(GOALS) <= set(parameters), label
            assert "Any" not in [parameter.annotation for parameter in parameters.values()], label


def test_numbers_of_other_types_are_numbers() -> None:
    assert cosette.solve("R", count=numpy.int64(2), max_length=numpy.uint8(5)).length == 1
    assert cosette.solve("R", timeout=numpy.float32(5)).length == 1  # type: ignore[arg-type]
    assert cosette.solve("R", timeout=decimal.Decimal("0.5")).length == 1  # type: ignore[arg-type]
    assert Cube("R", niss=numpy.bool_(True)) == Cube("R")  # type: ignore[arg-type]
    assert Symmetry(numpy.int8(5)) == Symmetry(5)
    assert Cube(numpy.str_("R U")) == Cube("R U")
    assert Cube.random(numpy.int32(3)) == Cube.random(3)


def test_a_position_among_many_is_named_by_its_index(solver: cosette.Solver) -> None:
    with pytest.raises(TypeError, match=r"positions\[1\]=nan: pass a string or a Cube"):
        list(solver.solve_many(["R", float("nan")]))  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"corners\[2\]='x': pass an integer"):
        Cube.from_arrays([0, 1, "x"], *good_arrays()[1:])  # type: ignore[list-item]


def test_the_module_names_what_is_public() -> None:
    assert dir(cosette) == sorted(cosette.__all__)


def test_what_is_missing_in_an_answer_is_named() -> None:
    with pytest.raises(
        ValueError, match="values={}: pass a dictionary returned by to_dict; 'input' is missing$"
    ):
        cosette.Answer.from_dict({})
    with pytest.raises(cosette.InvalidCubeError, match="there is 1 piece;"):
        Cube("R", format="reid")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ({"goal": 1}, "goal=1: pass a string or a Cube, or None"),
        ({"goal": "crss"}, "not a goal, a piece or a position"),
        ({"moves": "R Q"}, "moves: character 3: `Q` is not a valid move"),
        ({"goal": "eo", "starts_with": "R Q"}, "starts_with: character 3: `Q`"),
        ({"goal": "eo", "slack": -1}, "slack=-1: pass a non-negative integer"),
        ({"goal": "eo", "unique_up_to": "color"}, "use symmetry, inverse, or symmetry,inverse"),
        ({"goal": "eo", "metric": "ftm"}, f"metric='ftm': {METRICS_OF_GOALS}"),
        ({"too": "eo"}, "unexpected keyword argument 'too'"),
    ],
)
def test_a_goal_that_is_none_is_refused(goal: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        cosette.solve("R", **goal)
    assert said in str(caught.value)


def test_many_positions_are_brought_to_a_goal() -> None:
    crosses = cosette.solve_many(["F R D2", "F", "R U"], goal="cross:D")
    assert [(answer.length, answer.variants) for answer in crosses] == [
        (3, ["D"]),
        (1, ["D"]),
        (1, ["D"]),
    ]
    assert cosette.solve("R U", goal="R U F").solution == "F"
    assert cosette.solve("R U", goal=cosette.Cube("R U F")).solution == "F"
    assert cosette.solve_all("R U", moves="R U", slack=2).costs == [2]
    cross = cosette.solve("F R", goal="cross:D", moves="F R")
    assert (cross.goal, cross.allowed_moves, cross.unreachable) == ("cross:D", "F R", None)
    unreachable = cosette.solve("F", goal="cross:D", moves="R U")
    assert unreachable.unreachable is not None and unreachable.upper_bound is None
    plain = cosette.solve("R U")
    assert [plain.goal, plain.allowed_moves, plain.costs, plain.variants, plain.unreachable] == [
        None
    ] * 5
    assert next(cosette.solve_many(["M2"], moves="M", metric="stm")).length == 1
    assert (
        cosette.solve("M U", metric="stm").length
        == cosette.solve("M U", metric="stm", goal="solved").length
        == 2
    )
    assert cosette.solve_all("M U", metric="qstm", moves="M U").solutions == ["U' M'"]
