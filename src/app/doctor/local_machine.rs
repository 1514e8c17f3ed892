//! Checks this machine: data folder, disk space, store, ports, limits.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use super::{DoctorFinding, failed_finding, good_finding, warning_finding};
#[cfg(unix)]
use crate::admin_socket;
use crate::config::Config;
use crate::event_format::refuse_newer_events;
use crate::store_identity::refuse_other_store;
use caravanserai_store::OpenError;
use caravanserai_store::data_dir::is_readable_by_others;
use caravanserai_store::memory::MemoryStore;
#[cfg(unix)]
use caravanserai_store::private_socket::is_too_long;
use caravanserai_store::store_address::StoreInspection;

const DATA: &str = "data folder";
const ROOM: &str = "room on the disk";
const STORE: &str = "store";
const ENCRYPTION: &str = "encryption";
const BACKUPS: &str = "backups";
const FILES: &str = "open files";
const PORT: &str = "ports";

/// Less free space than this, in MB, will soon run out.
const ROOM_MIN_MB: u64 = 1024;
/// The bot should not be started with less free space than this, in MB.
const ROOM_LEAST_MB: u64 = 64;
/// Each open page and each connection is a file.
const OPEN_FILES_MIN: u64 = 4096;

/// Checks the data folder. Changes nothing in it.
pub(super) fn examine_data_folder(config: &Config) -> Vec<DoctorFinding> {
    let folder = &config.data_dir;
    let name = folder.display();
    if !folder.exists() {
        return vec![good_finding(DATA, format!("{name} is not there yet and will be made"))];
    }
    let mut found = Vec::new();
    found.push(match check_writable(folder) {
        Ok(()) if is_readable_by_others(folder) => warning_finding(
            DATA,
            format!(
                "others on this machine can read {name} with the seeds of running games: \
                     chmod 700 {name}"
            ),
        ),
        Ok(()) => good_finding(DATA, format!("{name} is private and writable")),
        Err(error) => failed_finding(
            DATA,
            format!(
                "{name} cannot be written ({error}): give it to the \
                                           user that runs the bot, or set DATA_DIR"
            ),
        ),
    });
    found.extend(socket_finding(folder));
    found.extend(disk_space_finding(folder));
    found
}

/// Warns if commands cannot reach a bot on this folder.
#[cfg(unix)]
fn socket_finding(folder: &Path) -> Option<DoctorFinding> {
    is_too_long(&admin_socket::socket_path(folder)).then(|| {
        let name = folder.display();
        warning_finding(
            DATA,
            format!(
                "{name} is too long for the path of a socket, so `admin` and `backup` do not \
                 reach the running bot: choose a shorter DATA_DIR"
            ),
        )
    })
}

#[cfg(not(unix))]
fn socket_finding(_: &Path) -> Option<DoctorFinding> {
    None
}

/// Checks whether the store is encrypted, if people of a platform are in it.
pub(super) fn encryption_finding(config: &Config) -> Option<DoctorFinding> {
    if !config.serves_platform() {
        return None;
    }
    Some(match config.store.keys().map(|keys| keys.current()) {
        Some(Some(id)) => {
            good_finding(ENCRYPTION, format!("new values are encrypted with key {id}"))
        }
        Some(None) => warning_finding(
            ENCRYPTION,
            "the last line of the key file is `plain`, so new values are not encrypted: move the \
             line of a key to the end",
        ),
        None => warning_finding(
            ENCRYPTION,
            "the store is not encrypted: `caravanserai store new-key FILE` makes a key, \
             STORE_KEY_FILE names it",
        ),
    })
}

/// Says whether backups are encrypted; warns if they are not and people of a platform are in them.
pub(super) fn backup_finding(config: &Config) -> DoctorFinding {
    match &config.backup_recipients {
        Some(recipients) => good_finding(BACKUPS, format!("are encrypted to {recipients}")),
        None if config.serves_platform() => warning_finding(
            BACKUPS,
            "are not encrypted, and the names and games of people are in them: `caravanserai store \
             new-backup-key FILE` makes a key, BACKUP_RECIPIENTS names it",
        ),
        None => good_finding(BACKUPS, "are not encrypted, as BACKUP_RECIPIENTS is not set"),
    }
}

