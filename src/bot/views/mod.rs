//! Builds views: the texts, pictures and buttons of boards, lobbies, hands and panels.
//!
//! Everything here is built from the state of a table and its viewer; nothing is sent or stored.
//! Start reading at [`board_view`], which builds the message that shows a table.

pub mod achievement_views;
pub mod block_views;
pub mod board_view;
pub mod clock_views;
pub mod coach_views;
pub mod computer_views;
pub mod conditional_moves;
pub mod course_views;
pub mod deal_views;
pub mod digest_view;
pub mod hand_views;
pub mod head_to_head;
pub mod headlines;
pub mod hint_view;
pub mod inline_board;
pub mod lobby_view;
pub mod panel_views;
pub mod pending_offers;
pub mod play_detail_views;
pub mod press_feedback;
pub mod rating_curve;
pub mod result_views;
pub mod review_views;
pub mod settings_buttons;
pub mod viewer_buttons;
