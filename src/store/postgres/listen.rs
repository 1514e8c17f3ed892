//! Hears what commits of all replicas tell, over a connection of its own that is made anew
//! whenever it breaks.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client};

use super::connect::{Connected, Moving, Target, told, within};
use super::state::State;
use crate::{Change, Notices, StoreError};

/// How often the connection is asked whether it still stands: a network that is cut says nothing.
const ASK: Duration = Duration::from_secs(10);
/// Between two tries, longer each time up to this.
const AGAIN_MAX: Duration = Duration::from_secs(2);
const AGAIN_FIRST: Duration = Duration::from_millis(50);

/// Listens until it is dropped.
pub(super) struct Listener {
    task: JoinHandle<()>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Moves bytes and tells notices until the connection breaks. Aborted with whoever owns it.
struct Moved {
    client: Client,
    ended: JoinHandle<Option<tokio_postgres::Error>>,
}

impl Drop for Moved {
    fn drop(&mut self) {
        self.ended.abort();
    }
}

impl Listener {
    /// Returns when nothing that is told from now on is missed.
    pub(super) async fn start(
        target: Target,
        state: Arc<State>,
        notices: Arc<Notices>,
    ) -> Result<Self, StoreError> {
        let first = listen(&target, &notices).await?;
        let task = tokio::spawn(async move {
            let mut moved = first;
            loop {
                let why = broken(&mut moved).await;
                state.bad(&why);
                moved = again(&target, &notices).await;
                state.good();
                // Nobody knows what was told meanwhile.
                notices.tell_change(Change::Everything);
            }
        });
        Ok(Self { task })
    }
}

async fn listen(target: &Target, notices: &Arc<Notices>) -> Result<Moved, StoreError> {
    let Connected { client, connection } = target.connect().await?;
    let moved = Moved { client, ended: tokio::spawn(hear(connection, Arc::clone(notices))) };
    within(moved.client.batch_execute("LISTEN caravanserai")).await?.map_err(told)?;
    Ok(moved)
}

/// Connects again, however long it takes.
async fn again(target: &Target, notices: &Arc<Notices>) -> Moved {
    let mut pause = AGAIN_FIRST;
    loop {
        match listen(target, notices).await {
            Ok(moved) => return moved,
            Err(error) => tracing::debug!(%error, "notices of the database are not heard yet"),
        }
        tokio::time::sleep(pause).await;
        pause = AGAIN_MAX.min(pause * 2);
    }
}

/// Waits until the connection breaks and says why.
async fn broken(moved: &mut Moved) -> String {
    loop {
        tokio::select! {
            ended = &mut moved.ended => {
                return match ended {
                    Ok(Some(error)) => super::connect::sentence(&error),
                    Ok(None) => "the database has closed the connection".to_owned(),
                    Err(_) => "the task that hears the database ended".to_owned(),
                };
            }
            () = tokio::time::sleep(ASK) => {
                match within(moved.client.batch_execute("")).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return super::connect::sentence(&error),
                    Err(error) => return error.to_string(),
                }
            }
        }
    }
}

async fn hear(mut connection: Moving, notices: Arc<Notices>) -> Option<tokio_postgres::Error> {
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(told))) => {
                notices.tell(vec![told.payload().to_owned()]);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Some(error),
            None => return None,
        }
    }
}
