# Thaayam. $name is the name of a player; squares are a1 to e5, c1 at the bottom is the palace of
# white; throws are points of four dice.

game-thaayam = தாயம்
command-thaayam = இருவர் முதல் நால்வர் வரை தாயம் மேசையைத் திறக்க

# What happened; $done is a list of what the throws were used for

thaayam-told = { $name } போட்டது { $throws } — { $done }.
thaayam-told-again = { $name } வெட்டியதால் மறுபடி போட்டது { $throws } — { $done }.
thaayam-told-nothing = { $name } போட்டது { $throws } — ஆட்டம் இல்லை.
thaayam-told-nothings = ஆட்டம் இல்லை — { $turns }.
thaayam-nothing-of = { $name }: { $throws }
# Before the turns that are told one by one
thaayam-told-earlier =
    { $count ->
        [one] … இதற்கு முன் { $count } முறை தானாக ஆடப்பட்டது …
       *[other] … இதற்கு முன் { $count } முறைகள் தானாக ஆடப்பட்டன …
    }
# A throw as players call it, and those that were lost before the first 1
thaayam-called = { $throw ->
        [1] தாயம்
        [2] ரெண்டு
        [3] மூணு
        [4] வெள்ளை
        [8] எட்டு
       *[other] { $throw }
    }
thaayam-called-lost = ({ $throws })
thaayam-did-enter = காய் { $to } இல் இறங்கியது
thaayam-did-move = { $throw }: { $from } → { $to }
thaayam-did-home = { $throw }: { $from } → கோட்டை, பழம்
thaayam-did-off = ஒரு பழம் எடுக்கப்பட்டது
thaayam-did-kill =
    { $count ->
        [one] { $name }-இன் காய் வெட்டப்பட்டது
       *[other] { $name }-இன் { $count } காய்கள் வெட்டப்பட்டன
    }
thaayam-whole-enter = { $to } இல் இறக்கு
thaayam-whole-move = { $from } → { $to }
thaayam-whole-home = { $from } → கோட்டை
thaayam-whole-off = ஒரு பழம் எடு
thaayam-whole-kill = { $squares } இல் வெட்டு
thaayam-place = 🏅 { $name } முடித்தார்: இடம் { $place }.
thaayam-finished = 🏅 { $name } முடித்தார்.
thaayam-opened = யாராலும் நகர முடியவில்லை: உள் பாதை எல்லோருக்கும் திறந்தது.

# Where it stands

thaayam-score = பழம் ({ $pieces } காய்களில்) — { $players }
thaayam-score-of = { $name }: { $count }
# The dice are open; those in brackets were lost before the first 1
thaayam-thrown = 🎲 { $name } போட்டது { $throws }.
thaayam-left = மீதி: { $throws }
thaayam-turn = 👉 முறை { $number }: <b>{ $name }</b>.
thaayam-turn-throw = 👉 முறை { $number }: <b>{ $name }</b> கட்டை உருட்டுகிறார்.
thaayam-turn-play = 👉 முறை { $number }: <b>{ $name }</b> ஆடுகிறார்.
thaayam-turn-done = 👉 முறை { $number }: இனி ஆட்டம் இல்லை. <b>{ $name }</b> “முடிந்தது” அல்லது “திரும்ப” அழுத்தலாம்.
thaayam-end = எல்லாக் காய்களையும் முதலில் பழமாக்கியவர் { $name }.
thaayam-end-partners = ஜோடியின் எல்லாக் காய்களும் பழம்: { $names }.
thaayam-end-places = இந்த வரிசையில்: { $names }.

# The board in words

thaayam-side = { $name } ({ $colour }): கையில் { $hand }; பலகையில் { $squares }; கோட்டையில் { $fortress }; எடுத்தது { $off }.
thaayam-sketch-side = { $sign } { $side }
thaayam-white = வெள்ளை
thaayam-black = கருப்பு
thaayam-red = சிவப்பு
thaayam-blue = நீலம்

# Buttons

