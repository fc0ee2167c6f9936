/**
 * Reads a session update of either dialect: absent keys keep their value, null clears, values out of range are clamped, unknown keys are ignored. Only a value
 * of the wrong kind is an error, since several clients end their session at any error.
 */
import { rateHzMax, rateHzMin } from "../../../audio/sample-rate.js";
import { shown } from "../../../json/expectation.js";
import { isJsonObject, type JsonObject } from "../../../json/json-object.js";
import { mustBe, wrong } from "../form-fields.js";
import {
	type AudioFormat,
	type Dialect,
	defaultSettings,
	defaultTurns,
	delays,
	eagernesses,
	encodings,
	type RealtimeSettings,
	type TurnDetection,
} from "./settings.js";

/** What both dialects say, and how the client names it. */
interface Given {
	readonly format: unknown;
	readonly transcription: unknown;
	readonly turns: unknown;
	readonly names: {
		readonly format: string;
		readonly transcription: string;
		readonly turns: string;
	};
}

const betaFormats: ReadonlyMap<unknown, AudioFormat["type"]> = new Map([
	["pcm16", "audio/pcm"],
	["g711_ulaw", "audio/pcmu"],
	["g711_alaw", "audio/pcma"],
] as const);
const logprobsInclude = "item.input_audio_transcription.logprobs";
/** What null clears: every key of a transcription. */
const allCleared = {
	model: null,
	language: null,
	languages: null,
	keywords: null,
	prompt: null,
	delay: null,
};
const nameCharactersMax = 256;
const promptCharactersMax = 10_000;
const listMax = 100;
const [silenceMsMin, silenceMsMax] = [200, 1200];
const prefixMsMax = 2000;

/** @param session of the update. @throws CodedError 200002 that names the parameter */
export function updatedSettings(
	settings: RealtimeSettings,
	session: JsonObject,
	dialect: Dialect,
): RealtimeSettings {
	const given = givenIn(session, dialect);
	return {
		...settings,
		format: formatOf(settings.format, given),
		...transcriptionOf(settings, given),
		turns: turnsOf(settings.turns, given),
		logprobs: logprobsOf(settings.logprobs, session.include),
	};
}

/** @returns undefined where the update names none. @throws as `updatedSettings` */
export function modelNamedIn(
	session: JsonObject,
	dialect: Dialect,
): string | undefined {
	const { transcription } = givenIn(session, dialect);
	const model = isJsonObject(transcription) ? transcription.model : undefined;
	return typeof model === "string" && model !== "" ? model : undefined;
}

function givenIn(session: JsonObject, dialect: Dialect): Given {
	const isBeta = dialect === "beta" || isFlat(session);
	return isBeta ? ofBeta(session) : ofCurrent(session);
}

/** Conversations of the dialect before were updated by `session.update`, with keys that only that dialect has. */
function isFlat(session: JsonObject): boolean {
	const keys = [
		"input_audio_format",
		"input_audio_transcription",
		"input_audio_noise_reduction",
		"turn_detection",
	];
	return (
		session.audio === undefined && keys.some((it) => session[it] !== undefined)
	);
}

function ofCurrent(session: JsonObject): Given {
	const { type = "transcription" } = session;
	if (type !== "transcription")
		throw mustBe("session.type", "transcription", String(type));
	const audio = objectOf("session.audio", session.audio ?? {});
	const input = objectOf("session.audio.input", audio.input ?? {});
	return {
		format: input.format,
		transcription: input.transcription,
		turns: input.turn_detection,
		names: {
			format: "session.audio.input.format",
			transcription: "session.audio.input.transcription",
			turns: "session.audio.input.turn_detection",
		},
	};
}

function ofBeta(session: JsonObject): Given {
	const { input_audio_format: format, input_audio_rate: rate } = session;
	const name = "session.input_audio_format";
	const type = format === undefined ? undefined : betaFormats.get(format);
	if (format !== undefined && format !== null && !type)
		throw wrong(
			name,
			`must be one of ${[...betaFormats.keys()].join(", ")}, got ${shown(format)}`,
		);
	const isGiven = type !== undefined || rate !== undefined;
	return {
		format: format === null ? null : isGiven ? { type, rate } : undefined,
		transcription: session.input_audio_transcription,
		turns: session.turn_detection,
		names: {
			format: name,
			transcription: "session.input_audio_transcription",
			turns: "session.turn_detection",
		},
	};
}

