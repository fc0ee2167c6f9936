/**
 * How devices of a site share files: what they say to each other on `<site>/jobs` and in each other's `jobs`. Only devices of one protocol number understand
 * each other; another version of the program says another one where any of this has changed.
 *
 *     owner  -> all      offer        a file waits here
 *     worker -> owner    accept       give it to me            (or: decline)
 *     owner  -> worker   grant        the lease, and where the audio is   (or: gone)
 *     worker -> owner    ready        the audio is here
 *     owner  -> worker   job          hear it, or tell its voices apart
 *     worker -> owner    event...     what an engine tells of it, numbered; failed
 *     both               alive        the lease is kept
 *     both               end          it is over
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { fits } from "../../json-schema.js";
import { audioFormats } from "../../session/options.js";
import { schema } from "./schema-version.js";

export const jobProtocol = 1;

const id = Type.String({ pattern: "^[\\w-]{16,64}$" });
const device = Type.String({ minLength: 1, maxLength: 200 });
const whole = Type.Integer({ minimum: 0, maximum: 2 ** 45 });
const text = Type.String({ maxLength: 100_000 });
const channel = Type.Union([Type.Literal(1), Type.Literal(2)]);
const stretch = Type.Object({
	channel,
	startSample: whole,
	endSample: whole,
});
const resume = Type.Object({ sample: whole, index: whole });
const wordList = Type.Object({
	key: Type.String({ maxLength: 1000 }),
	entries: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 20_000 }),
});

const source = Type.Object({
	format: Type.Unsafe<(typeof audioFormats)[number]>({
		type: "string",
		enum: [...audioFormats],
	}),
	sampleRateHz: Type.Union([Type.Literal(8000), Type.Literal(16_000)]),
	channels: channel,
	gain: Type.Number({ minimum: 1, maximum: 20 }),
	durationSecondsMax: Type.Number({ minimum: 1, maximum: 86_400 }),
});

/** As `RecognitionOptions`; what is not named here is not sent. */
const options = Type.Object(
	{
		language: Type.String({ maxLength: 100 }),
		format: source.properties.format,
		sampleRateHz: source.properties.sampleRateHz,
		gain: source.properties.gain,
		durationSecondsMax: source.properties.durationSecondsMax,
		maxSentenceSilenceMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
		punctuation: Type.Boolean(),
		inverseTextNormalization: Type.Boolean(),
		modalParticleFilter: Type.Boolean(),
		words: Type.Boolean(),
		partials: Type.Boolean(),
		keepsWhole: Type.Optional(Type.Boolean()),
		spoken: Type.Optional(Type.Boolean()),
		streamed: Type.Optional(Type.Boolean()),
		oneText: Type.Optional(Type.Boolean()),
		hotwords: Type.Optional(
			Type.Object({
				list: wordList,
				weight: Type.Number({ minimum: 0, maximum: 1 }),
			}),
		),
		corrections: Type.Optional(Type.Array(wordList, { maxItems: 1000 })),
		forbidden: Type.Optional(Type.Array(wordList, { maxItems: 1000 })),
	},
	{ additionalProperties: false },
);

const work = Type.Union([
	Type.Object({
		is: Type.Literal("hear"),
		source,
		options,
		resume: Type.Array(resume, { minItems: 1, maxItems: 2 }),
		skip: Type.Array(stretch, { maxItems: 100 }),
		oneByOne: Type.Boolean(),
	}),
	Type.Object({
		is: Type.Literal("voices"),
		source,
		regions: Type.Array(Type.Object({ startMs: whole, endMs: whole })),
		count: Type.Integer({ minimum: 0, maximum: 100 }),
	}),
]);

const word = Type.Object({
	text,
	startMs: Type.Number(),
	endMs: Type.Number(),
	kind: Type.Union([
		Type.Literal("normal"),
		Type.Literal("modal"),
		Type.Literal("punc"),
	]),
	confidence: Type.Number(),
});
const utterance = Type.Object({
	index: whole,
	beginMs: Type.Number({ minimum: 0 }),
	endMs: Type.Number({ minimum: 0 }),
	text,
	spoken: Type.Optional(text),
	confidence: Type.Number(),
	words: Type.Array(word, { maxItems: 20_000 }),
	skipped: Type.Optional(Type.Boolean()),
});

const event = Type.Union([
	Type.Object({
		is: Type.Literal("trying"),
		stretches: Type.Array(stretch, { maxItems: 1000 }),
	}),
	Type.Object({
		is: Type.Literal("heard"),
		channel,
		utterances: Type.Array(utterance, { maxItems: 1000 }),
		resume,
	}),
	Type.Object({
		is: Type.Literal("voices"),
		turns: Type.Array(
			Type.Object({
				startMs: Type.Number({ minimum: 0 }),
				endMs: Type.Number({ minimum: 0 }),
				speaker: Type.Integer({ minimum: 1 }),
			}),
			{ maxItems: 100_000 },
		),
	}),
	Type.Object({ is: Type.Literal("progress"), audioMs: Type.Number() }),
	Type.Object({ is: Type.Literal("done"), audioMs: Type.Number() }),
]);

const say = <T extends Record<string, TSchema>, N extends string>(
	is: N,
	properties: T,
) =>
	Type.Object({
		schema,
		is: Type.Literal(is),
		protocol: Type.Literal(jobProtocol),
		from: device,
		...properties,
	});

export const offerPayload = say("offer", {
	offer: id,
	model: Type.String({ maxLength: 200 }),
	language: Type.String({ maxLength: 100 }),
	audio_ms: whole,
});

export const jobPayload = Type.Union(
	[
		say("accept", { offer: id }),
		say("decline", { offer: id }),
		say("gone", { offer: id }),
		say("grant", {
			offer: id,
			lease: id,
			url: Type.String({ maxLength: 2048 }),
			bytes: whole,
			lease_seconds: Type.Number({ minimum: 1, maximum: 3600 }),
		}),
		say("ready", { lease: id }),
		say("job", { lease: id, job: whole, work }),
		say("event", { lease: id, job: whole, number: whole, event }),
		say("failed", {
			lease: id,
			job: whole,
			number: whole,
			/** An engine died of it; it can't be transcribed; or it is nobody's fault. */
			why: Type.Union([
				Type.Literal("engine-died"),
				Type.Literal("task"),
				Type.Literal("device"),
			]),
			status: Type.String({ maxLength: 6 }),
			message: Type.String({ maxLength: 1000 }),
		}),
		say("cancel", { lease: id, job: whole }),
		say("alive", { lease: id }),
		say("end", { lease: id }),
	],
	{ title: "What devices say to each other about a shared file" },
);

export type OfferMessage = Static<typeof offerPayload>;
export type JobMessage = Static<typeof jobPayload>;
export type JobWork = Static<typeof work>;
export type JobEvent = Static<typeof event>;

/** @returns undefined for what is none, or of another protocol. */
export function readOffer(payload: Uint8Array): OfferMessage | undefined {
	const value = jsonOf(payload);
	return fits(offerPayload, value) ? value : undefined;
}

/** @returns undefined for what is none, or of another protocol. */
export function readJobMessage(payload: Uint8Array): JobMessage | undefined {
	const value = jsonOf(payload);
	return fits(jobPayload, value) ? value : undefined;
}

function jsonOf(payload: Uint8Array): unknown {
	try {
		return JSON.parse(
			new TextDecoder("utf-8", { fatal: true }).decode(payload),
		);
	} catch {
		return undefined;
	}
}
