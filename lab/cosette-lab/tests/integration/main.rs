//! Each system against obvious twins, published counts and the fast engine.

mod agree;
mod examples;
mod fiat;
mod ida_parts;
mod kociemba;
mod korf;
mod lee_example;
mod lee_search;
mod lee_space;
mod long_search;
mod manhattan;
mod reid;
mod searches;
mod storage;
mod support;
mod thistlethwaite;
