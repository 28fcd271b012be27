//! Bidirectional search that stores quarters of solutions (Fiat, Moses, Shamir, Shimshoni and Tardos 1989).
//!
//! # Theory
//!
//! A search from both ends meets in the middle: with branching factor b and a solution of d moves it takes b^(d/2)
//! time, but it stores the b^(d/2) positions of one end. Schroeppel and Shamir (1981) store far less if the positions
//! of one end are *products* of two short lists: generate the products of both ends in order, and merge the two streams
//! as one merges sorted files. Nothing is stored but the lists, b^(d/4) permutations each. For integers a heap gives
//! the sums of two lists in order. Fiat et al. found how to do it for products in a permutation group ("Planning and
//! learning in permutation groups", FOCS 1989), and so solved random positions of the cube; Korf (1997) compares it
//! with IDA*.
//!
//! Let p be the position and a·b·c·d a solution, each part a permutation of a known length. Then
//!
//! ```text
//! (p·a)·b = d⁻¹·c⁻¹
//! ```
//!
//! Both sides are products x·y of a left factor x (p·a on the left, d⁻¹ on the right) and a permutation y of a list.
//! With moves a list holds the inverses of its permutations too, so c⁻¹ and d⁻¹ are in the lists of c and d themselves.
//!
//! *The order.* A permutation is a word of twenty values ([`Permutation`]), what stands at each place, and words are
//! compared like those of a dictionary. Products are read left to right, (x·y)\[i\] = x\[y\[i\]\]: the word of x·y is
//! that of y with each value replaced by its image under x. So the order of the products of one x is found in a trie
//! over the list:
//!
//! *Walk.* Visit the children of each node of the trie in the order of their values' images under x: then the leaves y
//! come in the order of x·y. Proof: let y and z part at place i. The words of x·y and x·z agree before i, for those of
//! y and z do. At i they differ, since x is one to one on values, and the walk goes first to the one with the smaller
//! image, which is the smaller product. Orientations do no harm: a value is a cubie and how it is turned, and x carries
//! all turns of a cubie to those of another. ∎
//!
//! This needs the *right* factor in the trie. Were the left factor in it, a step down would fix x\[i\], a value at
//! another place of the product for each y; one would have to take inverses on both sides.
//!
//! ```text
//! heap ← for each left factor x of a side: its least product                  (one heap a side)
//! take the least product of a side from its heap; put in the next of the same x, by the trie
//! merge both streams; equal products are solutions
//! ```
//!
//! # Departures
//!
//! 1. *Descent* ([`Descent`]): by default both streams are generated together, value by value. For each word that is
//!    the beginning of products on both sides, the pairs of left factor and node that begin with it are kept, and
//!    divided by their next value; words that only one side can begin are left at once, with all the products below. It
//!    is the same order and the same tries, without heaps. It takes space for b^(d/4) pairs as the heaps do, times the
//!    few values that a place still has. [`Form::Merge`] is the published form.
//! 2. To skip products in the merge, seeking in one stream what stands in the other, does not pay: sides are about
//!    equal in number, so there are as many products to stop at as to skip.
//! 3. Threads take words of one value (merge) or two (descent): each is a range of the order and a merge of its own.
//! 4. Lengths are tried from zero up, so that the first solution is one of the shortest, and lists hold the
//!    permutations at an *exact* distance, each once. All shortest solutions are found: the parts of a shortest
//!    solution are shortest sequences themselves. In the quarter-turn metric a half turn may be cut in two quarters;
//!    put together they are it again.
//! 5. Sequences are not stored: those of a permutation are found by stepping back through the lists.
//! 6. The next product is found from the last one and the trie, so a heap keeps words alone, 16 bytes each, and no
//!    paths.
//!
//! *Limits.* Lists of up to d/4 moves, rounded up: 43,239 permutations for length 16, 574,908 for 17 to 20 (half-turn
//! metric); the time is exhausted long before the memory.

mod experiment;
mod list;
mod permutation;
mod products;
mod search;

pub use experiment::fiat;
pub use list::{List, Lists, Match, ProductSet};
pub use permutation::{Factor, Permutation};
pub use products::{Descent, Product, Products, merge};
pub use search::{Fiat, Form, LengthResult, quarters};
