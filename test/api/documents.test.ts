import { createRequire } from "node:module";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import t from "tap";
import {
	recognizerOptions,
	transcriberOptions,
} from "../../runtime/api/live/live-options.js";
import { type Route, Router } from "../../runtime/api/router.js";
import { shortHttpOptions } from "../../runtime/session/request-options.js";
import { uploadSchemas } from "../../runtime/tasks/intake/upload-options.js";
import { folderWithPackages } from "../fixtures/npm-packages.js";
import { startApi } from "./running-api.js";

interface OpenApi {
	readonly openapi: string;
	readonly info: { readonly version: string };
	readonly paths: Record<
		string,
		Record<
			string,
			{
				readonly parameters: readonly { readonly name: string }[];
				readonly security: unknown;
				readonly responses: object;
				readonly requestBody?: {
					readonly required: boolean;
					readonly content: object;
				};
			}
		>
	>;
}

t.test("healthz is 200 only while every check succeeds", async (t) => {
	const api = await startApi(t);
	t.match(await api.ask("/healthz"), {
		http: 200,
		status: "000000",
		data: { ready: true, checks: [{ name: "engine", ok: true }] },
	});
	api.checks = [
		{
			name: "store",
			ok: true,
			says: "writes",
			code: "database-writes",
			values: {},
		},
		{
			name: "engine",
			ok: false,
			says: "the engine is starting",
			code: "engine-starting",
			values: {},
		},
	];
	const answer = await api.ask("/healthz");
	t.match(answer, {
		http: 503,
		status: "100004",
		message: "not ready: engine: the engine is starting",
		data: { ready: false, checks: [{}, { code: "engine-starting" }] },
	});
	t.ok(Number(answer.headers.get("retry-after")) > 0);
	api.checks = [];
	t.match(await api.ask("/healthz"), { http: 503 });
});

t.test(
	"metrics count requests by route and status, and show lanes and lag",
	async (t) => {
		const ownLag = monitorEventLoopDelay({ resolution: 10 });
		ownLag.enable();
		t.teardown(() => ownLag.disable());
		const api = await startApi(t);
		await api.recognize("lang_type=en");
		await api.recognize("lang_type=xx");
		await api.ask("/no/such/path/1");
		await api.ask("/no/such/path/2", { method: "BREW" });
		await api.ask("/v1/asr/api");
		const response = await fetch(`${api.url}/metrics`);
		t.match(
			response.headers.get("content-type"),
			/^text\/plain; version=0\.0\.4/,
		);
		const text = await response.text();
		const value = (name: string) =>
			Number(
				text
					.split("\n")
					.find((line) => line.startsWith(`${name} `))
					?.split(" ")
					.at(-1),
			);
		t.equal(
			value(
				'earshot_http_requests_total{method="POST",route="/v1/asr/api",http="200",status="000000"}',
			),
			1,
		);
		t.equal(
			value(
				'earshot_http_requests_total{method="POST",route="/v1/asr/api",http="400",status="200008"}',
			),
			1,
		);
		t.equal(
			value(
				'earshot_http_requests_total{method="GET",route="unknown",http="404",status="100001"}',
			),
			1,
		);
		t.equal(
			value(
				'earshot_http_requests_total{method="other",route="unknown",http="404",status="100001"}',
			),
			1,
		);
		t.equal(
			value(
				'earshot_http_requests_total{method="GET",route="/v1/asr/api",http="405",status="100002"}',
			),
			1,
		);
		t.equal(
			value('earshot_http_request_seconds_count{route="/v1/asr/api"}'),
			3,
		);
		t.equal(value("earshot_recognised_audio_seconds_total"), 1);
		t.equal(value("earshot_recognition_real_time_factor_count"), 1);
		t.equal(value('earshot_lane_queue{lane="live"}'), 2);
		t.equal(
			value('earshot_speech_unheard_seconds_total{why="doubt"}'),
			1.5,
			"speech without a text, by reason",
		);
		t.equal(value('earshot_engine_restarts_total{lane="live"}'), 4);
		t.equal(value('earshot_engine_resident_memory_bytes{lane="live"}'), 6);
		t.ok(value("earshot_http_connections") >= 1);
		t.equal(value("earshot_http_requests_open"), 1);
		t.ok(value("process_resident_memory_bytes") > 1e6);
		// a busy machine may stop this process for long; both timers of the process notice that
		const lag = value('earshot_event_loop_lag_seconds{quantile="0.99"}');
		const lagMax = ownLag.max / 1e9 + 0.05;
		t.ok(lag >= 0 && lag <= lagMax, `${lag} s of ${lagMax} s`);
		t.notMatch(text, "such/path");
	},
);

