# Names

begin-lot = குலுக்கல் முறையில்
begin-me = மேசை திறந்தவர்
begin-friend = விருந்தாளி

# Lobby

lobby-title = <b>{ $game }</b> · மேசை <code>{ $table }</code>
lobby-waiting = { $name } எதிராளிக்காகக் காத்திருக்கிறார்.
lobby-challenge = { $name } ஆட அழைக்கிறார்: { $friend }.
lobby-variant = விதி: { $variant }.
lobby-begin = முதலில் ஆடுபவர்: { $begin }.
lobby-fair = நியாயச் சரிபார்ப்பு, SHA-256: <code>{ $hash }</code>

# Results

over-won = 🏆 <b>{ $winner }</b> வென்றார், { $score }.
over-draw = 🤝 சமன், { $score }.
over-agreed = 🤝 இருவரும் ஒப்புக்கொண்டு சமன்.
over-resigned = 🏳 { $name } விட்டுக்கொடுத்தார். <b>{ $winner }</b> வென்றார்.
over-next = அடுத்த ஆட்டம் மேசை <code>{ $table }</code> இல்.
closed-declined = { $name } மறுத்துவிட்டார்.
closed-aborted = ஆட்டம் நிறுத்தப்பட்டது. யாரும் தோற்கவில்லை.
closed-cancelled = மேசை மூடப்பட்டது.
closed-outdated = ஆட்டம் தொடங்கிய பிறகு அதன் விதிகள் மாறிவிட்டன, அதனால் இங்கேயே முடிந்தது. யாருக்கும் தோல்வி இல்லை; பதிவு இருக்கிறது.

# Offers

offer-draw = 🤝 { $name } சமன் கேட்கிறார்.
offer-take-back = ↩ { $name } கடைசி நகர்வைத் திரும்ப எடுக்கக் கேட்கிறார்.
offer-take-back-both = ↩ { $name } தன் கடைசி நகர்வையும் அதற்கான பதில் நகர்வையும் திரும்ப எடுக்கக் கேட்கிறார்.
offer-declined = 🚫 { $name } கேட்டதை மறுத்துவிட்டார்.
offer-rematch = 🔁 { $name } மறுபடி ஆட விரும்புகிறார்.

# Calls to a person who does not look

call-turn = { $name }, உங்கள் முறை (மேசை <code>{ $table }</code>).
call-draw = { $name }, உங்களிடம் சமன் கேட்கிறார்கள் (மேசை <code>{ $table }</code>).
call-take-back = { $name }, எதிராளி ஒரு நகர்வைத் திரும்ப எடுக்கலாமா (மேசை <code>{ $table }</code>)?

# Lists

games-none = உங்களுக்குத் திறந்த மேசை எதுவும் இல்லை. ஒரு குழுவில் திறங்கள்: /play
games-title = உங்கள் மேசைகள்:
games-more =
    { $count ->
        [one] … இன்னும் ஒன்று.
       *[other] … இன்னும் { $count }.
    }
button-refresh = ↻ புதுப்பி
list-lobby = <code>{ $table }</code> { $game }: ஆட்டக்காரர்களுக்காகக் காத்திருக்கிறது
list-your-turn = 👉 <code>{ $table }</code> { $game } · { $with } · நகர்வு { $move }: <b>உங்கள் முறை</b>
list-their-turn = <code>{ $table }</code> { $game } · { $with } · நகர்வு { $move }
list-linked = { $line } — { $link }
list-over = <code>{ $table }</code> { $game } · { $with }: முடிந்தது
list-and = { $first } மற்றும் { $last }
which-table = எந்த மேசையைச் சொல்கிறீர்கள்?
play-choose = என்ன ஆடலாம்?

# Buttons

button-join = சேர்
button-accept = சரி
button-decline = வேண்டாம்
button-withdraw = திரும்பப் பெறு
button-cancel = மேசையை மூடு
button-variant = விதி: { $variant }
button-begin = முதலில்: { $begin }
button-abort = நிறுத்து
button-take-back = ↩ திரும்ப எடு
button-draw = 🤝 சமன் கேள்
button-resign = 🏳 விட்டுக்கொடு
button-resend = ⬇ பலகை
button-rematch = 🔁 மறுபடி ஆடு
button-record = 📄 பதிவு
button-rules = 📖 விதிகள்
button-play = ▶ ஆடு
button-next = அடுத்து ▸
button-previous = ◂ முன்பு
button-show = விடையைக் காட்டு
button-for-chat = அரட்டைக்கு: { $language }

# Answers

answer-confirm-resign = விட்டுக்கொடுக்க ஒரு நிமிடத்துக்குள் “விட்டுக்கொடு” பொத்தானை மறுபடி அழுத்துங்கள்.
answer-confirm-cancel = அனைவருக்கும் இந்த மேசையை மூட, ஒரு நிமிடத்துக்குள் “மேசையை மூடு” பொத்தானை மறுபடி அழுத்துங்கள்.
answer-offered = கேட்டாயிற்று. பதிலுக்காகக் காத்திருக்கிறோம்.
answer-board-resent = இதோ பலகை.
answer-record = மேசை { $table } ஆட்டத்தின் பதிவு. இதிலுள்ள seed எண்ணைக் கொண்டு யார் வேண்டுமானாலும் குலுக்கலைச் சரிபார்க்கலாம்.
answer-declined = மறுக்கப்பட்டது.
answer-saved-person = இனி உங்களிடம் தமிழில் பேசுவேன்.
answer-saved-chat = இந்த அரட்டையில் இனி நான் பேசும் மொழி: { $language }.
answer-young = 🌱 புதிய மொழிபெயர்ப்பு: தாய்மொழியாகப் பேசுபவர்கள் இதை இன்னும் சரிபார்க்கவில்லை.
answer-no-private = உங்களுக்கான பதில்: படிக்கத் தட்டவும்.
answer-not-shown = உங்கள் அழுத்தல் கணக்கில் சேர்ந்தது; ஆனால் பலகையை இங்கே காட்ட எனக்கு அனுமதி இல்லை: { $rights }. நிர்வாகியிடம் கேளுங்கள்.
answer-board-refused = உங்கள் அழுத்தல் கணக்கில் சேர்ந்தது; ஆனால் பலகையை இங்கே அனுப்ப முடியவில்லை. மீண்டும் முயல: /board
answer-in-words = ✎ சொற்களில், ஏனெனில் இங்கே படங்களை அனுப்ப எனக்கு அனுமதி இல்லை. இந்த அனுமதியைத் தருமாறு நிர்வாகியிடம் கேளுங்கள்: { $right }.
answer-lacked-rights = சற்று முன் எனக்கு அனுமதி இல்லை: { $rights }. பலகை மாறாவிட்டால் நிர்வாகியிடம் கேளுங்கள்.
answer-message-deleted = உங்கள் ஆட்டம் இருந்த செய்தி நீக்கப்பட்டது. ஆட்டம் இங்கே தொடர்கிறது; அதன் குறியீடு: <code>{ $table }</code>.
right-write = செய்தி அனுப்ப
right-pictures = படம் அனுப்ப
right-topics = மூடிய தலைப்பில் எழுத
right-post = இந்தச் சேனலில் பதிவிட
answer-lacks-rights = இதைச் செய்ய எனக்கு இங்கே இந்த அனுமதிகள் இல்லை: { $rights }. நிர்வாகியிடம் அனுமதி கேட்டு, மறுபடி முயலுங்கள்.

# Refusals

refuse-already-started = ஆட்டம் ஏற்கனவே தொடங்கிவிட்டது.
refuse-table-over = அந்த ஆட்டம் முடிந்துவிட்டது. புதிய மேசை திறக்க: /play
refuse-not-started = ஆட்டம் இன்னும் தொடங்கவில்லை: முதலில் வேறொருவர் சேர வேண்டும்.
refuse-not-your-table = நீங்கள் இந்த மேசையில் ஆடவில்லை. உங்கள் மேசையைத் திறக்க: /play
refuse-opener-only = மேசையைத் திறந்த { $name } மட்டுமே இதைச் செய்யலாம்.
refuse-already-seated = நீங்கள் ஏற்கனவே இந்த மேசையில் இருக்கிறீர்கள். இனி வேறொருவர் சேர வேண்டும்.
refuse-not-invited =
    { $count ->
        [one] இங்கே ஆட அழைக்கப்பட்டவர்: { $name }. உங்கள் சொந்த மேசையைத் திறக்கலாம்: /play
       *[other] இங்கே ஆட அழைக்கப்பட்டவர்கள்: { $name }. உங்கள் சொந்த மேசையைத் திறக்கலாம்: /play
    }
refuse-nothing-offered = பதில் சொல்ல எதுவும் இல்லை: கோரிக்கையோ அழைப்போ இப்போது இல்லை. மேசையைப் பார்க்க: /board
refuse-leave-in-play = ஆட்டம் நடக்கிறது. விட்டுக்கொடுக்க: /resign, உங்களுக்காக வேறொருவர் ஆட: /substitute
refuse-own-place = நீங்கள் முடித்துவிட்டீர்கள்: இடம் { $place }. இனி எதுவும் செய்ய வேண்டாம்: மற்றவர்கள் முடித்ததும் ஆட்டம் முடியும்.
refuse-seat-finished = இந்த ஆட்டக்காரர் ஏற்கெனவே முடித்துவிட்டார்: இடம் { $place }. அவருக்குப் பதிலாக யாரும் ஆட வேண்டியதில்லை. ஆட்டத்தைப் பார்க்க: /board
refuse-unknown-variant = இந்த விதி எனக்குத் தெரியாது. மேசையின் ⚙ அமைப்புகளில் தேர்ந்தெடுக்கக்கூடியவை: { $rules }.
refuse-not-your-turn = இப்போது { $name }-இன் முறை.
refuse-what-move = “{ $typed }” என்ற நகர்வு புரியவில்லை. நீங்கள் ஆடக்கூடியவை: { $legal }.
refuse-not-understood = இந்த நகர்வு எனக்குப் புரியவில்லை. பொத்தானை அழுத்துங்கள், அல்லது எழுதுங்கள், எடுத்துக்காட்டாக: 7, e3 4 அல்லது 12♥.
refuse-old-board =
    { $seen ->
        [0] அது தொடக்கத்தில் இருந்த பலகை;
       *[other] அது { $seen }-ஆம் நகர்வின் பலகை;
    } { $now ->
        [0] இப்போது மறுபடி தொடக்கம். இப்போதைய பலகையில் ஆடுங்கள்.
       *[other] இப்போது { $now }-ஆம் நகர்வு. இப்போதைய பலகையில் ஆடுங்கள்.
    }
refuse-old-button = இந்தப் பொத்தான் பழையது. இப்போதைய பலகையில் ஆடுங்கள்: /board
refuse-undone-often = இந்த முறையில் போதுமான தடவை நகர்வுகளைத் திரும்பப் பெற்றுவிட்டீர்கள். தொடர்ந்து ஆடுங்கள்: பலகையின் கீழுள்ள பொத்தான்களில் ஒன்றைத் தேர்ந்தெடுங்கள்.
refuse-too-late-to-abort = இரண்டாவது நகர்வுக்குப் பிறகு நிறுத்த முடியாது. விட்டுக்கொடுக்கலாம் (/resign) அல்லது சமன் கேட்கலாம் (/draw).
refuse-abort-rated = இந்த ஆட்டம் தரமதிப்பில் சேரும், அதனால் இதை இனி நிறுத்த முடியாது. விட்டுக்கொடுக்க: /resign
refuse-abort-place = ஒரு ஆட்டக்காரர் முடித்துவிட்டார், அவருடைய இடம் கணக்கில் சேரும், அதனால் ஆட்டத்தை இனி நிறுத்த முடியாது. விட்டுக்கொடுக்க: /resign
refuse-not-abandoned = இந்த ஆட்டத்தை வேறு சிலர் ஆடுகிறார்கள். { $days } நாட்கள் எதுவும் நடக்காமலும் கடிகாரம் ஓடாமலும் இருந்தால் நிறுத்தலாம்.
refuse-already-offered = இதை ஏற்கனவே கேட்டுவிட்டீர்கள். பதிலுக்குக் காத்திருங்கள்.
refuse-offer-waits = முதலில் உங்கள் முந்தைய கோரிக்கைக்குப் பதில் வர வேண்டும்.
refuse-answer-first = முதலில் பதில் சொல்ல வேண்டிய கேள்வி ஒன்று இருக்கிறது: பலகையின் கீழுள்ள “சரி” அல்லது “வேண்டாம்” பொத்தானை அழுத்துங்கள். பலகையைப் பார்க்க: /board
refuse-turned-down = இது இப்போதுதான் மறுக்கப்பட்டது. மறுபடி கேட்கும் முன் ஒரு நகர்வு ஆடுங்கள்.
refuse-others-away = இதற்குத் தற்போது இல்லாத ஆட்டக்காரர்களின் சம்மதம் தேவை. நீங்கள் தொடர்ந்து ஆடலாம்.
refuse-opponents-away = மற்ற ஆட்டக்காரர்கள் இல்லை, எனவே சம்மதிக்க யாரும் இல்லை.
refuse-nothing-to-take-back = திரும்ப எடுக்க எதுவும் இல்லை: நீங்கள் இன்னும் எதையும் ஆடவில்லை.
refuse-not-over = ஆட்டம் இன்னும் முடியவில்லை. முடிந்ததும் கேளுங்கள்.
refuse-rematch-exists = மறு ஆட்டம் ஏற்கனவே மேசை { $table } இல் நடக்கிறது.
refuse-own-offer = இது நீங்களே கேட்டது; மற்றவர்கள் பதில் சொல்ல வேண்டும்.
refuse-no-table-here = உங்களுக்கு இங்கே திறந்த மேசை இல்லை. ஒன்று திறங்கள்: /play
refuse-unknown-table = மேசை { $table } எனக்குத் தெரியாது. உங்கள் மேசைகளைப் பார்க்க: /games
refuse-game-removed = ஆட்டம் { $table } இப்போது இல்லை. அதன் அரட்டையில் ஆட்டங்கள் வைத்திருக்கப்படும் காலம்: { $time }. அதன் முடிவு தொடர்ந்து கணக்கில் இருக்கும்.
refuse-game-deleted = ஆட்டம் { $table } இப்போது இல்லை: அதன் அரட்டையின் தரவு நீக்கப்பட்டது. அதன் முடிவு தொடர்ந்து கணக்கில் இருக்கும்.
refuse-no-record = ஆட்டம் முடிந்ததும் பதிவைப் பெறலாம்.
refuse-unknown-command = /{ $name } எனக்குத் தெரியாது. /help பாருங்கள்.
refuse-unknown-command-near = /{ $name } எனக்குத் தெரியாது. /{ $near } என்று சொல்ல வந்தீர்களா?
refuse-not-your-answer = இது வேறொருவருக்கானது. உங்கள் மேசையைப் பார்க்க: /board
refuse-answer-gone = அந்தப் பதில் இப்போது இல்லை. மறுபடி கேளுங்கள்.
refuse-external-apps = இந்தச் சேவையகத்தில் உள்ள மற்றவர்களுக்குப் பலகை தெரியாது. என்னுடன் தனி அரட்டையில் ஆடுங்கள், அல்லது என்னைச் சேவையகத்தில் சேர்க்கவோ இங்கே “Use External Apps” அனுமதியைத் தரவோ நிர்வாகியிடம் கேளுங்கள்.
refuse-thread-locked = இந்த இழை பூட்டப்பட்டுள்ளது, அதனால் மற்ற ஆட்டக்காரர்கள் இங்கே ஆட முடியாது. ஆட்டம் காத்திருக்கிறது: தொடர இழையின் பூட்டைத் திறங்கள்.
refuse-anonymous = நீங்கள் யாரென்று தெரியவில்லை. குழு அல்லது சேனலின் பெயரில் இல்லாமல் உங்கள் பெயரில் எழுதுங்கள்.
refuse-bot = பாட்கள் ஆட முடியாது.
refuse-friend-bot = { $name } ஒரு பாட், ஆட முடியாது.
refuse-friend-self = உங்களை நீங்களே அழைக்க முடியாது. யாருக்காகவும் காத்திருக்க, பெயர் சொல்லாமல் மேசையைத் திறங்கள்.
refuse-too-many-friends = { $count ->
        [one] இந்த ஆட்டத்துக்கு ஒரு நண்பரை மட்டும் அழைக்கலாம்.
       *[other] இந்த ஆட்டத்துக்கு அதிகபட்சம் { $count } நண்பர்களை அழைக்கலாம்.
    }
