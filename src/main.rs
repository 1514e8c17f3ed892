//! The program `caravanserai`.

fn main() {}
