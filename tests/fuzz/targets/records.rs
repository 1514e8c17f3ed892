//! Fuzzes `caravanserai_fuzz::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::records(data));