refuse-too-many-tables-here = இங்கே திறந்த மேசைகள் மிக அதிகம் ({ $count }). முதலில் ஒன்றை முடியுங்கள். மறந்துபோன ஆட்டத்தை நிர்வாகி நிறுத்தலாம்: /cancel, அதன் குறியீடு.
refuse-too-many-own-here = நீங்கள் இங்கே ஏற்கனவே { $count } மேசைகளைத் திறந்துள்ளீர்கள் அல்லது காட்டியுள்ளீர்கள். முதலில் ஒன்றை முடியுங்கள், அல்லது இங்கே காட்டுவதை நிறுத்துங்கள் (/stop); மற்றவர்களுக்கும் இடம் வேண்டும்.
refuse-too-many-own-of = { $name } இங்கே ஏற்கனவே { $count } மேசைகளைத் திறந்துள்ளார் அல்லது காட்டியுள்ளார், இதற்கு மேல் முடியாது. ஒன்று முடிந்ததும் மீண்டும் கேளுங்கள்.
refuse-too-many-tables = உங்களுக்கு ஏற்கனவே { $count } திறந்த மேசைகள் உள்ளன, இதற்கு மேல் முடியாது. முதலில் ஒன்றை முடியுங்கள்: /games
refuse-too-many-tables-of = { $name } ஏற்கனவே { $count } திறந்த மேசைகளில் இருக்கிறார், இதற்கு மேல் முடியாது. ஒன்று முடிந்ததும் மீண்டும் கேளுங்கள்.
refuse-private-invite = நண்பரால் நம் தனி அரட்டையைப் பார்க்க முடியாது. இணைப்பு மூலம் மேசை திறங்கள் (/play), அல்லது எல்லோரும் உள்ள குழுவில் ஆடுங்கள்.
refuse-language = அந்த மொழி எனக்கு இன்னும் தெரியாது. தெரிந்தவை: { $languages }.
refuse-admin-only = முழு அரட்டைக்கும் இதை நிர்வாகிகள் மட்டுமே தேர்ந்தெடுக்கலாம். உங்களுக்காகத் தேர்ந்தெடுக்க: /settings
refuse-chatter = இங்கே கட்டளைகளும் நகர்வுகளும் மட்டுமே எனக்குப் புரியும். /help பாருங்கள்.
refuse-table-damaged = இந்த மேசையில் ஏதோ தவறு, அதனால் அதை ஒதுக்கி வைத்தேன். என்னை இயக்குபவரிடம் சொல்லியாயிற்று. மன்னியுங்கள். புதிய மேசை திறக்க: /play
refuse-restarting = நான் மறுதொடக்கம் செய்யப்படுகிறேன். ஒரு நிமிடத்தில் எதுவும் நடக்கவில்லை என்றால், மறுபடி முயலுங்கள்.
refuse-trouble = என் பக்கம் ஏதோ தவறு நடந்துவிட்டது. சிறிது நேரம் கழித்து மறுபடி முயலுங்கள்.
refuse-unsaved = இப்போது எதையும் சேமிக்க முடியவில்லை, எனவே இது இன்னும் கணக்கில் எடுக்கப்படவில்லை. சிறிது நேரம் கழித்து மறுபடி முயலுங்கள்.
refuse-too-fast = இவ்வளவு வேகம் எனக்கு முடியாது. சில விநாடிகள் பொறுத்து மறுபடி முயலுங்கள்.
refuse-no-private-board = நம் தனிப்பட்ட அரட்டையில் காட்டக்கூடிய, மற்றவர்களுடனான ஆட்டம் எதுவும் உங்களுக்கு இல்லை. மேசையைத் திறக்க: /play
refuse-board-moved = பலகை இப்போதுதான் கீழே நகர்த்தப்பட்டது. ஒரு நிமிடம் காத்திருங்கள்.
refuse-busy = ஒரே நேரத்தில் அதிகம் வந்துவிட்டது. சிறிது நேரம் கழித்து மறுபடி முயலுங்கள்.

# Help

help-title = <b>Caravanserai</b>: உங்கள் அரட்டையில் பழங்கால விளையாட்டுகள்.
help-move = உங்கள் முறையா? பொத்தானை அழுத்துங்கள், அல்லது பலகைச் செய்திக்குப் பதிலளித்து நகர்வை எழுதுங்கள்.
help-computers = கணினியோடு ஆட: /togyz கணினி, அல்லது நிலையோடு: /togyz வலுவான. நிலைகள்: { $levels }.
help-inline = நான் இல்லாத அரட்டைகளிலும் ஆடலாம்: { $name } எனத் தட்டி விளையாட்டைத் தேர்ந்தெடுங்கள், அல்லது { $name } blot computer.
help-commands = <b>கட்டளைகள்</b> ({ $page })
help-line = { $name } — { $about }

command-play = விளையாட்டைத் தேர்ந்தெடுக்க
command-move = நகர்வு ஆட
command-board = பலகையைக் கீழே மறுபடி காட்ட
command-games = உங்கள் மேசைகள்
command-draw = சமன் கேட்க, அல்லது ஒப்புக்கொள்ள
command-takeback = கடைசி நகர்வைத் திரும்ப எடுக்கக் கேட்க
command-resign = ஆட்டத்தை விட்டுக்கொடுக்க
command-abort = ஆட்டத்தை நிறுத்த: இரண்டாவது நகர்வுக்கு முன் தனியாக, பின்னர் அனைவரும் ஒப்புக்கொண்டால்
command-leave = தொடங்காத மேசையை விட்டு எழ, அல்லது மூட
command-rematch = பக்கம் மாறி மறுபடி ஆட
command-record = கடைசி ஆட்டத்தின் பதிவு
command-text = பலகை சொற்களில்
command-learn = படங்களுடன் விளையாட்டைக் கற்க: /learn blot
command-language = மொழியைத் தேர்ந்தெடுக்க
command-help = என்னால் என்ன முடியும்
command-start = தொடங்க
command-join = மேசையில் அமர, அழைப்பை ஏற்க
command-accept = அழைப்பை அல்லது கேட்டதை ஏற்க
command-decline = அழைப்பை மறுக்க

argument-friend = நண்பர்
argument-variant = விதி
argument-begin = யார் முதலில்
argument-table = மேசை
argument-scope = யாருக்கு
argument-language = மொழி
choice-seed = கூடுதல் நகர்வுடன்
choice-short = கூடுதல் நகர்வின்றி
choice-lot = குலுக்கல் முறையில்
choice-me = நான்
choice-friend = என் நண்பர்
choice-chat = இந்த அரட்டை
choice-server = முழு சேவையகம்

# Rules pages

rules-page = பக்கம் { $page } / { $pages }
rules-at-table = மேசை <code>{ $table }</code>: சில விதிகள் கீழே உள்ளது போல் இல்லை:
rules-instead = { $rule } (வழக்கமாக { $usual })

# House rules
lobby-usual-rules = வழக்கமான விதிகள்.
button-options = ⚙ வீட்டு விதிகள்
options-title = <b>வீட்டு விதிகள்: { $game }</b>, பக்கம் { $page } / { $pages }
options-line = • { $switch }
options-setting = { $name }: { $value }
button-more = மேலும்…
answer-more = நீங்கள் வேறு என்ன செய்யலாம்:

# Hidden hands
hand-cards = உங்கள் சீட்டுகள்: { $cards }.
hand-to-play = உங்கள் சீட்டுகள்: { $cards }. ✓ ஆடலாம்.
hand-empty = இப்போது உங்களிடம் சீட்டுகள் இல்லை.
hand-laid-down = ஆட்டம் முடிந்தது.
hand-not-shown = 🃏 { $names }: உங்கள் சீட்டுகளைப் பார்க்க “என் சீட்டுகள்” என்பதை அழுத்துங்கள்.
hand-held = { $number }{ $what }{ $mark }
hand-inline = மேசை { $table } இல் ஆடு
hand-inline-nothing = இப்போது ஆட எதுவும் இல்லை
refuse-nothing-hidden = இந்த விளையாட்டில் மறைவானது எதுவும் இல்லை: முழுப் பலகையும் எல்லோருக்கும் தெரியும். அதைப் பார்க்க: /board
refuse-no-hand = இந்த மேசையில் இப்போது சீட்டுகள் போடப்படவில்லை; அடுத்த சுற்றில் கிடைக்கும். மேசையைப் பார்க்க: /board
refuse-no-such-card = உங்களிடம் அவ்வளவு சீட்டுகள் இல்லை. உங்கள் சீட்டுகளைப் பார்க்க: /hand
refuse-no-sheet = இந்த விளையாட்டில் அப்படி ஒரு தாள் இல்லை. பலகையைப் பார்க்க: /board
button-hand = 🃏 என் சீட்டுகள்
button-deals = 👐 சுற்றுகள்
deal-title = மேசை <code>{ $table }</code>, சுற்று { $number } / { $count }: யார் எதை வைத்திருந்தார்
refuse-no-deals = இன்னும் எந்தச் சுற்றும் முடியவில்லை. முதல் சுற்று முடிந்ததும் சீட்டுகளைப் பார்க்கலாம்.
button-cards = ⌨ சீட்டு எடு
button-menu = ⋯
answer-menu = மேசை <code>{ $table }</code>:
button-text = 🔤 பலகை உரையாக

# Two presses for a card
answer-confirm-card = ஆட, ஒரு நிமிடத்துக்குள் { $card } பொத்தானை மறுபடி அழுத்துங்கள்.
answer-confirm-is-on = இனி ஒவ்வொரு நகர்வையும் உறுதிசெய்யக் கேட்பேன்.
answer-confirm-is-off = இனி உங்கள் நகர்வுகள் உடனே ஆடப்படும்.
button-confirm-on = 👆👆 உறுதிசெய்தலை இயக்கு
button-confirm-off = 👆 உறுதிசெய்தலை அணை
command-hand = உங்கள் சீட்டுகள், உங்களுக்கு மட்டும்
command-score = புள்ளித் தாள்
command-last = கடைசியாக ஆடியது
command-deals = முடிந்த சுற்றுகளில் யார் எதை வைத்திருந்தார்
command-options = மேசையின் வீட்டு விதிகள்
command-confirm = நகர்வை ஆடும் முன் உறுதிசெய்யக் கேட்க: இயக்கு அல்லது அணை
argument-switch = இயக்கு அல்லது அணை
argument-sessions = அணை: எல்லா உலாவிகளிலிருந்தும் வெளியேறு
choice-on = இயக்கு
choice-off = அணை

# Tables for several, computers, changing seats

lobby-nobody = காலி
lobby-seat = இடம் { $n }: { $name }
lobby-partners = எதிரெதிரே இருப்பவர்கள் ஜோடி: 1, 3 ஒரு பக்கம்; 2, 4 மறுபக்கம்.
lobby-awaited = அழைக்கப்பட்டவர்கள்: { $names }.
lobby-open =
    { $count ->
        [one] ஒரு இடம் காலி, யாரும் சேரலாம்.
       *[other] { $count } இடங்கள் காலி, யாரும் சேரலாம்.
    }
lobby-full = எல்லா இடங்களும் நிரம்பின. { $name } இடங்களை மாற்றி, பிறகு “தொடங்கு” அழுத்தலாம்.
lobby-until = ஒரு நாள் எதுவும் நடக்காவிட்டால் மேசை தானே மூடிக்கொள்ளும்.
over-resigned-together = 🏳 { $name } கூட்டாளியின் சம்மதத்துடன் விட்டுக்கொடுத்தார். <b>{ $winner }</b> வென்றனர்.
over-given-up = 🏳 { $name } விட்டுக்கொடுத்தார். ஆட்டத்தில் இருப்பவர்கள்: { $winner }.
closed-expired = யாரும் ஆட்டத்தைத் தொடங்கவில்லை, அதனால் மேசை மூடப்பட்டது.
closed-abandoned = இங்கே நீண்ட நாளாக யாரும் ஆடவில்லை, அதனால் ஆட்டம் நிறுத்தப்பட்டது. யாரும் தோற்கவில்லை.
offer-resign = 🏳 { $name } விட்டுக்கொடுக்க விரும்புகிறார். கூட்டாளி ஒப்புக்கொள்ள வேண்டும்.
offer-replace = 🪑 { $name } கேட்கிறார்: { $seat }-க்குப் பதில் { $newcomer } ஆடட்டும்.
offer-leave = 🪑 { $seat } தனக்குப் பதில் { $newcomer } ஆடட்டும் என்கிறார்.
offer-take-over = 🪑 { $newcomer } ஆட விரும்புகிறார், { $seat }-க்குப் பதில்.
offer-replaced = 🪑 { $name }-க்குப் பதில் இனி { $newcomer } ஆடுகிறார்.
offer-agreed = ✓ { $names }
offer-waiting = பதில் வர வேண்டியவர்கள்: { $names }.
offer-patience = { $name } மறுக்கலாம். { $time } பேசாவிட்டால் மற்றவர்கள் முடிவு செய்வார்கள்.
call-resign = { $name }, உங்கள் கூட்டாளி விட்டுக்கொடுக்க விரும்புகிறார் (மேசை <code>{ $table }</code>).
call-replace = { $name }, ஓர் இடத்தில் வேறொருவர் ஆட விரும்புகிறார்: சம்மதமா (மேசை <code>{ $table }</code>)?
call-start = { $name }, எல்லா இடங்களும் நிரம்பின: நீங்கள் தொடங்கலாம் (மேசை <code>{ $table }</code>).
call-invited = { $name }, உங்களை ஆட அழைக்கிறார்கள் (மேசை <code>{ $table }</code>).
call-closing = { $name }, எதுவும் நடக்காவிட்டால் மேசை <code>{ $table }</code> { $minutes } நிமிடத்தில் மூடும். “நீட்டிக்கவும்” அழுத்தினால் திறந்திருக்கும்.
button-leave = எழு
button-computer = + 🤖 கணினி
button-no-computer = − 🤖
button-seats = இடங்கள்: { $count }
button-start = ▶ தொடங்கு
button-extend = ⏳ நீட்டிக்கவும்
button-remind = 🔔 நினைவூட்டு
button-remove-player = நீக்கு…
button-substitutes = 🪑 மாற்று ஆட்டக்காரர்
button-computer-for = 🤖 { $name }-க்குப் பதில் கணினி
button-take-over = 🪑 { $name }-க்குப் பதில் ஆடு
answer-agreed = ஒப்புக்கொண்டீர்கள். மற்றவர்களுக்காகக் காத்திருக்கிறோம்.
answer-reminded = நினைவூட்டியாயிற்று.
answer-extended = மேசை இன்னும் ஒரு நாள் திறந்திருக்கும்.
answer-remove-player = யார் மேசையை விட்டுப் போக வேண்டும்?
answer-substitutes = மற்றவர்கள் ஒப்புக்கொண்டால் ஒருவருக்குப் பதில் கணினி ஆடலாம். நண்பருக்கு, /substitute என்று எழுதி அவர் பெயரை எழுதுங்கள்.
answer-take-over = எந்த இடம் வேண்டும்? மேசையில் இருப்பவர்கள் ஒப்புக்கொள்ள வேண்டும்.
refuse-no-free-seat = காலி இடம் இல்லை. பார்க்கலாம், அல்லது உங்கள் மேசையைத் திறக்கலாம்: /play
refuse-kicked = மேசையைத் திறந்தவர் உங்களை இந்த மேசையிலிருந்து நீக்கினார். உங்கள் மேசையைத் திறக்க: /play
refuse-seat-taken = அந்த இடம் காலி இல்லை. வேறொன்றைத் தேர்ந்தெடுங்கள்.
refuse-lobby-changed = மேசையில் ஏதோ மாறிவிட்டது. மறுபடி பாருங்கள்.
refuse-not-here = { $name } இந்த மேசையில் இல்லை.
refuse-kick-self = உங்களை நீங்களே நீக்க முடியாது. எழ: /cancel
refuse-no-computer = இங்கே கணினி இல்லை.
refuse-seats = இது { $fewest } முதல் { $most } பேர் ஆடும் விளையாட்டு.
refuse-too-many-sit = இங்கே அமர்ந்தவர்களும் அழைக்கப்பட்டவர்களும் அதைவிட அதிகம். முதலில் ஒருவரை நீக்குங்கள்.
refuse-too-few =
    { $count ->
        [one] இன்னும் ஒருவர் வேண்டும். கணினியும் ஆடலாம்.
       *[other] இன்னும் { $count } பேர் வேண்டும். கணினிகளும் ஆடலாம்.
    }
