# Togyzkumalak. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }: { $from }-отау (1 құмалақ) → өзінің { $to }-отауы.
       *[other] { $name }: { $from }-отау ({ $stones } құмалақ) → өзінің { $to }-отауы.
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }: { $from }-отау (1 құмалақ) → { CASE($other, "genitive") } { $to }-отауы.
       *[other] { $name }: { $from }-отау ({ $stones } құмалақ) → { CASE($other, "genitive") } { $to }-отауы.
    }
togyzkumalak-captured =
    { $stones ->
        [one] { $name } ұтып алды: 1 құмалақ.
       *[other] { $name } ұтып алды: { $stones } құмалақ.
    }
togyzkumalak-tuzdyk = { $name } 3 құмалақпен бірге тұздық алды: { CASE($other, "genitive") } { $pit }-отауы.
# Stones fell into the tuzdyk of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] { CASE($name, "genitive") } тұздығына 1 құмалақ түсті.
       *[other] { CASE($name, "genitive") } тұздығына { $stones } құмалақ түсті.
    }

# Where it stands

togyzkumalak-score = Қазандар: { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 Қазір <b>{ $name }</b> жүреді.
# Atsyrau: the other player's side is empty.
togyzkumalak-turn-extra = 👉 Қарсы жақ бос: <b>{ $name }</b> қосымша бір жүріс жасайды.
togyzkumalak-end-majority =
    { $stones ->
        [one] { CASE($name, "genitive") } қазанында 1 құмалақ, жартысынан көп.
       *[other] { CASE($name, "genitive") } қазанында { $stones } құмалақ, жартысынан көп.
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] Атсырау: бір жақ бос, тақтада құмалақ қалмады.
        [one] Атсырау: бір жақ бос, соңғы құмалақты қарсыласы жинап алды.
       *[other] Атсырау: бір жақ бос, қалған { $stones } құмалақты қарсыласы жинап алды.
    }
togyzkumalak-end-repetition = Бір жағдай үшінші рет қайталанды: тең ойын.

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuzdyk.

togyzkumalak-board-side = { $name }, 1-ден 9-ға дейінгі отаулар: { $pits }. Қазан: { $kazan }.
togyzkumalak-tuzdyk-mark = тұздық
togyzkumalak-sketch-kazan = { $name }: <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = { CASE($name, "genitive") } тұздығы: { CASE($other, "genitive") } { $pit }-отауы.

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = { $pit }-отау бос. Жүруге болатын отаулар: { $legal }.
togyzkumalak-tuzdyk-pit = { $pit }-отау — { CASE($other, "genitive") } тұздығы, ол үнемі бос. Жүруге болатын отаулар: { $legal }.
togyzkumalak-no-such-pit = Отаулар 1-ден 9-ға дейін нөмірленген. Жүруге болатын отаулар: { $legal }.
togyzkumalak-not-your-turn = Қазір { $name } жүреді.
togyzkumalak-over = Бұл ойын аяқталған.
togyzkumalak-seats = Тоғызқұмалақты екі адам ойнайды.

# House rules
switch-togyzkumalak-ending-seed = қосымша жүріспен
switch-togyzkumalak-ending-short = қосымша жүріссіз
game-togyzkumalak = Тоғызқұмалақ
command-togyz = тоғызқұмалақ үстелін ашу немесе досыңызды ойынға шақыру
chart-togyzkumalak = 📈 Қазандардағы құмалақтар, жүріс сайын (<code>{ $table }</code> үстелі). Көлденең сызық — жеңіс әкелетін сан.

# Жаңа ғана жасалған жүріс, қысқаша.
togyzkumalak-done = { $from } → { $to }-отау
togyzkumalak-done-captured = { $from } → { $to }-отау, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → { $to }-отау, тұздық!
# Соңғы жүрістің алдындағы жүріс.
togyzkumalak-before = Бұған дейін: { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = алынған құмалақ: { $count }
togyzkumalak-count-tuzdyks = тұздық: { $count }
togyzkumalak-favourites-first = Алғашқы жүріс: { $ways }
togyzkumalak-favourite-first = { $way } (ойын { $count }, жеңіс { $good })
togyzkumalak-favourites-reply = Алғашқы жүріске жауап: { $ways }
togyzkumalak-favourite-reply = { $way } (ойын { $count }, жеңіс { $good })
togyzkumalak-achieved-tuzdyk = Тұздық
togyzkumalak-achieved-tuzdyk-rule = соңғы құмалақ қарсыластың отауында дәл 3 болады да, ол отау ойын соңына дейін сіздікі.
togyzkumalak-achieved-large-capture = Мол олжа
togyzkumalak-achieved-large-capture-rule = бір жүріспен 20 не одан көп құмалақ алыңыз.
togyzkumalak-achieved-comeback = Қайта оралу
togyzkumalak-achieved-comeback-rule = 20 құмалаққа артта қалған ойында жеңіңіз.

# Позицияны құру: бөліктерінің жазулары және неге мүмкін емес

togyzkumalak-setup-pit = { $name }, { $pit }-отау
togyzkumalak-setup-kazan = { $name }, қазан
togyzkumalak-setup-tuzdyk = { CASE($name, "genitive") } тұздығы
togyzkumalak-setup-no-tuzdyk = жоқ
togyzkumalak-setup-missing =
    { $count ->
       *[other] { $all } құмалақтың { $count } құмалағы жетпейді.
    }
togyzkumalak-setup-excess =
    { $count ->
       *[other] { $count } құмалақ артық: ойында { $all } құмалақ бар.
    }
togyzkumalak-setup-bad-tuzdyk = { CASE($name, "genitive") } { $pit }-отауы тұздық бола алмайды: 9-отау тұздық болмайды, тұздықта құмалақ жатпайды, екі тұздықтың нөмірі бірдей болмайды.
togyzkumalak-setup-extra = Қосымша жүріс қарсы жақ бос болғанда ғана мүмкін.
togyzkumalak-setup-no-stones = { CASE($name, "genitive") } жүретін құмалағы жоқ. Жүрісті екінші ойыншыға беріңіз не құмалақ қосыңыз.
togyzkumalak-setup-not-finished = Позиция ойынның соңы деп белгіленген, бірақ әлі ойнауға болады.
