"""NumPy arrays of positions, in the layouts of machine-learning projects.

An array has one row per position, of the shape (54,), or (6, 3, 3) with ``layout="jumanji"``; for jumanji, rows
of 54 are accepted as well. The values are colors, 0 to 5, or facelet indices of the solved cube, 0 to 53. Functions
accept both in every layout, with any integer dtype; those that create positions return ``uint8`` arrays with the
kind of values listed in the column *values* below.

A layout defines the order of the facelets, which face each color number belongs to, and how moves are numbered:

| layout | faces | each face | values | moves |
|---|---|---|---|---|
| ``kociemba`` | U R F D L B | row by row | colors | U U2 U' R R2 R' … |
| ``deepcubea`` | U D L R B F | by columns, each from the bottom | facelet indices | U' U D' D L' L R' R B' B F' F |
| ``cayleypy`` | U D L R B F | as DeepCubeA | colors | U D L R B F U' D' L' R' B' F' |
| ``santa`` | U F R B L D | row by row | colors | f0 f2 r0 r2 d0 d2 (F B' R L' D U'), then -f0 … -d2 |
| ``jumanji`` | U F R B L D | row by row | colors | U U' U2 F F' F2 … |

If a project has no half turns, they are numbered after its own moves, in the order of the *faces* column: for
``santa``, U2 F2 R2 B2 L2 D2. The centers determine which color belongs to which face, so the cube may be in any
orientation.

Where a function takes single positions, as ``solve``, ``Cube`` and ``solve_many`` do, a row is in the layout
``kociemba``; ``to_cubes`` converts the others.
"""