refuse-nobody-awaited = நினைவூட்ட யாரும் இல்லை: அழைக்கப்பட்ட எல்லோரும் பதில் சொல்லிவிட்டார்கள்.
refuse-nobody-named = யாரென்று சொல்லுங்கள்: @நண்பர்.
refuse-reminded =
    { $minutes ->
        [one] இப்போதுதான் நினைவூட்டப்பட்டது. ஒரு நிமிடம் கழித்து முயலுங்கள்.
       *[other] இப்போதுதான் நினைவூட்டப்பட்டது. { $minutes } நிமிடம் கழித்து முயலுங்கள்.
    }
refuse-already-agreed = நீங்கள் ஏற்கனவே ஒப்புக்கொண்டீர்கள். மற்றவர்களுக்காகக் காத்திருக்கிறோம்.
refuse-no-draws = இந்த விளையாட்டில் சமன் கிடையாது. விட்டுக்கொடுக்க: /resign
refuse-draw-computer = கணினி சமனுக்கு ஒப்புக்கொள்ளாது. விட்டுக்கொடுக்க: /resign
refuse-back-hidden = இங்கே திரும்ப எடுக்க முடியாது: சீட்டுகளை ஏற்கனவே பார்த்துவிட்டார்கள்.
refuse-back-chance = அதைத் திரும்ப எடுக்க முடியாது: அதற்குப் பிறகு கட்டை உருட்டியாயிற்று.
refuse-computer-there = அங்கே ஏற்கனவே கணினி ஆடுகிறது.
refuse-unknown-seat = அப்படி ஒரு இடம் இல்லை. இடங்களைப் பார்க்க: /board
refuse-seated-already = { $name } ஏற்கனவே இந்த மேசையில் ஆடுகிறார்.
refuse-other-hand = { $name } இந்தச் சுற்றில் வேறொருவரின் சீட்டுகளைப் பார்த்துவிட்டார். அடுத்த சுற்றில்தான் இந்த இடத்தில் அமர முடியும்.
refuse-last-person = இங்கே மீதமிருப்பது நீங்கள் மட்டுமே. விட்டுக்கொடுக்க: /resign
refuse-substitute-rated = ஆட்டக்காரர் பின்தங்கியிருக்கும்போது யாரும் இடம் பிடிக்க முடியாது: கணினிகளுடனான இந்த ஆட்டம் தரமதிப்பில் சேரும். தரமதிப்பில்லாத ஆட்டத்தில் நண்பர்கள் எப்போதும் சேரலாம். புதிய ஆட்டம்: /play
refuse-friend-twice = { $name } பெயரை இருமுறை சொன்னீர்கள்.
command-begin = மேசையில் இருப்பவர்களுடன் தொடங்க
command-kick = ஆட்டத்துக்கு முன் ஒருவரை நீக்க
command-substitute = வேறொருவரைப் பதிலுக்கு ஆட விட
argument-against = யாரோடு
choice-computer = கணினி
argument-second = இன்னொரு நண்பர்
argument-third = மூன்றாவது நண்பர்
over-first = 🏆 <b>{ $winner }</b> வென்றார்.
over-won-pair = 🏆 <b>{ $winner }</b>, <b>{ $partner }</b> ஜோடி வென்றது, { $score }.

# How boards look
command-theme = பலகையின் தோற்றத்தைத் தேர்ந்தெடுக்க
command-flip = உங்கள் பக்கமிருந்து பலகை, உங்களுக்கு மட்டும்
argument-theme = தோற்றம்
choice-wood = 🪵 மரம்
choice-night = 🌙 இரவு
choice-contrast = ◐ தெளிவு
choice-print = 🖨 அச்சு
answer-theme = பலகைகள் எப்படி இருக்க வேண்டும்? முதல் பொத்தான்கள் நீங்கள் மட்டும் பார்ப்பவற்றுக்கு.
answer-theme-person = நீங்கள் மட்டும் பார்ப்பவை இனி இப்படி இருக்கும்: { $theme }.
answer-theme-shared = இந்த அரட்டையின் பலகை அப்படியே இருக்கும்: அது எல்லோருக்கும் ஒன்றே. நிர்வாகி தேர்ந்தெடுக்கலாம்: /theme
answer-theme-chat = இந்த அரட்டையின் பலகைகள் இனி இப்படி இருக்கும்: { $theme }.
refuse-theme = எனக்குத் தெரிந்த தோற்றங்கள்: { $themes }.
answer-turned-is-on = நீங்கள் மட்டும் பார்க்கும் பலகையில் இனி உங்கள் பக்கம் கீழே இருக்கும்.
answer-turned-is-off = நீங்கள் மட்டும் பார்க்கும் பலகை இனி எல்லோரும் பார்ப்பது போலவே இருக்கும்.
button-turned-on = 🔄 என் பக்கம் கீழே
button-turned-off = 🔄 எல்லோரையும் போல
answer-pace-is-calm = தனியாக ஆடும்போது கணினிகள் இனி ஒவ்வொன்றாக ஆடும்; நீங்கள் பின்தொடரலாம்.
answer-pace-is-quick = தனியாக ஆடும்போது கணினிகள் இனி உடனே பதில் ஆடும்.
button-pace-quick = ⚡ உடனே பதில்
button-pace-calm = 🐢 ஒவ்வொன்றாக
command-pace = கணினிகள் எவ்வளவு வேகமாக ஆடும்: நிதானம் அல்லது வேகம்
argument-pace = நிதானம் அல்லது வேகம்
choice-calm = நிதானம்
choice-quick = வேகம்
answer-words-is-on = நீங்கள் மட்டும் படிக்கும் இடத்தில் இனி பலகையைச் சொற்களில் சொல்வேன்.
answer-words-is-off = இனி பலகைகளைப் படமாகக் காட்டுவேன்.
button-words-on = 🔤 எப்போதும் சொற்களில்
button-words-off = 🖼 எப்போதும் படமாக
button-view = 👁 என் பக்கமிருந்து
# Replays and charts.
button-replay = 🎬 மறுபடி பார்
button-chart = 📈 வரைபடம்
answer-replay = 🎬 படம் தயாராகிறது… சிறிது நேரத்தில் இங்கே வரும்.
answer-replay-soon = படம் ஏற்கனவே தயாராகிக்கொண்டிருக்கிறது. சிறிது நேரத்தில் இங்கே வரும்.
answer-replay-above = இந்த ஆட்டத்தின் படம் சில நிமிடங்களுக்கு முன் இங்கே வந்தது: கொஞ்சம் மேலே பாருங்கள்.
refuse-no-replay = ஆட்டம் முடிந்ததும் படத்தைப் பெறலாம்.
refuse-replay-busy = பல படங்கள் காத்திருக்கின்றன. ஒரு நிமிடம் கழித்து மறுபடி கேளுங்கள்.
refuse-chart-later = கைச்சீட்டுகள் ரகசியம்: ஆட்டம் முடிந்ததும் வரைபடத்தைப் பார்க்கலாம்.
refuse-no-chart = இந்த மேசையில் வரைபடம் வரைய ஆட்டம் எதுவும் இல்லை.
answer-replay-title = 🎬 <b>{ $game }</b> · மேசை <code>{ $table }</code> · { $names }
command-replay = கடைசி ஆட்டம் ஒரு குறும்படமாக
command-chart = ஆட்டத்தின் புள்ளிகள் படமாக
# Computers: who they are and how strong
computer-beginner = 🤖 ஒட்டகக்குட்டி
computer-easy = 🤖 ஒட்டகக்காரர்
computer-medium = 🤖 வணிகர்
computer-strong = 🤖 வழிகாட்டி
computer-master = 🤖 வணிகத் தலைவர்
# Two and more of one kind at a table have names of their own: no number ever follows a name.
computer-named = { $name } { $own }
computer-own-name = { $n ->
        [1] அலி
        [2] நூர்
        [3] ஆராம்
       *[other] ஸாகி
    }
computer-thinks = { $name } யோசிக்கிறார்…
level-beginner-about = முதல் பயணம், தன் காலே தடுக்கி விழும்.
level-easy-about = வழி தெரியும், ஆனால் அடுத்த வளைவுக்கு அப்பால் பார்க்க மாட்டார்.
level-medium-about = கணக்கில் கெட்டி, எதையும் சும்மா தர மாட்டார்.
level-strong-about = பாலைவனத்தைப் பலமுறை கடந்தவர், புயல் வருவதை முன்பே அறிவார்.
level-master-about = ஒரு ஒட்டகத்தையும் இழந்ததில்லை. வாழ்த்துகள்!
choice-beginner = புதியவர்
choice-easy = எளிது
choice-medium = நடுத்தரம்
choice-strong = வலுவான
choice-master = வல்லவர்
argument-level = எவ்வளவு வலு
lobby-seat-computer = இடம் { $n }: { $name } ({ $level })
answer-levels = இங்கே அமரக்கூடிய <b>கணினிகள்</b>:
answer-level-name = • { $name } ({ $level }): { $about }
answer-level-rated = • { $name } ({ $level }): { $about } 🏅 { $rating }
button-levels = 🤖 நிலைகள்…
button-relevel = இடம் { $n }: { $level } ▸ மாற்று
refuse-computer-thinks = { $name } யோசிக்கிறார். ஒரு நிமிடம்.

# Hints
lobby-hints = 💡 குறிப்புகள்: { $rule }.
lobby-hints-on = எல்லோருக்கும்
lobby-hints-off = இல்லை
lobby-hints-alone = கணினியோடு மட்டும்
button-hints = குறிப்புகள்: { $rule }
button-hint = 💡 குறிப்பு
command-hint = வல்லவர் இப்போது என்ன ஆடுவார், உங்களுக்கு மட்டும்
answer-hint = 💡 வல்லவர் ஆடுவது: { $move }. அப்போது வெல்லும் வாய்ப்பு சுமார் { $percent }%.
answer-hint-sure = 💡 வல்லவர் ஆடுவது: { $move }.
answer-hint-counted = நீங்கள் குறிப்பு கேட்டது எல்லோருக்கும் தெரியும், ஆனால் குறிப்பு என்னவென்று தெரியாது.
refuse-hint-turn = உங்கள் முறையில்தான் குறிப்பு கிடைக்கும். இப்போது { $name }-இன் முறை.
refuse-hint-off = இந்த மேசையில் குறிப்புகள் இல்லை. ஆட்டத்துக்கு முன்பே அப்படி முடிவானது.
refuse-hint-used =
    { $count ->
        [one] இந்த ஆட்டத்தின் ஒரே குறிப்பை எடுத்துவிட்டீர்கள்.
       *[other] இந்த ஆட்டத்தின் { $count } குறிப்புகளையும் எடுத்துவிட்டீர்கள்.
    }
refuse-hint-soon = உங்கள் குறிப்பைப் பற்றி ஏற்கனவே யோசித்துக்கொண்டிருக்கிறேன்.
refuse-hint-late = இதற்கிடையில் ஆட்டம் நகர்ந்துவிட்டது. உங்கள் முறை வரும்போது மறுபடி கேளுங்கள்.
over-hints = 💡 குறிப்புகள்: { $names }
over-hinted = { $name } ×{ $count }

# The review after a game
button-review = 🔍 அலசல்
command-review = கடைசி ஆட்டத்தின் அலசல்: திருப்புமுனைகளும் சிறந்த நகர்வுகளும்
answer-review =
    { $seconds ->
        [one] 🔍 ஆட்டத்தை அலசுகிறேன். அலசல் சுமார் ஒரு விநாடியில் இங்கே வரும்.
       *[other] 🔍 ஆட்டத்தை அலசுகிறேன். அலசல் சுமார் { $seconds } விநாடிகளில் இங்கே வரும்.
    }
answer-review-soon = ஆட்டத்தை ஏற்கனவே அலசிக்கொண்டிருக்கிறேன். அலசல் சிறிது நேரத்தில் இங்கே வரும்.
answer-review-progress = 🔍 <b>{ $game }</b>: ஆட்டத்தை அலசுகிறேன்… { $made }%
answer-review-above = இந்த ஆட்டத்தின் அலசல் சில நிமிடங்களுக்கு முன் இங்கே வந்தது: கொஞ்சம் மேலே பாருங்கள்.
refuse-no-review = சில நகர்வுகளாவது ஆடி முடிந்த ஆட்டத்தையே அலச முடியும்.
refuse-review-busy = பல அலசல்கள் காத்திருக்கின்றன. ஒரு நிமிடம் கழித்து மறுபடி கேளுங்கள்.
refuse-review-gone = அந்த அலசல் இப்போது இல்லை. மறுபடி கேளுங்கள்: /review
answer-review-title = 🔍 <b>{ $game }</b> · மேசை <code>{ $table }</code> · திருப்புமுனைகளும் சிறந்த நகர்வுகளும்
answer-review-line = { $n }. நகர்வு { $move }, { $name }: { $played } ({ $before }% → { $after }%). சிறந்தது: { $better }.
answer-review-more = மேலும்: { $moves }.
answer-review-short = { $n }. நகர்வு { $move } ({ $before } → { $after }%)
answer-review-none = எந்த ஒரு நகர்வும் பெரிதாக மாற்றவில்லை: ஆட்டம் படிப்படியாக முடிவானது.
answer-review-failed = இந்த முறை பகுப்பாய்வைச் செய்ய முடியவில்லை. ஒரு மணி நேரம் கழித்து மீண்டும் கேளுங்கள்: /review
answer-review-incomplete = எல்லா நகர்வுகளையும் சரிபார்க்க நேரம் போதவில்லை, அதனால் சில திருப்புமுனைகள் விடுபட்டிருக்கலாம். ஒரு மணி நேரம் கழித்து மீண்டும் கேளுங்கள்: /review
answer-review-chart = ஒவ்வொரு பக்கமும் வெல்லும் வாய்ப்பை வரைபடம் நகர்வு வாரியாகக் காட்டுகிறது: இது கணினியின் கணிப்பு. அதிலுள்ள எண்கள் மேலே உள்ள நகர்வுகளுடையவை.
button-luck = 🎲 அதிர்ஷ்டமும் ஆட்டமும்
answer-luck = 🎲 <b>அதிர்ஷ்டமும் ஆட்டமும்</b>: வெற்றி வாய்ப்பு எப்படி மாறியது, 100 புள்ளிகளில்
answer-luck-line = { $side }: தொடக்கத்தில் { $start }, சொந்தத் தவறுகளால் { $own }, மற்றவர்களின் தவறுகளால் { $others }, அதிர்ஷ்டத்தால் { $luck } = { $result }
answer-luck-about = ஆட்டக்காரர் அறியக்கூடிய சிறந்த முடிவை விட ஒரு முடிவு இழந்ததே தவறு. மற்ற எல்லாம் அதிர்ஷ்டம்: தாயக்கட்டை, சீட்டுப் பகிர்வு, எதிர்பார்த்ததை விட நன்றாகவோ மோசமாகவோ அமைந்த சீட்டுகள். இரண்டையும் கணினி மதிப்பிடுகிறது.
answer-moment = நகர்வு { $move }-க்கு முன்: { $name } ஆடியது { $played }. வல்லவர் ஆடியிருப்பது <b>{ $better }</b>.
answer-moment-chance = வெல்லும் வாய்ப்பு சுமார் { $before }% இருந்தது, { $after }% ஆகக் குறைந்தது.
answer-moment-answer = அதற்குப் பிறகு { $name }-ஆல் { $answer } ஆட முடிந்தது.

