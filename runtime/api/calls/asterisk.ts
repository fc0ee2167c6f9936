/**
 * Asterisk's `chan_websocket`: `MEDIA_START` as words or as JSON, then audio in the channel's format; other text is about playing audio, which never happens here.
 * It knows commands only, so it is sent nothing.
 */
import { CodedError } from "../../errors.js";
import { shown } from "../../json/expectation.js";
import type { CallMessage, Dialect, NamedOptions } from "./dialect.js";
import { type TextFrame, textsOf } from "./text-object.js";

const mediaStart = "MEDIA_START";
/** Asterisk's names of signed linear audio, by thousands of samples a second; `slin` is 8. */
const slinRatesHz: Readonly<Record<string, number>> = {
	slin: 8000,
	slin8: 8000,
	slin12: 12_000,
	slin16: 16_000,
	slin24: 24_000,
	slin32: 32_000,
	slin44: 44_100,
	slin48: 48_000,
	slin96: 96_000,
	slin192: 192_000,
};

export class AsteriskDialect implements Dialect {
	readonly name = "asterisk";
	readonly listens = false;
	readonly sendsBinary = true;
	#hasStarted = false;

	static isMine({ text, object }: TextFrame): boolean {
		return /^\s*MEDIA_START(\s|$)/.test(text) || object?.event === mediaStart;
	}

	get ignoresTexts(): boolean {
		return this.#hasStarted;
	}

	/** @param frame the one that it was known by. */
	read(frame: TextFrame): CallMessage {
		this.#hasStarted = true;
		const started = startedOf(frame);
		return {
			is: "start",
			start: {
				first: audioOf(started.format),
				last: { call: started.channel_id ?? started.connection_id },
			},
		};
	}
}

/** Of `MEDIA_START name:value ...`, or of the same as JSON. */
function startedOf({ text, object }: TextFrame): NamedOptions {
	const names = ["format", "channel_id", "connection_id"];
	if (object) return textsOf(object, names);
	const pairs = text
		.trim()
		.split(/\s+/)
		.slice(1)
		.map((word): [string, string] => {
			const colon = word.indexOf(":");
			return [word.slice(0, colon), word.slice(colon + 1)];
		});
	return textsOf(Object.fromEntries(pairs), names);
}

/** @throws CodedError 200006 */
function audioOf(format: string | undefined): NamedOptions {
	if (format === undefined) return {};
	if (format === "ulaw" || format === "alaw")
		return { encoding: format === "ulaw" ? "mulaw" : "alaw", rate: "8000" };
	const rateHz = Object.hasOwn(slinRatesHz, format)
		? slinRatesHz[format]
		: undefined;
	if (rateHz !== undefined)
		return { encoding: "pcm_s16le", rate: String(rateHz) };
	throw new CodedError(
		"200006",
		`format must be ulaw, alaw, slin, slin12, slin16, ... slin192, got ${shown(format)}`,
	);
}
