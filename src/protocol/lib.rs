//! Platform-neutral types and the traits between chat platforms and the bot.
//!
//! A platform adapter turns its native events into an [`Update`] and turns calls of [`Platform`]
//! into calls of its own API. Nothing here knows teloxide, serenity, HTTP or a store. Start reading
//! at [`Update`], then [`Platform`] and [`UpdateHandler`].

mod analysis;
mod capabilities;
mod finished_games;
pub mod guest_service;
mod handle_outcome;
mod kv_store;
mod leaderboard;
mod outgoing_message;
mod own_settings;
mod person_statistics;
mod platform;
mod platform_abilities;
mod platform_status;
mod private_message;
mod spectators;
mod table_state;
mod update;
mod update_arrival;
mod update_handler;
pub mod view;
mod viewer_page;
mod viewer_page_state;
mod without_media;

pub use analysis::{
    AnalysisBoard, AnalysisQuery, AnalysisRefusal, AnalysisStart, EvaluatedAction, OutcomeChoice,
    PictureLayout, PositionEvaluation, SetupChoiceState, SetupPartState,
};
pub use capabilities::{Capabilities, CommandStyle};
pub use finished_games::{
    FinishedGame, FinishedGames, FinishedGamesQuery, FinishedOutcome, FinishedRating,
};
pub use handle_outcome::{Ack, DeferredOutcome, HandleOutcome, RequestStatus};
pub use kv_store::{KeyValueEntry, KeyValueError, KeyValueStore};
pub use leaderboard::{
    Leaderboard, LeaderboardList, LeaderboardMonth, LeaderboardMonths, LeaderboardPlace,
    LeaderboardQuery, LeaderboardScope,
};
pub use outgoing_message::{
    AppLink, Attachment, BoardSummary, Button, ButtonTone, EphemeralReply, HandPriority, Image,
    InlineResult, InvitationAnswers, InviteLink, InviteTarget, Notification, OutgoingMessage,
    ReplyForm, ReplyPurpose, SendError,
};
pub use own_settings::{OwnSetting, OwnSettingValue, OwnSettings};
pub use person_statistics::{
    AchievementState, BestWinStatistics, HeadToHead, ListStatistics, PersonStatistics,
};
pub use platform::{ChatLookup, Platform};
pub use platform_abilities::{
    AccountData, AppWindows, EphemeralMessages, InlineBoards, InviteLinks, MemberLookup,
    MessageLookup, PermissionLookup, PrivateChats, PublicGroups, SpectatorLookup,
};
pub use platform_status::{PlatformHealth, PlatformStatus};
pub use private_message::{PrivateMessage, SingleReader};
pub use spectators::SpectatorCount;
pub use table_state::{
    ActionState, ButtonState, ClocksState, LastAction, LobbySeatState, LobbyState, NamedTime,
    OwnTable, OwnTables, PathState, PhaseName, PictureFrame, RoundState, STATE_VERSION, SeatState,
    SpectatorCounts, StatePicture, TableStateView,
};
pub use update::{
    Chat, CommandOption, Departure, Mention, OptionValue, ParentChats, Person, PersonKind, Update,
    UpdateKind, happened_before,
};
pub use update_arrival::Arrival;
pub use update_handler::{
    AdapterMessageTask, ArgumentSuggestion, ArgumentSuggestions, ChatReports, ClientQueries,
    DeliveryReports, InlineQueries, PictureRequest, ReplyRenderer, StateQuery, Unavailable,
    UpdateHandler,
};
pub use viewer_page::ViewerPage;
pub use viewer_page_state::{
    LessonState, LessonTarget, PictureMark, ReplayState, ReviewMomentState, ReviewState, StepState,
    ViewerPageState,
};
pub use without_media::without_media;
