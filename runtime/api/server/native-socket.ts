/**
 * One WebSocket of uWebSockets.js:
 * - A message's bytes are only valid inside the callback.
 * - Nothing is called on a socket after its close: `#alive` tracks that. A handler that throws would end the process: it is caught here.
 * - The library can't pause a WebSocket, but a WebSocket and an HTTP response are the same socket below, and the response's `pause` and `resume` work on both:
 *   this is how a client that sends too fast is held back by TCP. A held socket is not read at all, so its end is noticed only once it is released; the code
 *   that holds it must release it. A write that can't be completed makes the library read again: the socket is paused again at the next message.
 */
import type { HttpResponse, WebSocket } from "uWebSockets.js";
import {
	fittingReason,
	normalClosure,
	policyViolation,
} from "../close-reason.js";
import type { Admitted, LiveSocket, SocketListener } from "../live-socket.js";

const internalError = 1011;

/** `pause` and `resume` of a response. */
export type Flow = Pick<HttpResponse, "pause" | "resume">;

export class NativeSocket implements LiveSocket {
	readonly #ws: WebSocket<unknown>;
	readonly #flow: Flow;
	readonly #leave: () => void;
	readonly #unreadBytesMax: number;
	#listener: SocketListener | undefined;
	#alive = true;
	#held = false;
	/** In this turn of the event loop, which may bring ten thousands of messages. */
	#isPausedAgain = false;

	/** @param unreadBytesMax that answers to pings may add to. */
	constructor(
		ws: WebSocket<unknown>,
		flow: Flow,
		leave: () => void,
		unreadBytesMax: number,
	) {
		this.#ws = ws;
		this.#flow = flow;
		this.#leave = leave;
		this.#unreadBytesMax = unreadBytesMax;
	}

	listen(admitted: Admitted): void {
		this.#guard(() => {
			this.#listener = admitted.open(this);
		});
		if (!this.#alive) this.#listener?.onClosed(); // refused as soon as it was opened
	}

	onMessage(message: ArrayBuffer, isBinary: boolean): void {
		if (!this.#alive) return;
		if (this.#held && !this.#isPausedAgain) this.#pauseAgain();
		this.#guard(() => {
			if (isBinary) this.#listener?.onBinary(new Uint8Array(message));
			else this.#listener?.onText(Buffer.from(message).toString());
		});
	}

	/** The library has answered a ping. No session sees it: a client that pings and never reads would let the answers pile up. */
	onPing(): void {
		if (this.unreadBytes > this.#unreadBytesMax)
			this.close(policyViolation, "too many bytes are unread");
	}

	/** The library reports that the socket is closed. */
	end(): void {
		if (!this.#alive) return;
		this.#alive = false;
		this.#leave(); // no later call would do it
		this.#listener?.onClosed();
	}

	started(): void {
		this.#leave();
	}

	send(text: string): void {
		if (this.#alive) this.#ws.send(text, false);
	}

	get unreadBytes(): number {
		return this.#alive ? this.#ws.getBufferedAmount() : 0;
	}

	hold(): void {
		if (this.#held || !this.#alive) return;
		this.#held = true;
		this.#pause();
	}

	release(): void {
		if (!this.#held || !this.#alive) return;
		this.#held = false;
		this.#flow.resume.call(this.#asResponse);
	}

	close(code = normalClosure, reason = ""): void {
		if (!this.#alive) return;
		this.release(); // while held, the client's close would never be seen
		this.#ws.end(code, fittingReason(reason)); // runs `end`
	}

	#pauseAgain(): void {
		this.#isPausedAgain = true;
		setImmediate(() => {
			this.#isPausedAgain = false;
		});
		this.#pause();
	}

	#pause(): void {
		this.#flow.pause.call(this.#asResponse);
	}

	get #asResponse(): HttpResponse {
		return this.#ws as unknown as HttpResponse;
	}

	#guard(act: () => void): void {
		try {
			act();
		} catch {
			this.close(internalError, "internal error");
		}
	}
}
