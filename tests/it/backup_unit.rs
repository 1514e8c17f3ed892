//! The supplied unit deletes old backups, and never too many: its own lines are run by the shell.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use caravanserai::store_commands;
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Append, Commit, Put, Space};

const DAY_MINUTES: u64 = 24 * 60;

/// What the unit has the shell do after a backup was made, as systemd hands it over.
fn clean_up_script() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/caravanserai-backup.service");
    let unit = fs::read_to_string(file).unwrap().replace("\\\n", " ");
    let begin = "ExecStartPost=/bin/sh -c '";
    let line = unit.lines().find_map(|it| it.strip_prefix(begin)).unwrap();
    let script = line.strip_suffix('\'').unwrap();
    // Others would have another meaning for systemd.
    assert!(!script.contains(['\'', '\\']), "{script}");
    let plain = script.replace("$$", "").replace("%%", "");
    assert!(!plain.contains(['$', '%']), "systemd would replace something in it: {plain}");
    script.replace("$$", "$").replace("%%", "%")
}

/// A folder of backups that is reached through a link, as it is with `DynamicUser`.
struct Backups {
    folder: tempfile::TempDir,
    link: PathBuf,
}

impl Backups {
    /// Files by name, and how many minutes ago they were written.
    fn with(files: &[(&str, u64)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("private"), folder.path().join("back ups"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink("private", &link).unwrap();
        for (name, minutes) in files {
            let file = File::create(real.join(name)).unwrap();
            let age = Duration::from_secs(minutes * 60);
            file.set_modified(SystemTime::now() - age).unwrap();
        }
        Self { folder, link }
    }

    fn clean_up(&self, keep_days: Option<&str>) -> Output {
        // Every backup is found to be fine.
        self.clean_up_with("true", keep_days)
    }

    fn clean_up_with(&self, program: &str, keep_days: Option<&str>) -> Output {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &clean_up_script()]).env("BACKUPS", &self.link).env_remove("KEEP_DAYS");
        shell.env("PROGRAM", program).current_dir(&self.folder);
        if let Some(days) = keep_days {
            shell.env("KEEP_DAYS", days);
        }
        shell.output().unwrap()
    }

