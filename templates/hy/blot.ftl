# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = Բլոտ
command-blot = բացել չորս հոգու հայկական բլոտի սեղան
sheet-blot-score = 📋 Հաշվեթերթ
sheet-blot-last = ↩️ Նախորդ քառյակը
sheet-blot-bids = 🗣 Խոսացածը
blot-team = { $first } և { $second }

# What is said and done; labels of buttons

blot-pass = պաս
blot-kuansh = քուանշ
blot-sur = սուր
blot-bid-boy = { $x } բոյ
blot-bid-kaput = { $bid } կապուտ
blot-announce = Ասել կոմբինացիան
blot-announce-other = Ասել մյուսը
blot-show = Ցույց տալ
blot-terz = թերզ
blot-fifty = հիսուն
blot-hundred = հարյուր
blot-four = չորս թուղթ
# A combination with its cards.
blot-meld = { $kind }՝ { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 Նոր ռաունդ։ Բաժանում է { CASE($name, "definite") }։
blot-said = { $name }՝ { $call }
blot-auction = Խոսացին. { $calls }։
blot-thrown-in = Բոլորը պաս ասացին. թղթերը հավաքվում են։
blot-contract = { $bid } ({ $name })
blot-contract-kuansh = { $bid } ({ $name }), քուանշ
blot-contract-sur = { $bid } ({ $name }), քուանշ և սուր
blot-decided = Խաղում են <b>{ $contract }</b>։
blot-announced = { CASE($name, "definite") } ասում է՝ { $kinds }։
blot-shown = { CASE($name, "definite") } ցույց է տալիս՝ { $melds }։
blot-sentences = { $first } { $second }
blot-put = { CASE($name, "definite") } դնում է { $card }։
blot-put-several = Թղթեր՝ { $cards }։
blot-seat-card = { $name }՝ { $card }
blot-blot = { $name }՝ բլոտռեբլոտ, 2 միավոր։
# Card points of the trick.
blot-took = Քառյակը վերցնում է { CASE($name, "definite") } (թղթերի միավորները՝ { $points })։
# Said of a card before it is put: it would win the trick so far.
blot-would-take = առայժմ վերցնում է քառյակը
blot-playing = { $contract }։ Քառյակներ. { $first }՝ { $tricks }, { $second }՝ { $others }։
blot-table = Սեղանին՝ { $cards }։
blot-counting = Հաշվվում են { $side } զույգի կոմբինացիաները՝ { $points }։

# The result of a round

blot-round-made = ✅ { $side } տարան իրենց ասածը՝ { $contract }։
blot-round-under = ❌ { $side } տակ տվեցին՝ { $contract }։
blot-round-cards = Թղթերի միավորները. { $side }՝ { $cards }, { $other }՝ { $others }։
blot-round-outside = Դրսից (կոմբինացիաներ). { $side }՝ { $outside }, { $other }՝ { $others }։
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }՝ խոսացած { $bid } + թուղթ { $cards } + դրսից { $outside } = <b>{ $points }</b>. { $other }՝ <b>{ $others }</b>։
blot-round-sum-fixed = { $side }՝ խոսացած { $bid } + { $base } + դրսից { $outside } = <b>{ $points }</b>. { $other }՝ <b>{ $others }</b>։
blot-score = Հաշիվը. { $first }՝ { $points }, { $second }՝ { $others }
blot-won = 🏆 Խաղը շահեցին { $side }՝ { $points } : { $others }։

# Whose turn it is

blot-dealing = Թղթերը բաժանվում են։
blot-turn-card = 👉 Քայլում է <b>{ CASE($name, "definite") }</b>։
blot-turn-bid = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. { $lowest } կամ ավելի, կամ պաս։
blot-turn-bid-equal = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. { $equal }, { $lowest } կամ ավելի, կամ պաս։
blot-turn-kaput = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. կապուտ՝ { $lowest } կամ ավելի, կամ պաս։
blot-turn-kaput-equal = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. { $equal }, կապուտ՝ { $lowest } կամ ավելի, կամ պաս։
blot-turn-equal = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. { $equal } կամ պաս։
blot-turn-answer = 👉 Քուանշին պատասխանում է <b>{ CASE($name, "definite") }</b>. սուր կամ պաս։
blot-turn-pass = 👉 Խոսում է <b>{ CASE($name, "definite") }</b>. ավելի բարձր խոսել չի կարելի։

