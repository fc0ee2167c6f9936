/**
 * The clients that tests use, `fetch` and `ws`, watched from here on: what they send and get is read again when the test reads it, so nothing waits, and
 * nothing is read that the test leaves unread.
 */
import WebSocket from "ws";
import { jsonIn, knownSecrets } from "./known-secrets.js";

const usualFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
	const request = input instanceof Request ? input : undefined;
	noteRequest(
		request?.url ?? String(input),
		new Headers(init?.headers ?? request?.headers),
		init?.body,
	);
	return watched(await usualFetch(input, init));
};

function noteRequest(url: string, headers: Headers, body: unknown): void {
	knownSecrets.addBearer(headers.get("authorization"));
	if (URL.canParse(url)) knownSecrets.addTexts(new URL(url).searchParams);
	if (body instanceof FormData) knownSecrets.addTexts(body.entries());
	if (typeof body === "string") knownSecrets.addFrom(jsonIn(body));
}

function watched(response: Response): Response {
	const readText = response.text.bind(response);
	const text = async () => {
		const body = await readText();
		knownSecrets.addFrom(jsonIn(body));
		return body;
	};
	return Object.assign(response, {
		text,
		json: async () => JSON.parse(await text()) as unknown,
	});
}

const usualEmit = WebSocket.prototype.emit;
WebSocket.prototype.emit = function (event: string | symbol, ...about) {
	const [data, isBinary] = about;
	if (event === "message" && !isBinary)
		knownSecrets.addFrom(jsonIn(String(data)));
	return usualEmit.call(this, event, ...about);
};

const usualSend = WebSocket.prototype.send;
WebSocket.prototype.send = function (this: WebSocket, ...about: unknown[]) {
	const [data] = about;
	if (typeof data === "string") knownSecrets.addFrom(jsonIn(data));
	return (usualSend as (...about: unknown[]) => void).call(this, ...about);
} as typeof usualSend;
