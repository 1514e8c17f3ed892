//! A PostgreSQL of our own: made in a temporary folder when `initdb` is installed, reached by a
//! socket there, with fsync on, and stopped when the test program ends in whatever way.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// A server takes this long at most to start.
const START_MAX: Duration = Duration::from_secs(60);

/// Starts the server and stops it when nobody holds the other end of its input any more.
const WATCH: &str = r#"
    exec 3<&0
    "$@" 3<&- </dev/null >>"$LOG" 2>&1 &
    server=$!
    echo "$server"
    cat <&3 >/dev/null
    # While it starts it ignores one of these.
    kill -TERM "$server" 2>/dev/null
    kill -INT "$server" 2>/dev/null
    wait "$server"
    [ -z "$CLEAN" ] || rm -rf "$CLEAN"
"#;

/// A server with its folder.
pub struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    owner: Option<(u32, u32)>,
    settings: Vec<String>,
    /// Whether the shell removes the folder after the end.
    shared: bool,
    running: Option<(Child, String)>,
}

/// Where PostgreSQL's programs are.
fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> = debian.map(|it| it.path().join("bin")).collect();
    all.sort();
    all.reverse();
    all.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let needed = ["initdb", "postgres", "pg_isready", "pg_ctl", "pg_basebackup"];
    all.into_iter().find(|folder| needed.iter().all(|it| folder.join(it).is_file()))
}

/// Whether there is a PostgreSQL to test with. In CI it must be there.
pub fn is_there() -> bool {
    if programs().is_some() {
        return true;
    }
    let why = "PostgreSQL is not installed (Debian: postgresql): its tests are SKIPPED";
    assert!(std::env::var_os("CI").is_none(), "{why}");
    eprintln!("{why}");
    false
}

/// PostgreSQL refuses to run as root: then it runs as an unprivileged user.
fn somebody() -> Option<(u32, u32)> {
    let number = |args: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(args).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if number(&["-u"]) != Some(0) {
        return None;
    }
    let user = |name| Some((number(&["-u", name])?, number(&["-g", name])?));
    user("postgres").or_else(|| user("nobody"))
}

impl Cluster {
    /// Makes and starts one. `settings` are `name=value`.
    pub fn start(settings: &[&str]) -> Cluster {
        let mut cluster = Cluster::prepared(settings);
        cluster.run();
        cluster
    }

    /// Makes one that is not started yet.
    pub fn prepared(settings: &[&str]) -> Cluster {
        let cluster = Cluster::empty(settings);
        cluster.make();
        cluster
    }

    /// Starts it with more settings.
    pub fn run_with(&mut self, settings: &[String]) {
        self.settings.extend_from_slice(settings);
        self.run();
    }

