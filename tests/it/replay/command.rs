//! `caravanserai-tools render` with records of all games, and with what is wrong.

use std::path::PathBuf;

use caravanserai_games::rules::{Seat, Viewer};
use caravanserai_games::{blot, thaayam, togyzkumalak};
use caravanserai_render::{DEFAULT_THEME, standard_width};
use caravanserai_tools::record_picture::{PictureOptions, render_record};
use caravanserai_tools::records::replay_record;

use super::{NAMES, played, record, renderer, rgb, watch};

struct Files(tempfile::TempDir);

impl Files {
    fn put(&self, name: &str, text: &str) -> PathBuf {
        let file = self.0.path().join(name);
        std::fs::write(&file, text).unwrap();
        file
    }
}

fn files() -> Files {
    Files(tempfile::tempdir().unwrap())
}

#[test]
fn a_record_is_drawn_as_picture_animation_and_chart() {
    let files = files();
    let short = [
        (togyzkumalak::ID, "seed", 2, 60),
        (thaayam::ID, "pieces=2", 2, 60),
        (blot::ID, "standard", 4, 120),
    ];
    for (game, options, seats, steps) in short {
        let code = game.info().code;
        let played = played(game, options, seats, 3, steps);
        let text = record(options, &played);
        let replay = game.read_record(&text, None).unwrap();
        let stills = replay.stills(Viewer::Public).unwrap();
        let file = files.put(code, &text);
        let draw = |wanted: &PictureOptions| {
            render_record(&renderer(), code, &file, wanted, |_, _| ()).unwrap()
        };
        let drawn = |n: usize| {
            let scene = &stills[n].scene;
            rgb(&renderer().draw(scene, DEFAULT_THEME, standard_width(scene)))
        };
        assert!(rgb(&draw(&PictureOptions::default())) == drawn(stills.len() - 1), "{code}");
        let at = |n| PictureOptions { at: Some(n), ..PictureOptions::default() };
        assert!(rgb(&draw(&at(0))) == drawn(0), "{code}");
        assert!(rgb(&draw(&at(3))) == drawn(3), "{code}");
        let small = PictureOptions { gif: true, width: Some(320), ..PictureOptions::default() };
        let (frames, ..) = watch(&draw(&small));
        assert!(frames.len() > 4 && frames[frames.len() - 1].1 == 500, "{code}");
        let (frames, ..) = watch(&draw(&PictureOptions { at: Some(3), ..small }));
        assert!((2..=4).contains(&frames.len()) && frames[frames.len() - 1].1 >= 500, "{code}");
        let chart = PictureOptions { chart: true, width: Some(640), ..PictureOptions::default() };
        let scene = replay.chart().unwrap();
        assert!(rgb(&draw(&chart)) == rgb(&renderer().draw(&scene, DEFAULT_THEME, 640)), "{code}");
    }
}

#[test]
fn progress_is_reported_for_every_picture_of_an_animation() {
    let files = files();
    let replay = played(togyzkumalak::ID, "seed", 2, 3, 12);
    let file = files.put("record", &record("seed", &replay));
    let mut told = Vec::new();
    let wanted = PictureOptions { gif: true, width: Some(160), ..PictureOptions::default() };
    render_record(&renderer(), "togyz", &file, &wanted, |done, all| told.push((done, all)))
        .unwrap();
    assert_eq!(told, (1..=13).map(|n| (n, 13)).collect::<Vec<_>>());
}

#[test]
fn a_seat_is_named_by_number_or_name() {
    let files = files();
    let replay = played(blot::ID, "standard", 4, 3, 120);
    let text = record("standard", &replay);
    let file = files.put("record", &text);
    let hand = replay_hand(&text);
    for name in ["3", NAMES[2], "meena"] {
        let wanted = PictureOptions {
            viewer: Some(name.into()),
            at: Some(1),
            width: Some(320),
            ..PictureOptions::default()
        };
        let png = render_record(&renderer(), "blot", &file, &wanted, |_, _| ()).unwrap();
        assert!(rgb(&png) == hand, "{name}");
    }
}

fn replay_hand(text: &str) -> Vec<u8> {
    let replay = blot::ID.read_record(text, None).unwrap();
    let stills = replay.stills(Viewer::Seat(Seat(2))).unwrap();
    rgb(&renderer().draw(&stills[1].scene, DEFAULT_THEME, 320))
}

