/** Endpoints that speak the protocol of other programs' clients. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const endpointsSection = {
	openai: setting(
		Type.Boolean(),
		true,
		"Serve OpenAI's audio interface (/v1/audio, /v1/models); with tokens, as all of /v1.",
	),
	realtime: setting(
		Type.Boolean(),
		true,
		"Serve OpenAI's Realtime interface for transcription (/v1/realtime); with tokens, as all of /v1.",
	),
	whisper_cpp: setting(
		Type.Boolean(),
		false,
		"Serve POST /inference for programs made for whisper.cpp's server; with tokens, as all of /v1.",
	),
	default_language: setting(
		Type.String(),
		"",
		"Language where a request names none and the model can't identify it (en, ja, zh); empty: the model's first.",
		{ needsRestart: false },
	),
	languages: setting(
		Type.Array(Type.String({ minLength: 1, pattern: "^[^=]+=[^=]+$" })),
		[],
		'Languages recognized as another one: ["zh=zh-en"] takes Chinese for Chinese-English mixed.',
		{ needsRestart: false },
	),
	hotwords_id: setting(
		Type.String({ maxLength: 10_000 }),
		"",
		"Hotword databases, one of each language, separated by |, for requests of OpenAI's interfaces, Wyoming, Vosk and calls that send no hotwords; empty: none.",
		{ needsRestart: false },
	),
	correction_words_id: setting(
		Type.String({ maxLength: 10_000 }),
		"",
		'Correction vocabularies, separated by |, or "all", for requests of the same interfaces that name none; each is used for its language; empty: none.',
		{ needsRestart: false },
	),
	forbidden_words_id: setting(
		Type.String({ maxLength: 10_000 }),
		"",
		'Forbidden-word lists, separated by |, or "all", as correction_words_id; empty: none.',
		{ needsRestart: false },
	),
	strict_models: setting(
		Type.Boolean(),
		false,
		"Refuse names of models that are not installed; false: any name means the installed model.",
		{ needsRestart: false },
	),
	sync_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 600 }),
		60,
		"Audio of a request up to this long is recognized at once; longer audio becomes a file task that the request waits for.",
		{ needsRestart: false },
	),
	wait_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 86_400 }),
		3600,
		"How long a request waits for its file task; then it is answered 504 and the task is cancelled.",
		{ needsRestart: false },
	),
};
