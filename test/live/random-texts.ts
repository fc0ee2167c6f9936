/** Messages as a confused or hostile client would send them. */
import { pick, type Random } from "../fuzz/random.js";

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

/** Mostly valid messages, in any order. */
export function randomText(random: Random): string {
	const luck = random();
	if (luck < 0.1) return pick(random, rubbish);
	if (luck < 0.55) return sensible(random);
	const header = {
		namespace: pick(random, namespaces),
		name: pick(random, names),
	};
	return JSON.stringify({ header, payload: pick(random, payloads) });
}

function sensible(random: Random): string {
	const transcribes = random() < 0.4;
	const namespace = transcribes ? "SpeechTranscriber" : "SpeechRecognizer";
	const what = transcribes ? "Transcription" : "Recognition";
	const name = pick(random, [
		`Start${what}`,
		`Start${what}`,
		`Stop${what}`,
		"ping",
	]);
	const payload = pick(random, payloads.slice(0, 4));
	return JSON.stringify({ header: { namespace, name }, payload });
}