thaayam-button-throw = 🎲 உருட்டு
thaayam-button-undo = ↩ திரும்ப
thaayam-button-done = ✓ முடிந்தது
sheet-thaayam-turns = 📜 கடைசி முறைகள்
sheet-thaayam-odds = 🎲 வாய்ப்புகள்

# Sheets

thaayam-sheet-turns = <b>கடைசி முறைகள்</b>
thaayam-sheet-turns-none = இன்னும் யாரும் ஆடவில்லை.
thaayam-sheet-turn = முறை { $number }. { $turn }
thaayam-odds-throws = <b>நான்கு கட்டைகள் ஒரு முறை</b>: தாயம் – 25%, ரெண்டு – 37.5%, மூணு – 25%, வெள்ளை (4) – 6.25%, எட்டு (வெள்ளைப் பக்கம் எதுவும் இல்லை) – 6.25%. கட்டைகள் நியாயமானவை, யாரும் மாற்றுவதில்லை.
thaayam-odds-turn = <b>ஒரு முறையில்</b> சராசரியாக 1.6 தடவை உருட்டி 4 புள்ளிகள் வரும்; 62.5% முறைகளில் ஒரே தடவை.
thaayam-odds-ones = <b>குறைந்தது ஒரு தாயம்</b> ஒரு முறையில்: 28.6%; இரண்டு அல்லது மேல்: 8.2%. நான்கு தாயம் விழ சராசரியாக 11 முறைகள்.
thaayam-odds-reach = <b>வெட்டுப்படும் வாய்ப்பு</b> ஒரு முறையில், எதிராளி இத்தனை கட்டம் பின்னால் இருந்தால்: 1 – 29%, 2 – 63%, 3 – 57%, 4 – 23%, 5 – 8%, 6 – 7%, 7 – 7%, 8 – 12%, 9 – 5%, 10 – 7%, 11 – 7%, 12 – 4%, அதற்கு மேல் – 2%-க்கும் குறைவு.

# Refusals

thaayam-seats = தாயம் இருவர், மூவர் அல்லது நால்வர் ஆடும் விளையாட்டு.
thaayam-partners-four = ஜோடியாக ஆட நால்வர் வேண்டும்; வீட்டு விதிகளை மாற்றுங்கள் அல்லது இன்னும் ஆட்டக்காரர்களுக்குக் காத்திருங்கள்.
thaayam-over = இந்த ஆட்டம் முடிந்துவிட்டது.
thaayam-not-your-turn = இப்போது { $name }-இன் முறை.
thaayam-not-now = கட்டைகள் இன்னும் உருள்கின்றன. சற்றுப் பொறுத்து மறுபடி முயலுங்கள்.
thaayam-throw-first = முதலில் கட்டையை உருட்டுங்கள்.
thaayam-already-thrown = கட்டை ஏற்கனவே உருட்டியாயிற்று. இப்போது காயையும் கட்டத்தையும் தேர்ந்தெடுங்கள்.
thaayam-nothing-to-undo = இந்த முறையில் திரும்ப எடுக்க எதுவும் இல்லை.
thaayam-still-to-play = ஆட முடிந்ததை ஆட வேண்டும்; மீதி: { $throws }.
thaayam-no-such-end = முறையை இப்படி முடிக்க முடியாது. மீதி இருப்பதை ஆடுங்கள், அல்லது “முடிந்தது” அழுத்துங்கள்.
thaayam-no-piece = { $square } இல் உங்கள் காய் இல்லை. உங்கள் காய் உள்ள கட்டத்தைத் தேர்ந்தெடுங்கள்.
thaayam-no-such-throw = இந்த முறையில் உங்களுக்கு { $throw } விழவில்லை.
thaayam-throw-spent = { $throw } ஏற்கனவே ஆடியாயிற்று. வேறொன்றைத் தேர்ந்தெடுங்கள்.
thaayam-throw-lost = { $throw } வீணானது: பலகையில் காய் இல்லாதபோது முதல் தாயத்துக்கு முன் விழுந்தது.
thaayam-none-in-hand = உங்கள் கையில் காய் இல்லை. பலகையில் உள்ள காயை நகர்த்துங்கள்.
thaayam-use-most = அப்படி ஆடினால் குறைவாகப் பயன்படும்; முடிந்தவரை அதிகம் ஆட வேண்டும். “திரும்ப” அழுத்தி வேறு வரிசையில் முயலுங்கள்.
thaayam-enter-needs-one = தாயம் விழுந்தால்தான் காய் இறங்கும்.
thaayam-off-needs-one = தாயம் விழுந்தால்தான் பழம் எடுக்கலாம்.
thaayam-not-all-home = எல்லாக் காய்களும் கோட்டைக்கு வரும் வரை எதையும் எடுக்க முடியாது.
thaayam-not-this-turn = கடைசிக் காய் பழமாகும் முறையில் எதையும் எடுக்க முடியாது. “முடிந்தது” அழுத்துங்கள்.
thaayam-exact = { $square } இல் உள்ள காய்க்கு { $throw } அதிகம்: கோட்டைக்குச் சரியான எண் வேண்டும்.
thaayam-kill-first = உங்கள் முதல் வெட்டுக்குப் பிறகுதான் உள் பாதை திறக்கும்.
thaayam-blocked = { $square } இல் உள்ள காய் { $throw } நகர முடியாது: வழியில் எதிராளி நிற்கிறார். வேறு காயையோ எண்ணையோ தேர்ந்தெடுங்கள்.

