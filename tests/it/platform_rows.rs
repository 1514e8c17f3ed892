//! Rows that platforms keep: the contract of a key-value store, in memory and in a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use caravanserai::kv_store::StoreKeyValues;
use caravanserai_platform_shared::memory_kv::MemoryKeyValueStore;
use caravanserai_platform_shared::platform_rows::{PlatformRows, json_row};
use caravanserai_protocol::{KeyValueEntry, KeyValueStore};
use caravanserai_store::Store;
use caravanserai_store::memory::MemoryStore;

/// A notebook and the way to move its time on.
type Book = (Arc<dyn KeyValueStore>, Box<dyn Fn(Duration)>);

fn books() -> [Book; 2] {
    let memory = Arc::new(MemoryKeyValueStore::default());
    let moved = memory.clone();
    let now = Arc::new(AtomicU64::new(1_000_000));
    let clock = now.clone();
    let store = Arc::new(MemoryStore::default());
    let wall = now.clone();
    store.set_clock(Arc::new(move || wall.load(Ordering::SeqCst)));
    let stored = StoreKeyValues::with_clock(store, "one", move || clock.load(Ordering::SeqCst));
    [
        (memory, Box::new(move |time| moved.advance(time))),
        (
            Arc::new(stored),
            Box::new(move |time: Duration| {
                now.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
            }),
        ),
    ]
}

fn keep(key: &str, value: &str, for_ms: u64) -> KeyValueEntry {
    KeyValueEntry::put(key.to_owned(), value.as_bytes().to_vec(), for_ms)
}

async fn text(book: &dyn KeyValueStore, key: &str) -> Option<String> {
    let found = book.read(&[key.to_owned()]).await.unwrap().remove(0);
    found.map(|it| String::from_utf8(it).unwrap())
}

#[tokio::test]
async fn a_row_is_there_until_its_time_is_over_or_it_is_removed() {
    for (book, advance) in books() {
        book.write(vec![keep("tg a", "1", 1_000), keep("tg b", "2", 9_000)]).await.unwrap();
        assert_eq!(text(&*book, "tg a").await.as_deref(), Some("1"));
        advance(Duration::from_millis(2_000));
        let both = ["tg a", "tg b"].map(str::to_owned);
        assert_eq!(book.read(&both).await.unwrap(), [None, Some(b"2".to_vec())]);
        book.write(vec![KeyValueEntry::delete("tg b".to_owned())]).await.unwrap();
        assert_eq!(text(&*book, "tg b").await, None);
    }
}

#[tokio::test]
async fn a_row_is_swapped_only_for_what_was_seen() {
    for (book, advance) in books() {
        let row = |value: &str| keep("tg a", value, 1_000);
        assert!(book.compare_and_swap(row("1"), None).await.unwrap());
        assert!(!book.compare_and_swap(row("2"), None).await.unwrap());
        assert!(!book.compare_and_swap(row("2"), Some(b"0".to_vec())).await.unwrap());
        assert!(book.compare_and_swap(row("2"), Some(b"1".to_vec())).await.unwrap());
        advance(Duration::from_millis(2_000));
        assert!(book.compare_and_swap(row("3"), None).await.unwrap(), "what is over is not there");
        assert_eq!(text(&*book, "tg a").await.as_deref(), Some("3"));
    }
}

#[tokio::test]
async fn a_row_is_taken_by_one_caller() {
    for (book, _) in books() {
        let notes = PlatformRows::new(book);
        notes.put(vec![json_row("tg a", &7, 60_000)]).await;
        let (one, other) = tokio::join!(notes.take::<u8>("tg a"), notes.take::<u8>("tg a"));
        assert_eq!([one, other].into_iter().flatten().collect::<Vec<_>>(), [7]);
        assert!(notes.insert_if_absent("tg b".to_owned(), 60_000).await);
        assert!(!notes.insert_if_absent("tg b".to_owned(), 60_000).await);
    }
}

#[tokio::test]
async fn changes_at_the_same_time_are_all_kept() {
    for (book, _) in books() {
        let notes = PlatformRows::new(book);
        let add = |n: u8| {
            let notes = notes.clone();
            async move {
                let added = move |was: Option<Vec<u8>>| {
                    let mut all = was.unwrap_or_default();
                    all.push(n);
                    Some(all)
                };
                assert!(notes.update("tg list", 60_000, added).await);
            }
        };
        tokio::join!(add(1), add(2), add(3));
        let mut all: Vec<u8> = notes.get("tg list").await.unwrap();
        all.sort_unstable();
        assert_eq!(all, [1, 2, 3]);
    }
}

#[tokio::test]
async fn a_role_is_had_by_one_process() {
    let store = Arc::new(MemoryStore::default());
    let [one, other] = ["one", "other"].map(|it| StoreKeyValues::new(store.clone(), it));
    assert!(one.acquire_lease("poll", 60_000).await.unwrap());
    assert!(!other.acquire_lease("poll", 60_000).await.unwrap());
    assert!(one.acquire_lease("poll", 60_000).await.unwrap(), "it is renewed");
    one.release_lease("poll").await.unwrap();
    assert!(other.acquire_lease("poll", 60_000).await.unwrap());
}
