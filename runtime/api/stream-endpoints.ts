/** The endpoints of WebSockets: sessions, OpenAI's Realtime, calls and microphones, each where the configuration or the device has it. */
import type { Config } from "../config/schema.js";
import type { ApiParts } from "./api-parts.js";
import type { Authenticator } from "./auth.js";
import type { CallerShares } from "./caller-shares.js";
import { CallsEndpoint } from "./calls/calls-endpoint.js";
import { ScreenEndpoint } from "./calls/screen-endpoint.js";
import { MicrophoneEndpoint } from "./device/microphone-endpoint.js";
import { languageRulesIn } from "./language-rules.js";
import { LiveEndpoint } from "./live/live-endpoint.js";
import type { Metrics } from "./metrics/metrics.js";
import type { ClientSecrets } from "./openai/realtime/client-secrets.js";
import { RealtimeEndpoint } from "./openai/realtime/realtime-endpoint.js";
import { recordingLinks } from "./routes.js";
import { SocketEndpoints } from "./socket-endpoints.js";

export interface SharedByEndpoints {
	readonly inForce: () => Pick<Config, "server" | "endpoints">;
	readonly corsOrigins: () => readonly string[];
	readonly authenticator: Authenticator;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	readonly secrets: ClientSecrets;
	readonly metrics: Metrics;
}

export interface StreamEndpoints {
	readonly endpoint: LiveEndpoint;
	readonly realtime: RealtimeEndpoint | undefined;
	readonly callEndpoint: SocketEndpoints | undefined;
	readonly microphoneEndpoint: MicrophoneEndpoint | undefined;
	/** All of them. */
	readonly sockets: SocketEndpoints;
}

export function streamEndpointsOf(
	parts: ApiParts,
	shared: SharedByEndpoints,
): StreamEndpoints {
	const { inForce, corsOrigins, authenticator, connections, secrets, metrics } =
		shared;
	const { limits } = parts.config;
	const endpoint = new LiveEndpoint({
		connections,
		lane: parts.lane,
		...recordingLinks(parts),
		languages: parts.languages,
		languageRules: languageRulesIn(inForce),
		wordLists: parts.words.source,
		authenticator,
		corsOrigins,
		startSeconds: limits.stream_start_seconds,
		unreadBytesMax: limits.stream_unread_bytes_max,
		metrics,
		log: parts.log,
	});
	const realtime = parts.config.endpoints.realtime
		? new RealtimeEndpoint({
				connections,
				authenticator,
				secrets,
				inForce,
				lane: parts.lane,
				languages: parts.languages,
				wordLists: parts.words.endpointSource,
				models: parts.models ?? (async () => []),
				unreadBytesMax: limits.stream_unread_bytes_max,
				metrics,
				log: parts.log,
			})
		: undefined;
	const callEndpoint = callEndpointOf(parts, shared);
	const { device } = parts;
	const microphoneEndpoint =
		device &&
		new MicrophoneEndpoint({
			microphones: device.microphones,
			authenticator,
			connections,
			corsOrigins,
			unreadBytesMax: limits.stream_unread_bytes_max,
		});
	return {
		endpoint,
		realtime,
		callEndpoint,
		microphoneEndpoint,
		sockets: new SocketEndpoints([
			endpoint,
			...(realtime ? [realtime] : []),
			...(callEndpoint ? [callEndpoint] : []),
			...(microphoneEndpoint ? [microphoneEndpoint] : []),
		]),
	};
}

function callEndpointOf(
	{ calls, config, languages, words, log }: ApiParts,
	{
		inForce,
		corsOrigins,
		authenticator,
		connections,
		metrics,
	}: SharedByEndpoints,
): SocketEndpoints | undefined {
	if (!calls) return undefined;
	const unreadBytesMax = config.limits.stream_unread_bytes_max;
	const screens = new ScreenEndpoint({
		calls,
		authenticator,
		connections,
		unreadBytesMax,
		corsOrigins,
	});
	const { callback_url: callbackUrl } = config.calls;
	const legs = new CallsEndpoint({
		calls,
		authenticator,
		connections,
		log,
		settings: config.calls,
		sources: {
			languages,
			languageRules: languageRulesIn(inForce),
			wordLists: words.endpointSource,
			...(callbackUrl !== "" && { callbackUrl }),
		},
		corsOrigins,
		startSeconds: config.limits.stream_start_seconds,
		unreadBytesMax,
		metrics,
	});
	return new SocketEndpoints([legs, screens]);
}
