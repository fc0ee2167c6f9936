/** The text messages of a Vosk client: its configuration, the end of its audio, and a reset (vosk-server, websocket/asr_server.py). */
import { CodedError } from "../../errors.js";
import { shown } from "../../json/expectation.js";
import { isJsonObject, type JsonObject } from "../../json/json-object.js";
import { jsonOf } from "../../json/json-parser.js";
import { rawAudio } from "../../session/audio-source.js";
import { hotwordsMaxOfRequest } from "../../session/options.js";

export interface VoskConfig {
	readonly rateHz: number;
	/** Finals have their words' times. */
	readonly words: boolean;
	/** Finals are lists of alternatives; there is never more than one. */
	readonly alternatives: boolean;
	/** What the client expects to be said. */
	readonly phrases: readonly string[];
}

export type ClientMessage =
	| { readonly is: "config"; readonly config: Partial<VoskConfig> }
	/** No more audio comes. */
	| { readonly is: "eof" }
	/** What was said so far is wanted at once; more audio may come. */
	| { readonly is: "reset" };

/** As Vosk's server begins. */
export const defaultConfig: VoskConfig = {
	rateHz: 8000,
	words: true,
	alternatives: false,
	phrases: [],
};

/** Stands for all other words in Vosk's grammars. */
const anyOther = "[unk]";
/** Of a binary message that may be one of the texts: some clients send all messages so. */
const controlBytesMax = 16;

/** @throws CodedError 200003, 200002 that names the field. */
export function readMessage(text: string): ClientMessage {
	const message = objectOf(text);
	if ("config" in message)
		return { is: "config", config: configOf(message.config) };
	if ("eof" in message) return { is: "eof" };
	if ("reset" in message) return { is: "reset" };
	throw new CodedError(
		"200003",
		"a text message must have config, eof or reset",
	);
}

/** @returns undefined where the bytes are audio. */
export function binaryControl(bytes: Uint8Array): ClientMessage | undefined {
	if (bytes.length > controlBytesMax || bytes[0] !== 0x7b) return undefined; // {
	const text = Buffer.from(bytes).toString("latin1");
	const [, name] = /^\{\s*"(eof|reset)"\s*:\s*1\s*\}$/.exec(text) ?? [];
	return name === "eof" || name === "reset" ? { is: name } : undefined;
}

/** @throws CodedError 200003 */
function objectOf(text: string): JsonObject {
	let value: unknown;
	try {
		value = jsonOf(text);
	} catch {
		throw new CodedError("200003", "a text message must be JSON");
	}
	return checkedObject(value, "a text message");
}

function checkedObject(value: unknown, what: string): JsonObject {
	if (isJsonObject(value)) return value;
	throw new CodedError("200003", `${what} must be a JSON object`);
}

/** @returns the fields that are there; others, `model` among them, have no effect. @throws CodedError */
function configOf(given: unknown): Partial<VoskConfig> {
	const { sample_rate, words, max_alternatives, phrase_list } = checkedObject(
		given,
		"config",
	);
	return {
		...(sample_rate !== undefined && { rateHz: rateOf(sample_rate) }),
		...(words !== undefined && { words: Boolean(words) }),
		...(max_alternatives !== undefined && {
			alternatives: Number(max_alternatives) > 0,
		}),
		...(phrase_list !== undefined && { phrases: phrasesOf(phrase_list) }),
	};
}

/** @param given a number, or a text that is one, as in Vosk. */
function rateOf(given: unknown): number {
	const rate =
		typeof given === "string" && given !== "" ? Number(given) : given;
	try {
		return rawAudio({ rate }).rateHz;
	} catch (error) {
		throw new CodedError("200002", `sample_${(error as Error).message}`);
	}
}

function phrasesOf(given: unknown): readonly string[] {
	if (!Array.isArray(given))
		throw new CodedError(
			"200002",
			`phrase_list must be a list of texts, got ${shown(given)}`,
		);
	return given
		.filter((it): it is string => typeof it === "string" && it !== anyOther)
		.slice(0, hotwordsMaxOfRequest);
}
