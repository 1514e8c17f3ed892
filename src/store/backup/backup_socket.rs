//! Streams a backup of the running program's store through a Unix socket in the data folder.
//!
//! Access to the folder is access to the socket, so no secret is needed. The stream is not
//! encrypted: it never leaves the memory of this machine, `check` reads it as well, and the command
//! that writes a file encrypts it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::io::BufWriter;
use tokio::net::{UnixListener, UnixStream};

use super::{BackupError, write};
use crate::Store;

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
    match UnixStream::connect(socket_path(data_dir)).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
            _other => Err(error),
        },
    }
}

/// Streams a backup to each client that connects, one after another, until this is dropped.
///
/// # Errors
/// When the socket cannot be created.
pub async fn serve(store: Arc<dyn Store>, data_dir: &Path) -> io::Result<()> {
    let path = socket_path(data_dir);
    // A process that died has left it behind: a running one would hold the lock of the store.
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    loop {
        let (stream, _) = listener.accept().await?;
        match stream_backup(store.as_ref(), stream).await {
            Ok(()) => tracing::info!("sent a backup"),
            Err(error) => tracing::warn!(%error, "failed to send a complete backup"),
        }
    }
}

async fn stream_backup(store: &dyn Store, stream: UnixStream) -> Result<(), BackupError> {
    let mut snapshot = store.snapshot().await?;
    let mut out = BufWriter::new(stream);
    write(snapshot.as_mut(), &mut out, &mut |_| ()).await?;
    Ok(())
}