# House rules

switch-thaayam-pieces = ஆளுக்குக் காய்கள்
switch-thaayam-pieces-4 = 4, நால்வருக்கு சுமார் 210 முறைகள்
switch-thaayam-pieces-3 = 3, சுமார் 150 முறைகள்
switch-thaayam-pieces-2 = 2, சுமார் 90 முறைகள்
switch-thaayam-pieces-1 = 1, சுமார் 40 முறைகள்
switch-thaayam-finish = இலக்கு
switch-thaayam-finish-off = எல்லாப் பழங்களையும் எடுப்பது
switch-thaayam-finish-fortress = எல்லாம் கோட்டைக்கு வருவது (சுமார் 1/6 நேரம் குறைவு)
switch-thaayam-throw = கட்டை
switch-thaayam-throw-press = ஆட்டக்காரர் உருட்டுவார்
switch-thaayam-throw-auto = தானே உருளும்
switch-thaayam-exact = கோட்டைக்குச் சரியான எண்
switch-thaayam-exact-yes = வேண்டும்
switch-thaayam-exact-no = வேண்டாம் (சுமார் 1/6 நேரம் குறைவு)
switch-thaayam-capture = வெட்டு
switch-thaayam-capture-each = ஒவ்வொரு முறை நிற்கும்போதும்
switch-thaayam-capture-final = முறையின் முடிவில் மட்டும்
switch-thaayam-lost-before-one = முதல் தாயத்துக்கு முன் விழுந்தவை
switch-thaayam-lost-before-one-hand = எல்லாக் காயும் கையில் இருந்தால் வீண்
switch-thaayam-lost-before-one-track = பாதையில் காய் இல்லாவிட்டால் வீண்
switch-thaayam-lost-before-one-never = வீணாகாது
switch-thaayam-obligation = கட்டாயம்
switch-thaayam-obligation-any = முடிந்தவரை ஆடுவது, எந்த வரிசையிலும்
switch-thaayam-obligation-max = முடிந்தவரை அதிகம் ஆடுவது அல்லது வெல்வது
switch-thaayam-kill-again = வெட்டினால்
switch-thaayam-kill-again-no = கூடுதல் எதுவும் இல்லை
switch-thaayam-kill-again-yes = மறுபடி உருட்டலாம்
switch-thaayam-kill-to-go-in = உள் பாதை
switch-thaayam-kill-to-go-in-no = திறந்தது
switch-thaayam-kill-to-go-in-yes = வெட்டிய பிறகு மட்டும்
switch-thaayam-same-turn-bear-off = வந்த முறையிலேயே பழம் எடுப்பது
switch-thaayam-same-turn-bear-off-yes = ஆம்
switch-thaayam-same-turn-bear-off-no = இல்லை
switch-thaayam-play-on = ஒருவர் வென்ற பிறகு
switch-thaayam-play-on-no = ஆட்டம் முடியும்
switch-thaayam-play-on-yes = மற்றவர்கள் தொடர்வார்கள்
switch-thaayam-clockwise = முறை செல்லும் திசை
switch-thaayam-clockwise-no = கடிகாரத்துக்கு எதிராக
switch-thaayam-clockwise-yes = கடிகாரத் திசையில்
switch-thaayam-partners = ஜோடி
switch-thaayam-partners-no = இல்லை
switch-thaayam-partners-yes = நால்வரில் எதிரெதிரே இருப்பவர்கள்
switch-thaayam-block-on-path = வழியில் எதிராளிகள்
switch-thaayam-block-on-path-no = கடக்கலாம்
switch-thaayam-block-on-path-yes = மனை தவிர மற்ற இடங்களில் தடுப்பர்
chart-thaayam = 📈 காய்கள் வந்த தூரம், முறை வாரியாக (மேசை <code>{ $table }</code>). குறுக்குக் கோடு எல்லாக் காய்களும் வீடு சேரும் தூரம்.