# The table in words, and sheets

blot-board-dealer = Բաժանող՝ { $name }։
blot-board-hand = Ձեր թղթերը՝ { $cards }
blot-laid-hand = { $name }՝ { $cards }
blot-board-melds = Դուք ունեք՝ { $melds }։
blot-no-bids = Դեռ ոչ ոք չի խոսել։
blot-no-trick = Այս ռաունդում դեռ ավարտված քառյակ չկա։
blot-last-trick = Նախորդ քառյակը՝ { $cards }։
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = Միավորներ՝ <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = Դեռ ոչ մի ռաունդ գրված չէ։
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>՝ թուղթ { $cards }, կոմբինացիաներ { $outside }։ Հաշիվը՝ { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>՝ թուղթ { $cards }, կոմբինացիաներ { $outside }։ Հաշիվը՝ { $totals }
blot-sheet-times = { $bid } × { $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, խաղում են մինչև { $target }

# Refusals

blot-not-your-turn = Հիմա { CASE($name, "genitive") } հերթն է։
blot-over = Այս խաղն ավարտված է։
blot-no-deal = Թղթերը դեռ բաժանված չեն։
blot-seats = Բլոտ խաղում են չորսով։
blot-auction-first = Նախ խոսեք. օրինակ՝ «12 հատ սիրտ» կամ «պաս»։
blot-auction-over = Խոսելն ավարտված է, հիմա քայլում են թղթերով։
blot-bid-low =
    { $kind ->
        [0] Քիչ է. կարող եք ասել { $lowest } կամ ավելի։
        [1] Քիչ է. կարող եք ասել { $equal }, { $lowest } կամ ավելի։
       *[other] Քիչ է. կարող եք ասել { $equal }։
    }
blot-bid-high = Շատ է. { $highest }-ից ավելի ասել չի կարելի։
blot-bid-highest = Ավելի բարձր խոսել չի կարելի. պաս կամ քուանշ։
blot-bid-none = Ավելի բարձր խոսել չի կարելի։ Կարող եք պաս ասել։
blot-bid-kaput-only = Կապուտ է ասված. հիմա կարելի է խոսել միայն կապուտ՝ { $lowest } կամ ավելի։
blot-bid-kaput-low = Կապուտ կարելի է ասել { $lowest } կամ ավելի թվով։
blot-bid-no-kaput = Կապուտի համար պետք է { $lowest }, իսկ այստեղ ամենաշատը { $highest } է. խոսեք առանց կապուտի կամ պաս ասեք։
blot-bid-after-kuansh = Քուանշից հետո այլևս չեն խոսում. սուր կամ պաս։
blot-kuansh-nothing = Դեռ ոչ ոք չի խոսել, քուանշ անելու բան չկա։ Խոսեք կամ պաս ասեք։
blot-kuansh-own = Սա ձեր զույգի խոսացածն է. քուանշ անում են միայն հակառակորդները։ Կարող եք պաս ասել։
blot-kuansh-twice = Քուանշ արդեն արված է, և խոսելը շարունակվում է. խոսեք ավելի բարձր, եթե կարող եք, կամ պաս ասեք։
blot-sur-nothing = Սուրը քուանշի պատասխանն է, իսկ քուանշ չկա։ Խոսեք կամ պաս ասեք։
blot-sur-bidder = Սրել կարող է միայն նա, ով խոսել է։
blot-sur-others = Սրել կարող է միայն խոսացած զույգը։ Կարող եք պաս ասել։
blot-not-held = Դուք { $card } չունեք։ Կարող եք դնել՝ { $legal }։
blot-must-follow = Դուք { $suit } ունեք. պետք է դնեք այդ մաստից։ Կարող եք դնել՝ { $legal }։
blot-must-follow-trump = Քայլել են կոզրով ({ $suit }), դուք կոզր ունեք. պետք է կոզր դնեք։ Կարող եք դնել՝ { $legal }։
blot-must-overtrump = Քայլել են կոզրով. պետք է { $card }-ից ուժեղ { $suit } դնեք։ Կարող եք դնել՝ { $legal }։
blot-must-cut = Այդ մաստից չունեք. պետք է չախեք կոզրով ({ $suit })։ Կարող եք դնել՝ { $legal }։
blot-must-overcut = Եթե չախում եք, պետք է { $card }-ից ուժեղ { $suit } դնեք։ Կարող եք դնել՝ { $legal }։
blot-no-meld = Հիմա ասելու կամ ցույց տալու կոմբինացիա չկա։ Թուղթ խաղացեք։
blot-melds-automatic = Այս սեղանին կոմբինացիաներն ինքնաբերաբար են ասվում և ցույց տրվում։

# House rules

switch-blot-target = Խաղում են մինչև
switch-blot-target-301 = 301 միավոր
switch-blot-target-151 = 151 միավոր
switch-blot-target-101 = 101 միավոր
switch-blot-boy-multiplier = Բոյի հաշիվը
switch-blot-boy-multiplier-124 = մաստի պես՝ ×1, քուանշ ×2, սուր ×4
switch-blot-boy-multiplier-235 = թանկ՝ ×2, քուանշ ×3, սուր ×5
switch-blot-manual-melds = Կոմբինացիաներն ասում է խաղացողը
switch-blot-manual-melds-false = ոչ
switch-blot-manual-melds-true = այո
switch-blot-undertrump = Պարտադիր է դնել նաև թույլ կոզր
switch-blot-undertrump-false = ոչ
switch-blot-undertrump-true = այո
switch-blot-kuansh-any-time = Քուանշ առանց հերթի
switch-blot-kuansh-any-time-false = ոչ
switch-blot-kuansh-any-time-true = այո
switch-blot-pass-final = Պասը վերջնական է
switch-blot-pass-final-false = ոչ
switch-blot-pass-final-true = այո
switch-blot-redeal-dealer = Չորս պասից հետո
switch-blot-redeal-dealer-next = բաժանում է հաջորդը
switch-blot-redeal-dealer-same = բաժանում է նույն խաղացողը
switch-blot-min-bid = Ամենացածր խոսացածը
switch-blot-min-bid-8 = 8-ից
switch-blot-min-bid-7 = 7-ից
switch-blot-min-bid-9 = 9-ից
switch-blot-min-bid-10 = 10-ից
switch-blot-max-bid = Ամենաբարձր խոսացածը
switch-blot-max-bid-84 = մինչև 84
switch-blot-max-bid-80 = մինչև 80
switch-blot-max-bid-16 = մինչև 16
switch-blot-suit-rank = Մաստերն ունեն կարգ՝ ♣ ♦ ♥ ♠ բոյ
switch-blot-suit-rank-false = ոչ
switch-blot-suit-rank-true = այո
switch-blot-last-word = Վերջին խոսքը խոսացողինն է
switch-blot-last-word-false = ոչ
switch-blot-last-word-true = այո
switch-blot-sur-by = Ով կարող է սրել
switch-blot-sur-by-team = զույգի երկու խաղացողն էլ
switch-blot-sur-by-bidder = միայն խոսացողը
switch-blot-bid-after-kuansh = Քուանշից հետո շարունակում են խոսել
switch-blot-bid-after-kuansh-false = ոչ
switch-blot-bid-after-kuansh-true = այո
switch-blot-kaput-min = Կապուտ կարելի է ասել
switch-blot-kaput-min-25 = 25-ից
switch-blot-kaput-min-26 = 26-ից
switch-blot-kaput-sticky = Կապուտից հետո միայն կապուտ
switch-blot-kaput-sticky-all = բոլորի համար
switch-blot-kaput-sticky-other-team = մյուս զույգի համար
switch-blot-made-test = Խոսացածը համեմատում են
switch-blot-made-test-raw = ճիշտ միավորների հետ
switch-blot-made-test-rounded = կլորացված միավորների հետ
switch-blot-rounding = Վեցը կլորացնում են վեր
switch-blot-rounding-defender6up = պաշտպանվողների օգտին
switch-blot-rounding-bidder6up = խոսացողների օգտին
switch-blot-rounding-lower6up = քիչ ունեցողի օգտին
switch-blot-rounding-independent = երկուսի օգտին էլ
switch-blot-rounding-floor = երբեք
switch-blot-fail-keep = Տակ տվողը պահում է
switch-blot-fail-keep-nothing = ոչինչ
switch-blot-fail-keep-blot = իր բլոտռեբլոտը
switch-blot-kuansh-keep = Քուանշը տանուլ տվողը պահում է
switch-blot-kuansh-keep-nothing = ոչինչ
switch-blot-kuansh-keep-blot = իր բլոտռեբլոտը
switch-blot-fail-base-kaput = Բոլոր քառյակները տակ տալիս
switch-blot-fail-base-kaput-25 = հաշվվում են 25
switch-blot-fail-base-kaput-16 = հաշվվում են 16
switch-blot-no-trick-fails = Առանց քառյակի տակ են տալիս
switch-blot-no-trick-fails-false = ոչ
switch-blot-no-trick-fails-true = այո
switch-blot-four-values = Չորս թուղթ
switch-blot-four-values-seed = տուզեր 10, բոյում՝ տուզեր 19, վալետներ 20, իննոցներ 10
switch-blot-four-values-aces11 = տուզեր 11, բոյում՝ տուզեր 19, վալետներ 10, իննոցներ 0
switch-blot-long-runs = Ութ հաջորդական
switch-blot-long-runs-split = հարյուր և թերզ
switch-blot-long-runs-single = մեկ հարյուր
switch-blot-meld-choice = Հատվող կոմբինացիաներից
switch-blot-meld-choice-value = վերցնում են թանկը
switch-blot-meld-choice-strength = վերցնում են ուժեղը
switch-blot-tie-turn = Հավասար կոմբինացիաներից
switch-blot-tie-turn-trick1 = առաջին քառյակի հերթով առաջինը
switch-blot-tie-turn-trick2 = երկրորդ քառյակի հերթով առաջինը
switch-blot-show-melds = Կոմբինացիաները ցույց է տալիս
switch-blot-show-melds-counting = այն զույգը, որինը հաշվվում է
switch-blot-show-melds-all = ամեն ոք
switch-blot-both-reach = Երկուսն էլ հասան
switch-blot-both-reach-higher = հաղթում է շատը
switch-blot-both-reach-bidder = հաղթում են խոսացողները
chart-blot = 📈 Երկու կողմերի միավորները ռաունդ առ ռաունդ (սեղան <code>{ $table }</code>)։ Հորիզոնական գիծը խաղի նպատակն է։

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = խոսացած խաղեր՝ { $count }
blot-count-made = տարված՝ { $count }
blot-count-stopped = կանգնեցրած խաղեր՝ { $count }
blot-count-kaputs = կապուտներ՝ { $count }
blot-favourites-trump = Խոսացած խաղերն ըստ կոզրի՝ { $ways }
blot-favourite-trump = { $way } (խոսացած՝ { $count }, տարված՝ { $good })
blot-trump-boy = բոյ
blot-achieved-contract = Առաջին խոսացածը
blot-achieved-contract-rule = տարեք ձեր խոսացածը. վերցրեք առնվազն այնքան միավոր, որքան ասել եք։
blot-achieved-stopped = Կանգնեցված
blot-achieved-stopped-rule = թույլ մի՛ տվեք մրցակիցներին տանել իրենց խոսացածը. ռաունդի բոլոր միավորները ձերն են։
blot-achieved-kaput = Կապուտ
blot-achieved-kaput-rule = վերցրեք ռաունդի բոլոր ութ քառյակները. դա 16-ի փոխարեն 25 է։
