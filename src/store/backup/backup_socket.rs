//! A socket in the data folder by which the running program hands out a back-up of its store.
//!
//! Whoever may use the folder may use the socket, and nobody else: there is no secret to keep.

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

/// The running program's back-up, to be read to its end; `None` if no program runs there.
///
/// # Errors
/// When the socket is there but may not be used.
pub async fn connect(data_dir: &Path) -> io::Result<Option<UnixStream>> {
    match UnixStream::connect(socket_path(data_dir)).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
            _other => Err(error),
        },
    }
}

/// Hands a back-up to whoever connects, one after another, until it is dropped.
///
/// # Errors
/// When the socket cannot be made.
pub async fn serve(store: Arc<dyn Store>, data_dir: &Path) -> io::Result<()> {
    let path = socket_path(data_dir);
    // Left behind by a process that died; a living one holds the lock of the store.
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let listener = UnixListener::bind(&path)?;
    fs::set_permissions(&path, Permissions::from_mode(0o600))?;
    loop {
        let (stream, _) = listener.accept().await?;
        match stream_backup(store.as_ref(), stream).await {
            Ok(()) => tracing::info!("a back-up was handed out"),
            Err(error) => tracing::warn!(%error, "a back-up was not handed out whole"),
        }
    }
}

async fn stream_backup(store: &dyn Store, stream: UnixStream) -> Result<(), BackupError> {
    let mut snapshot = store.snapshot().await?;
    let mut out = BufWriter::new(stream);
    write(snapshot.as_mut(), &mut out, &mut |_| ()).await?;
    Ok(())
}
