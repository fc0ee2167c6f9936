/**
 * WebSockets over uWebSockets.js, beside whose rules for HTTP (http-exchange.ts) stand these:
 * - A message's bytes are only ours inside the callback.
 * - Nothing is called on a socket after its close: `#alive` says so. A handler that throws ends the process: caught here.
 * - `idleTimeout` counts from the last byte received; pings go out by themselves before it ends, so only a peer that is gone runs into it.
 * - The library has no pause for a WebSocket, but a WebSocket and an HTTP response are both the same socket below, and the response's own `pause` and
 *   `resume` work on either: that is how a client that is too fast is held back by TCP. A held socket is not read at all, so its end is noticed only
 *   once it is released; whoever holds it owes the release. A write that can't be finished makes the library read again: held again at the next message.
 */

import type {
	HttpRequest,
	HttpResponse,
	TemplatedApp,
	us_socket_context_t,
	WebSocket,
} from "uWebSockets.js";
import { asCodedError, CodedError } from "../../errors.js";
import type {
	Admitted,
	LiveSocket,
	SocketDoor,
	SocketListener,
	UpgradeRequest,
} from "../live-socket.js";
import { headerBytesOf } from "./framing.js";
import { copyHeaders } from "./http-exchange.js";
import type { Native } from "./native.js";

export interface SocketLimits {
	/** Largest message; a larger one ends the connection without a word: the library's doing. */
	readonly frameBytesMax: number;
	/** 0: never. */
	readonly idleTimeoutSeconds: number;
	readonly headerBytesMax: number;
}

interface JudgeParts {
	readonly door: SocketDoor;
	readonly headerBytesMax: number;
}

/** Far above what a session lets pile up before it closes: the library drops what is beyond. */
const sendBufferBytesMax = 16 * 1024 * 1024;
const normalClosure = 1000;
const internalError = 1011;

interface UserData {
	readonly admitted: Admitted;
	socket: NativeSocket | undefined;
}

export interface SocketEvents {
	/** Not to be upgraded: answered over HTTP. */
	onPlain(res: HttpResponse, req: HttpRequest): void;
	/** One socket less. */
	onClose(): void;
}

type Flow = Pick<HttpResponse, "pause" | "resume">;

/**
 * Takes WebSockets on the door's paths.
 */
export function listenForSockets(
	app: TemplatedApp,
	native: Native,
	door: SocketDoor,
	limits: SocketLimits,
	{ onPlain, onClose }: SocketEvents,
): void {
	let flow: Flow | undefined;
	for (const path of door.paths)
		app.ws<UserData>(path, {
			maxPayloadLength: limits.frameBytesMax,
			idleTimeout: limits.idleTimeoutSeconds,
			sendPingsAutomatically: true,
			compression: native.DISABLED,
			maxBackpressure: sendBufferBytesMax,
			maxLifetime: 0,
			upgrade: (res, req, context) => {
				flow ??= Object.getPrototypeOf(res) as Flow;
				const { headerBytesMax } = limits;
				const admitted = judge({ door, headerBytesMax }, res, req);
				if ("status" in admitted) onPlain(res, req);
				else upgrade(res, req, context, admitted);
			},
			open: (ws) => {
				const userData = ws.getUserData();
				userData.socket = new NativeSocket(ws, flow as Flow);
				userData.socket.listen(userData.admitted);
			},
			message: (ws, message, isBinary) =>
				ws.getUserData().socket?.hear(message, isBinary),
			close: (ws) => {
				ws.getUserData().socket?.end();
				onClose();
			},
		});
}

function judge(
	{ door, headerBytesMax }: JudgeParts,
	res: HttpResponse,
	req: HttpRequest,
): Admitted | CodedError {
	const headers = copyHeaders(req);
	if (headerBytesOf(headers) > headerBytesMax) return new CodedError("200004");
	const request: UpgradeRequest = {
		path: req.getUrl(),
		remoteAddress: Buffer.from(res.getRemoteAddressAsText()).toString(),
		header: (name) => headers.get(name)?.join(", "),
	};
	try {
		return door.admit(request);
	} catch (thrown) {
		return asCodedError(thrown);
	}
}

function upgrade(
	res: HttpResponse,
	req: HttpRequest,
	context: us_socket_context_t,
	admitted: Admitted,
): void {
	const userData: UserData = { admitted, socket: undefined };
	res.upgrade(
		userData,
		req.getHeader("sec-websocket-key"),
		admitted.subprotocol ?? "",
		"", // extensions: none, compressed audio gains nothing
		context,
	);
}

class NativeSocket implements LiveSocket {
	readonly #ws: WebSocket<UserData>;
	readonly #flow: Flow;
	#listener: SocketListener | undefined;
	#alive = true;
	#held = false;

	constructor(ws: WebSocket<UserData>, flow: Flow) {
		this.#ws = ws;
		this.#flow = flow;
	}

	listen(admitted: Admitted): void {
		this.#guard(() => {
			this.#listener = admitted.open(this);
		});
		if (!this.#alive) this.#listener?.onClosed(); // refused as soon as it was opened
	}

	hear(message: ArrayBuffer, isBinary: boolean): void {
		if (!this.#alive) return;
		if (this.#held) this.#pause();
		this.#guard(() => {
			if (isBinary) this.#listener?.onBinary(new Uint8Array(message));
			else this.#listener?.onText(Buffer.from(message).toString());
		});
	}

	/** The library says that it is closed. */
	end(): void {
		if (!this.#alive) return;
		this.#alive = false;
		this.#listener?.onClosed();
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
		this.release(); // a held one would never see the other side's end
		this.#ws.end(code, reason); // runs `end`
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
