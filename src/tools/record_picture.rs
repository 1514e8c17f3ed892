//! `caravanserai-tools render`: draws a recorded game.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::records::{find_game, read_record};
use caravanserai_games::GameReplay;
use caravanserai_games::replay::shorten_stills;
use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::scene::SceneFrame;
use caravanserai_render::{DEFAULT_THEME, Renderer, animation_width, standard_width};

/// Allowed widths, in pixels.
const WIDTH_LIMITS: std::ops::RangeInclusive<u32> = 160..=2160;

/// Options for drawing a record.
#[derive(Clone, Debug, Default)]
pub struct PictureOptions {
    /// Draw the position after this many moves (turns, tricks), or end the animation there.
    pub at: Option<usize>,
    /// Name of a theme.
    pub theme: Option<String>,
    /// The viewer: a seat number from 1, or a name.
    pub viewer: Option<String>,
    /// Draw an animation instead of a picture.
    pub gif: bool,
    /// Draw the score chart instead of the board.
    pub chart: bool,
    /// Width in pixels.
    pub width: Option<u32>,
    /// House rules that override those of the record.
    pub options: Option<String>,
}

/// Renders a PNG or GIF file. `progress` receives the number of drawn pictures and of all pictures.
///
/// # Errors
/// One sentence about the file, the line of the record or the argument that is wrong.
pub fn render_record(
    renderer: &Renderer,
    game: &str,
    file: &Path,
    wanted: &PictureOptions,
    mut progress: impl FnMut(usize, usize),
) -> anyhow::Result<Vec<u8>> {
    let game = find_game(game)?;
    let replay = game
        .read_record(&read_record(file)?, wanted.options.as_deref())
        .map_err(|wrong| anyhow::anyhow!("{}: {wrong}", file.display()))?;
    if let Some(width) = wanted.width {
        let (least, most) = WIDTH_LIMITS.into_inner();
        ensure!(
            WIDTH_LIMITS.contains(&width),
            "the width is from {least} to {most} pixels, not {width}"
        );
    }
    let theme = find_theme(renderer, wanted.theme.as_deref())?;
    if wanted.chart {
        let scene = replay.chart().with_context(|| file.display().to_string())?;
        let width = wanted.width.unwrap_or_else(|| standard_width(&scene));
        return Ok(renderer.draw_uncached(&scene, &theme, width));
    }
    let viewer = find_viewer(&replay, wanted.viewer.as_deref())?;
    let mut stills = replay.stills(viewer).with_context(|| file.display().to_string())?;
    cut_after(&mut stills, wanted.at)?;
    if !wanted.gif {
        let last = stills.last().context("there is nothing to draw")?;
        let width = wanted.width.unwrap_or_else(|| standard_width(&last.scene));
        return Ok(renderer.draw_uncached(&last.scene, &theme, width));
    }
    let stills = shorten_stills(stills);
    let first = stills.first().context("there is nothing to draw")?;
    let width = wanted.width.unwrap_or_else(|| animation_width(&first.scene, stills.len()));
    Ok(renderer.animate(&stills, &theme, width, |drawn| progress(drawn, stills.len())))
}

/// Checks that the file extension fits the format, because other programs rely on it.
///
/// # Errors
/// One sentence with a name that fits.
pub fn check_file_extension(out: &Path, gif: bool) -> anyhow::Result<()> {
    let Some(found) = out.extension().map(|it| it.to_string_lossy().to_lowercase()) else {
        return Ok(());
    };
    let kind = if gif { "gif" } else { "png" };
    let way = if gif { "an animation is a GIF" } else { "a picture is a PNG, or a GIF with --gif" };
    let name = out.with_extension(kind);
    ensure!(found == kind, "{way}: name the file {}, not {}", name.display(), out.display());
    Ok(())
}

/// Cuts the animation after `at` moves; its last picture is shown as long as the old last one was.
fn cut_after(stills: &mut Vec<SceneFrame>, at: Option<usize>) -> anyhow::Result<()> {
    let Some(at) = at else { return Ok(()) };
    let most = stills.len().saturating_sub(1);
    ensure!(at <= most, "--at goes from 0 to {most} in this record, not to {at}");
    let hold_cs = stills.last().map_or(0, |last| last.hold_cs);
    stills.truncate(at + 1);
    stills.iter_mut().skip(at).for_each(|last| last.hold_cs = hold_cs);
    Ok(())
}

fn find_theme(renderer: &Renderer, name: Option<&str>) -> anyhow::Result<String> {
    let name = name.unwrap_or(DEFAULT_THEME);
    let all: Vec<&str> = renderer.themes().map(|theme| theme.name.as_str()).collect();
    ensure!(all.contains(&name), "there is no theme {name}; there is {}", all.join(", "));
    Ok(name.to_owned())
}

fn find_viewer(replay: &GameReplay, name: Option<&str>) -> anyhow::Result<Viewer> {
    let Some(name) = name else { return Ok(Viewer::Public) };
    let seats = replay.names.len();
    let by_name = || replay.names.iter().position(|it| it.eq_ignore_ascii_case(name));
    let seat = match name.parse::<usize>() {
        Ok(number) => number.checked_sub(1).filter(|seat| *seat < seats),
        Err(_) => by_name(),
    };
    match seat.and_then(|seat| u8::try_from(seat).ok()) {
        Some(seat) => Ok(Viewer::Seat(Seat(seat))),
        None => {
            let names: Vec<_> = replay.names.iter().filter(|it| !it.is_empty()).cloned().collect();
            let or =
                if names.is_empty() { String::new() } else { format!(" or {}", names.join(", ")) };
            bail!("--for takes a seat from 1 to {seats}{or}, not {name}")
        }
    }
}
