#[path = "../tests/it/render/mod.rs"]
mod render;
fn main() {}
