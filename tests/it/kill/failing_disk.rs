//! The disk under the real program makes trouble: it is full, it fails, it becomes read-only.
//!
//! What cannot be kept is refused kindly; supervisors of the program see it; it goes on by itself
//! when the cause is gone, or ends with a failure so that it is started again; and it always ends
//! when it is asked to.
//!
//! Full and read-only disks need a system where one can be mounted, and the right to do so. Where
//! that cannot be, those tests say so and why.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{Program, Someone, program, sit_down, with_button};

/// More than a look at the store and an end may take.
const PATIENCE: Duration = Duration::from_secs(25);

/// A disk of its own, away again with this value.
struct Disk {
    folder: TempDir,
    points: Vec<PathBuf>,
}

impl Disk {
    fn empty() -> Disk {
        Disk { folder: TempDir::new().unwrap(), points: Vec::new() }
    }

    /// Mounts something; says why not where that cannot be done.
    fn mounted(&mut self, name: &str, how: &[&str]) -> Option<PathBuf> {
        let point = self.folder.path().join(name);
        fs::create_dir(&point).unwrap();
        let path = point.to_str().unwrap();
        if let Err(why) = run("mount", &[how, &[path]].concat()) {
            eprintln!("NOT TESTED: nothing can be mounted here: {why}");
            return None;
        }
        self.points.push(point.clone());
        Some(point)
    }

    /// Memory of this size as a disk.
    fn memory(&mut self, name: &str, size: &str) -> Option<PathBuf> {
        self.mounted(name, &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
    }

    /// A file system in a file that lies here.
    fn in_file(&mut self, folder: &Path) -> Option<PathBuf> {
        let image = folder.join("image");
        fs::File::create(&image).unwrap().set_len(96 * 1024 * 1024).unwrap();
        let image = image.to_str().unwrap().to_owned();
        if let Err(why) = run("mkfs.ext4", &["-q", "-F", &image]) {
            eprintln!("NOT TESTED: no file system can be made here: {why}");
            return None;
        }
        self.mounted("inner", &["-o", "loop", &image])
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        for point in self.points.iter().rev() {
            // What is still in use goes when its last user does.
            run("umount", &["-l", point.to_str().unwrap()]).ok();
        }
    }
}

fn run(command: &str, args: &[&str]) -> Result<(), String> {
    match Command::new(command).args(args).output() {
        Ok(ran) if ran.status.success() => Ok(()),
        Ok(ran) => Err(format!("{command}: {}", String::from_utf8_lossy(&ran.stderr).trim())),
        Err(error) => Err(format!("{command}: {error}")),
    }
}

/// What an operator does: the file system was left in the middle.
fn mended(image: &Path, point: &Path) {
    let (image, point) = (image.to_str().unwrap(), point.to_str().unwrap());
    run("umount", &[point]).unwrap();
    // Its code tells that something was mended.
    run("fsck.ext4", &["-y", image]).ok();
    run("mount", &["-o", "loop", image, point]).unwrap();
}

/// The program on a disk, with a person who wants to play.
struct Played {
    bot: Program,
    ann: Someone,
    /// Messages so far.
    said: u64,
    /// The chat of the table, and its code.
    table: String,
}

impl Played {
    async fn begin(data: &Path) -> Played {
        Played::begin_with(data, &[]).await
    }

    async fn begin_with(data: &Path, more: &[(&str, &str)]) -> Played {
        let bot = Program::start_at_with(data, more);
        let ([ann, _], table) = sit_down(&bot, "Bek").await;
        let played = Played { bot, ann, said: 0, table };
        played.is_well().await;
        played
    }

    /// Ann says something, if that can be kept.
    async fn says(&mut self) -> Option<(StatusCode, Value)> {
        self.said += 1;
        let body =
            json!({ "text": format!("word {}", self.said), "key": format!("w{}", self.said) });
        self.ann.try_ask("rooms/lobby/messages", &body).await
    }

    /// The answer of a page of the host's port.
    async fn host(&self, page: &str) -> Option<(u16, String)> {
        let answer = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = answer.get(format!("{}/{page}", self.bot.host)).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }

