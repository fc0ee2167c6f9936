/**
 * Sharing of files between the devices of a site: the messages on `<site>/jobs` and in each device's `jobs`. Only devices with the same protocol number
 * understand each other; a version of the program that changes any of this uses another number. Anybody with write access there may send anything: all values
 * that end in a topic, a URL, a log or a calculation are bounded here; the plausibility of a job's events is checked in sharing/job-event-validator.ts.
 *
 *     owner  -> all      offer        a file waits here
 *     worker -> owner    accept       requests the file        (or: decline)
 *     owner  -> worker   grant        the lease, and where the audio is   (or: gone)
 *     worker -> owner    ready        the audio was fetched
 *     owner  -> worker   job          recognition or diarization
 *     worker -> owner    event...     an engine's events, numbered; failed
 *     both               alive        the lease is kept; from a worker also what it has received and sent, since messages may be lost
 *     both               end          it is over
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { topicLevelPattern } from "../../config/sections/fleet.js";
import { atOnce, type Piecewise } from "../../event-loop/piecewise.js";
import { finishInSlices } from "../../event-loop/slices.js";
import { parsingJson } from "../../json/json-parser.js";
import { fits } from "../../json/json-schema.js";
import { plainOptions } from "../../session/options.js";
import { languages } from "../../text/languages.js";
import { schema } from "./schema-version.js";

export const jobProtocol = 3;

/** The longest file allowed: a day. */
const secondsMax = 86_400;
const samplesPerMs = 16;
/** Passages and decaying sounds may end slightly after the file. */
const msMax = (secondsMax + 60) * 1000;

const id = Type.String({ pattern: "^[\\w-]{16,64}$" });
/** Becomes part of a topic. */
const device = Type.String({ pattern: `^${topicLevelPattern}$` });
const oneOf = <const T extends readonly string[]>(values: T) =>
	Type.Unsafe<T[number]>({ type: "string", enum: [...values] });
const language = oneOf(languages);
const count = Type.Integer({ minimum: 0, maximum: 2 ** 31 });
const bytes = Type.Integer({ minimum: 0, maximum: 2 ** 45 });
const ms = Type.Number({ minimum: 0, maximum: msMax });
const sample = Type.Integer({ minimum: 0, maximum: msMax * samplesPerMs });
/** 0 to 1, with float32 rounding. */
const share = Type.Number({ minimum: 0, maximum: 1.001 });
const text = Type.String({ maxLength: 100_000 });
const channel = Type.Union([Type.Literal(1), Type.Literal(2)]);
const nothingElse = { additionalProperties: false };
const span = Type.Object(
	{ channel, startSample: sample, endSample: sample },
	nothingElse,
);
const resume = Type.Object({ sample, index: count }, nothingElse);
/** The receiver names it by its content: a remote key is never taken for one of ours. */
const wordList = Type.Object(
	{
		entries: Type.Array(Type.String({ maxLength: 4096 }), {
			maxItems: 20_000,
		}),
	},
	nothingElse,
);

const source = Type.Object(
	{
		format: plainOptions.properties.format,
		sampleRateHz: plainOptions.properties.sampleRateHz,
		channels: channel,
		gain: plainOptions.properties.gain,
		durationSecondsMax: Type.Number({ minimum: 1, maximum: secondsMax }),
	},
	nothingElse,
);

/** As `RecognitionOptions`; other keys are not sent. */
const options = Type.Object(
	{
		...plainOptions.properties,
		durationSecondsMax: source.properties.durationSecondsMax,
		hotwords: Type.Optional(
			Type.Object({
				list: wordList,
				weight: Type.Number({ minimum: 0, maximum: 1 }),
			}),
		),
		corrections: Type.Optional(Type.Array(wordList, { maxItems: 1000 })),
		forbidden: Type.Optional(Type.Array(wordList, { maxItems: 1000 })),
	},
	nothingElse,
);

const work = Type.Union([
	Type.Object({
		is: Type.Literal("hear"),
		source,
		options,
		resume: Type.Array(resume, { minItems: 1, maxItems: 2 }),
		skip: Type.Array(span, { maxItems: 100 }),
		oneByOne: Type.Boolean(),
	}),
	Type.Object({
		is: Type.Literal("voices"),
		source,
		regions: Type.Array(Type.Object({ startMs: ms, endMs: ms }), {
			maxItems: 100_000,
		}),
		count: Type.Integer({ minimum: 0, maximum: 100 }),
	}),
]);

