//! Fuzzes `caravanserai_fuzz::presses`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| caravanserai_fuzz::presses(data));