# The first minute, and what was not understood
help-all = 🌐 /language · எல்லா கட்டளைகளும் கடைசிப் பொத்தானில்.
help-all-typed = 🌐 /language · எல்லா கட்டளைகளும்: /help எல்லாம்
button-learn = 📖 கற்றுக்கொள்
button-solo = 🤖 கணினியோடு ஆடு
button-help-all = எல்லா கட்டளைகளும்
button-both-sides = ♟ இரு பக்கமும்
button-settings = ⚙ அமைப்புகள்
button-verify = 🔒 நியாயச் சரிபார்ப்பு
solo-choose = <b>{ $game }</b>: யாரோடு ஆட விரும்புகிறீர்கள்?
solo-rated = 🏅 இந்த ஆட்டங்கள் தரமதிப்பில் சேரும், மாற்றங்கள் பாதி மட்டுமே கணக்கிடப்படும். குறிப்பு அல்லது திரும்ப எடுத்த நகர்வுக்குப் பிறகு தோல்வி மட்டுமே கணக்கிடப்படும்.
solo-casual = இந்த ஆட்டங்கள் மகிழ்ச்சிக்கு மட்டும்: தரமதிப்பில் சேராது.
solo-friend = நண்பரோடு: “இணைப்பு மூலம்” அழுத்துங்கள், அல்லது நானும் இருக்கும் குழுவில் ஆடுங்கள்: /play
solo-friend-link = நண்பரோடு: “இணைப்பு மூலம்” அழுத்துங்கள், அல்லது நீங்கள் இருவரும் உள்ள குழுவுக்கு என்னை அழைத்துச் செல்லுங்கள்: { $link }
solo-friend-hands = குழுவின் நிர்வாகியாக இருந்தால், “என் சீட்டுகள்” இல்லாமலே எல்லா ஆட்டக்காரர்களுக்கும் அவர்களின் சீட்டுகளை உடனே காட்டுவேன். இந்த இணைப்பு செய்திகளை நீக்கும் உரிமையை மட்டுமே கேட்கிறது: { $link }
rules-which = எந்த விளையாட்டைக் கற்க விரும்புகிறீர்கள்?
refuse-clock = கடிகாரம் ஒரு நகர்வுக்கு 10 விநாடி முதல் 30 நாள் வரை, அல்லது நிமிடங்களும் நகர்வுக்கு விநாடிகளும்: 3 நிமிடம், 5+5, 2 நாள்.
refuse-misread = “{ $word }” புரியவில்லை, அதனால் எதையும் திறக்கவில்லை. நீங்கள் சொல்லலாம்: கணினி, { $levels }, குறிப்பு இல்லை, @நண்பர்.
refuse-misread-near = “{ $word }” புரியவில்லை, அதனால் எதையும் திறக்கவில்லை. “{ $near }” என்று சொல்ல வந்தீர்களா?
refuse-nobody-called = @{ $name } என்று இங்கே யாரையும் தெரியாது, அதனால் எதுவும் மாறவில்லை. பெயரைச் சரிபாருங்கள், அல்லது எல்லோருக்கும் மேசையைத் திறங்கள்: /play
answer-settings = ⚙ மேசை <code>{ $table }</code>, ஆட்டத்துக்கு முன்:
answer-verify = 🔒 மேசை <code>{ $table }</code>: யாரும் சேரும் முன்பே seed எண் முடிவாகிவிட்டது; கட்டைகளும் சீட்டுகளும் அந்த எண்ணையும் யார் யார் அமர்ந்தார்கள் என்பதையும் பொறுத்தே வருகின்றன. இது அந்த எண்ணின் கைரேகை; பதிவில் அந்த எண் இருக்கும், அதனால் யார் வேண்டுமானாலும் சரிபார்க்கலாம்.
answer-verify-over = 🔒 மேசை <code>{ $table }</code>: யாரும் சேரும் முன்பே seed எண் முடிவாகிவிட்டது; கட்டைகளும் சீட்டுகளும் அந்த எண்ணையும் யார் யார் அமர்ந்தார்கள் என்பதையும் பொறுத்தே வருகின்றன. இது அந்த எண்ணின் கைரேகை. ஆட்டம் முடிந்துவிட்டது; அதன் பதிவில் seed எண் உள்ளது, அதனால் யார் வேண்டுமானாலும் சரிபார்க்கலாம்: /record
lobby-unseen = { $names } எனக்கு இன்னும் அறிமுகம் இல்லை: இங்கே அழுத்தியதும் சேரலாம்.
answer-confirm-resign-typed = இது ஆட்டத்தை முடித்துவிடும். ஒரு நிமிடத்துக்குள் மறுபடி அனுப்பினால் விட்டுக்கொடுத்ததாகும்.
answer-confirm-abort-typed = இது ஆட்டத்தை முடித்துவிடும். ஒரு நிமிடத்துக்குள் மறுபடி அனுப்பினால் ஆட்டம் நின்றுவிடும்.
refuse-nothing-to-join = நீங்கள் சேரக்கூடிய மேசை இங்கே இல்லை. ஒன்று திறங்கள்: /play
refuse-none-waiting = ஆட்டக்காரர்களுக்காகக் காத்திருக்கும் உங்கள் மேசை இங்கே இல்லை. ஒன்று திறங்கள்: /play
refuse-not-playing-here = நீங்கள் இங்கே எந்த மேசையிலும் ஆடவில்லை. ஒன்று திறங்கள்: /play
refuse-none-finished = அண்மையில் இங்கே எந்த ஆட்டமும் முடியவில்லை. மேசை திறக்க: /play. முந்தைய ஆட்டங்கள்: /history
command-verify = கட்டை, சீட்டு, குலுக்கல் நியாயமா என்று சரிபார்க்க
argument-move = என்ன ஆட: 7, 8♥, pass
argument-game = விளையாட்டு
refuse-doubtful-move = “{ $typed }” பொருந்தவில்லை. { $move } என்று சொல்ல வந்தீர்களா? அப்படியானால் { $move } என்று அனுப்புங்கள்.

# What a press has done, told at once to whoever pressed.
done-reply = ✓ { $what }
done-and = { $first } · { $second }
done-your-turn = உங்கள் முறை
done-turn = { $name }-இன் முறை
done-opened = மேசை திறந்தது
done-below = கீழே அனுப்பப்பட்டது
done-joined = சேர்ந்துவிட்டீர்கள்
done-asked = அழைத்தவர் ஒப்புக்கொண்டதும் ஆட்டம் தொடங்கும்
done-left = எழுந்துவிட்டீர்கள்
done-seats = இடங்கள் மாறின
done-removed = ஆட்டக்காரர் மேசையிலிருந்து நீக்கப்பட்டார்
done-saved = சேமிக்கப்பட்டது
done-started = ஆட்டம் தொடங்கியது
done-back = திரும்ப எடுத்தாயிற்று
done-replaced = இடம் மாறியது
done-declined = மறுக்கப்பட்டது
done-over = ஆட்டம் முடிந்தது
done-closed = மேசை மூடப்பட்டது
refuse-button-changed = அந்தப் பொத்தான் இப்போதுதான் மாறியது. அதில் இப்போது இருப்பதுதான் வேண்டுமென்றால் மறுபடி அழுத்துங்கள்.

# Courses: questions of their pages, and the first game against the weakest computer

lesson-yes = ஆம்
lesson-no = இல்லை
lesson-player = { $name }
lesson-part = 📚 பகுதி { $n } / { $parts }: <b>{ $name }</b>
lesson-part-done = 🎓 <b>பகுதி { $n } / { $parts } முடிந்தது: { $name }.</b> இப்போது உங்கள் முதல் ஆட்டத்தை ஆடுங்கள், எதிராளி { $computer }: எதைக் கவனிக்க வேண்டும் என்று சொல்வேன். அல்லது அடுத்த பகுதியைப் படியுங்கள்.
button-part = பகுதி { $n }: { $name } ▸
lesson-question = ❓ { $question }
lesson-try = 👆 { $question }
lesson-right = { $n ->
        [0] ✅ சரி!
        [1] ✅ நன்றாகப் பார்த்தீர்கள்!
        [2] ✅ அதேதான்!
       *[other] ✅ ஆம், அருமை!
    }
lesson-wrong = 🤔 முழுவதும் சரியல்ல.
lesson-verdict = { $verdict } { $why }
lesson-done = 🎓 <b>இவ்வளவு தெரிந்தால் போதும்.</b> இப்போது ஆடிப் பாருங்கள்: { $game }, எதிராளி { $computer }. எதைக் கவனிக்க வேண்டும் என்று சொல்வேன்; எத்தனை முறை வேண்டுமானாலும் திரும்ப எடுக்கலாம்.
button-first-game = 🐪 என் முதல் ஆட்டம் (உதவியுடன்): { $computer }
button-again = 🔁 இன்னொரு முறை
coach-says = 🐪 { $what }

# One table in several places

button-private = 👤 தனி அரட்டையில் ஆடு
button-stop = ✖ இங்கே காட்டாதே
places-also =
    { $count ->
        [one] 👁 இன்னும் { $count } அரட்டையிலும் தெரிகிறது
       *[other] 👁 இன்னும் { $count } அரட்டைகளிலும் தெரிகிறது
    }
watching-people =
    { $people ->
        [one] 👁 ஒருவர் பார்க்கிறார்
       *[other] 👁 { $people } பேர் பார்க்கிறார்கள்
    }
watching-both = { $people } · { $places }
button-public-on = 👁 யாரும் பார்க்கலாம்
button-public-off = 🔒 இங்கே மட்டும் பார்க்க
refuse-not-public = மேசை { $table } எல்லோரும் பார்ப்பதற்கு அல்ல. அங்கே ஆடுபவர்கள் அனுமதிக்கலாம்: ⋯, “யாரும் பார்க்கலாம்”.
answer-table-detached = இந்த மேசை இனி இங்கே காட்டப்படாது. மறுபடி காட்ட: /show { $table }
places-name = { $name } ({ $mark })
mark-tg = TG
mark-dc = DC
mark-web = இணையம்
done-shown-here = மேசை இங்கேயும் காட்டப்படுகிறது
answer-shown-here = இந்த மேசையில் இங்கிருந்தும் ஆடலாம்.
answer-watching = இனி இந்த மேசையை இங்கே பார்க்கலாம். நிறுத்த: /stop
answer-private = உங்கள் பலகை இனி நம் தனி அரட்டையில் இருக்கிறது. அங்கிருந்தும் ஆடலாம், இங்கிருந்தும் ஆடலாம்.
answer-private-opened = 🎲 உங்கள் பலகை இங்கே திறக்கும்.
answer-stopped = மேசை இனி இங்கே காட்டப்படாது. ஆட்டம் வேறு இடத்தில் தொடர்கிறது.
refuse-show-private-game = இந்த மேசையில் ஒருவர் தனி அரட்டையில் ஆடுகிறார், அதனால் வேறு இடத்தில் காட்ட முடியாது. பலருக்கான மேசையைத் திறக்க: /play
refuse-which-code = எந்த மேசை? அதன் குறியீட்டை எழுதுங்கள், அது பலகையின் ⋯ பொத்தானில் உள்ளது: /{ $command } 7k3fxb2
refuse-already-here = அந்த மேசை ஏற்கனவே இங்கே காட்டப்படுகிறது. பலகையைப் பார்க்க: /board
refuse-too-many-places = அந்த மேசை ஏற்கனவே வேறு { $count } அரட்டைகளில் காட்டப்படுகிறது. முதலில் ஒன்றில் நிறுத்த வேண்டும்: /stop
refuse-stop-home = மேசை இங்கேதான் திறந்தது, அதனால் இங்கேயே இருக்கும். ஆட்டத்துக்கு முன் மூடலாம், பிறகு விட்டுக்கொடுக்கலாம்.
refuse-not-shown-here = அந்த மேசை இங்கே காட்டப்படவில்லை.
refuse-nothing-shown-here = வேறு அரட்டையின் மேசை எதுவும் இங்கே காட்டப்படவில்லை.
refuse-stop-others = மேசையை இங்கே காட்டியவர், மேசை திறந்தவர் அல்லது இந்த அரட்டையின் நிர்வாகி மட்டுமே இதைச் செய்யலாம்.
refuse-stop-player = { $name } இந்த அரட்டையிலிருந்து மட்டுமே ஆடுகிறார், அதனால் மேசை இங்கேயே இருக்கும். { $name } தனி அரட்டையிலும் பலகையைத் திறந்ததும் (/private), இங்கே காட்டுவதை நிறுத்தலாம்: /stop. ஆடாத நிர்வாகி இதை உடனே செய்யலாம்.
refuse-only-watching = இந்த அரட்டையில் பார்க்க மட்டுமே முடியும். இங்கே ஆட, மேசையைக் காட்டுங்கள்: /show, பிறகு அதன் குறியீடு
refuse-private-seat = நீங்கள் இந்த மேசையில் ஆடவில்லை. தனி அரட்டையில் பார்க்க, அங்கே எனக்கு எழுதுங்கள்: /watch { $table }
refuse-already-private = உங்கள் பலகை ஏற்கனவே நம் தனி அரட்டையில் இருக்கிறது.
refuse-private-none = இங்கே என்னுடன் தனி அரட்டை கிடையாது.
refuse-private-closed = உங்களுக்கு என்னால் செய்தி அனுப்ப முடியவில்லை. தனியுரிமை அமைப்புகளில் இந்தச் சேவையகத்தின் நேரடிச் செய்திகளை அனுமதியுங்கள், அல்லது முதலில் எனக்குத் தனியாக எழுதுங்கள்: /private { $table }
refuse-private-closed-link = உங்களுக்குத் தனியாக எழுத எனக்கு இன்னும் அனுமதி இல்லை. நம் தனி அரட்டையைத் திறந்து Start அழுத்துங்கள், பலகை தானே வரும்: { $link }
command-private = உங்கள் சொந்தப் பலகை, நம் தனி அரட்டையில்
command-show = வேறு அரட்டையின் மேசையை இங்கே காட்டி ஆட
command-watch = வேறு அரட்டையின் மேசையை இங்கே பார்க்க
command-stop = வேறு அரட்டையின் மேசையை இங்கே காட்டாமல் நிறுத்த

## Settings

