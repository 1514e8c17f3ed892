//! Receives the changes that commits of all replicas publish, on a connection of its own that
//! reconnects when it breaks.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client};

use super::connection::{
    ConnectionDriver, DedicatedConnection, PostgresTarget, store_error, with_timeout,
};
use super::health::PostgresHealth;
use crate::{ChangeBroadcast, StoreChange, StoreError};

/// Interval of pings: a network that is cut gives no sign.
const PING_EVERY: Duration = Duration::from_secs(10);
/// Pauses between attempts to reconnect: 25 to 50 milliseconds first, one to two seconds at last.
const RECONNECT_PAUSES: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(25))
    .with_max_delay(Duration::from_secs(1))
    .without_max_times()
    .with_jitter();

/// Listens until it is dropped.
pub(super) struct NotificationListener {
    task: JoinHandle<()>,
}

impl Drop for NotificationListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Drives the connection and publishes changes until it breaks. Aborted when it is dropped.
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
    /// Starts listening. Changes published after this returns are not missed.
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
                // Changes may have been missed while the connection was down.
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

/// Reconnects, however long it takes.
async fn reconnect(target: &PostgresTarget, notices: &Arc<ChangeBroadcast>) -> ListenerTask {
    let mut pauses = RECONNECT_PAUSES.build();
    loop {
        match listen(target, notices).await {
            Ok(moved) => return moved,
            Err(error) => tracing::debug!(%error, "failed to listen for notifications, retrying"),
        }
        let pause = pauses.next().expect("the number of pauses is not limited");
        tokio::time::sleep(pause).await;
    }
}

/// Waits until the connection breaks; returns the reason.
async fn wait_until_broken(moved: &mut ListenerTask) -> String {
    loop {
        tokio::select! {
            ended = &mut moved.ended => {
                return match ended {
                    Ok(Some(error)) => super::connection::error_text(&error),
                    Ok(None) => "the database has closed the connection".to_owned(),
                    Err(_) => "the task that reads notifications ended".to_owned(),
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
            Some(Ok(AsyncMessage::Notification(notice))) => {
                notices.publish_topics(vec![notice.payload().to_owned()]);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Some(error),
            None => return None,
        }
    }
}
