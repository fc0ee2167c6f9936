/** `/v1/calls/{call}/ws`: watches a call that is going on. */
import type { Calls, GoingCall } from "../../calls/calls.js";
import { asCodedError, CodedError, serverStopping } from "../../errors.js";
import { anonymousOwner, type Owner } from "../../owner.js";
import { type Authenticator, maySee } from "../auth.js";
import type { CallerShares } from "../caller-shares.js";
import { bearerSubprotocolOf, tokenOfAnyClient } from "../credentials.js";
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
import { errorMessage } from "./call-message.js";
import { ScreenSession } from "./screen-session.js";

export interface ScreenEndpointParts {
	readonly calls: Pick<Calls, "watched" | "onEvent">;
	readonly authenticator: Authenticator;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	/** Read for each socket: a reload may change them. */
	readonly corsOrigins: () => readonly string[];
	readonly unreadBytesMax: number;
}

/** The caller of a socket; the upgrade request is no longer valid by then. */
interface Caller {
	readonly principal: Principal;
	readonly sharer: Owner;
	readonly remoteAddress: string;
}

export class ScreenEndpoint implements SocketEndpoint {
	readonly paths = ["/v1/calls/:call/ws"];
	/** What it sends is not read. */
	readonly messageBytesMax = () => shortMessageBytes;
	readonly #parts: ScreenEndpointParts;
	readonly #sessions = new Set<ScreenSession>();
	#isDraining = false;

	constructor(parts: ScreenEndpointParts) {
		this.#parts = parts;
	}

	/** @throws CodedError 110001, 110002, 110003; 220404 where no such call is going on; 100004 while stopping */
	admit(request: UpgradeRequest): Admitted {
		const { authenticator, corsOrigins } = this.#parts;
		if (this.#isDraining) throw serverStopping();
		expectOrigin(request, corsOrigins());
		const principal = authenticator.identify(request, "asr", tokenOfAnyClient);
		const sharer = sharerOf(principal, request);
		const { remoteAddress, path } = request;
		const caller: Caller = { principal, sharer, remoteAddress };
		const call = this.#callAt(path, principal);
		return {
			subprotocol: bearerSubprotocolOf(request),
			sharer,
			open: (socket) => {
				try {
					authenticator.charge(principal);
					return this.#open(socket, call, caller);
				} catch (thrown) {
					return refused(socket, asCodedError(thrown));
				}
			},
		};
	}

	async drain(): Promise<boolean> {
		this.#isDraining = true;
		const hadAny = this.#sessions.size > 0;
		for (const session of this.#sessions) session.refuse(serverStopping());
		return hadAny;
	}

	#open(
		socket: LiveSocket,
		call: GoingCall,
		{ principal, sharer, remoteAddress }: Caller,
	): ScreenSession {
		const { calls, unreadBytesMax, connections } = this.#parts;
		const leave = connections.take(sharer, remoteAddress);
		const session: ScreenSession = new ScreenSession(
			{
				calls,
				call,
				unreadBytesMax,
				onOver: () => {
					unwatch();
					leave();
					this.#sessions.delete(session);
				},
			},
			socket,
		);
		const unwatch = whileInForce(principal, () =>
			session.refuse(new CodedError("110002")),
		);
		this.#sessions.add(session);
		return session;
	}

	/** Calls without an owner are watched by whoever knows their name. @throws CodedError 220404 */
	#callAt(path: string, principal: Principal): GoingCall {
		const name = decodedSegment(path.split("/")[3] ?? "") ?? "";
		const call = this.#parts.calls.watched(
			name,
			(owner) => owner === anonymousOwner || maySee(principal, owner),
		);
		if (call) return call;
		throw new CodedError("220404", "no such call is going on");
	}
}

/** The reason comes as a message: client libraries do not show why an upgrade was refused. */
function refused(socket: LiveSocket, error: CodedError): SocketListener {
	socket.send(JSON.stringify(errorMessage(error)));
	socket.close(error.wsClose, "");
	return { onText: () => {}, onBinary: () => {}, onClosed: () => {} };
}
