/**
 * Entry point of the streaming API: admits sockets and holds the open sessions. An upgrade is refused over HTTP only for callers without permission; a rate or
 * connection limit is reported in the first message instead, because client libraries do not show the reason of a refused upgrade.
 */

import { CodedError, serverStopping } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import type { Owner } from "../../owner.js";
import type { Lane } from "../../session/lane-port.js";
import type { RecordingCaller } from "../../session/requested-recognition.js";
import type { LanguageChoiceRules } from "../../session/wanted-language.js";
import type { Language } from "../../text/languages.js";
import type { WordSource } from "../../word-lists/references.js";
import type { Authenticator } from "../auth.js";
import type { CallerShares } from "../caller-shares.js";
import { bearerSubprotocolOf } from "../credentials.js";
import { Drain } from "../drain.js";
import type { Principal } from "../exchange.js";
import type {
	Admitted,
	LiveSocket,
	SocketEndpoint,
	UpgradeRequest,
} from "../live-socket.js";
import type { Metrics } from "../metrics/metrics.js";
import { sessionSeries } from "../metrics/server.js";
import { sharerOf } from "../network-of.js";
import { expectOrigin } from "../origin.js";
import { baseUrlOf } from "../recordings/base-url.js";
import { LiveSession } from "./live-session.js";
import { type Namespace, namespaces } from "./server-message.js";

export interface LiveEndpointParts {
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	/** Read for each socket: a reload may change them. */
	readonly languageRules: () => LanguageChoiceRules;
	readonly wordLists: WordSource;
	readonly authenticator: Authenticator;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	/** Read for each socket: a reload may change them. */
	readonly corsOrigins: () => readonly string[];
	/** How long a client may take to start. */
	readonly startSeconds: number;
	/** Stores audio on request; links to it begin with `publicUrl` (`server.public_url`), if set. */
	readonly recordings?: { readonly publicUrl: string };
	readonly unreadBytesMax: number;
	readonly metrics: Metrics;
	readonly log: Logger;
}

/** The caller of a socket; the upgrade request is no longer valid by then. */
interface Caller {
	readonly principal: Principal;
	readonly sharer: Owner;
	readonly remoteAddress: string;
	readonly recordings?: RecordingCaller;
}

type Entry =
	| { readonly is: "granted"; readonly leave: () => void }
	| { readonly is: "refused"; readonly error: CodedError };

type ServedNamespaces = readonly [Namespace, ...Namespace[]];

const namespacesByPath: ReadonlyMap<string, ServedNamespaces> = new Map<
	string,
	ServedNamespaces
>([
	["/v1/asr/ws", namespaces],
	["/v1/asr/transcriber/ws", ["SpeechTranscriber"]],
]);

export class LiveEndpoint implements SocketEndpoint {
	readonly paths = [...namespacesByPath.keys()];
	readonly #parts: LiveEndpointParts;
	readonly #sessions = new Set<LiveSession>();
	#isDraining = false;
	readonly #drain = new Drain(() => this.#sessions.size);

	constructor(parts: LiveEndpointParts) {
		this.#parts = parts;
		parts.metrics.watch(sessionSeries, () => [this.#countSessions()]);
	}

	/** @throws CodedError 110001, 110002, 110003; 100001 for an unknown path */
	admit(request: UpgradeRequest): Admitted {
		const served = namespacesByPath.get(request.path);
		if (!served) throw new CodedError("100001");
		if (this.#isDraining) throw serverStopping();
		expectOrigin(request, this.#parts.corsOrigins());
		const principal = this.#parts.authenticator.identify(request, "asr");
		const { recordings: stored } = this.#parts;
		const recordings = stored && {
			owner: principal.owner,
			baseUrl: baseUrlOf(request, stored.publicUrl),
		};
		const caller: Caller = {
			principal,
			sharer: sharerOf(principal, request),
			remoteAddress: request.remoteAddress,
			...(recordings && { recordings }),
		};
		return {
			subprotocol: bearerSubprotocolOf(request),
			sharer: caller.sharer,
			open: (socket) => this.#open(socket, served, caller),
		};
	}

	async drain(milliseconds: number): Promise<boolean> {
		this.#isDraining = true;
		const hadAny = this.#sessions.size > 0;
		for (const session of this.#sessions)
			session.behindArrived(() => {
				if (!endsSoon(session)) session.shutDown();
			});
		await this.#drain.within(milliseconds);
		for (const session of this.#sessions) session.shutDown();
		return hadAny;
	}

	#open(
		socket: LiveSocket,
		served: ServedNamespaces,
		caller: Caller,
	): LiveSession {
		const { principal, sharer, recordings } = caller;
		const { lane, unreadBytesMax, log, metrics } = this.#parts;
		const { languages, languageRules, wordLists, startSeconds } = this.#parts;
		const entry = this.#enter(caller);
		const session: LiveSession = new LiveSession(
			{
				lane,
				caller: sharer,
				context: {
					namespaces: served,
					languages,
					languageRules: languageRules(),
					wordLists,
					startSeconds,
					...(recordings && { recordings }),
				},
				appId: principal.name,
				unreadBytesMax,
				log,
				measured: metrics.endpoints.begin("asr_ws"),
				onOver: (ending) => {
					this.#sessions.delete(session);
					if (entry.is === "granted") entry.leave();
					metrics.sessionEnded(ending);
					this.#drain.oneEnded();
				},
			},
			socket,
		);
		this.#sessions.add(session);
		if (entry.is === "refused") session.refuse(entry.error);
		return session;
	}

	#enter({ principal, sharer, remoteAddress }: Caller): Entry {
		const { authenticator, connections } = this.#parts;
		if (this.#isDraining) return { is: "refused", error: serverStopping() };
		try {
			authenticator.charge(principal);
			return { is: "granted", leave: connections.take(sharer, remoteAddress) };
		} catch (thrown) {
			if (thrown instanceof CodedError) return { is: "refused", error: thrown };
			throw thrown;
		}
	}

	#countSessions(): ReadonlyMap<string, number> {
		const counts = new Map(
			["waiting", "starting", "streaming", "stopping", "over"].map((state) => [
				state,
				0,
			]),
		);
		for (const { state } of this.#sessions)
			counts.set(state.is, (counts.get(state.is) ?? 0) + 1);
		return counts;
	}
}

/** A short recognition will soon end; a session that has not begun, or a transcriber, which may run for hours, will not. */
function endsSoon({ state }: LiveSession): boolean {
	switch (state.is) {
		case "waiting":
		case "starting":
			return false;
		case "streaming":
			return state.session.progress.namespace === "SpeechRecognizer";
		case "stopping":
		case "over":
			return true;
	}
}
