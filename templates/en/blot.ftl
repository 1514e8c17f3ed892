# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = Blot
command-blot = open a table of Armenian Blot for four
sheet-blot-score = 📋 Score sheet
sheet-blot-last = ↩️ Last trick
sheet-blot-bids = 🗣 Bids
blot-team = { $first } and { $second }

# Calls and actions; labels of buttons

blot-pass = pass
blot-kuansh = kuansh
blot-sur = sur
blot-bid-boy = { $x } no trump
blot-bid-kaput = { $bid } kaput
blot-announce = Announce
blot-announce-other = Announce the other set
blot-show = Show
blot-terz = terz
blot-fifty = fifty
blot-hundred = hundred
blot-four = four of a kind
# A combination with its cards.
blot-meld = { $kind } { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 New deal. Dealer: { $name }.
blot-said = { $name }: { $call }
blot-auction = Auction: { $calls }.
blot-thrown-in = Everybody passed: the cards are thrown in.
blot-contract = { $bid } by { $name }
blot-contract-kuansh = { $bid } by { $name }, kuansh
blot-contract-sur = { $bid } by { $name }, kuansh and sur
blot-decided = They play <b>{ $contract }</b>.
blot-announced = { $name } announces: { $kinds }.
blot-shown = { $name } shows: { $melds }.
blot-sentences = { $first } { $second }
blot-put = { $name } plays { $card }.
blot-put-several = Cards: { $cards }.
blot-seat-card = { $name }: { $card }
blot-blot = { $name }: blot-reblot, 2 points.
# Card points of the trick.
blot-took = { $name } takes the trick (card points: { $points }).
# A note on a card before it is played: it would win the trick so far.
blot-would-take = currently wins the trick
blot-playing = { $contract }. Tricks won – { $first }: { $tricks }, { $second }: { $others }.
blot-table = On the table: { $cards }.
blot-counting = The combinations of { $side } count: { $points }.

# The result of a deal

blot-round-made = ✅ { $side } made it: { $contract }.
blot-round-under = ❌ { $side } went under: { $contract }.
blot-round-cards = Card points – { $side }: { $cards }, { $other }: { $others }.
blot-round-outside = Outside (combinations) – { $side }: { $outside }, { $other }: { $others }.
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }: bid { $bid } + cards { $cards } + outside { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-round-sum-fixed = { $side }: bid { $bid } + { $base } + outside { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-score = Score – { $first }: { $points }, { $second }: { $others }
blot-won = 🏆 { $side } have won the match { $points } : { $others }.

# Whose turn it is

blot-dealing = The cards are being dealt.
blot-turn-card = 👉 <b>{ $name }</b> is to play.
blot-turn-bid = 👉 <b>{ $name }</b> bids: { $lowest } or more, or pass.
blot-turn-bid-equal = 👉 <b>{ $name }</b> bids: { $equal }, { $lowest } or more, or pass.
blot-turn-kaput = 👉 <b>{ $name }</b> bids: kaput with { $lowest } or more, or pass.
blot-turn-kaput-equal = 👉 <b>{ $name }</b> bids: { $equal }, kaput with { $lowest } or more, or pass.
blot-turn-equal = 👉 <b>{ $name }</b> bids: { $equal }, or pass.
blot-turn-answer = 👉 <b>{ $name }</b> answers the kuansh: sur or pass.
blot-turn-pass = 👉 <b>{ $name }</b> bids: no higher bid is possible.

# The table in words, and sheets

blot-board-dealer = Dealer: { $name }.
blot-board-hand = Your hand: { $cards }
blot-laid-hand = { $name }: { $cards }
blot-board-melds = You hold: { $melds }.
blot-no-bids = Nobody has bid yet.
blot-no-trick = There is no finished trick in this deal yet.
blot-last-trick = Last trick: { $cards }.
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = Points of <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = No deal has been scored yet.
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>: cards { $cards }, combinations { $outside }. Score: { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>: cards { $cards }, combinations { $outside }. Score: { $totals }
blot-sheet-times = { $bid } ×{ $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, the match goes to { $target }

# Refusals

blot-not-your-turn = It’s { $name }’s turn.
blot-over = This match is over.
blot-no-deal = The cards aren’t dealt yet.
blot-seats = Blot is played by four.
blot-auction-first = First the auction: make a bid such as “12 hearts”, or pass.
blot-auction-over = The auction is over; now cards are played.
blot-bid-low =
    { $kind ->
        [0] Too low: bid { $lowest } or more.
        [1] Too low: bid { $equal }, { $lowest } or more.
       *[other] Too low: bid { $equal }.
    }
blot-bid-high = Too high: the highest bid is { $highest }.
blot-bid-highest = Nobody can bid higher: pass or kuansh.
blot-bid-none = Nobody can bid higher. You can pass.
blot-bid-kaput-only = Kaput was bid: now only kaput bids are allowed, with { $lowest } or more.
blot-bid-kaput-low = Kaput can be bid with { $lowest } or more.
blot-bid-no-kaput = Kaput needs { $lowest }, and the highest bid here is { $highest }: bid without kaput, or pass.
blot-bid-after-kuansh = After a kuansh there is no more bidding: sur or pass.
blot-kuansh-nothing = Nothing has been bid yet, so kuansh has no bid to answer. Bid or pass.
blot-kuansh-own = This is the bid of your own side: only opponents may say kuansh. You can pass.
blot-kuansh-twice = Kuansh has been said already, and the bidding goes on: bid higher if you can, or pass.
blot-sur-nothing = Sur answers a kuansh, and there is none. Bid or pass.
blot-sur-bidder = Only the player who made the bid may answer with sur.
blot-sur-others = Only the side that made the bid may say sur. You can pass.
blot-not-held = You don’t hold { $card }. You can play { $legal }.
blot-must-follow = You have { $suit }: you must follow suit. You can play { $legal }.
blot-must-follow-trump = Trump { $suit } was led and you have trumps: you must play one. You can play { $legal }.
blot-must-overtrump = Trump was led: you must beat { $card } with a higher { $suit }. You can play { $legal }.
blot-must-cut = You have no card of the suit led: you must cut with a trump { $suit }. You can play { $legal }.
blot-must-overcut = If you cut, your trump must beat { $card }: play a higher { $suit }. You can play { $legal }.
blot-no-meld = There is no combination to announce or show now. Play a card.
blot-melds-automatic = Combinations are announced and shown automatically at this table.

# House rules

switch-blot-target = The match goes to
switch-blot-target-301 = 301 points
switch-blot-target-151 = 151 points
switch-blot-target-101 = 101 points
switch-blot-boy-multiplier = Boy counts
switch-blot-boy-multiplier-124 = as a suit: ×1, kuansh ×2, sur ×4
switch-blot-boy-multiplier-235 = more: ×2, kuansh ×3, sur ×5
switch-blot-manual-melds = Combinations by hand
switch-blot-manual-melds-false = no
switch-blot-manual-melds-true = yes
switch-blot-undertrump = A lower trump must be played too
switch-blot-undertrump-false = no
switch-blot-undertrump-true = yes
switch-blot-kuansh-any-time = Kuansh out of turn
switch-blot-kuansh-any-time-false = no
switch-blot-kuansh-any-time-true = yes
switch-blot-pass-final = A pass is final
switch-blot-pass-final-false = no
switch-blot-pass-final-true = yes
switch-blot-redeal-dealer = After four passes
switch-blot-redeal-dealer-next = the next player deals
switch-blot-redeal-dealer-same = the same player deals
switch-blot-min-bid = The lowest bid
switch-blot-min-bid-8 = from 8
switch-blot-min-bid-7 = from 7
switch-blot-min-bid-9 = from 9
switch-blot-min-bid-10 = from 10
switch-blot-max-bid = The highest bid
switch-blot-max-bid-84 = up to 84
switch-blot-max-bid-80 = up to 80
switch-blot-max-bid-16 = up to 16
switch-blot-suit-rank = Suits are ranked ♣ ♦ ♥ ♠ boy
switch-blot-suit-rank-false = no
switch-blot-suit-rank-true = yes
switch-blot-last-word = The bidder has the last word
switch-blot-last-word-false = no
switch-blot-last-word-true = yes
switch-blot-sur-by = Who may say sur
switch-blot-sur-by-team = both players of the side
switch-blot-sur-by-bidder = the bidder alone
switch-blot-bid-after-kuansh = Bidding goes on after kuansh
switch-blot-bid-after-kuansh-false = no
switch-blot-bid-after-kuansh-true = yes
switch-blot-kaput-min = Kaput may be said
switch-blot-kaput-min-25 = from 25
switch-blot-kaput-min-26 = from 26
switch-blot-kaput-sticky = After kaput only kaput
switch-blot-kaput-sticky-all = for everybody
switch-blot-kaput-sticky-other-team = for the other side
switch-blot-made-test = The bid is compared with
switch-blot-made-test-raw = exact points
switch-blot-made-test-rounded = rounded points
switch-blot-rounding = A six is rounded up
switch-blot-rounding-defender6up = for the defenders
switch-blot-rounding-bidder6up = for the bidders
switch-blot-rounding-lower6up = for the side with fewer points
switch-blot-rounding-independent = for both sides
switch-blot-rounding-floor = never
switch-blot-fail-keep = The side that goes under keeps
switch-blot-fail-keep-nothing = nothing
switch-blot-fail-keep-blot = their blot-reblot
switch-blot-kuansh-keep = The side that loses a kuansh keeps
switch-blot-kuansh-keep-nothing = nothing
switch-blot-kuansh-keep-blot = their blot-reblot
switch-blot-fail-base-kaput = All tricks against a failed bid
switch-blot-fail-base-kaput-25 = count 25
switch-blot-fail-base-kaput-16 = count 16
switch-blot-no-trick-fails = Without a trick the bid fails
switch-blot-no-trick-fails-false = no
switch-blot-no-trick-fails-true = yes
switch-blot-four-values = Four of a kind
switch-blot-four-values-seed = aces 10; in boy aces 19, jacks 20, nines 10
switch-blot-four-values-aces11 = aces 11; in boy aces 19, jacks 10, nines 0
switch-blot-long-runs = Eight in a row
switch-blot-long-runs-split = hundred and terz
switch-blot-long-runs-single = one hundred
switch-blot-meld-choice = Of overlapping combinations
switch-blot-meld-choice-value = the one worth most counts
switch-blot-meld-choice-strength = the strongest counts
switch-blot-tie-turn = Of equal combinations
switch-blot-tie-turn-trick1 = first in turn at the first trick
switch-blot-tie-turn-trick2 = first in turn at the second trick
switch-blot-show-melds = Combinations are shown by
switch-blot-show-melds-counting = the side that counts them
switch-blot-show-melds-all = everybody
switch-blot-both-reach = Both sides reach the target
switch-blot-both-reach-higher = the higher total wins
switch-blot-both-reach-bidder = the bidders win
chart-blot = 📈 Points of both sides, deal by deal (table <code>{ $table }</code>). The horizontal line is the goal of the match.

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = contracts: { $count }
blot-count-made = made: { $count }
blot-count-stopped = contracts of others stopped: { $count }
blot-count-kaputs = kaputs: { $count }
blot-favourites-trump = Contracts by trump: { $ways }
blot-favourite-trump = { $way } (made { $good } of { $count })
blot-trump-boy = no trump
blot-achieved-contract = First contract
blot-achieved-contract-rule = make a contract that you have bid: take at least as many points as you bid.
blot-achieved-stopped = Stopped
blot-achieved-stopped-rule = keep the other side from making its contract: all points of the deal are yours.
blot-achieved-kaput = Kaput
blot-achieved-kaput-rule = take all eight tricks of a deal: this counts 25 instead of 16.