    /// What is left, in the order of names.
    fn names(&self) -> Vec<String> {
        let found = fs::read_dir(&self.link).unwrap().map(|it| it.unwrap().file_name());
        let mut names: Vec<String> = found.map(|it| it.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[track_caller]
fn assert_done(output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

/// The timer may be late by twenty minutes, and clocks are changed by an hour twice a year.
#[test]
fn backups_are_deleted_before_they_exceed_their_age() {
    for (days, set) in
        [(30, None), (30, Some("")), (30, Some("30")), (7, Some("7")), (2, Some("2"))]
    {
        let night = |nights: u64| nights * DAY_MINUTES;
        let backups = Backups::with(&[
            ("caravanserai-new.backup", 0),
            ("caravanserai-kept.backup", night(days - 2) + 80),
            ("caravanserai-kept.txt", night(days - 2) + 80),
            ("caravanserai-kept.backup.1-2.partial", night(days - 2) + 80),
            ("caravanserai-old.backup", night(days - 1) - 80),
            ("caravanserai-old.txt", night(days - 1) - 80),
            ("caravanserai-old.backup.1-2.partial", night(days - 1) - 80),
            ("caravanserai-older.backup", night(days + 400)),
            ("notes-of-the-host.txt", night(days + 400)),
        ]);
        assert_done(&backups.clean_up(set));
        let expected = [
            "caravanserai-kept.backup",
            "caravanserai-kept.backup.1-2.partial",
            "caravanserai-kept.txt",
            "caravanserai-new.backup",
            "notes-of-the-host.txt",
        ];
        assert_eq!(backups.names(), expected, "{days} days, as {set:?}");
    }
}

#[test]
fn one_day_keeps_each_backup_until_the_next_one() {
    let backups = Backups::with(&[
        ("caravanserai-new.backup", 0),
        ("caravanserai-being-made.backup.1-2.partial", 100),
        ("caravanserai-yesterday.backup", DAY_MINUTES - 20),
    ]);
    assert_done(&backups.clean_up(Some("1")));
    let expected = ["caravanserai-being-made.backup.1-2.partial", "caravanserai-new.backup"];
    assert_eq!(backups.names(), expected);
}

#[test]
fn the_newest_backup_is_never_deleted() {
    // The clock was wrong when they were made.
    let backups = Backups::with(&[
        ("caravanserai-b.backup", 900 * DAY_MINUTES),
        ("caravanserai-a.backup", 800 * DAY_MINUTES),
        ("caravanserai-c.backup.1-2.partial", 700 * DAY_MINUTES),
        ("caravanserai-d.txt", 850 * DAY_MINUTES),
    ]);
    for days in ["30", "1"] {
        assert_done(&backups.clean_up(Some(days)));
        assert_eq!(backups.names(), ["caravanserai-a.backup"]);
    }
}

#[test]
fn an_invalid_number_of_days_deletes_nothing() {
    let files = [("caravanserai-new.backup", 0), ("caravanserai-old.backup", 500 * DAY_MINUTES)];
    for days in ["0", "00", "-1", "+5", "1.5", "030", "x", " ", "30 days", "1;2", "123456", "$(ls)"]
    {
        let backups = Backups::with(&files);
        let output = backups.clean_up(Some(days));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{days:?} is accepted");
        let expected = format!("KEEP_DAYS is {days}, but must be a whole number of days from 1");
        assert!(said.starts_with(&expected) && said.contains("no backup is deleted"), "{said}");
        assert_eq!(backups.names().len(), 2, "{days:?}");
    }
    let backups = Backups::with(&[("caravanserai-x.partial", 500 * DAY_MINUTES)]);
    let output = backups.clean_up(None);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("none is deleted"), "{said}");
    assert_eq!(backups.names().len(), 1);
}

/// The program itself.
const PROGRAM: &str = env!("CARGO_BIN_EXE_caravanserai");

#[test]
fn nothing_is_deleted_while_the_newest_backup_cannot_be_read() {
    let backups = Backups::with(&[
        ("caravanserai-new.backup", 0),
        ("caravanserai-old.backup", 500 * DAY_MINUTES),
    ]);
    let newest = backups.link.join("caravanserai-new.backup");
    fs::write(&newest, "half of a backup").unwrap();
    let output = backups.clean_up_with(PROGRAM, None);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("cannot be read: no backup is"), "{said}");
    assert_eq!(backups.names().len(), 2);
    // Without its identity nothing can be said about an encrypted one.
    fs::write(&newest, "age-encryption.org/v1\n-> X25519 abc\n").unwrap();
    let output = backups.clean_up_with(PROGRAM, None);
    assert_done(&output);
    assert!(String::from_utf8_lossy(&output.stdout).contains("is encrypted: check it"));
    assert_eq!(backups.names(), ["caravanserai-new.backup"]);
}

/// They were damaged before, and a further backup would not be better.
#[tokio::test]
async fn damaged_tables_are_reported_and_old_backups_still_deleted() {
    let backups = Backups::with(&[("caravanserai-old.backup", 500 * DAY_MINUTES)]);
    let address = StoreAddress::Folder(backups.folder.path().join("data"));
    let store = address.open().await.unwrap();
    let append = Append::new("7k3fx", 0, vec!["no line of a table".to_owned()]);
    let head = Put::new(Space::Head, "7k3fx", "1");
    let commit = Commit { appends: vec![append], ..Commit::from_puts(vec![head]) };
    store.commit(commit).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let file = backups.link.join("caravanserai-new.backup");
    store_commands::backup(&address, &file, None).await.unwrap();
    let output = backups.clean_up_with(PROGRAM, None);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("7k3fx"), "{said}");
    assert_eq!(backups.names(), ["caravanserai-new.backup"], "{said}");
}
