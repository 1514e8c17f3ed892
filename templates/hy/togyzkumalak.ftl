# Togyzkumalak. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }. թիվ { $from } փոս (1 քար) → իր թիվ { $to } փոսը։
       *[other] { $name }. թիվ { $from } փոս ({ $stones } քար) → իր թիվ { $to } փոսը։
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }. թիվ { $from } փոս (1 քար) → { CASE($other, "genitive") } թիվ { $to } փոսը։
       *[other] { $name }. թիվ { $from } փոս ({ $stones } քար) → { CASE($other, "genitive") } թիվ { $to } փոսը։
    }
togyzkumalak-captured =
    { $stones ->
        [one] { CASE($name, "definite") } վերցնում է 1 քար։
       *[other] { CASE($name, "definite") } վերցնում է { $stones } քար։
    }
togyzkumalak-tuzdyk = { CASE($name, "definite") } վերցնում է 3 քար, և { CASE($other, "genitive") } թիվ { $pit } փոսը դառնում է տուզդիկ։
# Stones fell into the tuzdyk of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] { $stones } քար է ընկնում { CASE($name, "genitive") } տուզդիկի մեջ։
       *[other] { $stones } քար է ընկնում { CASE($name, "genitive") } տուզդիկի մեջ։
    }

# Where it stands

togyzkumalak-score = Կազանները՝ { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 Քայլում է <b>{ CASE($name, "definite") }</b>։
# Atsyrau: the other player's side is empty.
togyzkumalak-turn-extra = 👉 Մյուս կողմը դատարկ է. <b>{ CASE($name, "definite") }</b> մեկ հավելյալ քայլ է կատարում։
togyzkumalak-end-majority =
    { $stones ->
        [one] { CASE($name, "genitive") } կազանում 1 քար կա՝ կեսից ավելի։
       *[other] { CASE($name, "genitive") } կազանում { $stones } քար կա՝ կեսից ավելի։
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] Ատսիրաու. մի կողմը դատարկ է, և տախտակին քար չի մնացել։
        [one] Ատսիրաու. մի կողմը դատարկ է, և մյուս խաղացողը հավաքել է վերջին քարը։
       *[other] Ատսիրաու. մի կողմը դատարկ է, և մյուս խաղացողը հավաքել է մնացած { $stones } քարը։
    }
togyzkumalak-end-repetition = Նույն դիրքը երրորդ անգամ կրկնվեց. ոչ-ոքի։

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuzdyk.

togyzkumalak-board-side = { $name }, փոսեր 1-ից 9՝ { $pits }։ Կազան՝ { $kazan }։
togyzkumalak-tuzdyk-mark = տուզդիկ
togyzkumalak-sketch-kazan = { $name }՝ <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = { CASE($name, "genitive") } տուզդիկը { CASE($other, "genitive") } թիվ { $pit } փոսն է։

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = Թիվ { $pit } փոսը դատարկ է։ Կարող եք քայլել այս փոսերից՝ { $legal }։
togyzkumalak-tuzdyk-pit = Թիվ { $pit } փոսը { CASE($other, "genitive") } տուզդիկն է և միշտ դատարկ է։ Կարող եք քայլել այս փոսերից՝ { $legal }։
togyzkumalak-no-such-pit = Փոսերը համարակալված են 1-ից 9։ Կարող եք քայլել այս փոսերից՝ { $legal }։
togyzkumalak-not-your-turn = Հիմա քայլում է { CASE($name, "definite") }։
togyzkumalak-over = Այս խաղն ավարտված է։
togyzkumalak-seats = Թոգիզ կումալակ խաղում են երկուսով։

# House rules
switch-togyzkumalak-ending-seed = հավելյալ քայլով
switch-togyzkumalak-ending-short = առանց հավելյալ քայլի
game-togyzkumalak = Թոգիզ կումալակ
command-togyz = բացել Թոգիզ կումալակի սեղան կամ խաղի հրավիրել ընկերոջը
chart-togyzkumalak = 📈 Քարերը կազաններում քայլ առ քայլ (սեղան <code>{ $table }</code>)։ Հորիզոնական գիծը հաղթանակ բերող թիվն է։

# Հենց նոր արված քայլը՝ կարճ։
togyzkumalak-done = { $from } → փոս { $to }
togyzkumalak-done-captured = { $from } → փոս { $to }, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → փոս { $to }, տուզդիկ
# Վերջինից առաջ արված քայլը։
togyzkumalak-before = Մինչ այդ՝ { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = վերցված քարեր՝ { $count }
togyzkumalak-count-tuzdyks = տուզդիկներ՝ { $count }
togyzkumalak-favourites-first = Առաջին քայլը՝ { $ways }
togyzkumalak-favourite-first = { $way } (խաղ՝ { $count }, հաղթանակ՝ { $good })
togyzkumalak-favourites-reply = Պատասխան առաջին քայլին՝ { $ways }
togyzkumalak-favourite-reply = { $way } (խաղ՝ { $count }, հաղթանակ՝ { $good })
togyzkumalak-achieved-tuzdyk = Տուզդիկ
togyzkumalak-achieved-tuzdyk-rule = վերջին քարը մրցակցի փոսում դարձնում է ուղիղ 3, և այդ փոսը մինչև խաղի վերջը ձերն է։
togyzkumalak-achieved-large-capture = Մեծ ավար
togyzkumalak-achieved-large-capture-rule = մեկ քայլով վերցրեք 20 կամ ավելի քար։
togyzkumalak-achieved-comeback = Վերադարձ
togyzkumalak-achieved-comeback-rule = հաղթեք մի խաղում, որտեղ 20 քարով հետ էիք մնացել։

# Դիրքի դասավորում. դրա մասերի անունները, և ինչու այն հնարավոր չէ

togyzkumalak-setup-pit = { $name }, փոս { $pit }
togyzkumalak-setup-kazan = { $name }, կազան
togyzkumalak-setup-tuzdyk = { CASE($name, "genitive") } տուզդիկը
togyzkumalak-setup-no-tuzdyk = չկա
togyzkumalak-setup-missing =
    { $count ->
        [one] { $all } քարից { $count }-ը պակասում է։
       *[other] { $all } քարից { $count }-ը պակասում են։
    }
togyzkumalak-setup-excess =
    { $count ->
        [one] { $count } քար ավելորդ է. խաղում { $all } քար կա։
       *[other] { $count } քար ավելորդ է. խաղում { $all } քար կա։
    }
togyzkumalak-setup-bad-tuzdyk = { CASE($name, "genitive") } թիվ { $pit } փոսը տուզդիկ լինել չի կարող. իններորդ փոսը տուզդիկ չի լինում, տուզդիկում քար չկա, և երկու տուզդիկների համարները տարբեր են։
togyzkumalak-setup-extra = Լրացուցիչ քայլ հնարավոր է միայն, երբ մյուս կողմը դատարկ է։
togyzkumalak-setup-no-stones = { CASE($name, "definite") } քայլելու քար չունի։ Քայլը տվեք մյուս խաղացողին կամ քարեր ավելացրեք։
togyzkumalak-setup-not-finished = Դիրքը նշված է որպես խաղի վերջ, բայց դեռ կարելի է խաղալ։
