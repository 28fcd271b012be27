from __future__ import annotations

import array
import copy
import itertools
import pickle
import random
import xml.etree.ElementTree

import numpy
import pytest

from conftest import MOVES, walk
from cosette import (
    CORNERS,
    EDGES,
    Cube,
    InvalidCubeError,
    Symmetry,
    random_positions,
    random_walks,
    scrambles,
)

WALK = "F' D2 L' B2 L2"
SOLVED = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


def test_all_formats_give_the_same_position() -> None:
    for seed in range(20):
        p = Cube(walk(seed))
        assert Cube.from_moves(walk(seed)) == p
        assert Cube(p.facelets()) == Cube.from_facelets(p.facelets()) == p
        assert Cube(p.reid()) == Cube.from_reid(p.reid()) == p
        assert Cube(p.speffz()) == Cube.from_speffz(p.speffz()) == p
        assert Cube(p) == p
        assert eval(repr(p)) == p


def test_the_solved_cube() -> None:
    assert Cube() == Cube.from_moves("") == Cube(SOLVED)
    assert Cube().is_solved and not Cube("R").is_solved
    assert Cube().facelets() == SOLVED


def test_other_colors_and_notations() -> None:
    assert Cube(SOLVED.translate(str.maketrans("URFDLB", "wrgyob"))).is_solved
    assert Cube("(R U)3") == Cube("R U R U R U")
    assert Cube("R (U)", niss=True) == Cube("U' R")
    assert Cube("R U", format="moves") == Cube("R U")


def test_products_and_inverses() -> None:
    for seed in range(20):
        p, q = Cube(walk(seed)), Cube(walk(seed + 100))
        assert p * q == Cube(walk(seed) + " " + walk(seed + 100))
        assert p * ~p == Cube() and ~p == p.inverse()
        assert ~(p * q) == ~q * ~p
        assert (p * q).parity == p.parity ^ q.parity
        assert hash(p * Cube()) == hash(p)
    with pytest.raises(TypeError):
        Cube() * "R"  # type: ignore[operator]


def test_moves_are_applied_as_they_are_read() -> None:
    words = MOVES + ["x", "y'", "z2", "M", "E'", "S2", "Rw", "u'"]
    for seed in range(50):
        first, then = walk(seed, 6, words), walk(seed + 100, 6, words)
        assert Cube(first).apply(then) == Cube(f"{first} {then}"), (first, then)


def test_symmetries() -> None:
    assert [s.index for s in Symmetry.all()] == list(range(48))
    assert Symmetry(0).faces == "URFDLB"
    p, q = Cube(walk(1)), Cube(walk(2))
    for s in Symmetry.all():
        assert (p * q).conjugate(s) == p.conjugate(s) * q.conjugate(s)
        assert p.conjugate(s).conjugate(~s) == p
        assert p.conjugate(s * Symmetry(7)) == p.conjugate(s).conjugate(Symmetry(7))
        assert p.conjugate(s).representative() == p.representative()
        assert Cube("U").conjugate(s) == Cube(s.faces[0] + ("'" if s.is_mirror else ""))
        assert pickle.loads(pickle.dumps(s)) == s
    assert p.conjugates() == [p.conjugate(s) for s in Symmetry.all()]
    assert p.symmetries() == [Symmetry(0)]
    assert len(Cube("U").symmetries()) == 4
    with pytest.raises(ValueError):
        Symmetry(48)


def test_arrays_are_for_numpy() -> None:
    p = Cube(walk(3))
    arrays = [numpy.asarray(values) for values in (p.corners, p.twists, p.edges, p.flips)]
    assert [values.shape for values in arrays] == [(8,), (8,), (12,), (12,)]
    assert {str(values.dtype) for values in arrays} == {"uint8"}
    assert arrays[1].sum() % 3 == 0 and arrays[3].sum() % 2 == 0
    assert Cube.from_arrays(*arrays) == p
    assert Cube.from_arrays(*(values.tolist() for values in arrays)) == p
    assert Cube.from_arrays(*(array.array("i", values.tolist()) for values in arrays)) == p
    # Composition in terms of the arrays: slot i of p·q holds what q brings there from slot q[i] of p.
    q = Cube(walk(4))
    assert (numpy.asarray((p * q).corners) == arrays[0][numpy.asarray(q.corners)]).all()
    twists = (arrays[1][numpy.asarray(q.corners)] + numpy.asarray(q.twists)) % 3
    assert (numpy.asarray((p * q).twists) == twists).all()


