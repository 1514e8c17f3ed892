# Togyzkumalak. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }: குழி { $from } (1 முத்து) → தன் குழி { $to }.
       *[other] { $name }: குழி { $from } ({ $stones } முத்துகள்) → தன் குழி { $to }.
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }: குழி { $from } (1 முத்து) → { $other }-இன் குழி { $to }.
       *[other] { $name }: குழி { $from } ({ $stones } முத்துகள்) → { $other }-இன் குழி { $to }.
    }
togyzkumalak-captured =
    { $stones ->
        [one] { $name } 1 முத்தைப் பிடித்தார்.
       *[other] { $name } { $stones } முத்துகளைப் பிடித்தார்.
    }
togyzkumalak-tuzdyk = { $name } 3 முத்துகளை எடுத்து, { $other }-இன் குழி { $pit }-ஐத் துஸ்திக் ஆக்கினார்.
# Stones fell into the tuzdyk of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] { $name }-இன் துஸ்திக்கில் 1 முத்து விழுந்தது.
       *[other] { $name }-இன் துஸ்திக்கில் { $stones } முத்துகள் விழுந்தன.
    }

# Where it stands

togyzkumalak-score = கஸான்கள்: { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 முறை: <b>{ $name }</b>.
# Atsyrau: the other player's side is empty.
togyzkumalak-turn-extra = 👉 எதிர்ப்பக்கம் காலி: <b>{ $name }</b> கூடுதலாக ஒரு நகர்வு ஆடுகிறார்.
togyzkumalak-end-majority =
    { $stones ->
        [one] { $name }-இன் கஸானில் 1 முத்து: பாதிக்கு மேல்.
       *[other] { $name }-இன் கஸானில் { $stones } முத்துகள்: பாதிக்கு மேல்.
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] அத்ஸிராவ்: ஒரு பக்கம் காலி, முத்து எதுவும் மீதமில்லை.
        [one] அத்ஸிராவ்: ஒரு பக்கம் காலி, கடைசி முத்தை எதிராளி எடுத்துக்கொண்டார்.
       *[other] அத்ஸிராவ்: ஒரு பக்கம் காலி, மீதி { $stones } முத்துகளையும் எதிராளி எடுத்துக்கொண்டார்.
    }
togyzkumalak-end-repetition = ஒரே நிலை மூன்றாவது முறை வந்தது: சமன்.

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuzdyk.

togyzkumalak-board-side = { $name }, குழிகள் 1 முதல் 9: { $pits }. கஸான்: { $kazan }.
togyzkumalak-tuzdyk-mark = துஸ்திக்
togyzkumalak-sketch-kazan = { $name }: <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = { $name }-இன் துஸ்திக்: { $other }-இன் குழி { $pit }.

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = குழி { $pit } காலி; நீங்கள் ஆடக்கூடியவை: { $legal }.
togyzkumalak-tuzdyk-pit = குழி { $pit } { $other }-இன் துஸ்திக், எப்போதும் காலி; நீங்கள் ஆடக்கூடியவை: { $legal }.
togyzkumalak-no-such-pit = குழிகள் 1 முதல் 9 வரை; நீங்கள் ஆடக்கூடியவை: { $legal }.
togyzkumalak-not-your-turn = இப்போது { $name }-இன் முறை.
togyzkumalak-over = இந்த ஆட்டம் முடிந்துவிட்டது.
togyzkumalak-seats = தொகிஸ்குமலாக் இருவர் ஆடும் விளையாட்டு.

# House rules
switch-togyzkumalak-ending-seed = கூடுதல் நகர்வுடன்
switch-togyzkumalak-ending-short = கூடுதல் நகர்வின்றி
game-togyzkumalak = தொகிஸ்குமலாக்
command-togyz = தொகிஸ்குமலாக் மேசையைத் திறக்க, அல்லது நண்பரை அழைக்க
chart-togyzkumalak = 📈 கஸான்களில் உள்ள முத்துகள், நகர்வு வாரியாக (மேசை <code>{ $table }</code>). குறுக்குக் கோடு வெற்றி தரும் எண்.

# The move just made, in short.
togyzkumalak-done = { $from } → குழி { $to }
togyzkumalak-done-captured = { $from } → குழி { $to }, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → குழி { $to }, துஸ்திக்!
# The move before the last one.
togyzkumalak-before = முன்பு: { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = பிடித்த முத்துகள்: { $count }
togyzkumalak-count-tuzdyks = துஸ்திக்: { $count }
togyzkumalak-favourites-first = முதல் நகர்வு: { $ways }
togyzkumalak-favourite-first = { $way } (ஆட்டம் { $count }, வெற்றி { $good })
togyzkumalak-favourites-reply = முதல் நகர்வுக்குப் பதில்: { $ways }
togyzkumalak-favourite-reply = { $way } (ஆட்டம் { $count }, வெற்றி { $good })
togyzkumalak-achieved-tuzdyk = துஸ்திக்
togyzkumalak-achieved-tuzdyk-rule = உங்கள் கடைசி முத்து எதிராளியின் குழியைச் சரியாக 3 ஆக்குகிறது; ஆட்டம் முடியும் வரை அந்தக் குழி உங்களுடையது.
togyzkumalak-achieved-large-capture = பெரும் பிடி
togyzkumalak-achieved-large-capture-rule = ஒரே நகர்வில் 20 அல்லது அதற்கு மேற்பட்ட முத்துகளைப் பிடியுங்கள்.
togyzkumalak-achieved-comeback = மீட்சி
togyzkumalak-achieved-comeback-rule = 20 முத்துகள் பின்தங்கியிருந்த ஆட்டத்தில் வெல்லுங்கள்.

# நிலையை அமைத்தல்: பகுதிகளின் பெயர்கள், ஏன் முடியாது

togyzkumalak-setup-pit = { $name }, குழி { $pit }
togyzkumalak-setup-kazan = { $name }, கஸான்
togyzkumalak-setup-tuzdyk = { $name }-இன் துஸ்திக்
togyzkumalak-setup-no-tuzdyk = இல்லை
togyzkumalak-setup-missing =
    { $count ->
        [one] { $all } முத்துகளில் 1 குறைகிறது.
       *[other] { $all } முத்துகளில் { $count } குறைகின்றன.
    }
togyzkumalak-setup-excess =
    { $count ->
        [one] 1 முத்து அதிகம்: ஆட்டத்தில் { $all } உள்ளன.
       *[other] { $count } முத்துகள் அதிகம்: ஆட்டத்தில் { $all } உள்ளன.
    }
togyzkumalak-setup-bad-tuzdyk = { $name }-இன் குழி { $pit } துஸ்திக் ஆக முடியாது: குழி 9 துஸ்திக் ஆகாது, துஸ்திக்கில் முத்துகள் இருக்காது, இரண்டு துஸ்திக்குகளின் எண் ஒன்றாக இருக்காது.
togyzkumalak-setup-extra = மறுபக்கம் காலியாக இருக்கும்போது மட்டுமே கூடுதல் ஆட்டம் உண்டு.
togyzkumalak-setup-no-stones = { $name }-இடம் ஆட முத்துகள் இல்லை. மற்றவர் ஆடட்டும், அல்லது முத்துகளைச் சேருங்கள்.
togyzkumalak-setup-not-finished = இந்த நிலை முடிவு எனக் குறிக்கப்பட்டுள்ளது, ஆனால் இன்னும் ஆடலாம்.
