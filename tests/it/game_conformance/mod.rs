//! Checks by random play that every game follows the rules for games.

use caravanserai_games::GameId;
use caravanserai_games::blot::{self, Blot};
use caravanserai_games::rules::{Seat, Token};
use caravanserai_games::thaayam::{self, Thaayam};
use caravanserai_games::togyzkumalak::{Togyzkumalak, Variant};

mod checks;

pub use checks::Seeded;
use checks::{conform, plays_at_a_table};

#[test]
fn togyzkumalak_conforms() {
    for variant in Variant::ALL {
        for seed in 0..150 {
            conform::<Togyzkumalak>(&variant, 2, seed, 2_000, |game| {
                let position = game.position();
                let pits = position.pits();
                let kazans = position.kazans();
                let stones = pits.as_flattened().iter().chain(&kazans).copied();
                assert_eq!(stones.map(u32::from).sum::<u32>(), 162);
            });
        }
    }
}

#[test]
fn thaayam_conforms() {
    let sets = [
        ("standard", 4),
        ("standard", 3),
        ("standard", 2),
        ("pieces=2,throw=auto,exact=no,capture=final", 4),
        ("pieces=3,finish=fortress,obligation=max,kill_again=yes,clockwise=yes", 3),
        ("pieces=1,lost_before_one=track,kill_to_go_in=yes,play_on=yes", 4),
        ("lost_before_one=never,same_turn_bear_off=no,partners=yes,block_on_path=yes", 4),
        ("pieces=2,capture=final,obligation=max,kill_again=yes,kill_to_go_in=yes", 2),
    ];
    for (options, seats) in sets {
        let options = thaayam::ThaayamOptions::read(options).expect("options");
        for seed in 0..2 {
            conform::<Thaayam>(&options, seats, seed, 40_000, |game| {
                let position = game.position_now();
                for seat in (0..position.seats()).map(Seat) {
                    let steps = position.side(seat).steps();
                    assert!(steps.is_sorted());
                    let pieces = usize::from(position.options().pieces);
                    let side = thaayam::PlayerPieces::new(&steps[..pieces]);
                    assert_eq!(side, Some(*position.side(seat)));
                }
            });
        }
    }
}

#[test]
fn blot_conforms() {
    let sets = [
        "standard",
        "target=101,boy_multiplier=235,manual_melds=true,kuansh_any_time=true",
        "target=101,pass_final=true,redeal_dealer=same,min_bid=7,last_word=true,sur_by=bidder",
        "target=101,undertrump=true,suit_rank=true,kaput_min=26,kaput_sticky=other_team",
        "target=101,max_bid=16,bid_after_kuansh=true,rounding=independent,both_reach=bidder",
        "target=101,manual_melds=true,meld_choice=strength,tie_turn=trick2,show_melds=all",
    ];
    for (n, options) in (0..).zip(sets) {
        let options = blot::BlotOptions::read(options).expect("options");
        for seed in 0..4 {
            conform::<Blot>(&options, 4, 100 * n + seed, 5_000, |game| {
                let Some(round) = game.round() else { return };
                let all: u32 = round.hands().iter().map(|hand| hand.count_ones()).sum();
                let played = round.play().map_or(0, |play| {
                    4 * u32::from(play.tricks.tricks_played()) + play.tricks.table().len() as u32
                });
                assert_eq!(all + played, 32);
            });
        }
    }
}

#[test]
fn every_game_is_played_shown_and_told_at_tables() {
    for game in GameId::all() {
        let info = game.info();
        for seats in info.seats.fewest..=info.seats.most {
            plays_at_a_table(*game, &info.default_options(), seats, 7);
        }
    }
}