command-settings = எல்லா அமைப்புகளும்: உங்களுடையவை, இந்த அரட்டையினுடையவை
setting-row = { $name }: { $value }
setting-now = ✓ { $value }
setting-row-from = { $name }: { $value } ({ $source })
setting-from-server = சேவையகத்திலிருந்து
setting-from-channel = #{ $channel } சேனலிலிருந்து
setting-from-parent = சேனலிலிருந்து
setting-like-server = ↺ சேவையகத்தில் போல: { $value }
setting-like-channel = ↺ சேனலில் போல: { $value }
settings-mine = 👤 <b>உங்கள் அமைப்புகள்</b>. இவை எல்லா இடத்திலும் பொருந்தும். மாற்ற அழுத்துங்கள்.
settings-chat = ⚙ <b>இந்த அரட்டையின் அமைப்புகள்</b>. மாற்ற விரும்புவதை அழுத்துங்கள்; எதையும் தொடாமலே எல்லாம் இயங்கும்.
settings-chat-read = ⚙ <b>இந்த அரட்டையின் அமைப்புகள்</b>. நிர்வாகிகள் மட்டுமே மாற்றலாம்.
settings-server = 🏛 <b>முழு சேவையகத்தின் அமைப்புகள்</b>. வேறு தேர்வு இல்லாத எல்லா சேனல்களிலும் இவை பொருந்தும். மாற்ற விரும்புவதை அழுத்துங்கள்.
settings-server-read = 🏛 <b>முழு சேவையகத்தின் அமைப்புகள்</b>. நிர்வாகிகள் மட்டுமே மாற்றலாம்.
button-settings-chat = ⚙ இந்த அரட்டை
button-settings-server = 🏛 முழு சேவையகத்துக்கும்
button-settings-mine = 👤 என்னுடையவை
button-usual-rules = ↺ வழக்கமான விதிகள்
setting-language = 🌐 மொழி
setting-theme = 🎨 தோற்றம்
setting-side = 🔄 என் பலகை
setting-boards = 🖼 பலகை
setting-press = 👆 நகர்வை உறுதிசெய்தல்
setting-pace = 🐢 கணினிகள்
setting-pace-about = நீங்கள் தனியாக ஆடும்போது கணினிகள் எவ்வளவு வேகமாகப் பதிலளிக்கும்.
value-pace-calm = ஒவ்வொன்றாக
value-pace-quick = உடனே
setting-calls = 🔔 நினைவூட்டல்
setting-night = 🌙 அமைதி நேரம்
setting-zone = 🕰 என் நேரம்
setting-hints = 💡 குறிப்புகள்
setting-clock = ⏱ நேரம்
setting-clock-about = வேறு எதுவும் சொல்லப்படாவிட்டால், இங்குள்ள புதிய மேசைகளில் ஆட்டக்காரர்களுக்கு எவ்வளவு நேரம்?
setting-opens = 🚪 மேசை திறப்பவர்
setting-orders = ✖ மேசை மூடுபவர்
setting-rules = 📜 வீட்டு விதிகள்
setting-quiet = 🔕 அமைதி முறை
setting-old = 🧹 பழைய பலகைகள்
setting-where = 📍 ஆடும் இடம்
setting-language-about = எந்த மொழியில் பேசட்டும்?
setting-theme-about = பலகைகள் எப்படி இருக்க வேண்டும்?
setting-side-about = நீங்கள் மட்டும் பார்க்கும் பலகையில் கீழே யாருடைய பக்கம்?
setting-boards-about = நீங்கள் மட்டும் படிக்கும் இடத்தில் பலகையை எப்படிக் காட்டட்டும்?
setting-press-about = நகர்வை ஆடும் முன் உறுதிசெய்யக் கேட்கட்டுமா? தவறுதலாக அழுத்துவதைத் தடுக்கும்.
setting-calls-about = உங்கள் முறை என்று எப்போது நினைவூட்டட்டும்?
setting-night-about = உங்கள் நேரப்படி எந்த மணிகளில் நினைவூட்ட வேண்டாம்? காத்திருக்கும் நினைவூட்டல்கள் காலையில் வரும்.
setting-zone-about = உங்கள் நேரம் UTC இலிருந்து எவ்வளவு தள்ளி? இந்தியா, இலங்கை +5:30; கசகஸ்தான் +5; கிர்கிஸ்தான் +6; ஆர்மீனியா +4; மாஸ்கோ +3.
setting-hints-about = மேசை திறப்பவர் வேறு சொல்லாவிட்டால், இங்கே புதிய மேசைகளில் குறிப்புகள் உண்டா?
setting-opens-about = இங்கே யார் மேசை திறக்கலாம், அல்லது வேறு அரட்டையின் மேசையைக் காட்டலாம்?
setting-orders-about = தொடங்காத மேசையை யார் மூடலாம், வேறு அரட்டையின் மேசையைக் காட்டாமல் யார் நிறுத்தலாம்?
setting-rules-about = வேறு சொல்லாவிட்டால் இங்கே புதிய மேசைகளுக்கு இந்த விதிகளே.
setting-quiet-about = அமைதி முறையில் என் செய்திகள் ஒலி இல்லாமல் வரும், நான் யாரையும் பெயர் சொல்லிக் குறிப்பிட மாட்டேன்.
setting-old-about = பலகை கீழே மறுபடி வரும்போது மேலே உள்ளது என்ன ஆகும்?
setting-where-about = எந்தத் தலைப்புகளில் ஆடலாம்? தேவையான ஒவ்வொரு தலைப்பிலும் “இங்கே” என்பதைத் தேர்ந்தெடுங்கள்.
setting-where-server-about = எந்தச் சேனல்களில் ஆடலாம்? தேவையான ஒவ்வொரு சேனலிலும் “இங்கே” என்பதைத் தேர்ந்தெடுங்கள்.
value-side-own = என் பக்கம் கீழே
value-side-all = எல்லோரையும் போல
value-boards-pictures = படமாக
value-boards-words = சொற்களாக
value-press-once = அணைப்பில்
value-press-twice = இயக்கத்தில்
value-calls-usual = விரைவில்
value-calls-seldom = ஒரு மணி நேரம் கழித்து
value-calls-never = வேண்டாம்
value-night-none = இல்லை
value-opens-all = எல்லோரும்
value-opens-admins = நிர்வாகிகள்
value-opens-nobody = யாரும் இல்லை
value-orders-host = திறந்தவரும் நிர்வாகிகளும்
value-orders-all = எல்லோரும்
value-rules-usual = வழக்கமானவை
value-rules-own = சொந்த விதிகள்
value-quiet-off = அணைப்பில்
value-quiet-on = இயக்கத்தில்
value-old-away = அகற்றப்படும்
value-old-stay = பொத்தான் இன்றி இருக்கும்
value-where-all = எங்கும்
value-where-here = இங்கே
value-where-elsewhere = வேறு தலைப்புகளில்
value-where-channels = வேறு சேனல்களில்
refuse-other-topic = நிர்வாகிகள் இந்தத் தலைப்பில் ஆட்டங்களை அணைத்துள்ளனர். வேறு தலைப்பில் ஆடுங்கள், அல்லது பாருங்கள்: /settings
refuse-other-channel = நிர்வாகிகள் இந்தச் சேனலில் ஆட்டங்களை அணைத்துள்ளனர். வேறு சேனலில் ஆடுங்கள், அல்லது பாருங்கள்: /settings
refuse-opens-nobody = நிர்வாகிகள் இங்கே ஆட்டங்களை அணைத்துள்ளனர். என்னோடு தனி அரட்டையில் ஆடலாம்.
refuse-opens-admins = இந்த அரட்டையில் நிர்வாகிகள் மட்டுமே மேசை திறப்பர். அவர்களில் ஒருவரைக் கேளுங்கள்.

## Challenges

button-by-link = 🔗 இணைப்பு மூலம்
button-invite = 🔗 அழை
answer-invite = 🔗 <code>{ $table }</code> மேசைக்கு மற்றவர்களை எப்படி அழைப்பது:
lobby-link = 🔗 இந்த இணைப்பைப் பகிருங்கள்; திறப்பவர் சேரலாம்: { $link }
lobby-link-group = 👥 ஒரு குழுவுக்கு, என்னோடு: { $link }
lobby-code = ⌨ நான் இருக்கும் எங்கும், வேறு தளத்திலும்: <code>/show { $table }</code>, தனியாக <code>/private { $table }</code>
lobby-explained = 💬 { $name }: { $why }
why-later = ஒருவேளை பிறகு
why-busy = இன்று நேரமில்லை
why-other = வேறு ஆட்டமா?
why-rest = ஓய்வில் இருக்கிறேன்
answer-declined-why = மறுத்துவிட்டீர்கள். ஏன் என்று சொல்ல விரும்புகிறீர்களா? மேசையில் எல்லோரும் படிப்பார்கள்.
answer-explained = நன்றி, சொல்லிவிடுகிறேன்.
refuse-explained = காரணத்தை ஏற்கனவே சொல்லிவிட்டீர்கள்.
command-notify = யாராவது ஆட விரும்பும்போது ஒருமுறை சொல்ல
answer-notify = 🔔 இங்கே மேசை திறந்தவுடன் ஒருமுறை அழைப்பேன்: { $games }. மாற்ற மறுபடி அழுத்துங்கள்.
answer-notify-none = எந்த ஆட்டத்துக்குக் காத்திருக்கிறீர்கள்? மேசை திறந்தவுடன் இங்கே ஒருமுறை அழைப்பேன்.
call-wanted = 🔔 { $name }: { $opener } { $game } ஆட விரும்புகிறார் (மேசை <code>{ $table }</code>).
refuse-notify-alone = நம் தனி அரட்டையில் வேறு யாரும் மேசை திறப்பதில்லை. குழுவில் /notify எழுதுங்கள்.

## One person on several platforms

command-link = பல தளங்களில் உள்ள உங்கள் கணக்குகளை இணைக்க
command-unlink = இணைத்த கணக்குகளைப் பிரிக்க
argument-code = மற்ற தளத்தின் குறியீடு
button-link = ஆம், இரண்டு கணக்கும் என்னுடையவை
answer-link = 🔗 மற்ற தளத்தில் எனக்குத் தனியாக எழுதுங்கள்: <code>/link { $code }</code>
answer-link-secret = ஒருமுறை, { $minutes } நிமிடங்கள் செல்லும். யாரிடமும் சொல்லாதீர்கள்: பயன்படுத்துபவர் உங்கள் பெயரில் ஆடுவார். இடங்கள், சீட்டுகள், அமைப்புகள் இரண்டிலும் ஒன்றாகும்.
answer-link-now = உங்கள் கணக்குகள் இணைந்துள்ளன: { $platforms }. பிரிக்க: /unlink
answer-link-sure = ⚠ இந்தக் குறியீடு <b>{ $name }</b> ({ $platform }) க்குத் தரப்பட்டது. தொடர்ந்தால் இந்தக் கணக்கு { $name } ஆக ஆடும்: உங்கள் இடங்களும் சீட்டுகளும் அவருக்குத் தெரியும். இரண்டு கணக்கும் உங்களுடையவை என்றால் மட்டும் அழுத்துங்கள். வேறு யாராவது குறியீட்டை அனுப்பியிருந்தால் அழுத்தாதீர்கள்.
answer-linked = 🔗 உங்கள் கணக்குகள் இணைந்தன: இங்கே இனி நீங்கள் { $name } ({ $platform }); அதே இடங்கள், சீட்டுகள், அமைப்புகள். பிரிக்க: /unlink
answer-link-used = 🔗 உங்கள் குறியீடு பயன்படுத்தப்பட்டது: { $name } ({ $platform }) இனி நீங்களாக ஆடுகிறார். அது நீங்கள் இல்லையென்றால்: /unlink
answer-unlinked = உங்கள் கணக்குகள் பிரிந்தன. திறந்த மேசைகளின் இடங்கள் குறியீட்டைத் தந்த கணக்கிடமே இருக்கும்.
answer-unlinked-unrated = கணக்குகள் இணைந்திருந்தபோது முடித்த தரமதிப்பு ஆட்டங்களும் அதனிடமே இருக்கும். எனவே மற்றக் கணக்கின் ஆட்டங்கள் { $time } வரை தரமதிப்பில் சேராது.
refuse-link-code = இந்தக் குறியீடு எனக்குத் தெரியவில்லை: ஒருமுறை, பத்து நிமிடங்கள் செல்லும். புதியது: மற்ற தளத்தில் <code>/link</code>
refuse-link-self = இது உங்கள் குறியீடே: மற்ற தளத்தில் எழுதுங்கள்.
refuse-link-already = இந்தக் கணக்கு ஏற்கனவே இணைந்துள்ளது. பிரிக்க: /unlink
refuse-link-platform = ஒவ்வொரு தளத்திலும் ஒரு கணக்கை மட்டுமே இணைக்கலாம்; இங்கே ஏற்கனவே ஒன்று இணைந்துள்ளது. பிரிக்க: /unlink
refuse-link-table = { $table } மேசையில் இரண்டு கணக்கும் அமர்ந்துள்ளன. முதலில் அந்த ஆட்டத்தை முடியுங்கள்.
refuse-link-rated = இந்தக் கணக்கில் { $table } என்ற தரமதிப்பு ஆட்டத்தை ஆடுகிறீர்கள்: எந்தப் பெயரில் தொடங்கியதோ அதே பெயரில் அது முடியும். மாற்றிச் செய்யுங்கள்: இங்கே <code>/link</code> என்று எழுதி, அந்தக் குறியீட்டை மற்ற கணக்கில் உள்ளிடுங்கள். அல்லது ஆட்டத்துக்குப் பிறகு இணையுங்கள்.
refuse-link-left = இன்னும் நடக்கும் { $table } என்ற தரமதிப்பு ஆட்டத்தில் உங்கள் இடத்தை விட்டுவிட்டீர்கள்: அது இந்தக் கணக்குக்குத் தோல்வியாகக் கணக்கிடப்படும். மாற்றிச் செய்யுங்கள்: இங்கே <code>/link</code> என்று எழுதி, அந்தக் குறியீட்டை மற்ற கணக்கில் உள்ளிடுங்கள். அல்லது ஆட்டத்துக்குப் பிறகு இணையுங்கள்.
refuse-link-hidden = உங்கள் பெயர் ஓர் அரட்டையில் அல்லது எங்கும் மறைக்கப்பட்டுள்ளது; அதன் பிறகு மிக அதிகமான கணக்குகள் இணைக்கப்பட்டன. இதை இணைக்க, உங்கள் பெயரை மறுபடி காட்டும்படி அந்த அரட்டையின் நிர்வாகியிடம் அல்லது என்னை இயக்குபவரிடம் கேளுங்கள்.
refuse-unlink-rated = இந்தக் கணக்கின் தனி அரட்டையில் { $table } என்ற தரவரிசை ஆட்டம் நடக்கிறது: அது தொடங்கிய பெயரிலேயே முடியும். முதலில் அதை முடியுங்கள், அல்லது வேறொரு அரட்டையில் காட்டுங்கள்: <code>/show { $table }</code>.
refuse-unlink-gone = குறியீட்டைத் தந்த கணக்கு ({ $platform }) இப்போது இல்லை. உங்கள் இடங்களும் ஆட்டங்களும் தரமதிப்பும் அதனிடமே இருந்துவிடும், நீங்கள் அவற்றை இழப்பீர்கள்; எனவே கணக்குகள் இணைந்தே இருக்கும்: இங்கேயே தொடர்ந்து ஆடுங்கள். எல்லாவற்றையும் அழிக்க: /account
refuse-not-linked = உங்கள் கணக்குகள் இணைக்கப்படவில்லை. இணைக்க: /link

## Challenges where the bot is no member