function formatOf(current: AudioFormat, { format, names }: Given): AudioFormat {
	if (format === undefined) return current;
	if (format === null) return defaultSettings.format;
	const { type = current.type, rate } = objectOf(names.format, format);
	if (typeof type !== "string" || !Object.hasOwn(encodings, type))
		throw wrong(
			`${names.format}.type`,
			`must be one of ${Object.keys(encodings).join(", ")}, got ${shown(type)}`,
		);
	const known = type as AudioFormat["type"];
	if (rate === undefined || rate === null) {
		const rateHz =
			known === current.type ? current.rateHz : encodings[known].rateHz;
		return { type: known, rateHz };
	}
	if (!Number.isInteger(rate) || !isWithin(rate, rateHzMin, rateHzMax))
		throw wrong(
			`${names.format}.rate`,
			`must be an integer from ${rateHzMin} to ${rateHzMax}, got ${shown(rate)}`,
		);
	return { type: known, rateHz: rate };
}

function transcriptionOf(
	settings: RealtimeSettings,
	{ transcription, names }: Given,
): Partial<RealtimeSettings> {
	if (transcription === undefined) return {};
	const name = names.transcription;
	const given = objectOf(name, transcription ?? allCleared);
	const read = <Key extends keyof typeof allCleared>(
		key: Key,
		parse: (name: string, value: unknown) => RealtimeSettings[Key],
	): RealtimeSettings[Key] => {
		const value = given[key];
		if (value === undefined) return settings[key];
		const isCleared = value === null || value === "";
		return isCleared ? defaultSettings[key] : parse(`${name}.${key}`, value);
	};
	return {
		model: read("model", nameOf),
		language: read("language", nameOf),
		languages: read("languages", listOf),
		keywords: read("keywords", listOf),
		prompt: read("prompt", promptOf),
		delay: read("delay", (name, value) => oneOf(name, delays, value)),
	};
}

function turnsOf(
	current: TurnDetection,
	{ turns, names }: Given,
): TurnDetection {
	if (turns === undefined) return current;
	if (turns === null) return { is: "manual" };
	const given = objectOf(names.turns, turns);
	const types = ["server_vad", "semantic_vad"] as const;
	const usual = current.is === "manual" ? "server_vad" : current.is;
	const is = oneOf(`${names.turns}.type`, types, given.type ?? usual);
	if (is === "semantic_vad") {
		const { eagerness } = given;
		const usual = current.is === is ? current.eagerness : "auto";
		const name = `${names.turns}.eagerness`;
		return { is, eagerness: oneOf(name, eagernesses, eagerness ?? usual) };
	}
	const base = current.is === is ? current : defaultTurns;
	const clamped = (key: string, usual: number, min: number, max: number) => {
		const value = given[key] ?? usual;
		if (typeof value !== "number" || Number.isNaN(value))
			throw wrong(
				`${names.turns}.${key}`,
				`must be a number, got ${shown(value)}`,
			);
		return Math.min(max, Math.max(min, value));
	};
	return {
		is,
		threshold: clamped("threshold", base.threshold, 0, 1),
		prefixPaddingMs: Math.round(
			clamped("prefix_padding_ms", base.prefixPaddingMs, 0, prefixMsMax),
		),
		silenceMs: Math.round(
			clamped(
				"silence_duration_ms",
				base.silenceMs,
				silenceMsMin,
				silenceMsMax,
			),
		),
	};
}

function logprobsOf(current: boolean, include: unknown): boolean {
	if (include === undefined) return current;
	const included = listOf("session.include", include ?? []);
	return included.includes(logprobsInclude);
}

function objectOf(name: string, value: unknown): JsonObject {
	if (isJsonObject(value)) return value;
	throw wrong(name, `must be an object, got ${shown(value)}`);
}

function oneOf<const T extends string>(
	name: string,
	values: readonly T[],
	value: unknown,
): T {
	const found = values.find((it) => it === value);
	if (found !== undefined) return found;
	throw wrong(name, `must be one of ${values.join(", ")}, got ${shown(value)}`);
}

function nameOf(name: string, value: unknown): string {
	return textOf(name, value, nameCharactersMax);
}

function promptOf(name: string, value: unknown): string {
	return textOf(name, value, promptCharactersMax);
}

function textOf(name: string, value: unknown, charactersMax: number): string {
	if (typeof value === "string" && value.length <= charactersMax) return value;
	throw wrong(
		name,
		`must be a text of at most ${charactersMax} characters, got ${shown(value)}`,
	);
}

function listOf(name: string, value: unknown): readonly string[] {
	const isList =
		Array.isArray(value) &&
		value.length <= listMax &&
		value.every(
			(it) => typeof it === "string" && it.length <= nameCharactersMax,
		);
	if (isList) return value;
	throw wrong(
		name,
		`must be a list of at most ${listMax} texts, got ${shown(value)}`,
	);
}

function isWithin(value: unknown, min: number, max: number): value is number {
	return typeof value === "number" && value >= min && value <= max;
}
