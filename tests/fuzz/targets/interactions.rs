//! Fuzzes `caravanserai_fuzz::interactions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::interactions(data));