fn check_writable(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".doctor-{}", std::process::id()));
    std::fs::write(&probe, b"probe")?;
    std::fs::remove_file(&probe)
}

/// Checks whether the bot could open the store, with the keys in the settings. Changes nothing.
pub(super) async fn store_finding(config: &Config) -> DoctorFinding {
    match inspect_store(config).await {
        Ok(found) => found,
        Err(error @ OpenError::InUse(_)) => {
            warning_finding(STORE, format!("{error}: fine if that is the running bot"))
        }
        Err(error) => failed_finding(STORE, error.to_string()),
    }
}

async fn inspect_store(config: &Config) -> Result<DoctorFinding, OpenError> {
    let folder = &config.data_dir;
    let address = &config.store;
    Ok(match address.inspect().await? {
        StoreInspection::Missing => {
            refuse_other_store(folder, address, &MemoryStore::new()).await?;
            good_finding(STORE, "empty so far")
        }
        StoreInspection::Older => warning_finding(
            STORE,
            "is of an earlier version, the bot converts it when it starts: back it up first",
        ),
        StoreInspection::Unclear => warning_finding(
            STORE,
            "cannot be read to its end without opening it: start the bot, its log says whether \
             something is lost",
        ),
        StoreInspection::Readable(store) => {
            let compared = refuse_other_store(folder, address, store.as_ref()).await;
            let known = refuse_newer_events(store.as_ref()).await;
            store.close().await?;
            compared.and(known)?;
            good_finding(STORE, "can be read, its format is current")
        }
    })
}

#[cfg(unix)]
fn disk_space_finding(folder: &Path) -> Option<DoctorFinding> {
    let found = rustix::fs::statvfs(folder).ok()?;
    let free = found.f_bavail.saturating_mul(found.f_frsize) / (1024 * 1024);
    Some(match free {
        ROOM_MIN_MB.. => good_finding(ROOM, format!("{free} MB free")),
        ROOM_LEAST_MB..ROOM_MIN_MB => warning_finding(
            ROOM,
            format!("only {free} MB free: free some space before the disk is full"),
        ),
        0..ROOM_LEAST_MB => {
            failed_finding(ROOM, format!("only {free} MB free: free some space first"))
        }
    })
}

#[cfg(not(unix))]
fn disk_space_finding(_: &Path) -> Option<DoctorFinding> {
    None
}

/// Checks the limit of open files.
#[cfg(unix)]
pub(super) fn open_files_finding() -> DoctorFinding {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::Nofile);
    let soft = limit.current.unwrap_or(u64::MAX);
    let hard = limit.maximum.unwrap_or(u64::MAX);
    if soft.max(hard) < OPEN_FILES_MIN {
        return warning_finding(
            FILES,
            format!(
                "at most {hard}, and each open page is one: raise the limit (ulimit -n, \
                     LimitNOFILE) to {OPEN_FILES_MIN} or more for a public page"
            ),
        );
    }
    good_finding(FILES, format!("{soft} now, {hard} at most"))
}

/// Checks the limit of open files: unknown on this system.
#[cfg(not(unix))]
pub(super) fn open_files_finding() -> DoctorFinding {
    good_finding(FILES, "not known on this system")
}

/// Checks that the ports are free.
pub(super) fn port_findings(config: &Config) -> Vec<DoctorFinding> {
    let named = [("HTTP_LISTEN", config.http), ("WEB_LISTEN", config.web)];
    named.into_iter().filter_map(|(key, listen)| Some(port_finding(key, listen?))).collect()
}

fn port_finding(key: &str, listen: SocketAddr) -> DoctorFinding {
    match TcpListener::bind(listen) {
        Ok(_) => good_finding(PORT, format!("{key} can listen on {listen}")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => warning_finding(
            PORT,
            format!(
                "{listen} of {key} is in use: fine if that is the running bot, else choose \
                     another"
            ),
        ),
        Err(error) => failed_finding(PORT, format!("{key} cannot listen on {listen}: {error}")),
    }
}
