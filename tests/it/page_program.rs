//! Runs the program as its users do, for tests and benchmarks with a browser.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The program in a folder of its own. It is killed when the value is dropped.
pub struct Program {
    child: Child,
    pub base: String,
    port: u16,
}

impl Program {
    /// Starts it on a port that was free a moment ago.
    pub fn start(folder: &Path) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(folder, free)
    }

    pub fn start_at(folder: &Path, port: u16) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_caravanserai"))
            .env_clear()
            .env("DATA_DIR", folder.join("data"))
            .env("WEB_LISTEN", format!("127.0.0.1:{port}"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let ready = log.by_ref().any(|line| line.contains("the group chat is at"));
        assert!(ready, "the program ended before it served its page");
        std::thread::spawn(move || log.for_each(drop));
        Self { child, base: format!("http://127.0.0.1:{port}"), port }
    }

    /// Ends it without warning, as a power cut would.
    pub fn kill(mut self) -> u16 {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.port
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
