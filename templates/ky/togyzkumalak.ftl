# Toguz korgool. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }: { $from }-үй (1 коргоол) → өзүнүн { $to }-үйү.
       *[other] { $name }: { $from }-үй ({ $stones } коргоол) → өзүнүн { $to }-үйү.
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }: { $from }-үй (1 коргоол) → { CASE($other, "genitive") } { $to }-үйү.
       *[other] { $name }: { $from }-үй ({ $stones } коргоол) → { CASE($other, "genitive") } { $to }-үйү.
    }
togyzkumalak-captured =
    { $stones ->
        [one] { $name } 1 коргоол утуп алды.
       *[other] { $name } { $stones } коргоол утуп алды.
    }
togyzkumalak-tuzdyk = { $name } 3 коргоол алып, { CASE($other, "genitive") } { $pit }-үйүн туз кылды.
# Stones fell into the tuz of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] { CASE($name, "genitive") } тузуна 1 коргоол түштү.
       *[other] { CASE($name, "genitive") } тузуна { $stones } коргоол түштү.
    }

# Where it stands

togyzkumalak-score = Казандар: { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 Азыр <b>{ $name }</b> жүрөт.
# The other player's side is empty.
togyzkumalak-turn-extra = 👉 Каршы тарап бош: <b>{ $name }</b> кошумча бир жүрүш жасайт.
togyzkumalak-end-majority =
    { $stones ->
        [one] { CASE($name, "genitive") } казанында 1 коргоол, жарымынан көп.
       *[other] { CASE($name, "genitive") } казанында { $stones } коргоол, жарымынан көп.
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] Атсыроо: бир тарап бош, тактада коргоол калган жок.
        [one] Атсыроо: бир тарап бош, акыркы коргоолду каршылашы чогултуп алды.
       *[other] Атсыроо: бир тарап бош, калган { $stones } коргоолду каршылашы чогултуп алды.
    }
togyzkumalak-end-repetition = Бир эле абал үчүнчү жолу кайталанды: тең чыгышты.

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuz.

togyzkumalak-board-side = { $name }, 1ден 9га чейинки үйлөр: { $pits }. Казан: { $kazan }.
togyzkumalak-tuzdyk-mark = туз
togyzkumalak-sketch-kazan = { $name }: <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = { CASE($name, "genitive") } тузу — { CASE($other, "genitive") } { $pit }-үйү.

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = { $pit }-үй бош. Жүрсө боло турган үйлөр: { $legal }.
togyzkumalak-tuzdyk-pit = { $pit }-үй — { CASE($other, "genitive") } тузу, ал дайыма бош. Жүрсө боло турган үйлөр: { $legal }.
togyzkumalak-no-such-pit = Үйлөр 1ден 9га чейин номерленген. Жүрсө боло турган үйлөр: { $legal }.
togyzkumalak-not-your-turn = Азыр { CASE($name, "genitive") } кезеги.
togyzkumalak-over = Бул оюн бүткөн.
togyzkumalak-seats = Тогуз коргоолду эки киши ойнойт.

# House rules
switch-togyzkumalak-ending-seed = кошумча жүрүш менен
switch-togyzkumalak-ending-short = кошумча жүрүшсүз
game-togyzkumalak = Тогуз коргоол
command-togyz = тогуз коргоол үстөлүн ачуу же досуңузду чакыруу
chart-togyzkumalak = 📈 Казандардагы коргоолдор, жүрүш сайын (<code>{ $table }</code> үстөлү). Туурасынан сызык — жеңиш алып келген сан.

# The move just made, in short.
togyzkumalak-done = { $from } → { $to }-үй
togyzkumalak-done-captured = { $from } → { $to }-үй, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → { $to }-үй, туз!
# The move before the last one.
togyzkumalak-before = Буга чейин: { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = алынган коргоол: { $count }
togyzkumalak-count-tuzdyks = туз: { $count }
togyzkumalak-favourites-first = Биринчи жүрүш: { $ways }
togyzkumalak-favourite-first = { $way } (оюн { $count }, жеңиш { $good })
togyzkumalak-favourites-reply = Биринчи жүрүшкө жооп: { $ways }
togyzkumalak-favourite-reply = { $way } (оюн { $count }, жеңиш { $good })
togyzkumalak-achieved-tuzdyk = Туз
togyzkumalak-achieved-tuzdyk-rule = акыркы коргоол атаандаштын үйүндө так 3 болот да, ал үй оюндун аягына чейин сиздики.
togyzkumalak-achieved-large-capture = Чоң олжо
togyzkumalak-achieved-large-capture-rule = бир жүрүш менен 20 же андан көп коргоол алыңыз.
togyzkumalak-achieved-comeback = Кайра кайтуу
togyzkumalak-achieved-comeback-rule = 20 коргоолго артта калган оюнда жеңиңиз.

# Позицияны түзүү: бөлүктөрүнүн жазуулары жана эмнеге мүмкүн эмес

togyzkumalak-setup-pit = { $name }, { $pit }-үй
togyzkumalak-setup-kazan = { $name }, казан
togyzkumalak-setup-tuzdyk = { CASE($name, "genitive") } тузу
togyzkumalak-setup-no-tuzdyk = жок
togyzkumalak-setup-missing =
    { $count ->
       *[other] { $all } коргоолдун { $count } коргоолу жетпейт.
    }
togyzkumalak-setup-excess =
    { $count ->
       *[other] { $count } коргоол ашык: оюнда { $all } коргоол бар.
    }
togyzkumalak-setup-bad-tuzdyk = { CASE($name, "genitive") } { $pit }-үйү туз боло албайт: 9-үй туз болбойт, тузда коргоол жатпайт, эки туздун номери бирдей болбойт.
togyzkumalak-setup-extra = Кошумча жүрүш каршы жак бош болгондо гана мүмкүн.
togyzkumalak-setup-no-stones = { CASE($name, "genitive") } жүрө турган коргоолу жок. Жүрүштү экинчи оюнчуга бериңиз же коргоол кошуңуз.
togyzkumalak-setup-not-finished = Позиция оюндун аягы деп белгиленген, бирок дагы ойноого болот.
