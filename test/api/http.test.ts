import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { HttpServer } from "../../runtime/api/server/http-server.js";
import { nativeAdvice } from "../../runtime/api/server/native-advice.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually, until } from "../fixtures/eventually.js";
import { readSocket } from "./read-socket.js";
import { startApi } from "./running-api.js";
import { transcribe } from "./transcribe.js";

const options = {
	host: "127.0.0.1",
	port: 0,
	connectionsMax: 8,
	networkShareMax: 1,
	headerBytesMax: 4096,
	bodyBytesPerSecondMin: 512,
};

t.test("unknown paths and methods get the envelope", async (t) => {
	const api = await startApi(t);
	for (const path of [
		"/",
		"/v1",
		"/v1/asr/api/",
		"/v1/ASR/api",
		"/v1/hotword",
		"/%2e%2e/etc/passwd",
		"//v1/asr/api",
	]) {
		const answer = await api.ask(path);
		t.match(answer, { http: 404, status: "100001", data: null }, path);
		t.match(answer.headers.get("content-type"), /^application\/json/);
		t.match(answer.headers.get("x-request-id"), /^[0-9a-f]{16}$/);
	}
	for (const method of ["GET", "PUT", "DELETE", "PATCH", "BREW"]) {
		const answer = await api.ask("/v1/asr/api", { method });
		t.match(answer, { http: 405, status: "100002" }, method);
		t.equal(answer.headers.get("allow"), "POST, OPTIONS");
	}
	const posted = await api.ask("/healthz", { method: "POST", body: "x" });
	t.match(posted, { http: 405, status: "100002" });
	t.equal(posted.headers.get("allow"), "GET, HEAD, OPTIONS");
});

t.test(
	"HEAD is GET without the body, OPTIONS lists the allowed methods",
	async (t) => {
		const api = await startApi(t);
		const head = await fetch(`${api.url}/healthz`, { method: "HEAD" });
		const get = await fetch(`${api.url}/healthz`);
		t.equal(head.status, 200);
		t.equal(await head.text(), "");
		t.equal(
			head.headers.get("content-length"),
			String((await get.text()).length),
		);
		const response = await fetch(`${api.url}/v1/asr/api`, {
			method: "OPTIONS",
		});
		t.equal(response.status, 204);
		t.equal(response.headers.get("allow"), "POST, OPTIONS");
		t.equal(
			response.headers.get("access-control-allow-origin"),
			null,
			"CORS is off",
		);
	},
);

t.test("CORS answers the configured origins and no others", async (t) => {
	const api = await startApi(t, {
		server: { cors_origins: ["https://a.example"] },
	});
	const from = async (origin: string, method = "GET") =>
		(await fetch(`${api.url}/healthz`, { method, headers: { Origin: origin } }))
			.headers;
	t.equal(
		(await from("https://a.example")).get("access-control-allow-origin"),
		"https://a.example",
	);
	t.equal(
		(await from("https://b.example")).get("access-control-allow-origin"),
		null,
	);
	t.match(
		(await from("https://a.example", "OPTIONS")).get(
			"access-control-allow-headers",
		),
		/Authorization/,
	);
	const varied = async (path: string, headers: Record<string, string>) =>
		(await fetch(api.url + path, { headers })).headers.get("vary");
	t.equal(await varied("/healthz", {}), "Origin", "also where none is sent");
	t.match(
		await varied("/console/", { Origin: "https://a.example" }),
		/^Accept-Encoding, Origin/,
	);
});

t.test(
	"oversized headers are refused, and the next request works",
	async (t) => {
		const api = await startApi(t);
		for (const bytes of [66_000, 90_000, 120_000]) {
			const answer = await api.ask("/healthz", {
				headers: { "X-Big": "a".repeat(bytes) },
			});
			t.match(answer, {
				http: 431,
				status: "200004",
				message:
					/^the query and the headers of a request must be at most 65536 bytes, got /,
			});
		}
		const query = await api.ask(`/healthz?${"q".repeat(70_000)}`);
		t.match(query, { http: 431, status: "200004" });
		const huge = await fetch(`${api.url}/healthz`, {
			headers: { "X-Big": "a".repeat(2_000_000) },
		}).then(
			(it) => it.status,
			() => 431,
		);
		t.equal(huge, 431, "the parser's own limit");
		t.match(
			await api.ask("/healthz", { headers: { "X-Big": "a".repeat(60_000) } }),
			{ http: 200 },
		);
	},
);

