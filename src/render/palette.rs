//! Chooses the 255 colours of a picture and encodes the picture as a PNG file with them.
//!
//! A picture with a palette is a third of the size of a full-colour one, and encoding it is faster.
//! The colours are chosen once for each game of a theme, from its drawings and label colours, by
//! median cut followed by a few rounds that move each colour to the mean of the colours it
//! represents.

use std::sync::atomic::{AtomicU8, Ordering};

use super::sprites::rasterise;
use super::theme::Theme;

/// The number of colours in a palette; one number is reserved for [`UNKNOWN`].
const PALETTE_SIZE: usize = 255;

/// The longer side, in pixels, at which drawings are sampled.
const SAMPLE_SIDE: f32 = 200.0;

/// The number of rounds that move the colours.
const REFINEMENT_ROUNDS: usize = 3;

/// Compression levels for pictures up to a number of pixels, and for larger ones. Encoding is most
/// of the time that a picture takes, and a hand has half the time of a board.
const COMPRESSION_LEVELS: (u8, usize, u8) = (2, 400_000, 3);

/// The bits of each channel that the nearest-colour lookup uses.
const LOOKUP_BITS: u32 = 7;

/// The bits of each channel by which sampled colours are distinguished.
const WEIGHING_BITS: u32 = 6;

/// One of this many pixels is sampled again below each veil.
const VEIL_SAMPLE_STEP: usize = 2;

/// The number of pixels per block in the search for unknown pixels.
const RESOLVE_RUN: usize = 32;

type Rgb = [u8; 3];

/// Marks a pixel whose colour number has not been looked up.
pub const UNKNOWN: u8 = 255;

/// The colours, and a cache of the nearest colour to each cell of the colour space.
pub struct Palette {
    colours: Vec<Rgb>,
    /// The nearest colour for each cell of [`LOOKUP_BITS`] bits a channel, or [`UNKNOWN`].
    nearest: Vec<AtomicU8>,
}

impl Palette {
    /// Computes the colours that best represent the drawings seen with a theme's palette `number`.
    pub fn of_theme(theme: &Theme, number: usize) -> Self {
        Self::new(median_cut(sample_theme(theme, number)))
    }

    fn new(colours: Vec<Rgb>) -> Self {
        let nearest = (0..1usize << (3 * LOOKUP_BITS)).map(|_| AtomicU8::new(UNKNOWN)).collect();
        Self { colours, nearest }
    }

    /// Looks up the nearest colour of each pixel (four bytes) that is [`UNKNOWN`].
    pub fn resolve(&self, rgba: &[u8], indexed: &mut [u8]) {
        for (pixels, numbers) in rgba.chunks(4 * RESOLVE_RUN).zip(indexed.chunks_mut(RESOLVE_RUN)) {
            if !numbers.contains(&UNKNOWN) {
                continue;
            }
            for (pixel, number) in pixels.chunks_exact(4).zip(numbers) {
                if *number == UNKNOWN {
                    *number = self.nearest_number([pixel[0], pixel[1], pixel[2]]);
                }
            }
        }
    }

    /// Returns the number of the nearest colour.
    pub fn nearest_number(&self, colour: Rgb) -> u8 {
        let [r, g, b] = colour.map(|channel| usize::from(channel >> (8 - LOOKUP_BITS)));
        let slot = &self.nearest[(r << (2 * LOOKUP_BITS)) | (g << LOOKUP_BITS) | b];
        match slot.load(Ordering::Relaxed) {
            UNKNOWN => {
                // Uses the middle of the cell, so that the answer does not depend on the first
                // lookup.
                let half = 1 << (7 - LOOKUP_BITS);
                let middle =
                    colour.map(|channel| channel >> (8 - LOOKUP_BITS) << (8 - LOOKUP_BITS) | half);
                let found = nearest_index(&self.colours, middle) as u8;
                slot.store(found, Ordering::Relaxed);
                found
            }
            known => known,
        }
    }

    /// Returns red, green and blue of every colour by number, for files of other formats than
    /// [`Palette::encode`] writes. [`UNKNOWN`] has a colour too, which no picture uses.
    pub fn colour_table(&self) -> Vec<u8> {
        let mut table = self.colours.concat();
        table.resize(3 * (usize::from(UNKNOWN) + 1), 0);
        table
    }

