//! The bot between platforms and stores: what one update gets, what is sent, what is due.
//!
//! A [`caravanserai_protocol::Platform`] hands its updates to the [`service`]. The [`desk`] decides
//! what each of them gets, by [`caravanserai_table::decide()`]; the [`ledger`] writes it in one
//! commit with everything that follows from it. The [`post`] sends boards and answers, the
//! [`minds`] let computers think, the [`clockwork`] does what is due.
//!
//! No platform and no particular store is known here.

pub mod clockwork;
pub mod desk;
pub mod ledger;
pub mod minds;
pub mod post;
pub mod service;
