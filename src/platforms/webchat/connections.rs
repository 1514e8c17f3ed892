//! Limits the connections of a public page: how long one may take, how many there may be, and which
//! one is closed when there are too many.
//!
//! A connection is either busy with a request or waiting for one. When one address or the whole
//! server has too many, the one that has waited longest is closed; a busy connection never is. So a
//! client that opens connections without sending requests cannot lock out others.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::TrustedProxies;
use super::auth::address_prefix;

/// Open files that the process needs for other purposes than connections.
const RESERVED_FILES: u64 = 256;
/// The number of open files to request from the system.
const FILES_WANTED: u64 = 65_536;
/// How long connections may take to end when the server shuts down.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// How long no connection is accepted when the system has no more files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Limits of connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// The most connections altogether; fewer if the system allows fewer open files.
    pub connections: usize,
    /// The most connections of one address. This machine and trusted proxies have no limit of their
    /// own.
    pub by_address: usize,
    /// How long the head of a request may take, and how long a connection may be idle between two
    /// requests.
    pub head_timeout: Duration,
    /// How long a client may not read any of the data that is sent.
    pub write_timeout: Duration,
}

/// The direct peer of a request: a client or a proxy.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

/// The connections of one listening socket.
pub struct ConnectionManager {
    limits: ConnectionLimits,
    proxies: TrustedProxies,
    connections: Mutex<HashMap<u64, ClientConnection>>,
    count: AtomicU64,
}

struct ClientConnection {
    from: String,
    /// When the wait for a request began; `None` while the connection is busy.
    waits: Option<Instant>,
    leave: Arc<Notify>,
}

/// Keeps a connection in the list until this is dropped.
struct ConnectionTicket {
    manager: Arc<ConnectionManager>,
    number: u64,
    leave: Arc<Notify>,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 8_192,
            by_address: 128,
            head_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(30),
        }
    }
}

impl ConnectionManager {
    /// Creates the manager; raises the process's limit of open files as far as the system allows.
    pub fn new(mut limits: ConnectionLimits, proxies: TrustedProxies) -> Arc<Self> {
        let files = rlimit::increase_nofile_limit(FILES_WANTED);
        // If the limit is unknown, the usual one is assumed.
        let room = files.unwrap_or(1_024).saturating_sub(RESERVED_FILES).max(64);
        limits.connections = limits.connections.min(usize::try_from(room).unwrap_or(usize::MAX));
        Arc::new(Self { limits, proxies, connections: Mutex::default(), count: AtomicU64::new(0) })
    }

