# Blot. $name is a player, bids and cards are written with the signs of their suits.

# Names

game-blot = ப்ளோட்
command-blot = நால்வருக்கான ஆர்மேனிய ப்ளோட் மேசையைத் திறக்க
sheet-blot-score = 📋 புள்ளித் தாள்
sheet-blot-last = ↩️ கடைசிப் பிடி
sheet-blot-bids = 🗣 கேள்விகள்
blot-team = { $first } மற்றும் { $second }

# What is said and done; labels of buttons

blot-pass = பாஸ்
blot-kuansh = குவான்ஷ்
blot-sur = சுர்
blot-bid-boy = { $x } போய்
blot-bid-kaput = { $bid } கபூட்
blot-announce = அறிவி
blot-announce-other = மற்றதை அறிவி
blot-show = காட்டு
blot-terz = டெர்ஸ்
blot-fifty = ஐம்பது
blot-hundred = நூறு
blot-four = ஒரே சீட்டு நான்கு
# A combination with its cards.
blot-meld = { $kind }: { $cards }

# What happened; $name is a player, $side and $other are the two players of a side

blot-dealt = 🃏 புதிய சுற்று. சீட்டு போடுபவர்: { $name }.
blot-said = { $name }: { $call }
blot-auction = ஏலம்: { $calls }.
blot-thrown-in = எல்லோரும் பாஸ்: சீட்டுகள் கலைக்கப்பட்டன.
blot-contract = { $bid } ({ $name })
blot-contract-kuansh = { $bid } ({ $name }), குவான்ஷ்
blot-contract-sur = { $bid } ({ $name }), குவான்ஷ் மற்றும் சுர்
blot-decided = ஆட்டம்: <b>{ $contract }</b>.
blot-announced = { $name } அறிவிக்கிறார்: { $kinds }.
blot-shown = { $name } காட்டுகிறார்: { $melds }.
blot-sentences = { $first } { $second }
blot-put = { $name } { $card } போடுகிறார்.
blot-put-several = சீட்டுகள்: { $cards }.
blot-seat-card = { $name }: { $card }
blot-blot = { $name }: ப்ளோட்-ரெப்ளோட், 2 புள்ளிகள்.
# Card points of the trick.
blot-took = { $name } பிடியை எடுக்கிறார் (சீட்டுப் புள்ளிகள்: { $points }).
# Said of a card before it is put: it would win the trick so far.
blot-would-take = இப்போதைக்குப் பிடியை எடுக்கும்
blot-playing = { $contract }. பிடிகள் – { $first }: { $tricks }, { $second }: { $others }.
blot-table = மேசையில்: { $cards }.
blot-counting = { $side }-இன் சேர்க்கைகள் எண்ணப்படும்: { $points }.

# The result of a round

