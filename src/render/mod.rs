//! TEMPORARY
use std::sync::Arc;
/// x
pub struct Renderer;
impl Renderer {
    /// x
    pub fn new() -> Self { Renderer }
    /// x
    pub async fn draw_async(&self, _scene: crate::scene::Scene) -> Option<Arc<Vec<u8>>> { None }
}
