//! Starts computing all ratings again in the running bot, and reports the progress.

use super::audit_log::audit_put;
use super::{AdminActor, AdminReply, OperatorCommands, time_text};
use crate::repository::Failure;
use crate::results::progress::{ResultProgress, ResultWork};

impl OperatorCommands {
    /// Requests that the results of all games are read and all ratings are computed again. People
    /// see the old ratings until the new ones replace them.
    pub(super) async fn rebuild_results(&self, actor: &AdminActor) -> Result<AdminReply, Failure> {
        let audit = audit_put(&self.repository, actor, ("results rebuild", ""), "");
        let is_new = self.repository.results().request_rebuild(audit).await?;
        Ok(AdminReply::line(match is_new {
            true => {
                "all ratings are computed again: the running bot begins within a minute, or when \
                 it starts; status shows how far it is"
            }
            false => "all ratings are being computed again already; status shows how far it is",
        }))
    }

    /// How far ratings are computed, in one line.
    pub(super) async fn rating_progress(&self) -> Result<String, Failure> {
        Ok(progress_text(&self.repository.results().progress().await?))
    }
}

fn progress_text(progress: &ResultProgress) -> String {
    let ResultProgress { work, waiting, requests } = progress;
    let work = match work {
        ResultWork::None if *waiting == 0 && *requests == 0 => "up to date".to_owned(),
        ResultWork::None => "not all results are in them yet".to_owned(),
        ResultWork::Reading { in_records, after, computes_again } => {
            let kind = if *in_records { "records" } else { "logs" };
            let at = if after.is_empty() { String::new() } else { format!(", at table {after}") };
            let then = if *computes_again { "; then all are computed again" } else { "" };
            format!("results are read from {kind}{at}{then}")
        }
        ResultWork::Computing { from_ms, at_ms } => {
            let from = match from_ms {
                0 => "the first game".to_owned(),
                from_ms => time_text(*from_ms),
            };
            let at = match at_ms {
                0 => String::new(),
                at_ms => format!(", now at games of {}", time_text(*at_ms)),
            };
            format!("computed again from {from} on{at}")
        }
    };
    let mut text = format!("ratings: {work}");
    if *waiting > 0 {
        text.push_str(&format!("; {waiting} results wait"));
    }
    if *requests > 0 {
        text.push_str(&format!("; {requests} requests after links or deletions wait"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_work_is_described() {
        let text = |work, waiting| progress_text(&ResultProgress { work, waiting, requests: 0 });
        assert_eq!(text(ResultWork::None, 0), "ratings: up to date");
        assert_eq!(
            text(ResultWork::None, 2),
            "ratings: not all results are in them yet; 2 results wait"
        );
        let reading = ResultWork::Reading {
            in_records: false,
            after: "7k3fxab".to_owned(),
            computes_again: true,
        };
        assert_eq!(
            text(reading, 0),
            "ratings: results are read from logs, at table 7k3fxab; then all are computed again"
        );
        let at_ms = 1_763_720_000_123;
        assert_eq!(
            text(ResultWork::Computing { from_ms: 0, at_ms }, 0),
            "ratings: computed again from the first game on, now at games of 2025-11-21 10:13:20"
        );
    }
}
