/** Every endpoint of the API. A new resource is a new file and a line here. */
import type { Config } from "../config/schema.js";
import { appRoutes } from "./access/apps.js";
import type { LastUse } from "./access/last-use.js";
import { tokenRoutes } from "./access/tokens.js";
import type { ApiParts } from "./api-parts.js";
import type { Authenticator } from "./auth.js";
import { authorityRoutes } from "./authority.js";
import { BodyBudget } from "./body-budget.js";
import { callRoutes } from "./calls/routes.js";
import { consoleRoutes } from "./console/routes.js";
import { deviceRoutes } from "./device/routes.js";
import { fileRoutes } from "./files/routes.js";
import { sharedAudioRoute } from "./files/shared-audio.js";
import { healthRoute } from "./health.js";
import { PieceMaker } from "./in-pieces.js";
import { FileKeep } from "./kept-file.js";
import { languageRulesIn } from "./language-rules.js";
import type { LiveEndpoint } from "./live/live-endpoint.js";
import { liveRoutes } from "./live/live-route.js";
import type { SocketEndpoint } from "./live-socket.js";
import { type Metrics, metricsRoute } from "./metrics/metrics.js";
import {
	type RealtimeRouteParts,
	realtimeRoutes,
} from "./openai/realtime/routes.js";
import { openAiRoutes } from "./openai/routes.js";
import { openApiRoute } from "./openapi.js";
import { platformTokenRoute } from "./platform-token.js";
import type { RateLimiter } from "./rate-limit.js";
import { audioRoute } from "./recordings/audio-route.js";
import type { Route } from "./router.js";
import { shortHttpRoute } from "./short-http.js";
import { wordListRoutes } from "./word-lists/routes.js";
import { listUsesRoute } from "./word-lists/uses.js";

/** Number of the largest bodies that may be processed at the same time. */
const listBodiesAtOnce = 8;

/** Shared by several endpoints. */
export interface SharedParts {
	/** The configuration currently in force. */
	readonly inForce: () => Pick<Config, "auth" | "endpoints">;
	readonly metrics: Metrics;
	readonly limiter: RateLimiter;
	readonly authenticator: Authenticator;
	readonly endpoint: LiveEndpoint;
	/** Where `endpoints.realtime` is on. */
	readonly realtime?: Omit<RealtimeRouteParts, "clock">;
	/** Those of calls, where they are taken. */
	readonly callEndpoint: SocketEndpoint | undefined;
	readonly microphoneEndpoint: SocketEndpoint | undefined;
	readonly lastUse: LastUse;
	/** Aborted when the server begins to stop. */
	readonly stopping: AbortSignal;
}

export function routesOf(
	parts: ApiParts,
	{
		inForce,
		metrics,
		limiter,
		authenticator,
		endpoint,
		realtime,
		callEndpoint,
		microphoneEndpoint,
		lastUse,
		stopping,
	}: SharedParts,
): readonly Route[] {
	const { config, clock, words, recordings, device } = parts;
	const { limits } = config;
	const listBodies = new BodyBudget(
		listBodiesAtOnce * limits.json_body_bytes_max,
	);
	const pieces = new PieceMaker();
	const routes = [
		shortHttpRoute({
			lane: parts.lane,
			...recordingLinks(parts),
			languages: parts.languages,
			languageRules: languageRulesIn(inForce),
			wordLists: words.source,
			audioBodyBytesMax: limits.audio_body_bytes_max,
			shelf: parts.bodyShelf,
			metrics,
		}),
		platformTokenRoute({
			...parts.store,
			limiter,
			clock,
			requirePrivacy: (request) => authenticator.requirePrivacy(request),
			appTokensMax: () => inForce().auth.app_tokens_max,
			clockSkewSeconds: () => inForce().auth.clock_skew_seconds,
			tokenTtlSeconds: () => inForce().auth.token_ttl_seconds,
		}),
		...liveRoutes(endpoint),
		...(callEndpoint ? callRoutes(callEndpoint) : []),
		...(recordings
			? [
					audioRoute({
						recordings,
						admit: (request) => authenticator.admit(request, "asr"),
					}),
				]
			: []),
		...words.services.flatMap((service) =>
			wordListRoutes(service, limits.json_body_bytes_max, listBodies, pieces),
		),
		listUsesRoute(words.uses),
		...fileRoutesOf(parts, { limiter, authenticator }, pieces),
		...openAiRoutes({
			endpoints: () => inForce().endpoints,
			lane: parts.lane,
			languages: parts.languages,
			wordLists: words.endpointSource,
			fileKeep: new FileKeep(parts.files?.shelf ?? parts.bodyShelf),
			fileBytesMax: config.files.audio_file_bytes_max,
			models: parts.models ?? (async () => []),
			pieces,
			metrics,
			...(parts.files && { files: parts.files }),
		}),
		...(realtime ? realtimeRoutes({ ...realtime, clock }) : []),
		...consoleRoutesOf(parts, { inForce, metrics, authenticator }),
		...accessRoutesOf(parts, { inForce, lastUse }, pieces),
		...(device ? deviceRoutes(device, microphoneEndpoint, stopping) : []),
		healthRoute(parts.health),
		...authorityRoutes(parts.authority ?? (() => undefined)),
		metricsRoute(metrics),
	];
	return [...routes, openApiRoute(parts.version, routes)];
}

function consoleRoutesOf(
	{ console, store, config, clock }: ApiParts,
	{
		inForce,
		metrics,
		authenticator,
	}: Pick<SharedParts, "inForce" | "metrics" | "authenticator">,
): readonly Route[] {
	if (!console) return [];
	return consoleRoutes({
		...console,
		...store,
		clock,
		metrics,
		authenticator,
		required: config.auth.required,
		tokenTtlSeconds: () => inForce().auth.token_ttl_seconds,
		requirePrivacy: (request) => authenticator.requirePrivacy(request),
	});
}

function accessRoutesOf(
	{ store, clock }: ApiParts,
	{ inForce, lastUse }: Pick<SharedParts, "inForce" | "lastUse">,
	pieces: PieceMaker,
): readonly Route[] {
	const { tokens, apps } = store;
	return [
		...tokenRoutes({
			tokens,
			clock,
			lastUse,
			pieces,
			tokenTtlSeconds: () => inForce().auth.token_ttl_seconds,
		}),
		...appRoutes({ apps, tokens, clock }),
	];
}

function fileRoutesOf(
	{ files, config, clock }: ApiParts,
	{ limiter, authenticator }: Pick<SharedParts, "limiter" | "authenticator">,
	pieces: PieceMaker,
): readonly Route[] {
	if (!files) return [];
	const { shelf, links } = files;
	const nowSeconds = () => clock.expirySeconds();
	return [
		...fileRoutes({
			...files,
			clock,
			limiter,
			pieces,
			requirePrivacy: (request) => authenticator.requirePrivacy(request),
			sizes: config.files,
			needsToken: config.auth.result_needs_token,
		}),
		...(links ? [sharedAudioRoute({ links, shelf, nowSeconds })] : []),
	];
}

/** How links to recordings begin, where recordings are stored. */
export function recordingLinks({ recordings, config }: ApiParts) {
	if (!recordings) return {};
	return { recordings: { publicUrl: config.server.public_url } };
}
