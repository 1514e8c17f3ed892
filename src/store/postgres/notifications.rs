//! Hears what commits of all replicas tell, over a connection of its own that is made anew
//! whenever it breaks.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client};

use super::connection::{
    ConnectionDriver, DedicatedConnection, PostgresTarget, store_error, with_timeout,
};
use super::health::PostgresHealth;
use crate::{ChangeBroadcast, StoreChange, StoreError};

/// How often the connection is asked whether it still stands: a network that is cut says nothing.
const PING_EVERY: Duration = Duration::from_secs(10);
/// Between two tries, longer each time up to this.
const RECONNECT_PAUSE_MAX: Duration = Duration::from_secs(2);
const RECONNECT_PAUSE_MIN: Duration = Duration::from_millis(50);

/// Listens until it is dropped.
pub(super) struct NotificationListener {
    task: JoinHandle<()>,
}

impl Drop for NotificationListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Moves bytes and tells notices until the connection breaks. Aborted with whoever owns it.
struct ListenerTask {
    client: Client,
    ended: JoinHandle<Option<tokio_postgres::Error>>,
}

impl Drop for ListenerTask {
    fn drop(&mut self) {
        self.ended.abort();
    }
}

impl NotificationListener {
    /// Returns when nothing that is told from now on is missed.
    pub(super) async fn start(
        target: PostgresTarget,
        state: Arc<PostgresHealth>,
        notices: Arc<ChangeBroadcast>,
    ) -> Result<Self, StoreError> {
        let first = listen(&target, &notices).await?;
        let task = tokio::spawn(async move {
            let mut moved = first;
            loop {
                let why = wait_until_broken(&mut moved).await;
                state.set_failed(&why);
                moved = reconnect(&target, &notices).await;
                state.set_good();
                // Nobody knows what was told meanwhile.
                notices.publish(StoreChange::All);
            }
        });
        Ok(Self { task })
    }
}

async fn listen(
    target: &PostgresTarget,
    notices: &Arc<ChangeBroadcast>,
) -> Result<ListenerTask, StoreError> {
    let DedicatedConnection { client, connection } = target.connect().await?;
    let moved = ListenerTask {
        client,
        ended: tokio::spawn(forward_notifications(connection, Arc::clone(notices))),
    };
    with_timeout(moved.client.batch_execute("LISTEN caravanserai")).await?.map_err(store_error)?;
    Ok(moved)
}

/// Connects again, however long it takes.
async fn reconnect(target: &PostgresTarget, notices: &Arc<ChangeBroadcast>) -> ListenerTask {
    let mut pause = RECONNECT_PAUSE_MIN;
    loop {
        match listen(target, notices).await {
            Ok(moved) => return moved,
            Err(error) => tracing::debug!(%error, "notices of the database are not heard yet"),
        }
        tokio::time::sleep(pause).await;
        pause = RECONNECT_PAUSE_MAX.min(pause * 2);
    }
}

/// Waits until the connection breaks and says why.
async fn wait_until_broken(moved: &mut ListenerTask) -> String {
    loop {
        tokio::select! {
            ended = &mut moved.ended => {
                return match ended {
                    Ok(Some(error)) => super::connection::error_text(&error),
                    Ok(None) => "the database has closed the connection".to_owned(),
                    Err(_) => "the task that hears the database ended".to_owned(),
                };
            }
            () = tokio::time::sleep(PING_EVERY) => {
                match with_timeout(moved.client.batch_execute("")).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return super::connection::error_text(&error),
                    Err(error) => return error.to_string(),
                }
            }
        }
    }
}

async fn forward_notifications(
    mut connection: ConnectionDriver,
    notices: Arc<ChangeBroadcast>,
) -> Option<tokio_postgres::Error> {
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(told))) => {
                notices.publish_topics(vec![told.payload().to_owned()]);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Some(error),
            None => return None,
        }
    }
}