def test_slots_have_names() -> None:
    assert (len(CORNERS), len(EDGES)) == (8, 12)
    # R brings DFR to the slot URF.
    assert CORNERS[Cube("R").corners[CORNERS.index("URF")]] == "DFR"
    assert EDGES[Cube("R").edges[EDGES.index("UR")]] == "FR"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"corners": [0] * 8}, "more than one corner"),
        ({"corners": range(7)}, "8 numbers"),
        ({"corners": range(9)}, "8 numbers"),
        ({"corners": itertools.count()}, "8 numbers"),
        ({"corners": [8, *range(1, 8)]}, "does not exist"),
        ({"corners": [-1, *range(1, 8)]}, "does not exist"),
        ({"edges": [10**9, *range(1, 12)]}, "does not exist"),
        ({"twists": [1] + [0] * 7}, "corner is twisted"),
        ({"flips": [1] + [0] * 11}, "edge is flipped"),
        ({"edges": [1, 0, *range(2, 12)]}, "swapped"),
    ],
)
def test_arrays_that_are_not_a_position(change: dict[str, list[int]], says: str) -> None:
    solved: dict[str, object] = {
        "corners": range(8),
        "twists": [0] * 8,
        "edges": range(12),
        "flips": [0] * 12,
    }
    with pytest.raises(ValueError, match=says):
        Cube.from_arrays(**{**solved, **change})  # type: ignore[arg-type]


def test_random_positions() -> None:
    assert Cube.random(5) == Cube.random(seed=5) != Cube.random(6)
    assert Cube.random() != Cube.random()
    first = list(itertools.islice(random_positions(5), 3))
    assert first == list(itertools.islice(random_positions(seed=5), 3))
    assert first[0] == Cube.random(5) and len(set(first)) == 3
    assert len(set(itertools.islice(random_positions(), 3))) == 3


def test_random_walks() -> None:
    first = list(itertools.islice(random_walks(12, seed=5), 3))
    assert (
        first == list(itertools.islice(random_walks(walk_length=12, seed=5), 3))
        and len(set(first)) == 3
    )
    assert [len(text.split()) for text in first] == [12] * 3
    assert all(a[0] != b[0] for text in first for a, b in zip(text.split(), text.split()[1:]))
    assert next(random_walks(0)) == "" and next(random_walks(20)) != next(random_walks(20))
    # Those of `cosette scramble --length 5 --seed 1`.
    assert next(random_walks(5, seed=1)) == WALK


def test_scrambles_of_a_case() -> None:
    case = Cube("R U R' U'")
    five = list(itertools.islice(scrambles(case, seed=5), 5))
    assert [str(s) for s in five] == [
        s.moves for s in itertools.islice(scrambles("R U R' U'", seed=5), 5)
    ]
    assert len({s.moves for s in five}) == 5
    assert all(
        Cube(s.moves) == case and len(s.moves.split()) >= 21 and s.pre_auf == s.post_auf == ""
        for s in five
    )
    for s in itertools.islice(scrambles(case, min_length=25, pre_auf=True, post_auf=True), 5):
        assert Cube.from_moves(f"{s.moves} {s.pre_auf} U R U' R' {s.post_auf}").is_solved
        assert len(s.moves.split()) >= 25
    with pytest.raises(ValueError, match="min_length=256: pass an integer from 0 to 255"):
        scrambles(case, min_length=256)
    with pytest.raises(InvalidCubeError):
        scrambles("R Q")


