/** Names that people and telephone systems give, and what is left of each under which a transcript is saved. */
export const savedNames = [
	["meeting.mp3", "meeting"],
	["a.b.m4a", "a.b"],
	["x.3gp", "x"],
	["TALK.WAV", "TALK"],
	[".mp3", ".mp3"],
	["Interview with Dr. Miller", "Interview with Dr. Miller"],
	["Meeting v1.2", "Meeting v1.2"],
	["2026.11.30 meeting", "2026.11.30 meeting"],
	["1732925791.42", "1732925791.42"],
	["a84b4c76e66710@10.0.0.7", "a84b4c76e66710@10.0.0.7"],
] as const;
