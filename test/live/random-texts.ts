/** Messages as a confused or hostile client would write them. */

const namespaces = [
	"SpeechRecognizer",
	"SpeechTranscriber",
	"speechrecognizer",
	"",
	null,
	7,
];
const names = [
	"StartRecognition",
	"StopRecognition",
	"StartTranscription",
	"StopTranscription",
	"SentenceEnd",
	"SpeakerStart",
	"ping",
	"pong",
	"RecognitionStarted",
	"__proto__",
	"toString",
	"",
	null,
	[],
];
const payloads: readonly unknown[] = [
	{ lang_type: "en" },
	{ lang_type: "ja", format: "wav", enable_words: true },
	{ lang_type: "en", max_suffix_silence: -1, connect_timeout: 5, user_id: "u" },
	{ lang_type: "en", enable_intermediate_result: false, duration: 60 },
	{ lang_type: "en", unheard_of: { deep: [1] }, __proto__: 1 },
	{ lang_type: "en", duration: 1 },
	{ lang_type: 1 },
	{ speaker_id: "anna" },
	{ speaker_id: 1 },
	{},
	[],
	null,
	"text",
	undefined,
];
const rubbish = [
	"",
	"{",
	"null",
	"[]",
	"7",
	'"StartRecognition"',
	"{}",
	'{"header":null}',
	'{"header":{"namespace":"SpeechRecognizer"}}',
	'{"header":[],"payload":[]}',
	'{"__proto__":{"header":{}}}',
	"\u0000",
	"ping",
];

export interface Dice {
	/** Below 1. */
	random(): number;
}

export function pick<T>(dice: Dice, from: readonly T[]): T {
	return from[Math.floor(dice.random() * from.length)] as T;
}

/** Mostly what makes sense, in any order. */
export function randomText(dice: Dice): string {
	const luck = dice.random();
	if (luck < 0.1) return pick(dice, rubbish);
	if (luck < 0.55) return sensible(dice);
	const header = { namespace: pick(dice, namespaces), name: pick(dice, names) };
	return JSON.stringify({ header, payload: pick(dice, payloads) });
}

function sensible(dice: Dice): string {
	const transcribes = dice.random() < 0.4;
	const namespace = transcribes ? "SpeechTranscriber" : "SpeechRecognizer";
	const what = transcribes ? "Transcription" : "Recognition";
	const name = pick(dice, [
		`Start${what}`,
		`Start${what}`,
		`Stop${what}`,
		"ping",
	]);
	const payload = pick(dice, payloads.slice(0, 4));
	return JSON.stringify({ header: { namespace, name }, payload });
}