    /// Encodes pixels, given as colour numbers, as a PNG file.
    pub fn encode(&self, indexed: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 * 1024);
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.colours.concat());
        let (low, many, high) = COMPRESSION_LEVELS;
        let level = if indexed.len() > many { high } else { low };
        encoder.set_deflate_compression(png::DeflateCompression::Level(level));
        encoder.set_filter(png::Filter::NoFilter);
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(indexed).and_then(|()| writer.finish()));
        written.expect("writing to memory cannot fail and the sizes agree");
        bytes
    }
}

/// Returns the index of the visually nearest colour.
fn nearest_index(colours: &[Rgb], wanted: Rgb) -> usize {
    let distance = |colour: &Rgb| -> i32 {
        let [r, g, b] = [0, 1, 2].map(|n| i32::from(colour[n]) - i32::from(wanted[n]));
        // Green counts most for lightness. A change of hue is seen sooner than one of lightness:
        // a brown must not turn green beside its neighbour.
        3 * r * r + 6 * g * g + 2 * b * b + 4 * (r - g) * (r - g) + 2 * (g - b) * (g - b)
    };
    let best = colours.iter().enumerate().min_by_key(|(_, colour)| distance(colour));
    best.map_or(0, |(n, _)| n)
}

/// Samples pixels as they will be seen: drawings over the background, all of them below veils, and
/// label colours in all strengths over their backgrounds.
fn sample_theme(theme: &Theme, number: usize) -> Vec<Rgb> {
    let mut all = vec![theme.ground];
    let mut grounds = vec![theme.ground];
    let mut veils = Vec::new();
    let mut edges = Vec::new();
    let seen = |name: &str| theme.palette_of(name).is_none_or(|only| only == number);
    for name in theme.drawings().filter(|name| seen(name)) {
        let Some(tree) = theme.drawing(name) else { continue };
        let w = tree.size().width();
        let h = tree.size().height();
        let scale = SAMPLE_SIDE / w.max(h);
        let w = (w * scale).max(1.0) as u32;
        let h = (h * scale).max(1.0) as u32;
        let Some(bitmap) = rasterise(theme, name, w, h, 0) else { continue };
        veils.extend(mean_veil(bitmap.pixels()));
        let mut sum = [0u64; 4];
        for pixel in bitmap.pixels().chunks_exact(4) {
            match pixel[3] {
                0 => {}
                255 => {
                    all.push([pixel[0], pixel[1], pixel[2]]);
                    sum[3] += 1;
                    (0..3).for_each(|n| sum[n] += u64::from(pixel[n]));
                }
                alpha => edges.push([pixel[0], pixel[1], pixel[2], alpha]),
            }
        }
        if sum[3] > 0 {
            grounds.push([0, 1, 2].map(|n| (sum[n] / sum[3]) as u8));
        }
    }
    // Any edge may lie on any drawing; each edge is sampled on one of them.
    let mixed = edges.iter().zip(grounds.iter().cycle());
    all.extend(mixed.map(|(edge, &ground)| blend_over(edge, ground)));
    for veil in veils {
        let below: Vec<Rgb> = all.iter().step_by(VEIL_SAMPLE_STEP).copied().collect();
        all.extend(below.into_iter().map(|colour| blend_over(&veil, colour)));
    }
    for (_, ink) in theme.inks().filter(|(role, _)| seen(role)) {
        let [r, g, b, alpha] = ink.colour;
        for ground in &grounds {
            for step in 1..=8u32 {
                let alpha = u32::from(alpha) * step / 8;
                let mix = |ink: u8, ground: u8| {
                    ((u32::from(ink) * alpha + u32::from(ground) * (255 - alpha)) / 255) as u8
                };
                let mixed = [mix(r, ground[0]), mix(g, ground[1]), mix(b, ground[2])];
                all.extend(std::iter::repeat_n(mixed, 6));
            }
        }
    }
    all
}

/// The mean pixel of a fully translucent drawing.
fn mean_veil(pixels: &[u8]) -> Option<[u8; 4]> {
    let mut sum = [0u64; 4];
    for pixel in pixels.chunks_exact(4) {
        if !(16..240).contains(&pixel[3]) {
            return None;
        }
        (0..4).for_each(|n| sum[n] += u64::from(pixel[n]));
    }
    Some(sum.map(|channel| (channel * 4 / pixels.len().max(1) as u64) as u8))
}