    /// Serves these routes until `closed` is ready; each request carries its [`PeerAddress`].
    ///
    /// # Errors
    /// Never at present: failures affect single connections.
    pub async fn serve(
        self: Arc<Self>,
        socket: TcpListener,
        router: Router,
        closed: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let (closing, ends) = watch::channel(false);
        let mut connections = JoinSet::new();
        tokio::pin!(closed);
        loop {
            tokio::select! {
                biased;
                () = &mut closed => break,
                accepted = socket.accept() => match accepted {
                    Ok((stream, peer)) => {
                        let from = peer.ip().to_canonical();
                        if let Some(ticket) = self.accept(from) {
                            let routes = router.clone();
                            let ends = ends.clone();
                            connections.spawn(serve_connection(ticket, stream, from, routes, ends));
                        }
                    }
                    Err(why) => {
                        tracing::debug!(%why, "failed to accept a connection");
                        self.evict_one();
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
            }
            while connections.try_join_next().is_some() {}
        }
        closing.send_replace(true);
        let ended = async { while connections.join_next().await.is_some() {} };
        // Connections that do not end in time are cut when the set is dropped.
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, ended).await;
        Ok(())
    }

    /// Admits a connection; closes a waiting one if there are too many.
    fn accept(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionTicket> {
        let own = !(address.is_loopback() || self.proxies.contains(address));
        let from = address_prefix(address);
        let mut connections = self.connections.lock();
        if own {
            let mine = connections.values().filter(|it| it.from == from).count();
            if mine >= self.limits.by_address && !evict(&mut connections, Some(&from)) {
                return None;
            }
        }
        if connections.len() >= self.limits.connections && !evict(&mut connections, None) {
            return None;
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let leave = Arc::new(Notify::new());
        let waits = Some(Instant::now());
        connections.insert(number, ClientConnection { from, waits, leave: Arc::clone(&leave) });
        Some(ConnectionTicket { manager: Arc::clone(self), number, leave })
    }

    fn evict_one(&self) {
        evict(&mut self.connections.lock(), None);
    }

    fn set_waiting_since(&self, number: u64, waits: Option<Instant>) {
        if let Some(connection) = self.connections.lock().get_mut(&number) {
            connection.waits = waits;
        }
    }
}

/// Closes the connection that has waited longest, of one address or of all. False if none is
/// waiting.
fn evict(connections: &mut HashMap<u64, ClientConnection>, from: Option<&str>) -> bool {
    let waiting = connections.iter().filter(|(_, it)| from.is_none_or(|from| it.from == from));
    let waiting = waiting.filter_map(|(number, it)| Some((it.waits?, *number)));
    let Some((_, number)) = waiting.min() else { return false };
    if let Some(connection) = connections.remove(&number) {
        connection.leave.notify_one();
    }
    true
}

impl Drop for ConnectionTicket {
    fn drop(&mut self) {
        self.manager.connections.lock().remove(&self.number);
    }
}

/// Serves one connection.
async fn serve_connection(
    ticket: ConnectionTicket,
    stream: TcpStream,
    from: IpAddr,
    router: Router,
    mut ends: watch::Receiver<bool>,
) {
    // Sends small responses at once; without this option they come a little later.
    let _ = stream.set_nodelay(true);
    let manager = Arc::clone(&ticket.manager);
    let number = ticket.number;
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(manager.limits.write_timeout));
    let head = manager.limits.head_timeout;
    let service = service_fn(move |request: Request<Incoming>| {
        manager.set_waiting_since(number, None);
        let at_work = BusyGuard { manager: Arc::clone(&manager), number };
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(from));
        let answer = router.clone().oneshot(request);
        async move {
            let Ok(answer) = answer.await;
            Ok::<_, Infallible>(
                answer.map(|body| Body::new(ResponseBody { body, _at_work: at_work })),
            )
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    tokio::pin!(served);
    let mut closing = false;
    loop {
        tokio::select! {
            // Errors of one connection do not matter to the server.
            _ = &mut served => return,
            () = ticket.leave.notified() => return,
            _ = ends.wait_for(|it| *it), if !closing => {
                closing = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
}

/// Marks a connection as busy until its response is sent or given up.
struct BusyGuard {
    manager: Arc<ConnectionManager>,
    number: u64,
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.manager.set_waiting_since(self.number, Some(Instant::now()));
    }
}

/// A response body that keeps its connection busy until it is sent.
struct ResponseBody {
    body: Body,
    _at_work: BusyGuard,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_waits_longest_makes_room_and_busy_ones_stay() {
        let limits =
            ConnectionLimits { connections: 4, by_address: 2, ..ConnectionLimits::default() };
        let manager = ConnectionManager::new(limits, TrustedProxies::parse("192.0.2.9").unwrap());
        let ip = |it: &str| -> IpAddr { it.parse().unwrap() };
        let first = manager.accept(ip("192.0.2.1")).unwrap();
        let second = manager.accept(ip("192.0.2.1")).unwrap();
        manager.set_waiting_since(first.number, None);
        let third = manager.accept(ip("192.0.2.1")).unwrap();
        let there = |it: &ConnectionTicket| manager.connections.lock().contains_key(&it.number);
        assert!(there(&first) && !there(&second) && there(&third));
        manager.set_waiting_since(third.number, None);
        assert!(manager.accept(ip("192.0.2.1")).is_none(), "both of this address are at work");
        // The proxy has no limit of its own, only the common one.
        let many: Vec<_> = (0..3).map(|_| manager.accept(ip("192.0.2.9")).unwrap()).collect();
        assert!(!there(&many[0]) && there(&many[2]) && there(&first));
        drop(many);
        drop(first);
        assert!(manager.accept(ip("192.0.2.1")).is_some());
        // One household has many IPv6 addresses.
        assert_eq!(address_prefix(ip("2001:db8::1")), address_prefix(ip("2001:db8::2:3")));
    }
}
