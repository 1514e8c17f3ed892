//! Delivers updates to the bot: the queue, long polling, the webhook.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::Shared;
use super::faults::random;
use super::spec::SPEC;
use super::world::{Answer, ApiError, World, bad};

/// Updates that are sent only on request.
const ASKED_ONLY: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

/// The queue of updates.
pub struct Feed {
    next_id: i64,
    queue: VecDeque<Entry>,
    allowed: Option<Vec<String>>,
    /// The webhook, if updates are not delivered by polling.
    pub webhook: Option<Webhook>,
    /// Whether every update is delivered twice.
    pub twice: bool,
    /// The state of the random order of waiting updates, if they are shuffled.
    pub shuffle: Option<u64>,
    /// The latest poller; an older one that still waits gets an error.
    poller: u64,
    /// Number of polls, including those that still wait.
    pub polls: u64,
    /// The status codes of the webhook in order.
    pub webhook_answers: Vec<u16>,
    /// The update that was queued last.
    pub last: Option<Value>,
}

struct Entry {
    update: Value,
    /// Whether it is a second copy, which is delivered even if the update is confirmed.
    again: bool,
    in_flight: bool,
    failed: u32,
}

impl Entry {
    fn id(&self) -> i64 {
        self.update["update_id"].as_i64().expect("every update has an id")
    }
}

/// The webhook that `setWebhook` set.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub url: String,
    pub secret: Option<String>,
    pub max_connections: usize,
}

impl Feed {
    pub fn new() -> Self {
        Self {
            next_id: 918_000,
            queue: VecDeque::new(),
            allowed: None,
            webhook: None,
            twice: false,
            shuffle: None,
            poller: 0,
            polls: 0,
            webhook_answers: Vec::new(),
            last: None,
        }
    }

    /// Whether the bot gets updates of this kind.
    pub fn wants(&self, kind: &str) -> bool {
        match &self.allowed {
            Some(kinds) if !kinds.is_empty() => kinds.iter().any(|it| it == kind),
            _ => !ASKED_ONLY.contains(&kind),
        }
    }

    /// Queues an update of this kind.
    pub fn push(&mut self, kind: &str, body: Value) {
        if !self.wants(kind) {
            return;
        }
        self.next_id += 1;
        let update = json!({ "update_id": self.next_id, kind: body });
        let own = SPEC.check("Update", &update, "update", &BTreeSet::new());
        assert_eq!(own, Ok(()), "the test server's own update");
        self.last = Some(update.clone());
        let entry = |again| Entry { update: update.clone(), again, in_flight: false, failed: 0 };
        self.queue.push_back(entry(false));
        if self.twice {
            self.queue.push_back(entry(true));
        }
    }

    /// Updates that were not confirmed yet.
    pub fn waiting(&self) -> Vec<Value> {
        self.queue.iter().map(|it| it.update.clone()).collect()
    }

    fn poll(&mut self, offset: i64, limit: usize) -> Vec<Value> {
        if offset < 0 {
            let keep = usize::try_from(-offset).unwrap_or(usize::MAX).min(self.queue.len());
            self.queue.drain(..self.queue.len() - keep);
        } else {
            self.queue.retain(|it| it.again || it.id() >= offset);
        }
        let mut batch: Vec<(Value, bool)> =
            self.queue.iter().take(limit).map(|it| (it.update.clone(), it.again)).collect();
        let mut left = limit;
        self.queue.retain(|it| {
            let served = left > 0;
            left = left.saturating_sub(1);
            !(served && it.again)
        });
        self.mix(&mut batch);
        batch.into_iter().map(|(update, _)| update).collect()
    }

    fn mix<T>(&mut self, items: &mut [T]) {
        let Some(state) = &mut self.shuffle else { return };
        for n in (1..items.len()).rev() {
            let other = random(state) % (n as u64 + 1);
            items.swap(n, usize::try_from(other).expect("below the length"));
        }
    }

    fn allow(&mut self, kinds: Option<&Value>) {
        if let Some(kinds) = kinds.and_then(Value::as_array) {
            let kinds = kinds.iter().filter_map(Value::as_str).map(str::to_owned);
            self.allowed = Some(kinds.collect());
        }
    }

    fn take_for_webhook(&mut self) -> Vec<Value> {
        let limit = self.webhook.as_ref().map_or(0, |it| it.max_connections);
        let in_flight = self.queue.iter().filter(|it| it.in_flight).count();
        let mut updates = Vec::new();
        for entry in self.queue.iter_mut().filter(|it| !it.in_flight) {
            if in_flight + updates.len() >= limit {
                break;
            }
            entry.in_flight = true;
            updates.push(entry.update.clone());
        }
        self.mix(&mut updates);
        updates
    }

    /// Records the end of a delivery; returns the number of failures.
    fn delivered(&mut self, update: &Value, status: u16) -> u32 {
        self.webhook_answers.push(status);
        let at = self.queue.iter().position(|it| it.in_flight && &it.update == update);
        let Some(at) = at else { return 0 };
        if (200..300).contains(&status) {
            self.queue.remove(at);
            return 0;
        }
        self.queue[at].failed += 1;
        self.queue[at].failed
    }