const word = Type.Object(
	{
		text,
		startMs: ms,
		endMs: ms,
		kind: oneOf(["normal", "modal", "punc"]),
		confidence: share,
	},
	nothingElse,
);
const utterance = Type.Object(
	{
		index: count,
		beginMs: ms,
		endMs: ms,
		text,
		spoken: Type.Optional(text),
		spokenIn: Type.Optional(language),
		confidence: share,
		words: Type.Array(word, { maxItems: 20_000 }),
		skipped: Type.Optional(Type.Boolean()),
		unheard: Type.Optional(
			Type.Object(
				{
					why: Type.String({ maxLength: 40 }),
					seconds: Type.Number({ minimum: 0, maximum: 86_400 }),
				},
				nothingElse,
			),
		),
	},
	nothingElse,
);

const event = Type.Union([
	Type.Object({
		is: Type.Literal("trying"),
		stretches: Type.Array(span, { maxItems: 1000 }),
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
			Type.Object(
				{
					startMs: ms,
					endMs: ms,
					speaker: Type.Integer({ minimum: 1, maximum: 100_000 }),
					beside: Type.Optional(Type.Literal(true)),
				},
				nothingElse,
			),
			{ maxItems: 100_000 },
		),
	}),
	Type.Object({ is: Type.Literal("progress"), audioMs: ms }),
	Type.Object({ is: Type.Literal("done"), audioMs: ms }),
]);

const messageSchema = <T extends Record<string, TSchema>, N extends string>(
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

export const offerPayload = messageSchema("offer", {
	offer: id,
	model: Type.String({ maxLength: 200 }),
	language,
	audio_ms: ms,
});

export const jobPayload = Type.Union(
	[
		messageSchema("accept", { offer: id }),
		messageSchema("decline", { offer: id }),
		messageSchema("gone", { offer: id }),
		messageSchema("grant", {
			offer: id,
			lease: id,
			url: Type.String({ maxLength: 2048, pattern: "^https?://[!-~]+$" }),
			bytes,
			lease_seconds: Type.Number({ minimum: 1, maximum: 3600 }),
		}),
		messageSchema("ready", { lease: id }),
		messageSchema("job", { lease: id, job: count, work }),
		messageSchema("event", { lease: id, job: count, number: count, event }),
		messageSchema("failed", {
			lease: id,
			job: count,
			number: count,
			/** An engine died over it; the file can't be transcribed; or a trouble of the device. */
			why: oneOf(["engine-died", "task", "device"]),
			message: Type.String({ maxLength: 1000, pattern: "^\\P{Cc}*$" }),
		}),
		messageSchema("cancel", { lease: id, job: count }),
		messageSchema("alive", {
			lease: id,
			/** From a worker that has the audio: the last job that it received (0: none), and how many messages about it were sent. */
			job: Type.Optional(count),
			next: Type.Optional(count),
		}),
		messageSchema("end", { lease: id }),
	],
	{ title: "Messages between devices about a shared file" },
);

export type OfferMessage = Static<typeof offerPayload>;
export type JobMessage = Static<typeof jobPayload>;
export type JobWork = Static<typeof work>;
export type JobEvent = Static<typeof event>;

/** An offer with the longest names has half of that. */
const offerBytesMax = 4096;

/** @returns undefined for an invalid message, or another protocol. */
export function readOffer(payload: Uint8Array): OfferMessage | undefined {
	if (payload.length > offerBytesMax) return undefined;
	const value = atOnce(readingJson(payload));
	return fits(offerPayload, value) ? value : undefined;
}

/** Resolves with undefined for an invalid message, or another protocol. Never rejects. */
export async function readJobMessage(
	payload: Uint8Array,
): Promise<JobMessage | undefined> {
	const value = await finishInSlices(readingJson(payload));
	return fits(jobPayload, value) ? value : undefined;
}

function* readingJson(payload: Uint8Array): Piecewise<unknown> {
	try {
		return yield* parsingJson(
			new TextDecoder("utf-8", { fatal: true }).decode(payload),
		);
	} catch {
		return undefined;
	}
}
