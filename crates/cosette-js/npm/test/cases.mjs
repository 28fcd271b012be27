// What the native program says with the 24M table and one thread: `cosette solve --json --table 24M --threads 1 [--all] POSITION`.

export const CASES = [
  {
    position: "R L U2 F2 D B2",
    length: 6,
    one: [1, 6],
    all: [53, 322],
    solutions: ["B2 D' F2 U2 R' L'"],
  },
  {
    position: "U2 D2 F2 B2 R2 L2",
    length: 6,
    one: [620, 4062],
    all: [2532, 17286],
    solutions: [
      "U2 D2 R2 L2 F2 B2",
      "U2 D2 F2 B2 R2 L2",
      "R2 L2 U2 D2 F2 B2",
      "R2 L2 F2 B2 U2 D2",
      "F2 B2 U2 D2 R2 L2",
      "F2 B2 R2 L2 U2 D2",
    ],
  },
  {
    position: "U R2 F B R B2 R U2 L B2 R",
    length: 11,
    one: [1977, 11944],
    all: [14652, 84759],
    solutions: ["R' B2 L' U2 R' B2 R' F' B' R2 U'"],
  },
  {
    position: "U2 L' D R2 U F L2 D2 F' D2 L2 U' R'",
    length: 13,
    one: [549, 2775],
    all: [11912, 63931],
    solutions: ["R U L2 D2 F D2 L2 F' U' R2 D' L U2"],
  },
  {
    position: "F' R2 L D' L U F2 B U2 D B U' F' R'",
    length: 14,
    one: [2362, 12673],
    all: [90017, 582677],
    solutions: ["R F U B' U2 D' F2 B' U' L' D R2 L' F"],
  },
];

/** Many slices of a search in the single module. */
export const LONGER = {
  position: "U' D F2 U2 R F' R' U' D2 F' U B R D F R'",
  length: 16,
  one: [4086398, 25629242],
  solutions: ["R F' D' R' B' U' F U D2 R F R' U2 F2 U D'"],
};

/** 20 moves from solved, out of reach of the 24M table in a test. */
export const SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/** SHA-256 of the file that `cosette tables gen 24M` writes. */
export const FILE_24M = "b9eaeee8b9fb9d500c8f4c3e0d3ba612153e4461caa4c318b7bc93491f20141c";