# Counts in the statistics of a person, achievements and their rules
thaayam-count-killed = வெட்டிய காய்கள்: { $count }
thaayam-count-lost = இழந்த காய்கள்: { $count }
thaayam-count-fortress = கோட்டை சேர்ந்த காய்கள்: { $count }
thaayam-favourites-first-kill = ஆட்டத்தின் முதல் வெட்டு: { $ways }
thaayam-favourite-first-kill = { $way } (ஆட்டம் { $count }, வெற்றி { $good })
thaayam-first-kill-own = சொந்தம்
thaayam-first-kill-other = மற்றவருடையது
thaayam-achieved-kill = முதல் வெட்டு
thaayam-achieved-kill-rule = ஒரு காயை வெட்டுங்கள். அது உரியவரின் கைக்குத் திரும்பி, முதலிலிருந்து தொடங்கும்.
thaayam-achieved-full-circle = முழுச் சுற்று
thaayam-achieved-full-circle-rule = உங்கள் காய் எதுவும் வெட்டப்படும் முன் ஒரு காயைப் பலகையைச் சுற்றிக் கோட்டைக்குக் கொண்டு வாருங்கள்.
thaayam-achieved-two-kills = ஒரே முறையில் இரண்டு
thaayam-achieved-two-kills-rule = ஒரே முறையில் இரண்டு காய்களை வெட்டுங்கள்.

# நிலையை அமைத்தல்: பகுதிகளின் பெயர்கள், ஏன் முடியாது

thaayam-setup-piece = { $name }, காய் { $number }
thaayam-setup-killed = { $name } வெட்டியிருக்கிறார்
thaayam-setup-hand = கையில்
thaayam-setup-fortress = கோட்டை
thaayam-setup-off = எடுத்தது
thaayam-setup-enemies = மனைகளுக்கும் கோட்டைக்கும் வெளியே ஒரே கட்டத்தில் இருவரின் காய்களும் இருக்க முடியாது.
thaayam-setup-finished = ஒருவர் ஏற்கனவே முடித்துவிட்டார்: இந்த நிலையில் ஆட்டம் முடிந்துவிட்டது.
thaayam-setup-bad-pieces = காய்கள் இப்படி இருக்க முடியாது: எல்லாம் கோட்டைக்கு வரும் வரை எதையும் எடுக்க முடியாது.
thaayam-setup-no-kill = இங்கே வெட்டிய பிறகுதான் உள் பாதை திறக்கும். அவர் வெட்டியிருக்கிறார் எனக் குறியுங்கள், அல்லது காயை வெளியே வையுங்கள்.
thaayam-setup-many-throws = இங்கே தொடர்ச்சியாக அதிகபட்சம் { $most } வீச்சுகளையே தேர்ந்தெடுக்கலாம்.