challenge-title = ⚔ அழைப்பு: { $game }
challenge-more = முதலில் ஏற்பவர் இதே அரட்டையில் உங்களோடு ஆடுவார்
challenge-says = ⚔ { $name } ஆட அழைக்கிறார்: { $game }. முதலில் அழுத்துபவர் ஆடுவார்.
challenge-more-many = பொத்தானால் இதே அரட்டையில் சேர்வார்கள்; ஆட்டத்தை நீங்கள் தொடங்குவீர்கள்
challenge-says-many = ⚔ { $name } ஆட அழைக்கிறார்: { $game }. சேர அழுத்துங்கள்.
challenge-more-friends = { $friends } என்பவருக்கு, இந்த அரட்டையிலேயே
challenge-says-friends = ⚔ { $name } ஆட அழைக்கிறார்: { $game }. அழைக்கப்பட்டவர்: { $friends }.
challenge-computers = 🤖 × { $count }
challenge-game = { $game } ({ $how })
challenge-choice-title = ⚔ யார் ஆடுவது?
challenge-choice = ⚔ { $name } ஆட விரும்புகிறார். விளையாட்டைத் தேர்ந்தெடுங்கள்: முதலில் அழுத்துபவர் ஆடுவார்.
share-more = இந்த மேசையை இங்கே காட்டு
share-says = 🎲 { $name } ஆடுகிறார்: { $line }
button-watch = 👁 பார்
button-show-here = ⬇ இங்கே காட்டு
sketch-row = <code>{ $row }</code>
sketch-line = { $row }
private-link = 📩 படங்கள், குறிப்புகள் மற்றும் பல நம் தனி அரட்டையில்: { $link }
private-link-over = 📩 மறுபடி பார்க்க, அலசல், பதிவு நம் தனி அரட்டையில்: { $link }
refuse-meet-self = இது உங்கள் அழைப்பு: வேறு ஒருவர் ஏற்க வேண்டும்.
refuse-challenge-used = இந்த அழைப்பு ஏற்கனவே ஏற்கப்பட்டது. ஆட உங்கள் சொந்த அழைப்பை அனுப்புங்கள்.
refuse-not-challenged = இந்த அழைப்பு { $friends } என்பவருக்கு. ஆட உங்கள் சொந்த அழைப்பை அனுப்புங்கள்.
answer-challenge-accepted = ⚔ சிறிது காலத்துக்கு முன் நீங்கள் அனுப்பிய அழைப்பை { $name } ஏற்றார்: { $game }. நீங்களும் ஒப்புக்கொண்டதும் <code>{ $table }</code> மேசை தொடங்கும். ஏற்க அல்லது மறுக்க, மேசையை இங்கே திறக்கவும்.

## Moves settled before the turn

command-premove = பதிலை முன்பே தீர்மானிக்க: /premove 3 7
argument-plan = அவர்கள் நகர்வும் உங்கள் பதிலும்: 3 7, 5 2
plan-pair = { $theirs } → { $own }
plan-set = 🤫 அடுத்த நகர்வுக்குத் தீர்மானித்தது, உங்களுக்கு மட்டுமே தெரியும்: { $plan }
button-drop-plan = தீர்மானித்த நகர்வைக் கைவிடு
answer-plan = 🤫 அடுத்த நகர்வுக்குத் தீர்மானித்தது, உங்களுக்கு மட்டுமே தெரியும்: { $plan }. கைவிட: /premove off
answer-plan-none = எதுவும் தீர்மானிக்கவில்லை. எதிராளி நகர்த்தும்போது அவர் நகர்வையும் உங்கள் பதிலையும் எழுதுங்கள்: /premove 3 7, 5 2
refuse-plan-turn = மற்ற ஆட்டக்காரர் நகர்த்தும்போது மட்டுமே பதிலைத் தீர்மானிக்கலாம்.
refuse-plan-game = கட்டையும் சீட்டும் இல்லாத இருவர் ஆட்டங்களில் மட்டுமே பதிலை முன்பே தீர்மானிக்கலாம்.
refuse-plan-words = அவர்கள் நகர்வையும் உங்கள் பதிலையும் எழுதுங்கள்: /premove 3 7, 5 2
refuse-plan-move = “{ $typed }” அந்த நிலையில் நகர்வாகப் புரியவில்லை. அவர்கள் நகர்வையும் உங்கள் பதிலையும் எழுதுங்கள்: /premove 3 7

# A board in a browser, or in a window of the platform.
command-web = பலகையை உலாவியில் திறக்க; /web off எல்லா இடத்திலும் வெளியேற்றும்
command-launch = பலகையைச் சாளரத்தில் திறக்க
button-open-board = ▦ பலகையைத் திற
button-page = 🌐 உலாவியில்
answer-page = 🌐 இந்த இணைப்பு உங்கள் பலகையை உலாவியில் உங்கள் பெயரில் திறக்கும். இது ஒரு முறை, { $minutes } நிமிடம் செயல்படும்: யாரிடமும் தராதீர்கள். எல்லா இடத்திலும் வெளியேற: /web off
answer-page-private = இங்கே மற்றவர்கள் படிக்கிறார்கள், இணைப்பைத் தர முடியாது. எனக்குத் தனியாக எழுதுங்கள்: /web
answer-page-private-link = இங்கே மற்றவர்கள் படிக்கிறார்கள்: இணைப்புக்கு நம் தனி அரட்டையைத் திறந்து அங்கே Start அழுத்துங்கள்: { $link }
answer-page-off = எல்லா உலாவிகளிலும் சாளரங்களிலும் வெளியேறிவிட்டீர்கள்.
answer-launched = பலகையைத் திறக்க மீண்டும் ஒரு முறை அழுத்துங்கள்.
refuse-no-page = இங்கே பலகைகளை உலாவியில் திறக்க முடியாது: என்னை இயக்குபவர் அதை அமைக்கவில்லை. பலகையைப் பார்க்க: /board
refuse-page-here = நீங்கள் ஏற்கனவே பக்கத்தில் இருக்கிறீர்கள்.

# Words that were not meant as they could be read

refuse-words-behind = எதுவும் செய்யவில்லை: “{ $words }” இல்லாமல், /{ $command } மட்டுமே கட்டளை. உண்மையில் வேண்டுமென்றால் /{ $command } மட்டும் அனுப்புங்கள்.
answer-nothing-done = சரி, எதுவும் செய்யவில்லை.
answer-confirm-typed = { $card } ஆட, ஒரு நிமிடத்துக்குள் மறுபடி அனுப்புங்கள்.

# Commands that combine others.
command-cancel = ஆட்டத்துக்கு முன் மேசையிலிருந்து எழு, அல்லது ஆட்டத்தை நிறுத்து
command-open = உங்கள் பலகையைத் தனி அரட்டையிலோ உலாவியிலோ திற
command-account = பல தளங்களில் உள்ள உங்கள் கணக்குகளை இணை அல்லது பிரி
command-analysis = கடைசி ஆட்டம்: அலசல், மறுபடி, வரைபடம், பதிவு
command-table = மேசையில் கோரிக்கைகள், வீரர்கள், பலகை
command-about = நான் யார், பிழையை யாரிடம் சொல்வது
command-feedback = பிழையையும் யோசனையையும் யாரிடம் சொல்வது
command-privacy = உங்களைப் பற்றி நான் வைத்திருப்பது
answer-open = பலகையை எங்கே திறக்கட்டும்?
answer-open-here = உங்கள் பலகை இங்கேயே உள்ளது. கீழே கொண்டுவர: /board
answer-account = கணக்குகளை இணைத்தால், எல்லாத் தளங்களிலும் அதே இடங்கள், சீட்டுகள், அமைப்புகள் இருக்கும்.
button-link-start = 🔗 கணக்கை இணை
button-unlink = கணக்குகளைப் பிரி
answer-account-deleted = உங்கள் கணக்கு நீக்கப்படும் நாள்: { $day }.
answer-deletion-restored = நான் ஒரு காப்புப் பிரதியிலிருந்து மீட்டெடுக்கப்பட்டேன்; அதில் உங்கள் கணக்கை நீக்கும்படி கேட்டிருந்தீர்கள். உங்கள் கணக்கு நீக்கப்படும் நாள்: { $day }. அதை வைத்திருக்க: /account
answer-deletion-operator = என்னை இயக்குபவர் உங்கள் கணக்கை நீக்கக் கோரியுள்ளார். உங்கள் கணக்கு நீக்கப்படும் நாள்: { $day }. அதை வைத்திருக்க: /account
refuse-account-deleting = உங்கள் கணக்கு நீக்கப்படுகிறது. உங்கள் கடைசி ஆட்டங்கள் முடிந்ததும் மீண்டும் தொடங்கலாம்.
refuse-link-deleting = இந்தக் கணக்குகளில் ஒன்று நீக்கப்படும். முதலில் அதை ரத்துசெய்யுங்கள்: /account
button-export = ⬇ என் தரவு
button-delete-account = 🗑 என் கணக்கை நீக்கு
button-delete-sure = 🗑 ஒரு வாரத்தில் நீக்கு
button-keep-account = கணக்கை வைத்திரு
answer-export = உங்கள் தரவு: account.json நிரல்களுக்கு, மற்ற கோப்புகள் உங்களுக்கு.
refuse-export-private = தரவைத் தனி அரட்டையில் மட்டுமே அனுப்புவேன். அங்கே எனக்கு எழுதுங்கள்: /account export
refuse-export-soon = உங்கள் தரவை இப்போதுதான் அனுப்பினேன். மீண்டும் { $minutes } நிமிடத்தில் பெறலாம்.
answer-delete-account = ஒரு வாரத்தில் உங்கள் பெயர், அமைப்புகள், தரமதிப்புகள், வரலாறு, இணைப்புகளை, இணைத்த எல்லாக் கணக்குகளிலும் நீக்குவேன். அதுவரை ரத்து செய்யலாம்: /account. அப்போது நடக்கும் ஆட்டங்களிலிருந்து விலகுவீர்கள். முடிந்த ஆட்டங்கள் மற்றவர்களிடம் உங்கள் பெயரின்றி இருக்கும். 90 நாட்களுக்குள் திரும்பினால், உங்கள் ஆட்டங்கள் தரமதிப்பில் சேராது.
answer-delete-cancelled = உங்கள் கணக்கு இருக்கும்.
refuse-delete-none = ரத்து செய்ய எதுவும் இல்லை: உங்கள் கணக்கு இருக்கும்.
refuse-delete-other = அந்தப் பொத்தான் வேறொருவருக்கு. உங்கள் கணக்குக்கு: /account delete
answer-data-title = இந்த பாட் உங்களைப் பற்றி வைத்திருப்பவை, { $date }
answer-data-files = account.json நிரல்களுக்கு. games கோப்புறையில் முடிந்த ஆட்டங்களின் பதிவுகள் உள்ளன.
answer-data-games-cut = கோப்புறையில் கடைசியாக முடிந்த ஆட்டங்கள் உள்ளன, { $games } இல் { $files }: மற்றவை ஒரே கோப்பில் அடங்கவில்லை.
answer-data-profile = பெயர்கள், அமைப்புகள், இணைத்த கணக்குகள்: கணக்கை நீக்கும் வரை.
answer-data-marks = குறியீடுகள், விருப்பங்கள், உள்நுழைவுகள்: அதிகபட்சம் ஒரு மாதம்; கடைசி மேசைகள்: 180 நாட்கள்; அல்லது கணக்கை நீக்கும் வரை.
answer-data-messages = திறந்த மேசைகள், அவற்றின் செய்திகள்: ஆட்டத்துக்குப் பின் அதிகபட்சம் 60 நாட்கள்.
answer-data-games = ஆட்டங்கள்: கணக்கை நீக்கும் வரை, பின்பு உங்கள் பெயரின்றி.
answer-data-results = ஆட்ட முடிவுகள்: கணக்கை நீக்கும் வரை, பின்பு உங்கள் பெயரின்றி.
answer-data-ratings = தரமதிப்புகள், பட்டியல்கள், வரலாறு: கணக்கை நீக்கும் வரை.
answer-data-play = ஆட்டத் தரம்: மதிப்பிட்ட ஒவ்வோர் ஆட்டத்திலும் உங்கள் முடிவுகளால் இழந்த வாய்ப்பு, 400 நாட்கள்.
answer-data-chat = பாட் உரிமையாளரின் பக்கத்தின் அரட்டை: உங்கள் செய்திகள் 90 நாட்கள்.
answer-data-answers = உங்கள் செய்திகளுக்கும் அழுத்தல்களுக்கும் பதில்கள்: 3 நாட்கள்.
answer-data-deletion = கணக்கை நீக்கும் உங்கள் விருப்பம்; பின்பு, /unlink-க்குப் பின்னும், 90 நாட்கள், கணக்கை அறிய முடியாத ஒரு குறியீடு.
answer-analysis = இங்கே நடந்த கடைசி ஆட்டம், மேசை <code>{ $table }</code>:
answer-about = <b>Caravanserai</b> { $version }: உங்கள் அரட்டையில் { $games }. ஏதாவது தவறா, குறையா? என்னை இங்கே சேர்த்தவரிடம் சொல்லுங்கள்.
answer-privacy = உங்கள் பெயர், அமைப்புகள், ஆட்டங்களை வைத்திருக்கிறேன். சுற்று முடியும் வரை உங்கள் சீட்டுகளை நீங்கள் மட்டுமே பார்ப்பீர்கள். தரவு கோப்பாக: /account export. நீக்க: /account delete
answer-privacy-page = மேலும்: { $link }
answer-contact = என்னை இயக்குபவருக்கு எழுத: { $contact }
answer-feedback = ஏதாவது தவறா, யோசனை உள்ளதா? என்னை இங்கே சேர்த்தவரிடம் சொல்லுங்கள்.
answer-feedback-contact = ஏதாவது தவறா, யோசனை உள்ளதா? என்னை இயக்குபவருக்கு எழுதுங்கள்: { $contact }

# What Telegram shows before a person starts the bot (at most 512 characters), and on its profile
# (at most 120).
bot-description = { $games }: நண்பர்களுடன் அரட்டையிலேயே ஆடுங்கள். என்னைக் குழுவில் சேர்த்து /play அனுப்புங்கள், அல்லது இங்கே கணினியோடு ஆடுங்கள்.
bot-short-description = { $games }: நண்பர்களுடன் ஆடுங்கள். என்னைக் குழுவில் சேர்த்து /play அனுப்புங்கள்.

# Names of slash commands that contain others: small letters, no spaces.
menu-table = மேசை
menu-overview = மேலோட்டம்

# Ratings and results

