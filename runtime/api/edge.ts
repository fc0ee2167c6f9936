/** The edge around every handler: route, admission, answer or error, log line and metrics, in this order for all requests. */
import { randomBytes } from "node:crypto";
import { asCodedError, CodedError, successStatus } from "../errors.js";
import type { Logger } from "../log/log.js";
import { withShortIds } from "../log/short-ids.js";
import { storageErrorOf } from "../store/disk-quota.js";
import type { Authenticator } from "./auth.js";
import { begun } from "./begun-body.js";
import type { CallerShares } from "./caller-shares.js";
import { Cors, withVaryOf } from "./cors.js";
import { withHeaders } from "./envelope.js";
import { dialectAt } from "./error-dialect.js";
import type { ApiRequest, ApiResponse } from "./exchange.js";
import { type MeasuredRequest, unmeasured } from "./metrics/endpoints.js";
import type { Metrics } from "./metrics/metrics.js";
import { sharerOf } from "./network-of.js";
import { type Match, type Route, Router } from "./router.js";

export interface EdgeParts {
	readonly routes: readonly Route[];
	readonly authenticator: Authenticator;
	/** Held by open requests and sessions. */
	readonly connections: CallerShares;
	readonly metrics: Metrics;
	readonly log: Logger;
	/** Read for each request: a reload may change them. */
	readonly corsOrigins: () => readonly string[];
}

/** A request that is being handled. */
interface Handling {
	readonly request: ApiRequest;
	readonly requestId: string;
	readonly match: Match;
	readonly measured: MeasuredRequest;
	/** Its lines carry the request id. */
	readonly log: Logger;
	readonly startedMs: number;
}

/** Paths that are polled constantly: logged at debug. */
const quietPaths: ReadonlySet<string> = new Set([
	"/healthz",
	"/metrics",
	"/v1/logs",
	"/console/:file",
]);

export class Edge {
	readonly #parts: EdgeParts;
	readonly #router: Router;
	readonly #cors: Cors;

	constructor(parts: EdgeParts) {
		this.#parts = parts;
		this.#router = new Router(parts.routes);
		this.#cors = new Cors(parts.corsOrigins);
	}

	/** Never rejects. */
	async handle(request: ApiRequest): Promise<ApiResponse> {
		const handling = this.#begin(request);
		let error: CodedError | undefined;
		const response = await this.#answer(handling).catch((thrown: unknown) => {
			error = explain(thrown, handling);
			return failureOf(handling.match, request, error);
		});
		const status = this.#record(handling, response, error);
		request.whenOver(() =>
			handling.measured.ended(abortOf(request)?.status ?? status),
		);
		return withHeaders(response, {
			"X-Request-Id": handling.requestId,
			...withVaryOf(response, this.#cors.headersFor(request)),
		});
	}

	/** The answer of an error that ends a request before or outside of `handle`. */
	failure(
		request: Pick<ApiRequest, "method" | "path">,
		error: CodedError,
	): ApiResponse {
		const match = this.#router.match(request.method, request.path);
		return failureOf(match, request, error);
	}

	#begin(request: ApiRequest): Handling {
		const startedMs = performance.now();
		const requestId = randomBytes(8).toString("hex");
		const log = this.#parts.log.child({ request: requestId });
		const match = this.#router.match(request.method, request.path);
		const measured = this.#measure(match);
		return { request, requestId, match, measured, log, startedMs };
	}

	async #answer(handling: Handling): Promise<ApiResponse> {
		const { request, requestId, match, measured, log } = handling;
		if (match.is === "unknown") throw new CodedError("100001", "unknown path");
		if (match.is === "wrong-method") return otherMethod(request, match.allow);
		const { route, params } = match;
		const { authenticator, connections } = this.#parts;
		const principal = authenticator.admit(request, route.access, route.tokenOf);
		const sharer = sharerOf(principal, request);
		request.whenOver(connections.take(sharer, request.remoteAddress));
		const context = { request, requestId, params, principal, log, measured };
		return withFirstPiece(request, await route.handle(context));
	}

	#measure(match: Match): MeasuredRequest {
		const endpoint = match.is === "found" ? match.route.endpoint : undefined;
		const { endpoints } = this.#parts.metrics;
		return endpoint === undefined ? unmeasured : endpoints.begin(endpoint);
	}

	/** @returns the status that it counts under. */
	#record(
		{ request, match, log, startedMs }: Handling,
		response: ApiResponse,
		error: CodedError | undefined,
	): string {
		const route = routeLabel(match);
		const abort = abortOf(request);
		const http = abort?.http ?? response.http;
		const status = abort?.status ?? error?.status ?? statusOf(http);
		const seconds = (performance.now() - startedMs) / 1000;
		this.#parts.metrics.answered(
			methodLabel(request),
			route,
			http,
			status,
			seconds,
		);
		const line = {
			method: request.method.slice(0, 20),
			path: loggablePath(request.path),
			http,
			status,
			ms: Math.round(seconds * 1000),
		};
		log[quietPaths.has(route) ? "debug" : "info"](
			line,
			abort?.what ?? "answered",
		);
		return status;
	}
}

