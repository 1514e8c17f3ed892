//! The bot between platforms and stores: what one update gets, what is sent, what is due.
//!
//! A [`caravanserai_protocol::Platform`] hands its updates to the [`build_service`]. The [`handlers`] decides
//! what each of them gets, by [`caravanserai_table::decide()`]; the [`repository`] writes it in one
//! commit with everything that follows from it. The [`delivery`] sends boards and answers, the
//! [`workers`] let computers think, the [`scheduler`] does what is due.
//!
//! No platform and no particular store is known here.

pub mod delivery;
pub mod handlers;
pub mod repository;
pub mod scheduler;
pub mod service;
pub mod workers;
