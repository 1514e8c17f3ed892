//! Why a request of a person was not carried out.

use crate::repository::Failure;
use caravanserai_games::text::Text;
use caravanserai_protocol::view::View;

/// Why a request was not carried out, and what its sender reads instead of the answer.
#[derive(Debug)]
pub enum RequestError<R = Vec<View>> {
    /// The request is refused with this reason. Without any view nothing is answered: the sender is
    /// banned, or the answer waits for an external query.
    Refused(R),
    /// The store failed, or data is damaged.
    Failed(Failure),
}

impl<R> RequestError<R> {
    /// The reason of a refusal.
    ///
    /// # Errors
    /// When it is a failure.
    pub(crate) fn refusal(self) -> Result<R, Failure> {
        match self {
            Self::Refused(reason) => Ok(reason),
            Self::Failed(failure) => Err(failure),
        }
    }
}

impl<R> From<Failure> for RequestError<R> {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<RequestError<Text>> for RequestError {
    fn from(error: RequestError<Text>) -> Self {
        match error {
            RequestError::Refused(text) => Self::refuse(text),
            RequestError::Failed(failure) => Self::Failed(failure),
        }
    }
}

impl RequestError {
    /// A refusal with a short text.
    pub(crate) fn refuse(text: Text) -> Self {
        Self::Refused(vec![View::brief(text)])
    }
}
