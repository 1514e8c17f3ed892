//! Evaluates and trains a small network over sets of features: the weight rows of a set are added,
//! passed through a ReLU and read by a linear layer; the outputs of several sets ("bags", for
//! example one for each plain suit) are added.

use crate::search::SeededRng;

/// A network with `H` hidden units, a multiple of eight, and `O` outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct AuctionNet<const H: usize, const O: usize> {
    rows: Vec<[f32; H]>,
    bias: [f32; H],
    out: [[f32; H]; O],
    out_bias: [f32; O],
}

impl<const H: usize, const O: usize> AuctionNet<H, O> {
    /// Random small weights for this number of features.
    pub fn random(features: usize, rng: &mut SeededRng) -> Self {
        let mut number = |range: f32| {
            let unit = (rng.bits() >> 40) as f32 / (1u64 << 24) as f32;
            (2.0 * unit - 1.0) * range
        };
        let range_out = (1.0 / H as f32).sqrt();
        Self {
            rows: (0..features).map(|_| std::array::from_fn(|_| number(0.2))).collect(),
            bias: std::array::from_fn(|_| number(0.1)),
            out: std::array::from_fn(|_| std::array::from_fn(|_| number(range_out))),
            out_bias: [0.0; O],
        }
    }

    /// The hidden sum of an empty bag.
    pub fn start(&self) -> [f32; H] {
        self.bias
    }

    /// The row of one feature.
    pub fn row(&self, feature: usize) -> &[f32; H] {
        &self.rows[feature]
    }

    /// Adds the contribution of one bag to the outputs.
    pub fn read(&self, sum: &[f32; H], outputs: &mut [f32; O]) {
        for (output, weights) in outputs.iter_mut().zip(&self.out) {
            // Eight parallel sums, so that the compiler can use SIMD.
            let mut lanes = [0.0f32; 8];
            for (weights, sum) in weights.chunks_exact(8).zip(sum.chunks_exact(8)) {
                for lane in 0..8 {
                    lanes[lane] += weights[lane] * sum[lane].max(0.0);
                }
            }
            *output += lanes.iter().sum::<f32>();
        }
    }

    /// The outputs before any bag.
    pub fn nothing(&self) -> [f32; O] {
        self.out_bias
    }

    /// The outputs for these bags of features.
    pub fn of(&self, bags: &[&[u16]]) -> [f32; O] {
        let mut outputs = self.nothing();
        for bag in bags {
            let mut sum = self.start();
            for feature in *bag {
                add(&mut sum, self.row(usize::from(*feature)));
            }
            self.read(&sum, &mut outputs);
        }
        outputs
    }

    fn parts(&self) -> [Vec<f32>; 4] {
        [self.rows.concat(), self.bias.to_vec(), self.out.concat(), self.out_bias.to_vec()]
    }

    /// Writes sixteen bits for each weight, with one scale for each part.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        for part in self.parts() {
            let top = part.iter().fold(1e-6f32, |top, weight| top.max(weight.abs()));
            let scale = top / f32::from(i16::MAX);
            bytes.extend_from_slice(&scale.to_le_bytes());
            for weight in part {
                bytes.extend_from_slice(&((weight / scale).round() as i16).to_le_bytes());
            }
        }
    }

    /// Reads what [`AuctionNet::write`] writes; `None` if the bytes are too short.
    pub fn read_from(features: usize, bytes: &mut &[u8]) -> Option<Self> {
        let mut part = |len: usize| -> Option<Vec<f32>> {
            let (scale, rest) = bytes.split_first_chunk::<4>()?;
            let scale = f32::from_le_bytes(*scale);
            let (weights, rest) = rest.split_at_checked(2 * len)?;
            *bytes = rest;
            let weight = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) * scale;
            Some(weights.chunks_exact(2).map(weight).collect())
        };
        let rows = part(features * H)?;
        let bias = part(H)?;
        let out = part(H * O)?;
        let out_bias = part(O)?;
        let in_rows = |flat: &[f32]| -> Vec<[f32; H]> {
            flat.chunks_exact(H).map(|row| std::array::from_fn(|n| row[n])).collect()
        };
        Some(Self {
            rows: in_rows(&rows),
            bias: bias.try_into().ok()?,
            out: in_rows(&out).try_into().ok()?,
            out_bias: out_bias.try_into().ok()?,
        })
    }
}

/// Adds a row to a sum.
pub fn add<const H: usize>(sum: &mut [f32; H], row: &[f32; H]) {
    for (sum, weight) in sum.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// Trains a network by single examples; the steps of every weight shrink as it learns (Adagrad:
/// Duchi, Hazan, Singer 2011).
pub struct Teacher<const H: usize, const O: usize> {
    /// The network.
    pub net: AuctionNet<H, O>,
    seen: AuctionNet<H, O>,
    rate: f32,
}

impl<const H: usize, const O: usize> Teacher<H, O> {
    /// Starts to train this network with this learning rate.
    pub fn new(net: AuctionNet<H, O>, rate: f32) -> Self {
        let mut seen = net.clone();
        seen.rows.iter_mut().for_each(|row| *row = [0.01; H]);
        seen.bias = [0.01; H];
        seen.out = [[0.01; H]; O];
        seen.out_bias = [0.01; O];
        Self { net, seen, rate }
    }

    /// Changes the learning rate.
    pub fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    /// Trains with one example; `slope` gives the derivative of the loss by the outputs.
    pub fn teach(&mut self, bags: &[&[u16]], slope: impl FnOnce(&[f32; O]) -> [f32; O]) {
        let mut outputs = self.net.nothing();
        let mut sums = Vec::with_capacity(bags.len());
        for bag in bags {
            let mut sum = self.net.start();
            for feature in *bag {
                add(&mut sum, self.net.row(usize::from(*feature)));
            }
            self.net.read(&sum, &mut outputs);
            sums.push(sum);
        }
        let slope = slope(&outputs);
        for (bag, sum) in bags.iter().zip(&sums) {
            let mut gradient = [0.0; H];
            for (weights, slope) in self.net.out.iter().zip(&slope) {
                for n in 0..H {
                    gradient[n] += if sum[n] > 0.0 { weights[n] * slope } else { 0.0 };
                }
            }
            for feature in *bag {
                let at = usize::from(*feature);
                step(&mut self.net.rows[at], &mut self.seen.rows[at], &gradient, self.rate);
            }
            step(&mut self.net.bias, &mut self.seen.bias, &gradient, self.rate);
        }
        for (output, slope) in slope.iter().enumerate() {
            let gradient: [f32; H] = std::array::from_fn(|n| {
                sums.iter().map(|sum| sum[n].max(0.0)).sum::<f32>() * slope
            });
            step(&mut self.net.out[output], &mut self.seen.out[output], &gradient, self.rate);
        }
        step(&mut self.net.out_bias, &mut self.seen.out_bias, &slope, self.rate);
    }
}

fn step<const N: usize>(
    weights: &mut [f32; N],
    seen: &mut [f32; N],
    gradient: &[f32; N],
    rate: f32,
) {
    for n in 0..N {
        seen[n] += gradient[n] * gradient[n];
        weights[n] -= rate * gradient[n] / seen[n].sqrt();
    }
}
