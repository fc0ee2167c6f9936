/**
 * The whole API put together: every resource's routes, the edge around them, the server in front. A new resource is its file and a line here.
 */
import type { Clock } from "../clock/clock.js";
import type { Config } from "../config/schema.js";
import { CodedError } from "../errors.js";
import type { Logger } from "../log.js";
import type { Language } from "../models/recognizer.js";
import type { AudioLinks } from "../recordings/audio-links.js";
import type { Recordings } from "../recordings/recordings.js";
import type { Lane } from "../session/lane-port.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { Store } from "../store/open-store.js";
import {
	type FileOffer,
	type TakenFile,
	takeFile,
} from "../tasks/intake/taken-file.js";
import { UploadPlaces } from "../tasks/intake/upload-places.js";
import type { TaskDesk } from "../tasks/task-desk.js";
import type { WordSource } from "../word-lists/references.js";
import { WordLists } from "../word-lists/word-lists.js";
import { correctionLimits } from "../words/correction.js";
import type { ListUsage } from "../words/list-usage.js";
import { Authenticator } from "./auth.js";
import { BodyBudget } from "./body-budget.js";
import { CallerShares } from "./caller-shares.js";
import { Edge } from "./edge.js";
import { type FileDoorParts, fileRoutes } from "./files/routes.js";
import { sharedAudioRoute } from "./files/shared-audio.js";
import { type HealthSource, healthRoute } from "./health.js";
import { LiveDoor } from "./live/live-door.js";
import { liveRoutes } from "./live/live-route.js";
import { type BackupFigures, backupSeries } from "./metrics/backup.js";
import { type ClockFigures, clockSeries } from "./metrics/clock.js";
import { type FleetSeriesFigures, fleetSeries } from "./metrics/fleet.js";
import { type LaneFigures, laneSeries } from "./metrics/lanes.js";
import { Metrics, metricsRoute } from "./metrics/metrics.js";
import {
	type MicrophoneFigures,
	microphoneSeries,
} from "./metrics/microphones.js";
import { serverSeries } from "./metrics/server.js";
import { type TaskFigures, taskSeries } from "./metrics/tasks.js";
import { openApiRoute } from "./openapi.js";
import { platformTokenRoute } from "./platform-token.js";
import { type RateLimit, RateLimiter } from "./rate-limit.js";
import type { Route } from "./router.js";
import { connectionsThatFit, descriptorsMax } from "./server/descriptors.js";
import { HttpServer } from "./server/http-server.js";
import { shortHttpRoute } from "./short-http.js";
import { wordListRoutes } from "./word-lists/routes.js";

/** As many of the longest may be worked on at the same time. */
const listBodiesAtOnce = 8;

export interface ApiParts {
	readonly config: Pick<
		Config,
		"server" | "auth" | "limits" | "hotwords" | "files" | "outbound"
	>;
	readonly store: Pick<
		Store,
		| "tokens"
		| "apps"
		| "nonces"
		| "hotwords"
		| "correctionWords"
		| "forbiddenWords"
	>;
	/** Where bodies that are too large for memory lie until they are answered. */
	readonly bodyShelf: Pick<AudioShelf, "begin">;
	/** Which lists of words are in use, by whomever. */
	readonly usage: ListUsage;
	/** What files are transcribed with; without it there are no such endpoints. */
	readonly files?: Pick<FileDoorParts, "probe" | "outbound"> & {
		readonly shelf: AudioShelf;
		readonly desk: TaskDesk;
		/** Given where files are shared with other devices: what links to their audio are signed with. */
		readonly links?: AudioLinks;
	};
	/** Where audio is stored for who asks for it (`audio_url`); without it nothing is. */
	readonly recordings?: Pick<Recordings, "recordedLane" | "route">;
	/** Where short requests are recognised. */
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly health: HealthSource;
	readonly lanes: () => readonly LaneFigures[];
	readonly tasks: () => TaskFigures;
	readonly clock: Clock & { readonly trust: ClockFigures };
	/** Of the store; absent: none is made. */
	readonly backup?: () => BackupFigures;
	/** Standing sessions of this device; absent: none. */
	readonly microphones?: () => readonly MicrophoneFigures[];
	/** One, where there is a broker. */
	readonly fleet?: () => readonly FleetSeriesFigures[];
	readonly log: Logger;
	/** Of this program. */
	readonly version: string;
}

