/**
 * WebSockets over uWebSockets.js. In addition to its rules for HTTP (http-exchange.ts) and for one socket (native-socket.ts):
 * - `idleTimeout` counts from the last byte received; pings are sent automatically before it ends, so only a peer that is gone reaches it.
 * - `maxPayloadLength` applies to all sockets of a pattern, and an incomplete message is buffered up to it (upgrade-handler.ts).
 */

import type {
	HttpRequest,
	HttpResponse,
	TemplatedApp,
	WebSocketBehavior,
} from "uWebSockets.js";
import { type SocketEndpoint, shortMessageBytes } from "../live-socket.js";
import type { AddressedBy } from "./http-exchange.js";
import type { Native } from "./native.js";
import { NativeSocket } from "./native-socket.js";
import { UpgradeHandler, type UserData } from "./upgrade-handler.js";

export interface SocketLimits {
	/** Largest message; on a larger one the library ends the connection without a close message. */
	readonly frameBytesMax: number;
	/** 0: no timeout. */
	readonly idleTimeoutSeconds: number;
	/** Of answers to pings, and of whatever else is unread when a ping comes: a socket with more of them is closed. */
	readonly unreadBytesMax: number;
	readonly headerBytesMax: number;
	readonly addressedBy: AddressedBy;
}

/** Far above the unread bytes at which a session closes: the library drops messages beyond it. */
const sendBufferBytesMax = 16 * 1024 * 1024;

export interface SocketEvents {
	/** Not an upgrade, or refused: answered over HTTP. */
	onPlain(res: HttpResponse, req: HttpRequest): void;
	/** A socket was closed. */
	onClose(): void;
}

/** Accepts WebSockets on the endpoint's paths. */
export function listenForSockets(
	app: TemplatedApp,
	native: Native,
	endpoint: SocketEndpoint,
	limits: SocketLimits,
	{ onPlain, onClose }: SocketEvents,
): void {
	const upgrades = new UpgradeHandler(endpoint, limits, onPlain);
	const behaviour = {
		idleTimeout: limits.idleTimeoutSeconds,
		sendPingsAutomatically: true,
		compression: native.DISABLED,
		maxBackpressure: sendBufferBytesMax,
		maxLifetime: 0,
		open: (ws) => {
			const userData = ws.getUserData();
			userData.socket = new NativeSocket(
				ws,
				upgrades.flow,
				userData.leave,
				limits.unreadBytesMax,
			);
			userData.socket.listen(userData.admitted);
		},
		message: (ws, message, isBinary) =>
			ws.getUserData().socket?.onMessage(message, isBinary),
		ping: (ws) => ws.getUserData().socket?.onPing(),
		close: (ws) => {
			ws.getUserData().socket?.end();
			onClose();
		},
	} satisfies WebSocketBehavior<UserData>;
	for (const path of endpoint.paths) {
		const ownBytesMax = endpoint.messageBytesMax?.(path);
		app.ws<UserData>(path, {
			...behaviour,
			maxPayloadLength: Math.min(
				limits.frameBytesMax,
				ownBytesMax ?? limits.frameBytesMax,
			),
			upgrade: (res, req, context) => upgrades.judge(path, res, req, context),
		});
		if (ownBytesMax !== undefined) continue;
		app.ws<UserData>(besides(path), {
			...behaviour,
			maxPayloadLength: shortMessageBytes,
			upgrade: (res, req, context) => upgrades.grantShort(res, req, context),
		});
	}
}

/** A pattern that is matched after the path itself: the library keeps one handler for each pattern. */
function besides(path: string): string {
	return path.replace(/[^/]+$/, ":socket");
}
