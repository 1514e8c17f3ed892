//! Fuzzes `caravanserai_fuzz::backups`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::backups(data));
