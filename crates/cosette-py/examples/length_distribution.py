# %% [markdown]
# # How long are shortest solutions?
#
# The distance of random positions from solved, in the half-turn metric. Two thirds of all positions need 18 moves, a quarter
# 17, one in thirty 19. This program takes a sample; with a table of 1.5 GB, a position of 18 moves takes about a second.
#
# Needs matplotlib: `pip install './crates/cosette-py[plot]'`. To run it as a program, give the number of positions and
# the table: `python length_distribution.py 100 1.5G`.

# %%
from __future__ import annotations

import collections
import itertools
import re
import sys
import time

import cosette

if {"-h", "--help"} & set(sys.argv[1:]):
    print("usage: python length_distribution.py [POSITIONS] [TABLE]")
    sys.exit()
numbers = [word for word in sys.argv[1:] if word.isdigit()]
COUNT = int(numbers[0]) if numbers else 100
TABLE = next((word for word in sys.argv[1:] if re.fullmatch(r"(htm-)?[\d.]+[MG]", word)), "auto")

# %% [markdown]
# A solver keeps its table in memory. The table is generated on first use.

# %%
solver = cosette.Solver(table=TABLE)
solver

# %% [markdown]
# The iterator of positions is endless; `solve_many` reads only a few ahead of the answers, and shows how far it is.

# %%
start = time.monotonic()
positions = itertools.islice(cosette.random_positions(seed=2026), COUNT)
lengths: collections.Counter[int] = collections.Counter()
nodes = 0
for answer in solver.solve_many(positions, ordered=False):
    assert answer.length is not None, "a search without limits always ends with a length"
    lengths[answer.length] += 1
    nodes += answer.nodes
seconds = time.monotonic() - start
mean = sum(length * count for length, count in lengths.items()) / COUNT
print(f"{COUNT} positions, mean length {mean:.2f}, {nodes:,} nodes, {seconds:.0f} s")

# %% [markdown]
# For comparison, the share of all positions: the number with 15 moves is exact, the others are estimates (Rokicki,
# Kociemba, Davidson and Dethridge, cube20.org).

# %%
POSITIONS = 43_252_003_274_489_856_000
KNOWN = {15: 91_365_146_187_124_313, 16: 1.1e18, 17: 1.2e19, 18: 2.9e19, 19: 1.5e18}
shares = {length: known / POSITIONS for length, known in KNOWN.items()}

# %%
try:
    import matplotlib.pyplot as plot
except ImportError:
    sys.exit("The plot needs matplotlib: pip install matplotlib")

figure, axes = plot.subplots(figsize=(7, 4))
places = sorted(set(lengths) | set(shares))
axes.bar(
    [place - 0.2 for place in places],
    [lengths[place] / COUNT for place in places],
    0.4,
    label=f"{COUNT} random",
)
axes.bar(
    [place + 0.2 for place in places],
    [shares.get(place, 0) for place in places],
    0.4,
    label="all positions",
)
axes.set(xlabel="moves of a shortest solution", ylabel="share of positions", xticks=places)
axes.legend()
figure.tight_layout()
figure.savefig("length_distribution.png", dpi=150)
print("length_distribution.png")
