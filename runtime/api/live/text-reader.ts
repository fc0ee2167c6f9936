/** A client's text as one of its messages, or why it is none. */
import { CodedError } from "../../errors.js";
import { JsonBoundError } from "../../json/json-parser.js";
import { parseThen } from "../feed/parse-then.js";
import { type ClientMessage, readMessage } from "./client-message.js";

/** Room for a hundred hotwords, however they are written. */
const messageBytesMax = 256 * 1024;

/**
 * @param refuse is given a CodedError: 200001 to 200004, 230001.
 * @returns a promise where it takes longer than a moment.
 */
export function readText(
	text: string,
	take: (message: ClientMessage) => void,
	refuse: (thrown: unknown) => void,
): Promise<void> | undefined {
	const bytes = Buffer.byteLength(text);
	if (bytes <= messageBytesMax)
		return parseThen(
			text,
			(parsed) => takeParsed(parsed, take, refuse),
			(thrown) => refuse(notJson(thrown)),
		);
	refuse(
		new CodedError(
			"200004",
			`a message must be at most ${messageBytesMax} bytes, got ${bytes}`,
		),
	);
	return undefined;
}

function takeParsed(
	parsed: unknown,
	take: (message: ClientMessage) => void,
	refuse: (thrown: unknown) => void,
): undefined {
	let message: ClientMessage;
	try {
		message = readMessage(parsed);
	} catch (thrown) {
		refuse(thrown);
		return;
	}
	take(message);
}

function notJson(thrown: unknown): CodedError {
	return thrown instanceof JsonBoundError
		? new CodedError("200003", `message ${thrown.message}`)
		: new CodedError("200003", "message is not valid JSON"); // the parser's message would quote it
}
