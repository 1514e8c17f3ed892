//! The bot between platforms and stores.
//!
//! A [`caravanserai_protocol::Platform`] hands its updates to the [`service`]. The [`commands`]
//! parse what people type and press, the [`handlers`] decide what follows, by
//! [`caravanserai_table::decide()`], and the [`repository`] writes it in one commit with its
//! effects. The [`views`] say what people see, the [`delivery`] sends it, the [`workers`] run
//! engines, the [`scheduler`] runs deadlines.
//!
//! No platform and no particular store is known here.

pub mod commands;
pub mod delivery;
pub mod handlers;
pub mod repository;
pub mod scheduler;
pub mod service;
pub mod settings;
pub mod views;
pub mod workers;
