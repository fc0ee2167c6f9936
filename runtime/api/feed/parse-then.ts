/** The JSON of a client's messages: a short one is parsed at once, a long one in slices, while the client waits (inbox.ts). */
import { finishInSlices } from "../../event-loop/slices.js";
import { jsonOf, parsingJson } from "../../json/json-parser.js";

const unitsAtOnce = 16 * 1024;

/**
 * @param take whatever it is: a client may have gone meanwhile.
 * @param refuse is given a SyntaxError, a JsonBoundError, or the reason of the signal.
 * @param signal ends the parsing: the client has gone.
 * @returns a promise where it takes longer than a moment; it rejects only where one of these throws.
 */
export function parseThen(
	text: string,
	take: (message: unknown) => Promise<void> | undefined,
	refuse: (thrown: unknown) => void,
	signal?: AbortSignal,
): Promise<void> | undefined {
	if (text.length > unitsAtOnce) return parseLong(text, take, refuse, signal);
	let message: unknown;
	try {
		message = jsonOf(text);
	} catch (thrown) {
		refuse(thrown);
		return undefined;
	}
	return take(message);
}

async function parseLong(
	text: string,
	take: (message: unknown) => Promise<void> | undefined,
	refuse: (thrown: unknown) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	let message: unknown;
	try {
		message = await finishInSlices(parsingJson(text), {
			units: text.length,
			signal,
		});
	} catch (thrown) {
		refuse(thrown);
		return;
	}
	await take(message);
}
