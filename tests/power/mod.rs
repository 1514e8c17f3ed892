//! The power is cut: what was not synced is gone, and nothing that was acknowledged may be.
//!
//! The store lies on a file system in a file. A process writes to it; at some moment it is
//! stopped, the file is copied as it is, and the copy is what a disk would hold after a cut:
//! everything that the process and the kernel had not yet brought to the disk is missing from
//! it. The copy is used from then on, so that cut follows upon cut.
//!
//! This needs a system where a file can be mounted, and the right to do so. Where it cannot be
//! done, the test says so and why. `CARAVANSERAI_POWER_CUTS` says how often the power is cut;
//! without it a few times.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use caravanserai_store::sled::{SledOptions, SledStore};
use caravanserai_store::{Append, Commit, Expect, Put, Space, Store, StoreError};

const FOLDER: &str = "CARAVANSERAI_POWER_FOLDER";
const ROUND: &str = "CARAVANSERAI_POWER_ROUND";
const CUTS: &str = "CARAVANSERAI_POWER_CUTS";
const CUTS_USUALLY: u64 = 4;
const WRITERS: u64 = 8;
/// A time that does not come meanwhile.
const FAR_MS: u64 = 1 << 50;
/// Each takes some milliseconds.
const UNMOUNT_ATTEMPTS: usize = 500;
const DISK_BYTES: u64 = 96 * 1024 * 1024;

/// Does nothing unless [`nothing_acknowledged_is_lost_when_the_power_is_cut`] runs it.
#[test]
fn the_writer_writes() {
    let (Ok(folder), Ok(round)) = (std::env::var(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Arc::new(SledStore::open(Path::new(&folder)).unwrap());
        let mut tasks = tokio::task::JoinSet::new();
        for writer in 0..WRITERS {
            tasks.spawn(write_for_ever(Arc::clone(&store), round.clone(), writer));
        }
        tasks.join_all().await;
    });
}

