//! Fuzzes `caravanserai_fuzz::archives`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::archives(data));
