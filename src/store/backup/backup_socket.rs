//! Streams a backup of the running program's store through a Unix socket in the data folder.
//!
//! Access to the folder is access to the socket, so no secret is needed. The stream is not
//! encrypted: it never leaves the memory of this machine, `check` reads it as well, and the command
//! that writes a file encrypts it. It names damaged items; the command that writes a file refuses
//! them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::BufWriter;
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutWriter;

use super::{BackupError, DamagedItems, write_items};
use crate::Store;
use crate::private_socket::{self, PrivateSocket};

/// How long a client may take nothing off the stream: a stopped terminal or a dead network must not
/// keep the snapshot open.
const STALL_MAX: Duration = Duration::from_secs(60);

/// Clients that are served at the same time: one that reads slowly does not delay the nightly
/// backup.
const CLIENTS_MAX: usize = 2;

/// Where the socket of a data folder is.
pub fn socket_path(data_dir: &Path) -> PathBuf {
    data_dir.join("backup.sock")
}

/// Connects to the running program; its backup is read from the stream to the end. `None` if no
/// program runs there.
///
/// # Errors
/// When the socket exists but cannot be used.
pub async fn connect(data_dir: &Path) -> io::Result<Option<UnixStream>> {
    private_socket::connect(&socket_path(data_dir)).await
}

/// Streams a backup to each client that connects, two at a time, until this is dropped. A client
/// that takes nothing for a minute is let go.
///
/// # Errors
/// When the socket cannot be created.
pub async fn serve(store: Arc<dyn Store>, data_dir: &Path) -> io::Result<()> {
    serve_with(store, data_dir, STALL_MAX).await
}

async fn serve_with(store: Arc<dyn Store>, data_dir: &Path, stall_max: Duration) -> io::Result<()> {
    // The lock of the store shows that no other process listens there.
    let socket = PrivateSocket::bind(&socket_path(data_dir))?;
    let mut clients = JoinSet::new();
    loop {
        while clients.try_join_next().is_some() {}
        if clients.len() >= CLIENTS_MAX {
            clients.join_next().await;
        }
        let stream = socket.accept().await;
        let store = Arc::clone(&store);
        clients.spawn(async move {
            match stream_backup(store.as_ref(), stream, stall_max).await {
                Ok(()) => tracing::info!("sent a backup"),
                Err(error) => tracing::warn!(%error, "failed to send a complete backup"),
            }
        });
    }
}

async fn stream_backup(
    store: &dyn Store,
    stream: UnixStream,
    stall_max: Duration,
) -> Result<(), BackupError> {
    let mut snapshot = store.snapshot().await?;
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(stall_max));
    let mut out = BufWriter::new(Box::pin(stream));
    write_items(snapshot.as_mut(), DamagedItems::Stream, &mut out, &mut |_| ()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::memory::MemoryStore;
    use crate::{Commit, Put, Space};

    /// Larger than what waits in a socket.
    const ROWS: usize = 300;
    const ROW_BYTES: usize = 10_000;

    async fn connect_when_served(data_dir: &Path) -> UnixStream {
        loop {
            if let Some(stream) = connect(data_dir).await.unwrap() {
                return stream;
            }
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn clients_that_read_nothing_delay_no_backup_for_long() {
        let folder = std::env::temp_dir().join(format!("stalled-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let store = Arc::new(MemoryStore::new());
        for n in 0..ROWS {
            let row = Put::new(Space::Keep, n.to_string(), vec![b'x'; ROW_BYTES]);
            store.commit(Commit::from_puts(vec![row])).await.unwrap();
        }
        let data_dir = folder.clone();
        let stall_max = Duration::from_millis(50);
        let serving = tokio::spawn(async move { serve_with(store, &data_dir, stall_max).await });
        let mut stalled = Vec::new();
        for _ in 0..CLIENTS_MAX {
            stalled.push(connect_when_served(&folder).await);
        }
        let mut reading = connect_when_served(&folder).await;
        let mut text = String::new();
        reading.read_to_string(&mut text).await.unwrap();
        assert!(text.len() > ROWS * ROW_BYTES && text.ends_with('\n'));
        // One that read nothing was cut off to make room, and sees that.
        let mut cut_off = 0;
        for mut client in stalled {
            let mut text = String::new();
            client.read_to_string(&mut text).await.unwrap();
            cut_off += usize::from(text.len() < ROWS * ROW_BYTES);
        }
        assert!(cut_off > 0);
        serving.abort();
        fs::remove_dir_all(&folder).unwrap();
    }
}
