/** `/v1/calls/ws`: telephone systems send the audio of calls here. */
import type { Calls } from "../../calls/calls.js";
import { CodedError, serverStopping } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import type { Owner } from "../../owner.js";
import type { Arrived, Authenticator } from "../auth.js";
import type { CallerShares } from "../caller-shares.js";
import { bearerSubprotocolOf, tokenOfAnyClient } from "../credentials.js";
import { Drain } from "../drain.js";
import type { Principal } from "../exchange.js";
import type {
	Admitted,
	LiveSocket,
	SocketEndpoint,
	UpgradeRequest,
} from "../live-socket.js";
import type { Metrics } from "../metrics/metrics.js";
import { ownerOfNetwork, sharerOf } from "../network-of.js";
import { expectOrigin } from "../origin.js";
import type { CallOptionSources } from "./call-options.js";
import { CallSession } from "./call-session.js";
import type { CallCaller } from "./connection-legs.js";

export interface CallSettings {
	/** `calls.public` */
	readonly public: boolean;
	/** `calls.partials` */
	readonly partials: boolean;
}

export interface CallsEndpointParts {
	readonly calls: Pick<Calls, "join">;
	readonly settings: CallSettings;
	readonly sources: CallOptionSources;
	readonly authenticator: Authenticator;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	/** Read for each socket: a reload may change them. */
	readonly corsOrigins: () => readonly string[];
	readonly startSeconds: number;
	readonly unreadBytesMax: number;
	readonly metrics: Metrics;
	readonly log: Logger;
}

/** Where the caller is known from the upgrade. */
interface Known extends CallCaller {
	readonly principal: Principal;
}

/** What is kept of an upgrade; the request is no longer valid when its socket opens. */
interface Upgraded {
	readonly query: string;
	/** Undefined: it sends a token later, if at all. */
	readonly known: Known | undefined;
	readonly sharer: Owner;
	/** A token that comes later is judged by it. */
	readonly arrived: Arrived;
}

/**
 * Two seconds of both legs at 32 kHz: FreeSWITCH's `mod_audio_fork` sends as much at once where it had to wait; otherwise a message has 20 to 200 ms. Every socket
 * may hold as much of one that is not complete, however long its call lasts.
 */
const messageBytesMax = 256 * 1024;

export class CallsEndpoint implements SocketEndpoint {
	readonly paths = ["/v1/calls/ws"];
	readonly messageBytesMax = () => messageBytesMax;
	readonly #parts: CallsEndpointParts;
	readonly #sessions = new Set<CallSession>();
	#isDraining = false;
	readonly #drain = new Drain(() => this.#sessions.size);

	constructor(parts: CallsEndpointParts) {
		this.#parts = parts;
	}

	/** @throws CodedError 110001, 110002, 110003; 100004 while stopping */
	admit(request: UpgradeRequest): Admitted {
		if (this.#isDraining) throw serverStopping();
		expectOrigin(request, this.#parts.corsOrigins());
		const { isSecure, remoteAddress, query } = request;
		const arrived: Arrived = {
			isSecure,
			remoteAddress,
			host: undefined,
			header: () => undefined,
		};
		const known = this.#known(request);
		const sharer = known?.sharer ?? ownerOfNetwork(remoteAddress);
		return {
			subprotocol: subprotocolOf(request),
			sharer,
			open: (socket) => this.#open(socket, { query, known, sharer, arrived }),
		};
	}

	async drain(milliseconds: number): Promise<boolean> {
		this.#isDraining = true;
		const hadAny = this.#sessions.size > 0;
		for (const session of this.#sessions) void session.shutDown();
		await this.#drain.within(milliseconds);
		for (const session of this.#sessions) session.refuse(serverStopping());
		return hadAny;
	}

	/** @returns undefined: it sends a token later, if at all. @throws CodedError 110001, 110002, 110003 */
	#known(request: UpgradeRequest): Known | undefined {
		const { authenticator, settings } = this.#parts;
		const brings = request.signedIn ?? tokenOfAnyClient(request);
		if (settings.public && brings === undefined) {
			if (request.header("authorization") === undefined) return undefined;
		}
		const principal = authenticator.identify(request, "asr", tokenOfAnyClient);
		const { owner } = principal;
		return { principal, owner, sharer: sharerOf(principal, request) };
	}

	#open(
		socket: LiveSocket,
		{ query, known, sharer, arrived }: Upgraded,
	): CallSession {
		const { authenticator, connections, settings, metrics } = this.#parts;
		let leave = () => {};
		const session: CallSession = new CallSession(
			{
				calls: this.#parts.calls,
				sources: this.#parts.sources,
				query,
				caller: known,
				identify: (token) => {
					const principal = authenticator.admit(arrived, "asr", () =>
						tokenOfStart(token),
					);
					const { owner } = principal;
					return { owner, sharer: sharerOf(principal, arrived) };
				},
				isPublic: settings.public,
				partials: settings.partials,
				startSeconds: this.#parts.startSeconds,
				unreadBytesMax: this.#parts.unreadBytesMax,
				log: this.#parts.log,
				measured: metrics.endpoints.begin("calls"),
				onOver: () => {
					leave();
					this.#sessions.delete(session);
					this.#drain.oneEnded();
				},
			},
			socket,
		);
		this.#sessions.add(session);
		try {
			if (this.#isDraining) throw serverStopping();
			if (known) authenticator.charge(known.principal);
			leave = connections.take(sharer, arrived.remoteAddress);
		} catch (thrown) {
			if (!(thrown instanceof CodedError)) throw thrown;
			session.refuse(thrown);
		}
		return session;
	}
}

/** A program whose token is in its first messages has no header to put it into. @throws CodedError 110001 */
function tokenOfStart(token: string): string {
	if (token !== "") return token;
	throw new CodedError(
		"110001",
		"customParameters of the start message must have a token",
	);
}

/** Asterisk and FreeSWITCH ask for one of their own and expect it back. */
function subprotocolOf(request: UpgradeRequest): string | undefined {
	const offered = request.header("sec-websocket-protocol");
	const [first] = (offered ?? "").split(",").map((it) => it.trim());
	return bearerSubprotocolOf(request) ?? (first === "" ? undefined : first);
}
