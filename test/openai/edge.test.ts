/** What all of OpenAI's paths have in common: the shape of errors, where the token may be, and calls from web pages. */
import { once } from "node:events";
import t from "tap";
import WebSocket from "ws";
import { tokenOfAnyClient } from "../../runtime/api/credentials.js";
import { openAiFailure } from "../../runtime/api/openai/error.js";
import {
	CodedError,
	errorTable,
	type StatusCode,
} from "../../runtime/errors.js";
import { startApi } from "../api/running-api.js";

function formWithFile(): FormData {
	const form = new FormData();
	form.set("file", new Blob(["some audio"]), "a.wav");
	return form;
}

interface OpenAiBody {
	readonly error: Readonly<Record<string, unknown>>;
}

t.test("errors below OpenAI's paths have OpenAI's shape", async (t) => {
	const api = await startApi(t, { server: { header_bytes_max: 1024 } });
	const ask = async (path: string, init: RequestInit = {}) => {
		const answer = await fetch(api.url + path, init);
		const body = (await answer.json()) as OpenAiBody;
		return { http: answer.status, headers: answer.headers, ...body };
	};
	for (const path of [
		"/v1/audio",
		"/v1/audio/speech",
		"/v1/models/a/b",
		"/v1/realtime/calls",
	]) {
		const answer = await ask(path, { method: "POST", body: "x" });
		t.equal(answer.http, 404, path);
		t.same(answer.error, {
			message: "unknown path",
			type: "invalid_request_error",
			param: null,
			code: "unknown_url",
		});
		t.match(answer.headers.get("x-request-id"), /^[0-9a-f]{16}$/);
	}
	const token = await api.makeToken(["asr"]);
	const translation = await ask("/v1/audio/translations", {
		method: "POST",
		body: formWithFile(),
		headers: { "api-key": token },
	});
	t.match(translation, {
		http: 400,
		error: { param: "model", code: "unsupported_model" },
	});
	for (const path of ["/v1/audios", "/v1/model", "/v1"])
		t.match(await ask(path), { http: 404, status: "100001", data: null });
	t.match(
		await ask("/v1/audio/x", { headers: { "X-Long": "y".repeat(2000) } }),
		{ http: 431, error: { code: "file_too_large", param: null } },
		"before any route is looked up",
	);
	const socket = new WebSocket(`${api.url.replace("http", "ws")}/v1/realtime`);
	const [, response] = await once(socket, "unexpected-response");
	let text = "";
	for await (const chunk of response) text += chunk;
	t.match(JSON.parse(text), { error: { code: "invalid_api_key" } });
	socket.on("error", () => {});
	socket.terminate();
});

t.test("each status has a code, a type and what to do about it", (t) => {
	for (const status of Object.keys(errorTable) as StatusCode[]) {
		const { http, headers, body } = openAiFailure(new CodedError(status));
		const { error } = JSON.parse(body as string) as OpenAiBody;
		t.same(Object.keys(error), ["message", "type", "param", "code"], status);
		t.not(http, 415, "has no class in the SDKs");
		t.equal(headers["WWW-Authenticate"] !== undefined, http === 401);
	}
	const answer = (error: CodedError) => {
		const { http, headers, body } = openAiFailure(error);
		return { http, headers, ...(JSON.parse(body as string) as OpenAiBody) };
	};
	t.match(answer(new CodedError("200006")), {
		http: 400,
		error: { code: "unsupported_format", type: "invalid_request_error" },
	});
	t.match(
		answer(new CodedError("100005", "slow down", { retryAfterSeconds: 0.2 })),
		{
			http: 429,
			headers: { "Retry-After": "1" },
			error: { type: "requests", code: "rate_limit_exceeded" },
		},
	);
	t.match(
		answer(new CodedError("100004", "full", { retryAfterSeconds: 600 })),
		{ http: 503, headers: { "Retry-After": "120" } },
		"SDKs do not wait for longer",
	);
	const never = answer(
		new CodedError("100006", undefined, { retry: "never", param: "file" }),
	);
	t.match(never, {
		http: 504,
		headers: { "x-should-retry": "false" },
		error: { type: "server_error", code: "timeout", param: "file" },
	});
	t.equal(never.headers["Retry-After"], undefined);
	t.end();
});

t.test("the token may be where any client of such a server sends it", (t) => {
	const tokenIn = (headers: Record<string, string>) =>
		tokenOfAnyClient({ header: (name) => headers[name] });
	const basic = (text: string) =>
		`Basic ${Buffer.from(text).toString("base64")}`;
	for (const headers of [
		{ authorization: "Bearer abc" },
		{ authorization: "bearer abc" },
		{ authorization: "BEARER   abc " },
		{ authorization: basic("anyone:abc") },
		{ authorization: basic(":abc").replace("Basic", "basic") },
		{ "api-key": "abc" },
		{ "x-api-key": " abc" },
		{ "sec-websocket-protocol": "chat, bearer.abc" },
	])
		t.equal(tokenIn(headers), "abc", JSON.stringify(headers));
	t.equal(tokenIn({ authorization: basic("a:b:c") }), "b:c");
	for (const headers of [
		{},
		{ authorization: "" },
		{ authorization: "abc" },
		{ authorization: "Digest abc" },
		{ authorization: basic("abc") },
		{ authorization: basic("abc:") },
		{ authorization: "Basic %%%" },
		{ authorization: "Bearer a b" },
		{ "api-key": "  " },
	])
		t.equal(tokenIn(headers), undefined, JSON.stringify(headers));
	t.end();
});

t.test(
	"a page of an allowed origin may send the headers it asks for",
	async (t) => {
		const origin = "https://app.example";
		const api = await startApi(t, { server: { cors_origins: [origin] } });
		const preflight = async (requested: string | undefined, from = origin) => {
			const answer = await fetch(`${api.url}/v1/asr/api`, {
				method: "OPTIONS",
				headers: {
					Origin: from,
					"Access-Control-Request-Method": "POST",
					...(requested && { "Access-Control-Request-Headers": requested }),
				},
			});
			return answer.headers;
		};
		const sdk =
			"authorization,openai-organization,x-stainless-arch,x-stainless-retry-count";
		const headers = await preflight(sdk);
		t.equal(headers.get("access-control-allow-headers"), sdk);
		const exposed = headers.get("access-control-expose-headers")?.split(", ");
		for (const name of ["Content-Disposition", "x-should-retry"])
			t.ok(exposed?.includes(name), name);
		const usual = "Authorization, Content-Type";
		for (const requested of [undefined, "a b", "x,".repeat(100), "x;y"])
			t.equal(
				(await preflight(requested)).get("access-control-allow-headers"),
				usual,
				`${requested}`,
			);
		const other = await preflight(sdk, "https://other.example");
		t.equal(other.get("access-control-allow-headers"), null);
	},
);
