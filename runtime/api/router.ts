/** Finds the route of a request: exact paths, and paths with one `:name` segment. */
import type { TObject, TSchema } from "@sinclair/typebox";
import type { CodedError, StatusCode } from "../errors.js";
import type { Scope } from "../store/token-row.js";
import type { TokenReader } from "./credentials.js";
import type { ErrorDialect } from "./error-dialect.js";
import type { ApiResponse, RequestContext } from "./exchange.js";
import type { EndpointName } from "./metrics/endpoints.js";
import { decodedSegment } from "./path-segment.js";

export interface Route {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** `/v1/hotwords/:hotwords_id` */
	readonly path: string;
	/** `open`: no token needed; `token`: any valid one; else one with this scope. */
	readonly access: "open" | "token" | Scope;
	/** Whose metrics its requests count in; absent: none's. */
	readonly endpoint?: EndpointName;
	/** Where its clients send the token; default: `bearerToken`. */
	readonly tokenOf?: TokenReader;
	/** How its errors are answered; default: that of its path. */
	readonly dialect?: ErrorDialect;
	/** A page for browsers or a part of one: not in the OpenAPI document. */
	readonly isPage?: boolean;
	readonly description: RouteDescription;
	handle(context: RequestContext): Promise<ApiResponse>;
	/** `data` of this route's errors, where clients read it; null elsewhere. */
	failureData?(error: CodedError): unknown;
}

/** For OpenAPI; the schemas are those that the handler validates with. */
export interface RouteDescription {
	readonly summary: string;
	readonly query?: TObject;
	readonly body?: {
		readonly type: string;
		readonly schema: TSchema;
		readonly optional?: boolean;
	};
	/** The body as `multipart/form-data`, if the route accepts that too. */
	readonly form?: TSchema;
	/** Schema of `data` in the envelope, or of the whole body without an envelope. */
	readonly answer: TSchema;
	/** Media type of an answer without an envelope. */
	readonly answerType?: string;
	readonly errors: readonly StatusCode[];
}

export type Match =
	| {
			readonly is: "found";
			readonly route: Route;
			readonly params: Readonly<Record<string, string>>;
	  }
	| {
			readonly is: "wrong-method";
			readonly path: string;
			readonly allow: readonly string[];
	  }
	| { readonly is: "unknown" };

interface Place {
	readonly segments: readonly string[];
	readonly routes: Route[];
}

export class Router {
	readonly #places: Place[] = [];

	constructor(routes: readonly Route[]) {
		for (const route of routes) {
			const known = this.#places.find(
				(place) => place.routes[0]?.path === route.path,
			);
			if (known) known.routes.push(route);
			else
				this.#places.push({ segments: route.path.split("/"), routes: [route] });
		}
		// exact segments win over parameters: /hotwords/download before /hotwords/:id
		this.#places.sort((a, b) => parameters(a) - parameters(b));
	}

	/** @param path not decoded. */
	match(method: string, path: string): Match {
		const segments = path.split("/");
		for (const place of this.#places) {
			const params = paramsOf(place.segments, segments);
			if (params) return choose(place, method, params);
		}
		return { is: "unknown" };
	}
}

function choose(
	place: Place,
	method: string,
	params: Record<string, string>,
): Match {
	const wanted = method === "HEAD" ? "GET" : method;
	const route = place.routes.find((it) => it.method === wanted);
	if (route) return { is: "found", route, params };
	const methods = place.routes.map((it): string => it.method);
	const head = methods.includes("GET") ? ["HEAD"] : [];
	return {
		is: "wrong-method",
		path: place.segments.join("/"),
		allow: [...methods, ...head, "OPTIONS"],
	};
}

function paramsOf(
	pattern: readonly string[],
	segments: readonly string[],
): Record<string, string> | undefined {
	if (pattern.length !== segments.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, wanted] of pattern.entries()) {
		const segment = segments[index] ?? "";
		if (!wanted.startsWith(":")) {
			if (segment !== wanted) return undefined;
			continue;
		}
		const value = decodedSegment(segment);
		if (!value) return undefined;
		params[wanted.slice(1)] = value;
	}
	return params;
}

function parameters(place: Place): number {
	return place.segments.filter((it) => it.startsWith(":")).length;
}
