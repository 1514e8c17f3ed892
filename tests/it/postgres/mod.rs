//! PostgreSQL: what it promises besides the contract of every store. Several replicas, deaths of
//! the server, a standby that takes over, other programs, wrong settings.

pub mod cluster;
mod deaths;

use std::sync::Arc;
use std::time::Duration;

use caravanserai_store::postgres::{PostgresSettings, PostgresStore};
use caravanserai_store::store_address::StoreAddress;
use caravanserai_store::{Commit, Put, Space, Store, StoreChange, StoreHealth, next_change};

use cluster::Cluster;

/// A store on an empty database; `None` where there is no PostgreSQL.
pub async fn empty() -> Option<Arc<dyn Store>> {
    if !cluster::is_there() {
        return None;
    }
    Some(Arc::new(open(&cluster::database().await).await))
}

async fn open(url: &str) -> PostgresStore {
    PostgresStore::open(url, PostgresSettings::default()).await.unwrap()
}

async fn refusal(url: &str) -> String {
    match PostgresStore::open(url, PostgresSettings::default()).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_that_start_together_make_the_tables_once() {
    if !cluster::is_there() {
        return;
    }
    let url = cluster::database().await;
    let (a, b, c) = tokio::join!(open(&url), open(&url), open(&url));
    let mut heard = c.subscribe_changes();
    let commit = Commit { topics: vec!["table 7k3fx 1".into()], ..Commit::default() };
    let put = Put::new(Space::Meta, "k", "v");
    a.commit(Commit { puts: vec![put], ..commit }).await.unwrap();
    assert_eq!(b.get(Space::Meta, "k").await.unwrap().unwrap(), b"v");
    assert_eq!(next_change(&mut heard).await, Some(StoreChange::Topic("table 7k3fx 1".into())));
    assert!(a.try_lease("poll", "a", 60_000).await.unwrap());
    assert!(!b.try_lease("poll", "b", 60_000).await.unwrap());
    a.release_lease("poll", "a").await.unwrap();
    assert!(b.try_lease("poll", "b", 60_000).await.unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_connection_heals_and_listeners_look_at_everything_again() {
    if !cluster::is_there() {
        return;
    }
    let url = cluster::database().await;
    let store = open(&url).await;
    let mut heard = store.subscribe_changes();
    store.commit(Commit::from_puts(vec![Put::new(Space::Meta, "k", "1")])).await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    cluster::ask(&url, cut).await;
    assert_eq!(next_change(&mut heard).await, Some(StoreChange::All));
    assert_eq!(store.get(Space::Meta, "k").await.unwrap().unwrap(), b"1");
    store.commit(Commit::from_puts(vec![Put::new(Space::Meta, "k", "2")])).await.unwrap();
    assert_eq!(store.get(Space::Meta, "k").await.unwrap().unwrap(), b"2");
    assert_eq!(store.health(), StoreHealth::Good);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_newer_program_is_refused_in_one_sentence() {
    if !cluster::is_there() {
        return;
    }
    let url = cluster::database().await;
    open(&url).await.close().await.unwrap();
    open(&url).await.close().await.unwrap();
    cluster::ask(&url, "UPDATE caravanserai.version SET number = 99").await;
    let why = refusal(&url).await;
    assert!(why.contains("was written by a newer program (version 99"), "{why}");
}

/// `backup` and `check` must not migrate a database that older replicas still use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_an_older_database_changes_nothing() {
    if !cluster::is_there() {
        return;
    }
    let url = cluster::database().await;
    let address = StoreAddress::Database(url.clone());
    let refused = async || address.open_to_read().await.err().unwrap().to_string();
    assert!(refused().await.contains("the database holds no store"));
    assert_eq!(PostgresStore::has_current_tables(&url).await.unwrap(), None);
    open(&url).await.close().await.unwrap();
    cluster::ask(&url, "UPDATE caravanserai.version SET number = 1").await;
    let why = refused().await;
    assert!(why.contains("of an earlier version") && why.contains("start the bot once"), "{why}");
    assert_eq!(PostgresStore::has_current_tables(&url).await.unwrap(), Some(false));
}

#[tokio::test]
async fn a_wrong_address_is_reported_without_the_password() {
    for url in ["postgres://me:s3cret@%zz:x/x", "postgres://me:s3cret@/x?bad=1", "s3cret"] {
        let why = refusal(url).await;
        assert!(why.contains("STORE cannot be read") && !why.contains("s3cret"), "{why}");
    }
    let why = refusal("postgres://me:s3cret@%2Fnowhere/x").await;
    assert!(why.contains("cannot be reached") && !why.contains("s3cret"), "{why}");
    let why = refusal("postgres://me:s3cret@localhost/x?sslrootcert=%2Fnowhere").await;
    assert!(why.contains("sslrootcert /nowhere cannot be used"), "{why}");
}

/// Makes an authority and a certificate of it for `localhost`.
fn certificates(cluster: &Cluster) {
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new("openssl");
        let output = command.args(args).current_dir(cluster.folder()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    for name in ["ca", "other"] {
        run(&[
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=Test",
            "-keyout",
            &format!("{name}.key"),
            "-out",
            &format!("{name}.pem"),
        ]);
    }
    run(&[
        "req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=localhost",
        "-keyout",
        "server.key",
        "-out",
        "server.csr",
    ]);
    std::fs::write(cluster.folder().join("san"), "subjectAltName=DNS:localhost").unwrap();
    run(&[
        "x509",
        "-req",
        "-in",
        "server.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        "san",
        "-out",
        "server.pem",
    ]);
    if let Some((user, group)) = cluster.owner() {
        let key = cluster.folder().join("server.key");
        std::os::unix::fs::chown(key, Some(user), Some(group)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn network_connections_are_encrypted_and_authenticated() {
    if !cluster::is_there() {
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let setting = |name: &str, value: String| format!("{name}={value}");
    let mut cluster = Cluster::prepared(&[]);
    certificates(&cluster);
    let file = |name: &str| cluster.folder().join(name).display().to_string();
    let (ca, other) = (file("ca.pem"), file("other.pem"));
    let settings = [
        "listen_addresses=localhost".to_owned(),
        setting("port", port.to_string()),
        "ssl=on".to_owned(),
        setting("ssl_cert_file", file("server.pem")),
        setting("ssl_key_file", file("server.key")),
    ];
    cluster.run_with(&settings);
    let base = format!("postgres://caravanserai@localhost:{port}/postgres?sslmode=verify-full");
    let why = refusal(&format!("{base}&sslrootcert={}", other.replace('/', "%2F"))).await;
    assert!(why.contains("certificate"), "{why}");
    let url = format!("{base}&sslrootcert={}", ca.replace('/', "%2F"));
    let store = open(&url).await;
    store.commit(Commit::from_puts(vec![Put::new(Space::Meta, "k", "v")])).await.unwrap();
    let ask = format!("postgres://caravanserai@{}:{port}/postgres", cluster.host());
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                     WHERE application_name = 'caravanserai'";
    let rows = cluster::ask(&ask, encrypted).await;
    assert_eq!(cluster::first_word(&rows).as_deref(), Some("t"));
    cluster::ask(&ask, "ALTER SYSTEM SET fsync = off").await;
    cluster::ask(&ask, "SELECT pg_reload_conf()").await;
    let mut why = String::new();
    for _ in 0..100 {
        match PostgresStore::open(&url, PostgresSettings::default()).await {
            Ok(store) => store.close().await.unwrap(),
            Err(error) => {
                why = error.to_string();
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(why.contains("fsync switched off"), "{why}");
}