t.test(
	"an ambiguous body length is refused and ends the connection",
	async (t) => {
		const api = await startApi(t);
		const requests = [
			"Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
			"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
			"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
		];
		for (const rest of requests) {
			const socket = api.socket();
			socket.write(
				`POST /v1/asr/api?lang_type=en HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\n${rest}`,
			);
			t.match(
				await readSocket(socket),
				/^HTTP\/1\.1 400 .*"status":"200003"/s,
				rest,
			);
		}
		t.equal(api.lane.opened.length, 0);
		t.match(await api.ask("/healthz"), { http: 200 });
	},
);

t.test("no data of a client is returned as a separate header", async (t) => {
	const api = await startApi(t, { server: { cors_origins: ["*"] } });
	const attempts = [
		"/healthz%0d%0aX-Injected:%201",
		"/v1/asr/api%0aX-Injected:1",
		"/healthz?x=%0d%0aX-Injected:%201",
	];
	for (const path of attempts) {
		const response = await fetch(api.url + path, {
			headers: { Origin: "x%0d%0aX-Injected: 1" },
		});
		t.equal(response.headers.get("x-injected"), null, path);
		await response.text();
	}
});

t.test(
	"an answer with control characters in a header becomes a 500",
	async (t) => {
		const server = new HttpServer(options, async (request) => ({
			http: 200,
			headers: { "X-Echo": decodeURIComponent(request.query) },
			body: "fine",
		}));
		const port = await server.start();
		t.teardown(() => server.stop(0));
		const ask = (query: string) => fetch(`http://127.0.0.1:${port}/?${query}`);
		t.equal((await ask("good")).headers.get("x-echo"), "good");
		for (const bad of ["a%0d%0aX-Injected:%201", "a%00b", "a%7f", "a%0ab"]) {
			const response = await ask(bad);
			t.equal(response.status, 500, bad);
			t.equal(response.headers.get("x-injected"), null);
			t.match(await response.json(), { status: "100003" });
		}
	},
);

t.test(
	"an error in a handler is a 500 with the request's id and no stack, and the log has the details",
	async (t) => {
		const api = await startApi(t);
		api.lane.open = () => Promise.reject(new TypeError("secret inner reason"));
		const answer = await api.recognize("lang_type=en");
		t.match(answer, { http: 500, status: "100003" });
		const id = answer.headers.get("x-request-id") ?? "none";
		t.equal(answer.message, `internal error (request ${id})`);
		const line = api.log.find((it) => it.includes("secret inner reason")) ?? "";
		t.match(line, id);
		t.match(line, /TypeError/);
	},
);

t.test(
	"a port in use, a foreign address and an invalid one each give an error of one sentence",
	async (t) => {
		const first = new HttpServer(options, async () => ({
			http: 200,
			headers: {},
			body: "",
		}));
		const port = await first.start();
		t.teardown(() => first.stop(0));
		const start = (host: string, port: number) =>
			new HttpServer({ ...options, host, port }, async () => ({
				http: 200,
				headers: {},
				body: "",
			})).start();
		await t.rejects(start("127.0.0.1", port), {
			message: `port ${port} on 127.0.0.1 is in use by another program; stop it, or choose another with EARSHOT_SERVER_PORT`,
		});
		await t.rejects(start("192.0.2.1", 0), {
			message: /192\.0\.2\.1 is not an address of this machine/,
		});
	},
);

t.test(
	"connections above the limit are closed, the others continue",
	async (t) => {
		const api = await startApi(t, { server: { connections_max: 4 } });
		const sockets = Array.from({ length: 4 }, () => api.socket());
		for (const socket of sockets) await once(socket, "connect");
		// the server has counted a connection when it has answered on it
		for (const socket of sockets) {
			socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
			t.match(await readSocket(socket, /"ready":true/), /^HTTP\/1\.1 200/);
		}
		const fifth = api.socket();
		t.equal(await readSocket(fifth), "");
		sockets[0]?.destroy();
		await once(sockets[0] ?? fifth, "close");
		const again = async (): Promise<number> =>
			api.ask("/healthz").then(
				(it) => it.http,
				() => again(),
			);
		t.equal(await again(), 200);
		for (const socket of sockets) socket.destroy();
	},
);