    fn release(&mut self, update: &Value) {
        let entry = self.queue.iter_mut().find(|it| it.in_flight && &it.update == update);
        if let Some(entry) = entry {
            entry.in_flight = false;
        }
    }
}

/// getUpdates: waits until there is an update or the time is over.
pub async fn get_updates(shared: &Shared, params: &Map<String, Value>) -> Answer {
    let number = |name: &str, or: i64| params.get(name).and_then(Value::as_i64).unwrap_or(or);
    let offset = number("offset", 0);
    let limit = usize::try_from(number("limit", 100).clamp(1, 100)).expect("within 1..=100");
    let seconds = u64::try_from(number("timeout", 0).clamp(0, 50)).expect("not negative");
    let until = tokio::time::Instant::now() + Duration::from_secs(seconds);
    let mut changed = shared.changed.subscribe();
    let me = shared.change(|world| {
        world.feed.allow(params.get("allowed_updates"));
        world.feed.poller += 1;
        world.feed.polls += 1;
        world.feed.poller
    });
    loop {
        if let Some(updates) = shared.quiet(|world| poll(world, me, offset, limit))? {
            return Ok(Value::Array(updates));
        }
        tokio::select! {
            () = tokio::time::sleep_until(until) => return Ok(json!([])),
            news = changed.changed() => {
                if news.is_err() {
                    return Ok(json!([]));
                }
            }
        }
    }
}

fn poll(
    world: &mut World,
    me: u64,
    offset: i64,
    limit: usize,
) -> Result<Option<Vec<Value>>, ApiError> {
    let conflict = |text: &str| {
        let text = format!("Conflict: {text}");
        Err(ApiError { code: 409, text, parameters: None })
    };
    if world.feed.webhook.is_some() {
        return conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete \
             the webhook first",
        );
    }
    if world.feed.poller != me {
        return conflict(
            "terminated by other getUpdates request; make sure that only one bot instance is \
             running",
        );
    }
    let updates = world.feed.poll(offset, limit);
    Ok((!updates.is_empty()).then_some(updates))
}

/// setWebhook, deleteWebhook, getWebhookInfo.
pub fn webhook(world: &mut World, method: &str, params: &Map<String, Value>) -> Answer {
    let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
    if params.get("drop_pending_updates") == Some(&json!(true)) {
        world.feed.queue.clear();
    }
    match method {
        "getWebhookInfo" => {
            let hook = world.feed.webhook.clone();
            return Ok(json!({
                "url": hook.map(|it| it.url).unwrap_or_default(),
                "has_custom_certificate": false,
                "pending_update_count": world.feed.queue.len(),
            }));
        }
        "setWebhook" if !text("url").is_empty() => {
            let secret = text("secret_token");
            let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if secret.len() > 256 || !secret.chars().all(fine) {
                return Err(bad("secret token contains unallowed characters"));
            }
            let url = text("url").to_owned();
            let loopback = url.starts_with("http://127.0.0.1:");
            if !(loopback || url.starts_with("https://")) {
                return Err(bad("bad webhook: An HTTPS URL must be provided for webhook"));
            }
            let most = params.get("max_connections").and_then(Value::as_u64).unwrap_or(40);
            world.feed.allow(params.get("allowed_updates"));
            world.feed.webhook = Some(Webhook {
                url,
                secret: (!secret.is_empty()).then(|| secret.to_owned()),
                max_connections: usize::try_from(most.clamp(1, 100)).expect("within 1..=100"),
            });
        }
        _ => world.feed.webhook = None,
    }
    Ok(json!(true))
}

/// Delivers updates to the webhook while the server runs.
pub async fn deliver(shared: std::sync::Arc<Shared>) {
    let client = reqwest::Client::builder().no_proxy().build().expect("the client can be built");
    let mut changed = shared.changed.subscribe();
    let mut posts = JoinSet::new();
    loop {
        let hook = shared.quiet(|world| world.feed.webhook.clone());
        if let Some(hook) = hook {
            for update in shared.quiet(|world| world.feed.take_for_webhook()) {
                posts.spawn(post(shared.clone(), client.clone(), hook.clone(), update));
            }
        }
        tokio::select! {
            news = changed.changed() => if news.is_err() { return },
            Some(_) = posts.join_next() => {}
        }
    }
}

async fn post(
    shared: std::sync::Arc<Shared>,
    client: reqwest::Client,
    hook: Webhook,
    update: Value,
) {
    let mut request = client.post(&hook.url).json(&update);
    if let Some(secret) = &hook.secret {
        request = request.header("X-Telegram-Bot-Api-Secret-Token", secret);
    }
    let status = request.send().await.map_or(599, |answer| answer.status().as_u16());
    let failed = shared.change(|world| world.feed.delivered(&update, status));
    if failed > 0 {
        // Telegram also retries with a growing delay.
        tokio::time::sleep(Duration::from_millis(5 << failed.min(6))).await;
        shared.change(|world| world.feed.release(&update));
    }
}
