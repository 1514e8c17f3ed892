//! Exports and deletes what is stored about a person.
//!
//! Every part of the store that holds personal data is a [`PersonalDataPart`]: it declares its
//! rows, what they are and how long they are kept, how they are exported and how they are deleted.
//! [`parts`] lists them all.
//!
//! A deletion is requested ([`deletion_requests`]), waits for a week, and then runs page by page
//! (`worker`), together with the others that are due. It continues after a restart, and only one of
//! several processes runs it. Games stay valid for the other players: there a random id replaces
//! the account, one to one, so that nobody else's rating changes. A backup that was made before a
//! deletion still contains the person; in a store that is restored from it, [`repeat_deletions`]
//! requests the deletion again, and [`postpone_deletions`] gives people who have cancelled a
//! deletion since then the time to cancel it again.
//!
//! Start reading at [`PersonalDataPart`].

pub(crate) mod chat_deletion;
pub mod deletion_requests;
pub mod export;
pub(crate) mod export_limit;
mod isolated_step;
mod part;
pub mod parts;
mod repeated;
mod subject;
mod worker;

pub use part::{DeletionJob, KeyFamily, PageEnd, PersonalDataPart};
pub use repeated::{
    KnownDeletions, RepeatedDeletions, announce_postponed, postpone_deletions, repeat_deletions,
};
pub use subject::{DeletedPeople, DeletionSubject};
pub use worker::DeletionWorker;
