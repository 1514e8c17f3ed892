# Togyzkumalak. Pits are numbered 1 to 9 from each player's own left. $name and $other are names
# of players; numbers are stones or pits.

# What happened

# The last of the stones fell on the mover's own side.
togyzkumalak-moved-own =
    { $stones ->
        [one] { $name }: лунка { $from } ({ $stones } кумалак) → своя лунка { $to }.
        [few] { $name }: лунка { $from } ({ $stones } кумалака) → своя лунка { $to }.
        [many] { $name }: лунка { $from } ({ $stones } кумалаков) → своя лунка { $to }.
       *[other] { $name }: лунка { $from } ({ $stones } кумалака) → своя лунка { $to }.
    }
# The last of the stones fell on the other player's side.
togyzkumalak-moved-other =
    { $stones ->
        [one] { $name }: лунка { $from } ({ $stones } кумалак) → лунка { $to } игрока { $other }.
        [few] { $name }: лунка { $from } ({ $stones } кумалака) → лунка { $to } игрока { $other }.
        [many] { $name }: лунка { $from } ({ $stones } кумалаков) → лунка { $to } игрока { $other }.
       *[other] { $name }: лунка { $from } ({ $stones } кумалака) → лунка { $to } игрока { $other }.
    }
togyzkumalak-captured =
    { $stones ->
        [one] { $name } берёт { $stones } кумалак.
        [few] { $name } берёт { $stones } кумалака.
        [many] { $name } берёт { $stones } кумалаков.
       *[other] { $name } берёт { $stones } кумалака.
    }
togyzkumalak-tuzdyk = { $name } берёт 3 кумалака, и лунка { $pit } игрока { $other } становится туздыком.
# Stones fell into the tuzdyk of $name while someone was sowing.
togyzkumalak-through =
    { $stones ->
        [one] { $stones } кумалак падает в туздык игрока { $name }.
        [few] { $stones } кумалака падают в туздык игрока { $name }.
        [many] { $stones } кумалаков падают в туздык игрока { $name }.
       *[other] { $stones } кумалака падают в туздык игрока { $name }.
    }

# Where it stands

togyzkumalak-score = Казаны: { $first } { $first-stones } – { $second-stones } { $second }
togyzkumalak-turn = 👉 Ходит <b>{ $name }</b>.
# Atsyrau: the other player's side is empty.
togyzkumalak-turn-extra = 👉 У соперника пусто: <b>{ $name }</b> делает один дополнительный ход.
togyzkumalak-end-majority =
    { $stones ->
        [one] { $name }: в казане { $stones } кумалак, больше половины.
        [few] { $name }: в казане { $stones } кумалака, больше половины.
        [many] { $name }: в казане { $stones } кумалаков, больше половины.
       *[other] { $name }: в казане { $stones } кумалака, больше половины.
    }
# The game ended because a side was empty; the other player collected $stones stones.
togyzkumalak-end-atsyrau =
    { $stones ->
        [0] Атсырау: одна сторона пуста, и кумалаков на доске не осталось.
        [1] Атсырау: одна сторона пуста, и соперник забирает последний кумалак.
        [one] Атсырау: одна сторона пуста, и соперник забирает { $stones } оставшийся кумалак.
        [few] Атсырау: одна сторона пуста, и соперник забирает { $stones } оставшихся кумалака.
        [many] Атсырау: одна сторона пуста, и соперник забирает { $stones } оставшихся кумалаков.
       *[other] Атсырау: одна сторона пуста, и соперник забирает { $stones } оставшихся кумалака.
    }
togyzkumalak-end-repetition = Позиция повторилась в третий раз: ничья.

# The board in words; $pits are nine numbers, one of them perhaps the mark of a tuzdyk.

togyzkumalak-board-side = { $name }, лунки с 1 по 9: { $pits }. Казан: { $kazan }.
togyzkumalak-tuzdyk-mark = туздык
togyzkumalak-sketch-kazan = { $name }: <b>{ $stones }</b>
togyzkumalak-board-tuzdyk = Туздык игрока { $name } — лунка { $pit } игрока { $other }.