def test_scrambles() -> None:
    for seed in range(20):
        p = Cube.random(seed)
        assert Cube(p.scramble()) == p and len(p.scramble().split()) <= 26
        assert p.scramble() == p.scramble()
    assert Cube.from_moves(Cube().scramble()).is_solved
    assert Cube("R").scramble() == "R"


def test_powers_and_orders() -> None:
    for seed in range(20):
        p = Cube(walk(seed))
        assert p**0 == Cube() and p**1 == p and p**2 == p * p and p**-1 == ~p and p**-2 == ~p * ~p
        assert p**p.order == Cube() and p ** (10**30 + 3) == p ** ((10**30 + 3) % p.order)
        assert all(p**n != Cube() for n in range(1, p.order))
        assert p ** numpy.int64(3) == p * p * p
    assert [
        Cube.from_moves(text).order for text in ("", "R", "R2", "R U", "R U R' U'", "R U2 D' B D'")
    ] == [
        1,
        4,
        2,
        105,
        6,
        1260,
    ]
    for exponent in (1.5, "2", None, Cube()):
        with pytest.raises(TypeError, match="unsupported operand"):
            Cube("R") ** exponent  # type: ignore[operator]
    with pytest.raises(TypeError):
        pow(Cube("R"), 2, 3)  # type: ignore[misc]


def test_a_notebook_shows_the_net() -> None:
    svg = Cube("R U")._repr_svg_()
    root = xml.etree.ElementTree.fromstring(svg)
    squares = [element for element in root.iter() if element.tag.endswith("rect")]
    assert root.tag.endswith("svg") and len(squares) == 54
    fills = [square.get("fill") for square in squares]
    assert sorted(map(fills.count, set(fills))) == [9] * 6
    assert len({(square.get("x"), square.get("y")) for square in squares}) == 54
    title = next(element for element in root.iter() if element.tag.endswith("title"))
    assert title.text == Cube("R U").facelets()


def test_what_people_paste() -> None:
    for text in [
        "R, U2, F'",
        "R U² F’ # mine",
        "“R U2 F'”",
        "`R U2 F'`",
        "Ｒ Ｕ２ Ｆ＇",
        "R U2 Fi",
        "R U2 F-",
        "\ufeffR\u00a0U2 F′",
        "https://alg.cubing.net/?alg=R_U2_F-",
        "https://alpha.twizzle.net/edit/?alg=R+U2+F%27",
    ]:
        assert Cube(text) == Cube.from_moves(text) == Cube("R U2 F'"), text
    faces = "/".join(Cube("R").facelets()[9 * face : 9 * face + 9] for face in range(6))
    assert Cube(faces) == Cube.from_facelets(faces) == Cube("R")
    for text in [
        "U0",
        "R-U",
        "R U …",
        "[r]",
        "2R",
        "https://example.com",
        Cube().facelets() + " " + Cube().facelets(),
    ]:
        with pytest.raises(InvalidCubeError) as caught:
            Cube(text)
        start, end = caught.value.span or (0, 0)
        assert caught.value.help and 0 <= start <= end <= len(text), text


def test_copies() -> None:
    p = Cube(walk(8))
    assert pickle.loads(pickle.dumps(p)) == copy.deepcopy(p) == copy.copy(p) == p
    assert {p: 1}[Cube(walk(8))] == 1
    assert p != "R" and p != 1


def test_bad_texts_never_crash() -> None:
    generator = random.Random(9)
    for _ in range(3000):
        text = "".join(
            generator.choices("URFDLB2'wxyz()[]:, /*é\u200b\n9", k=generator.randrange(60))
        )
        try:
            Cube(text)
        except InvalidCubeError as error:
            assert error.message and error.help and str(error)


def test_a_text_is_not_a_factor() -> None:
    refused = r"factor='U': use a Cube, as in p \* Cube\('U'\)"
    with pytest.raises(TypeError, match=refused):
        Cube("R") * "U"  # type: ignore[operator]
    with pytest.raises(TypeError, match=refused):
        "U" * Cube("R")  # type: ignore[operator]
    with pytest.raises(TypeError):
        Cube("R") * 2  # type: ignore[operator]