    /// Waits until a page of the host's port is so; `false` if the program ends before.
    async fn until(&mut self, page: &str, is_so: impl Fn(u16, &str) -> bool) -> bool {
        let look = async {
            loop {
                match self.host(page).await {
                    Some((status, text)) if is_so(status, &text) => return true,
                    None if self.bot.has_ended() => return false,
                    Some(_) | None => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        };
        let Ok(came) = tokio::time::timeout(PATIENCE, look).await else {
            panic!("/{page} stays {:?}", self.host(page).await);
        };
        came
    }

    async fn is_well(&self) {
        let (status, text) = self.host("healthz").await.unwrap();
        assert_eq!(status, 200, "{text}");
        assert_eq!(self.host("readyz").await.unwrap().0, 200);
    }

    /// What the host sees while nothing can be kept; the program may end over it.
    async fn is_seen(&mut self) {
        let stays = self.until("healthz", |status, _| status == 503).await
            && self
                .until("readyz", |status, text| {
                    status == 503 && text.contains("\"accepts_writes\": false")
                })
                .await
            && self.until("metrics", |_, text| counted(text) > 0.0).await;
        if !stays {
            println!("it has ended already");
        }
    }

    /// Says something until it is refused, and that kindly.
    async fn is_refused(&mut self) {
        let talk = async {
            loop {
                match self.says().await {
                    Some((StatusCode::OK, _)) => {}
                    Some((StatusCode::TOO_MANY_REQUESTS, _)) => {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                    Some((status, body)) => {
                        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
                        let words = body["say"].as_str().unwrap();
                        assert!(words.contains("nothing can be kept"), "{words}");
                        return;
                    }
                    None if self.bot.has_ended() => return,
                    None => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, talk).await.expect("it is refused in the end");
    }
}

/// Leaves no room on a disk: gives the file that takes it.
fn fill(data: &Path) -> PathBuf {
    let filler = data.join("filler");
    run("dd", &["if=/dev/zero", &format!("of={}", filler.display()), "bs=1M"]).unwrap_err();
    filler
}

/// How often the store was found to take nothing.
fn counted(metrics: &str) -> f64 {
    let line = metrics.lines().find_map(|it| it.strip_prefix("caravanserai_store_failures_total "));
    line.map_or(0.0, |it| it.trim().parse().unwrap())
}

/// Starts again on a disk that is well: all that was answered is there.
async fn starts_again(data: &Path, table: &str) {
    let mut bot = Program::start_at(data);
    let dora = Someone::enter(&bot, "Dora").await;
    dora.until(|it| with_button(it, &format!("p.{table}.")).pop()).await;
    let (ended, log) = bot.stopped(PATIENCE).await;
    assert_eq!(ended.code(), Some(0), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_full_disk_it_waits_and_goes_on_when_there_is_room() {
    let mut disk = Disk::empty();
    let Some(data) = disk.memory("disk", "40m") else { return };
    let mut it = Played::begin(&data).await;
    let filler = fill(&data);
    it.is_refused().await;
    it.is_seen().await;
    assert!(!it.bot.has_ended(), "it waits for room");
    fs::remove_file(&filler).unwrap();
    assert!(it.until("healthz", |status, _| status == 200).await);
    assert!(it.until("readyz", |status, _| status == 200).await);
    let (status, body) = it.says().await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    let table = it.table.clone();
    let (ended, log) = it.bot.stopped(PATIENCE).await;
    assert_eq!(ended.code(), Some(0), "{log}");
    assert!(log.contains("is full") && log.contains("accepts writes again"), "{log}");
    starts_again(&data, &table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_full_disk_it_ends_when_it_is_asked_to() {
    let mut disk = Disk::empty();
    let Some(data) = disk.memory("disk", "40m") else { return };
    let mut it = Played::begin(&data).await;
    let filler = fill(&data);
    it.is_refused().await;
    let table = it.table.clone();
    let (_, log) = it.bot.stopped(PATIENCE).await;
    assert!(!log.contains("panicked"), "{log}");
    fs::remove_file(&filler).unwrap();
    starts_again(&data, &table).await;
}

/// A restart gives no room, and what the bot has heard meanwhile would be lost with the process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_full_disk_its_watchdog_does_not_restart_it() {
    let mut disk = Disk::empty();
    let Some(data) = disk.memory("disk", "40m") else { return };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notify");
    let heard = messages_to_supervisor(&path);
    let mut it = Played::begin_with(&data, &[("NOTIFY_SOCKET", path.to_str().unwrap())]).await;
    let filler = fill(&data);
    it.is_refused().await;
    it.is_seen().await;
    while heard.try_recv().is_ok() {}
    for _ in 0..2 {
        while !heard.recv_timeout(PATIENCE).expect("it is alive").contains("WATCHDOG=1") {}
    }
    assert_eq!(it.host("healthz").await.unwrap().0, 503, "the disk is still full");
    let (status, text) = it.host("livez").await.unwrap();
    assert_eq!(status, 200, "{text}");
    fs::remove_file(&filler).unwrap();
    assert!(it.until("readyz", |status, _| status == 200).await);
}

/// What a supervisor at this socket hears.
fn messages_to_supervisor(path: &Path) -> mpsc::Receiver<String> {
    let socket = UnixDatagram::bind(path).unwrap();
    socket.set_read_timeout(Some(2 * PATIENCE)).unwrap();
    let (passed_on, heard) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(length) = socket.recv(&mut bytes) {
            // The test may be over.
            passed_on.send(String::from_utf8_lossy(&bytes[..length]).into_owned()).ok();
        }
    });
    heard
}

/// A failed write may have been half done: the program ends with a failure and is started again.
async fn ends_with_a_failure(mut it: Played) -> String {
    it.is_refused().await;
    it.is_seen().await;
    let table = it.table.clone();
    let (ended, log) = it.bot.ended(PATIENCE).await;
    assert!(ended.code().is_some_and(|it| it != 0), "{ended:?} {log}");
    assert!(log.contains("nothing more is stored"), "{log}");
    assert!(!log.contains("panicked") && !log.contains("backtrace"), "{log}");
    table
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_becomes_read_only_ends_it_with_a_failure() {
    let mut disk = Disk::empty();
    let folder = TempDir::new().unwrap();
    let Some(data) = disk.in_file(folder.path()) else { return };
    let it = Played::begin(&data).await;
    // As the kernel does by itself when it finds the disk damaged.
    run("mount", &["-o", "remount,abort", data.to_str().unwrap()]).unwrap();
    let table = ends_with_a_failure(it).await;
    let mut command = program(folder.path());
    let again = command.env("DATA_DIR", &data).env("WEB_LISTEN", "127.0.0.1:0").output().unwrap();
    let said = String::from_utf8_lossy(&again.stderr);
    assert_eq!(again.status.code(), Some(1), "{said}");
    assert!(said.contains("Read-only") && !said.contains("damaged"), "{said}");
    mended(&folder.path().join("image"), &data);
    starts_again(&data, &table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_fails_ends_it_with_a_failure() {
    let mut disk = Disk::empty();
    let Some(below) = disk.memory("below", "24m") else { return };
    let Some(data) = disk.in_file(&below) else { return };
    let it = Played::begin(&data).await;
    // There is room on the disk, as far as anybody can see, but what is below it fails.
    let filler = below.join("filler");
    run("dd", &["if=/dev/zero", &format!("of={}", filler.display()), "bs=64k"]).unwrap_err();
    let table = ends_with_a_failure(it).await;
    fs::remove_file(&filler).unwrap();
    mended(&below.join("image"), &data);
    starts_again(&data, &table).await;
}

/// Needs no rights: the kernel lets no file of the process become longer from some moment on.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_fails_ends_it_with_a_failure() {
    let folder = TempDir::new().unwrap();
    let it = Played::begin(folder.path()).await;
    let id = it.bot.id().to_string();
    if let Err(why) = run("prlimit", &["--pid", &id, "--fsize=1024"]) {
        eprintln!("NOT TESTED: nobody can be limited here: {why}");
        return;
    }
    let table = ends_with_a_failure(it).await;
    starts_again(folder.path(), &table).await;
}

/// The room of a store is won back by command, while nobody else has it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_is_compacted_by_command_while_no_process_uses_it() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let mut it = Played::begin(&data).await;
    let compact = || {
        let mut command = program(folder.path());
        command.args(["store", "compact"]).env("DATA_DIR", &data).output().unwrap()
    };
    let refused = compact();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("in use by another process: stop that one first"), "{said}");
    for _ in 0..20 {
        it.says().await.unwrap();
    }
    let table = it.table.clone();
    it.bot.stopped(PATIENCE).await;
    // What an earlier one left that was cut off half way.
    let left = data.join("store/base-2.new");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("db"), "half").unwrap();
    let done = compact();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains(" took ") && said.contains(" now"), "{said}");
    assert!(!left.exists() && data.join("store/base-2").exists());
    starts_again(&data, &table).await;
    let elsewhere = TempDir::new().unwrap();
    let nothing = program(elsewhere.path()).args(["store", "compact"]).output().unwrap();
    let said = String::from_utf8_lossy(&nothing.stderr);
    assert!(said.contains("holds no store"), "{said}");
    let mut database = program(folder.path());
    database.args(["store", "compact"]).env("STORE", "postgres://u@localhost/x");
    let database = database.output().unwrap();
    assert!(String::from_utf8_lossy(&database.stderr).contains("VACUUM (FULL"), "{database:?}");
}

/// The library under the store panics at such files; nobody is shown its words.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_database_file_gives_a_clear_error() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let mut it = Played::begin(&data).await;
    it.bot.stopped(PATIENCE).await;
    let base = data.join("store/base-1/db");
    let whole = fs::read(&base).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at..].iter_mut().take(64).for_each(|it| *it ^= 0x55);
        bytes
    };
    let damages = [Vec::new(), vec![0; whole.len()], flipped(20), flipped(whole.len() / 2)];
    for damage in damages {
        fs::write(&base, damage).unwrap();
        let checked = program(folder.path()).arg("check").env("DATA_DIR", &data).output().unwrap();
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(!checked.status.success(), "{said}");
        assert!(!said.contains("panicked") && !said.contains("backtrace"), "{said}");
        assert!(said.contains("backup"), "{said}");
        assert!(said.lines().all(|it| it.len() < 500), "{said}");
    }
}
