//! Words of four languages that people type for what can be done. A `*` stands for any ending.

/// Lift the cup.
pub const THROW: &[&str] = &[
    "throw", "roll", "dice", "cast", "брос*", "кида*", "кину*", "кинь*", "кости", "кубик*",
    "лақтыр*", "таста*", "сүйек*", "գցել", "գցիր", "գցում", "նետ*", "զառ*", "🎲",
];

/// Pass the dice on.
pub const DONE: &[&str] = &[
    "done", "ok", "confirm", "pass", "finish", "end", "готов*", "всё", "все", "конец", "подтверд*",
    "переда*", "пас", "болды", "дайын", "бітті", "аяқта*", "растау*", "պատրաստ*", "վերջ", "եղավ",
    "հաստատ*", "✓", "✔", "✅",
];

/// Take the last decision back.
pub const UNDO: &[&str] = &[
    "undo", "back", "takeback", "отмен*", "назад", "обратно", "вернуть", "верни", "қайтар*",
    "артқа", "болдырма*", "հետ", "չեղարկ*", "ետ", "↩",
];

/// Put a piece on the palace.
pub const ENTER: &[&str] = &[
    "enter", "in", "place", "hand", "войти", "ввести", "введи", "ввожу", "выстав*", "постав*",
    "вход", "рука", "кір*", "енгіз*", "қой*", "қол*", "մտն*", "մտցն*", "դնել", "դիր", "ձեռք*", "↵",
];

/// Take a piece off the board.
pub const OFF: &[&str] = &[
    "off", "bear", "remove", "снять", "сними", "снима*", "выкин*", "шығар*", "ал", "алу", "հանել",
    "հանիր", "հանում", "↑",
];

/// Words around the others that say nothing.
pub const FILLERS: &[&str] = &[
    "play", "move", "use", "the", "a", "with", "from", "to", "piece", "on", "и", "на", "с", "из",
    "ход", "ходи", "фишк*", "фишу", "дан", "ден", "тан", "тен", "нан", "нен", "қа", "ке", "ға",
    "ге", "тас*", "жүр*", "քայլ*", "խաղաքար*", "ից", "դեպի", "մեկ", "եմ", "i",
];