t.test("a stop lets open requests finish, and refuses new ones", async (t) => {
	const api = await startApi(t, { server: { drain_seconds: 600 } });
	api.lane.behaviour = { holdResult: true };
	const open = api.recognize("lang_type=en");
	await until(() => api.lane.opened.length === 1 && api.lane.last.finished);
	const idle = api.socket();
	idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	await readSocket(idle, /"ready":true/);
	const stopped = api.api.stop();
	idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	t.match(await readSocket(idle), /^HTTP\/1\.1 503 .*"status":"100004"/s);
	await t.rejects(api.ask("/healthz"), "no new connections");
	api.lane.last.release();
	t.match(await open, { http: 200, status: "000000" });
	await stopped;
});

t.test("a stop refuses and aborts requests that take longer", async (t) => {
	const api = await startApi(t, { server: { drain_seconds: 0 } });
	api.lane.behaviour = { holdResult: true };
	const open = api.recognize("lang_type=en");
	const uploading = api.socket();
	uploading.write(
		`POST /v1/asr/api?lang_type=en HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\nContent-Length: 9000\r\n\r\nsome`,
	);
	await until(() => api.lane.opened.some((it) => it.finished));
	await eventually("both, and the one that asks, to be open", async () => {
		const metrics = await fetch(`${api.url}/metrics`);
		return /^earshot_http_requests_open 3$/m.test(await metrics.text());
	});
	await api.api.stop();
	t.match(await open, { http: 503, status: "100004" });
	t.match(
		await readSocket(uploading),
		/^HTTP\/1\.1 503 .*Retry-After: 5\r\n.*"status":"100004"/is,
	);
	await Promise.all(api.lane.opened.map((it) => it.cancelled));
	const aborted = api.log.filter((line) => line.includes('"aborted"'));
	t.equal(aborted.length, 2, "neither client had disconnected");
	for (const line of aborted)
		t.match(JSON.parse(line), { http: 503, status: "100004" });
});

t.test("a stop cuts an answer that goes on regardless", async (t) => {
	const server = new HttpServer(options, async () => ({
		http: 200,
		headers: {},
		body: {
			pieces: async function* () {
				for (; ; await sleep(20)) yield "more";
			},
		},
	}));
	const port = await server.start();
	const answer = await fetch(`http://127.0.0.1:${port}/`);
	await server.stop(0);
	await t.rejects(answer.text(), "the client sees that it is incomplete");
});

t.test(
	"a stop ends an event stream that has begun with an error",
	async (t) => {
		const api = await startApi(t, { server: { drain_seconds: 0 } });
		api.lane.behaviour = { holdResult: true };
		const wav = pcmWav(Buffer.alloc(32_000));
		const coming = transcribe(api, wav, { language: "en", stream: "true" });
		await until(() => api.lane.opened.length === 1 && api.lane.last.finished);
		const utterance = {
			index: 1,
			beginMs: 0,
			endMs: 900,
			text: "Hello.",
			confidence: 1,
			words: [],
		};
		api.lane.last.emit({ is: "final", utterance, audioMs: 1000 });
		const answer = await coming;
		await api.api.stop();
		const [delta, error, ...more] = (await answer.text()).split("\n\n");
		t.match(delta, /"delta":"Hello\."/);
		t.match(error, /^data: \{"error":\{.*stopping.*"code":"overloaded"/);
		t.same(more, [""], "and the stream is complete");
		await api.lane.last.cancelled;
	},
);

t.test(
	"where the native part can't be loaded, the message names a suitable Node",
	async (t) => {
		const reason =
			"/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found";
		const old = nativeAdvice({ node: "v22.1.0", glibc: "2.36" }, reason);
		t.match(
			old,
			/Node 22\.1\.0 and glibc 2\.36: use Node 20 \(Node 22 and 24 need glibc 2\.38 or later\)/,
		);
		t.notMatch(old, "\n");
		t.match(
			nativeAdvice({ node: "v18.0.0", glibc: "2.41" }, reason),
			/use Node 20, 22 or 24/,
		);
		t.match(
			nativeAdvice({ node: "v20.0.0", glibc: undefined }, reason),
			/no glibc: use a Linux with glibc/,
		);
	},
);
