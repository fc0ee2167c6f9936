/** One `[[microphone]]`; it may be repeated. Whether its values are consistent is checked in runtime/microphones. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** That a card records, and that are microphones. */
export const channelsMax = 16;

const oneOf = <const T extends string>(...values: readonly T[]) =>
	Type.Unsafe<T>({
		type: "string",
		enum: values,
		"x-expects": `one of ${values.join(", ")}`,
	});

const place = Type.String({ maxLength: 100 });

export const microphoneSection = {
	id: setting(
		Type.String({
			pattern: "^[a-zA-Z0-9_-]{1,32}$",
			"x-expects": "1 to 32 letters, digits, _ and -",
		}),
		"",
		"Its name in events and commands.",
		{ required: true },
	),
	device: setting(
		Type.String({ minLength: 1, maxLength: 200 }),
		"default",
		'ALSA name of the device, such as "hw:1,0" or "plughw:CARD=ArrayUAC10"; `earshot doctor audio` lists them. Or the address of a stream, rtsp(s):// or http(s)://; one in a local network must be allowed by outbound.allow.',
	),
	verify_certificate: setting(
		Type.Boolean(),
		true,
		"Check the certificate of an https:// stream; false lets whoever is on the way listen, read its login, and send other audio.",
	),
	ca_file: setting(
		Type.String({
			pattern: "^(/.*)?$",
			maxLength: 4096,
			"x-expects": "an absolute path",
		}),
		"",
		"PEM file of the authorities that the certificate of an https:// stream may come from, or of that certificate itself; empty: those of the system.",
	),
	channels: setting(
		Type.Integer({ minimum: 1, maximum: channelsMax }),
		1,
		"Channels that the card records.",
	),
	sample_rate: setting(
		Type.Integer({ minimum: 4000, maximum: 384_000 }),
		16_000,
		"Sample rate, Hz; the nearest one that the card supports is used, and resampled to 16 kHz.",
	),
	format: setting(
		oneOf("auto", "S16_LE", "S24_LE", "S24_3LE", "S32_LE", "FLOAT_LE"),
		"auto",
		"Sample format; auto: the first one that the card supports.",
	),
	channel_map: setting(
		Type.Array(Type.Integer({ minimum: 0, maximum: channelsMax - 1 }), {
			maxItems: channelsMax,
		}),
		[],
		"Which channels are microphones, counted from 0, in the order of the array; empty: all of them.",
	),
	array: setting(
		oneOf(
			"none",
			"respeaker-4",
			"respeaker-usb-4",
			"respeaker-6",
			"seeed-2",
			"matrix-creator",
			"matrix-voice",
		),
		"none",
		"Array whose geometry is known; none: use geometry, or else the average of the channels.",
	),
	geometry: setting(
		Type.Array(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), {
			maxItems: channelsMax,
			"x-expects": "a list of [x, y, z] in metres, one for each microphone",
		}),
		[],
		"Where the microphones are, metres: x to the right, y to the front, z up.",
	),
	language: setting(
		Type.String({ minLength: 1 }),
		"en-US",
		"Language that is spoken, as `lang_type` of the API; auto is refused.",
	),
	gain: setting(
		Type.Integer({ minimum: 1, maximum: 20 }),
		1,
		"Amplitude factor.",
	),
	wake_words: setting(
		Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 10 }),
		[],
		'Chinese phrases of at least three syllables, such as "小智小智", or "小智小智:0.6" with the probability from which it counts as said (0.05 to 0.95); speech is recognized only after one of them, until a pause. They need model.second_ear. Empty: all speech is recognized.',
	),
	wake_seconds: setting(
		Type.Integer({ minimum: 2, maximum: 60 }),
		6,
		"Time after a wake word in which speech must begin, s.",
	),
	max_sentence_silence: setting(
		Type.Integer({ minimum: 200, maximum: 1200 }),
		800,
		"Silence that ends a sentence, ms.",
	),
	dynamic_break: setting(
		Type.Boolean(),
		false,
		"Adapt that silence to the speaker's own pauses.",
	),
	punctuation: setting(Type.Boolean(), true, "Punctuation in the text."),
	inverse_text_normalization: setting(
		Type.Boolean(),
		true,
		"Numbers as digits, and so on.",
	),
	modal_particle_filter: setting(
		Type.Boolean(),
		true,
		"Filler words are left out.",
	),
	words: setting(Type.Boolean(), false, "Times of each word."),
	partials: setting(
		Type.Boolean(),
		true,
		"Text is sent while it is being spoken.",
	),
	hotwords: setting(
		Type.Array(Type.String({ minLength: 1 }), { maxItems: 100 }),
		[],
		"Words that are recognized more readily.",
	),
	hotwords_id: setting(
		Type.String({ maxLength: 150 }),
		"",
		"Hotword database of the appliance; empty: none.",
	),
	hotwords_weight: setting(
		Type.Number({ minimum: 0.1, maximum: 1 }),
		0.4,
		"Strength of the hotwords.",
	),
	correction_words_id: setting(
		Type.String({ maxLength: 10_000 }),
		"",
		'Correction vocabularies, separated by |, or "all"; empty: none.',
	),
	forbidden_words_id: setting(
		Type.String({ maxLength: 10_000 }),
		"",
		'Forbidden-word lists, separated by |, or "all"; empty: none.',
	),
	room: setting(place, "", "Room that it is in, sent with every event."),
	kiosk: setting(place, "", "Kiosk that it belongs to, sent with every event."),
	muted: setting(
		Type.Boolean(),
		false,
		"Muted until somebody unmutes it. A mute or unmute is kept over restarts, until this value is changed.",
	),
	push_to_talk: setting(
		Type.Boolean(),
		false,
		"Listens only while the key is pressed (set by a command).",
	),
};
