#![allow(dead_code, clippy::unwrap_used)]
#[path = "../tests/it/render/mocks.rs"]
mod mocks;
#[path = "../tests/it/render/positions.rs"]
mod positions;
#[path = "../tests/it/render/sprites.rs"]
mod sprites;
#[path = "../tests/it/render/thaayam.rs"]
mod thaayam;
use caravanserai::render::*;
use std::path::*;
use std::sync::Arc;
fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
fn renderer() -> Arc<Renderer> {
    unimplemented!()
}
fn load(name: &str) -> (String, Vec<(String, String)>) {
    let dir = folder("templates/art").join(name);
    let mut all = Vec::new();
    for sub in ["", "parts/"] {
        let Ok(read) = std::fs::read_dir(dir.join(sub)) else { continue };
        for file in read {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|it| it == "svg") {
                let stem = file.file_stem().unwrap().to_str().unwrap();
                all.push((format!("{sub}{stem}"), std::fs::read_to_string(&file).unwrap()));
            }
        }
    }
    (std::fs::read_to_string(dir.join("theme.toml")).unwrap(), all)
}
fn main() {
    // look THEME WIDTH OUT COLUMNS names...
    let args: Vec<String> = std::env::args().collect();
    let wood = load("wood");
    let own = load(&args[1]);
    let refs =
        |it: &'static (String, Vec<(String, String)>)| -> &'static [(&'static str, &'static str)] {
            Box::leak(
                it.1.iter()
                    .map(|(a, b)| (a.as_str(), b.as_str()))
                    .collect::<Vec<_>>()
                    .into_boxed_slice(),
            )
        };
    let wood: &'static _ = Box::leak(Box::new(wood));
    let own: &'static _ = Box::leak(Box::new(own));
    let base = Files { name: "wood", colours: &wood.0, drawings: refs(wood) };
    let files = Files { name: "own", colours: &own.0, drawings: refs(own) };
    let theme = Theme::read(&files, &[base]).unwrap();
    let renderer = Renderer::new(vec![theme]).unwrap();
    let width: u32 = args[2].parse().unwrap();
    let columns: u32 = args[4].parse().unwrap();
    let all: Vec<_> = positions::pictures().into_iter().chain(mocks::mocks()).collect();
    let mut pics = Vec::new();
    for name in &args[5..] {
        for (n, scene) in &all {
            if n == name || name == "all" {
                let png = renderer.draw_anew(scene, "own", width);
                println!("{n} {} bytes", png.len());
                pics.push(image::load_from_memory(&png).unwrap().to_rgb8());
            }
        }
    }
    let rows: Vec<u32> = pics
        .chunks(columns as usize)
        .map(|row| row.iter().map(|it| it.height() + 6).max().unwrap())
        .collect();
    let mut sheet = image::RgbImage::from_pixel(
        columns * (width + 6),
        rows.iter().sum(),
        image::Rgb([128, 128, 128]),
    );
    for (n, pic) in pics.iter().enumerate() {
        let (c, r) = (n as u32 % columns, n / columns as usize);
        let y: u32 = rows[..r].iter().sum();
        image::imageops::replace(&mut sheet, pic, i64::from(c * (width + 6)), i64::from(y));
    }
    sheet.save(&args[3]).unwrap();
}