export class Api {
	readonly metrics = new Metrics();
	readonly #parts: ApiParts;
	readonly #server: HttpServer;
	#config: Pick<Config, "server" | "auth">;
	readonly #words: WordLists;
	/** For files that come in, through whichever door. */
	readonly #places: UploadPlaces;

	/** @throws ServerError when the server's native part does not load on this machine. */
	constructor(parts: ApiParts) {
		const { server, auth, limits, files } = parts.config;
		this.#parts = parts;
		this.#config = parts.config;
		const inForce = () => this.#config;
		const limiter = new RateLimiter(() => rateLimit(this.#config));
		const authenticator = new Authenticator(
			parts.store.tokens,
			limiter,
			auth.required,
			parts.clock,
		);
		this.#places = new UploadPlaces(files.uploads_max);
		this.#words = new WordLists({
			store: parts.store,
			categories: parts.config.hotwords.categories,
			corrections: correctionLimits(limits),
			usage: parts.usage,
			lane: parts.lane,
			log: parts.log,
		});
		const lane =
			parts.recordings?.recordedLane(this.#words.lane) ?? this.#words.lane;
		const connectionsMax = roomFor(server.connections_max, parts.log);
		const connections = new CallerShares("connections", {
			places: connectionsMax,
			callerShareMax: server.caller_share_max,
			networkShareMax: server.network_share_max,
		});
		const door = new LiveDoor({
			connections,
			lane,
			...recordingLinks(parts),
			languages: parts.languages,
			wordLists: this.#words.source,
			authenticator,
			get corsOrigins() {
				return inForce().server.cors_origins;
			},
			startSeconds: limits.stream_start_seconds,
			unreadBytesMax: limits.stream_unread_bytes_max,
			metrics: this.metrics,
			log: parts.log,
		});
		const edge = new Edge({
			routes: routesOf(
				{ ...parts, lane, places: this.#places },
				inForce,
				this.metrics,
				limiter,
				authenticator,
				door,
				this.#words,
			),
			authenticator,
			connections,
			metrics: this.metrics,
			log: parts.log,
			get corsOrigins() {
				return inForce().server.cors_origins;
			},
		});
		this.#server = new HttpServer(
			{
				host: server.host,
				port: server.port,
				connectionsMax,
				networkShareMax: server.network_share_max,
				headerBytesMax: server.header_bytes_max,
				bodyBytesPerSecondMin: limits.body_bytes_per_second_min,
			},
			(request) => edge.handle(request),
			{
				door,
				frameBytesMax: limits.stream_frame_bytes_max,
				idleTimeoutSeconds: server.idle_timeout_seconds,
			},
		);
		this.metrics.watch(serverSeries, () => [this.#server]);
		this.metrics.watch(laneSeries, parts.lanes);
		this.metrics.watch(taskSeries, () => [parts.tasks()]);
		this.metrics.watch(clockSeries, () => [parts.clock.trust]);
		const { backup } = parts;
		if (backup) this.metrics.watch(backupSeries, () => [backup()]);
		if (parts.microphones)
			this.metrics.watch(microphoneSeries, parts.microphones);
		if (parts.fleet) this.metrics.watch(fleetSeries, parts.fleet);
	}

	/** Where lists of words are looked up, for whoever recognises beside the doors. */
	get words(): WordSource {
		return this.#words.source;
	}

	/** A file that came through another door than these becomes a task like any other. @throws CodedError */
	async takeFile(offer: FileOffer): Promise<TakenFile> {
		const { files } = this.#parts;
		if (!files) throw new CodedError("100001", "no files are transcribed here");
		const door = fileDoorOf(this.#parts, files, this.#words);
		const place = this.#places.take(offer.owner);
		try {
			return await takeFile(offer, "standard", door);
		} finally {
			place.leave();
		}
	}

	/** @returns the port. @throws ServerError in one sentence. */
	start(): Promise<number> {
		return this.#server.start();
	}

	/** What a reload takes over: `server.cors_origins`, `server.drain_seconds`, rates and terms of tokens. */
	reconfigure(config: Pick<Config, "server" | "auth">): void {
		this.#config = config;
	}

	/** Takes nothing new, lets open requests finish within `server.drain_seconds`. */
	async stop(): Promise<void> {
		await this.#server.stop(this.#config.server.drain_seconds);
		await this.#words.close();
		this.metrics.close();
	}
}

/** @returns as many connections as are wanted, or as the limit of open files has room for. */
function roomFor(wanted: number, log: Logger): number {
	const limit = descriptorsMax();
	const connections = Math.min(wanted, connectionsThatFit(limit));
	if (connections < wanted)
		log.warn(
			{ openFilesMax: limit, connections },
			"fewer connections than server.connections_max: the limit of open files is low (LimitNOFILE=, ulimit -n)",
		);
	return connections;
}

function rateLimit({ auth }: Pick<Config, "auth">): RateLimit {
	return { perSecond: auth.rate_per_second, burst: auth.rate_burst };
}

function routesOf(
	parts: ApiParts & { readonly places: UploadPlaces },
	inForce: () => Pick<Config, "auth">,
	metrics: Metrics,
	limiter: RateLimiter,
	authenticator: Authenticator,
	door: LiveDoor,
	words: WordLists,
): readonly Route[] {
	const { auth, limits } = parts.config;
	const listBodies = new BodyBudget(
		listBodiesAtOnce * limits.json_body_bytes_max,
	);
	const routes = [
		shortHttpRoute({
			lane: parts.lane,
			...recordingLinks(parts),
			languages: parts.languages,
			wordLists: words.source,
			audioBodyBytesMax: limits.audio_body_bytes_max,
			shelf: parts.bodyShelf,
			metrics,
		}),
		platformTokenRoute({
			...parts.store,
			limiter,
			clock: parts.clock,
			get appTokensMax() {
				return inForce().auth.app_tokens_max;
			},
			get clockSkewSeconds() {
				return inForce().auth.clock_skew_seconds;
			},
			get tokenTtlSeconds() {
				return inForce().auth.token_ttl_seconds;
			},
		}),
		...liveRoutes(door),
		...(parts.recordings
			? [parts.recordings.route((it) => authenticator.admit(it, "asr"))]
			: []),
		...words.services.flatMap((service) =>
			wordListRoutes(service, limits.json_body_bytes_max, listBodies),
		),
		...(parts.files
			? fileRoutes({
					...fileDoorOf(parts, parts.files, words),
					places: parts.places,
					limiter,
					needsToken: auth.result_needs_token,
				})
			: []),
		...(parts.files?.links
			? [
					sharedAudioRoute({
						links: parts.files.links,
						shelf: parts.files.shelf,
						nowSeconds: () => parts.clock.expirySeconds(),
					}),
				]
			: []),
		healthRoute(parts.health),
		metricsRoute(metrics),
	];
	return [...routes, openApiRoute(parts.version, routes)];
}

function fileDoorOf(
	{ languages, config }: Pick<ApiParts, "languages" | "config">,
	files: NonNullable<ApiParts["files"]>,
	words: WordLists,
) {
	return {
		...files,
		wordLists: words.source,
		languages,
		sizes: config.files,
		fetchSecondsMax: config.outbound.file_seconds_max,
	};
}

function recordingLinks({ recordings, config }: ApiParts) {
	if (!recordings) return {};
	return { recordings: { publicUrl: config.server.public_url } };
}