const linter = await folderWithPackages("openapi", [
	"@redocly/openapi-core@2.64.0",
]);
const noLinter = linter === "" && "no npm package @redocly/openapi-core";
if (noLinter) console.error(`skipped: ${noLinter}`);

t.test(
	"the OpenAPI document pleases Redocly's linter",
	{ skip: noLinter },
	async (t) => {
		const api = await startApi(t, { endpoints: { whisper_cpp: true } });
		const response = await fetch(`${api.url}/v1/openapi.json`, {
			headers: { Authorization: `Bearer ${api.token}` },
		});
		const entry = createRequire(join(linter, "package.json")).resolve(
			"@redocly/openapi-core",
		);
		const { createConfig, lintFromString } = await import(entry);
		// health and metrics have no errors of the client's
		const rules = { "operation-4xx-response": "off" };
		const problems = await lintFromString({
			source: await response.text(),
			absoluteRef: "openapi.json",
			config: await createConfig({ extends: ["recommended"], rules }),
		});
		t.same(
			problems.map((it: { readonly message: string }) => it.message),
			[],
		);
	},
);

t.test(
	"the API's documents are compressed for who takes them so",
	async (t) => {
		const api = await startApi(t);
		for (const name of ["openapi", "asyncapi"]) {
			const get = (encoding: string) =>
				fetch(`${api.url}/v1/${name}.json`, {
					headers: {
						Authorization: `Bearer ${api.token}`,
						"Accept-Encoding": encoding,
					},
				});
			const plain = await get("identity");
			const small = await get("gzip");
			t.equal(plain.headers.get("content-encoding"), null, name);
			t.equal(small.headers.get("content-encoding"), "gzip", name);
			for (const { headers } of [plain, small])
				t.match(headers.get("vary"), /accept-encoding/i, name);
			const text = await plain.text();
			t.equal(await small.text(), text, name);
			t.ok(Number(small.headers.get("content-length")) < text.length / 2, name);
		}
	},
);

