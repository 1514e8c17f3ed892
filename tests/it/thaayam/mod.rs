//! Thaayam as a whole: worked cases, invariants, statistics of random play, the flow of turns.

mod flow;
mod players;
mod rule_cases;
mod shown;
mod statistics;