/** The error that the client gets. An internal error carries the request's id; the log has the details. */
function explain(
	thrown: unknown,
	{ request, requestId, log }: Handling,
): CodedError {
	const error = asCodedError(storageErrorOf(thrown));
	if (error.http < 500 || request.signal.aborted) return error;
	const { retryAfterSeconds, retry } = error;
	if (error.status === "100004" && error.cause)
		log.warn({ err: error.cause }, "at capacity");
	if (error.status !== "100003") return error;
	log.error({ err: error.cause ?? error }, "internal error");
	return new CodedError("100003", `${error.message} (request ${requestId})`, {
		...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
		...(retry && { retry }),
	});
}

function otherMethod(
	request: ApiRequest,
	allow: readonly string[],
): ApiResponse {
	const headers = { Allow: allow.join(", ") };
	if (request.method === "OPTIONS") return { http: 204, headers, body: "" };
	const error = new CodedError(
		"100002",
		`${request.method.slice(0, 20)} is not allowed here; allowed: ${headers.Allow}`,
	);
	return withHeaders(dialectAt(request.path)(error), headers);
}

function failureOf(
	match: Match,
	{ path }: Pick<ApiRequest, "path">,
	error: CodedError,
): ApiResponse {
	if (match.is !== "found") return dialectAt(path)(error);
	const { dialect = dialectAt(path), failureData } = match.route;
	return dialect(error, failureData?.(error) ?? null);
}

/** The body is not opened for a HEAD request or an aborted one. */
async function withFirstPiece(
	request: ApiRequest,
	response: ApiResponse,
): Promise<ApiResponse> {
	const { body } = response;
	const isUnread = request.method === "HEAD" || request.signal.aborted;
	if (typeof body === "string" || isUnread) return response;
	return { ...response, body: await begun(body) };
}

interface Abort {
	/** Sent instead of what the handler answers; undefined if nobody is there to read it. */
	readonly http?: number;
	readonly status: string;
	readonly what: string;
}

/** @returns undefined if the client gets what the handler answers. */
function abortOf({ signal }: ApiRequest): Abort | undefined {
	if (!signal.aborted) return undefined;
	const reason: unknown = signal.reason;
	if (!(reason instanceof CodedError))
		return { status: "gone", what: "client disconnected" };
	return { http: reason.http, status: reason.status, what: "aborted" };
}

function statusOf(http: number): string {
	if (http < 400) return successStatus;
	return http === 405 ? "100002" : "other";
}

/** An unknown path may contain anything, even a token. Ids are shortened first: once truncated, they would no longer be recognized. */
function loggablePath(path: string): string {
	return withShortIds(path)
		.replace(/[^/]{32,}/g, "(long)")
		.slice(0, 200);
}

/** Label values come from a fixed set, never from clients: each new value takes memory for ever. */
function methodLabel({ method }: ApiRequest): string {
	const known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
	return known.includes(method) ? method : "other";
}

function routeLabel(match: Match): string {
	switch (match.is) {
		case "found":
			return match.route.path;
		case "wrong-method":
			return match.path;
		case "unknown":
			return "unknown";
	}
}
