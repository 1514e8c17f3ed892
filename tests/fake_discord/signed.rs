//! Posts signed interactions to the bot's own address instead of the gateway.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::Value;

use super::FakeDiscord;
use super::world::World;

/// The signing key and the address of an application.
#[derive(Clone)]
pub struct Signing {
    pub(super) url: String,
    key: Arc<Ed25519KeyPair>,
    statuses: Arc<Mutex<Vec<u16>>>,
}

impl Signing {
    /// Posts to this address, with a key from this seed.
    pub fn new(url: &str, seed: u8) -> Self {
        let key = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("32 bytes are a seed");
        Self { url: url.to_owned(), key: Arc::new(key), statuses: Arc::default() }
    }

    /// The public key as the developer portal shows it.
    pub fn public_key(&self) -> String {
        hex::encode(self.key.public_key())
    }

    /// The status codes of the bot's server, in order.
    pub fn statuses(&self) -> Vec<u16> {
        self.statuses.lock().clone()
    }

    /// The headers of a body that was signed at this time (Unix seconds).
    pub fn headers(&self, at: u64, body: &str) -> [(&'static str, String); 2] {
        let signature = self.key.sign(format!("{at}{body}").as_bytes());
        [("X-Signature-Ed25519", hex::encode(signature)), ("X-Signature-Timestamp", at.to_string())]
    }

    /// Posts a body, signed now.
    pub async fn post(&self, body: String) -> (u16, String) {
        let headers = self.headers(now(), &body);
        self.post_with(&headers, body).await
    }

    /// Posts a body with these headers.
    pub async fn post_with(
        &self,
        headers: &[(&'static str, String)],
        body: String,
    ) -> (u16, String) {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let mut request = client.post(&self.url).header("Content-Type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let answer = request.body(body).send().await.expect("the bot listens");
        let status = answer.status().as_u16();
        (status, answer.text().await.unwrap_or_default())
    }

    /// Posts an interaction in the background.
    pub(super) fn tell(&self, event: &Value) {
        let (signing, body) = (self.clone(), event.to_string());
        tokio::spawn(async move {
            let (status, _) = signing.post(body).await;
            signing.statuses.lock().push(status);
        });
    }
}

impl FakeDiscord {
    /// Posts interactions there from now on instead of sending them by the gateway.
    pub fn post_interactions(&self, signing: &Signing) {
        self.shared.with(|world| world.signing = Some(signing.clone()));
    }
}

impl World {
    /// The key of the application, even if interactions are not posted.
    pub(super) fn public_key(&self) -> String {
        let signing = self.signing.as_ref();
        signing.map_or_else(|| hex::encode([1; 32]), Signing::public_key)
    }
}

/// The time in Unix seconds.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
