setting-mood = 🎭 Mood
setting-mood-about = How lively may I be?
value-mood-calm = calm
value-mood-lively = lively
