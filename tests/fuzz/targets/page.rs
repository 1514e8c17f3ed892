//! Fuzzes `caravanserai_fuzz::page`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::page(data));
