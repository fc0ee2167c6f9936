/** `GET /v1/openapi.json`: generated from the routes and schemas that serve the requests, so the two can't disagree. */
import { type TSchema, Type } from "@sinclair/typebox";
import { errorTable, type StatusCode, successStatus } from "../errors.js";
import { inSlices } from "../event-loop/slices.js";
import { sentSchema } from "../json/sent-schema.js";
import { ConstantDocument } from "./constant-document.js";
import type { Route } from "./router.js";

/** @param version of this program. @param routes all other routes; the document also describes its own. */
export function openApiRoute(version: string, routes: readonly Route[]): Route {
	const route: Route = {
		method: "GET",
		path: "/v1/openapi.json",
		access: "token",
		description: {
			summary: "This document",
			answer: Type.Object({}),
			answerType: "application/json",
			errors: [],
		},
		handle: ({ request }) => document.answer(request),
	};
	const document = new ConstantDocument(
		"application/json; charset=utf-8",
		async () =>
			JSON.stringify(await openApiDocument(version, [...routes, route])),
	);
	return route;
}

/** In slices: on a slow processor the whole takes a hundred milliseconds, and a start has no need of it. */
async function openApiDocument(version: string, routes: readonly Route[]) {
	const paths: Record<string, Record<string, object>> = {};
	await inSlices(routes, (route) => {
		if (route.isPage) return;
		const path = route.path.replace(/:(\w+)/g, "{$1}");
		paths[path] ??= {};
		paths[path][route.method.toLowerCase()] = operation(route);
	});
	return {
		openapi: "3.1.0",
		info: {
			title: "earshot",
			version,
			description: "Speech recognition that lives on the device",
			license: { name: "MIT", identifier: "MIT" },
		},
		// beside this document: also behind a proxy that adds a prefix
		servers: [{ url: ".." }],
		paths,
		components: {
			securitySchemes: { token: { type: "http", scheme: "bearer" } },
		},
	};
}

function operation(route: Route): object {
	const { summary, body, form, errors } = route.description;
	// a WebSocket's endpoint reads the token itself
	const needsToken = route.access !== "open" || errors.includes("110001");
	return {
		operationId: operationId(route),
		summary,
		security: needsToken ? [{ token: [] }] : [],
		parameters: [...pathParameters(route), ...queryParameters(route)],
		...(body && {
			requestBody: {
				required: !body.optional,
				content: {
					...content(body.type, sentSchema(body.schema)),
					...(form && content("multipart/form-data", sentSchema(form))),
				},
			},
		}),
		responses: responses(route),
	};
}

/** `getV1AsrfileTasksTaskId`: unique, since the path has all of it. */
function operationId({ method, path }: Route): string {
	const words = path.match(/[a-zA-Z0-9]+/g) ?? [];
	const name = words.map((it) => `${it[0]?.toUpperCase()}${it.slice(1)}`);
	return method.toLowerCase() + name.join("");
}

function pathParameters(route: Route): object[] {
	return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: "path",
		required: true,
		schema: { type: "string" },
	}));
}

function queryParameters(route: Route): object[] {
	const { query } = route.description;
	return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
		const required = query?.required?.includes(name) ?? false;
		const { description, ...rest } = clean(schema);
		return {
			name,
			in: "query",
			required: required && schema.default === undefined,
			...(description !== undefined && { description }),
			schema: rest,
		};
	});
}

function responses(route: Route): Record<string, object> {
	const { answer, answerType, errors } = route.description;
	const ok = answerType
		? content(answerType, answer)
		: content("application/json", envelope([successStatus], answer));
	const byHttp = new Map<number, StatusCode[]>();
	for (const status of new Set([...errorsOfEdge(route), ...errors])) {
		const { http } = errorTable[status];
		byHttp.set(http, [...(byHttp.get(http) ?? []), status]);
	}
	return {
		200: { description: "success", content: ok },
		...Object.fromEntries(
			[...byHttp].map(([http, statuses]) => [
				http,
				errorResponse(statuses, route),
			]),
		),
		431: errorResponse(["200004"], route), // request line and headers
	};
}

/** Errors raised before the handler runs, or while it reads the body. */
function errorsOfEdge({ access, description }: Route): StatusCode[] {
	const ofBody: StatusCode[] = description.body ? ["230002"] : [];
	if (access === "open") return ofBody;
	return [
		...ofBody,
		"110001",
		"110002",
		...(access === "token" ? [] : (["110003"] as const)),
		"100005",
	];
}

const openAiErrors = Type.Object({
	error: Type.Object({
		message: Type.String(),
		type: Type.String(),
		param: Type.Union([Type.String(), Type.Null()]),
		code: Type.String(),
	}),
});

function errorResponse(
	statuses: readonly StatusCode[],
	{ dialect }: Route,
): object {
	const shape = dialect ? openAiErrors : envelope(statuses, Type.Unknown());
	return {
		description: statuses
			.map((status) => `${status}: ${errorTable[status].message}`)
			.join("; "),
		content: content("application/json", shape),
	};
}

function envelope(statuses: readonly string[], data: TSchema): object {
	return {
		type: "object",
		required: ["status", "message", "data"],
		properties: {
			status: { type: "string", enum: statuses },
			message: { type: "string" },
			data: clean(data),
		},
	};
}

function content(type: string, schema: object): object {
	return { [type]: { schema: clean(schema) } };
}

/** @returns a copy without our own keywords and TypeBox's symbols. */
function clean(schema: object): Record<string, unknown> {
	const copy: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(schema))
		if (!key.startsWith("x-")) copy[key] = cleanValue(value);
	return copy;
}

function cleanValue(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(cleanValue);
	return typeof value === "object" && value !== null ? clean(value) : value;
}
