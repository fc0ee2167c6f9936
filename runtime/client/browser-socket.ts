/**
 * The WebSocket of a session in a browser. A page can set no headers, so the token goes as a subprotocol; and it is not told why a connection was refused.
 */
import { ConnectionLostError } from "./client-error.js";
import {
	checkToken,
	endedWith,
	type OpenSocket,
	streamAddress,
} from "./client-socket.js";

/** The browser's own, as far as it is used here: these sources are compiled without the types of a browser. */
declare const WebSocket: new (
	url: string,
	subprotocols: readonly string[],
) => {
	binaryType: "arraybuffer";
	readonly bufferedAmount: number;
	onopen: () => void;
	onmessage: (message: { readonly data: unknown }) => void;
	onclose: (end: { readonly code: number; readonly reason: string }) => void;
	send(data: string | Uint8Array): void;
	close(code: number): void;
};

/** How often to check what has left: a browser tells only how much has not. */
const pollMs = 20;

/** What a subprotocol may consist of: the token of RFC 9110. */
const subprotocol = /^[\w!#$%&'*+.^`|~-]+$/;

export const openBrowserSocket: OpenSocket = (url, token, events) => {
	if (token !== undefined) checkToken(token, subprotocol);
	const socket = new WebSocket(
		streamAddress(url).href,
		token === undefined ? [] : [`bearer.${token}`],
	);
	socket.binaryType = "arraybuffer";
	let isOpened = false;
	socket.onopen = () => {
		isOpened = true;
		events.onOpen();
	};
	socket.onmessage = ({ data }) =>
		typeof data === "string" ? events.onText(data) : events.onNoText();
	const unsent = new UnsentBytes(() => socket.bufferedAmount);
	socket.onclose = ({ code, reason }) => {
		unsent.forget();
		const message = isOpened
			? endedWith(code, reason)
			: `no connection to ${url}: refused, unreachable, or a certificate that this browser does not trust`;
		events.onLost(new ConnectionLostError(code, message));
	};
	const close = () => {
		unsent.forget();
		socket.close(1000);
	};
	return {
		send(data, left) {
			socket.send(data);
			if (left) unsent.add(data.length, left);
		},
		close,
		// a browser ends what does not answer by itself
		terminate: close,
	};
};

/** Calls back when bytes that were sent have left. */
class UnsentBytes {
	readonly #bufferedAmount: () => number;
	#waiting: { readonly end: number; readonly left: () => void }[] = [];
	#total = 0;
	#timer: ReturnType<typeof setInterval> | undefined;

	constructor(bufferedAmount: () => number) {
		this.#bufferedAmount = bufferedAmount;
	}

	add(bytes: number, left: () => void): void {
		this.#total += bytes;
		this.#waiting.push({ end: this.#total, left });
		this.#timer ??= setInterval(() => this.#poll(), pollMs);
		this.#poll();
	}

	forget(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
		this.#waiting = [];
	}

	#poll(): void {
		const sent = this.#total - this.#bufferedAmount();
		const still = this.#waiting.findIndex(({ end }) => end > sent);
		const left = still < 0 ? this.#waiting : this.#waiting.slice(0, still);
		this.#waiting = still < 0 ? [] : this.#waiting.slice(still);
		if (this.#waiting.length === 0) this.forget();
		for (const { left: call } of left) call();
	}
}