t.test("the OpenAPI document describes what the routes check", async (t) => {
	const api = await startApi(t);
	t.match(await api.ask("/v1/openapi.json"), { http: 401, status: "110001" });
	const response = await fetch(`${api.url}/v1/openapi.json`, {
		headers: { Authorization: `Bearer ${api.token}` },
	});
	const document = (await response.json()) as OpenApi;
	t.equal(document.openapi, "3.1.0");
	t.equal(document.info.version, "1.2.3");
	t.same(Object.keys(document.paths).sort(), [
		"/ca.crt",
		"/ca.mobileconfig",
		"/healthz",
		"/metrics",
		"/platform/v1/auth/online/token",
		"/v1/apps",
		"/v1/apps/{app}",
		"/v1/asr/api",
		"/v1/asr/audio/{file}",
		"/v1/asr/transcriber/ws",
		"/v1/asr/ws",
		"/v1/asyncapi.json",
		"/v1/audio/transcriptions",
		"/v1/audio/translations",
		"/v1/config/reload",
		"/v1/console/pair",
		"/v1/console/session",
		"/v1/correction-words",
		"/v1/correction-words/download/{correction_words_id}",
		"/v1/correction-words/{correction_words_id}",
		"/v1/device",
		"/v1/engines/{lane}/restart",
		"/v1/forbidden-words",
		"/v1/forbidden-words/download/{forbidden_words_id}",
		"/v1/forbidden-words/{forbidden_words_id}",
		"/v1/hotwords",
		"/v1/hotwords/download/{hotwords_id}",
		"/v1/hotwords/{hotwords_id}",
		"/v1/logs",
		"/v1/microphones",
		"/v1/microphones/{microphone}",
		"/v1/microphones/{microphone}/ws",
		"/v1/models",
		"/v1/models/{model}",
		"/v1/openapi.json",
		"/v1/realtime",
		"/v1/realtime/client_secrets",
		"/v1/realtime/transcription_sessions",
		"/v1/status",
		"/v1/status/events",
		"/v1/status/history",
		"/v1/tokens",
		"/v1/tokens/{token}",
		"/v1/update/check",
		"/v1/word-lists/uses",
	]);
	const operation = document.paths["/v1/asr/api"]?.post;
	const parameters = new Map(operation?.parameters.map((it) => [it.name, it]));
	t.same([...parameters.keys()], Object.keys(shortHttpOptions.properties));
	t.match(parameters.get("lang_type"), {
		in: "query",
		required: true,
		schema: { enum: ["ja-JP", "en-US"] },
	});
	t.match(parameters.get("gain"), {
		required: false,
		schema: { minimum: 1, maximum: 20 },
	});
	t.match(parameters.get("format"), {
		required: false,
		schema: { default: "pcm" },
	});
	t.match(operation?.security, [{ token: [] }]);
	t.match(Object.keys(operation?.responses ?? {}), [
		"200",
		"400",
		"401",
		"403",
		"404",
		"408",
		"413",
		"415",
		"429",
		"431",
		"500",
		"503",
	]);
	t.notMatch(JSON.stringify(document), /"x-/);
	const lists = document.paths["/v1/hotwords"];
	t.match(lists?.post?.requestBody, {
		required: true,
		content: {
			"application/json": { schema: { required: ["lang_type", "words"] } },
			"multipart/form-data": {
				schema: { required: ["lang_type"], properties: { file: {} } },
			},
		},
	});
	const one = document.paths["/v1/correction-words/{correction_words_id}"];
	t.equal(one?.delete?.requestBody?.required, false);
	t.same(Object.keys(one ?? {}).sort(), ["delete", "get", "post", "put"]);
});

t.test("an option with a default may be left out, as described", async (t) => {
	const api = await startApi(t);
	for (const name of ["openapi", "asyncapi"]) {
		const response = await fetch(`${api.url}/v1/${name}.json`, {
			headers: { Authorization: `Bearer ${api.token}` },
		});
		const { paths, channels } = (await response.json()) as {
			readonly paths?: OpenApi["paths"];
			readonly channels?: object;
		};
		const bodies = Object.values(paths ?? {}).flatMap((operations) =>
			Object.values(operations).map(({ requestBody }) => requestBody),
		);
		t.same(requiredThoughDefaulted([bodies, channels]), [], name);
	}
});

t.test("what only whisper.cpp's server takes is described", async (t) => {
	const api = await startApi(t, { endpoints: { whisper_cpp: true } });
	const response = await fetch(`${api.url}/v1/openapi.json`, {
		headers: { Authorization: `Bearer ${api.token}` },
	});
	const { paths } = (await response.json()) as OpenApi;
	t.match(paths["/inference"]?.post?.requestBody?.content, {
		"multipart/form-data": { schema: { properties: { translate: {} } } },
	});
});

t.test("every option of a recognition is described", (t) => {
	const ways = {
		shortHttpOptions,
		recognizerOptions,
		transcriberOptions,
		...uploadSchemas,
	};
	for (const [way, { properties }] of Object.entries(ways)) {
		const bare = Object.entries(properties)
			.filter(([, schema]) => schema.description === undefined)
			.map(([name]) => name);
		t.same(bare, [], way);
	}
	t.end();
});

/** Names of properties that a schema anywhere in a document requires beside a default. */
function requiredThoughDefaulted(part: unknown): string[] {
	if (typeof part !== "object" || part === null) return [];
	const { required, properties } = part as {
		readonly required?: unknown;
		readonly properties?: Record<string, { readonly default?: unknown }>;
	};
	const own = Array.isArray(required) ? (required as string[]) : [];
	return [
		...own.filter((it) => properties?.[it]?.default !== undefined),
		...Object.values(part).flatMap(requiredThoughDefaulted),
	];
}

t.test(
	"exact paths take precedence over parameters, which are decoded",
	async (t) => {
		const route = (method: Route["method"], path: string): Route => ({
			method,
			path,
			access: "open",
			description: { summary: "", answer: {} as never, errors: [] },
			handle: async () => ({ http: 200, headers: {}, body: "" }),
		});
		const router = new Router([
			route("GET", "/w/:id"),
			route("DELETE", "/w/:id"),
			route("GET", "/w/download"),
		]);
		t.match(router.match("GET", "/w/a%20b"), {
			is: "found",
			params: { id: "a b" },
		});
		t.match(router.match("HEAD", "/w/download"), {
			is: "found",
			route: { path: "/w/download" },
		});
		t.match(router.match("DELETE", "/w/x"), {
			is: "found",
			route: { method: "DELETE" },
		});
		t.same(router.match("PUT", "/w/x"), {
			is: "wrong-method",
			path: "/w/:id",
			allow: ["GET", "DELETE", "HEAD", "OPTIONS"],
		});
		for (const path of ["/w/", "/w", "/w/a/b", "/w/%zz", "w/a"])
			t.same(router.match("GET", path), { is: "unknown" }, path);
	},
);