/// Moves of a table, each with everything that belongs to it, some of it long, some removed.
async fn write_for_ever(store: Arc<SledStore>, round: String, writer: u64) {
    let table = format!("{round}.{writer}");
    for n in 0_u64.. {
        let id = format!("{table}.{n}");
        let long = "x".repeat(usize::try_from(n * 7919 % 30_000).unwrap());
        let mut puts = vec![
            Put::new(Space::Seen, id.clone(), format!("{table} {n}")).expires_at(FAR_MS + n),
            Put::new(Space::Webchat, format!("{writer}"), format!("{id} {long}")),
        ];
        // Only the newest three are remembered.
        puts.extend(n.checked_sub(3).map(|old| Put::remove(Space::Seen, format!("{table}.{old}"))));
        let commit = Commit {
            expect: vec![Expect::absent(Space::Seen, id.clone())],
            appends: vec![Append::new(table.clone(), n, vec![id.clone()])],
            puts,
            ..Commit::default()
        };
        match store.commit(commit).await {
            Ok(()) => {}
            // The small disk is full: enough was written.
            Err(StoreError::Failed(_)) => return,
            Err(error @ (StoreError::Conflict | StoreError::Damaged(_))) => panic!("{error}"),
        }
        // A write of one line to a pipe is whole; when nobody hears it, the end is near.
        let mut out = std::io::stdout().lock();
        let told = out.write_all(format!("acknowledged {table} {}\n", n + 1).as_bytes());
        if told.and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_is_cut() {
    let cuts = std::env::var(CUTS).map_or(CUTS_USUALLY, |n| n.parse().unwrap());
    let mut disk = match Disk::new() {
        Ok(disk) => disk,
        Err(why) => {
            eprintln!("SKIPPED: the power was not cut, because {why}");
            return;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let mut acknowledged = 0;
    for round in 0..cuts {
        disk.mount().expect("what could be mounted once can be again");
        let (mut writer, lines) = start(&disk.store(), round);
        // Another number each round, without a pattern: 1 to 997.
        let enough = 1 + (round * 7919 + 31) % 997;
        let heard = listen(lines, enough, writer.id());
        // The listener stops the process when it has heard enough.
        let lengths = heard.join().unwrap();
        disk.cut();
        writer.kill().unwrap();
        writer.wait().unwrap();
        disk.throw_the_old_away();
        disk.mount().expect("a disk after a power cut can be mounted");
        let read_all = SledOptions { read_all: true, ..SledOptions::default() };
        let store = SledStore::open_with(&disk.store(), read_all)
            .unwrap_or_else(|error| panic!("after cut {round} the store does not open: {error}"));
        runtime.block_on(check(&store, round, &lengths));
        runtime.block_on(tidy_up(&store));
        runtime.block_on(store.close()).unwrap();
        acknowledged += lengths.iter().sum::<u64>();
        drop(store);
        disk.unmount();
    }
    println!("{cuts} power cuts, {acknowledged} acknowledged commits, none lost");
}

fn start(folder: &Path, round: u64) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "power::the_writer_writes", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = writer.stdout.take().unwrap();
    (writer, BufReader::new(out).lines().map_while(Result::ok))
}

/// Hears what is acknowledged until it is enough, stops the process and says how long the log of
/// each writer was by then.
fn listen(
    mut lines: impl Iterator<Item = String> + Send + 'static,
    enough: u64,
    process: u32,
) -> JoinHandle<Vec<u64>> {
    thread::spawn(move || {
        let mut lengths = vec![0; usize::try_from(WRITERS).unwrap()];
        let mut heard = 0;
        // The pipe stays open: the writer must not notice anything.
        for line in lines.by_ref() {
            let Some((_, said)) = line.split_once("acknowledged ") else {
                continue;
            };
            let (table, length) = said.split_once(' ').unwrap();
            let writer: usize = table.split('.').nth(1).unwrap().parse().unwrap();
            lengths[writer] = length.parse().unwrap();
            heard += 1;
            if heard == enough {
                break;
            }
        }
        let stopped = Command::new("kill").args(["-STOP", &process.to_string()]).status();
        assert!(stopped.unwrap().success());
        assert!(heard > 0, "the writer ended at once");
        lengths
    })
}

/// Everything acknowledged is there; everything that is there is whole.
async fn check(store: &SledStore, round: u64, lengths: &[u64]) {
    let seen = store.scan(Space::Seen, &format!("{round}."), None, usize::MAX).await.unwrap();
    let seen: HashSet<String> = seen.into_iter().map(|(id, _)| id).collect();
    let mut expected = HashSet::new();
    for (writer, acknowledged) in lengths.iter().enumerate() {
        let table = format!("{round}.{writer}");
        let log = store.read_log(&table, 0).await.unwrap();
        let there = log.len() as u64;
        assert!(
            there >= *acknowledged,
            "{acknowledged} of {table} were acknowledged, {there} are there"
        );
        for (n, line) in log.iter().enumerate() {
            assert_eq!(*line, format!("{table}.{n}"));
        }
        expected.extend(log.iter().rev().take(3).cloned());
        if let Some(last) = log.last() {
            let chat = store.get(Space::Webchat, &writer.to_string()).await.unwrap().unwrap();
            assert!(chat.starts_with(format!("{last} ").as_bytes()), "{table} is torn");
        }
    }
    assert_eq!(seen, expected, "what belongs together was torn");
}

/// The disk is small: old logs go.
async fn tidy_up(store: &SledStore) {
    let seen = store.scan(Space::Seen, "", None, usize::MAX).await.unwrap();
    let drops: HashSet<String> =
        seen.iter().filter_map(|(id, _)| Some(id.rsplit_once('.')?.0.to_owned())).collect();
    let puts = seen.into_iter().map(|(id, _)| Put::remove(Space::Seen, id)).collect();
    let commit = Commit { drops: drops.into_iter().collect(), puts, ..Commit::default() };
    store.commit(commit).await.unwrap();
}

/// A file system in a file.
struct Disk {
    folder: tempfile::TempDir,
    number: u64,
    mounted: bool,
}

impl Disk {
    fn new() -> Result<Disk, String> {
        if !cfg!(target_os = "linux") {
            return Err("only Linux mounts a file like this".into());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut disk = Disk { folder, number: 0, mounted: false };
        let image = disk.image(0);
        let file = fs::File::create(&image).map_err(|error| error.to_string())?;
        file.set_len(DISK_BYTES).map_err(|error| error.to_string())?;
        run("mkfs.ext4", &["-q", "-F", &image.to_string_lossy()])?;
        disk.mount()?;
        disk.unmount();
        Ok(disk)
    }

    fn image(&self, number: u64) -> PathBuf {
        self.folder.path().join(format!("disk-{number}"))
    }

    fn point(&self) -> PathBuf {
        self.folder.path().join("mounted")
    }

    fn store(&self) -> PathBuf {
        self.point().join("store")
    }

    fn mount(&mut self) -> Result<(), String> {
        let (image, point) = (self.image(self.number), self.point());
        fs::create_dir_all(&point).map_err(|error| error.to_string())?;
        run("mount", &["-o", "loop", &image.to_string_lossy(), &point.to_string_lossy()])?;
        self.mounted = true;
        Ok(())
    }

    /// What is in the file now is what a cut leaves.
    fn cut(&mut self) {
        fs::copy(self.image(self.number), self.image(self.number + 1)).unwrap();
    }

    fn throw_the_old_away(&mut self) {
        self.unmount();
        fs::remove_file(self.image(self.number)).unwrap();
        self.number += 1;
    }

    fn unmount(&mut self) {
        if self.mounted {
            let point = self.point();
            let unmount = || run("umount", &[&point.to_string_lossy()]);
            // A process that another test has just forked holds our files until it runs a program.
            let is_busy =
                |it: &Result<(), String>| it.as_ref().is_err_and(|it| it.contains("busy"));
            let ended = (0..UNMOUNT_ATTEMPTS).map(|_| unmount()).find(|it| !is_busy(it));
            ended.expect("the disk is busy for long").unwrap();
            self.mounted = false;
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            // A failing test must not leave it behind.
            let _ = run("umount", &["-l", &self.point().to_string_lossy()]);
        }
    }
}

fn run(command: &str, args: &[&str]) -> Result<(), String> {
    let ran = Command::new(command).args(args).output();
    match ran {
        Ok(ran) if ran.status.success() => Ok(()),
        Ok(ran) => Err(format!("{command}: {}", String::from_utf8_lossy(&ran.stderr).trim())),
        Err(error) => Err(format!("{command}: {error}")),
    }
}
