//! Fuzzes `caravanserai_fuzz::webhook`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::webhook(data));
