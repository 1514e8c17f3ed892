//! Opens Unix sockets in a data folder, through which commands reach the running bot.
//!
//! Only the owner of the folder may use them: a socket has the mode 0600 before anything can
//! connect to it. So access to the folder is access to the socket, and no secret is needed.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::{UnixListener, UnixSocket, UnixStream};

/// The number of clients that the system keeps waiting.
const WAITING_MAX: u32 = 64;

/// The pause after the system refused a connection.
const ACCEPT_PAUSE: Duration = Duration::from_secs(5);

/// A socket on which this process listens. Its file is removed when this is dropped.
pub struct PrivateSocket {
    listener: UnixListener,
    path: PathBuf,
    /// The device and the number of the file: another one at the path belongs to another process.
    file_id: (u64, u64),
}

impl PrivateSocket {
    /// Listens at this path. Replaces the socket of a process that died. The caller holds a lock
    /// which shows that no other process listens there.
    ///
    /// # Errors
    /// When the path is too long, something else than a socket is there, or the folder cannot be
    /// written.
    pub fn bind(path: &Path) -> io::Result<Self> {
        if is_too_long(path) {
            // The path comes last: where it is cut off, the reason stays.
            let path = path.display();
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the path is longer than a Unix socket may have (about 100 bytes), choose a \
                     shorter DATA_DIR: {path}"
                ),
            ));
        }
        remove_stale(path)?;
        let socket = UnixSocket::new_stream()?;
        socket.bind(path)?;
        // Clients are refused until the socket listens.
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        let file_id = file_id(path)?;
        Ok(Self { listener: socket.listen(WAITING_MAX)?, path: path.to_owned(), file_id })
    }

    /// Waits for the next client. While the system refuses connections, that is logged, and the
    /// next attempt follows after a pause.
    pub async fn accept(&self) -> UnixStream {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => return stream,
                Err(error) => {
                    // As while too many files are open.
                    let socket = self.path.display();
                    tracing::warn!(%socket, %error, "failed to accept a connection, retrying");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

impl Drop for PrivateSocket {
    fn drop(&mut self) {
        if file_id(&self.path).is_ok_and(|it| it == self.file_id) {
            // One that stays is replaced by the next process.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Connects to the process that listens at this path. `None` if none does.
///
/// # Errors
/// When the socket exists but cannot be used.
pub async fn connect(path: &Path) -> io::Result<Option<UnixStream>> {
    if is_too_long(path) {
        return Ok(None);
    }
    match UnixStream::connect(path).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
            _other => Err(error),
        },
    }
}

/// Whether no socket can have this path.
pub fn is_too_long(path: &Path) -> bool {
    SocketAddr::from_pathname(path).is_err()
}

/// Removes a socket, and nothing else.
fn remove_stale(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} is no socket: move it away", path.display()),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn file_id(path: &Path) -> io::Result<(u64, u64)> {
    let found = fs::symlink_metadata(path)?;
    Ok((found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder that only this test uses.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[tokio::test]
    async fn a_socket_is_private_replaced_when_stale_and_removed_at_the_end() {
        let folder = folder("socket");
        let path = folder.join("it.sock");
        assert!(connect(&path).await.unwrap().is_none());
        // As a killed process leaves it behind.
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists() && connect(&path).await.unwrap().is_none());
        let socket = PrivateSocket::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let client = connect(&path).await.unwrap().unwrap();
        socket.accept().await;
        drop((client, socket));
        assert!(!path.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[tokio::test]
    async fn a_file_of_another_owner_is_neither_replaced_nor_removed() {
        let folder = folder("foreign-socket");
        let path = folder.join("it.sock");
        fs::write(&path, "notes").unwrap();
        let error = PrivateSocket::bind(&path).err().unwrap().to_string();
        assert!(error.contains("is no socket"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes");
        fs::remove_file(&path).unwrap();
        let socket = PrivateSocket::bind(&path).unwrap();
        fs::rename(&path, folder.join("moved.sock")).unwrap();
        fs::write(&path, "notes").unwrap();
        drop(socket);
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[tokio::test]
    async fn a_path_that_no_socket_can_have_is_named() {
        let path = std::env::temp_dir().join("x".repeat(120)).join("it.sock");
        let error = PrivateSocket::bind(&path).err().unwrap().to_string();
        assert!(error.contains("choose a shorter DATA_DIR"), "{error}");
        assert!(connect(&path).await.unwrap().is_none());
    }
}