# Refusals; $legal is a list of pits.

togyzkumalak-empty-pit = Лунка { $pit } пуста. Можно ходить из лунок: { $legal }.
togyzkumalak-tuzdyk-pit = Лунка { $pit } — туздык игрока { $other }, она всегда пуста. Можно ходить из лунок: { $legal }.
togyzkumalak-no-such-pit = У лунок номера от 1 до 9. Можно ходить из лунок: { $legal }.
togyzkumalak-not-your-turn = Сейчас ходит { $name }.
togyzkumalak-over = Эта партия окончена. Сыграть ещё: /rematch
togyzkumalak-seats = В тогызкумалак играют вдвоём.

# House rules
switch-togyzkumalak-ending-seed = с доп. ходом
switch-togyzkumalak-ending-short = без доп. хода
game-togyzkumalak = Тогызкумалак
command-togyz = открыть стол для тогызкумалака или вызвать друга
chart-togyzkumalak = 📈 Кумалаки в казанах, ход за ходом (стол <code>{ $table }</code>). Горизонтальная черта — сколько нужно для победы.

# Только что сделанный ход, коротко.
togyzkumalak-done = { $from } → лунка { $to }
togyzkumalak-done-captured = { $from } → лунка { $to }, +{ $stones }
togyzkumalak-done-tuzdyk = { $from } → лунка { $to }, туздык!
# Ход перед последним.
togyzkumalak-before = До этого: { $name } { $what }

# Counts in the statistics of a person, achievements and their rules
togyzkumalak-count-captured = взято кумалаков: { $count }
togyzkumalak-count-tuzdyks = туздыков: { $count }
togyzkumalak-favourites-first = Первый ход: { $ways }
togyzkumalak-favourite-first = { $way } (побед { $good } из { $count })
togyzkumalak-favourites-reply = Ответ на первый ход: { $ways }
togyzkumalak-favourite-reply = { $way } (побед { $good } из { $count })
togyzkumalak-achieved-tuzdyk = Туздык
togyzkumalak-achieved-tuzdyk-rule = последний кумалак делает в лунке соперника ровно 3, и до конца партии она ваша.
togyzkumalak-achieved-large-capture = Крупное взятие
togyzkumalak-achieved-large-capture-rule = возьмите одним ходом 20 кумалаков или больше.
togyzkumalak-achieved-comeback = Возвращение
togyzkumalak-achieved-comeback-rule = выиграйте партию, в которой вы отставали на 20 кумалаков.

# Расстановка позиции: подписи её частей и почему она невозможна

togyzkumalak-setup-pit = { $name }, лунка { $pit }
togyzkumalak-setup-kazan = { $name }, казан
togyzkumalak-setup-tuzdyk = { $name }, туздык
togyzkumalak-setup-no-tuzdyk = нет
togyzkumalak-setup-missing =
    { $count ->
        [one] Не хватает { $count } кумалака из { $all }.
       *[other] Не хватает { $count } кумалаков из { $all }.
    }
togyzkumalak-setup-excess =
    { $count ->
        [one] { $count } кумалак лишний: в игре их { $all }.
        [few] { $count } кумалака лишние: в игре их { $all }.
       *[other] { $count } кумалаков лишние: в игре их { $all }.
    }
togyzkumalak-setup-bad-tuzdyk = Лунка { $pit } игрока { $name } не может быть туздыком: девятая лунка им не бывает, кумалаков в нём нет, и номера двух туздыков разные.
togyzkumalak-setup-extra = Дополнительный ход возможен, только если другая сторона пуста.
togyzkumalak-setup-no-stones = Игроку { $name } нечем ходить. Дайте ход другому игроку или добавьте кумалаки.
togyzkumalak-setup-not-finished = Позиция отмечена как конец партии, но играть ещё можно.