command-top = தரவரிசைகள்
command-me = உங்கள் தரமதிப்பும் புள்ளிவிவரமும்
command-stats = ஒரு ஆட்டக்காரரின் புள்ளிவிவரம்
command-history = நீங்கள் முடித்த ஆட்டங்கள்
command-achievements = உங்கள் சாதனைகள்
list-two = { $game }, இருவர்
list-pairs = { $game }, ஜோடிகளாக
list-several = { $game }, மூவர் அல்லது நால்வர்
list-short = { $game } { $players }
list-deleted-player = நீக்கப்பட்ட ஆட்டக்காரர்
list-deleted-player-numbered = நீக்கப்பட்ட ஆட்டக்காரர் { $n }
answer-top-chat = 🏆 <b>இந்த அரட்டையின் தரவரிசை</b>
answer-top-all = 🏆 <b>எல்லா அரட்டைகளின் தரவரிசை</b>
answer-top-season = 🏆 <b>{ $season }: இந்த மாதம், இந்த அரட்டை</b>
answer-top-season-all = 🏆 <b>{ $season }: இந்த மாதம், எல்லா அரட்டைகளும்</b>
answer-top-past = 🏆 <b>{ $season }: இந்த அரட்டை</b>
answer-top-past-all = 🏆 <b>{ $season }: எல்லா அரட்டைகளும்</b>
answer-top-empty = இங்கே இன்னும் யாரும் தரமதிப்பு ஆட்டத்தை முடிக்கவில்லை. நண்பருடன் ஆடுவது கணக்கில் சேரும்: /togyz, /thaayam அல்லது /blot.
answer-top-empty-list = இந்தப் பட்டியலில் இன்னும் எந்த ஆட்டமும் சேரவில்லை. நண்பருடன் ஆடும் தரமதிப்பு ஆட்டம் சேரும்: /togyz, /thaayam அல்லது /blot.
answer-top-none = அந்த மாதத்தில் மதிப்பீட்டு ஆட்டம் எதுவும் நடக்கவில்லை.
answer-top-none-list = அந்தப் பட்டியலில் எந்த ஆட்டமும் சேரவில்லை.
answer-provisional = ? – ஆட்டங்கள் இன்னும் குறைவு, அல்லது கடைசி ஆட்டம் நீண்ட காலத்துக்கு முன்பு; இந்தத் தரமதிப்பு மிகவும் மாறலாம்.
answer-top-list = <b>{ $list }</b>
answer-top-place = { $rank }. { $name }: <b>{ $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-place-own = ▸ { $rank }. <b>{ $name }: { $rating }</b> (+{ $won } ={ $drawn } −{ $lost })
answer-top-order = இங்குள்ள இடங்கள் தரமதிப்பையும் அதன் உறுதியையும் பொறுத்தவை: ஆடாவிட்டால் இடம் இறங்கும்.
answer-top-order-month = இங்குள்ள இடங்கள் தரமதிப்பையும் அதன் உறுதியையும் பொறுத்தவை.
button-top-chat = இந்த அரட்டை
button-top-all = எல்லா அரட்டைகளும்
button-top-season = இந்த மாதம்
answer-stats = 👤 <b>{ $name }</b>
answer-stats-empty-own = நீங்கள் இன்னும் ஓர் ஆட்டத்தையும் முடிக்கவில்லை. நண்பரை அழையுங்கள்: /play
answer-stats-empty = இந்த அரட்டையில் முடிந்த ஆட்டங்கள் இல்லை.
answer-stats-record = { $list }: <b>{ $rating }</b> – வெற்றி { $won }, சமன் { $drawn }, தோல்வி { $lost }
answer-stats-unrated = { $list }: தரமதிப்பு இன்னும் இல்லை – வெற்றி { $won }, சமன் { $drawn }, தோல்வி { $lost }
answer-stats-best = சிறந்த தரமதிப்பு: { $rating }
answer-stats-streak-won = தொடர் வெற்றிகள்: { $count }
answer-stats-streak-lost = தொடர் தோல்விகள்: { $count }
answer-stats-against = இவருக்கு எதிராக நீங்கள்: வெற்றி { $won }, சமன் { $drawn }, தோல்வி { $lost }
answer-stats-last = <b>கடைசி ஆட்டங்கள்</b>
answer-stats-achieved = 🎖 சாதனைகள்: { $all }-இல் { $count }
answer-stats-totals = { $totals }
answer-stats-play = 🎯 ஆட்டத் தரம்: ஒரு சுற்றில் தவறுகளால் வெற்றி வாய்ப்பு { $cost } % (± { $interval }) குறைகிறது. மதிப்பிட்ட சுற்றுகள்: { $rounds }
answer-stats-play-level = இது ஏறத்தாழ { $level } நிலை.
answer-stats-play-levels = இது { $from } மற்றும் { $to } நிலைகளுக்கு இடையே.
answer-details = 📊 <b>{ $name }</b>: விருப்பங்கள், சிறந்த ஆட்டங்கள், அதிர்ஷ்டம்
answer-details-empty = இன்னும் சொல்ல எதுவும் இல்லை. இன்னும் சற்று ஆடுங்கள்: விருப்பங்கள் மூன்று தேர்வுகளுக்குப் பின், சிறந்த வெற்றி தரமதிப்பு ஆட்டத்தில் வென்ற பின், அதிர்ஷ்டம் தாயக்கட்டை அல்லது சீட்டு ஆட்டங்கள் ஐந்தின் 🔍 அலசலுக்குப் பின் தெரியும்.
answer-details-best = 🏅 சிறந்த வெற்றி: { $day }, எதிராளிகள்: { $opponents } (தரமதிப்பு { $rating })
answer-details-luck = 🎲 அதிர்ஷ்டம்: { $sign }{ $luck } வெற்றி. கடைசி { $all } ஆட்டங்களில் அலசிய { $games } ஆட்டங்களிலிருந்து (வெற்றி { $won }). வெறும் தற்செயல் 20-இல் 19 முறை ±{ $limit }-க்குள் இருக்கும்.
answer-details-luck-few = 🎲 அதிர்ஷ்டம் அலசிய { $least } ஆட்டங்களிலிருந்து கூட்டப்படும், இதுவரை { $games }. முடிந்த ஆட்டத்தின் கீழுள்ள 🔍 அலசல் அதைச் சேர்க்கும்.
answer-details-luck-about = அதிர்ஷ்டம் என்பது எல்லாப் பக்கங்களின் ஆட்டத்துக்கும் அப்பால் தாயக்கட்டை, பகிர்வு, சீட்டு அமைப்பு தந்தது; அதைக் கணினி மதிப்பிடுகிறது.
button-details = 📊 விருப்பங்கள், சிறந்த ஆட்டங்கள், அதிர்ஷ்டம்
button-best-win = 🎞 சிறந்த வெற்றி: { $list }
answer-decimal = { $whole }.{ $tenth }
button-history = 📜 என் எல்லா ஆட்டங்களும்
button-head-to-head = 📜 நம் ஆட்டங்கள்
answer-history = 📜 <b>என் ஆட்டங்கள்</b>, பக்கம் { $page }
answer-history-empty = நீங்கள் இன்னும் ஓர் ஆட்டத்தையும் முடிக்கவில்லை. நண்பரை அழையுங்கள்: /play
answer-history-against = 📜 <b>{ $name } உடன் என் ஆட்டங்கள்</b>, பக்கம் { $page }
answer-history-results = { $list }: வெற்றி { $won }, சமன் { $drawn }, தோல்வி { $lost }
answer-history-no-match = உங்கள் சமீபத்திய ஆட்டங்களில் அப்படி ஒன்றும் இல்லை. எல்லா ஆட்டங்களும்: /history
answer-history-none-here = இந்த அரட்டையில் இவருக்கு எதிராக நீங்கள் முடித்த ஆட்டங்கள் இல்லை. எல்லா ஆட்டங்களும்: /history
answer-history-again = ஆட்டங்களின் பட்டியல் இப்போது மீண்டும் உருவாகிறது, எனவே உங்கள் ஆட்டங்கள் அதில் இல்லாமல் இருக்கலாம். சில நிமிடங்களில் மீண்டும் கேளுங்கள்.
answer-history-numbered = { $n }. { $entry }
answer-history-won = { $day } { $game }: வெற்றி, எதிராளிகள்: { $opponents }
answer-history-drawn = { $day } { $game }: சமன், எதிராளிகள்: { $opponents }
answer-history-lost = { $day } { $game }: தோல்வி, எதிராளிகள்: { $opponents }
answer-history-rated = { $game } ({ $change })
answer-history-removed = { $entry } – இப்போது வைத்திருக்கப்படவில்லை
answer-history-replays = ஆட்டத்தை மறுபடி பார்க்க அதன் எண்ணை அழுத்துங்கள்.
answer-history-latest = உங்கள் கடைசி { $count } ஆட்டங்கள் மட்டுமே தேடப்பட்டன.
argument-results = முடிவுகள்
choice-won = வெற்றிகள்
choice-lost = தோல்விகள்
choice-rated = மதிப்பிடப்பட்டவை
choice-casual = மதிப்பிடப்படாதவை
button-guarded-games = 🛡 மதிப்பிடப்படாத ஆட்டங்கள்
answer-guarded-games = <b>இந்த அரட்டையில் கடந்த 30 நாட்களில் மதிப்பிடப்படாத, அல்லது எல்லோருக்கும் மதிப்பிடப்படாத ஆட்டங்களும் காரணங்களும்.</b> மதிப்பீட்டுக்கு ஆட்டக்காரர்களைப் பற்றிச் சொல்லும் ஆட்டங்கள் தேவை; இது யாருக்கும் தண்டனை அல்ல.
answer-guarded-none = கடந்த 30 நாட்களில் இங்கே அப்படி ஓர் ஆட்டமும் இல்லை.
answer-guarded-game = { $day } { $game }, { $players }: { $reasons }
button-achievements = 🎖 சாதனைகள்
button-achievements-on = 🎖 சாதனைகளைக் காட்டு
button-achievements-off = 🎖 சாதனைகளை அணை
answer-achieved = 🎖 <b>சாதனைகள்</b>: { $all }-இல் { $count }
answer-achieved-game = <b>{ $game }</b>
answer-achieved-reached = ✅ { $name }, { $day } – { $rule }
answer-achieved-open = ▫️ { $name } – { $rule }
answer-achieved-hidden = உங்கள் சாதனைகள் அணைக்கப்பட்டுள்ளன: நீங்களும் மற்றவர்களும் அவற்றைப் பார்க்க முடியாது. முந்தைய முடிவின் கீழ் உள்ளது அங்கேயே இருக்கும்.
answer-achieved-shown = உங்கள் சாதனைகள் மீண்டும் காட்டப்படும்: /achievements
button-newer = ◂ புதியவை
button-older = பழையவை ▸
over-rating = { $name } { $rating } ({ $change })
over-ratings = 🏅 { $changes }
over-ratings-half = 🏅 { $changes }. கணினி ஆடுவதால் மாற்றங்கள் பாதி மட்டுமே கணக்கிடப்படும்.
over-first-win = ⭐ { $name }: இங்கே முதல் வெற்றி, { $list }!
over-first-win-all = ⭐ { $name }: முதல் வெற்றி, { $list }!
over-win-after-losses = ⭐ { $name } வென்றார்: இந்த அரட்டையில் { $opponent } உடன் தொடர்ந்து { $count } தோல்விகளுக்குப் பிறகு!
over-win-after-losses-all = ⭐ { $name } வென்றார்: { $opponent } உடன் தொடர்ந்து { $count } தோல்விகளுக்குப் பிறகு!
over-best-rating = ⭐ { $name }: இந்த அரட்டையில் சிறந்த தரமதிப்பு, { $list } – { $rating }
over-best-rating-all = ⭐ { $name }: இதுவரை சிறந்த தரமதிப்பு, { $list } – { $rating }
over-streak = ⭐ { $name } இந்த அரட்டையில் தொடர்ந்து { $count } ஆட்டங்களில் வென்றார், { $list }!
over-streak-all = ⭐ { $name } தொடர்ந்து { $count } ஆட்டங்களில் வென்றார், { $list }!
over-achieved = 🎖 முதல் முறை: { $players }
over-achieved-player = { $name } – { $achieved }
over-casual = தரமதிப்பில் சேராது: { $reason }.
over-casual-for = { $name }: தரமதிப்பில் சேராது: { $reason }.
lobby-rated = 🏅 தரமதிப்பு ஆட்டம்
lobby-rated-here = 🏅 இந்த அரட்டையின் தரமதிப்புகளில் மட்டும் சேரும்: எதிராளிகள் இன்று பத்து தரமதிப்பு ஆட்டங்கள் ஆடிவிட்டனர்
lobby-rated-alone = 🏅 தரமதிப்பு ஆட்டம். கணினி ஆடுவதால் மாற்றங்கள் பாதி மட்டுமே கணக்கிடப்படும். குறிப்பு அல்லது திரும்ப எடுத்த நகர்வுக்குப் பிறகு தோல்வி மட்டுமே கணக்கிடப்படும்.
lobby-casual = தரமதிப்பில் சேராது: { $reason }
lobby-casual-pause = தரமதிப்பில் சேராது: { $name } இடைவேளையில் இருக்கிறார், ஏனெனில் பல ஆட்டங்கள் கைவிடப்பட்டன அல்லது நேரம் முடிந்தது. ⏱ { $time }
lobby-casual-several-people = தரமதிப்பில் சேராது: கணினியுடன் பலர் ஆடுகிறார்கள். தரமதிப்புக்கு ஆட, எல்லா இடங்களிலும் மனிதர்கள் அமரட்டும், அல்லது கணினிகளுக்கு எதிராகத் தனியாக ஆடுங்கள்.
button-rated = கணக்கு: { $rule }
lobby-rated-on = தரமதிப்புக்கு
lobby-rated-off = மகிழ்ச்சிக்கு மட்டும்
refuse-stats-private = தனி அரட்டையில் உங்கள் புள்ளிவிவரம் மட்டுமே தெரியும்: /me. பொதுவான குழுவில் கேளுங்கள்.
refuse-history-private = தனி அரட்டையில் உங்கள் எல்லா ஆட்டங்களும் தெரியும்: /history. ஒருவருக்கு எதிரான ஆட்டங்களைப் பொதுவான குழுவில் கேளுங்கள்.
refuse-stats-unknown = { $name } இங்கே ஆடியதை நான் இன்னும் பார்க்கவில்லை. முதல் ஆட்டத்துக்குப் பிறகு புள்ளிவிவரம் தோன்றும்.
casual-chosen = மகிழ்ச்சிக்காக ஆடுகிறீர்கள்
casual-hints = குறிப்புகள் அனுமதிக்கப்பட்டுள்ளன
casual-takeback = ஒரு நகர்வு திரும்ப எடுக்கப்பட்டது
casual-substitute = ஓர் ஆட்டக்காரர் மாற்றப்பட்டார்
casual-guest = பக்கத்தின் விருந்தினர் ஆடுகிறார்: விருந்தினரின் ஆட்டங்கள் முதல் ஆட்டத்துக்கு ஒரு நாள் கழித்து அல்லது கணக்கை இணைத்த பிறகு (/link) கணக்கில் சேரும்
casual-unknown-computer = கணினிக்கு இங்கே தரமதிப்பு இல்லை
casual-several-people = கணினியுடன் பலர் ஆடுகிறார்கள்
casual-coached = இது ஒரு பாடம்
casual-same-person = ஒருவரே பல பக்கங்களை ஆடுகிறார்
casual-aborted = ஆட்டம் நிறுத்தப்பட்டது
casual-too-short = ஆட்டம் மிகக் குறுகியது
casual-no-list = இந்த வகை ஆட்டத்துக்குத் தரமதிப்பு இல்லை
casual-pair-limit = எதிராளிகள் இன்று இந்த அரட்டையில் ஐந்து தரமதிப்பு ஆட்டங்கள் ஆடிவிட்டனர்
lobby-pair-limit-no-group = எதிராளிகள் இன்று குழுக்களுக்கு வெளியே ஐந்து தரமதிப்பு ஆட்டங்கள் ஆடிவிட்டனர்
casual-pair-limit-everywhere = எதிராளிகள் இன்று பத்து தரமதிப்பு ஆட்டங்கள் ஆடிவிட்டனர்: அடுத்தவை குழுக்களின் பட்டியல்களில் மட்டும் சேரும்
casual-new-account = புதிய ஆட்டக்காரர் மிகக் குறுகிய ஆட்டத்தில் வென்றார்
casual-farming = முந்தைய வெற்றியை அப்படியே திரும்பச் செய்கிறது
casual-deleted-account = ஓர் ஆட்டக்காரர் 90 நாட்களுக்குள் கணக்கை நீக்கினார் அல்லது பிரித்தார்
casual-rating-pause = ஓர் ஆட்டக்காரர் தரமதிப்பு ஆட்டங்களிலிருந்து இடைவேளையில் இருக்கிறார்
casual-other = புதிய பதிப்பின் விதிப்படி
answer-guard-short = ⚠️ உங்கள் கடைசி தரமதிப்பு ஆட்டங்களில் மூன்று சில நகர்வுகளிலேயே முடிந்தன. தரமதிப்பு ஆட்டங்களை வெல்வதற்காக ஆடுங்கள். அடுத்ததை என்னை இயக்குபவருக்குத் தெரிவிப்பேன். குறுகிய ஆட்டங்களுக்கு ஆட்டத்துக்கு முன் “மகிழ்ச்சிக்கு மட்டும்” என்பதைத் தேர்ந்தெடுங்கள்.
answer-guard-reported = ⚠️ உங்கள் இன்னொரு தரமதிப்பு ஆட்டமும் சில நகர்வுகளில் முடிந்தது; அதனால் என்னை இயக்குபவருக்குத் தெரிவித்துவிட்டேன். உங்கள் தரமதிப்பு மாறாது.
answer-guard-endings = ⚠️ உங்கள் கடைசி ஆட்டங்களில் மூன்று, நீங்கள் கைவிட்டதால், உங்கள் நேரம் முடிந்ததால் அல்லது அவற்றின் ஒரே செய்தி நீக்கப்பட்டதால் முடிவடைந்தன. இது தொடர்ந்தால் உங்கள் ஆட்டங்கள் சில காலம் தரமதிப்பில் சேராது: முதலில் 10 நிமிடம், பிறகு நீளும், அதிகபட்சம் 3 நாள்.
answer-guard-pause = ⏸ உங்கள் கடைசி ஆட்டங்களில் பல, நீங்கள் கைவிட்டதால், உங்கள் நேரம் முடிந்ததால் அல்லது அவற்றின் ஒரே செய்தி நீக்கப்பட்டதால் முடிவடைந்தன. உங்கள் புதிய ஆட்டங்கள் இப்போதைக்குத் தரமதிப்பில் சேராது; மற்றவர்கள் இதை ஆட்டத்துக்கு முன் பார்ப்பார்கள். ⏱ { $time }
refuse-frozen = என்னை இயக்குபவர் இந்த மேசையை இப்போதைக்கு நிறுத்தியுள்ளார். நேரம் ஓடாது, யாரும் தோற்கமாட்டார்கள். அவர் அனுமதித்ததும் ஆட்டம் தொடரும்.
board-frozen = 🧊 என்னை இயக்குபவர் இந்த மேசையை இப்போதைக்கு நிறுத்தியுள்ளார். கடிகாரங்கள் நிற்கின்றன.
closed-host = என்னை இயக்குபவர் இந்த ஆட்டத்தை நிறுத்தினார். யாரும் தோற்கவில்லை.
refuse-banned = என்னை இயக்குபவர் உங்களுக்கு அனுமதி மறுத்துள்ளார். இனி நான் பதில் சொல்ல மாட்டேன்.
refuse-draining = விரைவில் நான் புதுப்பிக்கப்படுவேன், அதனால் இப்போது புதிய ஆட்டம் தொடங்காது. நடக்கும் ஆட்டங்கள் தொடரும். பிறகு முயலுங்கள்.
answer-host-message = 📣 என்னை இயக்குபவரின் செய்தி: { $text }
refuse-admin-group = இதை எனக்குத் தனிச் செய்தியில் எழுதுங்கள்.
answer-admin = { $text }
button-admin-close = ஆட்டத்தை நிறுத்து
button-admin-close-sure = ஆம், நிறுத்து
button-admin-delete = 🗑 நீக்கு
button-admin-delete-sure = 🗑 ஆம், நீக்கு
setting-news = 📣 இயக்குபவரின் செய்திகள்
setting-news-about = என்னை இயக்குபவர் எப்போதாவது இங்கே எழுதலாமா, எடுத்துக்காட்டாக நீண்ட இடைவேளைக்கு முன்?
value-news-off = அணைப்பில்
value-news-on = இயக்கத்தில்
setting-achieved = 🎖 சாதனைகள்
setting-achieved-about = ஆட்டத்தைக் கற்றுத்தரும் சிறு இலக்குகள். அணைத்தால் நீங்களும் மற்றவர்களும் அவற்றைப் பார்க்க முடியாது.
value-achieved-shown = காட்டப்படும்
value-achieved-hidden = அணைக்கப்பட்டது
setting-digest = 📅 வாரச் சுருக்கம்
setting-digest-about = இங்கே என்ன ஆடப்பட்டது என்று வாரம் ஒருமுறை எழுதலாமா: திங்கட்கிழமை 9 மணிக்கு, ஒலி இல்லாமல்? ஆட்டம் இல்லாத வாரத்தில் செய்தி வராது.
value-digest-off = அணைப்பில்
value-digest-on = இயக்கத்தில்
setting-keep = 🗄 ஆட்டங்களை வைத்திருத்தல்
setting-keep-about = இந்த அரட்டையில் முடிந்த ஆட்டங்களின் நகர்வுகளையும் சீட்டுகளையும் எவ்வளவு காலம் வைத்திருக்கலாம்? அதைவிடப் பழையவை நிரந்தரமாக நீக்கப்படும்; தேர்வு செய்து ஒரு நாள் கழித்தே அது தொடங்கும். முடிவுகளும் மதிப்பீடுகளும் இருக்கும்.
value-keep-always = எப்போதும்
value-keep-365 = 1 ஆண்டு
value-keep-90 = 90 நாட்கள்
value-keep-30 = 30 நாட்கள்
setting-chatzone = 🕰 அரட்டையின் நேரம்
setting-chatzone-about = இந்த அரட்டையின் நேரம் UTC இலிருந்து எவ்வளவு தள்ளி? வாரச் சுருக்கம் அந்த நேரப்படி 9 மணிக்கு வரும். இந்தியா, இலங்கை +5:30; கசகஸ்தான் +5; கிர்கிஸ்தான் +6; ஆர்மீனியா +4; மாஸ்கோ +3.
answer-digest-is-on = வாரச் சுருக்கம் திங்கட்கிழமைகளில் 9 மணிக்கு வரும்.
answer-digest-is-off = வாரச் சுருக்கம் நிறுத்தப்பட்டது. மீண்டும் பெற: /settings chat
answer-digest = 📅 <b>இந்த அரட்டையின் வாரம்</b>
answer-digest-games = ஆட்டங்கள்: { $count }, ஆட்டக்காரர்கள்: { $players } ({ $games })
answer-digest-game = { $game } – { $count }
answer-digest-most = 🎲 அதிக ஆட்டங்கள்: { $names } ({ $count })
answer-digest-gain = 📈 மதிப்பீட்டில் அதிக உயர்வு: { $name } { $points } ({ $list })
answer-digest-streak = 🔥 { $name } தொடர்ந்து { $count } ஆட்டங்களில் வென்றார்
answer-digest-close = ⚖ மிக நெருக்கமான ஆட்டம்: { $winners } – { $losers } { $score } ({ $game })
button-digest-top = 🏆 தரவரிசை
button-digest-off = வாரச் சுருக்கம் வேண்டாம்
answer-data-host = உங்கள் கணக்கைப் பற்றி என்னை இயக்குபவர் செய்தவை (எடுத்துக்காட்டாகத் தடை): ஓர் ஆண்டு; தடை மட்டும் கணக்கை அறிய முடியாத ஒரு குறியீடாக.

## Blocked people

command-block = ஒருவரைத் தடுக்க, அல்லது தடுத்தவர்களைப் பார்க்க
command-unblock = ஒருவரின் தடையை நீக்க
answer-block-done = 🚫 { $name } தடுக்கப்பட்டார்: உங்களை ஆட அழைக்கவோ உங்களுடன் ஒரே மேசையில் அமரவோ முடியாது. இது யாருக்கும் சொல்லப்படாது. தொடங்கிய ஆட்டங்கள் தொடரும்.
answer-block-already = { $name } ஏற்கனவே தடுக்கப்பட்டவர். உங்கள் பட்டியல்: /block
answer-block-invitations = உங்கள் இருவருக்கும் இடையே நிலுவையில் இருந்த அழைப்புகள் முடிந்துவிட்டன.
answer-block-private = நீங்கள் இங்கே எழுதுவதை மற்றவர்களும் படிக்கலாம். இது நம் தனி அரட்டையிலும் வேலை செய்யும்.
answer-block-list = 🚫 <b>தடுக்கப்பட்டவர்கள்: { $count }</b>. தடையை நீக்கப் பெயரை அழுத்துங்கள்.
answer-block-none = நீங்கள் யாரையும் தடுக்கவில்லை. தடுக்க: /block @நண்பர். பிறகு அவரால் உங்களை ஆட அழைக்கவோ உங்களுடன் ஒரே மேசையில் அமரவோ முடியாது; இது யாருக்கும் சொல்லப்படாது.
answer-unblocked = { $name } மீதான தடை நீங்கியது.
button-unblock = தடையை நீக்கு
button-unblock-named = தடையை நீக்கு: { $name }
refuse-block-self = உங்களை நீங்களே தடுக்க முடியாது. உங்கள் பட்டியல்: /block
refuse-block-unknown = { $name } எனக்குத் தெரியாது. நீங்கள் இருவரும் உள்ள குழுவில் /block, அவர் பெயர் எழுதுங்கள்.
refuse-block-full = உங்கள் பட்டியலில் ஏற்கனவே { $count } பேர், இதற்கு மேல் முடியாது. முதலில் ஒருவரின் தடையை நீக்குங்கள்: /block
refuse-unblock-none = { $name } உங்கள் பட்டியலில் இல்லை. பட்டியலைப் பார்க்க: /block
refuse-block-own = { $name } நீங்கள் தடுத்தவர், அதனால் இங்கே எதுவும் மாறவில்லை. உங்கள் பட்டியல்: /block
refuse-block-seat = இந்த மேசையில் இப்போது உங்களுக்கு இடம் இல்லை. பார்க்கலாம், அல்லது உங்கள் மேசையைத் திறக்கலாம்: /play
refuse-block-rematch = இதே ஆட்டக்காரர்களுடன் இப்போது மறுபடி தொடங்க முடியாது. புதிய மேசை திறக்க: /play
refuse-chat-deleting = என்னை இயக்குபவர் இந்த அரட்டையின் தரவை நீக்கி வருகிறார், எனவே இப்போது இங்கே மேசையைத் திறக்க முடியாது. சில நிமிடங்கள் கழித்து மறுபடி முயலுங்கள்.
refuse-block-challenge = { $name } இப்போது அழைப்புகளை ஏற்பதில்லை. வேறொருவரை அழையுங்கள், அல்லது எல்லோருக்கும் மேசை திறங்கள்: /play
refuse-block-substitute = { $name } இப்போது இந்த இடத்தில் அமர முடியாது. கோரிக்கையை மறுங்கள், அல்லது வேறொருவரைச் சொல்லுங்கள்: /substitute
answer-data-blocks = நீங்கள் தடுத்தவர்கள்: தடையை நீக்கும் வரை, அல்லது இருவரில் ஒருவர் கணக்கை நீக்கும் வரை.

# ஒருவர் நிலைகளை அலசும் பலகை

# அங்கே ஆட்களுக்குப் பதிலாக ஆடுபவர்; $n ஆட்டக்காரரின் எண்.
analysis-player = { $n ->
        [1] முதலாமவர்
       *[other] இரண்டாமவர்
    }
# யார் ஆட வேண்டும் என்ற தேர்வின் பெயர்.
analysis-turn = யார் முறை
# உரை நிலையின் எழுத்து வடிவம் அல்ல; $example ஓர் எடுத்துக்காட்டு.
analysis-unknown-position = இது இந்த ஆட்டத்தின் நிலையாக எழுதப்பட்டதல்ல. அது இப்படி இருக்கும்: { $example }
analysis-no-setup = இந்த ஆட்டத்தின் நிலைகளை இங்கே அலச முடியாது.
analysis-over = இந்த நிலையில் ஆட்டம் முடிந்துவிட்டது.
analysis-game-runs = நீங்கள் இப்போது { $game } ஆடிக்கொண்டிருக்கிறீர்கள்: ஆட்டம் முடிந்ததும் மதிப்பீடு மீண்டும் தெரியும்.

## Hidden names

command-hidename = இந்த அரட்டையில் ஒருவரின் பெயரை மறைக்க (நிர்வாகிகள்)
argument-reason = ஏன், அவருக்காக
answer-hidename = மற்றவர்களைப் புண்படுத்தும் பெயரை அரட்டையின் நிர்வாகிகள் மறைக்கலாம்: /hidename @பெயர், விரும்பினால் காரணமும். இங்கே மற்றவர்கள் பொதுவான பெயரைப் பார்ப்பார்கள். மீண்டும் காட்ட: /hidename @பெயர் off
answer-name-hidden = 🙈 இப்போது இங்கே { $name } என்பதற்குப் பதிலாக { $shown } தெரியும், முந்தைய ஆட்டங்களிலும். அவருக்கு இதுவும் காரணமும் தனியாகத் தெரிவிக்கப்படும். பெயரை மீண்டும் காட்ட: /hidename @பெயர் off
answer-name-hidden-already = { $name } இங்கே ஏற்கெனவே மறைக்கப்பட்டுள்ளது; மற்றவர்களுக்கு { $shown } தெரியும்.
answer-name-shown = { $name } என்ற பெயர் இங்கே இனி மறைக்கப்படவில்லை.
refuse-hidename-full = இந்த அரட்டையில் ஏற்கெனவே மறைக்கப்பட்ட பெயர்கள்: { $count }. முதலில் ஒன்றை மீண்டும் காட்டுங்கள்.
refuse-name-not-hidden = { $name } என்ற பெயர் இந்த அரட்டையில் மறைக்கப்படவில்லை.
refuse-hidename-private = பெயர் தெரியும் குழுவிலேயே அதை மறைக்க வேண்டும்: அங்கே எழுதுங்கள்.
refuse-hidename-admin = இந்த அரட்டையின் நிர்வாகிகள் மட்டுமே பெயர்களை மறைக்கலாம்.
refuse-hidename-unknown = { $name } எனக்குத் தெரியாது. இங்கே ஆடிய அல்லது எனக்கு எழுதிய ஒருவரைக் குறிப்பிடுங்கள்.
answer-name-hidden-here = 🙈 இந்த அரட்டையின் நிர்வாகிகள் உங்கள் பெயரை இங்கே மறைத்துள்ளனர். மற்றவர்களுக்கு { $name } தெரியும். உங்கள் சுயவிவரத்தில் வேறு பெயரைத் தேர்ந்தெடுத்தால், நிர்வாகி ஒருவரைப் பார்க்கச் சொல்லுங்கள்: நிர்வாகி மட்டுமே பெயரை மீண்டும் காட்டுவார்.
answer-name-hidden-everywhere = 🙈 என்னை இயக்குபவர் உங்கள் பெயரை எல்லா அரட்டைகளிலும் மறைத்துள்ளார். மற்றவர்களுக்கு { $name } தெரியும். உங்கள் சுயவிவரத்தில் வேறு பெயரைத் தேர்ந்தெடுத்தால், அவரைப் பார்க்கச் சொல்லுங்கள்: அவர் மட்டுமே பெயரை மீண்டும் காட்டுவார்.
answer-name-hidden-reason = காரணம்: { $reason }
list-hidden-player = ஆட்டக்காரர் { $code }
answer-data-hidden-names = உங்கள் பெயர் ஓர் அரட்டையிலோ எங்கும் மறைக்கப்பட்டிருப்பது, எப்போதிலிருந்து, ஏன்: அது மீண்டும் காட்டப்படும் வரை அல்லது நீங்கள் கணக்கை நீக்கும் வரை.