#[test]
fn errors_are_one_sentence() {
    let files = files();
    let replay = played(togyzkumalak::ID, "seed", 2, 3, 12);
    let good = record("seed", &replay);
    let file = files.put("good.txt", &good);
    let wrong = |game: &str, wanted: PictureOptions| {
        let refused = render_record(&renderer(), game, &file, &wanted, |_, _| ()).unwrap_err();
        format!("{refused:#}").replace(&*file.to_string_lossy(), "good.txt")
    };
    let none = PictureOptions::default;
    for (wanted, said) in [
        (
            PictureOptions { at: Some(13), ..none() },
            "--at goes from 0 to 12 in this record, not to 13",
        ),
        (
            PictureOptions { theme: Some("glass".into()), ..none() },
            "there is no theme glass; there is ",
        ),
        (
            PictureOptions { viewer: Some("0".into()), ..none() },
            "--for takes a seat from 1 to 2 or ",
        ),
        (
            PictureOptions { viewer: Some("Nobody".into()), ..none() },
            "--for takes a seat from 1 to 2 or ",
        ),
        (
            PictureOptions { width: Some(5), ..none() },
            "the width is from 160 to 2160 pixels, not 5",
        ),
        (
            PictureOptions { options: Some("odd".into()), ..none() },
            "good.txt: there are no house rules odd",
        ),
    ] {
        let told = wrong("togyzkumalak", wanted);
        assert!(told.starts_with(said), "{told}");
    }
    assert!(wrong("chess", none()).starts_with("there is no game chess; there is togyzkumalak"));
    assert!(wrong("thaayam", none()).starts_with("good.txt: line "));
    assert!(wrong("blot", none()).starts_with("good.txt: "));
    let missing =
        render_record(&renderer(), "blot", &file.join("x"), &none(), |_, _| ()).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read "));
    for text in ["", "1. 99 99", "[White \"A\"]\n\n1. 11 11\n"] {
        let file = files.put("bad.txt", text);
        assert!(
            render_record(&renderer(), "togyz", &file, &none(), |_, _| ()).is_err(),
            "{text:?}"
        );
    }
}

#[test]
fn marks_of_encodings_are_read_or_explained() {
    let files = files();
    for (game, id, options, seats) in [
        ("togyzkumalak", togyzkumalak::ID, "seed", 2),
        ("thaayam", thaayam::ID, "standard", 2),
        ("blot", blot::ID, "standard", 4),
    ] {
        let text = record(options, &played(id, options, seats, 3, 400));
        let plain = files.put("plain.txt", &text);
        let marked = files.put("marked.txt", &format!("\u{feff}{text}"));
        let printed = |file| replay_record(game, file, None).map_err(|it| it.to_string());
        assert_eq!(printed(&marked), printed(&plain), "{game}");
    }
    let file = files.0.path().join("wide.txt");
    let wide = "\u{feff}1. 76".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    std::fs::write(&file, wide).unwrap();
    let refused = replay_record("togyz", &file, None).unwrap_err();
    assert!(refused.to_string().ends_with("is in UTF-16: save it as UTF-8"), "{refused}");
}

#[test]
fn a_file_is_named_after_what_is_in_it() {
    use caravanserai_tools::record_picture::check_file_extension;
    let named = |name: &str, gif| check_file_extension(std::path::Path::new(name), gif);
    for (name, gif) in [("a.png", false), ("a.PNG", false), ("a.gif", true), ("a", true)] {
        assert!(named(name, gif).is_ok(), "{name}");
    }
    let said = named("dir/a.jpg", false).unwrap_err().to_string();
    assert!(said.ends_with("name the file dir/a.png, not dir/a.jpg"), "{said}");
    assert!(named("a.gif", false).is_err() && named("a.png", true).is_err());
}

#[test]
fn nobody_minds_when_what_is_said_is_not_read_to_its_end() {
    let mut caravanserai = std::process::Command::new(env!("CARGO_BIN_EXE_caravanserai"));
    let help = caravanserai.arg("--check-config").env_clear();
    let mut run = help.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    run = run.current_dir(std::env::temp_dir());
    let mut child = run.spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() && said.is_empty(), "{said}");
}

#[test]
fn the_program_draws_into_a_file_and_says_how_far_it_is() {
    let files = files();
    let replay = played(togyzkumalak::ID, "seed", 2, 3, 60);
    let file = files.put("record", &record("seed", &replay));
    let out = files.0.path().join("game.gif");
    let run = |more: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_caravanserai-tools"))
            .args(["render", "togyzkumalak"])
            .arg(&file)
            .arg("--out")
            .arg(&out)
            .args(more)
            .output()
            .unwrap()
    };
    let ran = run(&["--gif", "--width", "160"]);
    assert!(ran.status.success() && ran.stdout.is_empty());
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(said.ends_with("drawn 61 of 61 pictures\n"), "{said}");
    assert_eq!(watch(&std::fs::read(&out).unwrap()).0.len(), 61);
    for wrong in [&["--chart", "--gif"][..], &["--at", "many"], &["--gif", "--at", "99"]] {
        let ran = run(wrong);
        assert!(!ran.status.success() && !ran.stderr.is_empty(), "{wrong:?}");
    }
}
