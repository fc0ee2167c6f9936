/**
 * OpenAI's Realtime interface for transcription (docs/realtime.md): admits sockets and holds the open sessions. As with the streaming API, an upgrade is refused
 * over HTTP only for callers without permission.
 */
import type { Config } from "../../../config/schema.js";
import { CodedError, serverStopping } from "../../../errors.js";
import type { Logger } from "../../../log/log.js";
import type { Owner } from "../../../owner.js";
import type { Lane } from "../../../session/lane-port.js";
import type { Language } from "../../../text/languages.js";
import type { WordSource } from "../../../word-lists/references.js";
import type { Authenticator } from "../../auth.js";
import { CallerShares } from "../../caller-shares.js";
import { subprotocolsOf, tokenOfRealtimeClient } from "../../credentials.js";
import type { Principal } from "../../exchange.js";
import { languageRulesOf } from "../../language-rules.js";
import type {
	Admitted,
	LiveSocket,
	SocketEndpoint,
	UpgradeRequest,
} from "../../live-socket.js";
import type { Metrics } from "../../metrics/metrics.js";
import { sharerOf } from "../../network-of.js";
import { expectOrigin } from "../../origin.js";
import { checkModel, type InstalledModels } from "../models.js";
import type { ClientSecrets } from "./client-secrets.js";
import { RealtimeSession } from "./realtime-session.js";
import {
	type Dialect,
	defaultSettings,
	type RealtimeSettings,
	type SettingsSources,
} from "./settings.js";

export interface RealtimeEndpointParts {
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly wordLists: WordSource;
	readonly models: InstalledModels;
	readonly authenticator: Authenticator;
	readonly secrets: ClientSecrets;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	/** Read for each socket: a reload may change them. */
	readonly inForce: () => Pick<Config, "server" | "endpoints">;
	readonly unreadBytesMax: number;
	readonly metrics: Pick<Metrics, "endpoints">;
	readonly log: Logger;
}

export const realtimePath = "/v1/realtime";
/** Events of more than 64 KiB. They are buffered while they are incomplete, also of sessions that do nothing. */
const longEvents = { places: 32, callerShareMax: 0.5, networkShareMax: 0.5 };
const modelCharactersMax = 256;

interface Caller {
	readonly principal: Principal;
	readonly sharer: Owner;
	readonly remoteAddress: string;
	readonly dialect: Dialect;
	/** Named in the address. */
	readonly model: string | undefined;
	readonly settings: RealtimeSettings;
}

export class RealtimeEndpoint implements SocketEndpoint {
	readonly paths = [realtimePath];
	readonly #parts: RealtimeEndpointParts;
	readonly #longEvents = new CallerShares("long events", longEvents);
	readonly #sessions = new Set<RealtimeSession>();
	#isDraining = false;

	constructor(parts: RealtimeEndpointParts) {
		this.#parts = parts;
	}

	/** What sessions recognize by; the rules of languages may change. */
	get sources(): SettingsSources {
		const { languages: installed, wordLists, inForce } = this.#parts;
		const rules = languageRulesOf(inForce().endpoints);
		return { installed, wordLists, languageRules: rules };
	}

	/** @throws CodedError 110001, 110002, 110003, 200002 */
	admit(request: UpgradeRequest): Admitted {
		if (this.#isDraining) throw serverStopping();
		const { authenticator, inForce, secrets } = this.#parts;
		expectOrigin(request, inForce().server.cors_origins);
		const principal = authenticator.identify(
			request,
			"asr",
			tokenOfRealtimeClient,
		);
		const query = new URLSearchParams(request.query);
		if (query.has("call_id"))
			throw new CodedError(
				"200002",
				"call_id is not supported: there are no calls here",
				{
					param: "call_id",
				},
			);
		const protocols = subprotocolsOf(request);
		const model = query.get("model")?.slice(0, modelCharactersMax);
		const token = tokenOfRealtimeClient(request);
		const begun = token ? secrets.find(token)?.settings : undefined;
		const caller: Caller = {
			principal,
			sharer: sharerOf(principal, request),
			remoteAddress: request.remoteAddress,
			dialect: isBeta(request, protocols) ? "beta" : "ga",
			model,
			settings: { ...(begun ?? defaultSettings), ...(model && { model }) },
		};
		return {
			subprotocol: protocols.find((it) => it === "realtime"),
			sharer: caller.sharer,
			longMessages: this.#longEvents,
			open: (socket) => this.#open(socket, caller),
		};
	}

	/** Sessions may run for hours: none is waited for. */
	async drain(): Promise<boolean> {
		this.#isDraining = true;
		const hadAny = this.#sessions.size > 0;
		for (const session of this.#sessions) session.shutDown();
		return hadAny;
	}

	#open(socket: LiveSocket, caller: Caller): RealtimeSession {
		const { principal, sharer, remoteAddress, dialect } = caller;
		const { model, settings } = caller;
		const { lane, unreadBytesMax, metrics, log } = this.#parts;
		const { authenticator, connections } = this.#parts;
		let leave = () => {};
		let refused: CodedError | undefined;
		try {
			if (this.#isDraining) throw serverStopping();
			authenticator.charge(principal);
			leave = connections.take(sharer, remoteAddress);
		} catch (thrown) {
			if (!(thrown instanceof CodedError)) throw thrown;
			refused = thrown;
		}
		const session: RealtimeSession = new RealtimeSession(
			{
				lane,
				caller: sharer,
				dialect,
				settings,
				unreadBytesMax,
				log,
				sources: this.sources,
				checkModel: (name) => this.checkModel(name),
				measure: () => metrics.endpoints.begin("realtime"),
				onOver: () => {
					this.#sessions.delete(session);
					leave();
				},
			},
			socket,
		);
		this.#sessions.add(session);
		if (refused) session.refuse(refused);
		else session.begin(model ? this.checkModel(model) : undefined);
		return session;
	}

	/** @returns undefined where any name means the model in use. Rejects with CodedError 100001. */
	checkModel(name: string): Promise<void> | undefined {
		const { models, inForce } = this.#parts;
		if (!inForce().endpoints.strict_models) return undefined;
		return checkModel(name, models);
	}
}

function isBeta(
	request: Pick<UpgradeRequest, "header">,
	protocols: readonly string[],
): boolean {
	const header = request.header("openai-beta") ?? "";
	return (
		header.split(",").some((it) => it.trim() === "realtime=v1") ||
		protocols.includes("openai-beta.realtime-v1")
	);
}