    fn make(&self) {
        let data = self.data();
        let made = self
            .command("initdb")
            .arg("-D")
            .arg(&data)
            .args([
                "--username=caravanserai",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--data-checksums",
            ])
            .output();
        let made = made.unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    /// A standby of this one; commits of this one then wait for it if this is set.
    pub fn standby(&self, settings: &[&str]) -> Cluster {
        let mut standby = Cluster::empty(settings);
        let data = standby.data();
        let copied = standby
            .command("pg_basebackup")
            .arg("-D")
            .arg(&data)
            .arg("-h")
            .arg(self.folder.path())
            .args(["-U", "caravanserai", "-X", "stream", "-c", "fast", "-R", "--no-sync"])
            .output()
            .unwrap();
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        standby.run();
        standby
    }

    fn empty(settings: &[&str]) -> Cluster {
        let folder = tempfile::Builder::new().prefix("caravanserai-pg").tempdir().unwrap();
        let owner = somebody();
        if let Some((user, group)) = owner {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let settings = settings.iter().map(|it| (*it).to_owned()).collect();
        let programs = programs().unwrap();
        Cluster { folder, programs, owner, settings, shared: false, running: None }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        use std::os::unix::process::CommandExt;
        let program = Path::new(program.as_ref());
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command
    }

    /// Starts the server and waits until it takes connections.
    pub fn run(&mut self) {
        let (folder, data) = (self.folder.path().to_owned(), self.data());
        let mut command = self.command("/bin/sh");
        command.args(["-c", WATCH, "watch"]).arg(self.programs.join("postgres"));
        command.arg("-D").arg(data).arg("-k").arg(&folder);
        let usual = ["listen_addresses=", "max_connections=200", "shared_buffers=64MB"];
        let usual = usual.into_iter().map(str::to_owned);
        for setting in usual.chain(self.settings.iter().cloned()) {
            command.arg("-c").arg(setting);
        }
        let clean = if self.shared { folder.as_os_str() } else { OsStr::new("") };
        command.env("LOG", folder.join("log")).env("CLEAN", clean);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut server = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut server).unwrap();
        self.running = Some((child, server.trim().to_owned()));
        let start = Instant::now();
        loop {
            let mut ready = self.command("pg_isready");
            if let Some(port) = self.settings.iter().find_map(|it| it.strip_prefix("port=")) {
                ready.args(["-p", port]);
            }
            let ready = ready.arg("-q").arg("-h").arg(&folder).status();
            if ready.unwrap().success() {
                return;
            }
            assert!(start.elapsed() < START_MAX, "{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the server has said.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// The end of a machine, as far as one process can show it: nothing is closed or finished.
    pub fn kill(&mut self) {
        let Some((mut child, server)) = self.running.take() else { return };
        let killed = Command::new("kill").args(["-9", &server]).status().unwrap();
        assert!(killed.success());
        drop(child.stdin.take());
        child.wait().unwrap();
        // Its children notice by themselves and let go of what they share.
        let start = Instant::now();
        while self.has_children() && start.elapsed() < START_MAX {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether any process works in the folder of data.
    fn has_children(&self) -> bool {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let mut folders = processes.filter_map(|it| fs::read_link(it.path().join("cwd")).ok());
        folders.any(|folder| folder == self.data())
    }

    /// A standby becomes the primary.
    pub fn promote(&self) {
        let data = self.data();
        let done = self.command("pg_ctl").args(["promote", "-w", "-D"]).arg(data).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    /// The folder of its socket, as an address has it.
    pub fn host(&self) -> String {
        self.folder.path().display().to_string().replace('/', "%2F")
    }

    /// The folder itself, for what else a test puts there.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Who owns what the server has to read.
    pub fn owner(&self) -> Option<(u32, u32)> {
        self.owner
    }

    /// The address of a database.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://caravanserai@{}/{database}", self.host())
    }

    /// Makes an empty database and says its address.
    pub async fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", COUNT.fetch_add(1, Ordering::Relaxed));
        ask(&self.url("postgres"), &format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }
}

/// Asks a server something as its master.
pub async fn ask(url: &str, what: &str) -> Vec<SimpleQueryMessage> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let moving = tokio::spawn(connection);
    let answer = client.simple_query(what).await.unwrap();
    drop(client);
    let _ = moving.await;
    answer
}

/// The first field of the first row.
pub fn first_word(answer: &[SimpleQueryMessage]) -> Option<String> {
    answer.iter().find_map(|it| match it {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    })
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some((mut child, _)) = self.running.take() {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}

/// The cluster that all tests share. Nothing in a test program is dropped at its end, so the
/// shell that watches over it stops it and removes the folder.
static SHARED: LazyLock<Mutex<Cluster>> = LazyLock::new(|| {
    let mut cluster = Cluster::prepared(&[]);
    cluster.shared = true;
    cluster.run();
    Mutex::new(cluster)
});

/// An empty database in the shared cluster.
pub async fn database() -> String {
    let url = tokio::task::spawn_blocking(|| {
        let cluster = SHARED.lock();
        tokio::runtime::Handle::current().block_on(cluster.database())
    });
    url.await.unwrap()
}
