//! Each system against obvious twins, published counts and the fast engine.

mod agree;
mod examples;
mod fiat;
mod ida;
mod kociemba;
mod korf;
mod lee_absence;
mod lee_example;
mod lee_search;
mod lee_space;
mod manhattan;
mod reid;
mod searches;
mod storage;
mod support;
mod thistlethwaite;
