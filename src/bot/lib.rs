//! The bot between platforms and stores: handles updates, sends messages, runs workers and timers.
//!
//! A [`caravanserai_protocol::Platform`] passes its updates to the [`service`]. The [`commands`]
//! define what people can type and press, [`parsing`] parses it, the [`handlers`] decide the reply
//! to each update with [`caravanserai_table::decide()`], and the [`repository`] writes the decision
//! in one commit with all its effects. The [`views`] build what people see, the [`delivery`] sends
//! it, the [`workers`] run computer players and analysis, and the [`scheduler`] runs timed tasks.
//! [`personal_data`] exports and deletes what is stored about a person, and [`admin`] runs the
//! commands of the operator.
//!
//! This crate must not know any particular platform or store.

pub mod admin;
mod client_state;
pub mod commands;
pub mod delivery;
pub mod handlers;
pub mod parsing;
pub mod personal_data;
pub mod repository;
pub mod results;
pub mod scheduler;
pub mod service;
pub mod settings;
pub mod views;
pub mod workers;