blot-round-made = ✅ { $side } சொன்னதைச் செய்தனர்: { $contract }.
blot-round-under = ❌ { $side } எட்டவில்லை: { $contract }.
blot-round-cards = சீட்டுப் புள்ளிகள் – { $side }: { $cards }, { $other }: { $others }.
blot-round-outside = வெளியே (சேர்க்கைகள்) – { $side }: { $outside }, { $other }: { $others }.
# $bid is what the bid brings, $cards card points in tens, $outside combinations and blot-reblot.
blot-round-sum-made = { $side }: கேள்வி { $bid } + சீட்டு { $cards } + வெளியே { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-round-sum-fixed = { $side }: கேள்வி { $bid } + { $base } + வெளியே { $outside } = <b>{ $points }</b>; { $other }: <b>{ $others }</b>.
blot-score = புள்ளிகள் – { $first }: { $points }, { $second }: { $others }
blot-won = 🏆 { $side } ஆட்டத்தை வென்றனர் { $points } : { $others }.

# Whose turn it is

blot-dealing = சீட்டு போடப்படுகிறது.
blot-turn-card = 👉 ஆட வேண்டியவர்: <b>{ $name }</b>.
blot-turn-bid = 👉 கேட்க வேண்டியவர்: <b>{ $name }</b>: { $lowest } அல்லது அதிகம், இல்லையேல் பாஸ்.
blot-turn-bid-equal = 👉 கேட்க வேண்டியவர்: <b>{ $name }</b>: { $equal }, { $lowest } அல்லது அதிகம், இல்லையேல் பாஸ்.
blot-turn-kaput = 👉 கேட்க வேண்டியவர்: <b>{ $name }</b>: { $lowest } அல்லது அதிகத்துடன் கபூட், இல்லையேல் பாஸ்.
blot-turn-kaput-equal = 👉 கேட்க வேண்டியவர்: <b>{ $name }</b>: { $equal }, { $lowest } அல்லது அதிகத்துடன் கபூட், இல்லையேல் பாஸ்.
blot-turn-equal = 👉 கேட்க வேண்டியவர்: <b>{ $name }</b>: { $equal }, இல்லையேல் பாஸ்.
blot-turn-answer = 👉 குவான்ஷுக்குப் பதில் சொல்பவர்: <b>{ $name }</b>: சுர் அல்லது பாஸ்.
blot-turn-pass = 👉 பேச வேண்டியவர்: <b>{ $name }</b>: இதற்கு மேல் கேட்க முடியாது.

# The table in words, and sheets

blot-board-dealer = சீட்டு போடுபவர்: { $name }.
blot-board-hand = உங்கள் சீட்டுகள்: { $cards }
blot-laid-hand = { $name }: { $cards }
blot-board-melds = உங்களிடம்: { $melds }.
blot-no-bids = இன்னும் யாரும் கேட்கவில்லை.
blot-no-trick = இந்தச் சுற்றில் இன்னும் ஒரு பிடியும் முடியவில்லை.
blot-last-trick = கடைசிப் பிடி: { $cards }.
# The score sheet: numbers are always those of the reader’s side first.
blot-sheet-head = புள்ளிகள்: <b>{ $we }</b> : <b>{ $you }</b>
blot-sheet-empty = இன்னும் எந்தச் சுற்றும் எழுதப்படவில்லை.
blot-sheet-made = { $number }. { $bid } { $name } ✅ <b>{ $points }</b>: சீட்டு { $cards }, சேர்க்கைகள் { $outside }. மொத்தம்: { $totals }
blot-sheet-under = { $number }. { $bid } { $name } ❌ <b>{ $points }</b>: சீட்டு { $cards }, சேர்க்கைகள் { $outside }. மொத்தம்: { $totals }
blot-sheet-times = { $bid } ×{ $times }
blot-sheet-total = <b>{ $points } : { $others }</b>, ஆட்டம் { $target } வரை

# Refusals

blot-not-your-turn = இப்போது { $name }-இன் முறை.
blot-over = இந்த ஆட்டம் முடிந்துவிட்டது.
blot-no-deal = சீட்டு இன்னும் போடப்படவில்லை.
blot-seats = ப்ளோட் நால்வர் ஆடும் விளையாட்டு.
blot-auction-first = முதலில் ஏலம்: “12♥” போல் கேளுங்கள், அல்லது பாஸ்.
blot-auction-over = ஏலம் முடிந்தது; இனி சீட்டு ஆட்டம்.
blot-bid-low =
    { $kind ->
        [0] குறைவு: { $lowest } அல்லது அதிகம் கேட்கலாம்.
        [1] குறைவு: { $equal }, { $lowest } அல்லது அதிகம் கேட்கலாம்.
       *[other] குறைவு: { $equal } கேட்கலாம்.
    }
blot-bid-high = மிக அதிகம்: அதிகபட்சம் { $highest }.
blot-bid-highest = இதற்கு மேல் யாரும் கேட்க முடியாது: பாஸ் அல்லது குவான்ஷ்.
blot-bid-none = இதற்கு மேல் யாரும் கேட்க முடியாது. நீங்கள் பாஸ் சொல்லலாம்.
blot-bid-kaput-only = கபூட் சொல்லப்பட்டது: இனி { $lowest } அல்லது அதிகத்துடன் கபூட் மட்டுமே.
blot-bid-kaput-low = கபூட் { $lowest } அல்லது அதிகத்துடன் சொல்லலாம்.
blot-bid-no-kaput = கபூட்டுக்கு { $lowest } வேண்டும், இங்கே அதிகபட்சம் { $highest }: கபூட் இல்லாமல் கேளுங்கள் அல்லது பாஸ் சொல்லுங்கள்.
blot-bid-after-kuansh = குவான்ஷுக்குப் பிறகு கேட்க முடியாது: சுர் அல்லது பாஸ்.
blot-kuansh-nothing = இன்னும் யாரும் கேட்கவில்லை, குவான்ஷ் சொல்ல எதுவும் இல்லை. கேளுங்கள் அல்லது பாஸ் சொல்லுங்கள்.
blot-kuansh-own = இது உங்கள் பக்கத்தின் கேள்வி: எதிராளிகள் மட்டுமே குவான்ஷ் சொல்லலாம். நீங்கள் பாஸ் சொல்லலாம்.
blot-kuansh-twice = குவான்ஷ் ஏற்கனவே சொல்லப்பட்டது, ஏலம் தொடர்கிறது: முடிந்தால் அதிகம் கேளுங்கள், அல்லது பாஸ் சொல்லுங்கள்.
blot-sur-nothing = சுர் என்பது குவான்ஷுக்குப் பதில், குவான்ஷ் எதுவும் இல்லை. கேளுங்கள் அல்லது பாஸ் சொல்லுங்கள்.
blot-sur-bidder = கேட்டவர் மட்டுமே சுர் சொல்லலாம்.
blot-sur-others = கேட்ட பக்கம் மட்டுமே சுர் சொல்லலாம். நீங்கள் பாஸ் சொல்லலாம்.
blot-not-held = உங்களிடம் { $card } இல்லை. ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-must-follow = உங்களிடம் { $suit } இருக்கிறது: அதே இனத்தைப் போட வேண்டும். ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-must-follow-trump = துருப்பு { $suit } இறங்கியது, உங்களிடம் துருப்பு இருக்கிறது: அதைப் போட வேண்டும். ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-must-overtrump = துருப்பு இறங்கியது: { $card }-ஐ உயர்ந்த { $suit } கொண்டு வெல்ல வேண்டும். ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-must-cut = அந்த இனம் உங்களிடம் இல்லை: துருப்பு { $suit } கொண்டு வெட்ட வேண்டும். ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-must-overcut = வெட்டினால் உங்கள் துருப்பு { $card }-ஐ வெல்ல வேண்டும்: உயர்ந்த { $suit } போடுங்கள். ஆடக்கூடிய சீட்டுகள்: { $legal }.
blot-no-meld = இப்போது அறிவிக்கவோ காட்டவோ சேர்க்கை இல்லை. ஒரு சீட்டைப் போடுங்கள்.
blot-melds-automatic = இந்த மேசையில் சேர்க்கைகள் தாமாகவே அறிவிக்கப்பட்டுக் காட்டப்படும்.

# House rules

switch-blot-target = ஆட்டம் எதுவரை
switch-blot-target-301 = 301 புள்ளிகள்
switch-blot-target-151 = 151 புள்ளிகள்
switch-blot-target-101 = 101 புள்ளிகள்
switch-blot-boy-multiplier = போய் கணக்கு
switch-blot-boy-multiplier-124 = இனம் போல: ×1, குவான்ஷ் ×2, சுர் ×4
switch-blot-boy-multiplier-235 = அதிகம்: ×2, குவான்ஷ் ×3, சுர் ×5
switch-blot-manual-melds = சேர்க்கைகளை ஆட்டக்காரர் சொல்வது
switch-blot-manual-melds-false = இல்லை
switch-blot-manual-melds-true = ஆம்
switch-blot-undertrump = சிறிய துருப்பையும் போட வேண்டும்
switch-blot-undertrump-false = இல்லை
switch-blot-undertrump-true = ஆம்
switch-blot-kuansh-any-time = முறை இல்லாமல் குவான்ஷ்
switch-blot-kuansh-any-time-false = இல்லை
switch-blot-kuansh-any-time-true = ஆம்
switch-blot-pass-final = பாஸ் சொன்னால் முடிவு
switch-blot-pass-final-false = இல்லை
switch-blot-pass-final-true = ஆம்
switch-blot-redeal-dealer = நான்கு பாஸுக்குப் பிறகு
switch-blot-redeal-dealer-next = அடுத்தவர் சீட்டு போடுவார்
switch-blot-redeal-dealer-same = அவரே சீட்டு போடுவார்
switch-blot-min-bid = குறைந்த கேள்வி
switch-blot-min-bid-8 = 8 முதல்
switch-blot-min-bid-7 = 7 முதல்
switch-blot-min-bid-9 = 9 முதல்
switch-blot-min-bid-10 = 10 முதல்
switch-blot-max-bid = அதிகக் கேள்வி
switch-blot-max-bid-84 = 84 வரை
switch-blot-max-bid-80 = 80 வரை
switch-blot-max-bid-16 = 16 வரை
switch-blot-suit-rank = இனங்களின் வரிசை ♣ ♦ ♥ ♠ போய்
switch-blot-suit-rank-false = இல்லை
switch-blot-suit-rank-true = ஆம்
switch-blot-last-word = கேட்டவருக்கே கடைசி வார்த்தை
switch-blot-last-word-false = இல்லை
switch-blot-last-word-true = ஆம்
switch-blot-sur-by = சுர் சொல்லலாம்
switch-blot-sur-by-team = பக்கத்தின் இருவரும்
switch-blot-sur-by-bidder = கேட்டவர் மட்டும்
switch-blot-bid-after-kuansh = குவான்ஷுக்குப் பிறகும் ஏலம் தொடரும்
switch-blot-bid-after-kuansh-false = இல்லை
switch-blot-bid-after-kuansh-true = ஆம்
switch-blot-kaput-min = கபூட் சொல்லலாம்
switch-blot-kaput-min-25 = 25 முதல்
switch-blot-kaput-min-26 = 26 முதல்
switch-blot-kaput-sticky = கபூட்டுக்குப் பிறகு கபூட் மட்டும்
switch-blot-kaput-sticky-all = எல்லோருக்கும்
switch-blot-kaput-sticky-other-team = எதிர்ப்பக்கத்துக்கு
switch-blot-made-test = கேள்வியை ஒப்பிடுவது
switch-blot-made-test-raw = சரியான புள்ளிகளுடன்
switch-blot-made-test-rounded = முழுமையாக்கிய புள்ளிகளுடன்
switch-blot-rounding = ஆறு மேலே ஏறுவது
switch-blot-rounding-defender6up = தடுப்பவர்களுக்கு
switch-blot-rounding-bidder6up = கேட்டவர்களுக்கு
switch-blot-rounding-lower6up = குறைந்த புள்ளி உள்ளவர்களுக்கு
switch-blot-rounding-independent = இரு பக்கத்துக்கும்
switch-blot-rounding-floor = ஒருபோதும் இல்லை
switch-blot-fail-keep = எட்டாத பக்கத்துக்கு மிஞ்சுவது
switch-blot-fail-keep-nothing = எதுவும் இல்லை
switch-blot-fail-keep-blot = அவர்களின் ப்ளோட்-ரெப்ளோட்
switch-blot-kuansh-keep = குவான்ஷில் தோற்றவருக்கு மிஞ்சுவது
switch-blot-kuansh-keep-nothing = எதுவும் இல்லை
switch-blot-kuansh-keep-blot = அவர்களின் ப்ளோட்-ரெப்ளோட்
switch-blot-fail-base-kaput = எட்டாத கேள்விக்கு எதிராக எல்லாப் பிடிகளும்
switch-blot-fail-base-kaput-25 = 25 ஆகும்
switch-blot-fail-base-kaput-16 = 16 ஆகும்
switch-blot-no-trick-fails = ஒரு பிடியும் இல்லாவிட்டால் தோல்வி
switch-blot-no-trick-fails-false = இல்லை
switch-blot-no-trick-fails-true = ஆம்
switch-blot-four-values = ஒரே சீட்டு நான்கு
switch-blot-four-values-seed = ஆஸ் 10; போயில் ஆஸ் 19, ஜாக்கி 20, ஒன்பது 10
switch-blot-four-values-aces11 = ஆஸ் 11; போயில் ஆஸ் 19, ஜாக்கி 10, ஒன்பது 0
switch-blot-long-runs = தொடர்ந்து எட்டு
switch-blot-long-runs-split = நூறு மற்றும் டெர்ஸ்
switch-blot-long-runs-single = ஒரு நூறு
switch-blot-meld-choice = ஒன்றோடொன்று சேரும் சேர்க்கைகளில்
switch-blot-meld-choice-value = அதிக மதிப்புள்ளது
switch-blot-meld-choice-strength = வலுவானது
switch-blot-tie-turn = சமமான சேர்க்கைகளில்
switch-blot-tie-turn-trick1 = முதல் பிடியில் முந்தியவர்
switch-blot-tie-turn-trick2 = இரண்டாம் பிடியில் முந்தியவர்
switch-blot-show-melds = சேர்க்கைகளைக் காட்டுவது
switch-blot-show-melds-counting = எண்ணப்படும் பக்கம்
switch-blot-show-melds-all = எல்லோரும்
switch-blot-both-reach = இரு பக்கமும் எட்டினால்
switch-blot-both-reach-higher = அதிக புள்ளிக்கு வெற்றி
switch-blot-both-reach-bidder = கேட்டவர்களுக்கு வெற்றி
chart-blot = 📈 இரு பக்கங்களின் புள்ளிகள், சுற்று வாரியாக (மேசை <code>{ $table }</code>). குறுக்குக் கோடு ஆட்டத்தின் எல்லை.

# Counts in the statistics of a person, achievements and their rules
blot-count-bids = கேள்விகள்: { $count }
blot-count-made = செய்தவை: { $count }
blot-count-stopped = தடுத்தவை: { $count }
blot-count-kaputs = கபூட்: { $count }
blot-favourites-trump = துருப்பு வாரியாகக் கேள்விகள்: { $ways }
blot-favourite-trump = { $way } (கேள்வி { $count }, செய்தவை { $good })
blot-trump-boy = போய்
blot-achieved-contract = முதல் கேள்வி
blot-achieved-contract-rule = நீங்கள் கேட்டதைச் செய்யுங்கள்: சொன்ன அளவாவது புள்ளிகள் எடுங்கள்.
blot-achieved-stopped = தடுத்தது
blot-achieved-stopped-rule = எதிரணி கேட்டதைச் செய்ய விடாதீர்கள்: சுற்றின் புள்ளிகள் எல்லாம் உங்களுக்கே.
blot-achieved-kaput = கபூட்
blot-achieved-kaput-rule = ஒரு சுற்றின் எட்டுப் பிடிகளையும் எடுங்கள்: 16-க்குப் பதில் 25.
