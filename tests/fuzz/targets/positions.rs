//! Fuzzes `caravanserai_fuzz::positions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::positions(data));
