/** `/v1/microphones/{microphone}/ws`: what a microphone of the device hears, while somebody watches: levels, state, texts and where they came from. */
import { asCodedError, CodedError, serverStopping } from "../../errors.js";
import type { MicrophoneEvent } from "../../microphones/microphone-events.js";
import { probability } from "../../session/probability.js";
import type { Authenticator } from "../auth.js";
import type { CallerShares } from "../caller-shares.js";
import { bearerSubprotocolOf } from "../credentials.js";
import type { Principal } from "../exchange.js";
import {
	type Admitted,
	type LiveSocket,
	type SocketEndpoint,
	type SocketListener,
	shortMessageBytes,
	type UpgradeRequest,
} from "../live-socket.js";
import { sharerOf } from "../network-of.js";
import { expectOrigin } from "../origin.js";
import { decodedSegment } from "../path-segment.js";
import { whileInForce } from "../while-in-force.js";
import { type MicrophoneControl, shownMicrophone } from "./microphones.js";

export interface MicrophoneEndpointParts {
	readonly microphones: MicrophoneControl;
	readonly authenticator: Authenticator;
	readonly connections: CallerShares;
	/** Read for each socket: a reload may change them. */
	readonly corsOrigins: () => readonly string[];
	readonly unreadBytesMax: number;
}

/** A capture process measures them every 80 ms. */
export const levelsMs = 100;

export class MicrophoneEndpoint implements SocketEndpoint {
	readonly paths = ["/v1/microphones/:microphone/ws"];
	/** What it sends is not read. */
	readonly messageBytesMax = () => shortMessageBytes;
	readonly #parts: MicrophoneEndpointParts;
	readonly #sockets = new Set<LiveSocket>();
	#isDraining = false;

	constructor(parts: MicrophoneEndpointParts) {
		this.#parts = parts;
	}

	/** @throws CodedError 110001, 110002, 110003; 200002 for an unknown microphone; 100004 while stopping */
	admit(request: UpgradeRequest): Admitted {
		const { authenticator, connections, corsOrigins, microphones } =
			this.#parts;
		if (this.#isDraining) throw serverStopping();
		expectOrigin(request, corsOrigins());
		const principal = authenticator.identify(request, "asr");
		if (!principal.may("status"))
			throw new CodedError("110003", "token lacks the scope status");
		const id = decodedSegment(request.path.split("/")[3] ?? "") ?? "";
		if (!microphones.stats.some((it) => it.microphone === id))
			throw new CodedError("200002", "this device has no such microphone");
		const sharer = sharerOf(principal, request);
		const { remoteAddress } = request;
		return {
			subprotocol: bearerSubprotocolOf(request),
			sharer,
			open: (socket) => {
				let leave: () => void;
				try {
					authenticator.charge(principal);
					leave = connections.take(sharer, remoteAddress);
				} catch (thrown) {
					return refused(socket, asCodedError(thrown));
				}
				return this.#open(socket, id, principal, leave);
			},
		};
	}

	async drain(): Promise<boolean> {
		this.#isDraining = true;
		for (const socket of this.#sockets)
			socket.close(serverStopping().wsClose, "");
		return false;
	}

	#open(
		socket: LiveSocket,
		id: string,
		principal: Principal,
		leave: () => void,
	): SocketListener {
		const { microphones, unreadBytesMax } = this.#parts;
		const send = (message: object) => {
			if (socket.unreadBytes < unreadBytesMax)
				socket.send(JSON.stringify(message));
		};
		const stats = () => microphones.stats.find((it) => it.microphone === id);
		const sendState = () => {
			const now = stats();
			if (now)
				send({ is: "state", microphone: shownMicrophone(now, microphones) });
		};
		const unsubscribe = microphones.onEvent((event) => {
			if (event.microphone !== id) return;
			const message = messageOf(event);
			if (message) send(message);
			else if (event.is === "state") sendState();
		});
		const timer = setInterval(
			() => send({ is: "level", levels_dbfs: stats()?.momentLevelsDbfs ?? [] }),
			levelsMs,
		);
		const unwatch = whileInForce(principal, () =>
			socket.close(new CodedError("110002").wsClose, ""),
		);
		this.#sockets.add(socket);
		sendState();
		return {
			onText: () => {},
			onBinary: () => {},
			onClosed: () => {
				clearInterval(timer);
				unwatch();
				unsubscribe();
				leave();
				this.#sockets.delete(socket);
			},
		};
	}
}

/** By the code of its close alone: this protocol has no message for it. */
function refused(socket: LiveSocket, error: CodedError): SocketListener {
	socket.close(error.wsClose, "");
	return { onText: () => {}, onBinary: () => {}, onClosed: () => {} };
}

function messageOf(event: MicrophoneEvent): object | undefined {
	if (event.is !== "partial" && event.is !== "final") return undefined;
	const { index, text, confidence, azimuthDeg } = event.utterance;
	return {
		is: event.is,
		index,
		text,
		confidence: probability(confidence),
		...(azimuthDeg !== undefined && { azimuth_deg: azimuthDeg }),
	};
}