/// Blends a premultiplied pixel over an opaque one.
fn blend_over(pixel: &[u8], ground: Rgb) -> Rgb {
    let rest = 255 - u32::from(pixel[3]);
    [0, 1, 2].map(|n| (u32::from(pixel[n]) + u32::from(ground[n]) * rest / 255).min(255) as u8)
}

fn median_cut(samples: Vec<Rgb>) -> Vec<Rgb> {
    let weighted = count_similar(samples);
    // The second value is the error of representing the box by one colour: large for long and well
    // filled boxes.
    let mut boxes = vec![(box_error(&weighted), weighted.clone())];
    while boxes.len() < PALETTE_SIZE {
        let worst = boxes.iter().enumerate().max_by_key(|(_, (badness, _))| *badness);
        let Some(n) = worst.filter(|(_, (badness, _))| *badness > 0).map(|(n, _)| n) else { break };
        let (_, mut held) = boxes.swap_remove(n);
        let (channel, _) = longest_channel(&held);
        held.sort_unstable_by_key(|(colour, _)| colour[channel]);
        let total: u64 = held.iter().map(|(_, weight)| weight).sum();
        let mut passed = 0;
        let cut = held.iter().position(|(_, weight)| {
            passed += weight;
            passed * 2 >= total
        });
        let mut cut = cut.map_or(1, |cut| cut + 1).min(held.len() - 1).max(1);
        while cut < held.len() - 1 && held[cut - 1].0[channel] == held[cut].0[channel] {
            cut += 1;
        }
        let rest = held.split_off(cut);
        boxes.extend([held, rest].map(|held| (box_error(&held), held)));
    }
    let mut colours: Vec<Rgb> = boxes.iter().map(|(_, held)| mean_colour(held)).collect();
    for _ in 0..REFINEMENT_ROUNDS {
        let mut parts = vec![Vec::new(); colours.len()];
        for &(colour, weight) in &weighted {
            parts[nearest_index(&colours, colour)].push((colour, weight));
        }
        for (colour, part) in colours.iter_mut().zip(&parts) {
            if !part.is_empty() {
                *colour = mean_colour(part);
            }
        }
    }
    colours.sort_unstable_by_key(|&[r, g, b]| 3 * u32::from(r) + 6 * u32::from(g) + u32::from(b));
    colours
}

/// Merges colours that are equal in [`WEIGHING_BITS`] bits of each channel, with their counts.
fn count_similar(samples: Vec<Rgb>) -> Vec<(Rgb, u64)> {
    let mut cells = vec![[0u64; 4]; 1 << (3 * WEIGHING_BITS)];
    for colour in samples {
        let [r, g, b] = colour.map(|channel| usize::from(channel >> (8 - WEIGHING_BITS)));
        let cell = &mut cells[(r << (2 * WEIGHING_BITS)) | (g << WEIGHING_BITS) | b];
        (0..3).for_each(|n| cell[n] += u64::from(colour[n]));
        cell[3] += 1;
    }
    let filled = cells.into_iter().filter(|cell| cell[3] > 0);
    filled.map(|[r, g, b, many]| ([r, g, b].map(|sum| (sum / many) as u8), many)).collect()
}

/// Returns the longest channel of a box and its length, weighted by visual perception.
fn longest_channel(held: &[(Rgb, u64)]) -> (usize, u32) {
    let weights = [3, 4, 2];
    let length = |n: usize| {
        let channel = || held.iter().map(|(colour, _)| u32::from(colour[n]));
        weights[n] * (channel().max().unwrap_or(0) - channel().min().unwrap_or(0))
    };
    (0..3).map(|n| (n, length(n))).max_by_key(|&(_, length)| length).unwrap_or((0, 0))
}

fn box_error(held: &[(Rgb, u64)]) -> u64 {
    let weight: u64 = held.iter().map(|(_, weight)| weight).sum();
    let (_, length) = longest_channel(held);
    u64::from(length) * u64::from(length) * (weight + 1)
}

fn mean_colour(held: &[(Rgb, u64)]) -> Rgb {
    let total: u64 = held.iter().map(|(_, weight)| weight).sum();
    [0, 1, 2].map(|n| {
        let sum: u64 = held.iter().map(|(colour, weight)| u64::from(colour[n]) * weight).sum();
        (sum / total.max(1)) as u8
    })
}
